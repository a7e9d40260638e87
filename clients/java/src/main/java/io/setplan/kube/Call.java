package io.setplan.kube;

import com.google.protobuf.ByteString;
import io.setplan.adapter.Key;
import io.setplan.adapter.Operations;
import io.setplan.adapter.Result;
import io.setplan.adapter.Write;
import io.setplan.rawjson.Raw;
import io.setplan.v1.Action;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.PatchPod;
import io.setplan.v1.Precondition;
import io.setplan.v1.SetFinalizer;
import io.setplan.v1.StatefulSetStatus;
import io.setplan.v1.UpdatePod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One action under way. */
final class Call {
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private final Api api;
    private final BiFunction<Key, String, Optional<List<Raw>>> stored;
    private final Key key;
    private final Action action;
    private final Resource resource;
    private final String name;
    private final Duration limit;
    private final long end;

    Call(Api api, BiFunction<Key, String, Optional<List<Raw>>> stored, Key key, Action action, Duration limit) {
        this.api = api;
        this.stored = stored;
        this.key = key;
        this.action = action;
        this.name = action.getTarget().getName();
        String kind = action.getTarget().getKind();
        this.resource = Stream.of(Resource.PODS, Resource.CLAIMS, Resource.REVISIONS, Resource.SETS)
                .filter(one -> one.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("this adapter does not write to the kind " + kind));
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    Result run() {
        return switch (action.getOperationCase()) {
            case CREATE_POD -> create(action.getCreatePod().getManifest());
            case CREATE_CLAIM -> create(action.getCreateClaim().getManifest());
            case CREATE_REVISION -> create(action.getCreateRevision().getManifest());
            case DELETE_POD, DELETE_CLAIM, DELETE_REVISION -> delete();
            case EVICT_POD -> evict();
            case PATCH_POD -> patchPod(action.getPatchPod());
            case UPDATE_POD -> updatePod(action.getUpdatePod());
            // A pod itself takes no such change. API servers before 1.33 do not have the subresource.
            case RESIZE_POD -> patch(STRATEGIC, Parts.resizePatch(identity(), action.getResizePod()), "resize");
            // A strategic merge patch tells owners apart by uid, and keeps the others.
            case ADOPT_POD ->
                patch(
                        STRATEGIC,
                        metadata(
                                "ownerReferences",
                                Parts.owners(List.of(action.getAdoptPod().getOwner()))));
            case ADOPT_REVISION ->
                patch(
                        STRATEGIC,
                        metadata(
                                "ownerReferences",
                                Parts.owners(List.of(action.getAdoptRevision().getOwner()))));
            case RELEASE_POD -> release();
            case SET_CLAIM_OWNERS ->
                patch(
                        MERGE,
                        metadata(
                                "ownerReferences",
                                Parts.owners(action.getSetClaimOwners().getOwnersList())));
            case PATCH_CLAIM -> patch(MERGE, Parts.claimPatch(identity(), action.getPatchClaim()));
            case RENUMBER_REVISION ->
                patch(
                        MERGE,
                        Map.of(
                                "metadata",
                                identity(),
                                "revision",
                                action.getRenumberRevision().getNumber()));
            case PATCH_ANNOTATIONS ->
                patch(
                        MERGE,
                        metadata(
                                "annotations",
                                Parts.merging(
                                        action.getPatchAnnotations().getSetMap(),
                                        action.getPatchAnnotations().getRemoveList())));
            case UPDATE_STATUS -> status(action.getUpdateStatus().getStatus());
            case SET_FINALIZER -> finalizer(action.getSetFinalizer());
            case OPERATION_NOT_SET ->
                throw new IllegalArgumentException(
                        "this adapter does not know the operation " + Operations.nameOf(action));
        };
    }

    private Result create(ByteString manifest) {
        try {
            return written(api.send("POST", resource.path(key.namespace()), Api.JSON, manifest.toByteArray(), left()));
        } catch (ApiException e) {
            if (!e.reason().equals("AlreadyExists") || resource.equals(Resource.CLAIMS)) {
                throw e;
            }
            // An earlier answer may have been lost (A9).
            Raw live = api.get(path(), left());
            if (!Parts.isOurs(resource, Raw.parse(manifest.toByteArray()), live)) {
                throw e;
            }
            return written(live);
        }
    }

    private Result delete() {
        Map<String, Object> preconditions = identity();
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("apiVersion", "v1");
        options.put("kind", "DeleteOptions");
        options.put("preconditions", preconditions);
        return takeAway("DELETE", path(), options);
    }

    /** Deletes a pod if its disruption budget allows it. It is asked once: the planner says when to ask again. */
    private Result evict() {
        Map<String, Object> eviction = new LinkedHashMap<>();
        eviction.put("apiVersion", "policy/v1");
        eviction.put("kind", "Eviction");
        eviction.put("metadata", Map.of("name", name));
        eviction.put("deleteOptions", Map.of("preconditions", identity()));
        return takeAway("POST", resource.path(key.namespace(), name, "eviction"), eviction);
    }

    private Result takeAway(String method, String path, Map<String, Object> body) {
        try {
            api.send(method, path, Api.JSON, Body.encode(body), left());
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        return Result.done(
                new Write(resource.kind(), name, action.getPrecondition().getUid(), "", true));
    }

    private Result patchPod(PatchPod body) {
        Map<String, Object> patch = new LinkedHashMap<>();
        Map<String, Object> metadata = identity();
        if (body.getLabelsCount() > 0) {
            metadata.put("labels", body.getLabelsMap());
        }
        patch.put("metadata", metadata);
        if (body.getClaimsCount() > 0) {
            patch.put("spec", Map.of("volumes", Parts.volumes(body.getClaimsList())));
        }
        return patch(STRATEGIC, patch);
    }

    /** Only a strategic merge patch finds containers by their names; a null in a map removes a key in both. */
    private Result updatePod(UpdatePod body) {
        boolean images = body.getContainersCount() + body.getInitContainersCount() > 0;
        return patch(images ? STRATEGIC : MERGE, Parts.updatePatch(identity(), body));
    }

    /** Changes exactly the object that the planner saw. If it is gone, that is a conflict; that the API server lacks the path is none. */
    private Result patch(String contentType, Map<String, ?> patch, String... subresource) {
        List<String> names = new ArrayList<>(List.of(name));
        names.addAll(List.of(subresource));
        String path = resource.path(key.namespace(), names.toArray(String[]::new));
        try {
            return written(api.send("PATCH", path, contentType, Body.encode(patch), left()));
        } catch (ApiException e) {
            if (e.isNotFound() && !e.hasNoSuchPath()) {
                return Result.failed(e, OutcomeResult.OUTCOME_RESULT_CONFLICT);
            }
            throw e;
        }
    }

    /** Removes an owner. If the pod is gone, was replaced, or has no such owner, there is nothing to do. */
    private Result release() {
        Map<String, String> owner = new LinkedHashMap<>();
        owner.put("$patch", "delete");
        owner.put("uid", action.getReleasePod().getOwnerUid());
        try {
            Result result = patch(STRATEGIC, metadata("ownerReferences", List.of(owner)));
            boolean gone = result.error() instanceof ApiException refused && refused.isNotFound();
            return gone ? Result.nothing() : result;
        } catch (ApiException e) {
            if (e.status() == ApiException.INVALID) {
                return Result.nothing();
            }
            throw e;
        }
    }

    /** Writes the fields that are set, zeros included, and leaves the rest of the status alone (A13). */
    private Result status(StatefulSetStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        status.getAllFields().forEach((field, value) -> {
            if (!field.isRepeated()) {
                fields.put(field.getJsonName(), value);
            }
        });
        if (status.getConditionsCount() > 0) {
            String version = action.getPrecondition().getResourceVersion();
            Optional<List<Raw>> conditions = stored.apply(key, version);
            if (conditions.isEmpty()) {
                return conflict(key + " has changed since the plan was made");
            }
            fields.put("conditions", Parts.conditions(conditions.get(), status.getConditionsList()));
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("the plan updates the status with nothing");
        }
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", identity());
        patch.put("status", fields);
        return patch(MERGE, patch, "status");
    }

    /** Changes one finalizer: reads the list, and writes it back at the version that was read (A19). */
    private Result finalizer(SetFinalizer body) {
        Raw live;
        try {
            live = api.get(path(), left());
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return body.getPresent() ? Result.failed(e, OutcomeResult.OUTCOME_RESULT_CONFLICT) : Result.nothing();
        }
        String uid = live.string("metadata", "uid");
        String wanted = action.getPrecondition().getUid();
        if (!uid.equals(wanted)) {
            return conflict("the set has uid %s, the action is for %s".formatted(uid, wanted));
        }
        List<String> finalizers = new ArrayList<>(
                live.list("metadata", "finalizers").stream().map(Raw::string).toList());
        if (finalizers.contains(body.getFinalizer()) == body.getPresent()) {
            return written(live);
        }
        if (body.getPresent()) {
            finalizers.add(body.getFinalizer());
        } else {
            finalizers.removeIf(body.getFinalizer()::equals);
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("resourceVersion", live.string("metadata", "resourceVersion"));
        metadata.put("finalizers", finalizers);
        return patch(MERGE, Map.of("metadata", metadata));
    }

    /**
     * Returns the metadata by which the API server checks the precondition.
     *
     * <p>It refuses another uid as the change of an immutable field, and another resource version as a conflict.
     */
    private Map<String, Object> identity() {
        Precondition precondition = action.getPrecondition();
        if (precondition.getUid().isEmpty()) {
            throw new IllegalArgumentException("the action names no uid");
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", precondition.getUid());
        if (!precondition.getResourceVersion().isEmpty()) {
            metadata.put("resourceVersion", precondition.getResourceVersion());
        }
        return metadata;
    }

    private Map<String, ?> metadata(String field, @Nullable Object value) {
        Map<String, Object> metadata = identity();
        if (value != null) {
            metadata.put(field, value);
        }
        return Map.of("metadata", metadata);
    }

    private String path() {
        return resource.path(key.namespace(), name);
    }

    /** What is left of the time for this action. */
    private Duration left() {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (left.toMillis() <= 0) {
            throw new IllegalStateException("the action took longer than " + limit);
        }
        return left;
    }

    private Result written(Raw thing) {
        return Result.done(new Write(
                resource.kind(),
                thing.string("metadata", "name"),
                thing.string("metadata", "uid"),
                thing.string("metadata", "resourceVersion"),
                false));
    }

    private static Result conflict(String why) {
        return Result.failed(new IllegalStateException(why), OutcomeResult.OUTCOME_RESULT_CONFLICT);
    }
}
