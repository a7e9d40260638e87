package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import io.setplan.v1.DrainPolicy;
import io.setplan.v1.DrainProof;
import io.setplan.v1.Snapshot;
import java.util.List;
import java.util.Map;

/**
 * The drain policy: the caller's, or otherwise the one in the set's annotations. It is read here, and never taken from the plan.
 *
 * @param draining there is a drain template
 * @param template the template; null if it cannot be read, and then no drain pod is like it
 * @param onDelete the set is drained before it is deleted
 * @param proves a token is the proof; also for an unknown value, with which nothing is drained
 * @param leftovers claims from before the policy are covered
 */
record Policy(boolean draining, Json template, boolean onDelete, boolean proves, boolean leftovers) {
    // The annotations of a set that may hold a drain template, in the order of precedence.
    private static final List<String> TEMPLATES = List.of(
            "setplan.io/drain-pod-template",
            "statefulsets.kubernetes.io/drainer-pod-template",
            "statefulsets.kubernetes.io/scaledown-pod-template");

    static Policy in(Snapshot snapshot) {
        DrainPolicy typed = snapshot.getPolicy().getDrain();
        Map<String, String> notes = snapshot.getSet().getAnnotationsMap();
        String written = TEMPLATES.stream()
                .map(name -> notes.getOrDefault(name, "").strip())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        ByteString text = typed.hasPodTemplate() ? typed.getPodTemplate() : ByteString.copyFromUtf8(written);
        return new Policy(
                !text.isEmpty(),
                template(text, !typed.hasPodTemplate()),
                typed.hasOnDelete() ? typed.getOnDelete() : isTrue(notes, "setplan.io/drain-on-delete"),
                proves(typed.getProofValue(), notes),
                typed.hasLeftovers() ? typed.getLeftovers() : isTrue(notes, "setplan.io/drain-leftovers"));
    }

    private static boolean proves(int typed, Map<String, String> notes) {
        return typed == DrainProof.DRAIN_PROOF_UNSPECIFIED_VALUE
                ? !notes.getOrDefault("setplan.io/drain-proof", "").isEmpty()
                : typed > DrainProof.DRAIN_PROOF_SUCCESS_VALUE;
    }

    private static boolean isTrue(Map<String, String> notes, String name) {
        return notes.getOrDefault(name, "").equals("true");
    }

    /** Reads JSON, or YAML where that may stand; null if it is neither. */
    static Json template(ByteString text, boolean maybeYaml) {
        try {
            return Json.parse(text, false);
        } catch (IllegalArgumentException e) {
            return maybeYaml ? Yaml.parse(text) : Json.Word.NULL;
        }
    }
}
