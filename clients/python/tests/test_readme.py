"""The page shows the examples as they are, and they run."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from apiserver import Request, api_server
from fakes import Fake, serve
from servers import ROOT, planner

from setplan.v1 import PlanResponse, Severity

HERE = ROOT / "clients" / "python"


def test_the_page_has_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert blocks == [(HERE / "examples" / name).read_text() for name in ("look.py", "errors.py")]


def test_the_controller_is_as_short_as_the_page_says() -> None:
    lines = (HERE / "examples" / "controller.py").read_text().splitlines()
    assert len(lines) <= 130


SET = {
    "apiVersion": "apps/v1",
    "kind": "StatefulSet",
    "metadata": {"namespace": "default", "name": "web", "uid": "set", "generation": 1, "resourceVersion": "7"},
    "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}}},
}


def test_look_shows_what_a_later_planner_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A severity that this build does not know is shown by its number (C3)."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.syspath_prepend(str(HERE / "examples"))

    async def stored(request: Request) -> tuple[int, bytes]:
        listed = {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": []}
        return 200, json.dumps(SET if request.path.endswith("/web") else listed).encode()

    def later(_call: int, _context: grpc.ServicerContext) -> PlanResponse:
        response = PlanResponse()
        response.plan.blocks.add(severity=Severity.ValueType(77), message="It waits.", remedy="Wait.").subject.name = "web"
        return response

    async def run(planner_address: str) -> None:
        async with api_server(tmp_path, stored):
            await importlib.import_module("look").look("default", "web", planner_address)

    with serve(Fake(later)) as address:
        asyncio.run(run(address))
    assert capsys.readouterr().out == "77 web: It waits. Wait.\n"


def _said(address: str) -> str:
    command = [sys.executable, str(HERE / "examples" / "errors.py"), address]
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def test_errors() -> None:
    with planner() as address:
        assert _said(address) == "mend the request: ['snapshot']"
    with serve(Fake(lambda _call, context: context.abort(grpc.StatusCode.INTERNAL, "a bug"))) as address:
        assert _said(address) == "no plan, so change nothing: INTERNAL: a bug"
