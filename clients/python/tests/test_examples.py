"""The page shows the examples as they are, and they run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from planners import ROOT, planner
from test_vectors import FOLDER

HERE = ROOT / "clients" / "python"


def test_the_page_has_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert blocks == [(HERE / "examples" / name).read_text() for name in ("why.py",)]


def _listed(vector: str) -> dict[str, Any]:
    """Print the objects of a vector as kubectl does."""
    objects = json.loads((FOLDER / vector).read_text())["objects"]
    items = [objects["set"], *(o for kind in ("otherSets", "pods", "claims", "revisions") for o in objects.get(kind, []))]
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}


def _run(folder: Path, example: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "examples" / example), *arguments]
    return subprocess.run(command, check=False, cwd=folder, text=True, capture_output=True, **options)


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        (
            "stuck/bad.json",
            "bad-0: The pod is running and not ready. Check the pod's events, conditions and logs: kubectl describe pod bad-0.",
        ),
        ("stories/adopt_pods-10.json", "web is as it should be"),
    ],
)
def test_why(tmp_path: Path, vector: str, said: str) -> None:
    listed = _listed(vector)
    with planner() as address:
        ran = _run(tmp_path, "why.py", listed["items"][0]["metadata"]["name"], address, input=json.dumps(listed))
    assert (ran.stdout, ran.stderr) == (f"{said}\n", "")
