"""The loop: gate, snapshot, plan, apply."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime

import grpc

from setplan import PlannerError
from setplan.adapter._apply import Application
from setplan.adapter._gate import Gate
from setplan.adapter._outcomes import Outcomes
from setplan.adapter._turns import Turns
from setplan.adapter._types import Executor, Gone, Key, Observer, Planner, Source, Write
from setplan.errors import Overloaded
from setplan.v1.service_pb2 import Capability, PlanRequest
from setplan.v1.snapshot_pb2 import Policy, Snapshot

REQUEUE_NOW = 1e-9
"""The shortest positive wait, in seconds: the caller requeues the key at once. 0 means only when something changes."""

_LAST_GATE_RETRY = 5.0  # seconds; a change of the set triggers a check at once

# Actions of all sets that are under way at once. They are fewer than the requests that `setplan.kube` sends at once: a deletion
# waits for its turn, after which it is checked again, and for nothing else.
_AT_ONCE, _SPARE = 45, 10

_THREADS = 2  # for what may take seconds of CPU; those of the event loop have other work

_REFUSED = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
}


@dataclass(frozen=True)
class Options:
    """Options of a loop. The defaults are right for production."""

    policy: Policy | None = None
    """What a program asks for beside the set's annotations, which the planner reads (A18)."""
    gate_timeout: float = 30
    """How many seconds a write may stay unseen before the loop reads the object itself."""
    gate_retry: float = 0.1
    """The first delay after a pass that met a closed gate, in seconds."""
    action_timeout: float = 30
    """Limits one action, in seconds."""
    parallelism: int = 100
    """How many steps of a stage run at once."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    """Tells the age of a snapshot."""


class Loop:
    """Reconciles one set at a time.

    The queue, its back-off and who may write are the caller's. `reconcile` may run for several keys at once, but never twice for
    the same key. `capabilities` is what the executor can do (C5). Cancelling a pass cuts off what is under way, and nobody knows
    whether it was carried out: only a process that ends, or has lost its lease, does so.
    """

    def __init__(
        self,
        source: Source,
        executor: Executor,
        planner: Planner,
        capabilities: Sequence[Capability],
        observer: Observer | None = None,
        options: Options | None = None,
    ) -> None:
        self.source = source
        self.executor = executor
        self.observer = observer or Observer()
        self.options = options or Options()
        self.gate = Gate(self.options.gate_timeout, time.monotonic)
        self.outcomes = Outcomes(self.options.now)
        self.turns = Turns(_AT_ONCE, _SPARE)
        self._snapshots = Turns(1, 0)
        self.checks = Turns(_THREADS, 0)
        self.threads = ThreadPoolExecutor(_THREADS, "setplan")
        self._planner = planner
        self._capabilities = capabilities

    async def reconcile(self, key: Key) -> float:
        """Make one pass over a set, and return after how many seconds to call again; 0 is only when something changes.

        After an exception the caller backs off and calls again. While the planner gives no plan, nothing is written (A11).
        """
        if retry := await self._pass_gate(key):
            return retry
        try:
            snapshot = await self._snapshot(key)
        except Gone:
            self.gate.forget(key)
            self.outcomes.forget(key)
            self.observer.forgotten(key)
            return 0
        except Exception as error:
            self.observer.held(key, "snapshot", error)
            raise
        if self.options.policy is not None:
            snapshot.policy.CopyFrom(self.options.policy)
        snapshot.outcomes.extend(self.outcomes.report(key))
        try:
            plan = await self._planner.plan(PlanRequest(snapshot=snapshot, capabilities=self._capabilities))
        except PlannerError as error:
            self.observer.held(key, _reason(error), error)
            raise
        self.outcomes.prune(key, plan)
        self.observer.planned(key, snapshot, plan)
        await Application(self, key, snapshot, plan).run()
        if plan.truncated and plan.stages:
            return REQUEUE_NOW
        return plan.requeue_after.ToTimedelta().total_seconds()

    async def _snapshot(self, key: Key) -> Snapshot:
        """Make one snapshot at a time: those of a large namespace take long, and the event loop has other work in between."""
        async with self._snapshots.of(key.namespace):
            try:
                return self.source.snapshot(key)
            finally:
                await asyncio.sleep(0)

    async def _pass_gate(self, key: Key) -> float:
        async def current(write: Write) -> bool:
            try:
                return await self.source.current(key, write)
            except OSError as error:
                self.observer.held(key, "gate timeout", error)
                return False

        retry, unseen = await self.gate.check(key, lambda write: self.source.observed(key, write), current)
        if unseen is None:
            return 0
        self.observer.held(key, "gate", unseen)
        return max(self.options.gate_retry, min(retry, _LAST_GATE_RETRY))


def _reason(error: PlannerError) -> str:
    """Tell an unreachable or busy planner, which recovers by itself, from one that refuses, which seldom does."""
    if isinstance(error, Overloaded):
        return "planner busy"
    return "planner refused" if error.code in _REFUSED else "planner unreachable"
