"""All checks in order: a later one may rely on those before it. docs/adapter.md has the same names and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from setplan.adapter.operations import actions_of, operation_of
from setplan.adapter.verify import _changes as changes
from setplan.adapter.verify import _claims as claims
from setplan.adapter.verify import _manifests as manifests
from setplan.adapter.verify import _own as own
from setplan.adapter.verify import _pods as pods
from setplan.adapter.verify import _resizes as resizes
from setplan.adapter.verify import _target as target
from setplan.adapter.verify import _updates as updates
from setplan.adapter.verify._images import pod_images_fault
from setplan.adapter.verify._json import get, quote
from setplan.adapter.verify._names import CLAIM, CLAIM_TEMPLATES, POD, REVISION
from setplan.adapter.verify._set import SetView
from setplan.adapter.verify._subject import Subject
from setplan.v1.plan_pb2 import Action, Stage
from setplan.v1.snapshot_pb2 import Snapshot

About = Callable[[Subject], bool]


@dataclass(frozen=True)
class Check:
    """One line of the list. `fault` says what is wrong; empty is nothing."""

    name: str
    words: str
    about: About
    fault: Callable[[Subject], str]


class Refusal(Exception):
    """Why an action is not sent."""

    def __init__(self, check: str, action: Action, why: str) -> None:
        """Name the check: there are few, so it can be a metric's label."""
        target = action.target
        super().__init__(f"refused unsent ({check}): {operation_of(action)} {quote(target.kind)} {quote(target.name)}: {why}")
        self.check = check
        self.action = action


class Verifier:
    """Checks one plan against one snapshot."""

    def __init__(self, snapshot: Snapshot, checks: list[Check] | None = None) -> None:
        """Make a verifier. `checks` is for tests of the list; None is all of it."""
        self._view = SetView(snapshot)
        self._checks = CHECKS if checks is None else checks

    def stage(self, stage: Stage) -> None:
        """Check every action of a stage, in the order of the plan. `Refusal`: nothing of the stage may be sent."""
        for action in actions_of(stage):
            subject = Subject(self._view, stage, action)
            for check in self._checks:
                if check.about(subject) and (why := check.fault(subject)):
                    raise Refusal(check.name, action, why)
            self._remember(subject)

    def _remember(self, s: Subject) -> None:
        """Keep what later actions of the plan may rely on."""
        if s.operation in {"create_revision", "renumber_revision"}:
            self._view.made.add(s.name)
        if s.operation == "create_revision":
            self._view.removals[s.name] = get(s.manifest, "data", CLAIM_TEMPLATES)
        if s.operation == "set_claim_owners":
            left = {owner.uid for owner in s.body.owners}
            self._view.released |= {(s.claim.uid, o.uid) for o in self._view.owners(s.claim) if o.uid not in left}


def _every(_: Subject) -> bool:
    return True


def _on(*operations: str) -> About:
    return lambda s: s.operation in operations


def _changes(kind: str) -> About:
    return lambda s: s.operation not in target.CREATES and s.kind == kind


def _notes(kind: str) -> About:
    return lambda s: s.operation == "patch_annotations" and s.kind == kind


_creates = _on(*target.CREATES)
_adopts = _on("adopt_pod", "adopt_revision")
_makes = _on("create_pod", "create_revision")
_newest = _on("create_revision", "renumber_revision")
_pod = _on("create_pod")

