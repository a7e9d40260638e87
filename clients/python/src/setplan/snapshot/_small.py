"""Claims and revisions."""

from __future__ import annotations

from typing import Any

from setplan.rawjson import Raw
from setplan.snapshot._fields import identity, millis
from setplan.snapshot._tables import Tables
from setplan.v1.snapshot_pb2 import Claim, ClaimPhase, Revision

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
