"""Who else writes a set: two controllers on one set delete each other's pods (SPEC.md, A15)."""

from __future__ import annotations

from typing import Any

from setplan.adapter import Key
from setplan.rawjson import Raw

_TAKEN_OVER = "setplan.io/taken-over-at"


class ForeignWriter(Exception):
    """Another controller writes the set. The adapter stops acting on it."""


class Guard:
    """Sees when a status is written by another controller, by default the built-in one.

    What was written before this process saw the set is history: the set was taken over. The hold ends when the process restarts, or
    when the annotation `setplan.io/taken-over-at` of the set gets another text.
    """

    def __init__(self, managers: frozenset[str] = frozenset({"kube-controller-manager"})) -> None:
        self._managers = managers
        self._seen: dict[Key, tuple[tuple[str, str], list[Any]]] = {}

    def check(self, key: Key, set_: Raw) -> None:
        """Look at a set. `ForeignWriter`: nothing may be written to it."""
        metadata = set_.value["metadata"]
        taken = (metadata["uid"], (metadata.get("annotations") or {}).get(_TAKEN_OVER, ""))
        writes = [
            [entry["manager"], entry.get("time")]
            for entry in metadata.get("managedFields") or []
            if entry.get("subresource") == "status" and entry.get("manager") in self._managers
        ]
        if self._seen.get(key, (None, []))[0] != taken:
            self._seen[key] = taken, writes
        # A write of ours may wipe the trace, so fewer are no news.
        for manager, at in (write for write in writes if write not in self._seen[key][1]):
            raise ForeignWriter(f"{manager} has written the status of {key} at {at}")

    def forget(self, key: Key) -> None:
        """Drop what is kept for a set that is gone."""
        self._seen.pop(key, None)
