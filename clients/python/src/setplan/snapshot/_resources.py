"""The cpu and the memory of containers, and what a node says of a resize."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from setplan.snapshot._fields import millis
from setplan.v1.snapshot_pb2 import ContainerResources, PodResize

_MAX_MESSAGE = 1024  # bytes: what the contract allows


def container_resources(of: Mapping[str, Any]) -> ContainerResources:
    """Put the cpu and the memory of a container into the contract's form. No others change while a pod stays."""
    return ContainerResources(requests=_amounts(of.get("requests")), limits=_amounts(of.get("limits")))


def _amounts(of: Mapping[str, str] | None) -> dict[str, str]:
    """Take the texts of the API server as they stand."""
    return {name: quantity for name, quantity in (of or {}).items() if name in {"cpu", "memory"}}


def pod_resize(conditions: Sequence[Mapping[str, Any]], kind: str) -> PodResize | None:
    """Put a condition of a pod whose resources change into the contract's form, if it is there and true."""
    for c in conditions:
        if c["type"] == kind and c.get("status") == "True":
            return PodResize(
                reason=c.get("reason") or "",
                message=(c.get("message") or "").encode()[:_MAX_MESSAGE].decode(errors="ignore"),
                since_unix_ms=millis(c.get("lastTransitionTime")),
                observed_generation=c.get("observedGeneration") or 0,
            )
    return None
