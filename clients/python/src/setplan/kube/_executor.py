"""Carries out actions. The API server checks each precondition together with the write (SPEC.md, A8)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any

from setplan.adapter import Gone, Key, Result, Write
from setplan.adapter.operations import operation_of
from setplan.kube._api import CLAIMS, MANAGER, PODS, REVISIONS, SETS, Api, ApiError, Resource, Unavailable
from setplan.rawjson import Raw
from setplan.v1.plan_pb2 import Action, ContainerImage, ContainerResize
from setplan.v1.service_pb2 import Capability
from setplan.v1.snapshot_pb2 import OutcomeResult, OwnerReference, StatefulSetStatus

_MERGE = "application/merge-patch+json"
_STRATEGIC = "application/strategic-merge-patch+json"

_NOT_FOUND, _CONFLICT, _INVALID = 404, 409, 422
_REJECTED = frozenset({400, 401, 403, 404, 405, 413, 422})

_RESOURCES = {r.kind: r for r in (PODS, CLAIMS, REVISIONS, SETS)}

CAPABILITIES = [
    Capability.CAPABILITY_CREATE_POD,
    Capability.CAPABILITY_DELETE_POD,
    Capability.CAPABILITY_EVICT_POD,
    Capability.CAPABILITY_PATCH_POD,
    Capability.CAPABILITY_ADOPT_POD,
    Capability.CAPABILITY_RELEASE_POD,
    Capability.CAPABILITY_CREATE_CLAIM,
    Capability.CAPABILITY_SET_CLAIM_OWNERS,
    Capability.CAPABILITY_CREATE_REVISION,
    Capability.CAPABILITY_RENUMBER_REVISION,
    Capability.CAPABILITY_ADOPT_REVISION,
    Capability.CAPABILITY_DELETE_REVISION,
    Capability.CAPABILITY_UPDATE_STATUS,
    Capability.CAPABILITY_PATCH_ANNOTATIONS,
    Capability.CAPABILITY_DELETE_CLAIM,
    Capability.CAPABILITY_PATCH_CLAIM,
    Capability.CAPABILITY_ADD_CLAIM_TEMPLATES,
    Capability.CAPABILITY_UPDATE_POD,
    Capability.CAPABILITY_UPDATE_IMAGES,
    Capability.CAPABILITY_RESIZE_POD,
    Capability.CAPABILITY_SET_FINALIZER,
    Capability.CAPABILITY_SET_CONDITIONS,
]
"""What the executor can do."""


class Executor:
    """Writes through the API server. It implements `setplan.adapter.Executor`."""

    def __init__(self, api: Api, stored_conditions: Callable[[Key, str], list[dict[str, Any]] | None]) -> None:
        """Make an executor.

        `stored_conditions` returns the conditions of a set as stored at a resource version, None if that is not known: a patch
        replaces whole lists, so a write of one condition repeats the others.
        """
        self._api = api
        self._stored = stored_conditions

    async def apply(self, key: Key, action: Action) -> Result:
        """Implement `setplan.adapter.Executor`."""
        try:
            return await self._apply(key, action)
        except ApiError as error:
            return Result(error, _outcome(error))
        except Gone:
            return Result(ValueError(f"{key} is gone"), OutcomeResult.OUTCOME_RESULT_CONFLICT)
        except (Unavailable, ValueError) as error:
            return Result(error, OutcomeResult.OUTCOME_RESULT_ERROR)

    async def _apply(self, key: Key, action: Action) -> Result:
        of = operation_of(action)
        body: Any = getattr(action, of)
        resource = _RESOURCES[action.target.kind]
        identity = _identity(action)
        match of:
            case "create_pod" | "create_claim" | "create_revision":
                return await self._create(key, resource, action, body.manifest)
            case "delete_pod" | "delete_claim" | "delete_revision":
                return await self._delete(key, resource, action)
            case "evict_pod":
                return await self._evict(key, resource, action)
            case "patch_pod":
                patch: dict[str, Any] = {"metadata": identity | ({"labels": dict(body.labels)} if body.labels else {})}
                if body.claims:
                    bound = [{"name": b.volume, "persistentVolumeClaim": {"claimName": b.claim}} for b in body.claims]
                    patch["spec"] = {"volumes": bound}
                return await self._patch(key, resource, action, _STRATEGIC, patch)
            case "update_pod":
                labels = dict(body.labels) | dict.fromkeys(body.remove_labels)
                annotations = dict(body.annotations) | dict.fromkeys(body.remove_annotations)
                changed = {"metadata": identity | {"labels": labels, "annotations": annotations}}
                spec = _images_patch("containers", body.containers) | _images_patch("initContainers", body.init_containers)
                if spec:  # only a strategic merge patch finds containers by their names
                    return await self._patch(key, resource, action, _STRATEGIC, changed | {"spec": spec})
                return await self._patch(key, resource, action, _MERGE, changed)
            case "resize_pod":  # through the subresource: a pod itself takes no such change
                spec = _resources_patch("containers", body.containers) | _resources_patch("initContainers", body.init_containers)
                return await self._patch(key, resource, action, _STRATEGIC, {"metadata": identity, "spec": spec}, "resize")
            case "adopt_pod" | "adopt_revision":  # a strategic merge patch tells owners apart by uid, and keeps the others
                owners = {"ownerReferences": [_owner(body.owner)]}
                return await self._patch(key, resource, action, _STRATEGIC, {"metadata": identity | owners})
            case "release_pod":
                return await self._release(key, action, body.owner_uid)
            case "set_claim_owners":
                owners = {"ownerReferences": [_owner(owner) for owner in body.owners]}
                return await self._patch(key, resource, action, _MERGE, {"metadata": identity | owners})
            case "patch_claim":
                return await self._patch(key, resource, action, _MERGE, _claim_patch(identity, body))
            case "renumber_revision":
                return await self._patch(key, resource, action, _MERGE, {"metadata": identity, "revision": body.number})
            case "patch_annotations":
                annotations = dict(body.set) | dict.fromkeys(body.remove)
                return await self._patch(key, resource, action, _MERGE, {"metadata": identity | {"annotations": annotations}})
            case "update_status":
                return await self._status(key, action, body.status)
            case "set_finalizer":
                return await self._finalizer(key, action, body.finalizer, body.present)
        raise ValueError(f"this adapter does not know the operation {of}")

    async def _create(self, key: Key, resource: Resource, action: Action, manifest: bytes) -> Result:
        path = resource.path(key.namespace)
        try:
            return _written(resource, await self._api.send("POST", path, manifest, fieldManager=MANAGER))
        except ApiError as error:
            if error.reason != "AlreadyExists" or resource is CLAIMS:
                raise
            # An earlier answer may have been lost (A9).
            live = Raw(await self._api.get(resource.path(key.namespace, action.target.name)))
            if not _same(resource, Raw(manifest), live):
                raise
            return _written(resource, live)

    async def _delete(self, key: Key, resource: Resource, action: Action) -> Result:
        preconditions = _identity(action)
        options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": preconditions}
        try:
            await self._api.send("DELETE", resource.path(key.namespace, action.target.name), _encode(options))
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise
        return Result(write=Write(resource.kind, action.target.name, preconditions["uid"], deleted=True))

    async def _evict(self, key: Key, resource: Resource, action: Action) -> Result:
        """Delete a pod if its disruption budget allows it. It is asked once: the planner says when to ask again."""
        name, preconditions = action.target.name, _identity(action)
        eviction = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": name},
            "deleteOptions": {"preconditions": preconditions},
        }
        try:
            await self._api.send("POST", resource.path(key.namespace, name, "eviction"), _encode(eviction), fieldManager=MANAGER)
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise
        return Result(write=Write(resource.kind, name, preconditions["uid"], deleted=True))

    async def _patch(
        self, key: Key, resource: Resource, action: Action, kind: str, patch: dict[str, Any], subresource: str = ""
    ) -> Result:
        """Change exactly the object that the planner saw. If it is gone, that is a conflict.

        That the API server has no such path at all is none; then it answers with a text.
        """
        path = resource.path(key.namespace, action.target.name, subresource)
        try:
            return _written(resource, await self._api.send("PATCH", path, _encode(patch), kind, fieldManager=MANAGER))
        except ApiError as error:
            if error.status == _NOT_FOUND and error.body:
                return Result(error, OutcomeResult.OUTCOME_RESULT_CONFLICT)
            raise

    async def _release(self, key: Key, action: Action, owner: str) -> Result:
        """Remove an owner. If the pod is gone, was replaced, or has no such owner, there is nothing to do."""
        patch = {"metadata": _identity(action) | {"ownerReferences": [{"$patch": "delete", "uid": owner}]}}
        try:
            result = await self._patch(key, PODS, action, _STRATEGIC, patch)
        except ApiError as error:
            if error.status not in {_INVALID, _NOT_FOUND}:
                raise
            return Result()
        gone = isinstance(result.error, ApiError) and result.error.status == _NOT_FOUND
        return Result() if gone else result

    async def _status(self, key: Key, action: Action, status: StatefulSetStatus) -> Result:
        """Write the fields that are set, zeros included, and leave the rest of the status alone (A13)."""
        fields: dict[str, Any] = {f.json_name: value for f, value in status.ListFields() if f.name != "conditions"}
        if status.conditions:
            stored = self._stored(key, action.precondition.resource_version)
            if stored is None:
                return Result(ValueError(f"{key} has changed since the plan was made"), OutcomeResult.OUTCOME_RESULT_CONFLICT)
            fields["conditions"] = _merged(stored, status)
        if not fields:
            raise ValueError("the plan updates the status with nothing")
        return await self._patch(key, SETS, action, _MERGE, {"metadata": _identity(action), "status": fields}, "status")

    async def _finalizer(self, key: Key, action: Action, finalizer: str, present: bool) -> Result:
        """Change one finalizer: read the list, and write it back at the version that was read (A19)."""
        try:
            live = Raw(await self._api.get(SETS.path(key.namespace, action.target.name)))
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise
            return Result(error, OutcomeResult.OUTCOME_RESULT_CONFLICT) if present else Result()
        metadata = live.value["metadata"]
        has: list[str] = metadata.get("finalizers") or []
        if metadata["uid"] != action.precondition.uid:
            error_ = ValueError(f"the set has uid {metadata['uid']}, the action is for {action.precondition.uid}")
            return Result(error_, OutcomeResult.OUTCOME_RESULT_CONFLICT)
        if (finalizer in has) == present:
            return _written(SETS, live)
        wanted = [f for f in has if f != finalizer] + ([finalizer] if present else [])
        identity = {"uid": metadata["uid"], "resourceVersion": metadata["resourceVersion"]}
        return await self._patch(key, SETS, action, _MERGE, {"metadata": identity | {"finalizers": wanted}})


def _identity(action: Action) -> dict[str, Any]:
    """Return the metadata by which the API server checks the precondition.

    It refuses another uid as the change of an immutable field, and another resource version as a conflict.
    """
    if not action.precondition.uid and not action.precondition.must_not_exist:
        raise ValueError("the action names no uid")
    identity = {"uid": action.precondition.uid}
    if action.precondition.resource_version:
        identity["resourceVersion"] = action.precondition.resource_version
    return identity


def _owner(owner: OwnerReference) -> dict[str, Any]:
    reference: dict[str, Any] = {"apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid}
    # Absent and false mean the same, and most writers leave the field out.
    return (
        reference
        | ({"controller": True} if owner.controller else {})
        | ({"blockOwnerDeletion": True} if owner.block_owner_deletion else {})
    )


def _merged(stored: list[dict[str, Any]], status: StatefulSetStatus) -> list[dict[str, Any]]:
    """Replace conditions by the wanted ones of the same type, and keep the others with fields that this build does not know."""
    merged = {condition["type"]: condition for condition in stored}
    for c in status.conditions:
        merged[c.type] = {"type": c.type, "status": c.status, "reason": c.reason, "message": c.message}
        if c.HasField("last_transition_time"):
            at = c.last_transition_time.ToDatetime(tzinfo=UTC)
            merged[c.type]["lastTransitionTime"] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return list(merged.values())


def _same(resource: Resource, manifest: Raw, live: Raw) -> bool:
    """Report whether what exists is what an earlier attempt has made: the same controller, and of a revision the same data."""
    ours, theirs = _controller(manifest), _controller(live)
    return ours is not None and ours == theirs and (resource is not REVISIONS or manifest.value["data"] == live.value["data"])


def _controller(thing: Raw) -> str | None:
    owners = thing.value["metadata"].get("ownerReferences") or []
    return next((owner["uid"] for owner in owners if owner.get("controller")), None)


def _written(resource: Resource, thing: Raw) -> Result:
    metadata = thing.value["metadata"]
    return Result(write=Write(resource.kind, metadata["name"], metadata["uid"], metadata["resourceVersion"]))


def _outcome(error: ApiError) -> OutcomeResult:
    """Say what an error of the API server means to the planner. It calls another uid invalid, because a uid cannot change."""
    if error.status == _CONFLICT or (error.status == _INVALID and "metadata.uid" in error.fields):
        return OutcomeResult.OUTCOME_RESULT_CONFLICT
    if error.budget:
        return OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET
    rejected = error.status in _REJECTED or error.many_budgets
    return OutcomeResult.OUTCOME_RESULT_REJECTED if rejected else OutcomeResult.OUTCOME_RESULT_ERROR


def _encode(value: object) -> bytes:
    return json.dumps(value).encode()


def _images_patch(containers: str, images: Sequence[ContainerImage]) -> dict[str, Any]:
    """Set the images of a list of containers, in their order: a pod whose containers change places is invalid."""
    if not images:
        return {}
    return {
        f"$setElementOrder/{containers}": [{"name": c.name} for c in images],
        containers: [{"name": c.name, "image": c.image} for c in images],
    }


def _resources_patch(containers: str, resizes: Sequence[ContainerResize]) -> dict[str, Any]:
    """Set what of the resources of a list of containers is named. As with images the order is part of the patch."""
    changed = [
        {"name": c.name, "resources": {of: dict(amounts) for of, amounts in named.items() if amounts}}
        for c, named in ((c, {"requests": c.requests, "limits": c.limits}) for c in resizes)
        if any(named.values())
    ]
    return {f"$setElementOrder/{containers}": [{"name": c.name} for c in resizes], containers: changed} if changed else {}


def _claim_patch(identity: dict[str, Any], body: Any) -> dict[str, Any]:
    """Set what a claim asks for, and labels and annotations; everything else stays as it is."""
    metadata, spec = dict(identity), dict[str, Any]()
    if body.labels:
        metadata["labels"] = dict(body.labels)
    if body.annotations:
        metadata["annotations"] = dict(body.annotations)
    if body.request:
        spec["resources"] = {"requests": {"storage": body.request}}
    if body.attributes_class:
        spec["volumeAttributesClassName"] = body.attributes_class
    return {"metadata": metadata} | ({"spec": spec} if spec else {})
