"""What the checks know of the set: the snapshot of the request, and what earlier actions of the plan have done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from setplan.adapter.verify._json import get, listed, members, merged, parse, removes, text_of
from setplan.adapter.verify._names import (
    CLAIM_POLICY,
    CLAIM_TEMPLATES,
    DRAIN_CLAIMS,
    DRAIN_SET,
    FINALIZER,
    IN_PLACE,
    LABEL_POD_INDEX,
    LABEL_POD_NAME,
    LABEL_REVISION,
    is_member,
    ordinal_in,
    trailing_digits,
)
from setplan.adapter.verify._policy import Policy, policy_of, read_template
from setplan.adapter.verify._proof import has_drained
from setplan.adapter.verify._range import Range
from setplan.v1.snapshot_pb2 import Claim, LabelSelector, OwnerReference, Pod, Revision, Snapshot


class SetView:
    """The set of one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.set = snapshot.set
        self.made: set[str] = set()  # revisions that the plan makes the newest
        self.removals: dict[str, Any] = {}  # what revisions say of removed claim templates; see removed_by
        self.released: set[tuple[str, str]] = set()  # claim and owner, by uid, where the plan has taken the reference off

    @cached_property
    def pods(self) -> Mapping[str, Pod]:
        return {pod.name: pod for pod in self.snapshot.pods}

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        return {claim.name: claim for claim in self.snapshot.claims}

    @cached_property
    def revisions(self) -> Mapping[str, Revision]:
        return {revision.name: revision for revision in self.snapshot.revisions}

    @cached_property
    def policy(self) -> Policy:
        return policy_of(self.snapshot)

    @cached_property
    def range(self) -> Range:
        return Range(self.snapshot)

    @cached_property
    def template(self) -> Any:
        return _document(self.set.pod_template)

    @cached_property
    def own_templates(self) -> dict[str, Any]:
        """The set's own claim templates, by name."""
        templates = [_document(text) for text in self.set.claim_templates]
        return {text_of(get(template, "metadata", "name")): template for template in templates}

    @cached_property
    def stored_additions(self) -> dict[str, Any]:
        """The claim templates that revisions of the set have beside its own, by name: of two, the newer revision's."""
        own = sorted((r for r in self.snapshot.revisions if self.own_revision(r)), key=_age)
        return {name: value for r in own for name, value in self._added_in(get(_document(r.data), CLAIM_TEMPLATES))}

    @cached_property
    def additions(self) -> dict[str, Any]:
        """The claim templates that the annotation adds, by name: those that a revision has or the pod template asks for."""
        known = self._asked_volumes | self.stored_additions.keys()
        return {name: value for name, value in self._added_in(self.claim_patches) if name in known}

    @property
    def _asked_volumes(self) -> set[str]:
        """The volumes of the pod template that are bound to a claim of their own name, to be written to."""
        volumes = [
            (text_of(get(v, "name")), get(v, "persistentVolumeClaim")) for v in listed(get(self.template, "spec", "volumes"))
        ]
        return {name for name, claim in volumes if get(claim, "claimName") == name and get(claim, "readOnly") is not True}

    def _added_in(self, said: Any) -> Iterator[tuple[str, Any]]:
        return (
            (name, value) for name, value in members(said).items() if isinstance(value, dict) and name not in self.own_templates
        )

    @cached_property
    def claim_templates(self) -> list[Any]:
        """The claim templates without what the annotation says; None where only that has one."""
        return [self.own_templates.get(name, self.stored_additions.get(name)) for name in self.claim_names]

    @cached_property
    def claim_patches(self) -> Any:
        """The patches of the claim templates, by name; None if there are none, or they cannot be read."""
        return read_template(self.set.annotations.get(CLAIM_TEMPLATES, "").encode(), maybe_yaml=True)

    @cached_property
    def patched_templates(self) -> list[Any]:
        """The claim templates as the annotation wants them: each with its patch, or as it is added."""
        return [self._patched(name, template) for name, template in zip(self.claim_names, self.claim_templates, strict=True)]

    def _patched(self, name: str, template: Any) -> Any:
        patch = get(self.claim_patches, name)
        if patch is None:
            return template
        return merged(template, patch) if name in self.own_templates else patch

    @cached_property
    def claims_follow(self) -> bool:
        """Claims follow their templates: the policy says so, or there is none and a patch is there."""
        field = text_of(get(_document(self.set.own_fields), "claimUpdatePolicy"))
        policy = field or self.set.annotations.get(CLAIM_POLICY, "")
        return policy.startswith("InPlace") if policy else bool(self.set.annotations.get(CLAIM_TEMPLATES))

    @cached_property
    def updates_in_place(self) -> bool:
        """The set asks for updates in place. A text that this build does not know does, too: what is not deleted is safe."""
        field = text_of(get(_document(self.set.own_fields), "inPlace"))
        return (field or self.set.annotations.get(IN_PLACE, "")) not in {"", "Recreate"}

    @cached_property
    def claim_names(self) -> list[str]:
        """Names of the claim templates: the set's own, in order, and after them those that are added, sorted."""
        return [*self.own_templates, *sorted(self.additions | self.stored_additions)]

    @cached_property
    def stored(self) -> Mapping[str, Any]:
        """The template that each revision stores, without the mark of a patch that replaces."""
        return {
            name: {key: value for key, value in members(get(_document(r.data), "spec", "template")).items() if key != "$patch"}
            for name, r in self.revisions.items()
            if r.data
        }

    def template_of(self, revision: str) -> Any:
        """Return the template of a revision that the snapshot has or the plan makes."""
        return self.template if revision in self.made else self.stored.get(revision, self.template)

    def removed_by(self, revision: str) -> Any:
        """Return what a revision of the snapshot, or one that the plan creates, says of removed claim templates."""
        if revision not in self.removals:
            stored = self.revisions.get(revision)
            self.removals[revision] = None if stored is None else get(_document(stored.data), CLAIM_TEMPLATES)
        return self.removals[revision]

    def has(self, revision: str, template: str) -> bool:
        """Report whether the pods of a revision have a claim template."""
        said = self.removed_by(revision)
        return not removes(said, template) if template in self.own_templates else isinstance(get(said, template), dict)

    def may_add(self, template: str, value: Any) -> bool:
        """Report whether a new revision may have a claim template beside the set's own: the set adds it, or an earlier revision."""
        added = (self.additions.get(template), self.stored_additions.get(template))
        return any(one is not None and one == value for one in added)

    def may_remove(self, template: str) -> bool:
        """Report whether new pods may be without a claim template.

        The set says so, or the newest revision, as long as the set's annotation cannot be read.
        """
        newest = self.newest()
        return removes(self.claim_patches, template) or (newest is not None and removes(self.removed_by(newest.name), template))

    @property
    def mark(self) -> str:
        """What the set's drain pods and the claims under its drain policy bear."""
        return f"{self.set.name}/{self.set.uid}"

    @property
    def deleting(self) -> bool:
        return self.set.deletion_unix_ms != 0

    @property
    def draining(self) -> bool:
        return self.policy.draining

    @property
    def emptying(self) -> bool:
        """The set is being deleted and is drained before it goes."""
        return self.deleting and self.draining and self.policy.on_delete and FINALIZER in self.set.finalizers

    @property
    def shared(self) -> bool:
        """Another set of the namespace uses the same claim names, so that nobody can tell whose claims they are."""
        return len(self.snapshot.claim_neighbours) > 0

    @property
    def owner(self) -> OwnerReference:
        """The reference by which the set controls what it makes and adopts."""
        return OwnerReference(
            api_version=self.set.api_version,
            kind=self.set.kind,
            name=self.set.name,
            uid=self.set.uid,
            controller=True,
            block_owner_deletion=True,
        )

    def of_same_name(self, mark: str) -> bool:
        """Report whether a mark is this set's, or an earlier one's of its name."""
        return mark.startswith(self.set.name + "/")

    def owners(self, thing: Pod | Claim | Revision) -> list[OwnerReference]:
        entry = _at(self.snapshot.tables.owner_sets, thing.owner_set_index)
        return list(entry.owners) if entry is not None else []

    def notes(self, thing: Pod | Claim) -> Mapping[str, str]:
        entry = _at(self.snapshot.tables.annotation_sets, thing.annotation_set_index)
        return entry.annotations if entry is not None else {}

    def ours(self, thing: Pod | Claim | Revision) -> bool:
        """Report whether the set controls it."""
        return any(owner.controller and owner.uid == self.set.uid for owner in self.owners(thing))

    def orphan(self, thing: Pod | Claim | Revision) -> bool:
        """Report whether nobody controls it."""
        return not any(owner.controller for owner in self.owners(thing))

    def revision_name(self, pod: Pod) -> str:
        return _at(self.snapshot.tables.revision_names, pod.revision_name_index) or ""

    def matches(self, pod: Pod) -> bool:
        """Report whether the selector is for a pod, by all of its labels."""
        entry = _at(self.snapshot.tables.label_sets, pod.label_set_index)
        labels = dict(entry.labels) if entry is not None else {}
        if pod.pod_name_label:
            labels[LABEL_POD_NAME] = pod.name
        if pod.pod_index_label:
            labels[LABEL_POD_INDEX] = trailing_digits(pod.name)
        if pod.revision_name_index:
            labels[LABEL_REVISION] = self.revision_name(pod)
        return selects(self.set.selector, labels)

    def member(self, pod: Pod) -> bool:
        """Report whether a pod is the set's: the set controls it, or may adopt it for its name and labels.

        A set that is being deleted adopts nothing: who deletes it with --cascade=orphan keeps the pods.
        """
        if self.ours(pod):
            return True
        return self.orphan(pod) and not self.deleting and is_member(pod.name, self.set.name) and self.matches(pod)

    def drain_pod(self, pod: Pod) -> bool:
        """Report whether a pod is a drain pod of the set: it says so, and nobody controls it."""
        return self.orphan(pod) and self.notes(pod).get(DRAIN_SET, "") == self.mark

    def drained_by(self, claim: Claim) -> Iterator[Pod]:
        """List the drain pods that have drained a claim (D4)."""
        for pod in self.snapshot.pods:
            notes = self.notes(pod)
            drained = notes.get(DRAIN_CLAIMS, "").split(",")
            if self.drain_pod(pod) and claim.uid in drained and has_drained(pod, notes, self.policy.proves):
                yield pod

    def own_revision(self, revision: Revision) -> bool:
        """Report whether a revision is the set's: labels that match, and no other controller."""
        return (self.ours(revision) or self.orphan(revision)) and selects(self.set.selector, revision.labels)

    def newest(self) -> Revision | None:
        """Return the newest revision of the set: by number, then age, then name."""
        own = [r for r in self.snapshot.revisions if self.own_revision(r)]
        return max(own, key=_age, default=None)

    def claim_ordinal(self, name: str) -> int | None:
        """Read the ordinal of `<template>-<set>-<ordinal>` for one of the set's claim templates."""
        ordinals = (ordinal_in(name, f"{template}-{self.set.name}") for template in self.claim_names)
        return next((ordinal for ordinal in ordinals if ordinal is not None), None)

    def claims_of(self, ordinal: int) -> list[Claim]:
        """List the existing claims of an ordinal."""
        names = (f"{template}-{self.set.name}-{ordinal}" for template in self.claim_names)
        return [self.claims[name] for name in names if name in self.claims]

    def undrained(self, owner: str) -> Claim | None:
        """Return an undrained claim of the set that would be deleted with an owner.

        Deleting the owner of a claim deletes the claim: the garbage collector knows no drain.
        """
        return next(
            (c for c in self._belongings.get(owner, ()) if (c.uid, owner) not in self.released and not any(self.drained_by(c))),
            None,
        )

    @cached_property
    def _belongings(self) -> Mapping[str, list[Claim]]:
        found: dict[str, list[Claim]] = {}
        for claim in self.snapshot.claims:
            if self.claim_ordinal(claim.name) is not None and not claim.deletion_unix_ms:
                for owner in self.owners(claim):
                    found.setdefault(owner.uid, []).append(claim)
        return found

    @cached_property
    def pod_uids(self) -> frozenset[str]:
        """Uids of the pods with the set's name: claims are deleted with a released pod, too."""
        return frozenset(pod.uid for pod in self.snapshot.pods if is_member(pod.name, self.set.name))


def selects(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    """Evaluate a selector with the meaning of metav1.LabelSelector. One that is empty selects nothing."""
    rules: dict[str, Callable[[str | None, Iterable[str]], bool]] = {
        "Exists": lambda value, _: value is not None,
        "DoesNotExist": lambda value, _: value is None,
        "In": lambda value, values: value is not None and value in values,
        "NotIn": lambda value, values: value is None or value not in values,
    }
    if not selector.match_labels and not selector.match_expressions:
        return False
    return all(labels.get(key) == value for key, value in selector.match_labels.items()) and all(
        r.operator in rules and rules[r.operator](labels.get(r.key), list(r.values)) for r in selector.match_expressions
    )


def _at(table: Any, index: int) -> Any:
    """Read a table. Index 0 means none, whatever the first entry holds."""
    return table[index] if 0 < index < len(table) else None


def _document(text: bytes) -> Any:
    """Read a text of the snapshot; None if it is no JSON. If a key occurs twice the last one counts, as for everybody else."""
    try:
        return parse(text)
    except ValueError:
        return None


def _age(revision: Revision) -> tuple[int, int, str]:
    return revision.number, revision.created_unix_ms, revision.name
