"""The page shows the examples as they are, and they run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, WASM, Edit, edited, image, listed, planner

HERE = ROOT / "clients" / "python"


def test_the_page_has_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert blocks == [(HERE / "examples" / name).read_text() for name in ("why.py", "restarts.py")]


def _run(folder: Path, example: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "examples" / example), *arguments]
    return subprocess.run(command, check=False, cwd=folder, text=True, capture_output=True, **options)


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        (
            "stuck/bad.json",
            "bad-0: The pod is running and not ready. Check the pod's events, conditions and logs: "
            "`kubectl -n default describe pod bad-0`",
        ),
        ("stories/adopt_pods-10.json", "web waits for nothing"),
    ],
)
def test_why(tmp_path: Path, vector: str, said: str) -> None:
    now = listed(vector)
    with planner() as address:
        ran = _run(tmp_path, "why.py", now["items"][0]["metadata"]["name"], address, input=json.dumps(now))
    assert (ran.stdout, ran.stderr) == (f"{said}\n", "")


def _replicas(spec: dict[str, Any]) -> None:
    spec["replicas"] += 1


@pytest.mark.parametrize(
    ("vector", "edit", "said"),
    [
        ("stories/adopt_pods-10.json", image("nginx:v9"), "restarts web-1, web-0\n"),
        ("stories/adopt_pods-10.json", _replicas, ""),
        ("stuck/taken.json", _replicas, "it never finishes: "),
    ],
)
def test_restarts(tmp_path: Path, vector: str, edit: Edit, said: str) -> None:
    now = listed(vector)
    (tmp_path / "setplan.wasm").symlink_to(WASM)
    (tmp_path / "objects.json").write_text(json.dumps(now))
    (tmp_path / "edited.json").write_text(edited(now, edit))
    ran = _run(tmp_path, "restarts.py", now["items"][0]["metadata"]["name"], "objects.json", "edited.json")
    assert (ran.returncode, ran.stderr[: len(said) or None]) == (bool(said), said)
