"""What a planner that is connected does: protection, deadlines, retries, limits, errors and forecasts."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from google.rpc import status_pb2
from planners import Fake, converged, planner, serve

from setplan import Planner, PlannerError, TLSFiles
from setplan.errors import InvalidSnapshot, MessageTooLarge, Unreachable, of_status
from setplan.v1 import ForecastRequest, ForecastResponse, ForecastResult, ForecastStep, PlanRequest, PlanResponse

Connect = Callable[..., Planner]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Connect without protection, and close what is left open."""
    made: list[Planner] = []

    def to(address: str, **options: Any) -> Planner:
        made.append(Planner.connect(address, **({"insecure": True} | options)))
        return made[-1]

    yield to
    for one in made:
        one.close()


def sized(size: int) -> PlanRequest:
    """Make a request of about so many bytes."""
    request = PlanRequest()
    request.snapshot.set.pod_template = bytes(size)
    return request


@pytest.mark.parametrize(
    ("address", "options", "message"),
    [
        ("localhost:1", {"insecure": False}, "insecure=True"),
        ("localhost:1", {"tls": TLSFiles()}, "insecure=True"),
        ("", {}, "no address"),
        ("localhost:1", {"timeout": 0}, "timeout"),
        ("localhost:1", {"max_message_bytes": 0}, "limit"),
    ],
    ids=["nothing said about protection", "two answers about protection", "no address", "no time", "no messages"],
)
def test_options_are_checked(connect: Connect, address: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        connect(address, **options)


def test_files_are_checked(connect: Connect, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        connect("localhost:1", insecure=False, tls=TLSFiles(ca=tmp_path / "nowhere"))
    (tmp_path / "empty").touch()
    with pytest.raises(OSError, match="certificate"):
        connect("localhost:1", insecure=False, tls=TLSFiles(ca=tmp_path / "empty"))
    with pytest.raises(ValueError, match="both"):
        TLSFiles(certificate="a")


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
def test_only_unavailable_is_retried(connect: Connect, code: grpc.StatusCode, calls: int) -> None:
    def answer(call: int, context: grpc.ServicerContext) -> list[bytes]:
        if call < 3:
            context.abort(code, "not now")
        return converged(call, context)

    fake = Fake(answer)
    with serve(fake) as address:
        asking = connect(address)
        request = sized(1 << 20)  # larger than gRPC's default buffer for retries
        if code is grpc.StatusCode.UNAVAILABLE:
            assert asking.plan(request).converged
        else:
            with pytest.raises(PlannerError, match="not now") as failed:
                asking.plan(request)
            assert failed.value.code is code
            assert not failed.value.reason
    assert len(fake.requests) == calls
    assert fake.agents[0].startswith(f"setplan-python/{version('setplan')} grpc-python")


@pytest.mark.parametrize(("answer", "message"), [(b"", "without a plan"), (b"\x0a\xff", "cannot be read")])
def test_an_answer_without_a_plan(connect: Connect, answer: bytes, message: str) -> None:
    """It is no plan to change nothing."""
    with serve(Fake(lambda _call, _context: [answer])) as address, pytest.raises(PlannerError, match=message) as raised:
        connect(address).plan(PlanRequest())
    assert raised.value.code is grpc.StatusCode.INTERNAL


def test_a_plan_before_an_error_is_none(connect: Connect) -> None:
    def answer(call: int, context: grpc.ServicerContext) -> list[bytes]:
        context.set_code(grpc.StatusCode.INTERNAL)
        return converged(call, context)

    with serve(Fake(answer)) as address, pytest.raises(PlannerError, match="INTERNAL"):
        connect(address).plan(PlanRequest())


STEPS = [ForecastResponse(step=ForecastStep(number=number)).SerializeToString() for number in (1, 2)]
RESULT = ForecastResponse(result=ForecastResult(steps=2)).SerializeToString()


def test_a_forecast_is_steps_and_a_result(connect: Connect) -> None:
    with serve(Fake(lambda _call, _context: [*STEPS, RESULT])) as address:
        asking = connect(address)
        *steps, result = asking.forecast_steps(ForecastRequest())
        assert [step.number for step in steps if isinstance(step, ForecastStep)] == [1, 2]
        assert result == asking.forecast(ForecastRequest()) == ForecastResult(steps=2)


def test_a_forecast_that_is_cut_has_no_result(connect: Connect) -> None:
    with serve(Fake(lambda _call, _context: STEPS)) as address, pytest.raises(Unreachable, match="before its result"):
        connect(address).forecast(ForecastRequest())


def test_a_forecast_that_has_begun_is_not_tried_again(connect: Connect) -> None:
    def answer(_call: int, context: grpc.ServicerContext) -> list[bytes]:
        context.set_code(grpc.StatusCode.UNAVAILABLE)
        return STEPS

    fake = Fake(answer)
    with serve(fake) as address, pytest.raises(Unreachable):
        connect(address).forecast(ForecastRequest())
    assert len(fake.requests) == 1


def test_who_stops_reading_steps_ends_the_work(connect: Connect) -> None:
    ended = threading.Event()

    def answer(_call: int, context: grpc.ServicerContext) -> list[bytes]:
        context.add_callback(ended.set)
        return STEPS * 100_000

    with serve(Fake(answer)) as address:
        steps = connect(address, timeout=60).forecast_steps(ForecastRequest())
        next(steps)
        assert not ended.is_set()
        steps.close()  # type: ignore[attr-defined]
        assert ended.wait(30)


def test_deadline(connect: Connect) -> None:
    left: list[float] = []

    def answer(call: int, context: grpc.ServicerContext) -> list[bytes]:
        left.append(context.time_remaining())
        if call > 2:
            time.sleep(1)
        return converged(call, context)

    with serve(Fake(answer)) as address:
        asking = connect(address)
        asking.plan(sized(1))
        asking.plan(sized(1), timeout=3600)
        with pytest.raises(Unreachable) as late:
            asking.plan(sized(1), timeout=0.1)
    assert 5 < left[0] < 11  # gRPC rounds up what it sends
    assert 3500 < left[1] < 3700
    assert late.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_limits_of_messages(connect: Connect) -> None:
    limit = 1 << 20

    def answer(_call: int, _context: grpc.ServicerContext) -> list[bytes]:
        response = PlanResponse()
        response.plan.blocks.add(message="x" * limit)
        return [response.SerializeToString()]

    with serve(Fake(answer)) as address:
        asking = connect(address, max_message_bytes=limit)
        for what, size in {"request": limit, "answer": 1}.items():
            with pytest.raises(MessageTooLarge, match=f"the {what} has .* the limit is {limit}") as failed:
                asking.plan(sized(size))
            assert failed.value.reason == "MESSAGE_TOO_LARGE"
            assert failed.value.metadata["limit"] == str(limit)
            assert int(failed.value.metadata["bytes"]) > limit


def test_a_real_server(connect: Connect) -> None:
    with planner("--max-message-bytes=2000000") as address:
        asking = connect(address)
        assert asking.server_info().max_message_bytes == 2_000_000
        with pytest.raises(InvalidSnapshot) as failed:
            asyncio.run(asyncio.to_thread(asking.plan, PlanRequest()))
        assert [violation.field for violation in failed.value.violations] == ["capabilities", "snapshot"]
        with pytest.raises(MessageTooLarge, match="the limit is 2000000") as large:
            asking.plan(sized(2_000_000))
        assert large.value.metadata["limit"] == "2000000"


def test_certificates_are_read_again(connect: Connect, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A server with another authority takes the place of the first; the client gets new files, and needs no restart."""
    ours = tmp_path / "client"
    ours.mkdir()
    tls = TLSFiles(ca=ours / "ca.crt", certificate=ours / "own.crt", key=ours / "own.key")
    first, second = trustme.CA(), trustme.CA()
    _write(first, ours)
    with _mutual(tmp_path, first) as address:
        asking = connect(address, insecure=False, tls=tls)
        assert asking.server_info().version
    with _mutual(tmp_path, second, address):
        with pytest.raises(Unreachable, match="UNAVAILABLE"):
            asking.server_info()
        _write(second, ours)
        assert asking.server_info().version
        # What was read goes on while files are replaced.
        key = (ours / "own.key").read_bytes()
        (ours / "own.key").write_bytes((tmp_path / "own.key").read_bytes())
        assert asking.server_info().version
        (ours / "own.key").write_bytes(key)
        (ours / "ca.crt").unlink()
        with caplog.at_level(logging.WARNING):
            assert asking.server_info().version
        assert str(ours / "ca.crt") in caplog.text


def _write(authority: trustme.CA, folder: Path) -> None:
    own = authority.issue_cert("127.0.0.1")
    authority.cert_pem.write_to_path(folder / "ca.crt")
    own.private_key_pem.write_to_path(folder / "own.key")
    own.cert_chain_pems[0].write_to_path(folder / "own.crt")


def _mutual(folder: Path, authority: trustme.CA, address: str = "127.0.0.1:0") -> Any:
    _write(authority, folder)
    files = {"tls-cert-file": "own.crt", "tls-key-file": "own.key", "client-ca-file": "ca.crt"}
    return planner(*(f"--{flag}={folder / file}" for flag, file in files.items()), address=address)


def test_calls_under_way_end_on_the_old_connection(connect: Connect, tmp_path: Path) -> None:
    authority = trustme.CA()
    _write(authority, tmp_path)
    files = TLSFiles(ca=tmp_path / "ca.crt")
    asking = connect("localhost:1", insecure=False, tls=files)
    remote: Any = asking._asked
    with remote._channel() as old:
        _write(trustme.CA(), tmp_path)
        with remote._channel() as new:
            assert new is not old
            assert remote._newest.channel is new
        old.unary_unary("/any")  # an open channel has calls
    with pytest.raises(ValueError, match="closed"):
        old.unary_unary("/any")(b"", timeout=1)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("ErrorInfo", b"\xff"), ("BadRequest", b"\x0a\x01\x0a"), ("RetryInfo", b"\x0a\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f")],
)
def test_details_that_cannot_be_read_are_left_out(kind: str, value: bytes) -> None:
    """A planner may say anything with an error, and it is an error of the planner all the same."""
    status = status_pb2.Status(code=grpc.StatusCode.INTERNAL.value[0], message="broken")
    status.details.add(type_url=f"type.googleapis.com/google.rpc.{kind}", value=value)
    error = of_status(status)
    assert str(error) == "INTERNAL: broken"
    assert (error.violations, error.retry_after) == ((), None)
