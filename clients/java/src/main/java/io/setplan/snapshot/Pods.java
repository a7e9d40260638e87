package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import io.setplan.v1.ClaimBinding;
import io.setplan.v1.Pod;
import io.setplan.v1.PodPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pods: what a decision needs of them, and not the whole spec. */
final class Pods {
    private static final Map<String, PodPhase> PHASES = Map.of(
            "Pending", PodPhase.POD_PHASE_PENDING,
            "Running", PodPhase.POD_PHASE_RUNNING,
            "Succeeded", PodPhase.POD_PHASE_SUCCEEDED,
            "Failed", PodPhase.POD_PHASE_FAILED,
            "Unknown", PodPhase.POD_PHASE_UNKNOWN);
    private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX = "apps.kubernetes.io/pod-index";
    private static final String REVISION = "controller-revision-hash";
    private static final Pattern DIGITS = Pattern.compile("-([0-9]+)$");

    private static final String TOKEN = "SETPLAN_DRAIN_TOKEN";
    private static final int MAX_TERMINATION_MESSAGE = 4096; // bytes: all that a kubelet keeps

    private Pods() {}

    static Pod message(Tables tables, Raw pod) {
        Pod.Builder message = Pod.newBuilder()
                .setName(Fields.name(pod))
                .setUid(Fields.uid(pod))
                .setResourceVersion(Fields.version(pod))
                .setDeletionUnixMs(Fields.millis(pod, "metadata", "deletionTimestamp"))
                .setCreatedUnixMs(Fields.millis(pod, "metadata", "creationTimestamp"))
                .setPhase(PHASES.getOrDefault(pod.string("status", "phase"), PodPhase.POD_PHASE_UNSPECIFIED))
                .setDisrupted(isTrue(condition(pod, "DisruptionTarget")))
                .setOwnerSetIndex(tables.owners(Fields.owners(pod)))
                .setAnnotationSetIndex(tables.annotations(pod.strings("metadata", "annotations")))
                .addAllTerminationMessages(terminationMessages(pod));
        readiness(message, pod);
        labels(message, tables, pod.strings("metadata", "labels"));
        claims(message, tables, pod);
        Containers.tell(message, pod);
        return message.build();
    }

    private static void readiness(Pod.Builder message, Raw pod) {
        Raw ready = condition(pod, "Ready");
        message.setReady(isTrue(ready));
        if (ready != null) {
            message.setReadyChangedUnixMs(Fields.millis(ready, "lastTransitionTime"));
        }
        if (!message.getReady()) {
            message.setStartedUnixMs(Fields.millis(pod, "status", "startTime"));
        }
    }

    private static @Nullable Raw condition(Raw pod, String type) {
        Raw found = null;
        for (Raw condition : pod.list("status", "conditions")) {
            if (condition.string("type").equals(type)) {
                found = condition;
            }
        }
        return found;
    }

    private static boolean isTrue(@Nullable Raw condition) {
        return condition != null && condition.string("status").equals("True");
    }

    /** Takes an identity label out of the label set if its field says the same. */
    private static void labels(Pod.Builder message, Tables tables, Map<String, String> labels) {
        String name = message.getName();
        Matcher digits = DIGITS.matcher(name);
        Map<String, String> rest = new HashMap<>(labels);
        String revision = rest.remove(REVISION);
        message.setPodNameLabel(rest.remove(POD_NAME, name));
        message.setPodIndexLabel(digits.find() && rest.remove(POD_INDEX, digits.group(1)));
        message.setLabelSetIndex(tables.labels(rest));
        message.setRevisionNameIndex(revision == null ? 0 : tables.revisionName(revision));
    }

    /** Splits the bound volumes into those with the claim name that a set would choose, and the others. */
    private static void claims(Pod.Builder message, Tables tables, Raw pod) {
        List<String> own = new ArrayList<>();
        for (Raw bound : pod.list("spec", "volumes")) {
            if (bound.get("persistentVolumeClaim") == null) {
                continue;
            }
            String volume = bound.string("name");
            String claim = bound.string("persistentVolumeClaim", "claimName");
            if (claim.equals(volume + "-" + message.getName())) {
                own.add(volume);
            } else {
                message.addOtherClaims(
                        ClaimBinding.newBuilder().setVolume(volume).setClaim(claim));
            }
        }
        message.setVolumeSetIndex(tables.volumes(own));
    }

    /** Lists the messages of the containers that were given a token. */
    private static List<String> terminationMessages(Raw pod) {
        List<String> messages = new ArrayList<>();
        for (Raw container : pod.list("spec", "containers")) {
            if (container.list("env").stream()
                    .noneMatch(variable -> variable.string("name").equals(TOKEN))) {
                continue;
            }
            String name = container.string("name");
            messages.add(pod.list("status", "containerStatuses").stream()
                    .filter(status -> status.string("name").equals(name))
                    .findFirst()
                    .map(status -> Fields.cut(status.string("state", "terminated", "message"), MAX_TERMINATION_MESSAGE))
                    .orElse(""));
        }
        return messages;
    }
}
