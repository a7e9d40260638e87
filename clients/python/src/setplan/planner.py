"""Asks a planner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message

from setplan._remote import Remote, TLSFiles
from setplan.errors import PlannerError, Unreachable
from setplan.v1 import (
    ForecastRequest,
    ForecastResponse,
    ForecastResult,
    ForecastStep,
    GetServerInfoRequest,
    GetServerInfoResponse,
    Plan,
    PlanRequest,
    PlanResponse,
)

M = TypeVar("M", bound=Message)


class _Asked(Protocol):
    def call(self, method: str, request: bytes, timeout: float) -> Iterator[bytes]: ...
    def close(self) -> None: ...


class Planner:
    """Asks a planner. Many threads may use it; one per process is enough.

    A call takes `timeout`, its deadline in seconds, retries included; the default is that of the `Planner`. It raises
    `PlannerError` if there is no answer. In asyncio: `await asyncio.to_thread(planner.plan, request)`.
    """

    def __init__(self, asked: _Asked, timeout: float) -> None:
        """Use `connect` or `local`."""
        if timeout <= 0:
            raise ValueError(f"timeout is {timeout} s, must be positive")
        self._asked = asked
        self._timeout = timeout

    @classmethod
    def connect(
        cls,
        address: str,
        *,
        tls: TLSFiles | None = None,
        insecure: bool = False,
        timeout: float = 10,
        max_message_bytes: int = 64 << 20,
    ) -> Self:
        """Ask a server such as `planner.example.com:7450` or `dns:///planner:7450`. The first call connects.

        One of `tls` and `insecure` is required: `insecure` is for a planner on the same machine, because requests and plans hold
        pod templates, and those hold secrets. `max_message_bytes` bounds a request and an answer. ValueError and OSError say what
        is wrong with the options and the files.

        Only UNAVAILABLE is retried. An overloaded planner raises `Overloaded`: the caller knows when to ask again.
        """
        return cls(Remote(address, tls, insecure, max_message_bytes), timeout)

    @classmethod
    def local(cls, path: str | Path, *, timeout: float = 10) -> Self:
        """Plan in this process, with the module `setplan.wasm`. It requires the extra `local`.

        One call runs at a time, in at most 512 MiB, and its deadline counts from then. The first start compiles the module, which
        takes seconds; later ones find it in wasmtime's cache in the home folder. OSError and ValueError say what is wrong.
        """
        from setplan._local import Local  # noqa: PLC0415  # only with the extra

        return cls(Local(path), timeout)

    def plan(self, request: PlanRequest, *, timeout: float | None = None) -> Plan:
        """Ask for the plan of one set: what to do next, and what it waits for."""
        response = self._one("Plan", request, PlanResponse, timeout)
        if not response.HasField("plan"):
            raise PlannerError(grpc.StatusCode.INTERNAL, "the planner answered without a plan")
        return response.plan

    def forecast(self, request: ForecastRequest, *, timeout: float | None = None) -> ForecastResult:
        """Ask how one set's rollout will go. A forecast of a large set takes seconds."""
        *_, result = self.forecast_steps(request, timeout=timeout)
        return cast("ForecastResult", result)

    def forecast_steps(self, request: ForecastRequest, *, timeout: float | None = None) -> Iterator[ForecastStep | ForecastResult]:
        """Ask the same, and yield each step as soon as the planner sends it, then the result."""
        result = None
        for response in self._call("Forecast", request, ForecastResponse, timeout):
            if response.HasField("step"):
                yield response.step
            elif response.HasField("result"):
                result = response.result
        if result is None:
            raise Unreachable(grpc.StatusCode.UNAVAILABLE, "the forecast ended before its result")
        yield result

    def server_info(self, *, timeout: float | None = None) -> GetServerInfoResponse:
        """Ask for the planner's release, what it can plan, and its limits."""
        return self._one("GetServerInfo", GetServerInfoRequest(), GetServerInfoResponse, timeout)

    def close(self) -> None:
        """End all calls."""
        self._asked.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _one(self, method: str, request: Message, kind: type[M], timeout: float | None) -> M:
        for response in list(self._call(method, request, kind, timeout)):  # an error may follow
            return response
        raise PlannerError(grpc.StatusCode.INTERNAL, "the planner answered nothing")

    def _call(self, method: str, request: Message, kind: type[M], timeout: float | None) -> Iterator[M]:
        for answer in self._asked.call(method, request.SerializeToString(), self._timeout if timeout is None else timeout):
            try:
                response = kind.FromString(answer)
            except DecodeError as error:
                raise PlannerError(grpc.StatusCode.INTERNAL, f"the planner's answer cannot be read: {error}") from error
            yield response
