"""One plan on its way into the cluster."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, NoReturn

from setplan.adapter._types import Gone, Key, PlanDropped, Result, UnknownGuard, UnknownOperation, Write, neighbours_of, policy_of
from setplan.adapter.operations import UNKNOWN, actions_of, deletes, is_newer, operation_of
from setplan.adapter.verify import Refusal, Verifier
from setplan.v1.plan_pb2 import Action, OnFailure, Plan, Stage, Step
from setplan.v1.snapshot_pb2 import OutcomeResult, Snapshot

if TYPE_CHECKING:
    from setplan.adapter._loop import Loop

# A wait after which the fence is checked again before a deletion: slow writes may stretch a stage to minutes.
_LONG_WAIT = 1.0  # seconds


class Application:
    """Carries out the stages of a plan in order (SPEC.md, A4 to A10, A20, A21, D6)."""

    def __init__(self, loop: Loop, key: Key, snapshot: Snapshot, plan: Plan) -> None:
        self._loop = loop
        self._key = key
        self._snapshot = snapshot
        self._plan = plan
        self._verifier = Verifier(snapshot)
        self._failures: list[Exception] = []
        self._fenced_at = monotonic()
        self._dropped: PlanDropped | None = None  # the world has moved while a stage was under way

    async def run(self) -> None:
        """Apply the plan. `PlanDropped`: the world had moved. `ExceptionGroup`: the actions that failed."""
        begun = stopped = False
        skipped: set[int] = set()
        for stage in self._plan.stages:
            if not stage.steps or stage.phase in skipped or (stopped and not stage.always_run):
                continue
            fenced = not begun or any(deletes(action) for action in actions_of(stage))
            if fenced:
                self._check_fence()
                begun = True
            if not await self._run_stage(stage, fenced=fenced):
                if stage.on_failure == OnFailure.ON_FAILURE_STOP:
                    stopped = True
                elif stage.on_failure == OnFailure.ON_FAILURE_SKIP_PHASE:
                    skipped.add(stage.phase)
                else:
                    break  # ABORT; and what this build does not know is treated with the same care
        if self._failures:
            raise ExceptionGroup(f"actions of the plan for {self._key} failed", self._failures)

    def _check_fence(self) -> None:
        """Drop the plan unless it still fits the set and its current spec. It reads the cache."""
        fence = self._plan.fence
        if not self._plan.HasField("fence"):
            self._drop("fence", "the plan has no fence")
        if is_newer(fence):
            self._drop("fence", "the fence has a field that this adapter does not know")
        try:
            set_ = self._loop.source.set(self._key)
        except Gone:
            self._drop("fence", "the set is gone")
        if set_.uid != fence.set_uid:
            self._drop("fence", f"the plan is for uid {fence.set_uid}, the set has uid {set_.uid}")
        if set_.policy != policy_of(self._snapshot.set.annotations):
            self._drop("fence", "the set's policy annotations have changed since the plan was requested")
        if set_.neighbours != neighbours_of(self._snapshot.claim_neighbours):
            self._drop("fence", "another set with the same claim names was created or deleted since the plan was requested")
        if set_.generation != fence.generation:
            self._drop("fence", f"the plan is for generation {fence.generation}, the set is at {set_.generation}")
        age = self._loop.options.now() - self._snapshot.observed_at.ToDatetime(self._loop.options.now().tzinfo)
        if fence.HasField("max_age") and age > fence.max_age.ToTimedelta():
            self._drop("fence", f"the snapshot is {age} old, the plan holds for {fence.max_age.ToTimedelta()}")
        self._fenced_at = monotonic()

    def _check_fence_again(self) -> None:
        """Check the fence again after a long wait: for the checks of a stage, for a turn, or for the actions before."""
        if monotonic() - self._fenced_at >= _LONG_WAIT:
            self._check_fence()

    def _check_still_meant(self, action: Action) -> None:
        """Check the fence again before a deletion that has waited long. The observer is told once for all steps of the plan."""
        if not deletes(action):
            return
        if self._dropped is not None:
            raise self._dropped
        try:
            self._check_fence_again()
        except PlanDropped as dropped:
            self._dropped = dropped
            raise

    async def _check_live_set(self) -> None:
        """Read the set from the API server: an adoption that races with a deletion gives the object to the garbage collector."""
        try:
            set_ = await self._loop.source.live_set(self._key)
        except Gone:
            self._drop("live set", "the set is gone")
        except OSError as error:
            self._drop("live set", str(error))
        if set_.uid != self._snapshot.set.uid:
            self._drop("live set", f"the plan is for uid {self._snapshot.set.uid}, the set has uid {set_.uid}")
        if set_.deleting:
            self._drop("live set", "the set is being deleted")

    def _drop(self, reason: str, why: str) -> NoReturn:
        error = PlanDropped(f"{reason}: {why}")
        self._loop.observer.held(self._key, reason, error)
        raise error

    async def _run_stage(self, stage: Stage, *, fenced: bool) -> bool:
        """Run the steps of a stage side by side, and report whether all succeeded. A failed step does not stop the others.

        An exception is raised when all have ended: a pass that has ended has nothing under way.
        """
        if not await self._allowed(stage):
            return False
        if fenced:
            self._check_fence_again()
        if stage.requires_live_set:
            await self._check_live_set()
        slots = asyncio.Semaphore(self._loop.options.parallelism)

        async def run(step: Step) -> list[Exception]:
            async with slots:
                return await self._run_step(step)

        before = len(self._failures)
        results = await asyncio.gather(*(run(step) for step in stage.steps), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
            self._failures += result
        return len(self._failures) == before

    async def _allowed(self, stage: Stage) -> bool:
        """Refuse a stage with an action that this build does not know or that fails a check.

        Nothing of it is sent: half of what nobody here understands, or of what an untrue plan wants, is no better than all of it.
        """
        error: Exception | None = None
        culprit = Action()
        for step in stage.steps:
            for action in step.actions:
                if error is None and operation_of(action) == UNKNOWN:
                    culprit, error = action, UnknownOperation("this adapter does not know the operation")
                elif error is None and any(map(is_newer, (stage, step, action.target, action.precondition))):
                    culprit, error = action, UnknownGuard("this adapter does not know a field that restricts when to write")
        if error is None:
            try:
                await self._checked(stage)
            except Refusal as refusal:
                culprit, error = refusal.action, refusal
                self._loop.observer.held(self._key, "verification", refusal)
        if error is None:
            return True
        self._tell(culprit, Result(error, OutcomeResult.OUTCOME_RESULT_ERROR))
        self._failures.append(error)
        return False

    async def _checked(self, stage: Stage) -> None:
        """Verify a stage in a thread: that may take seconds, and the event loop has other work, first of all the lease."""
        async with self._loop.checks.of(self._key.namespace):
            await asyncio.get_running_loop().run_in_executor(self._loop.threads, self._verifier.stage, stage)

    async def _run_step(self, step: Step) -> list[Exception]:
        """Run the actions of a step in order. The first failure ends the step, and is returned."""
        for action in step.actions:
            async with self._loop.turns.of(self._key.namespace):
                self._check_still_meant(action)
                result = await self._run_action(action)
            if _may_have_bound(action, result):
                target = Write(action.target.kind, action.target.name, action.precondition.uid)
                self._loop.gate.add(self._key, target, unanswered=True)
            self._tell(action, result)
            if result.error is not None:
                return [result.error]
        return []

    async def _run_action(self, action: Action) -> Result:
        limit = self._loop.options.action_timeout
        try:
            async with asyncio.timeout(limit):
                return await self._loop.executor.apply(self._key, action)
        except TimeoutError:
            return Result(TimeoutError(f"the action took longer than {limit} s"), OutcomeResult.OUTCOME_RESULT_ERROR)
        except Exception as error:
            return Result(error, OutcomeResult.OUTCOME_RESULT_ERROR)

    def _tell(self, action: Action, result: Result) -> None:
        """Pass a result on to everybody who keeps something about it."""
        if result.write is not None:
            self._loop.gate.add(self._key, result.write)
        self._loop.outcomes.record(self._key, action.id, result)
        self._loop.observer.applied(self._key, action, result)


def _may_have_bound(action: Action, result: Result) -> bool:
    """Report whether a failed action may have given a claim to a pod all the same.

    Whoever does not know deletes that pod, and the claim with it. What else may have been done does no such harm: it is tried
    again, and found to be done.
    """
    return operation_of(action) == "set_claim_owners" and result.outcome == OutcomeResult.OUTCOME_RESULT_ERROR
