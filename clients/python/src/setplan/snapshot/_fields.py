"""Fields that several kinds of objects have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from setplan.v1.snapshot_pb2 import Condition

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(text: str | None) -> datetime | None:
    """Read a time of the API server, RFC 3339."""
    return datetime.fromisoformat(text) if text else None


def millis(text: str | None) -> int:
    """Read a time into the contract's form, milliseconds since the epoch. 0 where there is none."""
    at = moment(text)
    return (at - _EPOCH) // timedelta(milliseconds=1) if at else 0


def identity(metadata: dict[str, Any]) -> dict[str, Any]:
    """Name, uid and resource version of an object, as the messages of all kinds have them."""
    return {
        "name": metadata["name"],
        "uid": metadata.get("uid", ""),
        "resource_version": metadata.get("resourceVersion", ""),
    }


def conditions(status: Mapping[str, Any]) -> list[Condition]:
    """Put the conditions of an object into the contract's form, in its order."""
    out: list[Condition] = []
    for c in status.get("conditions") or []:
        condition = Condition(
            type=c["type"], status=c.get("status") or "", reason=c.get("reason") or "", message=c.get("message") or ""
        )
        at = moment(c.get("lastTransitionTime"))
        if at is not None:
            condition.last_transition_time.FromDatetime(at)
        out.append(condition)
    return out
