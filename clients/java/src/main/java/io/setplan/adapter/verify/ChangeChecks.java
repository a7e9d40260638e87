package io.setplan.adapter.verify;

import io.setplan.v1.PatchClaim;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** The check of a change of what a claim asks for. */
final class ChangeChecks {
    // What a change leaves on a claim has these forms, so that a planner can fill no annotation with anything else.
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-z]{1,13}");

    private ChangeChecks() {}

    /** Lets a claim ask for what its template asks for, if the set lets its claims follow. */
    static String claimChange(Subject s) {
        OptionalInt ordinal = s.ordinal();
        if (!s.view.claimsFollow()) {
            return "the set does not ask that claims follow their templates";
        }
        if (ordinal.isEmpty() || s.view.deleting() || !s.view.range().has(ordinal.getAsInt())) {
            return "no ordinal of the range has this claim";
        }
        if (s.claim().getDeletionUnixMs() != 0) {
            return "the claim is being deleted";
        }
        if (s.ownersNow().stream()
                .anyMatch(owner -> owner.getController() && !owner.getUid().equals(s.set.getUid()))) {
            return "another object controls the claim";
        }
        String why = "no claim template has this name";
        for (int i = 0; i < s.view.claimTemplates.size(); i++) {
            String name = s.view.claimNames.get(i);
            boolean known = !s.view.isAdded(name) || s.view.additions.containsKey(name);
            if (!known || Names.ordinalIn(s.name, name + "-" + s.set.getName()).isEmpty()) {
                continue;
            }
            why = differs(s, name, s.view.patched(i));
            if (why.isEmpty()) {
                return "";
            }
        }
        return why;
    }

    private static String differs(Subject s, String name, Json template) {
        PatchClaim change = s.action.getPatchClaim();
        if (s.view.snapshot.getClaimNeighboursList().stream()
                .anyMatch(one -> one.getClaimTemplate().equals(name))) {
            return "another set uses the same claim name";
        }
        String wanted = requestOf(template);
        if (!change.getRequest().isEmpty() && !change.getRequest().equals(wanted)) {
            return "the request is not what the claim template asks for";
        }
        String offered = template.get("spec", "volumeAttributesClassName").string();
        if (!change.getAttributesClass().isEmpty()
                && !change.getAttributesClass().equals(offered)) {
            return "the class is not what the claim template asks for";
        }
        Json metadata = template.get("metadata");
        for (Map.Entry<String, String> label : change.getLabelsMap().entrySet()) {
            if (s.set.getSelector().containsMatchLabels(label.getKey())) {
                return "the label %s is the selector's".formatted(Json.quote(label.getKey()));
            }
            if (!says(metadata, "labels", label)) {
                return "the label %s is not what the claim template says".formatted(Json.quote(label.getKey()));
            }
        }
        for (Map.Entry<String, String> note : change.getAnnotationsMap().entrySet()) {
            if (!isOurs(note, wanted)
                    && (note.getKey().startsWith("setplan.io/") || !says(metadata, "annotations", note))) {
                return "the annotation %s is not what the claim template says".formatted(Json.quote(note.getKey()));
            }
        }
        return "";
    }

    private static boolean says(Json metadata, String list, Map.Entry<String, String> entry) {
        return metadata.get(list, entry.getKey()).equals(new Json.Text(entry.getValue()));
    }

    private static boolean isOurs(Map.Entry<String, String> note, String wanted) {
        return switch (note.getKey()) {
            case Names.CLAIM_CHANGED -> TIME.matcher(note.getValue()).matches();
            case Names.CLAIM_METADATA -> DIGEST.matcher(note.getValue()).matches();
            case Names.CLAIM_REQUEST -> !wanted.isEmpty() && note.getValue().equals(wanted);
            default -> false;
        };
    }

    /** Returns how much storage a template asks for, as it is written there. */
    static String requestOf(Json template) {
        Json wanted = template.get("spec", "resources", "requests", "storage");
        return wanted instanceof Json.Numeral number ? number.text() : wanted.string();
    }
}
