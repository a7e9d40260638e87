"""Claims and revisions."""

from __future__ import annotations

from typing import Any

from setplan.rawjson import Raw
from setplan.snapshot._fields import conditions, identity, millis
from setplan.snapshot._tables import Tables
from setplan.v1.snapshot_pb2 import Claim, ClaimPhase, ClaimStorage, Revision

_PHASES: dict[object, Any] = {
    "Pending": ClaimPhase.CLAIM_PHASE_PENDING,
    "Bound": ClaimPhase.CLAIM_PHASE_BOUND,
    "Lost": ClaimPhase.CLAIM_PHASE_LOST,
}


def claim_message(tables: Tables, claim: Raw) -> Claim:
    """Put a claim into the contract's form."""
    metadata = claim.value["metadata"]
    return Claim(
        **identity(metadata),
        deletion_unix_ms=millis(metadata.get("deletionTimestamp")),
        phase=_PHASES.get((claim.value.get("status") or {}).get("phase"), ClaimPhase.CLAIM_PHASE_UNSPECIFIED),
        owner_set_index=tables.owners(metadata.get("ownerReferences") or []),
        annotation_set_index=tables.annotations(metadata.get("annotations") or {}),
        storage_index=tables.claim_storage(_storage(claim.value.get("spec") or {}, claim.value.get("status") or {})),
    )


def _storage(spec: dict[str, Any], status: dict[str, Any]) -> ClaimStorage:
    """Say what a claim asks for and what it has, with the texts of the API server."""
    requests = (spec.get("resources") or {}).get("requests") or {}
    return ClaimStorage(
        request=requests.get("storage") or "",
        capacity=(status.get("capacity") or {}).get("storage") or "",
        resize_status=(status.get("allocatedResourceStatuses") or {}).get("storage") or "",
        storage_class=spec.get("storageClassName") or "",
        attributes_class=spec.get("volumeAttributesClassName") or "",
        current_attributes_class=status.get("currentVolumeAttributesClassName") or "",
        modify_status=(status.get("modifyVolumeStatus") or {}).get("status") or "",
        conditions=conditions(status),
    )


def revision_message(tables: Tables, revision: Raw) -> Revision:
    """Put a revision into the contract's form. Its data is sent as it stands."""
    metadata = revision.value["metadata"]
    data = revision.get("data")
    return Revision(
        **identity(metadata),
        number=revision.value.get("revision", 0),
        owner_set_index=tables.owners(metadata.get("ownerReferences") or []),
        labels=metadata.get("labels") or {},
        created_unix_ms=millis(metadata.get("creationTimestamp")),
        data=bytes(data) if data is not None else b"",
    )
