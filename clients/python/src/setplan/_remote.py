"""A planner behind gRPC: the connection, its protection, and which calls are tried again."""

from __future__ import annotations

import logging
import random
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import grpc

from setplan import errors

Content: TypeAlias = tuple[bytes | None, bytes | None, bytes | None]  # authorities, key, certificate
_log = logging.getLogger("setplan")

# How many seconds to wait before a call is tried again; together they bridge the restart of a server. Only UNAVAILABLE is retried:
# the server has not looked at the request, or is shutting down. A planner changes nothing, so that is always safe. gRPC's own
# retries are off: with grpcio up to 1.76, a stream that they retry can hang past its deadline.
_WAITS = (0.2, 0.6, 1.8)

# No plan has more bytes, and an answer is input from outside.
_LONGEST_ANSWER = 24 << 20


@dataclass(frozen=True)
class TLSFiles:
    """PEM files for TLS, and for mutual TLS with a certificate of the client's own.

    They are read before each call. When one has changed, calls that begin from then on use a new connection, and those under way
    end on the old one: a rotated certificate needs no restart.
    """

    ca: str | Path | None = None
    """The authorities for the server's certificate; None for gRPC's own list."""
    certificate: str | Path | None = None
    """The client's certificate, for a server that asks for one. Both or neither with `key`."""
    key: str | Path | None = None
    """The key of the client's certificate."""

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("a client certificate needs both a certificate file and a key file")

    def read(self) -> Content:
        """Read the files. OSError names one that cannot be read."""
        ca, key, certificate = (None if file is None else Path(file).read_bytes() for file in (self.ca, self.key, self.certificate))
        return ca, key, certificate

    def check(self) -> None:
        """Raise OSError if the files cannot be used, for example in the middle of a replacement."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self.ca is not None:
            context.load_verify_locations(self.ca)
        if self.certificate is not None and self.key is not None:
            context.load_cert_chain(self.certificate, self.key)


@dataclass
class _Line:
    """A channel and how many calls are under way on it."""

    channel: grpc.Channel
    content: Content | None
    calls: int = 0


class Remote:
    """Calls a server."""

    def __init__(self, address: str, tls: TLSFiles | None, insecure: bool, max_message_bytes: int) -> None:
        """Check the options and read the files."""
        if not address:
            raise ValueError("no address")
        if (tls is None) != insecure:
            raise ValueError(
                "choose how the connection is protected: tls=TLSFiles(...), or insecure=True for a planner on the same machine"
            )
        if max_message_bytes <= 0:
            raise ValueError(f"the limit of messages is {max_message_bytes} bytes, must be positive")
        self._address = address
        self._tls = tls
        self._limit = max_message_bytes
        self._lock = threading.Lock()
        self._newest = self._line(tls.read() if tls else None)

    def call(self, method: str, request: bytes, timeout: float) -> Iterator[bytes]:
        """Send a request, and yield the messages that come back."""
        if len(request) > self._limit:
            raise errors.too_large("request", len(request), self._limit)
        ends = time.monotonic() + timeout
        for wait in (*_WAITS, timeout):
            begun = False
            try:
                for message in self._try(method, request, ends - time.monotonic()):
                    begun = True
                    yield message
            except errors.PlannerError as error:
                if begun or error.code is not grpc.StatusCode.UNAVAILABLE or time.monotonic() + wait >= ends:
                    raise
                time.sleep(wait * random.uniform(0.8, 1.2))  # noqa: S311
            else:
                return

    def _try(self, method: str, request: bytes, timeout: float) -> Iterator[bytes]:
        with self._channel() as channel:
            ask: Any = channel.unary_stream(f"/setplan.v1.PlannerService/{method}")  # a method that answers once is a short stream
            answers = ask(request, timeout=timeout)
            try:
                yield from answers
            except grpc.RpcError as error:
                told: Any = error
                raise errors.of_call(told.code(), told.details(), told.trailing_metadata()) from None
            finally:
                answers.cancel()

    def close(self) -> None:
        """End the connection and all calls on it."""
        self._newest.channel.close()

    @contextmanager
    def _channel(self) -> Iterator[grpc.Channel]:
        """Give the newest channel. The last call on an older one closes it."""
        with self._lock:
            self._renew()
            line = self._newest
            line.calls += 1
        try:
            yield line.channel
        finally:
            with self._lock:
                line.calls -= 1
                ended = line is not self._newest and not line.calls
            if ended:
                line.channel.close()

    def _renew(self) -> None:
        if self._tls is None:
            return
        old = self._newest
        try:
            content = self._tls.read()
            if content == old.content:
                return
            self._newest = self._line(content)
        except OSError as error:
            _log.warning("the certificates were not read again: %s", error)
            return
        if not old.calls:
            old.channel.close()

    def _line(self, content: Content | None) -> _Line:
        arguments = [
            ("grpc.enable_retries", 0),
            # Calls are spread over all addresses, and a name server must not be able to switch that.
            ("grpc.lb_policy_name", "round_robin"),
            ("grpc.service_config_disable_resolution", 1),
            ("grpc.max_send_message_length", self._limit),
            ("grpc.max_receive_message_length", min(self._limit, _LONGEST_ANSWER)),
            ("grpc.primary_user_agent", f"setplan-python/{version('setplan')}"),
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
        if self._tls is None or content is None:
            return _Line(grpc.insecure_channel(self._address, arguments), None)
        self._tls.check()
        credentials = grpc.ssl_channel_credentials(*content)
        return _Line(grpc.secure_channel(self._address, credentials, arguments), content)
