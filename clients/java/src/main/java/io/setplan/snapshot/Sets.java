package io.setplan.snapshot;

import com.google.protobuf.ByteString;
import io.setplan.rawjson.Raw;
import io.setplan.v1.ClaimRetention;
import io.setplan.v1.IntOrPercent;
import io.setplan.v1.LabelRequirement;
import io.setplan.v1.LabelSelector;
import io.setplan.v1.RollingUpdate;
import io.setplan.v1.StatefulSet;
import io.setplan.v1.StatefulSetStatus;
import io.setplan.v1.UpdateStrategy;

/** The set: typed where the planner reads a field, text where Kubernetes owns the format. */
final class Sets {
    private static final String BUILT_IN = "apps/v1";

    private Sets() {}

    static StatefulSet message(Raw set) {
        String apiVersion = set.string("apiVersion");
        StatefulSet.Builder message = StatefulSet.newBuilder()
                .setApiVersion(apiVersion)
                .setKind(set.string("kind"))
                .setNamespace(set.string("metadata", "namespace"))
                .setName(Fields.name(set))
                .setUid(Fields.uid(set))
                .setResourceVersion(Fields.version(set))
                .setGeneration(set.int64("metadata", "generation"))
                .setDeletionUnixMs(Fields.millis(set, "metadata", "deletionTimestamp"))
                .putAllAnnotations(set.strings("metadata", "annotations"))
                .setStatus(status(set));
        set.list("metadata", "finalizers").forEach(finalizer -> message.addFinalizers(finalizer.string()));
        Raw spec = set.get("spec");
        if (spec != null) {
            spec(message, spec);
            if (!apiVersion.equals(BUILT_IN)) {
                message.setOwnFields(ByteString.copyFromUtf8(OwnFields.of(spec)));
            }
        }
        return message.build();
    }

    private static void spec(StatefulSet.Builder message, Raw spec) {
        message.setOrdinalsStart(spec.int32("ordinals", "start"))
                .setServiceName(spec.string("serviceName"))
                .setPodManagementPolicy(spec.string("podManagementPolicy"))
                .setMinReadySeconds(spec.int32("minReadySeconds"));
        if (spec.get("replicas") != null) {
            message.setReplicas(spec.int32("replicas"));
        }
        if (spec.get("revisionHistoryLimit") != null) {
            message.setRevisionHistoryLimit(spec.int32("revisionHistoryLimit"));
        }
        Raw selector = spec.get("selector");
        if (selector != null) {
            message.setSelector(selector(selector));
        }
        Raw strategy = spec.get("updateStrategy");
        if (strategy != null && !strategy.members().isEmpty()) {
            message.setUpdateStrategy(strategy(strategy));
        }
        Raw retention = spec.get("persistentVolumeClaimRetentionPolicy");
        if (retention != null) {
            message.setClaimRetention(ClaimRetention.newBuilder()
                    .setWhenDeleted(retention.string("whenDeleted"))
                    .setWhenScaled(retention.string("whenScaled")));
        }
        // A template that is null is text, too.
        Raw template = spec.members().get("template");
        if (template != null) {
            message.setPodTemplate(template.bytes());
        }
        spec.list("volumeClaimTemplates").forEach(claim -> message.addClaimTemplates(claim.bytes()));
    }

    private static LabelSelector selector(Raw of) {
        LabelSelector.Builder selector = LabelSelector.newBuilder().putAllMatchLabels(of.strings("matchLabels"));
        for (Raw expression : of.list("matchExpressions")) {
            LabelRequirement.Builder requirement = LabelRequirement.newBuilder()
                    .setKey(expression.string("key"))
                    .setOperator(expression.string("operator"));
            expression.list("values").forEach(value -> requirement.addValues(value.string()));
            selector.addMatchExpressions(requirement);
        }
        return selector.build();
    }

    /** Keeps a missing rollingUpdate apart from one with partition 0: they mean different things (SPEC.md, nil rollingUpdate). */
    private static UpdateStrategy strategy(Raw of) {
        UpdateStrategy.Builder strategy = UpdateStrategy.newBuilder().setType(of.string("type"));
        Raw rolling = of.get("rollingUpdate");
        if (rolling != null) {
            RollingUpdate.Builder update = RollingUpdate.newBuilder().setPartition(rolling.int32("partition"));
            Raw most = rolling.get("maxUnavailable");
            if (most != null) {
                update.setMaxUnavailable(
                        most.isString()
                                ? IntOrPercent.newBuilder().setPercent(most.string())
                                : IntOrPercent.newBuilder().setCount(most.int32()));
            }
            strategy.setRollingUpdate(update);
        }
        return strategy.build();
    }

    private static StatefulSetStatus status(Raw set) {
        StatefulSetStatus.Builder status = StatefulSetStatus.newBuilder()
                .setObservedGeneration(set.int64("status", "observedGeneration"))
                .setReplicas(set.int32("status", "replicas"))
                .setReadyReplicas(set.int32("status", "readyReplicas"))
                .setAvailableReplicas(set.int32("status", "availableReplicas"))
                .setCurrentReplicas(set.int32("status", "currentReplicas"))
                .setUpdatedReplicas(set.int32("status", "updatedReplicas"))
                .setCurrentRevision(set.string("status", "currentRevision"))
                .setUpdateRevision(set.string("status", "updateRevision"));
        if (set.get("status", "collisionCount") != null) {
            status.setCollisionCount(set.int32("status", "collisionCount"));
        }
        return status.addAllConditions(Fields.conditions(set)).build();
    }
}
