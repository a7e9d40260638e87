"""Both clients do the same: each test runs with the one for threads and with the one for asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from authority import Authority
from fakes import Fake, converged, serve
from google.rpc import status_pb2
from servers import planner

import setplan
import setplan.aio
from setplan.errors import InvalidSnapshot, MessageTooLarge, PlannerError, Unreachable, of_status
from setplan.v1 import ErrorReason, Plan, PlanRequest, PlanResponse

Asked = Callable[..., Any]


class Threads:
    """A client of `setplan`."""

    def __init__(self, target: str, **options: Any) -> None:
        self._client = setplan.Client(target, **options)

    def plan(self, request: PlanRequest, **options: Any) -> Plan:
        return self._client.plan(request, **options)

    def version(self) -> str:
        return self._client.server_info().version

    def close(self) -> None:
        self._client.close()


class Loop:
    """A client of `setplan.aio`, in an event loop of its own."""

    def __init__(self, target: str, **options: Any) -> None:
        self._runner = asyncio.Runner()
        try:
            self._client = self._runner.run(self._make(target, options))
        except BaseException:
            self._runner.close()
            raise

    async def _make(self, target: str, options: dict[str, Any]) -> setplan.aio.Client:
        return setplan.aio.Client(target, **options)

    def plan(self, request: PlanRequest, **options: Any) -> Plan:
        return self._runner.run(self._client.plan(request, **options))

    def version(self) -> str:
        return self._runner.run(self._client.server_info()).version

    def close(self) -> None:
        self._runner.run(self._client.close())
        self._runner.close()


@pytest.fixture(params=[Threads, Loop], ids=["threads", "asyncio"])
def client(request: pytest.FixtureRequest) -> Any:
    made: list[Any] = []

    def make(target: str, **options: Any) -> Any:
        made.append(request.param(target, **({"insecure": True} | options)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def sized(size: int) -> PlanRequest:
    """Make a request of about so many bytes."""
    request = PlanRequest()
    request.snapshot.set.pod_template = bytes(size)
    return request


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("localhost:1", {"insecure": False}, "insecure=True"),
        ("localhost:1", {"tls": setplan.TLSFiles()}, "protected"),
        ("", {}, "no target"),
        ("localhost:1", {"timeout": 0}, "timeout"),
        ("localhost:1", {"max_message_bytes": 0}, "limit"),
    ],
    ids=["nothing said about protection", "two answers about protection", "no target", "no time", "no messages"],
)
def test_options_are_checked(client: Asked, target: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        client(target, **options)


def test_files_are_checked(client: Asked, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        client("localhost:1", insecure=False, tls=setplan.TLSFiles(ca=tmp_path / "nowhere"))
    (tmp_path / "empty").touch()
    with pytest.raises(OSError, match="certificate"):
        client("localhost:1", insecure=False, tls=setplan.TLSFiles(ca=tmp_path / "empty"))
    with pytest.raises(ValueError, match="both"):
        setplan.TLSFiles(certificate="a")


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        (grpc.StatusCode.UNAVAILABLE, 3),
        (grpc.StatusCode.INTERNAL, 1),
        (grpc.StatusCode.INVALID_ARGUMENT, 1),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 1),
        (grpc.StatusCode.FAILED_PRECONDITION, 1),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_only_unavailable_is_retried(client: Asked, code: grpc.StatusCode, calls: int) -> None:
    def answer(call: int, context: grpc.ServicerContext) -> PlanResponse:
        if call < 3:
            context.abort(code, "not now")
        return converged(call, context)

    fake = Fake(answer)
    with serve(fake) as address:
        asking = client(address)
        request = sized(1 << 20)  # larger than gRPC's default buffer for retries
        if code is grpc.StatusCode.UNAVAILABLE:
            assert asking.plan(request).converged
        else:
            with pytest.raises(setplan.PlannerError, match="not now") as failed:
                asking.plan(request)
            assert failed.value.code is code
            assert not failed.value.reason
    assert len(fake.requests) == calls


@pytest.mark.parametrize(("answer", "message"), [(b"", "without a plan"), (b"\x0a\xff", "cannot be read")])
def test_an_answer_without_a_plan(client: Asked, answer: bytes, message: str) -> None:
    """It is no plan to change nothing."""
    with serve(Fake(lambda _call, _context: answer)) as address, pytest.raises(PlannerError, match=message) as raised:
        client(address).plan(PlanRequest())
    assert raised.value.code is grpc.StatusCode.INTERNAL


def test_server_restarts(client: Asked) -> None:
    with serve(Fake()) as address:
        asking = client(address)
        asking.plan(sized(1))
    again = Fake()
    up, done = threading.Event(), threading.Event()

    def restart() -> None:
        with serve(again, address):
            up.set()
            done.wait()

    begun = threading.Timer(0.1, restart)  # the restart takes a while, and the call comes in between
    begun.start()
    try:
        assert asking.plan(sized(1 << 20)).converged
        assert up.is_set()
    finally:
        done.set()
        begun.join()


def test_no_server(client: Asked) -> None:
    with serve(Fake()) as address:
        pass
    with pytest.raises(Unreachable) as failed:
        client(address).plan(sized(1))
    assert failed.value.code is grpc.StatusCode.UNAVAILABLE


def test_deadline(client: Asked) -> None:
    left: list[float] = []

    def answer(call: int, context: grpc.ServicerContext) -> PlanResponse:
        left.append(context.time_remaining())
        return converged(call, context)

    with serve(Fake(answer)) as address:
        asking = client(address)
        asking.plan(sized(1))
        asking.plan(sized(1), timeout=3600)
    assert 5 < left[0] < setplan.DEFAULT_TIMEOUT + 1  # gRPC rounds up what it sends
    assert 3500 < left[1] < 3700


def test_limits_of_messages(client: Asked) -> None:
    limit = 1 << 20

    def answer(_call: int, _context: grpc.ServicerContext) -> PlanResponse:
        response = PlanResponse()
        response.plan.blocks.add(message="x" * limit)
        return response

    with serve(Fake(answer)) as address:
        asking = client(address, max_message_bytes=limit)
        for what, size in {"request": limit, "plan": 1}.items():
            with pytest.raises(MessageTooLarge, match=f"the {what} has .* this client's limit is {limit}") as failed:
                asking.plan(sized(size))
            assert failed.value.reason == ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE
            assert failed.value.metadata["limit"] == str(limit)
            assert int(failed.value.metadata["bytes"]) > limit


def test_user_agent(client: Asked) -> None:
    fake = Fake()
    with serve(fake) as address:
        client(address, user_agent="my-operator/1.2").plan(sized(1))
    assert fake.agents[0].startswith("my-operator/1.2 setplan-python/0.1.0 grpc-python")


def test_capabilities(client: Asked) -> None:
    fake, own = Fake(), sized(1)
    own.capabilities.append(setplan.capabilities()[0])
    with serve(fake) as address:
        asking = client(address)
        asking.plan(sized(1))
        asking.plan(own)
    assert list(fake.requests[0].capabilities) == setplan.capabilities()
    assert list(fake.requests[1].capabilities) == setplan.capabilities()[:1]


def test_real_server(client: Asked) -> None:
    with planner() as address:
        asking = client(address)
        assert asking.version()
        with pytest.raises(InvalidSnapshot) as failed:
            asking.plan(PlanRequest())
        assert failed.value.violations[0].field == "snapshot"


def test_certificates_are_read_again(client: Asked, tmp_path: Path) -> None:
    """A server with another authority takes the place of the first; the client gets new files, and needs no restart."""
    ours = tmp_path / "client"
    ours.mkdir()
    tls = setplan.TLSFiles(ca=ours / "ca.crt", certificate=ours / "operator.crt", key=ours / "operator.key")
    first, second = Authority("first"), Authority("second")
    first.write(ours, "operator")
    with _mutual(tmp_path, first) as address:
        asking = client(address, insecure=False, tls=tls)
        assert asking.version()
    with _mutual(tmp_path, second, address):
        with pytest.raises(Unreachable):
            asking.version()
        second.write(ours, "operator")
        assert asking.version()
        # What was read goes on while files are replaced.
        key = (ours / "operator.key").read_bytes()
        (ours / "operator.key").write_bytes((tmp_path / "planner.key").read_bytes())
        assert asking.version()
        (ours / "operator.key").write_bytes(key)
        (ours / "ca.crt").unlink()
        assert asking.version()


def _mutual(tmp_path: Path, authority: Authority, address: str = "127.0.0.1:0") -> Any:
    authority.write(tmp_path, "planner")
    files = {"tls-cert-file": "planner.crt", "tls-key-file": "planner.key", "client-ca-file": "ca.crt"}
    return planner(*(f"--{flag}={tmp_path / file}" for flag, file in files.items()), address=address)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("ErrorInfo", b"\xff"), ("BadRequest", b"\x0a\x01\x0a"), ("RetryInfo", b"\x0a\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f")],
)
def test_details_that_cannot_be_read_are_left_out(kind: str, value: bytes) -> None:
    """A planner may say anything with an error, and it is an error of the planner all the same."""
    status = status_pb2.Status()
    status.details.add(type_url=f"type.googleapis.com/google.rpc.{kind}", value=value)
    error = of_status(grpc.StatusCode.INTERNAL, "broken", [("grpc-status-details-bin", status.SerializeToString())])
    assert str(error) == "INTERNAL: broken"
    assert (error.violations, error.retry_after) == ((), None)
