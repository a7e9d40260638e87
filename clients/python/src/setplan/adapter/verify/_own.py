"""The checks of ownership and adoption, and of what is changed at pods, revisions and the set."""

from __future__ import annotations

from setplan.adapter.verify._json import Number, get, quote
from setplan.adapter.verify._names import (
    DRAIN_ANSWER,
    DRAIN_REQUEST,
    FINALIZER,
    LABEL_POD_INDEX,
    LABEL_POD_NAME,
    ordinal_in,
    trailing_digits,
)
from setplan.adapter.verify._subject import Subject
from setplan.adapter.verify._under_way import mark_fault, marks_pod, under_way


def pod_own_fault(s: Subject) -> str:
    if s.view.member(s.pod) or (s.operation == "delete_pod" and s.view.drain_pod(s.pod)):
        return ""
    return "the pod is not the set's"


def release_fault(s: Subject) -> str:
    """Release only a pod that the set controls and that no longer matches."""
    if s.body.owner_uid != s.set.uid:
        return "another owner than the set would be removed"
    if not s.view.ours(s.pod):
        return "the set does not control the pod"
    canonical = ordinal_in(s.pod.name, s.set.name) is not None
    return "the pod has the set's labels and name" if canonical and s.view.matches(s.pod) else ""


def orphan_fault(s: Subject) -> str:
    """Adopt only an object that nobody controls and that is not being deleted."""
    if s.operation == "adopt_pod":
        pod = s.pod
        if not s.view.orphan(pod) or not s.view.member(pod) or s.view.drain_pod(pod) or pod.deletion_unix_ms:
            return "the pod is not one that the set may adopt"
    elif not s.view.orphan(s.revision) or not s.view.own_revision(s.revision):
        return "the revision is not one that the set may adopt"
    return ""


def adopter_fault(s: Subject) -> str:
    return "" if s.body.owner == s.view.owner else "the new owner is not this set as its controller"


def live_fault(s: Subject) -> str:
    """Refuse an adoption of a set that may be gone: the garbage collector would delete the object with its new owner."""
    if s.view.deleting:
        return "the set is being deleted"
    return "" if s.stage.requires_live_set else "the stage does not require the live set"


def revision_own_fault(s: Subject) -> str:
    return "" if s.view.own_revision(s.revision) else "the revision is not the set's"


def in_use_fault(s: Subject) -> str:
    """Keep a revision of a pod, and one at which pods come back."""
    view = s.view
    if s.name == s.set.status.current_revision:
        return "it is the set's current revision"
    for pod in view.snapshot.pods:
        if view.orphan(pod) and pod.deletion_unix_ms:
            continue  # it is not adopted any more
        has = s.name in {view.revision_name(pod), under_way(view, pod).revision}
        if has and view.member(pod) and view.matches(pod):
            return f"pod {pod.name} has it"
    return ""


def pod_labels_fault(s: Subject) -> str:
    identity = {LABEL_POD_NAME: s.pod.name, LABEL_POD_INDEX: trailing_digits(s.pod.name)}
    for key, value in s.body.labels.items():
        if identity.get(key) != value:
            return f"the label {quote(key)} is not part of the pod's identity"
    return ""


def pod_volumes_fault(s: Subject) -> str:
    for binding in s.body.claims:
        if binding.volume not in s.view.claim_names or binding.claim != f"{binding.volume}-{s.pod.name}":
            return f"the volume {quote(binding.volume)} would not be bound to the claim of its ordinal"
    return ""


def pod_notes_fault(s: Subject) -> str:
    """Let the question of a drain be asked or withdrawn, which the pod answers, and a pod be marked for updates of its images."""
    if marks_pod(s):
        return mark_fault(s)
    for key in s.patch.set:
        if key != DRAIN_REQUEST:
            return f"the annotation {quote(key)} is not the planner's to set on a pod"
    for key in s.patch.remove:
        if key not in {DRAIN_REQUEST, DRAIN_ANSWER}:
            return f"the annotation {quote(key)} is not the planner's to remove from a pod"
    return ""


def generation_fault(s: Subject) -> str:
    if not s.body.HasField("status"):
        return "there is no status"
    newer = s.body.status.observed_generation > s.set.generation
    return "the observed generation is newer than the set's" if newer else ""


def finalizer_fault(s: Subject) -> str:
    if s.body.finalizer != FINALIZER:
        return "the finalizer is not the planner's"
    if s.body.present and (s.view.deleting or not s.view.draining or not s.view.policy.on_delete):
        return "the set does not ask to be kept until it is drained"
    return ""


def number_fault(s: Subject) -> str:
    """Give the newest revision the next number, and leave none out."""
    following = 1 + max((r.number for r in s.view.snapshot.revisions if s.view.own_revision(r)), default=0)
    if s.operation == "renumber_revision":
        number = str(s.body.number)
    else:
        found = get(s.manifest, "revision")
        number = found.text if isinstance(found, Number) else "0"
    return "" if number == str(following) else f"the number is {quote(number)}, the next one is {following}"


def takes_claims(s: Subject) -> bool:
    """Report whether an action deletes an owner under a drain template, or allows its deletion."""
    return s.view.draining and (s.operation in {"delete_pod", "evict_pod"} or (s.operation == "set_finalizer" and s.body.present))


def undrained_fault(s: Subject) -> str:
    claim = s.view.undrained(s.set.uid if s.operation == "set_finalizer" else s.pod.uid)
    return f"the claim {quote(claim.name)} has not been drained and would be deleted with it" if claim is not None else ""
