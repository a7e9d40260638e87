"""The vectors of the contract, which no code of ours has made."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from servers import ROOT

from setplan.rawjson import Raw
from setplan.snapshot import Objects
from setplan.v1 import Plan, PlanRequest

FOLDER = ROOT / "proto" / "testdata" / "vectors"


@dataclass(frozen=True)
class Vector:
    """One file."""

    name: str
    text: str
    content: dict[str, Any]

    @property
    def request(self) -> PlanRequest:
        """The request. Of a later release's, protobuf keeps what it does not know."""
        if "requestBytes" in self.content:
            return PlanRequest.FromString(self.request_bytes)
        return json_format.ParseDict(self.content["request"], PlanRequest())

    @property
    def request_bytes(self) -> bytes:
        """What is sent."""
        if "requestBytes" in self.content:
            return base64.b64decode(self.content["requestBytes"])
        return self.request.SerializeToString()

    @property
    def plan(self) -> Plan:
        """The plan that comes back."""
        return json_format.ParseDict(self.content["plan"], Plan())

    @property
    def objects(self) -> Objects:
        """The objects that become the request, as they stand in the file."""
        raw = Raw(self.text).members["objects"].members
        lists = {key: list_.items for key, list_ in raw.items() if key != "set"}
        return Objects(
            set=raw["set"],
            pods=lists.get("pods", []),
            claims=lists.get("claims", []),
            revisions=lists.get("revisions", []),
            other_sets=lists.get("otherSets", []),
        )


def read() -> list[Vector]:
    """Read all vectors."""
    return [_read(path) for path in sorted(FOLDER.rglob("*.json"))]


def _read(path: Path) -> Vector:
    text = path.read_text()
    return Vector(str(path.relative_to(FOLDER)), text, json.loads(text))
