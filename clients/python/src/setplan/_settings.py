"""Everything of a client that is not a call: the options, gRPC's channel arguments, and the request that is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, cast

import grpc
from google.protobuf.message import DecodeError

from setplan._tls import TLSFiles
from setplan.errors import PlannerError
from setplan.v1.plan_pb2 import Plan
from setplan.v1.service_pb2 import Capability, PlanRequest, PlanResponse

DEFAULT_TIMEOUT = 10.0
"""The deadline of a call without one, in seconds, retries included."""
DEFAULT_MAX_MESSAGE_BYTES = 64 << 20
"""Bounds a request and a response; it is the server's default."""

PLAN = "/setplan.v1.PlannerService/Plan"
SERVER_INFO = "/setplan.v1.PlannerService/GetServerInfo"

# Calls are spread over all addresses, and only UNAVAILABLE is retried: that means that a server has not looked at the request or
# is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server. A planner changes nothing, so a retry is
# always safe.
_SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{"service": "setplan.v1.PlannerService"}],
            "waitForReady": False,
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.2s",
                "maxBackoff": "2s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}

# What gRPC counts for a retry in addition to the message.
_RETRY_OVERHEAD = 64 << 10


@dataclass(frozen=True)
class Settings:
    """The options of a client, checked."""

    target: str
    tls: TLSFiles | None
    timeout: float
    max_message_bytes: int
    user_agent: str

    def channel_arguments(self) -> list[tuple[str, Any]]:
        """Make gRPC's arguments of the channel."""
        return [
            ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
            # A name server must not be able to switch the retry policy or the balancing.
            ("grpc.service_config_disable_resolution", 1),
            ("grpc.enable_retries", 1),
            # gRPC retries only what it still holds, by default 256 KiB: less than the snapshot of a large set.
            ("grpc.per_rpc_retry_buffer_size", self.max_message_bytes + _RETRY_OVERHEAD),
            ("grpc.max_send_message_length", self.max_message_bytes),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            ("grpc.primary_user_agent", self.user_agent),
            # Quicker than gRPC's default, whose first wait is longer than all retries of a call.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 5_000),
            # Pings notice a dead server behind a silent network. The server allows one every 10 s.
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
            # A channel of its own: gRPC would share connections between channels with equal arguments.
            ("grpc.use_local_subchannel_pool", 1),
        ]


def settings(
    target: str,
    tls: TLSFiles | None,
    insecure: bool,
    timeout: float,
    max_message_bytes: int,
    user_agent: str,
) -> Settings:
    """Check the options of a client. ValueError says which one is wrong."""
    if not target:
        raise ValueError("no target")
    if (tls is None) != insecure:
        raise ValueError(
            "choose how the connection is protected: tls=TLSFiles(...), or insecure=True for a planner on the same machine"
        )
    if timeout <= 0:
        raise ValueError(f"timeout is {timeout} s, must be positive")
    if max_message_bytes <= 0:
        raise ValueError(f"the limit of messages is {max_message_bytes} bytes, must be positive")
    ours = f"setplan-python/{version('setplan')}"
    return Settings(target, tls, timeout, max_message_bytes, f"{user_agent} {ours}" if user_agent else ours)


def capabilities() -> list[Capability]:
    """List every operation that this build of the contract knows, ascending."""
    return [cast("Capability", value.number) for value in Capability.DESCRIPTOR.values if value.number]


def with_capabilities(request: PlanRequest) -> PlanRequest:
    """Give a request that lists no capabilities those of this build (C5). The request itself stays as it is."""
    if request.capabilities:
        return request
    sent = PlanRequest()
    sent.CopyFrom(request)
    sent.capabilities.extend(capabilities())
    return sent


def plan_of(answer: bytes) -> Plan:
    """Take the plan out of an answer. `PlannerError`: there is none, and that is no plan to change nothing."""
    try:
        response = PlanResponse.FromString(answer)
    except DecodeError as error:
        raise PlannerError(grpc.StatusCode.INTERNAL, f"the planner's answer cannot be read: {error}") from error
    if not response.HasField("plan"):
        raise PlannerError(grpc.StatusCode.INTERNAL, "the planner answered without a plan")
    return response.plan
