"""When a set is worked on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import grpc
import pytest

from setplan import kube
from setplan.adapter import Key
from setplan.errors import Overloaded

KEY = Key("default", "web")


def run(queue: kube.Queue, test: Callable[[], Awaitable[None]]) -> None:
    """Run a queue meanwhile."""

    async def both() -> None:
        task = asyncio.create_task(queue.run())
        await asyncio.sleep(0)
        await asyncio.wait_for(test(), 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(both())


def tried_again(error: BaseException) -> float:
    """Work on a set fails once; return after how many seconds it is tried again."""
    at, twice = list[float](), asyncio.Event()

    async def work(_key: Key) -> float:
        at.append(time.monotonic())
        if len(at) == 1:
            raise error
        twice.set()
        return 0

    async def test() -> None:
        queue.add(KEY)
        await twice.wait()

    queue = kube.Queue(work)
    run(queue, test)
    return at[1] - at[0]


def test_an_overloaded_planner_is_asked_again_no_sooner_than_it_says() -> None:
    after = 0.7  # the first back-off is shorter
    busy = Overloaded(grpc.StatusCode.RESOURCE_EXHAUSTED, "busy", retry_after=timedelta(seconds=after))
    assert tried_again(busy) >= after


def test_work_that_is_cancelled_by_itself_is_tried_again() -> None:
    """A task that ends so ends in silence, and nobody would ever look at the set again."""
    assert tried_again(asyncio.CancelledError()) > 0


def test_nothing_begins_after_the_end() -> None:
    told = 0

    async def work(_key: Key) -> float:
        nonlocal told
        told += 1
        return 3600

    async def test() -> None:
        queue.add(KEY)
        await asyncio.sleep(0.01)

    queue = kube.Queue(work)
    run(queue, test)
    queue.add(KEY)
    assert told == 1


def test_one_namespace_does_not_hold_up_another() -> None:
    """Thousands of sets of one namespace wait, and those that have begun hang."""
    began, other = list[str](), asyncio.Event()

    async def work(key: Key) -> float:
        began.append(key.name)
        if key.namespace == "other":
            other.set()
        await asyncio.Event().wait()
        return 0

    async def test() -> None:
        for i in range(1000):
            queue.add(Key("busy", f"web-{i}"))
        queue.add(Key("other", "db"))
        await other.wait()
        assert began == ["web-0", "web-1", "db"]

    queue = kube.Queue(work, at_once=2)
    run(queue, test)
