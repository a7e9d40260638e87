package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import io.setplan.v1.Claim;
import io.setplan.v1.LabelSelector;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.Pod;
import io.setplan.v1.Revision;
import io.setplan.v1.Snapshot;
import io.setplan.v1.StatefulSet;
import io.setplan.v1.Tables;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the checks know of the set: the snapshot of the request, and what earlier actions of the plan have done. */
final class SetView {
    private static final Comparator<Revision> AGE = Comparator.comparingLong(Revision::getNumber)
            .thenComparingLong(Revision::getCreatedUnixMs)
            .thenComparing(Revision::getName);

    final Snapshot snapshot;
    final StatefulSet set;
    final Map<String, Pod> pods;
    final Map<String, Claim> claims;
    final Map<String, Revision> revisions;
    final Policy policy;
    final Json template;
    /** The claim templates without what the annotation says; null where only that has one. */
    final List<Json> claimTemplates;
    /** The claim templates that the annotation adds, and those that revisions of the set have: of two, the newer revision's. */
    final Map<String, Json> additions;

    final Map<String, Json> storedAdditions;
    /** The patches of the claim templates, by name; null if there are none, or they cannot be read. */
    final Json claimPatches;
    /** Names of the claim templates: the set's own, in order, and after them those that are added, sorted. */
    final List<String> claimNames;
    /** Uids of the pods with the set's name: claims are deleted with a released pod, too. */
    final Set<String> podUids;
    /** Revisions that the plan makes the newest. */
    final Set<String> made = new HashSet<>();
    /** What revisions say of removed claim templates; see removedBy. */
    final Map<String, Json> removals = new HashMap<>();
    /** Where the plan has taken the reference off. */
    final Set<Reference> released = new HashSet<>();

    private final Tables tables;
    private final Map<String, Json> stored = new HashMap<>();
    private final Map<Integer, Json> patched = new HashMap<>();
    private @Nullable Map<String, List<Claim>> belongings;
    private @Nullable Range range;

    /** A claim's reference to an owner, both by uid. */
    record Reference(String claim, String owner) {}

    SetView(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.set = snapshot.getSet();
        this.tables = snapshot.getTables();
        this.pods = byName(snapshot.getPodsList(), Pod::getName);
        this.claims = byName(snapshot.getClaimsList(), Claim::getName);
        this.revisions = byName(snapshot.getRevisionsList(), Revision::getName);
        this.policy = Policy.in(snapshot);
        this.template = document(set.getPodTemplate());
        List<Json> own =
                set.getClaimTemplatesList().stream().map(SetView::document).toList();
        this.claimPatches =
                Policy.template(ByteString.copyFromUtf8(set.getAnnotationsOrDefault(Names.CLAIM_TEMPLATES, "")), true);
        List<String> names =
                own.stream().map(one -> one.get("metadata", "name").string()).toList();
        this.storedAdditions = new HashMap<>();
        snapshot.getRevisionsList().stream()
                .filter(this::ownRevision)
                .sorted(AGE)
                .map(revision -> document(revision.getData()).get(Names.CLAIM_TEMPLATES))
                .forEach(said -> storedAdditions.putAll(addedIn(said, names)));
        this.additions = new HashMap<>(addedIn(claimPatches, names));
        additions.keySet().removeIf(name -> !storedAdditions.containsKey(name) && !asksFor(template, name));
        Set<String> added = new TreeSet<>(additions.keySet());
        added.addAll(storedAdditions.keySet());
        this.claimNames = Stream.concat(names.stream(), added.stream()).toList();
        this.claimTemplates = Stream.concat(
                        own.stream(), added.stream().map(name -> storedAdditions.getOrDefault(name, Json.Word.NULL)))
                .toList();
        this.podUids = snapshot.getPodsList().stream()
                .filter(pod -> Names.isMember(pod.getName(), set.getName()))
                .map(Pod::getUid)
                .collect(Collectors.toSet());
    }

