package io.setplan.adapter.verify;

import io.setplan.v1.Action.OperationCase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The checks of the manifests of creates. */
final class ManifestChecks {
    private static final Set<String> TYPE = Set.of("apiVersion", "kind", "metadata");
    private static final Set<String> METADATA =
            Set.of("name", "namespace", "generateName", "labels", "annotations", "finalizers", "ownerReferences");
    private static final Set<String> CLAIM_METADATA =
            Set.of("name", "namespace", "labels", "annotations", "creationTimestamp");
    private static final int REVISION_BASE = 223;

    // Stands for a text that other checks cover. It is no text of JSON.
    private static final String ANYTHING = "\0";

    private ManifestChecks() {}

    static String readable(Subject s) {
        return s.unreadable();
    }

    static String object(Subject s) {
        String version = s.is(OperationCase.CREATE_REVISION) ? "apps/v1" : "v1";
        Json metadata = s.manifest().get("metadata");
        if (!s.manifest().get("apiVersion").is(version)
                || !s.manifest().get("kind").is(s.kind)) {
            return "the manifest's kind is not the target's";
        }
        if (!metadata.get("name").is(s.name)) {
            return "the manifest's name is not the target's";
        }
        if (!metadata.get("namespace").is(s.set.getNamespace())) {
            return "the manifest's namespace is not the set's";
        }
        if (s.is(OperationCase.CREATE_CLAIM)) {
            return ""; // the rest is the claim template's
        }
        Set<String> fields = s.is(OperationCase.CREATE_POD) ? Set.of("spec") : Set.of("data", "revision");
        return s.manifest().members().keySet().stream()
                .filter(key -> !TYPE.contains(key) && !fields.contains(key))
                .findFirst()
                .map(key -> "the manifest has the field " + Json.quote(key))
                .orElse("");
    }

    /** Allows, beside labels, annotations and owners, which have their own checks, only the template's finalizers. */
    static String metadata(Subject s) {
        Json metadata = s.manifest().get("metadata");
        for (String key : metadata.members().keySet()) {
            if (!METADATA.contains(key)) {
                return "the metadata has the field " + Json.quote(key);
            }
        }
        Json generated = metadata.get("generateName");
        if (!generated.isNull() && !generated.is(s.set.getName()) && !generated.is(s.set.getName() + "-")) {
            return "generateName is not made of the set's name";
        }
        Json finalizers = s.is(OperationCase.CREATE_POD) ? s.template().get("metadata", "finalizers") : Json.Word.NULL;
        return metadata.get("finalizers").equals(finalizers) ? "" : "the finalizers are not the template's";
    }

    /** Asks for the set as the controller. It only owns a drain pod, and not even that while it is drained for its deletion. */
    static String owner(Subject s) {
        Json owners = s.manifest().get("metadata", "ownerReferences");
        if (s.isDrain() && s.view.emptying() && owners.isNull()) {
            return "";
        }
        if (owners.items().size() != 1) {
            return "the manifest must have exactly one owner";
        }
        Json owner = owners.items().get(0);
        Map<String, Json> wanted = new LinkedHashMap<>(Json.object(
                        "apiVersion", s.set.getApiVersion(),
                        "kind", s.set.getKind(),
                        "name", s.set.getName(),
                        "uid", s.set.getUid())
                .map());
        if (!s.isDrain()) {
            wanted.put("controller", Json.Word.TRUE);
            if (owner.members().containsKey("blockOwnerDeletion")) {
                wanted.put("blockOwnerDeletion", Json.Word.TRUE);
            }
        }
        return owner.equals(new Json.Members(wanted)) ? "" : "the owner is not this set, as what is made needs it";
    }

    static String labels(Subject s) {
        Json labels = s.manifest().get("metadata", "labels");
        Json template = s.template().get("metadata", "labels");
        if (s.is(OperationCase.CREATE_REVISION)) {
            return added("label", labels, template, Map.of(Names.LABEL_HASH, ANYTHING));
        }
        if (s.isDrain()) {
            return drainLabels(s, labels, template);
        }
        Map<String, String> more = new LinkedHashMap<>(identity(s));
        more.put(Names.LABEL_REVISION, ANYTHING);
        return added("label", labels, template, more);
    }

    private static Map<String, String> identity(Subject s) {
        return Map.of(Names.LABEL_POD_NAME, s.name, Names.LABEL_POD_INDEX, Names.trailingDigits(s.name));
    }

    /** Keeps a drain pod from being taken for a replica: it lacks the labels of the ordinal if the selector would match by them. */
    private static String drainLabels(Subject s, Json labels, Json template) {
        Map<String, String> texts = new HashMap<>();
        labels.members().forEach((key, value) -> {
            if (value instanceof Json.Text text) {
                texts.put(key, text.value());
            }
        });
        if (SetView.selects(s.set.getSelector(), texts)) {
            return "the selector matches its labels, so it would be taken for a replica";
        }
        boolean plain = labels.differing(template, Set.of(Names.LABEL_REVISION)).isEmpty()
                && labels.get(Names.LABEL_REVISION).isNull();
        return plain ? "" : added("label", labels, template, identity(s));
    }

