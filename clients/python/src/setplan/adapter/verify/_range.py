"""The range of a set: the first `replicas` unreserved ordinals from the start."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from setplan.rawjson import Raw
from setplan.v1.snapshot_pb2 import Scope, Snapshot

_MOST = 2**31


@dataclass
class Span:
    """Reserved ordinals, both ends included; `held` is how many are reserved from the start to here, these included."""

    first: int
    last: int
    held: int = 0


class Range:
    """Answers whether an ordinal is in the range."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._start = snapshot.set.ordinals_start
        self._replicas = snapshot.set.replicas if snapshot.set.HasField("replicas") else 1
        self._spans = _spans(snapshot)

    def __contains__(self, ordinal: int) -> bool:
        place = ordinal - self._start
        # A user may write tens of thousands of spans, and a plan has a thousand actions.
        n = bisect_left(self._spans, ordinal, key=lambda span: span.last)
        if place < 0 or (n < len(self._spans) and self._spans[n].first <= ordinal):
            return False
        return place - (self._spans[n - 1].held if n else 0) < self._replicas


def _text(snapshot: Snapshot) -> str:
    """Return the annotation, or the field of the same meaning. Where they differ nothing is planned."""
    try:
        own = Raw(snapshot.set.own_fields).get("ordinals", "reserved") if snapshot.set.own_fields else None
    except ValueError:
        own = None
    if own is not None and own.value != []:
        return own.text
    return snapshot.set.annotations.get("setplan.io/reserved-ordinals", "")


def _spans(snapshot: Snapshot) -> list[Span]:
    """Read the text into spans from the start on, in ascending order, which do not touch.

    Another controller that runs the set knows no reserved ordinals. If the planner cannot read the text it plans nothing, so the
    result here does not matter then.
    """
    text, start = _text(snapshot), snapshot.set.ordinals_start
    if not text or snapshot.policy.scope > Scope.SCOPE_WHOLE_SET:
        return []
    spans: list[Span] = []
    for item in text.split(","):
        first, dash, last = item.strip(' \t\r\n[]"').partition("-")
        last = last if dash else first
        if _is_ordinal(first) and _is_ordinal(last) and int(first) <= int(last):
            spans.append(Span(max(int(first), start), int(last)))
    joined: list[Span] = []
    for span in sorted((s for s in spans if s.first <= s.last), key=lambda s: s.first):
        if joined and span.first <= joined[-1].last + 1:
            joined[-1].last = max(joined[-1].last, span.last)
        else:
            joined.append(span)
    held = 0
    for span in joined:
        held += span.last + 1 - span.first
        span.held = held
    return joined


def _is_ordinal(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) < _MOST
