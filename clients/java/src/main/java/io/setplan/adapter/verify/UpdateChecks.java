package io.setplan.adapter.verify;

import io.setplan.adapter.verify.Updating.Step;
import io.setplan.v1.UpdatePod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The check of updates in place: a pod that is said to be at a revision runs what that revision says, and has what it asks for. */
final class UpdateChecks {
    private static final Set<String> IDENTITY =
            Set.of(Names.LABEL_POD_NAME, Names.LABEL_POD_INDEX, Names.LABEL_REVISION);

    private UpdateChecks() {}

    /**
     * Lets a pod go to another revision only if the templates differ in what may change, and get these labels and annotations.
     * The images and the resources are other checks' business.
     */
    static String podUpdate(Subject s) {
        SetView view = s.view;
        Updating does = Updating.of(s);
        String name = does.to();
        String was = UnderWay.runs(view, s.pod());
        boolean made = view.made.contains(name);
        // At the revision whose template the pod has.
        boolean stays = does.step() == Step.NOTES || does.step() == Step.FINISHES;
        String why = UnderWay.inPlace(s);
        if (!why.isEmpty()) {
            return why;
        }
        if (name.isEmpty() || (!stays && !made && !view.revisions.containsKey(name))) {
            return "the revision %s is neither in the snapshot nor made by the plan".formatted(Json.quote(name));
        }
        if (stays) {
            return metadata(s, does, Json.Word.NULL, Json.Word.NULL);
        }
        if (!view.revisions.containsKey(was)) {
            return "the snapshot does not have the pod's revision";
        }
        Json old = view.stored(was).orElse(Json.Word.NULL);
        Json next = view.templateOf(name);
        if (old.isNothing() || next.isNothing()) {
            return "a template cannot be read";
        }
        Resources rest = Resources.apartFrom(old, next);
        old = rest.old();
        next = rest.next();
        if (does.step() == Step.STARTS) {
            Templates templates = Templates.apartFromImages(old, next);
            old = templates.old();
            next = templates.next();
        } else if (!rest.changed().isEmpty()) {
            return "the templates differ in resources";
        }
        Json before = old.get("metadata");
        Json after = next.get("metadata");
        if (!isSameBut(old, next, Set.of("metadata")) || !isSameBut(before, after, Set.of("labels", "annotations"))) {
            return "the templates differ in more than may change";
        }
        if (view.claimNames.stream().anyMatch(template -> view.has(was, template) != view.has(name, template))) {
            return "the revisions have other claim templates";
        }
        return metadata(s, does, before, after);
    }

    /**
     * Compares what the pod gets with the labels and annotations in which two templates differ. The label of the revision is no
     * part of a start: it follows when the images run.
     */
    private static String metadata(Subject s, Updating does, Json before, Json after) {
        UpdatePod update = s.action.getUpdatePod();
        Map<String, String> labels = new HashMap<>(update.getLabelsMap());
        Map<String, String> notes = new HashMap<>(update.getAnnotationsMap());
        notes.remove(Names.UPDATE);
        if (does.step() == Step.RELABELS || does.step() == Step.FINISHES) {
            labels.remove(Names.LABEL_REVISION);
        }
        String why = change("label", before.get("labels"), after.get("labels"), labels, update.getRemoveLabelsList());
        return why.isEmpty()
                ? change(
                        "annotation",
                        before.get("annotations"),
                        after.get("annotations"),
                        notes,
                        update.getRemoveAnnotationsList())
                : why;
    }

    /** Compares what is set and removed with how two maps of texts differ. */
    private static String change(String what, Json old, Json next, Map<String, String> set, List<String> removed) {
        Map<String, String> wanted = new HashMap<>();
        Set<String> gone = new HashSet<>(old.members().keySet());
        gone.removeAll(IDENTITY);
        next.members().forEach((key, value) -> {
            if (!(value instanceof Json.Text text)) {
                return;
            }
            gone.remove(key);
            if (!IDENTITY.contains(key) && !value.equals(old.members().get(key))) {
                wanted.put(key, text.value());
            }
        });
        for (Map.Entry<String, String> entry : set.entrySet()) {
            if (!entry.getValue().equals(wanted.get(entry.getKey())) || isOurs(entry.getKey())) {
                return differsNot(what, entry.getKey());
            }
        }
        for (String key : removed) {
            if (!gone.contains(key) || isOurs(key)) {
                return differsNot(what, key);
            }
        }
        return set.size() == wanted.size() && gone.equals(new HashSet<>(removed))
                ? ""
                : "a %s in which the templates differ is left out".formatted(what);
    }

    private static String differsNot(String what, String key) {
        return "the %s %s is not what the templates differ in".formatted(what, Json.quote(key));
    }

    private static boolean isOurs(String key) {
        return key.startsWith("setplan.io/");
    }

    /** Compares two templates, or parts, but for some keys. Nulls and empty objects are as good as nothing: older API servers wrote them. */
    private static boolean isSameBut(Json a, Json b, Set<String> but) {
        Set<String> keys = new HashSet<>(a.members().keySet());
        keys.addAll(b.members().keySet());
        return keys.stream().allMatch(key -> but.contains(key) || isSame(a.get(key), b.get(key)));
    }

    private static boolean isSame(Json a, Json b) {
        if (a.isNothing() || b.isNothing()) {
            return a.isNothing() && b.isNothing();
        }
        if (a instanceof Json.Members && b instanceof Json.Members) {
            return isSameBut(a, b, Set.of());
        }
        if (!(a instanceof Json.Items one) || !(b instanceof Json.Items other)) {
            return a.equals(b);
        }
        if (one.list().size() != other.list().size()) {
            return false;
        }
        for (int i = 0; i < one.list().size(); i++) {
            if (!isSame(one.list().get(i), other.list().get(i))) {
                return false;
            }
        }
        return true;
    }
}
