"""The page shows the examples as they are, and they run."""

from __future__ import annotations

import re
import subprocess
import sys

import grpc
from fakes import Fake, serve
from servers import ROOT, planner

HERE = ROOT / "clients" / "python"


def test_the_page_has_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert blocks == [(HERE / "examples" / name).read_text() for name in ("look.py", "errors.py")]


def test_the_controller_is_as_short_as_the_page_says() -> None:
    lines = (HERE / "examples" / "controller.py").read_text().splitlines()
    assert len(lines) <= 150


def _said(address: str) -> str:
    command = [sys.executable, str(HERE / "examples" / "errors.py"), address]
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def test_errors() -> None:
    with planner() as address:
        assert _said(address) == "mend the request: ['snapshot']"
    with serve(Fake(lambda _call, context: context.abort(grpc.StatusCode.INTERNAL, "a bug"))) as address:
        assert _said(address) == "no plan, so change nothing: INTERNAL: a bug"
