package io.setplan.adapter.verify;

import io.setplan.v1.UpdatePod;

/**
 * What an UpdatePod does.
 *
 * @param step which step of an update in place it is
 * @param to the revision
 * @param record of a start and a note: what is under way
 */
record Updating(Step step, String to, Json record) {
    /** A step of an update in place. */
    enum Step {
        /** Labels and annotations alone change. */
        RELABELS,
        /** Images change, or resources are to. */
        STARTS,
        /** What the pod runs is noted anew while they change. */
        NOTES,
        /** They have changed, and the label follows. */
        FINISHES
    }

    static Updating of(Subject s) {
        UpdatePod update = s.action.getUpdatePod();
        if (!update.containsAnnotations(Names.UPDATE)) {
            return new Updating(Step.RELABELS, update.getLabelsOrDefault(Names.LABEL_REVISION, ""), Json.Word.NULL);
        }
        String text = update.getAnnotationsOrThrow(Names.UPDATE);
        String revision = UnderWay.of(s.view, s.pod()).revision();
        if (text.equals(UnderWay.NOTHING)) {
            return new Updating(Step.FINISHES, revision, Json.Word.NULL);
        }
        Json record = UnderWay.read(text);
        String to = record.get("revision").string();
        boolean isNote = !to.isEmpty() && to.equals(revision);
        return new Updating(isNote ? Step.NOTES : Step.STARTS, to, record);
    }
}
