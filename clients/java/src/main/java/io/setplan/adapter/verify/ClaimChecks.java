package io.setplan.adapter.verify;

import io.setplan.v1.OwnerReference;
import io.setplan.v1.Pod;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** The checks of changes to claims, which hold the data. */
final class ClaimChecks {
    private static final Set<String> NOTES = Set.of(Names.DRAIN_SET, Names.DRAIN_ATTEMPTS, Names.DRAIN_BEGUN);

    private ClaimChecks() {}

    static String own(Subject s) {
        return s.ordinal().isPresent() ? "" : "the name is not one of the set's claims'";
    }

    static String wanted(Subject s) {
        OptionalInt ordinal = s.ordinal();
        boolean wanted =
                ordinal.isPresent() && !s.view.deleting() && s.view.range().has(ordinal.getAsInt());
        return wanted ? "" : "no ordinal of the range has this claim";
    }

    /** Applies rule D1: a claim is deleted only after a drain pod of that very claim has succeeded. */
    static String drained(Subject s) {
        if (!s.view.draining()) {
            return "the set has no drain policy";
        }
        if (!s.markOf(s.claim()).equals(s.view.mark())) {
            return "the claim does not carry the set's mark";
        }
        if (s.view.shared()) {
            return "another set uses the same claim name";
        }
        return s.view.drainedBy(s.claim()).stream().anyMatch(pod -> pod.getDeletionUnixMs() == 0)
                ? ""
                : "no drain pod of the claim has succeeded";
    }

    static String ownersKept(Subject s) {
        return s.othersOf(s.ownersNow()).equals(s.othersOf(s.owners()))
                ? ""
                : "an owner that is neither the set nor the claim's pod would change";
    }

    /** Lets only those references be added that the retention policy asks for: a claim is deleted with its owners. */
    static String ownersAdded(Subject s) {
        List<OwnerReference> now = s.ownersNow();
        for (OwnerReference owner : s.owners()) {
            boolean toSet = s.refersToSet(owner);
            boolean toPod = s.refersToPod(owner);
            if (!toSet && now.contains(owner)) {
                continue; // it was there before
            }
            if (s.ourUid(owner) && !toSet && !toPod) {
                return "the reference is to the set or a pod of it, by another name";
            }
            String why = toSet ? setOwner(s, owner) : "";
            if (why.isEmpty() && toPod) {
                why = podOwner(s, owner);
            }
            if (!why.isEmpty()) {
                return why;
            }
        }
        return "";
    }

    private static String setOwner(Subject s, OwnerReference owner) {
        boolean drainedFirst = s.view.draining() && s.view.policy.onDelete();
        if (!s.set.getClaimRetention().getWhenDeleted().equals("Delete") || drainedFirst) {
            return "the claim would be deleted with the set, against whenDeleted or the drain policy";
        }
        return s.view.owner().equals(owner) ? "" : "the reference is to another set";
    }

    private static String podOwner(Subject s, OwnerReference owner) {
        OptionalInt ordinal = s.ordinal();
        boolean outside = ordinal.isPresent() && !s.view.range().has(ordinal.getAsInt());
        if (!s.set.getClaimRetention().getWhenScaled().equals("Delete") || s.view.draining() || !outside) {
            return "the claim would be deleted with its pod, against whenScaled or the drain policy";
        }
        Pod pod = s.view.pods.get(owner.getName());
        if (pod == null || !s.view.member(pod)) {
            return "the reference is to a pod that is not the set's";
        }
        OwnerReference wanted = OwnerReference.newBuilder()
                .setApiVersion("v1")
                .setKind(Names.POD)
                .setName(pod.getName())
                .setUid(pod.getUid())
                .setController(true)
                .setBlockOwnerDeletion(true)
                .build();
        return wanted.equals(owner) ? "" : "the reference is to a pod that is not the set's";
    }

    static String notes(Subject s) {
        return Stream.concat(s.patch().getSetMap().keySet().stream(), s.patch().getRemoveList().stream())
                .filter(key -> !NOTES.contains(key))
                .findFirst()
                .map(key -> "the annotation %s is not the planner's".formatted(Json.quote(key)))
                .orElse("");
    }

    /** Lets a claim be marked for this set, under its policy, and not be taken from another set. */
    static String mark(Subject s) {
        String has = s.markOf(s.claim());
        if (!has.isEmpty() && !s.view.ofSameName(has)) {
            return "the claim is marked for another set";
        }
        if (!s.patch().containsSet(Names.DRAIN_SET)) {
            return "";
        }
        if (!s.patch().getSetOrThrow(Names.DRAIN_SET).equals(s.view.mark()) || !s.view.draining()) {
            return "the mark is not what the set's drain policy makes";
        }
        OptionalInt ordinal = s.ordinal();
        return ordinal.isPresent() && s.covers(ordinal.getAsInt())
                ? ""
                : "the claim was outside the range before the policy could cover it";
    }

    /** Lets a drain begin only for an ordinal outside the range. One that has begun may go on if the ordinal comes back. */
    static String begun(Subject s) {
        OptionalInt ordinal = s.ordinal();
        boolean may =
                !s.patch().containsSet(Names.DRAIN_ATTEMPTS) || (ordinal.isPresent() && s.mayDrain(ordinal.getAsInt()));
        return may ? "" : "the ordinal is in the range, and no drain of it was begun";
    }
}
