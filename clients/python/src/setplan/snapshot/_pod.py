"""Pods: what a decision needs of them, and not the whole spec."""

from __future__ import annotations

import re
from typing import Any

from setplan.rawjson import Raw
from setplan.snapshot._containers import pod_containers
from setplan.snapshot._fields import identity, millis
from setplan.snapshot._tables import Tables
from setplan.v1.snapshot_pb2 import ClaimBinding, Pod, PodPhase

_PHASES: dict[object, Any] = {
    "Pending": PodPhase.POD_PHASE_PENDING,
    "Running": PodPhase.POD_PHASE_RUNNING,
    "Succeeded": PodPhase.POD_PHASE_SUCCEEDED,
    "Failed": PodPhase.POD_PHASE_FAILED,
    "Unknown": PodPhase.POD_PHASE_UNKNOWN,
}
_POD_NAME = "statefulset.kubernetes.io/pod-name"
_POD_INDEX = "apps.kubernetes.io/pod-index"
_REVISION = "controller-revision-hash"

_TOKEN = "SETPLAN_DRAIN_TOKEN"  # noqa: S105
_MAX_TERMINATION_MESSAGE = 4096  # bytes: all that a kubelet keeps

_DIGITS = re.compile(r"-([0-9]+)\Z")


def pod_message(tables: Tables, pod: Raw) -> Pod:
    """Put a pod into the contract's form."""
    metadata, spec, status = pod.value["metadata"], pod.value.get("spec") or {}, pod.value.get("status") or {}
    name: str = metadata["name"]
    conditions = {c["type"]: c for c in status.get("conditions") or []}
    ready = conditions.get("Ready", {})
    is_ready = ready.get("status") == "True"
    own, others = _claims(name, spec)
    return Pod(
        **identity(metadata),
        **_labels(tables, name, metadata.get("labels") or {}),
        deletion_unix_ms=millis(metadata.get("deletionTimestamp")),
        created_unix_ms=millis(metadata.get("creationTimestamp")),
        phase=_PHASES.get(status.get("phase"), PodPhase.POD_PHASE_UNSPECIFIED),
        ready=is_ready,
        ready_changed_unix_ms=millis(ready.get("lastTransitionTime")),
        started_unix_ms=0 if is_ready else millis(status.get("startTime")),
        disrupted=conditions.get("DisruptionTarget", {}).get("status") == "True",
        owner_set_index=tables.owners(metadata.get("ownerReferences") or []),
        annotation_set_index=tables.annotations(metadata.get("annotations") or {}),
        volume_set_index=tables.volumes(own),
        other_claims=others,
        termination_messages=_termination_messages(spec, status),
        containers=pod_containers(metadata, spec, status),
    )


def _labels(tables: Tables, name: str, labels: dict[str, str]) -> dict[str, Any]:
    """Take an identity label out of the label set if its field says the same."""
    digits = _DIGITS.search(name)
    rest = {key: value for key, value in labels.items() if key != _REVISION}
    named = rest.get(_POD_NAME) == name
    indexed = digits is not None and rest.get(_POD_INDEX) == digits.group(1)
    if named:
        del rest[_POD_NAME]
    if indexed:
        del rest[_POD_INDEX]
    return {
        "pod_name_label": named,
        "pod_index_label": indexed,
        "label_set_index": tables.labels(rest),
        "revision_name_index": tables.revision_name(labels.get(_REVISION)),
    }


def _claims(name: str, spec: dict[str, Any]) -> tuple[list[str], list[ClaimBinding]]:
    """Split the bound volumes into those with the claim name that a set would choose, and the others."""
    bound = {
        v["name"]: v["persistentVolumeClaim"]["claimName"] for v in spec.get("volumes") or [] if v.get("persistentVolumeClaim")
    }
    own = [volume for volume, claim in bound.items() if claim == f"{volume}-{name}"]
    return own, [ClaimBinding(volume=volume, claim=claim) for volume, claim in bound.items() if volume not in own]


def _termination_messages(spec: dict[str, Any], status: dict[str, Any]) -> list[str]:
    """List the messages of the containers that were given a token."""
    ended = {
        s["name"]: ((s.get("state") or {}).get("terminated") or {}).get("message") or ""
        for s in status.get("containerStatuses") or []
    }
    return [
        ended.get(container["name"], "").encode()[:_MAX_TERMINATION_MESSAGE].decode(errors="ignore")
        for container in spec.get("containers") or []
        if any(variable.get("name") == _TOKEN for variable in container.get("env") or [])
    ]
