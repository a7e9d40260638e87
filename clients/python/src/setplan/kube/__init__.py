"""Kubernetes for the adapter kit: caches, an executor, leader election, over kr8s.

`connect` gives an `Api`. `read` reads one set with everything of it, for programs that only look. `Source` keeps caches, `Executor`
writes, `Events` tells people, `Queue` has the sets that something is to be done for, and `Lease` says which process may write;
`examples/controller.py` is a controller made of them. It runs sets of `apps/v1`.

kr8s is the Kubernetes client because its public `call_api` takes and gives bytes: lists, watches and manifests pass unparsed, as
SPEC.md A1 and A12 ask. The official client parses a manifest and writes it anew, and lightkube's interface is its typed objects.
"""

from setplan.kube._api import (
    CLAIMS,
    EVENTS,
    LEASES,
    PODS,
    REVISIONS,
    SETS,
    Api,
    ApiError,
    Resource,
    TermEnded,
    Unavailable,
    connect,
)
from setplan.kube._cache import Cache
from setplan.kube._events import Events
from setplan.kube._executor import CAPABILITIES, Executor
from setplan.kube._guard import ForeignWriter, Guard
from setplan.kube._lease import Lease, LeaseLost
from setplan.kube._queue import Queue
from setplan.kube._read import read
from setplan.kube._source import Source

__all__ = [
    "CAPABILITIES",
    "CLAIMS",
    "EVENTS",
    "LEASES",
    "PODS",
    "REVISIONS",
    "SETS",
    "Api",
    "ApiError",
    "Cache",
    "Events",
    "Executor",
    "ForeignWriter",
    "Guard",
    "Lease",
    "LeaseLost",
    "Queue",
    "Resource",
    "Source",
    "TermEnded",
    "Unavailable",
    "connect",
    "read",
]
