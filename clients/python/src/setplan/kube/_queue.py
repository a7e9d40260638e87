"""A queue of sets: a set is worked on once at a time, again when it has changed meanwhile, and later after a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from setplan import PlannerError
from setplan.adapter import Key, Turns

_log = logging.getLogger("setplan.kube")

_FIRST_RETRY, _LAST_RETRY = 0.1, 30.0  # seconds
_SPARE = 2  # sets more, of namespaces of which no set is worked on


class Queue:
    """Calls `work`, which returns after how many seconds to call it again; 0 is only when something changes."""

    def __init__(self, work: Callable[[Key], Awaitable[float]], at_once: int = 20) -> None:
        """Make a queue that works on `at_once` sets side by side, and on a few more so that no namespace holds up all others."""
        self._work = work
        self._turns = Turns(at_once, _SPARE)
        self._waiting: set[Key] = set()
        self._running: set[Key] = set()
        self._timers: dict[Key, asyncio.TimerHandle] = {}
        self._failures: dict[Key, int] = {}
        self._group: asyncio.TaskGroup | None = None

    def add(self, key: Key) -> None:
        """Ask for work on a set, at once or as soon as the work on it has ended. Before and after `run` nothing is kept."""
        if self._group is None or key in self._waiting:
            return
        if timer := self._timers.pop(key, None):
            timer.cancel()
        self._waiting.add(key)
        if key not in self._running:
            self._running.add(key)
            self._group.create_task(self._turn(key))

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            try:
                await asyncio.Event().wait()
            finally:
                self._group = None  # a timer begins nothing any more

    async def _turn(self, key: Key) -> None:
        """Work on a set until nothing has changed meanwhile; after a failure that waits, too."""
        after, failed = 0.0, False
        while key in self._waiting and not failed:
            async with self._turns.of(key.namespace):
                self._waiting.discard(key)
                after, failed = await self._once(key)
        self._running.discard(key)
        self._waiting.discard(key)
        if after > 0:
            self._timers[key] = asyncio.get_running_loop().call_later(after, self.add, key)

    async def _once(self, key: Key) -> tuple[float, bool]:
        try:
            after = await self._work(key)
        except Exception as error:
            return self._failed(key, error), True
        except asyncio.CancelledError as error:
            if self._group is None:
                raise
            return self._failed(key, error), True  # a task that ended of it would end in silence
        self._failures.pop(key, None)
        return after, False

    def _failed(self, key: Key, error: BaseException) -> float:
        """Tell of a failure, and say after how many seconds to try again."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        _log.warning("%s: %s", key, _told(error))
        return max(min(_FIRST_RETRY * 2.0 ** min(failures - 1, 20), _LAST_RETRY), _least(error))


def _least(error: BaseException) -> float:
    """Say how many seconds the planner wants to have before it is asked again (SPEC.md, C1)."""
    wanted = error.retry_after if isinstance(error, PlannerError) else None
    return (wanted or timedelta(0)).total_seconds()


def _told(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return f"{error.message}: {'; '.join(_told(one) for one in error.exceptions)}"
    return str(error) or repr(error)
