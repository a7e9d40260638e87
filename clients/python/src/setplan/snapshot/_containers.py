"""What runs in a pod whose images or resources change in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from setplan.snapshot._fields import millis
from setplan.snapshot._resources import container_resources, pod_resize
from setplan.v1.snapshot_pb2 import Container, PodContainers

_UPDATE = "setplan.io/in-place-update"


def pod_containers(metadata: dict[str, Any], spec: dict[str, Any], status: dict[str, Any]) -> PodContainers | None:
    """Tell what runs in a pod that has the annotation, whatever that says. Of others nobody needs it."""
    if _UPDATE not in (metadata.get("annotations") or {}):
        return None
    conditions = status.get("conditions") or []
    return PodContainers(
        generation=metadata.get("generation") or 0,
        observed_generation=status.get("observedGeneration") or 0,
        containers=_containers(spec.get("containers") or [], status.get("containerStatuses") or []),
        init_containers=_containers(spec.get("initContainers") or [], status.get("initContainerStatuses") or []),
        resize_pending=pod_resize(conditions, "PodResizePending"),
        resize_in_progress=pod_resize(conditions, "PodResizeInProgress"),
    )


def _containers(specs: Sequence[dict[str, Any]], statuses: Sequence[dict[str, Any]]) -> list[Container]:
    """Put the containers of a spec into the contract's form, each with the status of its name."""
    by_name = {status["name"]: status for status in statuses}
    return [_container(spec, by_name.get(spec["name"], {})) for spec in specs]


def _container(spec: dict[str, Any], status: dict[str, Any]) -> Container:
    state = status.get("state") or {}
    wanted, has = container_resources(spec.get("resources") or {}), status.get("resources")
    return Container(
        name=spec["name"],
        image=spec.get("image") or "",
        status_image=status.get("image") or "",
        image_id=status.get("imageID") or "",
        container_id=status.get("containerID") or "",
        started_unix_ms=millis((state.get("running") or {}).get("startedAt")),
        waiting_reason=(state.get("waiting") or {}).get("reason") or "",
        resources=wanted if wanted.requests or wanted.limits else None,
        status_resources=None if has is None else container_resources(has),
    )
