"""Setplan for Python: ask a planner what a StatefulSet needs next, and carry it out.

- `Client`, and `setplan.aio.Client` for asyncio, ask the planner. `setplan.errors` has what a call can fail with.
- `setplan.snapshot` turns objects, as the API server sent them, into a request.
- `setplan.adapter` has the parts of an adapter: the loop that carries out plans, and the checks of a plan.
- `setplan.kube` has Kubernetes for it: caches, an executor, leader election. It needs the extra `kube`, as `setplan.adapter` does.
- `setplan.v1` has the messages of the contract.
"""

from setplan._settings import DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_TIMEOUT, capabilities
from setplan._tls import TLSFiles
from setplan.client import Client
from setplan.errors import PlannerError, Violation

__all__ = [
    "DEFAULT_MAX_MESSAGE_BYTES",
    "DEFAULT_TIMEOUT",
    "Client",
    "PlannerError",
    "TLSFiles",
    "Violation",
    "capabilities",
]
