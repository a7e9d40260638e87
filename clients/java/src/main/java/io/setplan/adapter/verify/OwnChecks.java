package io.setplan.adapter.verify;

import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.ClaimBinding;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.Pod;
import io.setplan.v1.Revision;
import io.setplan.v1.SetFinalizer;
import java.util.Map;
import java.util.Set;

/** The checks of ownership and adoption, and of what is changed at pods, revisions and the set. */
final class OwnChecks {
    private static final Set<String> REMOVED_NOTES = Set.of(Names.DRAIN_REQUEST, Names.DRAIN_ANSWER);

    private OwnChecks() {}

    static String pod(Subject s) {
        boolean mayBe = s.view.member(s.pod()) || (s.is(OperationCase.DELETE_POD) && s.view.drainPod(s.pod()));
        return mayBe ? "" : "the pod is not the set's";
    }

    /** Releases only a pod that the set controls and that no longer matches. */
    static String release(Subject s) {
        if (!s.action.getReleasePod().getOwnerUid().equals(s.set.getUid())) {
            return "another owner than the set would be removed";
        }
        if (!s.view.ours(s.pod().getOwnerSetIndex())) {
            return "the set does not control the pod";
        }
        boolean canonical = Names.ordinalIn(s.pod().getName(), s.set.getName()).isPresent();
        return canonical && s.view.matches(s.pod()) ? "the pod has the set's labels and name" : "";
    }

    /** Adopts only an object that nobody controls and that is not being deleted. */
    static String orphan(Subject s) {
        Pod pod = s.pod();
        Revision revision = s.revision();
        if (s.is(OperationCase.ADOPT_POD)) {
            boolean may = s.view.orphan(pod.getOwnerSetIndex())
                    && s.view.member(pod)
                    && !s.view.drainPod(pod)
                    && pod.getDeletionUnixMs() == 0;
            return may ? "" : "the pod is not one that the set may adopt";
        }
        return s.view.orphan(revision.getOwnerSetIndex()) && s.view.ownRevision(revision)
                ? ""
                : "the revision is not one that the set may adopt";
    }

    static String adopter(Subject s) {
        OwnerReference owner = s.is(OperationCase.ADOPT_POD)
                ? s.action.getAdoptPod().getOwner()
                : s.action.getAdoptRevision().getOwner();
        return owner.equals(s.view.owner()) ? "" : "the new owner is not this set as its controller";
    }

    /** Refuses an adoption of a set that may be gone: the garbage collector would delete the object with its new owner. */
    static String live(Subject s) {
        if (s.view.deleting()) {
            return "the set is being deleted";
        }
        return s.stage.getRequiresLiveSet() ? "" : "the stage does not require the live set";
    }

    static String revision(Subject s) {
        return s.view.ownRevision(s.revision()) ? "" : "the revision is not the set's";
    }

    /** Keeps a revision of a pod, and one at which pods come back. */
    static String inUse(Subject s) {
        if (s.name.equals(s.set.getStatus().getCurrentRevision())) {
            return "it is the set's current revision";
        }
        for (Pod pod : s.view.snapshot.getPodsList()) {
            if (s.view.orphan(pod.getOwnerSetIndex()) && pod.getDeletionUnixMs() != 0) {
                continue; // it is not adopted any more
            }
            boolean has = s.view.revisionName(pod).equals(s.name)
                    || UnderWay.of(s.view, pod).revision().equals(s.name);
            if (has && s.view.member(pod) && s.view.matches(pod)) {
                return "pod %s has it".formatted(pod.getName());
            }
        }
        return "";
    }

    static String podLabels(Subject s) {
        String name = s.pod().getName();
        Map<String, String> identity =
                Map.of(Names.LABEL_POD_NAME, name, Names.LABEL_POD_INDEX, Names.trailingDigits(name));
        return s.action.getPatchPod().getLabelsMap().entrySet().stream()
                .filter(label -> !label.getValue().equals(identity.get(label.getKey())))
                .findFirst()
                .map(label -> "the label %s is not part of the pod's identity".formatted(Json.quote(label.getKey())))
                .orElse("");
    }

    static String podVolumes(Subject s) {
        for (ClaimBinding bound : s.action.getPatchPod().getClaimsList()) {
            String volume = bound.getVolume();
            if (!s.view.claimNames.contains(volume)
                    || !bound.getClaim().equals(volume + "-" + s.pod().getName())) {
                return "the volume %s would not be bound to the claim of its ordinal".formatted(Json.quote(volume));
            }
        }
        return "";
    }

    /** Lets the question of a drain be asked or withdrawn, whose answer is the pod's, and a pod be marked for updates of its images. */
    static String podNotes(Subject s) {
        if (UnderWay.marksPod(s)) {
            return UnderWay.mark(s);
        }
        for (String key : s.patch().getSetMap().keySet()) {
            if (!key.equals(Names.DRAIN_REQUEST)) {
                return "the annotation %s is not the planner's to set on a pod".formatted(Json.quote(key));
            }
        }
        for (String key : s.patch().getRemoveList()) {
            if (!REMOVED_NOTES.contains(key)) {
                return "the annotation %s is not the planner's to remove from a pod".formatted(Json.quote(key));
            }
        }
        return "";
    }

    static String generation(Subject s) {
        if (!s.action.getUpdateStatus().hasStatus()) {
            return "there is no status";
        }
        return s.action.getUpdateStatus().getStatus().getObservedGeneration() > s.set.getGeneration()
                ? "the observed generation is newer than the set's"
                : "";
    }

    static String finalizer(Subject s) {
        SetFinalizer body = s.action.getSetFinalizer();
        if (!body.getFinalizer().equals(Names.FINALIZER)) {
            return "the finalizer is not the planner's";
        }
        boolean asked = !s.view.deleting() && s.view.draining() && s.view.policy.onDelete();
        return body.getPresent() && !asked ? "the set does not ask to be kept until it is drained" : "";
    }

    /** Gives the newest revision the next number, and leaves none out. */
    static String number(Subject s) {
        long newest = s.view.snapshot.getRevisionsList().stream()
                .filter(s.view::ownRevision)
                .mapToLong(Revision::getNumber)
                .reduce(0, Math::max);
        String following = Long.toString(newest + 1);
        String number = s.is(OperationCase.RENUMBER_REVISION)
                ? Long.toString(s.action.getRenumberRevision().getNumber())
                : s.manifest().get("revision") instanceof Json.Numeral written ? written.text() : "0";
        return number.equals(following)
                ? ""
                : "the number is %s, the next one is %s".formatted(Json.quote(number), following);
    }

    /** Reports whether an action deletes an owner under a drain template, or allows its deletion. */
    static boolean takesClaims(Subject s) {
        boolean adds =
                s.is(OperationCase.SET_FINALIZER) && s.action.getSetFinalizer().getPresent();
        return s.view.draining() && (adds || s.is(OperationCase.DELETE_POD) || s.is(OperationCase.EVICT_POD));
    }

    static String undrained(Subject s) {
        String owner =
                s.is(OperationCase.SET_FINALIZER) ? s.set.getUid() : s.pod().getUid();
        return s.view.undrained(owner)
                .map(claim -> "the claim %s has not been drained and would be deleted with it"
                        .formatted(Json.quote(claim.getName())))
                .orElse("");
    }
}
