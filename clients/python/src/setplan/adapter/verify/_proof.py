"""The proof of a drain, SPEC.md D4: each container of the drain pod is given a token and hands it back when it is done."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from setplan.adapter.verify._json import differing, get, listed
from setplan.adapter.verify._names import DRAIN_CLAIMS, DRAIN_SET
from setplan.v1.snapshot_pb2 import Pod, PodPhase

_VARIABLE = "SETPLAN_DRAIN_TOKEN"


def token(mark: str, claims: str) -> str:
    """Make the token of a drain pod with this mark and these claims."""
    return hashlib.sha256(f"{mark}\n{claims}".encode()).digest()[:16].hex()


def has_drained(pod: Pod, notes: Mapping[str, str], proves: bool) -> bool:
    """Report whether a drain pod has succeeded and counts as proof."""
    if pod.phase != PodPhase.POD_PHASE_SUCCEEDED:
        return False
    if not proves:
        return not pod.disrupted
    wanted = token(notes.get(DRAIN_SET, ""), notes.get(DRAIN_CLAIMS, ""))
    return len(pod.termination_messages) > 0 and all(message.strip() == wanted for message in pod.termination_messages)


def containers_differ(made: Any, template: Any, wanted: str) -> bool:
    """Compare the containers of a drain pod with those of its template, which have no token."""
    if not isinstance(made, list) or not isinstance(template, list):
        return bool(made != template)
    return len(made) != len(template) or any(
        differing(one, of, {"env"}) != "" or not _has_token(get(one, "env"), get(of, "env"), wanted)
        for one, of in zip(made, template, strict=True)
    )


def _has_token(made: Any, template: Any, wanted: str) -> bool:
    """Report whether an environment is the template's with the token at its end."""
    kept = [variable for variable in listed(template) if get(variable, "name") != _VARIABLE]
    return bool(made == [*kept, {"name": _VARIABLE, "value": wanted}])
