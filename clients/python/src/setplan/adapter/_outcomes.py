"""Which actions of a set failed, so that a planner without memory can see that it repeats itself (SPEC.md, A14)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from setplan.adapter._types import Key, Result
from setplan.adapter.operations import actions_in
from setplan.v1.plan_pb2 import Plan
from setplan.v1.snapshot_pb2 import Outcome, OutcomeResult

_MAX_MESSAGE = 512  # bytes: keeps a long API answer from making every snapshot long
_MAX_OUTCOMES = 10_000  # the limit of the contract; what is left out counts as not tried yet
# A planner that waits before it asks a disruption budget again leaves the action out, and has to be told all the same.
_BUDGET_MEMORY = timedelta(minutes=5)


class Outcomes:
    """Remembers failures."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._failed: dict[Key, dict[str, Outcome]] = {}

    def record(self, key: Key, action_id: str, result: Result) -> None:
        """Note how an action ended. A success wipes what was known about it."""
        failed = self._failed.setdefault(key, {})
        before = failed.pop(action_id, Outcome())
        if result.error is not None:
            message = str(result.error).encode(errors="replace")[:_MAX_MESSAGE].decode(errors="ignore")
            outcome = Outcome(action_id=action_id, result=result.outcome, count=before.count + 1, message=message)
            outcome.tried_at.FromDatetime(self._now())
            failed[action_id] = outcome

    def prune(self, key: Key, plan: Plan) -> None:
        """Drop failures of actions that nobody wants any more. A truncated plan says nothing about what it left out."""
        if not plan.truncated:
            wanted = {action.id for action in actions_in(plan)}
            failed = self._failed.get(key, {})
            self._failed[key] = {id_: outcome for id_, outcome in failed.items() if id_ in wanted or self._awaits_budget(outcome)}

    def _awaits_budget(self, outcome: Outcome) -> bool:
        budget = outcome.result == OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET
        return budget and self._now() - outcome.tried_at.ToDatetime(UTC) < _BUDGET_MEMORY

    def report(self, key: Key) -> list[Outcome]:
        """List the failures, sorted by id: the same memory gives the same snapshot."""
        return [outcome for _, outcome in sorted(self._failed.get(key, {}).items())][:_MAX_OUTCOMES]

    def forget(self, key: Key) -> None:
        """Drop what is kept for a set that is gone."""
        self._failed.pop(key, None)
