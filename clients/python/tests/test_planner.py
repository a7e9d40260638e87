"""What a planner that is connected does: protection, deadlines, retries, limits, errors and forecasts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from conftest import Fake, converged, planner, serve
from google.rpc import status_pb2

from setplan import Planner, PlannerError, TLSFiles, plan_request
from setplan.errors import MessageTooLarge, Unreachable, of_status
from setplan.v1 import Coverage, ForecastRequest, ForecastResponse, ForecastResult, ForecastStep, PlanRequest, PlanResponse

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


def ending(parts: list[bytes], code: grpc.StatusCode, message: str) -> Fake:
    """Make a planner that answers with these parts and then with a status."""

    def answer(_call: int, context: grpc.ServicerContext) -> list[bytes]:
        context.set_code(code)
        context.set_details(message)
        return parts

    return Fake(answer)


@pytest.mark.parametrize(
    ("address", "options", "message"),
    [
        ("localhost:1", {"insecure": False}, "insecure=True"),
        ("localhost:1", {"tls": TLSFiles()}, "insecure=True"),
        ("", {}, "no address"),
        ("localhost:1", {"timeout": 0}, "timeout"),
        ("localhost:1", {"max_message_bytes": 0}, "limit"),
    ],
)
def test_options_are_checked(connect: Connect, address: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        connect(address, **options)


def test_a_request_is_checked() -> None:
    with pytest.raises(TypeError, match="documents must be a list"):
        plan_request("{}", "web")
    with pytest.raises(ValueError, match="observed_at must have a time zone"):
        plan_request(["{}"], "web", observed_at=datetime(2026, 1, 1))
    before = datetime.now(UTC)
    objects = plan_request(["{}", b"[]"], "web", complete=["claims"]).objects
    assert before <= objects.observed_at.ToDatetime(tzinfo=UTC) <= datetime.now(UTC)
    assert (list(objects.documents), objects.coverage) == ([b"{}", b"[]"], Coverage(claims=True))


def test_files_are_checked(connect: Connect, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        connect("localhost:1", insecure=False, tls=TLSFiles(ca=tmp_path / "nowhere"))
    (tmp_path / "empty").touch()
    with pytest.raises(OSError, match="certificate"):
        connect("localhost:1", insecure=False, tls=TLSFiles(ca=tmp_path / "empty"))
    with pytest.raises(ValueError, match="both"):
        TLSFiles(certificate="a")


@pytest.mark.parametrize("code", ["UNAVAILABLE", "INTERNAL", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION"])
def test_only_unavailable_is_retried(connect: Connect, code: str) -> None:
    def answer(call: int, context: grpc.ServicerContext) -> list[bytes]:
        if call < 3:
            context.abort(grpc.StatusCode[code], "not now")
        return converged(call, context)

    fake = Fake(answer)
    with serve(fake) as address:
        if code == "UNAVAILABLE":
            assert connect(address).plan(PlanRequest()).converged
        else:
            with pytest.raises(PlannerError, match="not now") as failed:
                connect(address).plan(PlanRequest())
            assert (failed.value.code.name, failed.value.reason) == (code, "")
    assert len(fake.requests) == (3 if code == "UNAVAILABLE" else 1)
    assert fake.agents[0].startswith(f"setplan-python/{version('setplan')} grpc-python")


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (b"", grpc.StatusCode.OK, "without a plan"),
        (b"\x0a\xff", grpc.StatusCode.OK, "cannot be read"),
        (b"\x0a\x00", grpc.StatusCode.INTERNAL, "too late"),
    ],
)
def test_an_answer_without_a_plan(connect: Connect, answer: bytes, code: grpc.StatusCode, message: str) -> None:
    """It is no plan to change nothing."""
    with serve(ending([answer], code, message)) as address, pytest.raises(PlannerError, match=message) as raised:
        connect(address).plan(PlanRequest())
    assert raised.value.code is grpc.StatusCode.INTERNAL


STEPS = [ForecastResponse(step=ForecastStep(number=number)).SerializeToString() for number in (1, 2)]
RESULT = ForecastResponse(result=ForecastResult(steps=2)).SerializeToString()


def test_a_forecast_is_steps_and_a_result(connect: Connect) -> None:
    with serve(Fake(lambda _call, _context: [*STEPS, RESULT])) as address:
        asking = connect(address)
        *steps, result = asking.forecast_steps(ForecastRequest())
        assert [step.number for step in steps if isinstance(step, ForecastStep)] == [1, 2]
        assert result == asking.forecast(ForecastRequest()) == ForecastResult(steps=2)


@pytest.mark.parametrize(("code", "message"), [(grpc.StatusCode.OK, "before its result"), (grpc.StatusCode.UNAVAILABLE, "cut")])
def test_a_forecast_that_is_cut_has_no_result(connect: Connect, code: grpc.StatusCode, message: str) -> None:
    fake = ending(STEPS, code, message)
    with serve(fake) as address, pytest.raises(Unreachable, match=message):
        connect(address).forecast(ForecastRequest())
    assert len(fake.requests) == 1  # what has begun is not tried again


def test_who_stops_reading_steps_ends_the_work(connect: Connect) -> None:
    ended = threading.Event()

    def answer(_call: int, context: grpc.ServicerContext) -> Iterator[bytes]:
        context.add_callback(ended.set)
        yield STEPS[0]
        ended.wait()

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
        if call > 1:
            time.sleep(1)
        return converged(call, context)

    with serve(Fake(answer)) as address:
        asking = connect(address)
        asking.plan(PlanRequest())
        with pytest.raises(Unreachable) as late:
            asking.plan(PlanRequest(), timeout=0.1)
    assert 5 < left[0] < 11  # gRPC rounds up what it sends
    assert late.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_limits_of_messages(connect: Connect) -> None:
    limit = 1 << 20

    def answer(_call: int, _context: grpc.ServicerContext) -> list[bytes]:
        response = PlanResponse()
        response.plan.blocks.add(message="x" * limit)
        return [response.SerializeToString()]

    with serve(Fake(answer)) as address:
        asking = connect(address, max_message_bytes=limit)
        large = PlanRequest()
        large.snapshot.set.pod_template = bytes(limit)
        for what, request in {"request": large, "answer": PlanRequest()}.items():
            with pytest.raises(MessageTooLarge, match=f"the {what} has .* the limit is {limit}") as failed:
                asking.plan(request)
            assert failed.value.reason == "MESSAGE_TOO_LARGE"
            assert failed.value.metadata["limit"] == str(limit)


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
    _write(trustme.CA(), tmp_path)
    files = TLSFiles(ca=tmp_path / "ca.crt")
    asking = connect("localhost:1", insecure=False, tls=files)
    remote: Any = asking._asked
    with remote._channel() as old:
        _write(trustme.CA(), tmp_path)
        with remote._channel() as new:
            assert new is not old
            assert remote._newest.channel is new
    with pytest.raises(ValueError, match="closed"):
        old.unary_unary("/any")(b"", timeout=1)


def test_details_that_cannot_be_read_are_left_out() -> None:
    """A planner may say anything with an error, and it is an error of the planner all the same."""
    status = status_pb2.Status(code=grpc.StatusCode.INTERNAL.value[0], message="broken")
    for kind, value in {"ErrorInfo": b"\xff", "RetryInfo": b"\x0a\x0a\x08" + b"\xff" * 8 + b"\x7f"}.items():
        status.details.add(type_url=f"type.googleapis.com/google.rpc.{kind}", value=value)
    assert (str(of_status(status)), of_status(status).retry_after) == ("INTERNAL: broken", None)
