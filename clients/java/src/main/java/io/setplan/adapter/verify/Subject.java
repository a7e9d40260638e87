package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import io.setplan.v1.Action;
import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.Claim;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.PatchAnnotations;
import io.setplan.v1.Pod;
import io.setplan.v1.Revision;
import io.setplan.v1.Stage;
import io.setplan.v1.StatefulSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a check looks at: one action with its target in the snapshot. */
final class Subject {
    /** Fields of a pod that are not the template's: its address, and volumes, which have their own check. */
    static final Set<String> OWN_SPEC = Set.of("hostname", "subdomain", "volumes");

    final SetView view;
    final Stage stage;
    final Action action;
    final OperationCase operation;
    final String name;
    final String kind;
    final String namespace;
    final StatefulSet set;

    private @Nullable Json manifest;

    Subject(SetView view, Stage stage, Action action) {
        this.view = view;
        this.stage = stage;
        this.action = action;
        this.operation = action.getOperationCase();
        this.name = action.getTarget().getName();
        this.kind = action.getTarget().getKind();
        this.namespace = action.getTarget().getNamespace();
        this.set = view.set;
    }

    boolean is(OperationCase one) {
        return operation == one;
    }

    Pod pod() {
        return view.pods.getOrDefault(name, Pod.getDefaultInstance());
    }

    Claim claim() {
        return view.claims.getOrDefault(name, Claim.getDefaultInstance());
    }

    Revision revision() {
        return view.revisions.getOrDefault(name, Revision.getDefaultInstance());
    }

    PatchAnnotations patch() {
        return action.getPatchAnnotations();
    }

    /** The wanted owners of a claim. */
    List<OwnerReference> owners() {
        return action.getSetClaimOwners().getOwnersList();
    }

    /** The owners that a claim has. */
    List<OwnerReference> ownersNow() {
        return view.owners(claim().getOwnerSetIndex());
    }

    /** Why the manifest of a create cannot be read; empty if it can. */
    String unreadable() {
        try {
            manifest();
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The manifest of a create. IllegalArgumentException: it cannot be read. */
    Json manifest() {
        if (manifest == null) {
            ByteString text =
                    switch (operation) {
                        case CREATE_POD -> action.getCreatePod().getManifest();
                        case CREATE_CLAIM -> action.getCreateClaim().getManifest();
                        case CREATE_REVISION -> action.getCreateRevision().getManifest();
                        default -> ByteString.EMPTY;
                    };
            manifest = Json.parse(text, true);
        }
        return manifest;
    }

    /** The manifest is a drain pod's: it has the mark and no controller. */
    boolean isDrain() {
        if (!is(OperationCase.CREATE_POD) || !view.draining()) {
            return false;
        }
        Json metadata = manifest().get("metadata");
        return metadata.get("annotations", Names.DRAIN_SET).is(view.mark())
                && metadata.get("ownerReferences").items().stream()
                        .noneMatch(owner -> owner.get("controller").equals(Json.Word.TRUE));
    }

    /**
     * What a created object must agree with.
     *
     * <p>A replica agrees with the set's template if its revision stores that, and otherwise with the revision. The newest
     * revision stores it, in the planner's sense, which knows more of equal texts than these checks; but for one case: the
     * template's revision may be there under its name and not be the set's, so that the newest is an older one.
     */
    Json template() {
        if (is(OperationCase.CREATE_REVISION)) {
            return view.template;
        }
        if (isDrain()) {
            return view.policy.template();
        }
        String revision = revisionLabel();
        Optional<Json> stored = view.stored(revision);
        if (stored.isEmpty() || view.made.contains(revision)) {
            return view.template;
        }
        Json of = stored.get();
        if (view.made.isEmpty() && view.newest().equals(revision)) {
            boolean differs =
                    !manifest().get("spec").differing(of.get("spec"), OWN_SPEC).isEmpty();
            if (differs || of.equals(view.template)) {
                return view.template;
            }
        }
        return of;
    }

    String revisionLabel() {
        return manifest().get("metadata", "labels", Names.LABEL_REVISION).string();
    }

    boolean refersToSet(OwnerReference owner) {
        return owner.getApiVersion().equals(set.getApiVersion())
                && owner.getKind().equals(set.getKind())
                && owner.getName().equals(set.getName());
    }

    /** Reports whether a reference is to the pod of the claim's ordinal, with or without leading zeros. */
    boolean refersToPod(OwnerReference owner) {
        OptionalInt ordinal = view.claimOrdinal(name);
        return owner.getApiVersion().equals("v1")
                && owner.getKind().equals(Names.POD)
                && ordinal.isPresent()
                && Names.isMemberAt(owner.getName(), set.getName(), ordinal.getAsInt());
    }

    /** Reports whether a reference has the uid of the set or a pod of it. Such a reference may be removed, whatever its name. */
    boolean ourUid(OwnerReference owner) {
        return owner.getUid().equals(set.getUid())
                || (owner.getKind().equals(Names.POD) && view.podUids.contains(owner.getUid()));
    }

    /** Leaves out the references to the set's name and to the name of the claim's pod, whatever their uid. */
    List<OwnerReference> othersOf(List<OwnerReference> owners) {
        return owners.stream()
                .filter(owner -> !(refersToSet(owner) || refersToPod(owner) || ourUid(owner)))
                .toList();
    }

    /** The action changes the mark that says whose drain covers a claim. */
    boolean marksClaim() {
        return kind.equals(Names.CLAIM)
                && view.claims.containsKey(name)
                && (patch().containsSet(Names.DRAIN_SET)
                        || patch().getRemoveList().contains(Names.DRAIN_SET));
    }

    String markOf(Claim claim) {
        return view.notes(claim.getAnnotationSetIndex()).getOrDefault(Names.DRAIN_SET, "");
    }

    /**
     * Reports whether the drain policy covers an ordinal.
     *
     * <p>It is in the range, has a replica or a marked claim, or the policy includes leftovers.
     */
    boolean covers(int ordinal) {
        if (view.policy.leftovers() || (view.range().has(ordinal) && !view.emptying())) {
            return true;
        }
        return view.claimsOf(ordinal).stream()
                        .anyMatch(claim -> markOf(claim).equals(view.mark()) && claim.getDeletionUnixMs() == 0)
                || view.snapshot.getPodsList().stream()
                        .anyMatch(pod ->
                                Names.sameOrdinal(Names.trailingDigits(pod.getName()), ordinal) && view.member(pod));
    }

    /** Reports whether an ordinal may be drained, or could be when its drain began. */
    boolean mayDrain(int ordinal) {
        if (!view.draining()) {
            return false;
        }
        if (!view.range().has(ordinal) || view.emptying()) {
            return true;
        }
        Pod pod = view.pods.get(set.getName() + "-" + ordinal);
        if (pod != null && view.drainPod(pod)) {
            return true;
        }
        return view.claimsOf(ordinal).stream()
                .anyMatch(claim -> markOf(claim).equals(view.mark())
                        && view.notes(claim.getAnnotationSetIndex()).containsKey(Names.DRAIN_ATTEMPTS));
    }

    /** The ordinal of the target, a pod or a claim. */
    OptionalInt ordinal() {
        return kind.equals(Names.CLAIM) ? view.claimOrdinal(name) : Names.ordinalIn(name, set.getName());
    }
}
