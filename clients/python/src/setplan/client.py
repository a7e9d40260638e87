"""The client for programs without an event loop. `setplan.aio` has the same for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import grpc

from setplan import errors
from setplan._channels import Channels
from setplan._settings import (
    DEFAULT_MAX_MESSAGE_BYTES,
    DEFAULT_TIMEOUT,
    PLAN,
    SERVER_INFO,
    plan_of,
    settings,
    with_capabilities,
)
from setplan._tls import Content, TLSFiles, credentials
from setplan.v1.plan_pb2 import Plan
from setplan.v1.service_pb2 import GetServerInfoRequest, GetServerInfoResponse, PlanRequest


class Client:
    """Asks a planner. It may be used by many threads; one per process is enough.

    `target` is an address such as `planner.example.com:7450` or `dns:///planner:7450`; all addresses of a DNS name are used. The
    first call connects. One of `tls` and `insecure` is required: `insecure` is for a planner on the same machine, because snapshots
    and plans hold pod templates, and those hold secrets. `timeout` is the deadline of a call in seconds, retries included, and
    `max_message_bytes` bounds a request and a plan. `user_agent` names the program in front of this library's name.

    Only UNAVAILABLE is retried. An overloaded planner raises `Overloaded`: the caller's queue knows better than a waiting call.
    """

    def __init__(
        self,
        target: str,
        *,
        tls: TLSFiles | None = None,
        insecure: bool = False,
        timeout: float = DEFAULT_TIMEOUT,
        max_message_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
        user_agent: str = "",
    ) -> None:
        """Check the options and read the files. ValueError and OSError say what is wrong."""
        self._settings = settings(target, tls, insecure, timeout, max_message_bytes, user_agent)
        self._channels: Channels[grpc.Channel] = Channels(self._settings, self._channel)

    def plan(self, request: PlanRequest, *, timeout: float | None = None) -> Plan:
        """Ask for the plan of one set. `PlannerError`: no plan was made.

        A request without capabilities is sent with all of this build, which is right for a caller that only looks. A caller that
        carries out plans must list its own.
        """
        answer = self._call(PLAN, with_capabilities(request).SerializeToString(), timeout)
        return plan_of(answer)

    def server_info(self, *, timeout: float | None = None) -> GetServerInfoResponse:
        """Ask what the server can plan, and within which limits."""
        answer = self._call(SERVER_INFO, GetServerInfoRequest().SerializeToString(), timeout)
        return GetServerInfoResponse.FromString(answer)

    def close(self) -> None:
        """End the connection and all calls on it."""
        self._channels.close().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _call(self, method: str, request: bytes, seconds: float | None) -> bytes:
        lease, unused = self._channels.begin()
        try:
            ask: Any = lease.channel.unary_unary(method)
            answer: bytes = ask(request, timeout=seconds or self._settings.timeout)
        except grpc.RpcError as error:
            raise errors.of_status(
                error.code(), error.details(), error.trailing_metadata(), self._settings.max_message_bytes
            ) from None
        finally:
            for channel in (unused, self._channels.end(lease)):
                if channel is not None:
                    channel.close()
        return answer

    def _channel(self, content: Content | None) -> grpc.Channel:
        arguments = self._settings.channel_arguments()
        if content is None:
            return grpc.insecure_channel(self._settings.target, arguments)
        return grpc.secure_channel(self._settings.target, credentials(content), arguments)
