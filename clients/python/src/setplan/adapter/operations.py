"""The operations of a plan, by the contract's names."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from setplan.v1.plan_pb2 import Action, Plan, Stage

UNKNOWN = "unknown"

# The operations that take nothing away. One that is forgotten here is fenced.
_HARMLESS = frozenset(
    {
        "create_pod",
        "patch_pod",
        "update_pod",
        "adopt_pod",
        "release_pod",
        "create_claim",
        "set_claim_owners",
        "patch_claim",
        "create_revision",
        "renumber_revision",
        "adopt_revision",
        "update_status",
        "patch_annotations",
        "set_finalizer",
    }
)


def operation_of(action: Action) -> str:
    """Name the operation of an action, such as `create_pod`; `unknown` for one that this build has no member for."""
    return action.WhichOneof("operation") or UNKNOWN


def actions_of(stage: Stage) -> Iterator[Action]:
    """Walk the actions of a stage, in order."""
    return (action for step in stage.steps for action in step.actions)


def actions_in(plan: Plan) -> Iterator[Action]:
    """Walk the actions of a plan, in order."""
    return (action for stage in plan.stages for action in actions_of(stage))


def deletes(action: Action) -> bool:
    """Report whether an action takes something away, if only for a while: the fence is checked again before it (A4)."""
    images = len(action.update_pod.containers) + len(action.update_pod.init_containers)
    # For other images containers are stopped, and perhaps for other resources: resize_pod is not among the harmless ones.
    return operation_of(action) not in _HARMLESS or images > 0


def is_newer(message: Message) -> bool:
    """Report whether a message has fields of its own that this build's contract lacks (A21)."""
    return len(UnknownFieldSet(message)) > 0
