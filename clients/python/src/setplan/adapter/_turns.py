"""Who works next: namespaces take turns, so that one with thousands of sets does not keep the others waiting."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator


class Turns:
    """Lets so much be under way at once. A namespace that has nothing under way may have some of the spare room, too.

    So one namespace that is slow never holds everything. Within a namespace, who came first is first.
    """

    def __init__(self, at_once: int, spare: int) -> None:
        self._at_once = at_once
        self._spare = spare
        self._busy = Counter[str]()  # what is under way, by namespace
        self._waiting = OrderedDict[str, deque[asyncio.Future[None]]]()  # the namespace whose turn is next first

    @contextlib.asynccontextmanager
    async def of(self, namespace: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        await self._come(namespace)
        try:
            yield
        finally:
            self._end(namespace)

    async def _come(self, namespace: str) -> None:
        if self._may(namespace):
            self._busy[namespace] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(namespace, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it has come at the same time
                self._end(namespace)
            raise

    def _may(self, namespace: str) -> bool:
        """Report whether there is room. Where there is, nobody waits who could have it."""
        room = self._at_once - self._busy.total()
        return room > 0 or (room > -self._spare and not self._busy[namespace])

    def _end(self, namespace: str) -> None:
        self._busy[namespace] -= 1
        if not self._busy[namespace]:
            del self._busy[namespace]
        while (following := next((one for one in self._waiting if self._may(one)), None)) is not None:
            self._give(following)

    def _give(self, namespace: str) -> None:
        """Give a turn to the first that waits in a namespace, which then is the last."""
        turns = self._waiting.pop(namespace)
        turn = turns.popleft()
        if turns:
            self._waiting[namespace] = turns
        if not turn.cancelled():
            self._busy[namespace] += 1
            turn.set_result(None)
