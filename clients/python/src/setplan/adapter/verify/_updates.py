"""The check of updates in place.

A pod that is said to be at a revision runs what that revision says, and has what it asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from setplan.adapter.verify._images import apart_from_images
from setplan.adapter.verify._json import get, members, quote
from setplan.adapter.verify._names import LABEL_POD_INDEX, LABEL_POD_NAME, LABEL_REVISION, UPDATE
from setplan.adapter.verify._resources import apart_from_resources
from setplan.adapter.verify._subject import Subject
from setplan.adapter.verify._under_way import Step, Updating, in_place_fault, runs, updating

_IDENTITY = frozenset({LABEL_POD_NAME, LABEL_POD_INDEX, LABEL_REVISION})


def pod_update_fault(s: Subject) -> str:
    """Let a pod go to another revision only if the templates differ in what may change, and give it these labels and annotations.

    The images and the resources are other checks' business.
    """
    view = s.view
    does = updating(s)
    name, was = does.to, runs(view, s.pod)
    stays = does.step in {Step.NOTES, Step.FINISHES}  # at the revision whose template the pod has
    if why := in_place_fault(s):
        return why
    if not name or (not stays and name not in view.revisions and name not in view.made):
        return f"the revision {quote(name)} is neither in the snapshot nor made by the plan"
    if stays:
        return _metadata_fault(s, does, None, None)
    if was not in view.revisions:
        return "the snapshot does not have the pod's revision"
    old, new = view.stored.get(was), view.template_of(name)
    if not old or not new:
        return "a template cannot be read"
    old, new, changed, _ = apart_from_resources(old, new)
    if does.step == Step.STARTS:
        old, new, _ = apart_from_images(old, new)
    elif changed:
        return "the templates differ in resources"
    was_metadata, metadata = get(old, "metadata"), get(new, "metadata")
    if not _same_but(old, new, {"metadata"}) or not _same_but(was_metadata, metadata, {"labels", "annotations"}):
        return "the templates differ in more than may change"
    if any(view.has(was, template) != view.has(name, template) for template in view.claim_names):
        return "the revisions have other claim templates"
    return _metadata_fault(s, does, was_metadata, metadata)


def _metadata_fault(s: Subject, does: Updating, old: Any, new: Any) -> str:
    """Compare what the pod gets with the labels and annotations in which two templates differ.

    The label of the revision is no part of a start: it follows when the images run.
    """
    at_once = does.step in {Step.RELABELS, Step.FINISHES}
    labels = {key: value for key, value in s.body.labels.items() if not at_once or key != LABEL_REVISION}
    notes = {key: value for key, value in s.body.annotations.items() if key != UPDATE}
    return _change_fault("label", get(old, "labels"), get(new, "labels"), labels, s.body.remove_labels) or _change_fault(
        "annotation", get(old, "annotations"), get(new, "annotations"), notes, s.body.remove_annotations
    )


def _change_fault(what: str, old: Any, new: Any, put: Mapping[str, str], removed: Collection[str]) -> str:
    """Compare what is set and removed with how two maps of texts differ."""
    before, after = members(old), {key: value for key, value in members(new).items() if isinstance(value, str)}
    wanted = {key: value for key, value in after.items() if key not in _IDENTITY and before.get(key) != value}
    gone = {key for key in before if key not in after and key not in _IDENTITY}
    for key in [*(key for key, value in put.items() if wanted.get(key) != value), *(key for key in removed if key not in gone)]:
        return f"the {what} {quote(key)} is not what the templates differ in"
    for key in [*put, *removed]:
        if key.startswith("setplan.io/"):
            return f"the {what} {quote(key)} is not the planner's to change"
    if len(put) != len(wanted) or set(removed) != gone:
        return f"a {what} in which the templates differ is left out"
    return ""


def _same_but(a: Any, b: Any, but: Collection[str] = ()) -> bool:
    """Compare two templates, or parts, but for some keys.

    Nulls and empty objects are as good as nothing: older API servers wrote them.
    """
    return all(key in but or _same(get(a, key), get(b, key)) for key in {**members(a), **members(b)})


def _same(a: Any, b: Any) -> bool:
    if a in (None, {}) or b in (None, {}):
        return a in (None, {}) and b in (None, {})
    if isinstance(a, dict) and isinstance(b, dict):
        return _same_but(a, b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)