    private static Map<String, Json> addedIn(Json said, List<String> own) {
        return said.members().entrySet().stream()
                .filter(one -> one.getValue() instanceof Json.Members && !own.contains(one.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Reports whether a pod template has a volume that is bound to a claim of its own name, to be written to. */
    private static boolean asksFor(Json template, String name) {
        return template.get("spec", "volumes").items().stream()
                .anyMatch(volume -> volume.get("name").is(name)
                        && volume.get("persistentVolumeClaim", "claimName").is(name)
                        && !volume.get("persistentVolumeClaim", "readOnly").equals(Json.Word.TRUE));
    }

    /** Reports whether a claim template is none of the set's own. */
    boolean isAdded(String template) {
        return claimNames.indexOf(template) >= set.getClaimTemplatesCount();
    }

    /** Reports whether the pods of a revision have a claim template. */
    boolean has(String revision, String template) {
        Json said = removedBy(revision);
        return isAdded(template) ? said.get(template) instanceof Json.Members : !said.removes(template);
    }

    /** Reports whether a new revision may have a claim template beside the set's own: the set adds it, or an earlier revision. */
    boolean mayAdd(String template, Json value) {
        return value.equals(additions.get(template)) || value.equals(storedAdditions.get(template));
    }

    /** The ordinals of the set; many plans need none of them checked. */
    Range range() {
        if (range == null) {
            range = new Range(snapshot);
        }
        return range;
    }

    private static <T> Map<String, T> byName(List<T> things, Function<T, String> name) {
        Map<String, T> found = new LinkedHashMap<>();
        things.forEach(thing -> found.put(name.apply(thing), thing));
        return found;
    }

    /** Returns the template that a revision stores, without the mark of a patch that replaces; empty if it stores nothing. */
    Optional<Json> stored(String name) {
        Revision revision = revisions.get(name);
        if (revision == null || revision.getData().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(stored.computeIfAbsent(name, one -> {
            Map<String, Json> members = new LinkedHashMap<>(
                    document(revision.getData()).get("spec", "template").members());
            members.remove("$patch");
            return new Json.Members(members);
        }));
    }

    /** Returns the template of a revision of the snapshot, or of one that the plan makes. */
    Json templateOf(String revision) {
        return made.contains(revision) ? template : stored(revision).orElse(template);
    }

    /** Returns a claim template as the annotation wants it: with its patch, or as it is added. */
    Json patched(int template) {
        return patched.computeIfAbsent(template, i -> {
            Json own = claimTemplates.get(i);
            Json patch = claimPatches.get(claimNames.get(i));
            if (patch.isNull()) {
                return own;
            }
            return isAdded(claimNames.get(i)) ? patch : own.merged(patch);
        });
    }

    /** Reports whether claims follow their templates: the policy says so, or there is none and a patch is there. */
    boolean claimsFollow() {
        String field = document(set.getOwnFields()).get("claimUpdatePolicy").string();
        String policy = field.isEmpty() ? set.getAnnotationsOrDefault(Names.CLAIM_POLICY, "") : field;
        return policy.isEmpty()
                ? !set.getAnnotationsOrDefault(Names.CLAIM_TEMPLATES, "").isEmpty()
                : policy.startsWith("InPlace");
    }

    /** Returns what a revision of the snapshot, or one that the plan creates, says of removed claim templates. */
    Json removedBy(String revision) {
        return removals.computeIfAbsent(revision, name -> {
            Revision stored = revisions.get(name);
            return stored == null ? Json.Word.NULL : document(stored.getData()).get(Names.CLAIM_TEMPLATES);
        });
    }

    /**
     * Reports whether new pods may be without a claim template: the set says so, or the newest revision, as long as the set's
     * annotation cannot be read.
     */
    boolean mayRemove(String template) {
        return claimPatches.removes(template) || removedBy(newest()).removes(template);
    }

    /** The set asks for updates in place. A text that this build does not know does, too: what is not deleted is safe. */
    boolean updatesInPlace() {
        String field = document(set.getOwnFields()).get("inPlace").string();
        String policy = field.isEmpty() ? set.getAnnotationsOrDefault(Names.IN_PLACE, "") : field;
        return !policy.isEmpty() && !policy.equals("Recreate");
    }

    /** What the set's drain pods and the claims under its drain policy bear. */
    String mark() {
        return set.getName() + "/" + set.getUid();
    }

    boolean deleting() {
        return set.getDeletionUnixMs() != 0;
    }

    boolean draining() {
        return policy.draining();
    }

    /** The set is being deleted and is drained before it goes. */
    boolean emptying() {
        return deleting()
                && draining()
                && policy.onDelete()
                && set.getFinalizersList().contains(Names.FINALIZER);
    }

    /** Another set of the namespace uses the same claim names, so that nobody can tell whose claims they are. */
    boolean shared() {
        return snapshot.getClaimNeighboursCount() > 0;
    }

    /** The reference by which the set controls what it makes and adopts. */
    OwnerReference owner() {
        return OwnerReference.newBuilder()
                .setApiVersion(set.getApiVersion())
                .setKind(set.getKind())
                .setName(set.getName())
                .setUid(set.getUid())
                .setController(true)
                .setBlockOwnerDeletion(true)
                .build();
    }

    /** Reports whether a mark is this set's, or an earlier one's of its name. */
    boolean ofSameName(String mark) {
        return mark.startsWith(set.getName() + "/");
    }

    List<OwnerReference> owners(int index) {
        return index > 0 && index < tables.getOwnerSetsCount()
                ? tables.getOwnerSets(index).getOwnersList()
                : List.of();
    }

    Map<String, String> notes(int index) {
        return index > 0 && index < tables.getAnnotationSetsCount()
                ? tables.getAnnotationSets(index).getAnnotationsMap()
                : Map.of();
    }

    /** Reports whether the set controls what has these owners. */
    boolean ours(int owners) {
        return owners(owners).stream()
                .anyMatch(owner -> owner.getController() && owner.getUid().equals(set.getUid()));
    }

    /** Reports whether nobody controls what has these owners. */
    boolean orphan(int owners) {
        return owners(owners).stream().noneMatch(OwnerReference::getController);
    }

    String revisionName(Pod pod) {
        int index = pod.getRevisionNameIndex();
        return index > 0 && index < tables.getRevisionNamesCount() ? tables.getRevisionNames(index) : "";
    }

    /** Reports whether the selector is for a pod, by all of its labels. */
    boolean matches(Pod pod) {
        int index = pod.getLabelSetIndex();
        Map<String, String> labels = new HashMap<>(
                index > 0 && index < tables.getLabelSetsCount()
                        ? tables.getLabelSets(index).getLabelsMap()
                        : Map.of());
        if (pod.getPodNameLabel()) {
            labels.put(Names.LABEL_POD_NAME, pod.getName());
        }
        if (pod.getPodIndexLabel()) {
            labels.put(Names.LABEL_POD_INDEX, Names.trailingDigits(pod.getName()));
        }
        if (pod.getRevisionNameIndex() != 0) {
            labels.put(Names.LABEL_REVISION, revisionName(pod));
        }
        return selects(set.getSelector(), labels);
    }

    /**
     * Reports whether a pod is the set's: the set controls it, or may adopt it for its name and labels.
     *
     * <p>A set that is being deleted adopts nothing: who deletes it with --cascade=orphan keeps the pods.
     */
    boolean member(Pod pod) {
        return ours(pod.getOwnerSetIndex())
                || (orphan(pod.getOwnerSetIndex())
                        && !deleting()
                        && Names.isMember(pod.getName(), set.getName())
                        && matches(pod));
    }

    /** Reports whether a pod is a drain pod of the set: it says so, and nobody controls it. */
    boolean drainPod(Pod pod) {
        return orphan(pod.getOwnerSetIndex())
                && mark().equals(notes(pod.getAnnotationSetIndex()).get(Names.DRAIN_SET));
    }

    /** Lists the drain pods that have drained a claim (D4). */
    List<Pod> drainedBy(Claim claim) {
        return snapshot.getPodsList().stream()
                .filter(pod -> {
                    Map<String, String> notes = notes(pod.getAnnotationSetIndex());
                    List<String> listed = Arrays.asList(
                            notes.getOrDefault(Names.DRAIN_CLAIMS, "").split(",", -1));
                    return drainPod(pod)
                            && listed.contains(claim.getUid())
                            && Proof.hasDrained(pod, notes, policy.proves());
                })
                .toList();
    }

    /** Reports whether a revision is the set's: labels that match, and no other controller. */
    boolean ownRevision(Revision revision) {
        int owners = revision.getOwnerSetIndex();
        return (ours(owners) || orphan(owners)) && selects(set.getSelector(), revision.getLabelsMap());
    }

    /** Returns the name of the newest revision of the set: by number, then age, then name. Empty: there is none. */
    String newest() {
        return snapshot.getRevisionsList().stream()
                .filter(this::ownRevision)
                .max(AGE)
                .map(Revision::getName)
                .orElse("");
    }

    /** Reads the ordinal of {@code <template>-<set>-<ordinal>} for one of the set's claim templates. */
    OptionalInt claimOrdinal(String name) {
        return claimNames.stream()
                .map(one -> Names.ordinalIn(name, one + "-" + set.getName()))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElse(OptionalInt.empty());
    }

    /** Lists the existing claims of an ordinal. */
    List<Claim> claimsOf(int ordinal) {
        return claimNames.stream()
                .map(one -> claims.get(one + "-" + set.getName() + "-" + ordinal))
                .filter(claim -> claim != null)
                .toList();
    }

    /**
     * Returns an undrained claim of the set that would be deleted with an owner.
     *
     * <p>Deleting the owner of a claim deletes the claim: the garbage collector knows no drain.
     */
    Optional<Claim> undrained(String owner) {
        if (belongings == null) {
            belongings = owned();
        }
        return belongings.getOrDefault(owner, List.of()).stream()
                .filter(claim -> !released.contains(new Reference(claim.getUid(), owner)))
                .filter(claim -> drainedBy(claim).isEmpty())
                .findFirst();
    }

    private Map<String, List<Claim>> owned() {
        Map<String, List<Claim>> found = new HashMap<>();
        for (Claim claim : snapshot.getClaimsList()) {
            if (claimOrdinal(claim.getName()).isEmpty() || claim.getDeletionUnixMs() != 0) {
                continue;
            }
            for (OwnerReference owner : owners(claim.getOwnerSetIndex())) {
                found.computeIfAbsent(owner.getUid(), uid -> new java.util.ArrayList<>())
                        .add(claim);
            }
        }
        return found;
    }

    /** Evaluates a selector with the meaning of metav1.LabelSelector. One that is empty selects nothing. */
    static boolean selects(LabelSelector selector, Map<String, String> labels) {
        if (selector.getMatchLabelsCount() == 0 && selector.getMatchExpressionsCount() == 0) {
            return false;
        }
        return selector.getMatchLabelsMap().entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && selector.getMatchExpressionsList().stream().allMatch(rule -> {
                    String value = labels.get(rule.getKey());
                    return switch (rule.getOperator()) {
                        case "Exists" -> value != null;
                        case "DoesNotExist" -> value == null;
                        case "In" -> value != null && rule.getValuesList().contains(value);
                        case "NotIn" -> value == null || !rule.getValuesList().contains(value);
                        default -> false;
                    };
                });
    }

    /** Reads a text of the snapshot; null if it is no JSON. If a key occurs twice the last one counts, as for everybody else. */
    private static Json document(ByteString text) {
        try {
            return Json.parse(text, false);
        } catch (IllegalArgumentException e) {
            return Json.Word.NULL;
        }
    }
}
