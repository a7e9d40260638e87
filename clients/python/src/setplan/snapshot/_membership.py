"""Which objects are in a snapshot."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from setplan.rawjson import Raw
from setplan.v1.snapshot_pb2 import ClaimNeighbour

# How many bytes of a set's name the name of a revision has.
_REVISION_BASE = 223

_CLAIM_TEMPLATES = "setplan.io/claim-templates"

_NAME = re.compile(r"(.+)-([0-9]+)\Z", re.DOTALL)


def ordinal_of(name: str) -> tuple[str, int] | None:
    """Split `web-3` into `web` and 3; None for names of another form.

    It does not ask whether the set would use ordinal 3: the planner tells members from strangers.
    """
    found = _NAME.match(name)
    if found is None:
        return None
    base, digits = found.groups()
    return base, int(digits[-20:])  # for the order only, and no name has more digits that matter


def controls(set_: Raw, thing: Raw) -> bool:
    """Report whether the set is the controller of an object."""
    uid = set_.value["metadata"]["uid"]
    return any(owner.get("controller") and owner["uid"] == uid for owner in _owners(thing))


def claim_templates(set_: Raw, revisions: Iterable[Raw] = ()) -> list[str]:
    """List the names of the claim templates, each once: the set's own, and after them what it or a revision of it adds (A25)."""
    templates = set_.get("spec", "volumeClaimTemplates")
    names = [(t.value.get("metadata") or {}).get("name") for t in (templates.items if templates else [])]
    own = dict.fromkeys(name for name in names if name)
    annotation = (set_.value["metadata"].get("annotations") or {}).get(_CLAIM_TEMPLATES, "")
    said = [_read(annotation)] if annotation else []
    said += [(r.value.get("data") or {}).get(_CLAIM_TEMPLATES) for r in revisions]
    added = {name for one in said if isinstance(one, dict) for name, value in one.items() if value is not None}
    return [*own, *sorted(added - own.keys())]


def _read(text: str) -> Any:
    """Read JSON, or YAML where what reads that is installed (`setplan[kube]`); None if it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        policy = importlib.import_module("setplan.adapter.verify._policy")
    except ImportError:
        return None
    return policy.read_template(text.encode(), maybe_yaml=True)


def pods(set_: Raw, candidates: Iterable[Raw]) -> list[Raw]:
    """List the pods that the set controls or might want by name, by ordinal."""
    return sorted((p for p in _here(set_, candidates) if _base(p) == _name(set_) or controls(set_, p)), key=_by_ordinal)


def claims(set_: Raw, candidates: Iterable[Raw], of_revisions: Iterable[Raw] = ()) -> list[Raw]:
    """List the claims with names of the set's claims."""
    wanted = {f"{template}-{_name(set_)}" for template in claim_templates(set_, of_revisions)}
    return sorted((c for c in _here(set_, candidates) if _base(c) in wanted), key=_by_ordinal)


def revisions(set_: Raw, candidates: Iterable[Raw]) -> list[Raw]:
    """List the revisions that the set controls, that nobody controls, or that the set might want by name, by name."""
    prefix = _name(set_)[:_REVISION_BASE] + "-"
    return sorted(
        (
            r
            for r in _here(set_, candidates)
            if controls(set_, r) or not any(owner.get("controller") for owner in _owners(r)) or _name(r).startswith(prefix)
        ),
        key=_name,
    )


def neighbours(set_: Raw, others: Iterable[Raw], candidates: Iterable[Raw] = ()) -> list[ClaimNeighbour]:
    """List the other sets that use the same claim names. An adapter needs them for its fence, too (D6).

    Candidates are revisions, of which those count that the set has.
    """
    templates = claim_templates(set_, revisions(set_, candidates))
    ours = {f"{template}-{_name(set_)}": template for template in templates}
    return [
        ClaimNeighbour(set=_name(other), claim_template=ours[base])
        for other in sorted(_here(set_, others), key=_name)
        if _name(other) != _name(set_)
        for base in sorted({f"{template}-{_name(other)}" for template in claim_templates(other)} & ours.keys())
    ]


def _here(set_: Raw, candidates: Iterable[Raw]) -> Iterator[Raw]:
    namespace = set_.value["metadata"]["namespace"]
    return (thing for thing in candidates if thing.value["metadata"].get("namespace") == namespace)


def _owners(thing: Raw) -> list[dict[str, object]]:
    return thing.value["metadata"].get("ownerReferences") or []


def _name(thing: Raw) -> str:
    name: str = thing.value["metadata"]["name"]
    return name


def _base(thing: Raw) -> str | None:
    split = ordinal_of(_name(thing))
    return split[0] if split else None


def _by_ordinal(thing: Raw) -> tuple[bool, int, str]:
    split = ordinal_of(_name(thing))
    return split is None, split[1] if split else 0, _name(thing)
