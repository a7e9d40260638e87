"""The gate: no snapshot of a set before the caches show what was written to it (SPEC.md, A3).

A snapshot without them would make the planner repeat itself: create a pod twice, or delete a second one during an update. The gate
never opens with a cache that is known to be behind, however long that takes. A write that no cache will ever show, because the
object was gone or changed again before anybody looked, holds the set no longer than it takes to read the object itself and to find
it as the cache has it. A write with an unknown result is one of those: no version tells when the cache shows it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from setplan.adapter._types import Key, Write


@dataclass
class _Pending:
    write: Write
    since: float
    read: float  # the last look at the object itself; at first as since
    unanswered: bool  # nobody knows whether it was carried out


class Unseen(Exception):
    """Why a pass is postponed: the caches do not show a write."""

    def __init__(self, write: Write) -> None:
        super().__init__(f"the cache has not shown the {'delete' if write.deleted else 'write'} of {write.kind} {write.name}")
        self.write = write


class Gate:
    """Remembers, per set, the writes that the caches do not show yet. `timeout` is in seconds, and `clock` counts them."""

    def __init__(self, timeout: float, clock: Callable[[], float]) -> None:
        self._timeout = timeout
        self._clock = clock
        self._pending: dict[Key, list[_Pending]] = {}

    def add(self, key: Key, write: Write, *, unanswered: bool = False) -> None:
        """Register a write; `unanswered` is one with an unknown result."""
        now = self._clock()
        self._pending.setdefault(key, []).append(_Pending(write, now, now, unanswered))

    async def check(
        self, key: Key, observed: Callable[[Write], bool], current: Callable[[Write], Awaitable[bool]]
    ) -> tuple[float, Unseen | None]:
        """Drop what was observed, and what cannot be shown any more; say what is left, and after how many seconds to look again.

        It reads one overdue object at most, and each once in a timeout; unanswered writes each time, until one differs from the
        cache.
        """
        now, left, asked = self._clock(), list[_Pending](), False
        for pending in self._pending.get(key, ()):
            if not pending.unanswered and observed(pending.write):
                continue
            overdue = now - pending.read >= self._timeout
            if not asked and (overdue or pending.unanswered):
                is_current = await current(pending.write)
                asked = not is_current or not pending.unanswered
                pending.read = now if overdue else pending.read
                if is_current:
                    continue
            left.append(pending)
        if not left:
            self._pending.pop(key, None)
            return 0, None
        self._pending[key] = left
        return (now - left[0].since) / 4, Unseen(left[0].write)

    def forget(self, key: Key) -> None:
        """Drop what is kept for a set that is gone."""
        self._pending.pop(key, None)