CHECKS = [
    # What is written to.
    Check(
        "operation",
        "the operation is known",
        _every,
        target.operation_fault,
    ),
    Check(
        "kind",
        "the target's kind is the one that the operation is for",
        _every,
        target.kind_fault,
    ),
    Check(
        "namespace",
        "the target is in the set's namespace",
        _every,
        target.namespace_fault,
    ),
    Check(
        "name",
        "the target's name is a DNS subdomain: no slash, no `..`",
        _every,
        target.name_fault,
    ),
    Check(
        "must-not-exist",
        "a create says that nothing of the name may exist",
        _creates,
        target.create_fault,
    ),
    Check(
        "uid",
        "every other write names the uid that the snapshot shows for the target; UpdateStatus and SetFinalizer that of this set",
        lambda s: s.operation not in target.CREATES,
        target.uid_fault,
    ),
    Check(
        "version",
        "a resource version is the one that the snapshot shows; PatchPod, UpdatePod, ResizePod, SetClaimOwners, PatchClaim, "
        "RenumberRevision, UpdateStatus, DeleteClaim, a change of `drain-set` on a claim and one of `in-place-update` on a "
        "pod name one",
        lambda s: s.operation not in target.CREATES,
        target.version_fault,
    ),
    Check(
        "manifest",
        "a manifest is JSON of at most 3 MiB and 200 levels, and no key stands twice in an object",
        _creates,
        manifests.manifest_fault,
    ),
    Check(
        "alone",
        "with the scope `DRAIN_ONLY`: nothing but notes of a drain, drain pods, drained claims, references that are taken off "
        "claims under a drain template, and the finalizer; pods of the set only while it is emptied",
        target.alone,
        target.alone_fault,
    ),
    # Whose it is.
    Check(
        "own-pod",
        "a pod that is deleted, evicted or changed is controlled by the set, or nobody's with the labels and the name of a set "
        "that is not being deleted; one that is deleted may be a drain pod of the set",
        _changes(POD),
        own.pod_own_fault,
    ),
    Check(
        "own-revision",
        "a revision that is changed or deleted has labels that the selector matches and no other controller",
        _changes(REVISION),
        own.revision_own_fault,
    ),
    Check(
        "own-claim",
        "a claim has the name of a claim template (the set's own, or an object of another name in the data of a revision of "
        "the set under `claim-templates`, or in the annotation of that name if the set's pod template has a volume for it that "
        "is bound to a claim of the same name and not only read), the set and an ordinal",
        lambda s: s.kind == CLAIM,
        claims.claim_own_fault,
    ),
    Check(
        "orphan",
        "what is adopted has the set's labels (a pod its name too), nobody controls it, it is no drain pod and not being deleted",
        _adopts,
        own.orphan_fault,
    ),
    Check(
        "adopter",
        "the owner that is added is this set, as the controller",
        _adopts,
        own.adopter_fault,
    ),
    Check(
        "live-set",
        "the set is not being deleted, and the stage of an adoption has requires_live_set",
        _adopts,
        own.live_fault,
    ),
    Check(
        "release",
        "a pod is released from this set only, and only if its labels or its name are not the set's any more",
        _on("release_pod"),
        own.release_fault,
    ),
    # What is changed.
    Check(
        "pod-labels",
        "PatchPod sets the labels of the pod's own identity and no others",
        _on("patch_pod"),
        own.pod_labels_fault,
    ),
    Check(
        "pod-volumes",
        "PatchPod binds volumes of the claim templates to the claims of the pod's own ordinal",
        _on("patch_pod"),
        own.pod_volumes_fault,
    ),
    Check(
        "pod-update",
        "UpdatePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted. The pod's "
        "revision is the one that its `in-place-update` names, or otherwise its label. The action relabels, and sets "
        "controller-revision-hash; or it starts, and sets `in-place-update` to a text that names another revision than the "
        "pod's `in-place-update` does; or it notes, and sets a text that names the same; or it finishes, and sets `{}`. A "
        "revision that it relabels or starts for is in the snapshot or made by the plan, and it sets and removes exactly the "
        "labels and annotations in which that one's template differs from that of the pod's revision, none of them a label of "
        "the identity or another key under `setplan.io/`; the two differ in nothing else but, where it starts, in images and in "
        "cpu and memory of containers and of sidecars, which the second one still asks for. A note and a finish set and remove "
        "nothing more, but for the label of a finish",
        _on("update_pod"),
        updates.pod_update_fault,
    ),
    Check(
        "pod-images",
        "images change only by a start, of a pod whose containers the snapshot shows: each list has all of them, in order, "
        "with the template's image where the templates differ and otherwise their own, and is left out only where nothing of "
        "it differs. What a start or a note sets is an object with `at`, a time in seconds, `containers`, `revision` and, of "
        "a note alone, `seen`, which is true. Of a container whose image changes, `containers` has `id` and `image` as the "
        "snapshot shows them; if the pod's `in-place-update` has it already, also `good`, which is that one's or otherwise "
        "its `id` and `image`, and perhaps `open`, which is true. Of others it has what the pod's has, and a note may have of "
        "these what the snapshot shows, with `good`. A pod that is on its way is not relabelled, and its finish sets the "
        "label to the revision that it was on its way to, or leaves the label out where it is that",
        _on("update_pod"),
        pod_images_fault,
    ),
    Check(
        "pod-resources",
        "what a start notes under `resize`, by container, is the limits and requests of cpu and memory in which the templates "
        "differ, as the snapshot shows them in the pod's spec, or empty, beside what the pod's `in-place-update` has there; "
        "`restarts`, which is true, is there if a `resizePolicy` asks for a restart for one of them, and otherwise at most "
        "where it was. A note leaves both as they are. Of what the pod's `in-place-update` has under `resize`, a finish finds "
        "in the pod's spec what the revision asks for, or something that is not what is noted there",
        _on("update_pod"),
        resizes.pod_resources_fault,
    ),
    Check(
        "pod-resize",
        "ResizePod is for a pod in the range of a set that asks for it by `in-place` and is not being deleted, which is on its "
        "way to a revision that the snapshot has or the plan makes, and whose containers the snapshot shows: each list has all "
        "of them, in order, or is empty. It sets at least one limit or request, each of which the pod's `in-place-update` has "
        "under `resize`, with what the snapshot shows in the pod's spec, and sets it to what the revision's template asks for "
        "in a container or a sidecar; a request that it does not have is the limit",
        _on("resize_pod"),
        resizes.pod_resize_fault,
    ),
    Check(
        "pod-notes",
        "of a pod's annotations `drain-request` is set and removed, `drain-answer` is removed, and no other is touched; but "
        "`in-place-update` is set by itself to `{}` where it is not there, on a pod in the range of a set that asks for it by "
        "`in-place` and is not being deleted",
        _notes(POD),
        own.pod_notes_fault,
    ),
    Check(
        "claim-notes",
        "of a claim's annotations `drain-set`, `drain-attempts` and `drain-begun` are set and removed, and no other is touched",
        _notes(CLAIM),
        claims.claim_notes_fault,
    ),
    Check(
        "mark",
        "a claim that another set has marked is left alone; a new mark is this set's, under a drain template, for an "
        "ordinal that the policy covers: in the range (unless the set is emptied), with a replica, with a marked claim, or "
        "with `drain-leftovers`",
        _notes(CLAIM),
        claims.mark_fault,
    ),
    Check(
        "drain-begun",
        "attempts are counted only on claims of an ordinal outside the range, of a set that is emptied, or of a drain that "
        "was begun",
        _notes(CLAIM),
        claims.begun_fault,
    ),
    Check(
        "owners-kept",
        "SetClaimOwners leaves every owner as it is that is neither the set's name nor that of the claim's pod",
        _on("set_claim_owners"),
        claims.owners_kept_fault,
    ),
    Check(
        "owners-added",
        "a claim refers to this set only where whenDeleted is Delete (and no `drain-on-delete`), and to its pod, by the "
        "uid in the snapshot, only where whenScaled is Delete, no drain template is there and the ordinal is outside the "
        "range",
        _on("set_claim_owners"),
        claims.owners_added_fault,
    ),
    Check(
        "drained",
        "D1 again: a claim is deleted under a drain template, if it bears the set's mark and a drain pod of the set lists "
        "its uid, has drained (D4) and is not being deleted, and no other set calls claims as this one does",
        _on("delete_claim"),
        claims.drained_fault,
    ),
    Check(
        "claim-change",
        "PatchClaim is for an ordinal in the range of a set that asks for it and is not being deleted, and for a claim that "
        "nobody else controls and that no other set calls so; what it asks for is what the claim template with its patch in "
        "`claim-templates`, or the template that is added there, asks for, labels and annotations are the template's without "
        "the selector's, and beside them only `claim-request` with that text, `claim-changed` with a time and `claim-metadata` "
        "with at most 13 digits and small letters are set",
        _on("patch_claim"),
        changes.claim_change_fault,
    ),
    Check(
        "in-use",
        "a revision that is deleted is not the current one, and no pod of the set has it",
        _on("delete_revision"),
        own.in_use_fault,
    ),
    Check(
        "generation",
        "UpdateStatus has a status, and observes no generation that there is not yet",
        _on("update_status"),
        own.generation_fault,
    ),
    Check(
        "finalizer",
        "the finalizer is `setplan.io/drain`, and is added only to a set with a drain template and `drain-on-delete` that "
        "is not being deleted",
        _on("set_finalizer"),
        own.finalizer_fault,
    ),
    Check(
        "undrained",
        "under a drain template a replica is deleted or evicted, and the finalizer added, only if no claim of the set that has not "
        "been drained refers to that pod or to the set, or an earlier action has taken the reference off",
        own.takes_claims,
        own.undrained_fault,
    ),
    # What is made.
    Check(
        "object",
        "a manifest has the target's kind and name, the set's namespace, and no field beside spec (of a revision data and "
        "revision)",
        _creates,
        manifests.object_fault,
    ),
    Check(
        "metadata",
        "metadata holds labels, annotations, owners, a generateName of the set's name, the template's finalizers, and nothing else",
        _makes,
        manifests.metadata_fault,
    ),
    Check(
        "owner",
        "the only owner is this set as the controller; of a drain pod this set without controller, or nobody while the set "
        "is emptied",
        _makes,
        manifests.owner_fault,
    ),
    Check(
        "labels",
        "labels are the template's and the object's identity (pod-name, pod-index, controller-revision-hash; of a revision "
        "its hash); a drain pod's are not matched by the selector",
        _makes,
        manifests.labels_fault,
    ),
    Check(
        "annotations",
        "annotations are the template's; of a drain pod also `drain-set` and `drain-claims`; of a revision they are the set's",
        _makes,
        manifests.annotations_fault,
    ),
    Check(
        "pod-wanted",
        "a replica's ordinal is in the range of a set that is not being deleted; a drain pod's is outside it, or its drain "
        "was begun, or the set is emptied",
        _pod,
        pods.pod_wanted_fault,
    ),
    Check(
        "pod-revision",
        "a replica's controller-revision-hash names a revision that the snapshot has or the plan makes",
        lambda s: _pod(s) and not s.is_drain,
        pods.pod_revision_fault,
    ),
    Check(
        "drain-claims",
        "a drain pod is for an ordinal that the policy covers, and lists uids of claims of that ordinal that are not being "
        "deleted nor another set's, and no other set calls claims as this one does",
        lambda s: s.is_drain,
        pods.drain_claims_fault,
    ),
    Check(
        "spec",
        "every field of a pod's spec is the template's: of the set, of the revision that it names, or of its drain (a "
        "drain pod's restartPolicy is OnFailure where the template has none, and with `drain-proof` each of its containers "
        "has SETPLAN_DRAIN_TOKEN in its environment, last)",
        _pod,
        pods.spec_fault,
    ),
    Check(
        "address",
        "hostname is the pod's name, subdomain the set's service",
        _pod,
        pods.address_fault,
    ),
    Check(
        "volumes",
        "volumes are the claims of the ordinal, in the order of the claim templates, without those that the data of the "
        "pod's revision has as null under `setplan.io/claim-templates` and with those, in the order of their names, that it "
        "has there as objects, and then the template's others; a drain pod's are without those that are removed or added "
        "and whose claim is not there",
        _pod,
        pods.volumes_fault,
    ),
    Check(
        "claim-wanted",
        "a claim is made for an ordinal in the range of a set that is not being deleted",
        _on("create_claim"),
        claims.claim_wanted_fault,
    ),
    Check(
        "claim",
        "a claim is its template, with or without its patch in `claim-templates`; or the template that is added there, or "
        "in the data of the newest revision that has one of the name; with the selector's labels, under a drain template "
        "with `drain-set`, and where claims follow their templates with `claim-request` and `claim-metadata`",
        _on("create_claim"),
        manifests.claim_manifest_fault,
    ),
    Check(
        "revision-name",
        "a revision's name is the set's, a dash and more",
        _on("create_revision"),
        manifests.revision_name_fault,
    ),
    Check(
        "revision-data",
        "the data of a revision that is made or renumbered is the set's template as a patch that replaces it; beside `spec` "
        "it may have `setplan.io/claim-templates` with null for claim templates that the set's annotation has as null, or "
        "the newest revision's data; and with objects, where a revision is made only those that the annotation has for "
        "names that the set has no claim template of, or the data of the newest revision that has one of the name",
        _newest,
        manifests.revision_data_fault,
    ),
    Check(
        "revision-number",
        "its number is the next one after the set's other revisions",
        _newest,
        own.number_fault,
    ),
]
