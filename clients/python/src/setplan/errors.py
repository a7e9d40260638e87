"""What a call can fail with. An error means that no plan was made (SPEC.md, P3).

Every error is a `PlannerError`. Its class is the planner's reason, so `except Overloaded` needs no look at codes; `reason` has the
same as a value of the contract, and is unspecified where no planner answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from setplan.v1.error_pb2 import ErrorReason

M = TypeVar("M", bound=Message)

DOMAIN = "setplan.io"
"""The domain of the planner's ErrorInfo."""

_TRAILER = "grpc-status-details-bin"
_PREFIX = "ERROR_REASON_"
_TOO_LARGE = re.compile(r"Received message larger than max \((\d+) vs\. (\d+)\)")


@dataclass(frozen=True)
class Violation:
    """One mistake in a request: the path of the field, such as `snapshot.pods[3].uid`, and what is wrong with it."""

    field: str
    description: str


@dataclass
class PlannerError(Exception):
    """A call that gave no plan."""

    code: grpc.StatusCode
    """gRPC's code."""
    message: str
    """For people. It holds no template data."""
    reason: ErrorReason = ErrorReason.ERROR_REASON_UNSPECIFIED
    """Why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one."""
    violations: tuple[Violation, ...] = ()
    """The mistakes in the request, for `InvalidSnapshot`."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Numbers and names of the reason, such as `limit`; error.proto says which."""
    retry_after: timedelta | None = None
    """Not to ask again sooner than this, where the planner says so."""

    of: ClassVar[str] = ""

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"


class InvalidSnapshot(PlannerError):
    """The request is malformed; `violations` names each field."""

    of = "INVALID_SNAPSHOT"


class UnsupportedPolicy(PlannerError):
    """The server does not know a behavior or policy of the request. Asking without it could widen what may be deleted (C2)."""

    of = "UNSUPPORTED_POLICY"


class TooManyPods(PlannerError):
    """The snapshot has more pods than the limit; `metadata` has `pods` and `limit`."""

    of = "TOO_MANY_PODS"


class MessageTooLarge(PlannerError):
    """The request or the plan has more bytes than a limit of the server or of this client; `metadata` has `bytes` and `limit`."""

    of = "MESSAGE_TOO_LARGE"


class Draining(PlannerError):
    """The server is shutting down, and so was every other that the retries reached."""

    of = "DRAINING"


class InternalError(PlannerError):
    """A bug in the planner, which its log has under `metadata["request_id"]`."""

    of = "INTERNAL"


class Overloaded(PlannerError):
    """The planner is reachable and has no room now. Nothing is wrong with the request: ask again after `retry_after` (C4)."""

    of = "OVERLOADED"


class UnknownCaller(PlannerError):
    """The planner serves the clusters of a policy, and neither the caller's certificate nor its token names one (C6)."""

    of = "UNKNOWN_CALLER"


class Unreachable(PlannerError):
    """No answer came: no connection, or the deadline passed."""


_classes = {kind.of: kind for kind in PlannerError.__subclasses__() if kind.of}
_silent = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}


def of_status(code: grpc.StatusCode, message: str | None, trailer: Iterable[Any] | None) -> PlannerError:
    """Make the error of a status and its trailer."""
    details = next((value for key, value in trailer or () if key == _TRAILER), None)
    error = _of_details(code, message or "", details.encode() if isinstance(details, str) else details)
    sizes = _TOO_LARGE.search(error.message)  # as this client's gRPC says it
    return too_large("answer", *map(int, sizes.groups())) if sizes and not error.reason else error


def too_large(what: str, size: int, limit: int) -> MessageTooLarge:
    """Make the error of a message over the limit of this client."""
    return MessageTooLarge(
        code=grpc.StatusCode.RESOURCE_EXHAUSTED,
        message=f"the {what} has {size} bytes; the limit of this client is {limit}",
        reason=ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE,
        metadata={"bytes": str(size), "limit": str(limit)},
    )


def _of_details(code: grpc.StatusCode, message: str, details: bytes | None) -> PlannerError:
    """Read the details of a status; what is unreadable there is left out."""
    status = status_pb2.Status()
    try:
        status.ParseFromString(details or b"")
    except DecodeError:
        status.Clear()
    info = _first(status.details, error_details_pb2.ErrorInfo()) or error_details_pb2.ErrorInfo()
    ours = info.reason if info.domain == DOMAIN else ""
    bad = _first(status.details, error_details_pb2.BadRequest())
    again = _first(status.details, error_details_pb2.RetryInfo())
    kind = _classes.get(ours, Unreachable if not ours and code in _silent else PlannerError)
    return kind(
        code=code,
        message=message,
        reason=_reason(ours),
        violations=tuple(Violation(v.field, v.description) for v in bad.field_violations) if bad else (),
        metadata=dict(info.metadata),
        retry_after=_delay(again) if again else None,
    )


def _reason(name: str) -> ErrorReason:
    known = ErrorReason.DESCRIPTOR.values_by_name.get(_PREFIX + name)
    return cast("ErrorReason", known.number if known else ErrorReason.ERROR_REASON_UNSPECIFIED)


def _first(details: Iterable[Any], into: M) -> M | None:
    for detail in details:
        if detail.Is(into.DESCRIPTOR):
            with suppress(DecodeError):
                detail.Unpack(into)
                return into
    return None


def _delay(again: error_details_pb2.RetryInfo) -> timedelta | None:
    try:
        delay: timedelta = again.retry_delay.ToTimedelta()
    except (ValueError, OverflowError):
        return None  # longer than any time
    return delay
