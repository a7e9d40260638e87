"""What a planner in this process does beside answering as a server does: limits, deadlines, threads, and what ends it."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import WASM
from test_vectors import ALL

from setplan import Planner, PlannerError, _local
from setplan.errors import MessageTooLarge, Unreachable
from setplan.v1 import ForecastRequest, PlanRequest

[WEB] = [PlanRequest.FromString(v.request) for v in ALL if v.name == "stuck/web.json"]


def test_files_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/dev/null")  # no folder to cache in, and that is no error
    with pytest.raises(FileNotFoundError):
        Planner.local(tmp_path / "nowhere")
    (tmp_path / "text").write_text("no module")
    with pytest.raises(ValueError, match="cannot be run"):
        Planner.local(tmp_path / "text")
    (tmp_path / "empty").write_bytes(b"\0asm\1\0\0\0")
    with pytest.raises(ValueError, match="does not export _initialize, memory"):
        Planner.local(tmp_path / "empty")


def test_a_request_over_the_limit(local: Planner) -> None:
    limit = local.server_info().max_message_bytes
    large = PlanRequest()
    large.snapshot.set.pod_template = bytes(limit)
    with pytest.raises(MessageTooLarge) as refused:
        local.plan(large)
    assert refused.value.metadata == {"bytes": str(large.ByteSize()), "limit": str(limit)}


def test_a_deadline_ends_the_work(local: Planner) -> None:
    endless = ForecastRequest(start=WEB)
    endless.start.snapshot.set.replicas = 3000
    for timeout in (0.2, 0):
        with pytest.raises(Unreachable, match="DEADLINE_EXCEEDED"):
            local.forecast(endless, timeout=timeout)
    assert local.plan(WEB).stages


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_local, "_MEMORY", 24 << 20)
    large = PlanRequest()
    for _ in range(15):
        large.snapshot.revisions.add(data=bytes(1 << 20))
    with Planner.local(WASM) as small:
        assert small.plan(WEB).stages
        with pytest.raises(PlannerError, match="INTERNAL: the planner ended"):
            small.plan(large)
        assert re.search("fatal error: .*memory", capfd.readouterr().err)
        assert small.plan(WEB).stages


def test_threads_take_turns(local: Planner) -> None:
    plan = local.plan(WEB)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(local.plan, [WEB] * 40)) == [plan] * 40
