package io.setplan.kube;

import com.google.protobuf.ByteString;
import io.setplan.adapter.verify.Documents;
import io.setplan.rawjson.Raw;
import io.setplan.v1.ClaimBinding;
import io.setplan.v1.Condition;
import io.setplan.v1.ContainerImage;
import io.setplan.v1.ContainerResize;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.PatchClaim;
import io.setplan.v1.ResizePod;
import io.setplan.v1.UpdatePod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of what is sent, and what is compared when something is there already. */
final class Parts {
    private Parts() {}

    static List<Map<String, Object>> owners(List<OwnerReference> references) {
        List<Map<String, Object>> owners = new ArrayList<>();
        for (OwnerReference reference : references) {
            Map<String, Object> owner = new LinkedHashMap<>();
            owner.put("apiVersion", reference.getApiVersion());
            owner.put("kind", reference.getKind());
            owner.put("name", reference.getName());
            owner.put("uid", reference.getUid());
            // Absent and false mean the same, and most writers leave the field out.
            if (reference.getController()) {
                owner.put("controller", true);
            }
            if (reference.getBlockOwnerDeletion()) {
                owner.put("blockOwnerDeletion", true);
            }
            owners.add(owner);
        }
        return owners;
    }

    static List<Map<String, Object>> volumes(List<ClaimBinding> claims) {
        List<Map<String, Object>> volumes = new ArrayList<>();
        for (ClaimBinding bound : claims) {
            Map<String, Object> volume = new LinkedHashMap<>();
            volume.put("name", bound.getVolume());
            volume.put("persistentVolumeClaim", Map.of("claimName", bound.getClaim()));
            volumes.add(volume);
        }
        return volumes;
    }

    /** Sets and removes members of an object: a null removes one. */
    static Map<String, @Nullable String> merging(Map<String, String> set, List<String> remove) {
        Map<String, @Nullable String> members = new LinkedHashMap<>(set);
        remove.forEach(key -> members.put(key, null));
        return members;
    }

    /** Sets and removes labels and annotations, and sets images, in one write. */
    static Map<String, Object> updatePatch(Map<String, Object> identity, UpdatePod update) {
        Map<String, Object> metadata = new LinkedHashMap<>(identity);
        metadata.put("labels", merging(update.getLabelsMap(), update.getRemoveLabelsList()));
        metadata.put("annotations", merging(update.getAnnotationsMap(), update.getRemoveAnnotationsList()));
        Map<String, Object> spec = new LinkedHashMap<>();
        putImages(spec, "containers", update.getContainersList());
        putImages(spec, "initContainers", update.getInitContainersList());
        Map<String, Object> patch = new LinkedHashMap<>(Map.of("metadata", metadata));
        if (!spec.isEmpty()) {
            patch.put("spec", spec);
        }
        return patch;
    }

    /** Sets the images of a list of containers, in their order: a pod whose containers change places is invalid. */
    private static void putImages(Map<String, Object> spec, String containers, List<ContainerImage> images) {
        List<Map<String, Object>> names = new ArrayList<>();
        List<Map<String, Object>> parts = new ArrayList<>();
        for (ContainerImage container : images) {
            names.add(Map.of("name", container.getName()));
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("name", container.getName());
            part.put("image", container.getImage());
            parts.add(part);
        }
        if (!images.isEmpty()) {
            spec.put("$setElementOrder/" + containers, names);
            spec.put(containers, parts);
        }
    }

    /** Sets what of the resources of containers is named. */
    static Map<String, Object> resizePatch(Map<String, Object> identity, ResizePod resize) {
        Map<String, Object> spec = new LinkedHashMap<>();
        putResources(spec, "containers", resize.getContainersList());
        putResources(spec, "initContainers", resize.getInitContainersList());
        return Map.of("metadata", identity, "spec", spec);
    }

    /** Sets that of a list of containers. As with images, the order of all is part of the patch. */
    private static void putResources(Map<String, Object> spec, String containers, List<ContainerResize> resizes) {
        List<Map<String, Object>> names = new ArrayList<>();
        List<Map<String, Object>> parts = new ArrayList<>();
        for (ContainerResize container : resizes) {
            names.add(Map.of("name", container.getName()));
            Map<String, Object> resources = new LinkedHashMap<>();
            if (container.getRequestsCount() > 0) {
                resources.put("requests", container.getRequestsMap());
            }
            if (container.getLimitsCount() > 0) {
                resources.put("limits", container.getLimitsMap());
            }
            if (!resources.isEmpty()) {
                parts.add(Map.of("name", container.getName(), "resources", resources));
            }
        }
        if (!parts.isEmpty()) {
            spec.put("$setElementOrder/" + containers, names);
            spec.put(containers, parts);
        }
    }

    /** Sets what a claim asks for, and labels and annotations; everything else stays as it is. */
    static Map<String, Object> claimPatch(Map<String, Object> identity, PatchClaim patch) {
        Map<String, Object> metadata = new LinkedHashMap<>(identity);
        Map<String, Object> spec = new LinkedHashMap<>();
        if (patch.getLabelsCount() > 0) {
            metadata.put("labels", patch.getLabelsMap());
        }
        if (patch.getAnnotationsCount() > 0) {
            metadata.put("annotations", patch.getAnnotationsMap());
        }
        if (!patch.getRequest().isEmpty()) {
            spec.put("resources", Map.of("requests", Map.of("storage", patch.getRequest())));
        }
        if (!patch.getAttributesClass().isEmpty()) {
            spec.put("volumeAttributesClassName", patch.getAttributesClass());
        }
        return spec.isEmpty() ? Map.of("metadata", metadata) : Map.of("metadata", metadata, "spec", spec);
    }

    /** Replaces conditions by the wanted ones of the same type, and keeps the text of the others. */
    static List<Object> conditions(List<Raw> stored, List<Condition> wanted) {
        Map<String, Object> found = new LinkedHashMap<>();
        stored.forEach(condition -> found.put(condition.string("type"), condition));
        for (Condition one : wanted) {
            Map<String, Object> condition = new LinkedHashMap<>();
            condition.put("type", one.getType());
            condition.put("status", one.getStatus());
            condition.put("reason", one.getReason());
            condition.put("message", one.getMessage());
            if (one.hasLastTransitionTime()) {
                condition.put(
                        "lastTransitionTime",
                        Instant.ofEpochSecond(one.getLastTransitionTime().getSeconds())
                                .toString());
            }
            found.put(one.getType(), condition);
        }
        return new ArrayList<>(found.values());
    }

    /** Reports whether what exists is what an earlier attempt has made: the same controller, and of a revision the same data. */
    static boolean isOurs(Resource resource, Raw manifest, Raw live) {
        String ours = controller(manifest);
        if (ours.isEmpty() || !ours.equals(controller(live))) {
            return false;
        }
        return !resource.equals(Resource.REVISIONS) || Documents.same(data(manifest), data(live));
    }

    private static ByteString data(Raw revision) {
        Raw data = revision.get("data");
        return data == null ? ByteString.copyFromUtf8("null") : data.bytes();
    }

    private static String controller(Raw thing) {
        return thing.list("metadata", "ownerReferences").stream()
                .filter(owner -> owner.isTrue("controller"))
                .findFirst()
                .map(owner -> owner.string("uid"))
                .orElse("");
    }
}
