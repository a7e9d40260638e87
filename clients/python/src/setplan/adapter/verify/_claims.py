"""The checks of changes to claims, which hold the data."""

from __future__ import annotations

from setplan.adapter.verify._json import quote
from setplan.adapter.verify._names import DRAIN_ATTEMPTS, DRAIN_BEGUN, DRAIN_SET
from setplan.adapter.verify._subject import Subject
from setplan.v1.snapshot_pb2 import OwnerReference

_NOTES = frozenset({DRAIN_SET, DRAIN_ATTEMPTS, DRAIN_BEGUN})


def claim_own_fault(s: Subject) -> str:
    return "" if s.ordinal is not None else "the name is not one of the set's claims'"


def claim_wanted_fault(s: Subject) -> str:
    if s.ordinal is None or s.view.deleting or s.ordinal not in s.view.range:
        return "no ordinal of the range has this claim"
    return ""


def drained_fault(s: Subject) -> str:
    """Apply rule D1: a claim is deleted only after a drain pod of that very claim has succeeded."""
    if not s.view.draining:
        return "the set has no drain policy"
    if s.mark_of(s.claim) != s.view.mark:
        return "the claim does not carry the set's mark"
    if s.view.shared:
        return "another set uses the same claim name"
    if not any(not pod.deletion_unix_ms for pod in s.view.drained_by(s.claim)):
        return "no drain pod of the claim has succeeded"
    return ""


def owners_kept_fault(s: Subject) -> str:
    if s.others_of(s.view.owners(s.claim)) != s.others_of(list(s.body.owners)):
        return "an owner that is neither the set nor the claim's pod would change"
    return ""


def owners_added_fault(s: Subject) -> str:
    """Let only those references be added that the retention policy asks for: a claim is deleted with its owners."""
    now = s.view.owners(s.claim)
    for owner in s.body.owners:
        if not s.refers_to_set(owner) and owner in now:
            continue  # it was there before
        if s.our_uid(owner) and not s.refers_to_set(owner) and not s.refers_to_pod(owner):
            return "the reference is to the set or a pod of it, by another name"
        if s.refers_to_set(owner) and (why := _set_owner_fault(s, owner)):
            return why
        if s.refers_to_pod(owner) and (why := _pod_owner_fault(s, owner)):
            return why
    return ""


def _set_owner_fault(s: Subject, owner: OwnerReference) -> str:
    if s.set.claim_retention.when_deleted != "Delete" or (s.view.draining and s.view.policy.on_delete):
        return "the claim would be deleted with the set, against whenDeleted or the drain policy"
    return "" if owner == s.view.owner else "the reference is to another set"


def _pod_owner_fault(s: Subject, owner: OwnerReference) -> str:
    if s.set.claim_retention.when_scaled != "Delete" or s.view.draining or s.ordinal is None or s.ordinal in s.view.range:
        return "the claim would be deleted with its pod, against whenScaled or the drain policy"
    pod = s.view.pods.get(owner.name)
    if pod is None or not s.view.member(pod) or owner != _reference(pod.name, pod.uid):
        return "the reference is to a pod that is not the set's"
    return ""


def _reference(pod: str, uid: str) -> OwnerReference:
    return OwnerReference(api_version="v1", kind="Pod", name=pod, uid=uid, controller=True, block_owner_deletion=True)


def claim_notes_fault(s: Subject) -> str:
    for key in [*s.patch.set, *s.patch.remove]:
        if key not in _NOTES:
            return f"the annotation {quote(key)} is not the planner's"
    return ""


def mark_fault(s: Subject) -> str:
    """Let a claim be marked for this set, under its policy, and not be taken from another set."""
    has = s.mark_of(s.claim)
    if has and not s.view.of_same_name(has):
        return "the claim is marked for another set"
    if DRAIN_SET not in s.patch.set:
        return ""
    if s.patch.set[DRAIN_SET] != s.view.mark or not s.view.draining:
        return "the mark is not what the set's drain policy makes"
    if s.ordinal is None or not s.covers(s.ordinal):
        return "the claim was outside the range before the policy could cover it"
    return ""


def begun_fault(s: Subject) -> str:
    """Let a drain begin only for an ordinal outside the range. One that has begun may go on if the ordinal comes back."""
    if DRAIN_ATTEMPTS in s.patch.set and (s.ordinal is None or not s.may_drain(s.ordinal)):
        return "the ordinal is in the range, and no drain of it was begun"
    return ""
