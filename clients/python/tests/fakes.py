"""A planner that does what a test says, over real gRPC on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from setplan.v1 import PlanRequest, PlanResponse

Answer = Callable[[int, grpc.ServicerContext], PlanResponse | bytes]


def _encoded(answer: PlanResponse | bytes) -> bytes:
    """Leave bytes as they are: a planner may answer anything."""
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


def converged(_call: int, _context: grpc.ServicerContext) -> PlanResponse:
    response = PlanResponse()
    response.plan.converged = True
    return response


@dataclass
class Fake:
    answer: Answer = converged
    requests: list[PlanRequest] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def plan(self, request: PlanRequest, context: grpc.ServicerContext) -> PlanResponse | bytes:
        self.requests.append(request)
        self.agents += [str(value) for key, value in context.invocation_metadata() if key == "user-agent"]
        return self.answer(len(self.requests), context)


@contextmanager
def serve(fake: Fake, address: str = "127.0.0.1:0") -> Iterator[str]:
    methods = {
        "Plan": grpc.unary_unary_rpc_method_handler(
            fake.plan, request_deserializer=PlanRequest.FromString, response_serializer=_encoded
        )
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
