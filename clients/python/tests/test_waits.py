"""What waits is not what was meant when it began to wait, and nobody waits for what one set is about."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from apiserver import Request, api_server
from test_loop import KEY, World, reconcile

from setplan import kube
from setplan.adapter import Key, Loop, PlanDropped, SetIdentity
from setplan.adapter.verify import Verifier
from setplan.kube import CAPABILITIES
from setplan.v1 import Snapshot, Stage


def test_a_deletion_that_has_waited_for_a_connection_is_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow writes have all connections, and another set with the same claim names appears meanwhile (D6)."""
    clock = 0.0
    monkeypatch.setattr("setplan.adapter._apply.monotonic", lambda: clock)
    world, go = World(pods=90), asyncio.Event()
    world.deletes(*range(90))

    async def slow(_request: Request) -> tuple[int, bytes]:
        await go.wait()
        return 200, b"{}"

    async def test() -> None:
        nonlocal clock
        async with api_server(tmp_path, slow) as (server, api):
            loop = Loop(world, kube.Executor(api, lambda *_: None), world, CAPABILITIES)
            task = asyncio.create_task(loop.reconcile(KEY))
            sent = -1
            while sent != len(server.begun) or sent < 1:
                sent = len(server.begun)
                await asyncio.sleep(0.2)
            clock, world.identity = 1, SetIdentity("set", 1, "", neighbours="other www")
            go.set()
            with pytest.raises(PlanDropped, match="same claim names"):
                await task
            assert len(server.begun) == sent

    asyncio.run(asyncio.wait_for(test(), 60))


def test_the_event_loop_goes_on_during_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a large plan take seconds, and so does a template of a set's author; a lease is lost meanwhile."""
    world, gone_on = World(), threading.Event()
    world.deletes(0)
    loops = list[asyncio.AbstractEventLoop]()

    def stage(_verifier: Verifier, _stage: Stage) -> None:
        loops[0].call_soon_threadsafe(gone_on.set)
        assert gone_on.wait(5)

    monkeypatch.setattr(Verifier, "stage", stage)
    world.during = lambda: loops.append(asyncio.get_running_loop())
    reconcile(world.loop())
    assert world.done == ["delete_pod web-0"]


def test_an_action_that_takes_too_long_says_so() -> None:
    world = World()
    world.deletes(0)
    loop = world.loop(action_timeout=0.01)

    async def apply(*_: object) -> None:
        await asyncio.Event().wait()

    world.apply = apply  # type: ignore[assignment,method-assign]
    with pytest.raises(ExceptionGroup):
        reconcile(loop)
    assert [outcome.message for outcome in loop.outcomes.report(KEY)] == ["the action took longer than 0.01 s"]


def test_the_fence_again_after_long_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made before the first write of a plan, whatever it writes (A4)."""
    world, clock = World(), 0.0
    action = world.plan_.stages.add().steps.add().actions.add()
    action.create_pod.SetInParent()

    def stage(_verifier: Verifier, _stage: Stage) -> None:
        nonlocal clock
        clock, world.identity = 1, SetIdentity("set", 2, "")

    monkeypatch.setattr("setplan.adapter._apply.monotonic", lambda: clock)
    monkeypatch.setattr(Verifier, "stage", stage)
    with pytest.raises(PlanDropped, match="generation"):
        reconcile(world.loop())
    assert world.done == []


def test_the_event_loop_goes_on_between_snapshots() -> None:
    """Twenty of a large namespace, one after another, take longer than a lease may go without a renewal."""
    world, turns, at = World(), 0, list[int]()
    before = world.snapshot

    def snapshot(key: Key) -> Snapshot:
        at.append(turns)
        return before(key)

    async def test() -> None:
        def tick() -> None:
            nonlocal turns
            turns += 1
            asyncio.get_running_loop().call_soon(tick)

        tick()
        loop = world.loop()
        await asyncio.gather(*(loop.reconcile(KEY) for _ in range(5)))

    world.snapshot = snapshot  # type: ignore[method-assign]
    asyncio.run(test())
    assert len(set(at)) == 5
