"""The page shows the examples as they are, and they run."""

from __future__ import annotations

import re
import subprocess
import sys

import grpc
from planners import ROOT, Fake, planner, serve

HERE = ROOT / "clients" / "python"


def test_the_page_has_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert blocks == [(HERE / "examples" / name).read_text() for name in ("errors.py",)]


def _said(address: str) -> str:
    command = [sys.executable, str(HERE / "examples" / "errors.py"), address]
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def test_errors() -> None:
    with planner() as address:
        assert _said(address) == "mend the request: ['capabilities', 'snapshot']"
    with serve(Fake(lambda _call, context: context.abort(grpc.StatusCode.INTERNAL, "a bug"))) as address:
        assert _said(address) == "no plan, so change nothing: INTERNAL: a bug"
