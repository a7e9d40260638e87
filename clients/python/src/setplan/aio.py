"""The client for asyncio: the same as `setplan.Client`, with `await`."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

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
    """Asks a planner from an event loop; `setplan.Client` says what the options mean."""

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
        """Check the options and read the files. ValueError and OSError say what is wrong. Call it within the event loop."""
        self._settings = settings(target, tls, insecure, timeout, max_message_bytes, user_agent)
        self._channels: Channels[grpc.aio.Channel] = Channels(self._settings, self._channel)

    async def plan(self, request: PlanRequest, *, timeout: float | None = None) -> Plan:
        """Ask for the plan of one set. `PlannerError`: no plan was made. See `setplan.Client.plan`."""
        answer = await self._call(PLAN, with_capabilities(request).SerializeToString(), timeout)
        return plan_of(answer)

    async def server_info(self, *, timeout: float | None = None) -> GetServerInfoResponse:
        """Ask what the server can plan, and within which limits."""
        answer = await self._call(SERVER_INFO, GetServerInfoRequest().SerializeToString(), timeout)
        return GetServerInfoResponse.FromString(answer)

    async def close(self) -> None:
        """End the connection and all calls on it."""
        await self._channels.close().close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _call(self, method: str, request: bytes, seconds: float | None) -> bytes:
        lease, unused = self._channels.begin()
        try:
            ask: Any = lease.channel.unary_unary(method)
            answer: bytes = await ask(request, timeout=seconds or self._settings.timeout)
        except grpc.aio.AioRpcError as error:
            raise errors.of_status(
                error.code(), error.details(), error.trailing_metadata(), self._settings.max_message_bytes
            ) from None
        finally:
            for channel in (unused, self._channels.end(lease)):
                if channel is not None:
                    await channel.close()
        return answer

    def _channel(self, content: Content | None) -> grpc.aio.Channel:
        arguments = self._settings.channel_arguments()
        if content is None:
            return grpc.aio.insecure_channel(self._settings.target, arguments)
        return grpc.aio.secure_channel(self._settings.target, credentials(content), arguments)
