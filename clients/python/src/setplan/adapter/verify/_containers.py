"""The containers of a pod's template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from setplan.adapter.verify._json import get
from setplan.adapter.verify._subject import Subject
from setplan.v1.snapshot_pb2 import Container

CONTAINERS, INIT_CONTAINERS = LISTS = ("containers", "initContainers")

Shown = Mapping[str, Sequence[Container]]
"""What the snapshot shows of a pod, by list."""


def shown_of(s: Subject) -> Shown:
    return {CONTAINERS: s.pod.containers.containers, INIT_CONTAINERS: s.pod.containers.init_containers}


def stays(of: str, container: Any) -> bool:
    """Report whether a container is there for as long as its pod: of init containers those that are sidecars."""
    return of == CONTAINERS or get(container, "restartPolicy") == "Always"


def pairs_of(old: Any, new: Any, of: str) -> list[tuple[Any, Any]]:
    """Return the containers of a list of two templates, those with the same place together; none if there are more in one."""
    a, b = get(old, "spec", of), get(new, "spec", of)
    return list(zip(a, b, strict=True)) if isinstance(a, list) and isinstance(b, list) and len(a) == len(b) else []


def with_containers(template: Any, of: str, containers: list[Any]) -> Any:
    """Return a template in which a list of containers replaces another one."""
    return {**template, "spec": {**template["spec"], of: containers}}
