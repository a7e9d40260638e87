"""The operator's unit tests. They need no cluster and no server: kubectl's output was recorded."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import WASM, Edit, edited, listed
from conftest import image as with_image
from upgrader import upgrade

from setplan import Planner


@dataclass
class Recorded:
    """A cluster made up for a test."""

    listed: dict[str, Any]
    written: list[str] = field(default_factory=list)

    def objects(self) -> bytes:
        return json.dumps(self.listed).encode()

    def set_image(self, name: str, image: str, *, dry_run: bool) -> bytes:
        if not dry_run:
            self.written.append(f"{name} {image}")
        return edited(self.listed, with_image(image)).encode()


def _all_at_once(spec: dict[str, Any]) -> None:
    spec["updateStrategy"] = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 2}}
    spec["podManagementPolicy"] = "Parallel"


@pytest.mark.parametrize(
    ("vector", "before", "said", "written"),
    [
        ("stories/adopt_pods-10.json", lambda _: None, "web restarts 2 members, one at a time", ["web nginx:v9"]),
        ("stories/adopt_pods-10.json", _all_at_once, "web not upgraded: 2 members would be down at once", []),
        ("stuck/taken.json", lambda _: None, "taken not upgraded: ", []),
    ],
)
def test_the_operator(vector: str, before: Edit, said: str, written: list[str]) -> None:
    cluster = Recorded(listed(vector))
    before(cluster.listed["items"][0]["spec"])
    name = cluster.listed["items"][0]["metadata"]["name"]
    with Planner.local(WASM) as planner:
        assert upgrade(name, "nginx:v9", cluster, planner).startswith(said)
    assert cluster.written == written
