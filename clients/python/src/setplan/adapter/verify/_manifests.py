"""The checks of the manifests of creates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from setplan.adapter.verify._changes import request_of
from setplan.adapter.verify._json import differing, get, listed, members, parse, quote
from setplan.adapter.verify._names import (
    CLAIM_METADATA,
    CLAIM_REQUEST,
    CLAIM_TEMPLATES,
    DRAIN_CLAIMS,
    DRAIN_SET,
    LABEL_HASH,
    LABEL_POD_INDEX,
    LABEL_POD_NAME,
    LABEL_REVISION,
    ordinal_in,
    trailing_digits,
)
from setplan.adapter.verify._set import selects
from setplan.adapter.verify._subject import Subject

# The apiVersion and the other keys of each kind of manifest; None: the rest is the template's.
_SHAPES: dict[str, tuple[str, frozenset[str] | None]] = {
    "create_pod": ("v1", frozenset({"spec"})),
    "create_claim": ("v1", None),
    "create_revision": ("apps/v1", frozenset({"data", "revision"})),
}
_METADATA = frozenset({"name", "namespace", "generateName", "labels", "annotations", "finalizers", "ownerReferences"})
_REVISION_BASE = 223

# Stands for a value that other checks cover.
_ANYTHING = "\0"


def manifest_fault(s: Subject) -> str:
    try:
        _ = s.manifest
    except ValueError as error:
        return str(error)
    return ""


def object_fault(s: Subject) -> str:
    version, fields = _SHAPES[s.operation]
    if get(s.manifest, "apiVersion") != version or get(s.manifest, "kind") != s.kind:
        return "the manifest's kind is not the target's"
    if get(s.manifest, "metadata", "name") != s.name:
        return "the manifest's name is not the target's"
    if get(s.manifest, "metadata", "namespace") != s.set.namespace:
        return "the manifest's namespace is not the set's"
    for key in members(s.manifest):
        if fields is not None and key not in fields | {"apiVersion", "kind", "metadata"}:
            return f"the manifest has the field {quote(key)}"
    return ""


def metadata_fault(s: Subject) -> str:
    """Allow, beside labels, annotations and owners, which have their own checks, only the template's finalizers."""
    metadata = get(s.manifest, "metadata")
    for key in members(metadata):
        if key not in _METADATA:
            return f"the metadata has the field {quote(key)}"
    if get(metadata, "generateName") not in {None, s.set.name + "-", s.set.name}:
        return "generateName is not made of the set's name"
    finalizers = get(s.template, "metadata", "finalizers") if s.operation == "create_pod" else None
    return "" if get(metadata, "finalizers") == finalizers else "the finalizers are not the template's"


def owner_fault(s: Subject) -> str:
    """Ask for the set as the controller. It only owns a drain pod, and not even that while it is drained for its deletion."""
    owners = get(s.manifest, "metadata", "ownerReferences")
    if s.is_drain and s.view.emptying and owners is None:
        return ""
    if len(listed(owners)) != 1:
        return "the manifest must have exactly one owner"
    wanted: dict[str, Any] = {"apiVersion": s.set.api_version, "kind": s.set.kind, "name": s.set.name, "uid": s.set.uid}
    if not s.is_drain:
        wanted["controller"] = True
        if "blockOwnerDeletion" in members(owners[0]):
            wanted["blockOwnerDeletion"] = True
    return "" if owners[0] == wanted else "the owner is not this set, as what is made needs it"


def labels_fault(s: Subject) -> str:
    labels, template = get(s.manifest, "metadata", "labels"), get(s.template, "metadata", "labels")
    if s.operation == "create_revision":
        return _added("label", labels, template, {LABEL_HASH: _ANYTHING})
    if s.is_drain:
        return _drain_labels_fault(s, labels, template)
    return _added("label", labels, template, _identity(s) | {LABEL_REVISION: _ANYTHING})


def _identity(s: Subject) -> dict[str, str]:
    return {LABEL_POD_NAME: s.name, LABEL_POD_INDEX: trailing_digits(s.name)}


