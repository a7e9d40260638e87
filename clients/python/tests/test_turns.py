"""Namespaces take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from setplan.adapter import Turns


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(test(), 60)

    asyncio.run(limited())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Work:
    """Has turns until it is told that they are over, and notes who began."""

    def __init__(self, turns: Turns) -> None:
        self.began = list[str]()
        self._turns = turns

    def begin(self, namespace: str) -> tuple[asyncio.Task[None], asyncio.Event]:
        over = asyncio.Event()

        async def work() -> None:
            async with self._turns.of(namespace):
                self.began.append(namespace)
                await over.wait()

        return asyncio.create_task(work()), over


def test_namespaces_take_turns() -> None:
    async def test() -> None:
        turns, began = Turns(1, 0), list[str]()

        async def work(namespace: str) -> None:
            async with turns.of(namespace):
                began.append(namespace)
                await asyncio.sleep(0)

        await asyncio.gather(*(work(namespace) for namespace in ["busy"] * 5 + ["other"] * 2))
        assert began == ["busy", "busy", "other", "busy", "other", "busy", "busy"]
        assert not turns._waiting
        assert not turns._busy

    run(test)


def test_one_namespace_does_not_have_all() -> None:
    async def test() -> None:
        work = Work(Turns(2, 1))
        busy = [work.begin("busy") for _ in range(4)]
        await settled()
        assert work.began == ["busy", "busy"]
        other, third = work.begin("other"), work.begin("third")
        await settled()
        assert work.began == ["busy", "busy", "other"]
        busy[0][1].set()  # which leaves no room but the spare
        await settled()
        assert work.began == ["busy", "busy", "other", "third"]
        for _, over in [*busy, other, third]:
            over.set()
        await asyncio.gather(*(task for task, _ in [*busy, other, third]))
        assert work.began.count("busy") == 4

    run(test)


def test_who_does_not_wait_any_more_has_no_turn() -> None:
    async def test() -> None:
        work = Work(Turns(1, 0))
        first, second, third = (work.begin(name) for name in ("first", "second", "third"))
        await settled()
        second[0].cancel()
        await settled()
        first[1].set()
        await settled()
        assert work.began == ["first", "third"]
        third[1].set()
        await third[0]

    run(test)


def test_a_turn_that_comes_too_late_is_the_next_ones() -> None:
    async def test() -> None:
        turns = Turns(1, 0)
        work = Work(turns)
        async with turns.of("here"):
            second, third = work.begin("second"), work.begin("third")
            await settled()
        second[0].cancel()  # before it has noticed that its turn has come
        await settled()
        assert work.began == ["third"]
        third[1].set()
        await third[0]
        assert not turns._busy

    run(test)
