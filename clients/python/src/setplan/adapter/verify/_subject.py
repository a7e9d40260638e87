"""One action with its target in the snapshot."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from setplan.adapter.operations import operation_of
from setplan.adapter.verify._json import differing, get, listed, parse, text_of
from setplan.adapter.verify._names import DRAIN_ATTEMPTS, DRAIN_SET, LABEL_REVISION, ordinal_in, same_ordinal, trailing_digits
from setplan.adapter.verify._set import SetView
from setplan.v1.plan_pb2 import Action, PatchAnnotations, Stage
from setplan.v1.snapshot_pb2 import Claim, OwnerReference, Pod, Revision


class Subject:
    """What a check looks at."""

    def __init__(self, view: SetView, stage: Stage, action: Action) -> None:
        self.view = view
        self.set = view.set
        self.stage = stage
        self.action = action
        self.operation = operation_of(action)
        self.name = action.target.name
        self.kind = action.target.kind

    @property
    def body(self) -> Any:
        """The message of the operation."""
        return getattr(self.action, self.operation)

    @property
    def pod(self) -> Pod:
        return self.view.pods.get(self.name, Pod())

    @property
    def claim(self) -> Claim:
        return self.view.claims.get(self.name, Claim())

    @property
    def revision(self) -> Revision:
        return self.view.revisions.get(self.name, Revision())

    @cached_property
    def manifest(self) -> Any:
        """The manifest of a create. ValueError says why it cannot be read."""
        return parse(self.body.manifest, strict=True)

    @property
    def patch(self) -> PatchAnnotations:
        return self.action.patch_annotations

    @cached_property
    def is_drain(self) -> bool:
        """The manifest is a drain pod's: it has the mark and no controller."""
        if self.operation != "create_pod" or not self.view.draining:
            return False
        metadata = get(self.manifest, "metadata")
        controlled = any(get(owner, "controller") is True for owner in listed(get(metadata, "ownerReferences")))
        return get(metadata, "annotations", DRAIN_SET) == self.view.mark and not controlled

    @cached_property
    def template(self) -> Any:
        """What a created object must agree with.

        A replica agrees with the set's template if its revision stores that, and otherwise with the revision. The newest revision
        stores it, in the planner's sense, which knows more of equal texts than these checks; but for one case: the template's
        revision may be there under its name and not be the set's, so that the newest is an older one.
        """
        view = self.view
        if self.operation == "create_revision":
            return view.template
        if self.is_drain:
            return view.policy.template
        name = self.revision_label
        if name not in view.stored or name in view.made:
            return view.template
        stored, newest = view.stored[name], view.newest()
        if not view.made and newest is not None and newest.name == name:
            made, of = get(self.manifest, "spec"), get(stored, "spec")
            if stored == view.template or differs_in_spec(made, of):
                return view.template
        return stored

    @property
    def revision_label(self) -> str:
        return text_of(get(self.manifest, "metadata", "labels", LABEL_REVISION))

    def refers_to_set(self, owner: OwnerReference) -> bool:
        return (owner.api_version, owner.kind, owner.name) == (self.set.api_version, self.set.kind, self.set.name)

    def refers_to_pod(self, owner: OwnerReference) -> bool:
        """Report whether a reference is to the pod of the claim's ordinal, with or without leading zeros."""
        ordinal = self.view.claim_ordinal(self.name)
        digits = owner.name.removeprefix(self.set.name + "-")
        return (
            owner.api_version == "v1"
            and owner.kind == "Pod"
            and ordinal is not None
            and digits not in {owner.name, ""}
            and trailing_digits(digits) == digits
            and same_ordinal(digits, ordinal)
        )

    def our_uid(self, owner: OwnerReference) -> bool:
        """Report whether a reference has the uid of the set or a pod of it. Such a reference may be removed, whatever its name."""
        return owner.uid == self.set.uid or (owner.kind == "Pod" and owner.uid in self.view.pod_uids)

    def others_of(self, owners: list[OwnerReference]) -> list[OwnerReference]:
        """Leave out the references to the set's name and to the name of the claim's pod, whatever their uid."""
        return [o for o in owners if not (self.refers_to_set(o) or self.refers_to_pod(o) or self.our_uid(o))]

    @property
    def only_releases(self) -> bool:
        """The action adds no owner."""
        now = self.view.owners(self.claim)
        return all(owner in now for owner in self.body.owners)

    @property
    def marks_claim(self) -> bool:
        """The action changes the mark that says whose drain covers a claim."""
        if self.operation != "patch_annotations" or self.name not in self.view.claims or self.kind != "PersistentVolumeClaim":
            return False
        return DRAIN_SET in self.patch.set or DRAIN_SET in self.patch.remove

    def mark_of(self, claim: Claim) -> str:
        return self.view.notes(claim).get(DRAIN_SET, "")

    def covers(self, ordinal: int) -> bool:
        """Report whether the drain policy covers an ordinal.

        It is in the range, has a replica or a marked claim, or the policy includes leftovers.
        """
        view = self.view
        if view.policy.leftovers or (ordinal in view.range and not view.emptying):
            return True
        return any(self.mark_of(c) == view.mark and not c.deletion_unix_ms for c in view.claims_of(ordinal)) or any(
            same_ordinal(trailing_digits(p.name), ordinal) and view.member(p) for p in view.snapshot.pods
        )

    def may_drain(self, ordinal: int) -> bool:
        """Report whether an ordinal may be drained, or could be when its drain began."""
        view = self.view
        if not view.draining:
            return False
        if ordinal not in view.range or view.emptying:
            return True
        pod = view.pods.get(f"{self.set.name}-{ordinal}")
        if pod is not None and view.drain_pod(pod):
            return True
        return any(self.mark_of(c) == view.mark and DRAIN_ATTEMPTS in view.notes(c) for c in view.claims_of(ordinal))

    @property
    def ordinal(self) -> int | None:
        """The ordinal of the target, a pod or a claim."""
        if self.kind == "PersistentVolumeClaim":
            return self.view.claim_ordinal(self.name)
        return ordinal_in(self.name, self.set.name)


# Fields of a pod that are not the template's: its address, and volumes, which have their own check.
OWN_SPEC = frozenset({"hostname", "subdomain", "volumes"})


def differs_in_spec(made: Any, template: Any) -> bool:
    """Compare what a pod has of its template."""
    return differing(made, template, OWN_SPEC) != ""