def _drain_labels_fault(s: Subject, labels: Any, template: Any) -> str:
    """Keep a drain pod from being taken for a replica: it lacks the labels of the ordinal if the selector would match by them."""
    if selects(s.set.selector, {key: value for key, value in members(labels).items() if isinstance(value, str)}):
        return "the selector matches its labels, so it would be taken for a replica"
    plain = not differing(labels, template, {LABEL_REVISION}) and get(labels, LABEL_REVISION) is None
    return "" if plain else _added("label", labels, template, _identity(s))


def annotations_fault(s: Subject) -> str:
    annotations, template = get(s.manifest, "metadata", "annotations"), get(s.template, "metadata", "annotations")
    if s.operation == "create_revision":
        key = differing(annotations, dict(s.set.annotations))
        return f"the annotation {key} is not the set's" if key else ""
    more = {DRAIN_SET: s.view.mark, DRAIN_CLAIMS: _ANYTHING} if s.is_drain else {}
    return _added("annotation", annotations, template, more)


def _added(what: str, got: Any, template: Any, more: Mapping[str, str]) -> str:
    """Compare a map of strings with the template's and some more."""
    for key, value in more.items():
        found = get(got, key)
        if not isinstance(found, str) or value not in {_ANYTHING, found}:
            return f"the {what} {key} is missing or wrong"
    key = differing(got, template, more)
    return f"the {what} {key} is not what the template says" if key else ""


def claim_manifest_fault(s: Subject) -> str:
    """Compare a claim with its template; with odd names more than one may fit."""
    why = "no claim template has this name"
    for name, template, patched in zip(s.view.claim_names, s.view.claim_templates, s.view.patched_templates, strict=True):
        if ordinal_in(s.name, f"{name}-{s.set.name}") is not None:
            why = _claim_differs(s, template)
            if not why or not _claim_differs(s, patched):
                return ""
    return why


def _claim_differs(s: Subject, template: Any) -> str:
    metadata, of = get(s.manifest, "metadata"), get(template, "metadata")
    if key := differing(s.manifest, template, {"apiVersion", "kind", "metadata"}):
        return f"{key} is not what the claim template says"
    if key := differing(metadata, of, {"name", "namespace", "labels", "annotations", "creationTimestamp"}):
        return f"metadata {key} is not what the claim template says"
    if why := _added("label", get(metadata, "labels"), get(of, "labels"), s.set.selector.match_labels):
        return why
    marked = s.view.draining and get(metadata, "annotations", DRAIN_SET) is not None
    notes = {DRAIN_SET: s.view.mark} if marked else {}
    if get(metadata, "annotations", CLAIM_REQUEST) is not None:
        notes[CLAIM_REQUEST] = request_of(template)
    if get(metadata, "annotations", CLAIM_METADATA) is not None:
        notes[CLAIM_METADATA] = _ANYTHING
    return _added("annotation", get(metadata, "annotations"), get(of, "annotations"), notes)


def revision_name_fault(s: Subject) -> str:
    prefix = s.set.name[:_REVISION_BASE] + "-"
    return "" if s.name.startswith(prefix) and len(s.name) > len(prefix) else "the name is not made of the set's"


def _said_fault(s: Subject, said: Any) -> str:
    """Ask what data says of claim templates: only which ones the set removes, and which ones it adds."""
    if not isinstance(said, dict):
        return "the data does not have claim templates by name"
    for name, value in said.items():
        if value is None and not s.view.may_remove(name):
            return "the data has a claim template that the set does not remove"
        if value is not None and s.operation == "create_revision" and not s.view.may_add(name, value):
            return "the data has a claim template that the set does not add"
    return ""


def revision_data_fault(s: Subject) -> str:
    """Ask for the set's own template, in the form of a patch that replaces it, and for claim templates that the set removes."""
    try:
        data = get(s.manifest, "data") if s.operation == "create_revision" else parse(s.revision.data)
    except ValueError:
        data = None
    template = get(data, "spec", "template")
    bare = members(data).keys() <= {"spec", CLAIM_TEMPLATES} and len(members(get(data, "spec"))) == 1
    if not bare or get(template, "$patch") != "replace":
        return "the data is not a template that replaces the set's"
    if why := _said_fault(s, members(data).get(CLAIM_TEMPLATES, {})):
        return why
    key = differing(template, s.view.template, {"$patch"})
    return f"{key} of the data is not what the set's template says" if key else ""
