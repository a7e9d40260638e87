"""The check of images in place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from setplan.adapter.verify._containers import CONTAINERS, INIT_CONTAINERS, LISTS, Shown, pairs_of, shown_of, stays, with_containers
from setplan.adapter.verify._json import Number, differing, get, members, quote, text_of
from setplan.adapter.verify._names import LABEL_REVISION
from setplan.adapter.verify._resources import apart_from_resources
from setplan.adapter.verify._subject import Subject
from setplan.adapter.verify._under_way import Step, UnderWay, Updating, runs, under_way, updating
from setplan.v1.plan_pb2 import ContainerImage
from setplan.v1.snapshot_pb2 import Container

_SECONDS = re.compile(r"[0-9]{1,11}")
_Changed = Mapping[str, Mapping[str, str]]  # images that change, by list and name


def pod_images_fault(s: Subject) -> str:
    """Let images be the template's where the revisions differ, and otherwise stay.

    What is under way is what the snapshot shows, and the label comes when it is over.
    """
    does, under = updating(s), under_way(s.view, s.pod)
    label = s.body.labels.get(LABEL_REVISION, s.view.revision_name(s.pod))
    if under.broken:
        return "nobody can read what is under way in the pod"
    if does.step != Step.STARTS and (s.body.containers or s.body.init_containers):
        return "images change, and nothing says what is under way"
    if does.step == Step.FINISHES:
        return "" if label == does.to else "the label is not the revision that the pod was on its way to"
    if does.step == Step.RELABELS:
        return "the pod is on its way to a revision" if under.revision else ""
    if not s.pod.HasField("containers"):
        return "the snapshot does not show what runs in the pod"
    shown = shown_of(s)
    if does.step == Step.NOTES:
        return _record_fault(does, under, {}, shown)
    return _start_fault(s, does, under, shown)


def _start_fault(s: Subject, does: Updating, under: UnderWay, shown: Shown) -> str:
    view = s.view
    old, new = view.stored.get(runs(view, s.pod)), view.template_of(does.to)
    _, _, changed = apart_from_images(old, new)
    _, _, resized, _ = apart_from_resources(old, new)
    if not any(changed.values()) and not resized and not under.revision:
        return "the templates differ in no image, and in no resource"
    return (
        _images_fault(s.body.containers, shown[CONTAINERS], changed.get(CONTAINERS, {}))
        or _images_fault(s.body.init_containers, shown[INIT_CONTAINERS], changed.get(INIT_CONTAINERS, {}))
        or _record_fault(does, under, changed, shown)
    )


def _images_fault(images: Sequence[ContainerImage], shown: Sequence[Container], changed: Mapping[str, str]) -> str:
    """Compare a list of images with the pod's containers. A list in which nothing changes may be left out."""
    if not images and not changed:
        return ""
    if len(images) != len(shown):
        return "the images are not those of all containers of the pod"
    for image, container in zip(images, shown, strict=True):
        if image.name != container.name:
            return "the containers are not in the order of the pod"
        if image.image != changed.get(container.name, container.image):
            return f"the image of the container {quote(container.name)} is not what the templates differ in"
    if not changed.keys() <= {container.name for container in shown}:
        return "the pod lacks a container whose image changes"
    return ""


def _record_fault(does: Updating, under: UnderWay, changed: _Changed, shown: Shown) -> str:
    """Compare what is under way with what the snapshot shows of each container whose image changes.

    What was under way before stays in it, as it was; a note may say of it what the snapshot shows now.
    """
    notes = does.step == Step.NOTES
    if not _recorded(does.record) or (get(does.record, "seen") is not None) != notes:
        return "what is under way has another form"
    now, before = members(get(does.record, "containers")), members(get(under.record, "containers"))
    known = 0
    for of, containers in shown.items():
        for container in containers:
            entry, was = now.get(container.name), before.get(container.name)
            known += entry is not None
            right = entry == was
            if container.name in changed.get(of, {}) or (notes and was is not None and not right):
                right = _tells(entry, container, was)
            if not right:
                return f"what is under way is not what the snapshot shows of the container {quote(container.name)}"
    return "" if known == len(now) else "what is under way names a container that the pod does not have"


def _recorded(record: Any) -> bool:
    """Report whether a record has its form, but for its entries."""
    at = get(record, "at")
    return (
        not differing(record, {}, {"at", "containers", "resize", "restarts", "revision", "seen"})
        and isinstance(at, Number)
        and _SECONDS.fullmatch(at.text) is not None
        and isinstance(get(record, "containers"), dict)
        and _true_or_none(get(record, "seen"))
    )


def _true_or_none(value: Any) -> bool:
    return value is None or value is True


def _tells(entry: Any, shown: Container, was: Any) -> bool:
    """Report whether an entry is what a container shows.

    Where there was an entry before, it also tells what ran when that began.
    """
    if not isinstance(entry, dict) or differing(entry, {}, {"id", "image", "good", "open"}):
        return False
    if not _true_or_none(entry.get("open")) or not _ran_as(entry, shown.container_id, shown.image_id):
        return False
    good, first = entry.get("good"), get(was, "good") or was
    if was is None:
        return good is None and entry.get("open") is None
    return set(members(good)) == {"id", "image"} and _ran_as(good, text_of(get(first, "id")), text_of(get(first, "image")))


def _ran_as(value: Any, container: str, image: str) -> bool:
    return bool(get(value, "id") == container and get(value, "image") == image)


def apart_from_images(old: Any, new: Any) -> tuple[Any, Any, _Changed]:
    """Take the images that may change in place out of two templates.

    These are those of containers, and of sidecars, which have the same place and name in both. Also return those that differ.
    """
    changed: dict[str, dict[str, str]] = {}
    for of in LISTS:
        if pairs := [_pair(of, x, y) for x, y in pairs_of(old, new, of)]:
            changed[of] = {name: image for _, _, name, image in pairs if image}
            old, new = with_containers(old, of, [x for x, *_ in pairs]), with_containers(new, of, [y for _, y, *_ in pairs])
    return old, new, changed


def _pair(of: str, x: Any, y: Any) -> tuple[Any, Any, str, str]:
    """Return two containers without the images that may change, the name, and the new image if it differs."""
    name, was, now = text_of(get(y, "name")), text_of(get(x, "image")), text_of(get(y, "image"))
    if not stays(of, x) or not stays(of, y) or get(x, "name") != name or not was or not now:
        return x, y, name, ""
    return _imageless(x), _imageless(y), name, now if now != was else ""


def _imageless(container: Any) -> Any:
    return {key: value for key, value in members(container).items() if key != "image"}
