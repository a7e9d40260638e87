"""The parts of an adapter in any cluster: what it does with a plan, by the rules of SPEC.md, and what it checks before.

`Loop` is one pass over a set: gate, snapshot, plan, verification, stages. It works with a `Source` that reads and an `Executor`
that writes; `setplan.kube` has both for Kubernetes. `setplan.adapter.verify` has the checks of a plan.
"""

from setplan.adapter._gate import Unseen
from setplan.adapter._loop import REQUEUE_NOW, Loop, Options
from setplan.adapter._turns import Turns
from setplan.adapter._types import (
    Executor,
    Gone,
    Key,
    Observer,
    PlanDropped,
    Planner,
    Result,
    SetIdentity,
    Source,
    UnknownGuard,
    UnknownOperation,
    Write,
    neighbours_of,
    policy_of,
)

__all__ = [
    "REQUEUE_NOW",
    "Executor",
    "Gone",
    "Key",
    "Loop",
    "Observer",
    "Options",
    "PlanDropped",
    "Planner",
    "Result",
    "SetIdentity",
    "Source",
    "Turns",
    "UnknownGuard",
    "UnknownOperation",
    "Unseen",
    "Write",
    "neighbours_of",
    "policy_of",
]
