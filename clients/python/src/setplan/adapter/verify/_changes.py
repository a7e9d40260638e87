"""The check of a change of what a claim asks for."""

from __future__ import annotations

import re
from typing import Any

from setplan.adapter.verify._json import Number, get, quote
from setplan.adapter.verify._names import CLAIM_CHANGED, CLAIM_METADATA, CLAIM_REQUEST, ordinal_in
from setplan.adapter.verify._subject import Subject

# What a change leaves on a claim has these forms, so that a planner can fill no annotation with anything else.
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_DIGEST = re.compile(r"[0-9a-z]{1,13}")


def claim_change_fault(s: Subject) -> str:
    """Let a claim ask for what its template asks for, if the set lets its claims follow."""
    view = s.view
    if not view.claims_follow:
        return "the set does not ask that claims follow their templates"
    if s.ordinal is None or view.deleting or s.ordinal not in view.range:
        return "no ordinal of the range has this claim"
    if s.claim.deletion_unix_ms:
        return "the claim is being deleted"
    if any(owner.controller and owner.uid != s.set.uid for owner in view.owners(s.claim)):
        return "another object controls the claim"
    why = "no claim template has this name"
    for name, template in zip(view.claim_names, view.patched_templates, strict=True):
        known = name in view.own_templates or name in view.additions
        if known and ordinal_in(s.name, f"{name}-{s.set.name}") is not None:
            why = _differs(s, name, template)
            if not why:
                return ""
    return why


def _differs(s: Subject, name: str, template: Any) -> str:
    if any(neighbour.claim_template == name for neighbour in s.view.snapshot.claim_neighbours):
        return "another set uses the same claim name"
    wanted = request_of(template)
    if s.body.request and s.body.request != wanted:
        return "the request is not what the claim template asks for"
    if s.body.attributes_class and get(template, "spec", "volumeAttributesClassName") != s.body.attributes_class:
        return "the class is not what the claim template asks for"
    metadata = get(template, "metadata")
    for key, value in s.body.labels.items():
        if key in s.set.selector.match_labels:
            return f"the label {quote(key)} is the selector's"
        if get(metadata, "labels", key) != value:
            return f"the label {quote(key)} is not what the claim template says"
    for key, value in s.body.annotations.items():
        if not _is_note(key, value, wanted) and (key.startswith("setplan.io/") or get(metadata, "annotations", key) != value):
            return f"the annotation {quote(key)} is not what the claim template says"
    return ""


def _is_note(key: str, value: str, wanted: str) -> bool:
    forms = {CLAIM_CHANGED: _TIME, CLAIM_METADATA: _DIGEST}
    if key in forms:
        return forms[key].fullmatch(value) is not None
    return key == CLAIM_REQUEST and bool(wanted) and value == wanted


def request_of(template: Any) -> str:
    """Say how much storage a template asks for, as it is written there."""
    wanted = get(template, "spec", "resources", "requests", "storage")
    if isinstance(wanted, Number):
        return wanted.text
    return wanted if isinstance(wanted, str) else ""
