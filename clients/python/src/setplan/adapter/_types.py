"""What an adapter is made of: a source that reads, an executor that writes, an observer that is told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from setplan.v1.plan_pb2 import Action, Plan
from setplan.v1.service_pb2 import PlanRequest
from setplan.v1.snapshot_pb2 import ClaimNeighbour, OutcomeResult, Snapshot


class Key(NamedTuple):
    """Names a set in a cluster."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True)
class SetIdentity:
    """What the fence compares (SPEC.md, A4)."""

    uid: str
    generation: int
    policy: str
    """`policy_of` its annotations, which move no generation."""
    deleting: bool = False
    neighbours: str = ""
    """`neighbours_of` the snapshot that would be made now; not of the live set."""


@dataclass(frozen=True)
class Write:
    """A finished write, which the caches must show before the next snapshot (SPEC.md, A3)."""

    kind: str
    name: str
    uid: str
    resource_version: str = ""
    """What the API answered; empty for a delete."""
    deleted: bool = False
    """A delete: shown once the object is terminating, gone, or has another uid."""


@dataclass(frozen=True)
class Result:
    """The result of one action."""

    error: Exception | None = None
    """None if the action succeeded, or had been done before."""
    outcome: OutcomeResult = OutcomeResult.OUTCOME_RESULT_UNSPECIFIED
    """Classifies the error; unspecified without one."""
    write: Write | None = None
    """None if nothing was written."""


class Planner(Protocol):
    """Decides: a `setplan.aio.Client`."""

    async def plan(self, request: PlanRequest) -> Plan:
        """Make the plan of one set. `PlannerError`: no plan was made."""
        ...


class Source(Protocol):
    """Reads a cluster, from caches if it has them."""

    def snapshot(self, key: Key) -> Snapshot:
        """Make the snapshot of one set, without policy and outcomes, which the loop adds. `Gone`: there is no such set."""
        ...

    def set(self, key: Key) -> SetIdentity:
        """Return the cached identity of the set, for the fence. `Gone` as above."""
        ...

    async def live_set(self, key: Key) -> SetIdentity:
        """Return the same from the API server, not from a cache (A7)."""
        ...

    def observed(self, key: Key, write: Write) -> bool:
        """Report whether the caches show the effect of a write."""
        ...

    async def current(self, key: Key, write: Write) -> bool:
        """Read the object of a write past every cache, and report whether the cache has it as it is, or lacks it too."""
        ...


class Executor(Protocol):
    """Writes to a cluster."""

    async def apply(self, key: Key, action: Action) -> Result:
        """Carry out one action, with its precondition checked with the write (A8). It never retries (A9)."""
        ...


class Observer:
    """Is told what the loop does, for logs, events and metrics. Override what you need."""

    def planned(self, key: Key, snapshot: Snapshot, plan: Plan) -> None:
        """Take note of a plan, before any of it is applied."""

    def applied(self, key: Key, action: Action, result: Result) -> None:
        """Take note of an action that was tried."""

    def held(self, key: Key, reason: str, error: Exception) -> None:
        """Take note of a pass that got no plan, or did not apply it. `reason` is one of few words."""

    def forgotten(self, key: Key) -> None:
        """Drop what is kept for a set that is gone."""


class Gone(Exception):
    """The set does not exist: there is nothing to plan."""


class PlanDropped(Exception):
    """The plan was dropped because the world had moved. The next pass plans anew; nobody has to act."""


class UnknownOperation(Exception):
    """The adapter does not know the operation (A10)."""


class UnknownGuard(Exception):
    """The adapter does not know a field that restricts when to write (A21)."""


def policy_of(annotations: Mapping[str, str]) -> str:
    """Name what a set's annotations ask for, so that the fence can tell that a policy was changed while the planner thought.

    Every annotation under a prefix that the planner may read counts, those of a later release too. Empty: there is none.
    """
    own = sorted((k, text) for k, text in annotations.items() if k.startswith(("setplan.io/", "statefulsets.kubernetes.io/")))
    return hashlib.sha256(json.dumps(own).encode()).hexdigest() if own else ""


def neighbours_of(neighbours: Iterable[ClaimNeighbour]) -> str:
    """Put claim neighbours into one text, so that the fence can tell that there is another set since the planner was asked (D6)."""
    return ", ".join(sorted(f"{n.set} {n.claim_template}" for n in neighbours))
