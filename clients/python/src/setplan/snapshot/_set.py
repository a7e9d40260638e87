"""The set: typed where the planner reads a field, text where Kubernetes owns the format."""

from __future__ import annotations

import json
from typing import Any

from setplan.rawjson import Raw
from setplan.snapshot._fields import conditions, identity, millis
from setplan.v1.snapshot_pb2 import (
    ClaimRetention,
    IntOrPercent,
    LabelRequirement,
    LabelSelector,
    RollingUpdate,
    StatefulSet,
    StatefulSetStatus,
    UpdateStrategy,
)

_BUILT_IN = "apps/v1"

# The fields of the spec of apps/v1, which the contract has. None: what is inside is not looked into.
_FIELDS: dict[str, Any] = {
    "minReadySeconds": None,
    "ordinals": {"start": None},
    "persistentVolumeClaimRetentionPolicy": {"whenDeleted": None, "whenScaled": None},
    "podManagementPolicy": None,
    "replicas": None,
    "revisionHistoryLimit": None,
    "selector": None,
    "serviceName": None,
    "template": None,
    "updateStrategy": {"type": None, "rollingUpdate": {"maxUnavailable": None, "partition": None}},
    "volumeClaimTemplates": None,
}


def set_message(set_: Raw) -> StatefulSet:
    """Put a set into the contract's form."""
    raw = set_.members["spec"]
    metadata, spec = set_.value["metadata"], set_.value["spec"]
    retention = spec.get("persistentVolumeClaimRetentionPolicy")
    template = raw.members.get("template")
    claims = raw.get("volumeClaimTemplates")
    own = _beyond(raw, _FIELDS) if set_.value["apiVersion"] != _BUILT_IN else ""
    return StatefulSet(
        **identity(metadata),
        api_version=set_.value["apiVersion"],
        kind=set_.value["kind"],
        namespace=metadata["namespace"],
        generation=metadata.get("generation", 0),
        deletion_unix_ms=millis(metadata.get("deletionTimestamp")),
        annotations=metadata.get("annotations") or {},
        finalizers=metadata.get("finalizers") or [],
        replicas=spec.get("replicas"),
        ordinals_start=(spec.get("ordinals") or {}).get("start", 0),
        selector=_selector(spec.get("selector")),
        service_name=spec.get("serviceName") or "",
        pod_management_policy=spec.get("podManagementPolicy") or "",
        update_strategy=_strategy(spec.get("updateStrategy")),
        min_ready_seconds=spec.get("minReadySeconds") or 0,
        revision_history_limit=spec.get("revisionHistoryLimit"),
        claim_retention=ClaimRetention(when_deleted=retention.get("whenDeleted", ""), when_scaled=retention.get("whenScaled", ""))
        if retention is not None
        else None,
        pod_template=bytes(template) if template is not None else b"",
        claim_templates=[bytes(claim) for claim in (claims.items if claims else [])],
        own_fields=own.encode(),
        status=_status(set_.value.get("status") or {}),
    )


def _selector(selector: dict[str, Any] | None) -> LabelSelector | None:
    if selector is None:
        return None
    return LabelSelector(
        match_labels=selector.get("matchLabels") or {},
        match_expressions=[
            LabelRequirement(key=r["key"], operator=r["operator"], values=r.get("values") or [])
            for r in selector.get("matchExpressions") or []
        ],
    )


def _strategy(strategy: dict[str, Any] | None) -> UpdateStrategy | None:
    """Keep a missing rollingUpdate apart from one with partition 0: they mean different things (SPEC.md, nil rollingUpdate)."""
    if not strategy:
        return None
    rolling = strategy.get("rollingUpdate")
    return UpdateStrategy(
        type=strategy.get("type", ""),
        rolling_update=RollingUpdate(
            partition=rolling.get("partition") or 0, max_unavailable=_int_or_percent(rolling.get("maxUnavailable"))
        )
        if rolling is not None
        else None,
    )


def _int_or_percent(value: int | str | None) -> IntOrPercent | None:
    if value is None:
        return None
    return IntOrPercent(percent=value) if isinstance(value, str) else IntOrPercent(count=value)


def _status(status: dict[str, Any]) -> StatefulSetStatus:
    out = StatefulSetStatus(
        observed_generation=status.get("observedGeneration", 0),
        replicas=status.get("replicas", 0),
        ready_replicas=status.get("readyReplicas", 0),
        available_replicas=status.get("availableReplicas", 0),
        current_replicas=status.get("currentReplicas", 0),
        updated_replicas=status.get("updatedReplicas", 0),
        current_revision=status.get("currentRevision", ""),
        update_revision=status.get("updateRevision", ""),
        collision_count=status.get("collisionCount"),
    )
    out.conditions.extend(conditions(status))
    return out


def _beyond(raw: Raw, fields: dict[str, Any]) -> str:
    """Text of what an object has beyond these fields, as one JSON object; empty where there is nothing."""
    rest: list[str] = []
    for key, member in raw.members.items():
        if key not in fields:
            rest.append(f"{json.dumps(key)}:{member.text}")
        elif fields[key] is not None and (inside := _beyond(member, fields[key])):
            rest.append(f"{json.dumps(key)}:{inside}")
    return "{" + ",".join(rest) + "}" if rest else ""
