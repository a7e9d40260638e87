"""Every vector: requests are made of its objects, and plans and errors come back as it says. There is no list of exceptions."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC
from typing import Any

import grpc
import pytest
import vectors
from google.protobuf import json_format
from google.rpc import status_pb2
from servers import planner
from vectors import Vector

import setplan
from setplan import errors, snapshot
from setplan._settings import PLAN
from setplan.v1 import Snapshot

ALL = vectors.read()
ASKED = [v for v in ALL if not v.name.startswith("status/")]


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    """Planners by their limits."""
    with ExitStack() as stack:
        yield {limits: stack.enter_context(planner(*limits.split())) for limits in sorted({_flags(v) for v in ASKED})}


def _flags(vector: Vector) -> str:
    dashed = {re.sub("[A-Z]", lambda c: "-" + c.group().lower(), k): v for k, v in vector.content.get("limits", {}).items()}
    return " ".join(f"--{name}={value}" for name, value in dashed.items())


def by_name(some: list[Vector]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", some, ids=[v.name for v in some])


def test_enough() -> None:
    assert len([v for v in ALL if "plan" in v.content]) >= 340
    assert len([v for v in ALL if "error" in v.content]) >= 50
    assert len([v for v in ALL if "objects" in v.content]) >= 290


@by_name([v for v in ALL if "objects" in v.content])
def test_snapshot(vector: Vector) -> None:
    want = vector.request.snapshot
    got = snapshot.of(vector.objects, want.coverage, want.observed_at.ToDatetime(tzinfo=UTC))
    # What objects do not tell.
    got.outcomes.extend(want.outcomes)
    if want.HasField("policy"):
        got.policy.CopyFrom(want.policy)
    got.set.refusal = want.set.refusal
    got.fixed_storage_classes.extend(want.fixed_storage_classes)
    assert _spelled_out(got) == _spelled_out(want)


@by_name([v for v in ASKED if "plan" in v.content])
def test_plan(vector: Vector, servers: dict[str, str]) -> None:
    with setplan.Client(servers[_flags(vector)], insecure=True, timeout=60) as client:
        assert client.plan(vector.request) == vector.plan


@by_name([v for v in ASKED if "error" in v.content])
def test_error(vector: Vector, servers: dict[str, str]) -> None:
    # The bytes themselves: no library would make some of these requests.
    with grpc.insecure_channel(servers[_flags(vector)]) as channel:
        ask: Any = channel.unary_unary(PLAN)
        with pytest.raises(grpc.RpcError) as refused:
            ask(vector.request_bytes, timeout=60)
    call: Any = refused.value
    assert _told(errors.of_status(call.code(), call.details(), call.trailing_metadata())) == vector.content["error"]


@by_name([v for v in ALL if v.name.startswith("status/")])
def test_status(vector: Vector) -> None:
    want = dict(vector.content["error"])
    trailer = base64.b64decode(want.pop("status"))
    status = status_pb2.Status.FromString(trailer)
    code = next(c for c in grpc.StatusCode if c.value[0] == status.code)
    assert _told(errors.of_status(code, status.message, [("grpc-status-details-bin", trailer)])) == want


def _told(error: setplan.PlannerError) -> dict[str, Any]:
    """Put an error into the form that vectors have."""
    told: dict[str, Any] = {"code": error.code.name, "message": error.message}
    if error.reason:
        told |= {"reason": error.of, "domain": errors.DOMAIN}
    if error.violations:
        told["violations"] = [{"field": v.field, "description": v.description} for v in error.violations]
    if error.metadata:
        told["metadata"] = dict(error.metadata)
    if error.retry_after is not None:
        told["retryDelay"] = f"{error.retry_after.total_seconds():g}s"
    return told


def _spelled_out(of: Snapshot) -> dict[str, Any]:
    """Put entries of tables in place of indexes, and lists into the order of names: what differs then differs in meaning."""
    out = json_format.MessageToDict(of)
    tables = out.pop("tables", {})
    for kind in ("pods", "claims", "revisions"):
        out[kind] = sorted((_resolved(thing, tables) for thing in out.get(kind, [])), key=lambda thing: thing["name"])
    out["claimNeighbours"] = sorted(out.get("claimNeighbours", []), key=str)
    set_ = out["set"]
    set_["podTemplate"] = _compact(set_.get("podTemplate", ""))
    set_["claimTemplates"] = [_compact(template) for template in set_.get("claimTemplates", [])]
    set_["ownFields"] = _compact(set_.get("ownFields", ""))
    set_["status"] = _filled(set_.get("status", {}))
    return out


def _resolved(thing: dict[str, Any], tables: dict[str, Any]) -> dict[str, Any]:
    out = dict(thing)
    for field, table in {
        "labelSetIndex": "labelSets",
        "ownerSetIndex": "ownerSets",
        "revisionNameIndex": "revisionNames",
        "volumeSetIndex": "volumeSets",
        "annotationSetIndex": "annotationSets",
        "storageIndex": "claimStorages",
    }.items():
        index = out.pop(field, 0)
        out[table] = tables[table][index] if index else ""
    if "data" in out:
        out["data"] = _compact(out["data"])
    return out


def _filled(status: dict[str, Any]) -> dict[str, Any]:
    """In a snapshot, a field of the status that is 0 or empty says what one says that is not set."""
    return {key: value for key, value in status.items() if value not in (0, "0", "", [])}


def _compact(data: str) -> list[str]:
    """Take blanks out. Keys keep their order and strings their escapes: these requests are the text of their objects."""
    return re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"]', base64.b64decode(data).decode(errors="replace"))
