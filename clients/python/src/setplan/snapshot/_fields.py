"""Fields that several kinds of objects have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

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
