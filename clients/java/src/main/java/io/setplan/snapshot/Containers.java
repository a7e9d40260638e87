package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import io.setplan.v1.Container;
import io.setplan.v1.ContainerResources;
import io.setplan.v1.Pod;
import io.setplan.v1.PodContainers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs in a pod whose images or resources change in place. */
final class Containers {
    private static final String UPDATE = "setplan.io/in-place-update";
    private static final ContainerResources NONE = ContainerResources.getDefaultInstance();

    private Containers() {}

    /** Tells what runs in a pod that has the annotation, whatever that says. Of others nobody needs it. */
    static void tell(Pod.Builder message, Raw pod) {
        if (!pod.strings("metadata", "annotations").containsKey(UPDATE)) {
            return;
        }
        PodContainers.Builder containers = message.getContainersBuilder()
                .setGeneration(pod.int64("metadata", "generation"))
                .setObservedGeneration(pod.int64("status", "observedGeneration"))
                .addAllContainers(containers(pod, "containers", "containerStatuses"))
                .addAllInitContainers(containers(pod, "initContainers", "initContainerStatuses"));
        Resources.condition(pod, "PodResizePending").ifPresent(containers::setResizePending);
        Resources.condition(pod, "PodResizeInProgress").ifPresent(containers::setResizeInProgress);
    }

    /** Puts the containers of a spec into the contract's form, each with the status of its name. */
    private static List<Container> containers(Raw pod, String list, String statuses) {
        Map<String, Raw> byName = new HashMap<>();
        for (Raw status : pod.list("status", statuses)) {
            byName.put(status.string("name"), status);
        }
        return pod.list("spec", list).stream()
                .map(spec -> container(spec, byName.get(spec.string("name"))))
                .toList();
    }

    private static Container container(Raw spec, @Nullable Raw status) {
        Container.Builder container =
                Container.newBuilder().setName(spec.string("name")).setImage(spec.string("image"));
        Raw wanted = spec.get("resources");
        ContainerResources resources = wanted == null ? NONE : Resources.message(wanted);
        if (!resources.equals(NONE)) {
            container.setResources(resources);
        }
        if (status != null) {
            container
                    .setStatusImage(status.string("image"))
                    .setImageId(status.string("imageID"))
                    .setContainerId(status.string("containerID"))
                    .setStartedUnixMs(Fields.millis(status, "state", "running", "startedAt"))
                    .setWaitingReason(status.string("state", "waiting", "reason"));
            Raw given = status.get("resources");
            if (given != null) {
                container.setStatusResources(Resources.message(given));
            }
        }
        return container.build();
    }
}
