package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.PatchAnnotations;
import io.setplan.v1.Pod;
import java.util.OptionalInt;

/**
 * What is under way in a pod.
 *
 * <p>While its images or resources change in place, an annotation says to which revision, which containers ran before, and
 * which resources they had. The label of the revision follows in an update of its own, which empties the annotation.
 *
 * @param marked the annotation is there
 * @param record what it says; null where nobody can read it, empty where the template has it: then it says nothing of this pod
 */
record UnderWay(boolean marked, Json record) {
    static final String NOTHING = "{}";

    static UnderWay of(SetView view, Pod pod) {
        String text = view.notes(pod.getAnnotationSetIndex()).get(Names.UPDATE);
        if (text == null) {
            return new UnderWay(false, Json.Word.NULL);
        }
        Json template = view.stored(view.revisionName(pod)).orElse(Json.Word.NULL);
        boolean isOfEveryPod =
                template.get("metadata", "annotations", Names.UPDATE).is(text);
        return new UnderWay(true, isOfEveryPod ? Json.object() : read(text));
    }

    /** The annotation is there, and nobody can read it. */
    boolean isBroken() {
        boolean isNothing = record instanceof Json.Members && record.members().isEmpty();
        return marked && revision().isEmpty() && !isNothing;
    }

    /** The revision; empty: nothing is under way. */
    String revision() {
        return record.get("revision").string();
    }

    /** Returns the revision whose template a pod has: the one that it is on its way to, or else the label's. */
    static String runs(SetView view, Pod pod) {
        String revision = of(view, pod).revision();
        return revision.isEmpty() ? view.revisionName(pod) : revision;
    }

    /** Refuses updates in place but of pods in the range of a set that asks for it. */
    static String inPlace(Subject s) {
        OptionalInt ordinal = s.ordinal();
        if (!s.view.updatesInPlace()) {
            return "the set does not ask that pods are updated in place";
        }
        boolean mayBe =
                ordinal.isPresent() && !s.view.deleting() && s.view.range().has(ordinal.getAsInt());
        return mayBe ? "" : "no ordinal of the range has this pod";
    }

    /** Reports whether the action marks a pod for updates of its images. */
    static boolean marksPod(Subject s) {
        return s.is(OperationCase.PATCH_ANNOTATIONS)
                && s.kind.equals(Names.POD)
                && s.patch().containsSet(Names.UPDATE);
    }

    /** Lets a pod be marked once, before its images change for the first time: then the snapshot shows what runs in it. */
    static String mark(Subject s) {
        PatchAnnotations patch = s.patch();
        boolean nothing = patch.getSetOrDefault(Names.UPDATE, "").equals(NOTHING);
        if (!nothing || patch.getSetCount() + patch.getRemoveCount() > 1) {
            return "a pod is marked for updates in place, and says more than that";
        }
        return of(s.view, s.pod()).marked ? "the pod is marked for updates in place already" : inPlace(s);
    }

    /** Reads a record; null where nobody can. */
    static Json read(String text) {
        try {
            return Json.parse(ByteString.copyFromUtf8(text), true);
        } catch (IllegalArgumentException e) {
            return Json.Word.NULL;
        }
    }
}
