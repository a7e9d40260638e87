"""The errors of calls. Each means that no plan was made (SPEC.md, P3).

Every error is a `PlannerError`. Its class is the planner's reason, so write `except Overloaded` and ignore codes. It is
`PlannerError` itself if the planner gave no reason, or one of a later release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

M = TypeVar("M", bound=Message)

_TRAILER = "grpc-status-details-bin"
_TOO_LARGE = re.compile(r"Received message larger than max \((\d+) vs\. (\d+)\)")


@dataclass(frozen=True)
class Violation:
    """One mistake in a request: the path of the field, such as `snapshot.pods[3].uid`, and what is wrong with it."""

    field: str
    description: str


@dataclass
class PlannerError(Exception):
    """A call that has no answer."""

    code: grpc.StatusCode
    """gRPC's code."""
    message: str
    """For people. It holds no template data."""
    reason: str = ""
    """A name of `v1.ErrorReason` without its prefix, such as "OVERLOADED"; empty if the error is not the planner's."""
    violations: tuple[Violation, ...] = ()
    """The mistakes in the request, for `InvalidSnapshot`."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Numbers and names of the reason, such as `limit`; error.proto says which."""
    retry_after: timedelta | None = None
    """How long to wait before asking again, if the planner says so."""

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"


class InvalidSnapshot(PlannerError):
    """The request is malformed; `violations` names each field."""


class UnsupportedPolicy(PlannerError):
    """The planner does not know a behavior or policy of the request. Without it, more could be deleted (C2)."""


class TooManyPods(PlannerError):
    """The set has more pods than the limit; `metadata` has `pods` and `limit`."""


class MessageTooLarge(PlannerError):
    """The request or the answer has more bytes than the planner or this client allows; `metadata` has `bytes` and `limit`."""


class Draining(PlannerError):
    """The server is shutting down, and so was every other that the retries reached."""


class InternalError(PlannerError):
    """A bug in the planner, logged under `metadata["request_id"]`."""


class Overloaded(PlannerError):
    """The planner is busy. Nothing is wrong with the request: ask again after `retry_after` (C4)."""


class UnknownCaller(PlannerError):
    """The planner serves the clusters of a policy, and the caller's certificate names none of them (C6)."""


class Unreachable(PlannerError):
    """No answer came: no connection, or the deadline passed."""


_classes = {
    "INVALID_SNAPSHOT": InvalidSnapshot,
    "UNSUPPORTED_POLICY": UnsupportedPolicy,
    "TOO_MANY_PODS": TooManyPods,
    "MESSAGE_TOO_LARGE": MessageTooLarge,
    "DRAINING": Draining,
    "INTERNAL": InternalError,
    "OVERLOADED": Overloaded,
    "UNKNOWN_CALLER": UnknownCaller,
}
_codes = {code.value[0]: code for code in grpc.StatusCode}
_silent = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}


def of_call(code: grpc.StatusCode, message: str | None, trailer: Iterable[Any] | None) -> PlannerError:
    """Make the error of a call that failed."""
    sizes = _TOO_LARGE.search(message or "")  # as this client's gRPC says it
    if sizes:
        return too_large("answer", *map(int, sizes.groups()))
    status = status_pb2.Status()
    with suppress(DecodeError):
        status.ParseFromString(next((value for key, value in trailer or () if key == _TRAILER), b""))
    status.code, status.message = code.value[0], message or ""
    return of_status(status)


def too_large(what: str, size: int, limit: int) -> MessageTooLarge:
    """Make the error of a message over a limit, in bytes."""
    return MessageTooLarge(
        code=grpc.StatusCode.RESOURCE_EXHAUSTED,
        message=f"the {what} has {size} bytes; the limit is {limit}",
        reason="MESSAGE_TOO_LARGE",
        metadata={"bytes": str(size), "limit": str(limit)},
    )


def of_status(status: status_pb2.Status) -> PlannerError:
    """Make the error of a planner's status. Details that cannot be read are left out."""
    code = _codes.get(status.code, grpc.StatusCode.UNKNOWN)
    info = _first(status, error_details_pb2.ErrorInfo())
    reason = info.reason if info.domain == "setplan.io" else ""
    bad = _first(status, error_details_pb2.BadRequest())
    again = _first(status, error_details_pb2.RetryInfo())
    kind = _classes.get(reason, Unreachable if not reason and code in _silent else PlannerError)
    return kind(
        code=code,
        message=status.message,
        reason=reason,
        violations=tuple(Violation(v.field, v.description) for v in bad.field_violations),
        metadata=dict(info.metadata),
        retry_after=_delay(again) if again.HasField("retry_delay") else None,
    )


def _first(status: status_pb2.Status, detail: M) -> M:
    """Read the first detail of this kind into `detail`, if there is one."""
    for any_ in status.details:
        if any_.Is(detail.DESCRIPTOR):
            with suppress(DecodeError):
                any_.Unpack(detail)
                return detail
            detail.Clear()
    return detail


def _delay(again: error_details_pb2.RetryInfo) -> timedelta | None:
    with suppress(ValueError, OverflowError):  # longer than any time
        delay: timedelta = again.retry_delay.ToTimedelta()
        return delay
    return None
