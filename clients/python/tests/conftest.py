"""Planners for tests: real ones, on loopback and in this process, and one that does what a test says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from setplan import Planner
from setplan.v1 import PlanResponse

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("SETPLAN_SERVER", ROOT / "bin" / "setplan-server"))
WASM = Path(os.environ.get("SETPLAN_WASM", ROOT / "bin" / "setplan.wasm"))
VECTORS = Path(os.environ.get("SETPLAN_VECTORS", ROOT / "proto" / "testdata" / "vectors"))
LISTENING = re.compile(r"msg=listening addr=(\S+)")
Edit = Callable[[dict[str, Any]], None]


@contextmanager
def planner(*flags: str, address: str = "127.0.0.1:0") -> Iterator[str]:
    """Run a planner, by default on a free port, and give its address. It ends with the block, and however this process ends."""
    command = [str(PROGRAM), "--listen-address", address, *flags]
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL) as process:
        ends = ["/bin/sh", "-c", "read _; kill -9 $0", str(process.pid)]
        with subprocess.Popen(ends, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True):
            while not (listening := LISTENING.search(text := os.pread(log.fileno(), 1 << 20, 0).decode())):
                assert process.poll() is None, text
                time.sleep(0.01)
            yield listening.group(1)


@pytest.fixture(scope="session")
def local() -> Iterator[Planner]:
    """Load the planner into this process."""
    with Planner.local(WASM) as one:
        yield one


def converged(_call: int, _context: grpc.ServicerContext) -> list[bytes]:
    response = PlanResponse()
    response.plan.converged = True
    return [response.SerializeToString()]


@dataclass
class Fake:
    """Answers the calls of each method, counted from 1, with the bytes that a test says."""

    answer: Callable[[int, grpc.ServicerContext], Iterable[bytes]] = converged
    requests: list[bytes] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def asked(self, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        self.requests.append(request)
        self.agents += [str(value) for key, value in context.invocation_metadata() if key == "user-agent"]
        yield from self.answer(len(self.requests), context)


@contextmanager
def serve(fake: Fake, address: str = "127.0.0.1:0") -> Iterator[str]:
    """Serve a fake, and give its address. A stream of one message is on the wire what a method that answers once sends."""
    methods: dict[str, Any] = {
        name: grpc.unary_stream_rpc_method_handler(fake.asked) for name in ("Plan", "Forecast", "GetServerInfo")
    }
    options: list[tuple[str, Any]] = [("grpc.max_receive_message_length", 64 << 20), ("grpc.so_reuseport", 0)]
    server = grpc.server(ThreadPoolExecutor(2), options=options)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("setplan.v1.PlannerService", methods),))
    host, _, _ = address.rpartition(":")
    port = server.add_insecure_port(address)
    server.start()
    try:
        yield f"{host}:{port}"
    finally:
        server.stop(None).wait()


def listed(vector: str) -> dict[str, Any]:
    """Print the objects of a vector as kubectl does."""
    objects = json.loads((VECTORS / vector).read_text())["objects"]
    items = [objects["set"], *(o for kind in ("otherSets", "pods", "claims", "revisions") for o in objects.get(kind, []))]
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}


def edited(listed: dict[str, Any], edit: Edit) -> str:
    """Print the set as the API server would store it after an edit."""
    after = json.loads(json.dumps(listed["items"][0]))
    edit(after["spec"])
    after["metadata"]["generation"] += after != listed["items"][0]
    return json.dumps(after)


def image(name: str) -> Edit:
    def edit(spec: dict[str, Any]) -> None:
        spec["template"]["spec"]["containers"][0]["image"] = name

    return edit
