"""What the loop does with a plan: the rules for adapters of SPEC.md that do not need a cluster."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from servers import ROOT

from setplan.adapter import (
    Gone,
    Key,
    Loop,
    Observer,
    Options,
    PlanDropped,
    Result,
    SetIdentity,
    UnknownGuard,
    UnknownOperation,
    Write,
    policy_of,
)
from setplan.adapter._outcomes import Outcomes
from setplan.adapter.operations import deletes, operation_of
from setplan.adapter.verify import Refusal
from setplan.errors import Unreachable
from setplan.kube import CAPABILITIES
from setplan.v1 import Action, OnFailure, OutcomeResult, Plan, PlanRequest, PlanResponse, Snapshot, Stage, StagePhase
from setplan.v1.plan_pb2 import ContainerImage, ResizePod, UpdatePod

KEY = Key("default", "web")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class World:
    """A source, an executor, a planner and an observer that do what a test says."""

    def __init__(self, pods: int = 3) -> None:
        self.pods = pods
        self.plan_ = Plan()
        self.plan_.fence.set_uid = "set"
        self.plan_.fence.generation = 1
        self.identity = SetIdentity("set", 1, "")
        self.live = self.identity
        self.requests: list[PlanRequest] = []
        self.done: list[str] = []
        self.held: list[str] = []
        self.failing: dict[str, Result] = {}
        self.shown = True
        self.is_current = True
        self.asked_for_current = 0
        self.during: Callable[[], None] = lambda: None

    def snapshot(self, key: Key) -> Snapshot:
        assert key == KEY
        snapshot = Snapshot()
        snapshot.observed_at.FromDatetime(NOW)
        set_ = snapshot.set
        set_.api_version, set_.kind, set_.namespace, set_.name = "apps/v1", "StatefulSet", "default", "web"
        set_.uid, set_.generation, set_.resource_version, set_.replicas = "set", 1, "7", 0
        set_.selector.match_labels["app"] = "web"
        snapshot.tables.owner_sets.add()
        snapshot.tables.owner_sets.add().owners.add(uid="set", controller=True)
        for ordinal in range(self.pods):
            name = f"web-{ordinal}"
            snapshot.pods.add(name=name, uid=f"uid-{name}", resource_version="1", owner_set_index=1)
        return snapshot

    def set(self, _key: Key) -> SetIdentity:
        return self.identity

    async def live_set(self, _key: Key) -> SetIdentity:
        return self.live

    def observed(self, _key: Key, _write: Write) -> bool:
        return self.shown

    async def current(self, _key: Key, _write: Write) -> bool:
        self.asked_for_current += 1
        return self.is_current

    async def plan(self, request: PlanRequest) -> Plan:
        self.requests.append(request)
        self.during()
        return self.plan_

    async def apply(self, _key: Key, action: Action) -> Result:
        what = f"{operation_of(action)} {action.target.name}"
        self.done.append(what)
        await asyncio.sleep(0)
        write = Write(action.target.kind, action.target.name, action.precondition.uid, deleted=True)
        return self.failing.get(what, Result(write=write))

    def loop(self, **options: Any) -> Loop:
        world = self

        class Told(Observer):
            def held(self, key: Key, reason: str, error: Exception) -> None:
                del key, error
                world.held.append(reason)

        return Loop(self, self, self, CAPABILITIES, Told(), Options(**({"now": lambda: NOW} | options)))

    def deletes(self, *ordinals: int, **fields: Any) -> Stage:
        """Add a stage that deletes pods, each in a step of its own."""
        stage = self.plan_.stages.add(**fields)
        for ordinal in ordinals:
            name = f"web-{ordinal}"
            action = stage.steps.add().actions.add(id=f"delete-{name}")
            action.target.kind, action.target.namespace, action.target.name = "Pod", "default", name
            action.precondition.uid = f"uid-{name}"
            action.delete_pod.SetInParent()
        return stage


@pytest.fixture
def world() -> World:
    return World()


def reconcile(loop: Loop) -> float:
    return asyncio.run(loop.reconcile(KEY))


def refused(reason: str = "no") -> Result:
    return Result(ValueError(reason), OutcomeResult.OUTCOME_RESULT_REJECTED)


def test_stages_in_order(world: World) -> None:
    world.deletes(2)
    world.deletes(0, 1)
    assert reconcile(world.loop()) == 0
    assert world.done[0] == "delete_pod web-2"
    assert sorted(world.done[1:]) == ["delete_pod web-0", "delete_pod web-1"]
    assert list(world.requests[0].capabilities) == CAPABILITIES


def test_the_first_failure_ends_a_step(world: World) -> None:
    stage = world.deletes(0, 1)
    stage.steps[0].actions.add().CopyFrom(world.deletes(2).steps[0].actions[0])
    del world.plan_.stages[1]
    world.failing["delete_pod web-0"] = refused()
    with pytest.raises(ExceptionGroup):
        reconcile(world.loop())
    assert world.done == ["delete_pod web-0", "delete_pod web-1"]


def test_whatever_an_executor_raises_is_a_failed_action(world: World) -> None:
    """The other steps end first, and the planner is told."""
    world.deletes(0, 1)
    loop = world.loop()
    before = loop.executor.apply

    async def apply(key: Key, action: Action) -> Result:
        if action.target.name == "web-0":
            raise KeyError("metadata")
        return await before(key, action)

    world.apply = apply  # type: ignore[assignment,method-assign]
    with pytest.raises(ExceptionGroup):
        reconcile(loop)
    assert world.done == ["delete_pod web-1"]
    assert [(o.action_id, o.result) for o in loop.outcomes.report(KEY)] == [("delete-web-0", OutcomeResult.OUTCOME_RESULT_ERROR)]


def test_a_pass_that_has_ended_has_nothing_under_way(world: World) -> None:
    world.deletes(0, 1)
    loop = world.loop()
    before, ended = loop.executor.apply, list[str]()

    async def apply(key: Key, action: Action) -> Result:
        result = await before(key, action)
        await asyncio.sleep(0.01 if action.target.name == "web-1" else 0)
        ended.append(action.target.name)
        return result

    def applied(_key: Key, action: Action, _result: Result) -> None:
        if action.target.name == "web-0":
            raise ZeroDivisionError

    world.apply = apply  # type: ignore[assignment,method-assign]
    loop.observer.applied = applied  # type: ignore[assignment,method-assign]

    async def run() -> list[str]:
        with pytest.raises(ZeroDivisionError):
            await loop.reconcile(KEY)
        return list(ended)

    assert asyncio.run(run()) == ["web-0", "web-1"]


@pytest.mark.parametrize(
    ("on_failure", "done"),
    [
        (OnFailure.ON_FAILURE_ABORT, []),
        (OnFailure.ON_FAILURE_UNSPECIFIED, []),
        (77, []),
        (OnFailure.ON_FAILURE_STOP, ["delete_pod web-2"]),
        (OnFailure.ON_FAILURE_SKIP_PHASE, ["delete_pod web-1"]),
    ],
    ids=["abort", "unspecified", "unknown", "stop", "skip phase"],
)
def test_after_a_failure(world: World, on_failure: Any, done: list[str]) -> None:
    drain, update = StagePhase.STAGE_PHASE_DRAIN, StagePhase.STAGE_PHASE_UPDATE
    world.deletes(0, phase=drain, on_failure=on_failure)
    world.deletes(1, phase=update)
    world.deletes(2, phase=drain, always_run=True)
    world.failing["delete_pod web-0"] = refused()
    with pytest.raises(ExceptionGroup):
        reconcile(world.loop())
    assert world.done[1:] == done


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda w: w.plan_.ClearField("fence"), "no fence"),
        (lambda w: setattr(w, "identity", SetIdentity("other", 1, "")), "uid"),
        (lambda w: setattr(w, "identity", SetIdentity("set", 2, "")), "generation"),
        (lambda w: setattr(w, "identity", SetIdentity("set", 1, policy_of({"setplan.io/pause": "All"}))), "annotations"),
        (lambda w: setattr(w, "identity", SetIdentity("set", 1, "", neighbours="b a")), "same claim names"),
        (lambda w: w.plan_.fence.max_age.FromTimedelta(timedelta(seconds=-1)), "old"),
        (lambda w: w.plan_.fence.MergeFromString(b"\xf8\x07\x01"), "does not know"),
    ],
    ids=["none", "uid", "generation", "annotations", "neighbours", "age", "unknown field"],
)
def test_fence(world: World, change: Callable[[World], None], message: str) -> None:
    world.deletes(0)
    world.during = lambda: change(world)
    with pytest.raises(PlanDropped, match=message):
        reconcile(world.loop())
    assert world.done == []
    assert world.held == ["fence"]


def test_fence_again_before_a_deletion(world: World) -> None:
    world.deletes(0)
    world.deletes(1)
    loop = world.loop()
    before = loop.executor.apply

    async def apply(key: Key, action: Action) -> Result:
        world.identity = SetIdentity("set", 2, "")
        return await before(key, action)

    world.apply = apply  # type: ignore[assignment,method-assign]
    with pytest.raises(PlanDropped):
        reconcile(loop)
    assert world.done == ["delete_pod web-0"]


@pytest.mark.parametrize(
    ("action", "fenced"),
    [
        (Action(update_pod=UpdatePod(labels={"a": "b"})), False),
        (Action(update_pod=UpdatePod(containers=[ContainerImage(name="web", image="web:2")])), True),
        (Action(update_pod=UpdatePod(init_containers=[ContainerImage(name="proxy", image="proxy:2")])), True),
        (Action(resize_pod=ResizePod()), True),
    ],
    ids=["labels", "an image", "an image of a sidecar", "resources"],
)
def test_the_fence_is_checked_again_where_containers_may_stop(action: Action, fenced: bool) -> None:
    assert deletes(action) is fenced


@pytest.mark.parametrize(("seconds", "deleted"), [(0.9, 3), (1, 1)])
def test_fence_again_after_a_long_wait(world: World, monkeypatch: pytest.MonkeyPatch, seconds: float, deleted: int) -> None:
    """Another set with the same claim names appears while a stage is under way (D6)."""
    world.deletes(0, 1, 2)
    clock = 0.0
    monkeypatch.setattr("setplan.adapter._apply.monotonic", lambda: clock)
    loop = world.loop(parallelism=1)
    before = loop.executor.apply

    async def apply(key: Key, action: Action) -> Result:
        nonlocal clock
        clock = seconds
        world.identity = SetIdentity("set", 1, "", neighbours="other www")
        return await before(key, action)

    world.apply = apply  # type: ignore[assignment,method-assign]
    if deleted == 3:
        reconcile(loop)
    else:
        with pytest.raises(PlanDropped, match="same claim names"):
            reconcile(loop)
    assert len(world.done) == deleted
    assert world.held == ([] if deleted == 3 else ["fence"])


@pytest.mark.parametrize(
    "live", [SetIdentity("other", 1, ""), SetIdentity("set", 1, "", deleting=True)], ids=["another one", "being deleted"]
)
def test_live_set(world: World, live: SetIdentity) -> None:
    world.deletes(0, requires_live_set=True)
    world.live = live
    with pytest.raises(PlanDropped, match="live set"):
        reconcile(world.loop())
    assert world.done == []


def test_unknown_operation(world: World) -> None:
    world.deletes(0, 1).steps[1].actions[0].ClearField("operation")
    with pytest.raises(ExceptionGroup, match="failed"):
        reconcile(world.loop())
    assert world.done == []  # nothing of the stage


@pytest.mark.parametrize(
    "of",
    [
        lambda stage: stage,
        lambda stage: stage.steps[0],
        lambda stage: stage.steps[0].actions[0].target,
        lambda stage: stage.steps[0].actions[0].precondition,
    ],
    ids=["stage", "step", "target", "precondition"],
)
def test_unknown_field_that_restricts(world: World, of: Callable[[Stage], Any]) -> None:
    of(world.deletes(0)).MergeFromString(b"\xf8\x07\x01")
    with pytest.raises(ExceptionGroup):
        reconcile(world.loop())
    assert world.done == []


LATER = json.loads((ROOT / "proto" / "testdata" / "later.json").read_text())["answers"]


@pytest.mark.parametrize("answer", LATER, ids=[answer["about"] for answer in LATER])
def test_a_planner_of_a_later_release(world: World, answer: dict[str, Any]) -> None:
    world.plan_ = PlanResponse.FromString(base64.b64decode(answer["response"])).plan
    refused = answer.get("refused")
    if not refused:
        reconcile(world.loop())
    elif refused == "fence":
        with pytest.raises(PlanDropped, match="does not know"):
            reconcile(world.loop())
    else:
        with pytest.raises(ExceptionGroup) as failed:
            reconcile(world.loop())
        assert isinstance(failed.value.exceptions[0], {"guard": UnknownGuard, "operation": UnknownOperation}[refused])
    assert sorted(world.done) == [f"delete_pod {name}" for name in answer["deleted"]]


def test_lie(world: World) -> None:
    world.deletes(0, 1).steps[1].actions[0].target.name = "db-0"
    with pytest.raises(ExceptionGroup) as failed:
        reconcile(world.loop())
    assert isinstance(failed.value.exceptions[0], Refusal)
    assert world.done == []
    assert world.held == ["verification"]


def test_gate(world: World) -> None:
    world.deletes(0)
    loop = world.loop()
    reconcile(loop)
    world.shown = False
    assert reconcile(loop) == 0.1
    assert world.held == ["gate"]
    assert len(world.requests) == 1
    assert world.asked_for_current == 0
    world.shown = True
    reconcile(loop)
    assert len(world.requests) == 2


def test_time_alone_does_not_open_the_gate(world: World) -> None:
    world.deletes(0)
    loop = world.loop(gate_timeout=0)
    reconcile(loop)
    world.shown = world.is_current = False
    assert reconcile(loop) > 0
    assert world.asked_for_current == 1
    world.is_current = True
    reconcile(loop)
    assert len(world.requests) == 2


def test_owners_without_an_answer_close_the_gate(world: World) -> None:
    action = Action()
    action.target.kind, action.target.name, action.precondition.uid = "PersistentVolumeClaim", "www-web-0", "uid"
    action.set_claim_owners.SetInParent()
    loop = world.loop()
    world.deletes(0).steps[0].actions[0].CopyFrom(action)

    async def run() -> list[float]:
        from setplan.adapter._apply import Application  # noqa: PLC0415

        application = Application(loop, KEY, world.snapshot(KEY), world.plan_)
        world.failing["set_claim_owners www-web-0"] = Result(OSError("lost"), OutcomeResult.OUTCOME_RESULT_ERROR)
        await application._run_step(world.plan_.stages[0].steps[0])
        world.plan_ = Plan()
        world.is_current = False
        closed = await loop.reconcile(KEY)
        world.is_current = True
        return [closed, await loop.reconcile(KEY)]

    closed, opened = asyncio.run(run())
    assert closed > 0
    assert opened == 0


def test_outcomes(world: World) -> None:
    world.deletes(0)
    world.failing["delete_pod web-0"] = refused("quota")
    loop = world.loop()
    for _ in range(2):
        with pytest.raises(ExceptionGroup):
            reconcile(loop)
    world.failing.clear()
    reconcile(loop)
    reconcile(loop)
    told = [[(o.action_id, o.count, o.message, o.result) for o in r.snapshot.outcomes] for r in world.requests]
    rejected = OutcomeResult.OUTCOME_RESULT_REJECTED
    assert told == [[], [("delete-web-0", 1, "quota", rejected)], [("delete-web-0", 2, "quota", rejected)], []]


def test_a_refusal_by_a_budget_is_remembered(world: World) -> None:
    budget = OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET
    now = datetime(2026, 1, 1, tzinfo=UTC)
    outcomes = Outcomes(lambda: now)
    outcomes.record(KEY, "evict-web-0", Result(ValueError("guard"), budget))
    outcomes.record(KEY, "delete-web-1", Result(ValueError("quota"), OutcomeResult.OUTCOME_RESULT_REJECTED))
    for after, want in [(0, ["evict-web-0"]), (299, ["evict-web-0"]), (300, [])]:
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=after)
        outcomes.prune(KEY, Plan())
        assert [outcome.action_id for outcome in outcomes.report(KEY)] == want


def test_requeue(world: World) -> None:
    world.plan_.requeue_after.FromTimedelta(timedelta(seconds=3))
    assert reconcile(world.loop()) == 3
    world.deletes(0)
    world.plan_.truncated = True
    assert 0 < reconcile(world.loop()) < 0.001


def test_fail_static(world: World) -> None:
    world.deletes(0)

    def fail() -> None:
        raise Unreachable(grpc.StatusCode.UNAVAILABLE, "no connection")

    world.during = fail
    with pytest.raises(Unreachable):
        reconcile(world.loop())
    assert world.done == []
    assert world.held == ["planner unreachable"]


def test_a_set_that_is_gone(world: World) -> None:
    def gone(_key: Key) -> Snapshot:
        raise Gone

    world.snapshot = gone  # type: ignore[assignment,method-assign]
    assert reconcile(world.loop()) == 0
    assert world.requests == []
