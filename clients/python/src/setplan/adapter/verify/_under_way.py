"""What is under way in pods.

While images or resources of a pod change in place, an annotation says what is under way: to which revision, which containers ran
before, and which resources they had. The label of the revision follows in an update of its own, which empties the annotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from setplan.adapter.verify._json import get, parse, text_of
from setplan.adapter.verify._names import LABEL_REVISION, POD, UPDATE
from setplan.adapter.verify._set import SetView
from setplan.adapter.verify._subject import Subject
from setplan.v1.snapshot_pb2 import Pod

NOTHING = "{}"


@dataclass(frozen=True)
class UnderWay:
    """What that annotation of a pod says."""

    marked: bool = False  # it is there
    broken: bool = False  # and nobody can read it
    record: Any = None
    revision: str = ""  # empty: nothing is under way


def under_way(view: SetView, pod: Pod) -> UnderWay:
    notes = view.notes(pod)
    if UPDATE not in notes:
        return UnderWay()
    text = notes[UPDATE]
    if get(view.stored.get(view.revision_name(pod)), "metadata", "annotations", UPDATE) == text:
        return UnderWay(marked=True)  # every pod of that template has it
    record = _read(text)
    revision = text_of(get(record, "revision"))
    return UnderWay(True, text != NOTHING and not revision, record, revision)


def runs(view: SetView, pod: Pod) -> str:
    """Return the revision whose template a pod has: the one that it is on its way to, or else the label's."""
    return under_way(view, pod).revision or view.revision_name(pod)


class Step(Enum):
    """A step of an update in place."""

    RELABELS = 1  # labels and annotations alone change
    STARTS = 2  # images change, or resources are to
    NOTES = 3  # what the pod runs is noted anew while they change
    FINISHES = 4  # they have changed, and the label follows


@dataclass(frozen=True)
class Updating:
    """What an UpdatePod does."""

    step: Step
    to: str  # the revision
    record: Any = None  # of a start and a note: what is under way


def updating(s: Subject) -> Updating:
    if UPDATE not in s.body.annotations:
        return Updating(Step.RELABELS, s.body.labels.get(LABEL_REVISION, ""))
    under, text = under_way(s.view, s.pod), s.body.annotations[UPDATE]
    if text == NOTHING:
        return Updating(Step.FINISHES, under.revision)
    record = _read(text)
    to = text_of(get(record, "revision"))
    return Updating(Step.NOTES if to and to == under.revision else Step.STARTS, to, record)


def in_place_fault(s: Subject) -> str:
    """Refuse updates in place but of pods in the range of a set that asks for it."""
    if not s.view.updates_in_place:
        return "the set does not ask that pods are updated in place"
    if s.ordinal is None or s.view.deleting or s.ordinal not in s.view.range:
        return "no ordinal of the range has this pod"
    return ""


def marks_pod(s: Subject) -> bool:
    """Report whether the action marks a pod for updates of its images."""
    return s.operation == "patch_annotations" and s.kind == POD and UPDATE in s.patch.set


def mark_fault(s: Subject) -> str:
    """Let a pod be marked once, before its images change for the first time: then the snapshot shows what runs in it."""
    if s.patch.set[UPDATE] != NOTHING or len(s.patch.set) + len(s.patch.remove) > 1:
        return "a pod is marked for updates in place, and says more than that"
    if under_way(s.view, s.pod).marked:
        return "the pod is marked for updates in place already"
    return in_place_fault(s)


def _read(text: str) -> Any:
    try:
        return parse(text.encode(), strict=True)
    except ValueError:
        return None
