"""Every vector: plans and errors come back as it says, from a server and in this process."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from conftest import VECTORS, planner
from google.protobuf import json_format
from google.rpc import status_pb2

from setplan import Planner, PlannerError, errors, plan_request
from setplan.v1 import ForecastRequest, Plan, PlanRequest


@dataclass(frozen=True)
class Vector:
    """One file."""

    name: str
    text: str
    content: dict[str, Any]

    @property
    def request(self) -> bytes:
        """What is sent."""
        if "requestBytes" in self.content:
            return base64.b64decode(self.content["requestBytes"])
        return json_format.ParseDict(self.content["request"], PlanRequest()).SerializeToString()

    @property
    def by_objects(self) -> bytes:
        """The same request with the objects in place of the snapshot, as their text stands in the file: each has a line."""
        kinds = self.content["objects"]
        documents = re.findall(r'^  +(?:"set": )?(\{.*\}),?$', self.text.partition('"request"')[0], re.MULTILINE)
        whole = [kinds["set"], *(o for kind in ("otherSets", "pods", "claims", "revisions") for o in kinds.get(kind, []))]
        assert [json.loads(document) for document in documents] == whole
        request = PlanRequest.FromString(self.request)
        snapshot = request.snapshot
        asked = plan_request(
            documents,
            snapshot.set.name,
            namespace=snapshot.set.namespace,
            api_version=snapshot.set.api_version,
            kind=snapshot.set.kind,
            observed_at=snapshot.observed_at.ToDatetime(tzinfo=UTC),
            policy=snapshot.policy if snapshot.HasField("policy") else None,
        )
        asked.objects.coverage.CopyFrom(snapshot.coverage)
        asked.capabilities.extend(request.capabilities)
        return asked.SerializeToString()

    @property
    def flags(self) -> str:
        """The flags of a server with the limits of this vector."""
        dashed = {re.sub("[A-Z]", lambda c: "-" + c.group().lower(), k): v for k, v in self.content.get("limits", {}).items()}
        return " ".join(f"--{name}={value}" for name, value in dashed.items())


def _read(path: Path) -> Vector:
    text = path.read_text()
    return Vector(str(path.relative_to(VECTORS)), text, json.loads(text))


ALL = [_read(path) for path in sorted(VECTORS.rglob("*.json"))]
ASKED = [v for v in ALL if not v.name.startswith("status/")]
# These objects do not tell what became of an earlier plan, or which volumes cannot grow.
UNTOLD = {"outcomes", "fixedStorageClasses"}
BY_OBJECTS = [v for v in ASKED if "objects" in v.content and not UNTOLD & v.content["request"]["snapshot"].keys()]


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, Planner]]:
    """Planners by their limits."""
    with ExitStack() as stack:
        addresses = {flags: stack.enter_context(planner(*flags.split())) for flags in sorted({v.flags for v in ASKED})}
        yield {
            flags: stack.enter_context(Planner.connect(address, insecure=True, timeout=60)) for flags, address in addresses.items()
        }


def by_name(some: list[Vector]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", some, ids=[v.name for v in some])


def test_enough() -> None:
    assert len([v for v in ALL if "plan" in v.content]) >= 340
    assert len([v for v in ALL if "error" in v.content]) >= 50
    assert len(BY_OBJECTS) >= 340


@by_name([v for v in ASKED if "plan" in v.content])
def test_plan(vector: Vector, servers: dict[str, Planner]) -> None:
    request = PlanRequest.FromString(vector.request)
    assert servers[vector.flags].plan(request) == json_format.ParseDict(vector.content["plan"], Plan())


@by_name([v for v in BY_OBJECTS if "plan" in v.content])
def test_plan_by_objects(vector: Vector, servers: dict[str, Planner]) -> None:
    request = PlanRequest.FromString(vector.by_objects)
    assert servers[vector.flags].plan(request) == json_format.ParseDict(vector.content["plan"], Plan())


@by_name([v for v in ASKED if "error" in v.content])
def test_error(vector: Vector, servers: dict[str, Planner]) -> None:
    # The bytes themselves: no library would make some of these requests.
    with pytest.raises(PlannerError) as refused:
        list(servers[vector.flags]._asked.call("Plan", vector.request, 60))
    assert _told(refused.value) == vector.content["error"]


def _answers(planner: Planner, method: str, request: bytes) -> list[bytes] | dict[str, Any]:
    try:
        return list(planner._asked.call(method, request, 60))
    except PlannerError as error:
        return _told(error)


@by_name([v for v in ASKED if not v.flags])
def test_local_answers_byte_for_byte(vector: Vector, servers: dict[str, Planner], local: Planner) -> None:
    for request in (vector.request, *([vector.by_objects] if vector in BY_OBJECTS else [])):
        assert _answers(local, "Plan", request) == _answers(servers[""], "Plan", request)


@by_name([v for v in ASKED if "request" in v.content and v.name.startswith(("stuck/", "objects/", "errors/no-"))])
def test_local_forecasts_byte_for_byte(vector: Vector, servers: dict[str, Planner], local: Planner) -> None:
    request = ForecastRequest(start=PlanRequest.FromString(vector.request)).SerializeToString()
    assert _answers(local, "Forecast", request) == _answers(servers[""], "Forecast", request)


@by_name([v for v in ALL if v.name.startswith("status/")])
def test_status(vector: Vector) -> None:
    want = dict(vector.content["error"])
    status = status_pb2.Status.FromString(base64.b64decode(want.pop("status")))
    assert _told(errors.of_status(status)) == want


def _told(error: PlannerError) -> dict[str, Any]:
    """Put an error into the form that vectors have."""
    assert type(error).__name__.removesuffix("Error").lower() == error.reason.replace("_", "").lower()
    told = {
        "code": error.code.name,
        "message": error.message,
        "reason": error.reason,
        "domain": error.reason and "setplan.io",
        "violations": [{"field": v.field, "description": v.description} for v in error.violations],
        "metadata": dict(error.metadata),
        "retryDelay": error.retry_after and f"{error.retry_after.total_seconds():g}s",
    }
    return {key: value for key, value in told.items() if value}