    static String annotations(Subject s) {
        Json annotations = s.manifest().get("metadata", "annotations");
        if (s.is(OperationCase.CREATE_REVISION)) {
            String key = annotations.differing(Json.object(s.set.getAnnotationsMap()), Set.of());
            return key.isEmpty() ? "" : "the annotation %s is not the set's".formatted(key);
        }
        Map<String, String> more =
                s.isDrain() ? Map.of(Names.DRAIN_SET, s.view.mark(), Names.DRAIN_CLAIMS, ANYTHING) : Map.of();
        return added("annotation", annotations, s.template().get("metadata", "annotations"), more);
    }

    /** Compares a map of strings with the template's and some more. */
    private static String added(String what, Json got, Json template, Map<String, String> more) {
        for (Map.Entry<String, String> wanted : more.entrySet()) {
            Json found = got.get(wanted.getKey());
            boolean anything = wanted.getValue().equals(ANYTHING) && found instanceof Json.Text;
            if (!anything && !found.is(wanted.getValue())) {
                return "the %s %s is missing or wrong".formatted(what, wanted.getKey());
            }
        }
        String key = got.differing(template, more.keySet());
        return key.isEmpty() ? "" : "the %s %s is not what the template says".formatted(what, key);
    }

    /** Compares a claim with its template; with odd names more than one may fit. */
    static String claim(Subject s) {
        String why = "no claim template has this name";
        for (int i = 0; i < s.view.claimTemplates.size(); i++) {
            String base = s.view.claimNames.get(i) + "-" + s.set.getName();
            if (Names.ordinalIn(s.name, base).isEmpty()) {
                continue;
            }
            why = claimDiffers(s, s.view.claimTemplates.get(i));
            if (why.isEmpty() || claimDiffers(s, s.view.patched(i)).isEmpty()) {
                return "";
            }
        }
        return why;
    }

    private static String claimDiffers(Subject s, Json template) {
        Json metadata = s.manifest().get("metadata");
        Json of = template.get("metadata");
        String key = s.manifest().differing(template, TYPE);
        if (!key.isEmpty()) {
            return key + " is not what the claim template says";
        }
        key = metadata.differing(of, CLAIM_METADATA);
        if (!key.isEmpty()) {
            return "metadata " + key + " is not what the claim template says";
        }
        String why = added(
                "label",
                metadata.get("labels"),
                of.get("labels"),
                s.set.getSelector().getMatchLabelsMap());
        if (!why.isEmpty()) {
            return why;
        }
        Json annotations = metadata.get("annotations");
        Map<String, String> more = new LinkedHashMap<>();
        if (s.view.draining() && !annotations.get(Names.DRAIN_SET).isNull()) {
            more.put(Names.DRAIN_SET, s.view.mark());
        }
        if (!annotations.get(Names.CLAIM_REQUEST).isNull()) {
            more.put(Names.CLAIM_REQUEST, ChangeChecks.requestOf(template));
        }
        if (!annotations.get(Names.CLAIM_METADATA).isNull()) {
            more.put(Names.CLAIM_METADATA, ANYTHING);
        }
        return added("annotation", annotations, of.get("annotations"), more);
    }

    static String revisionName(Subject s) {
        String name = s.set.getName();
        String prefix = name.substring(0, Math.min(name.length(), REVISION_BASE)) + "-";
        boolean right = s.name.startsWith(prefix) && s.name.length() > prefix.length();
        return right ? "" : "the name is not made of the set's";
    }

    /** Asks what data says of claim templates: only which ones the set removes, and which ones it adds. */
    private static String said(Subject s, Json said) {
        if (!(said instanceof Json.Members)) {
            return "the data does not have claim templates by name";
        }
        for (Map.Entry<String, Json> one : said.members().entrySet()) {
            boolean removes = one.getValue().isNull();
            if (removes && !s.view.mayRemove(one.getKey())) {
                return "the data has a claim template that the set does not remove";
            }
            if (!removes && s.is(OperationCase.CREATE_REVISION) && !s.view.mayAdd(one.getKey(), one.getValue())) {
                return "the data has a claim template that the set does not add";
            }
        }
        return "";
    }

    /** Asks for the set's own template, in the form of a patch that replaces it, and for claim templates that the set removes. */
    static String revisionData(Subject s) {
        Json data = s.is(OperationCase.CREATE_REVISION) ? s.manifest().get("data") : stored(s);
        Json template = data.get("spec", "template");
        boolean replaces = data.differing(Json.Word.NULL, Set.of("spec", Names.CLAIM_TEMPLATES))
                        .isEmpty()
                && data.get("spec").members().size() == 1
                && template.get("$patch").is("replace");
        if (!replaces) {
            return "the data is not a template that replaces the set's";
        }
        String why = said(s, data.members().getOrDefault(Names.CLAIM_TEMPLATES, Json.object()));
        if (!why.isEmpty()) {
            return why;
        }
        String key = template.differing(s.view.template, Set.of("$patch"));
        return key.isEmpty() ? "" : key + " of the data is not what the set's template says";
    }

    private static Json stored(Subject s) {
        try {
            return Json.parse(s.revision().getData(), false);
        } catch (IllegalArgumentException e) {
            return Json.Word.NULL;
        }
    }

    /** The operations that make something. */
    static final List<OperationCase> CREATES =
            List.of(OperationCase.CREATE_POD, OperationCase.CREATE_CLAIM, OperationCase.CREATE_REVISION);
}
