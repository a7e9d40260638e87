"""Lists of objects to a snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from setplan.rawjson import Raw
from setplan.snapshot import _membership as membership
from setplan.snapshot._pod import pod_message
from setplan.snapshot._set import set_message
from setplan.snapshot._small import claim_message, revision_message
from setplan.snapshot._tables import Tables
from setplan.v1.snapshot_pb2 import Coverage, Snapshot


@dataclass(frozen=True)
class Objects:
    """What a snapshot is made from. The lists may hold objects of other sets and namespaces, in any order."""

    set: Raw
    """The set."""
    pods: Iterable[Raw] = ()
    claims: Iterable[Raw] = ()
    revisions: Iterable[Raw] = ()
    other_sets: Iterable[Raw] = ()
    """The other sets, which may use the same claim names. The set itself may be among them."""


def items(listed: str | bytes | Raw) -> list[Raw]:
    """Take the objects out of a list that the API server sent. ValueError: it is no JSON.

    The items of a list do not say their kind and version; they get those of the list, because a snapshot has the set's.
    """
    raw = listed if isinstance(listed, Raw) else Raw(listed)
    found = raw.get("items")
    typed = {"apiVersion": raw.value.get("apiVersion"), "kind": str(raw.value.get("kind", "")).removesuffix("List")}
    head = json.dumps(typed, separators=(",", ":"))[:-1] + ","
    return [
        item if "kind" in item.value else Raw.known(head + item.text[1:], typed | item.value)
        for item in (found.items if found is not None else [])
    ]


def of(objects: Objects, coverage: Coverage, observed_at: datetime) -> Snapshot:
    """Make the snapshot of a set, without the caller's part: outcomes and policy.

    `observed_at` has a time zone. Name in `coverage` only the kinds whose lists are complete (A2). ValueError: an object is not
    what an API server sends.
    """
    if observed_at.tzinfo is None:
        raise ValueError("observed_at has no time zone")
    tables = Tables()
    try:
        revisions = membership.revisions(objects.set, objects.revisions)
        snapshot = Snapshot(
            coverage=coverage,
            set=set_message(objects.set),
            pods=[pod_message(tables, pod) for pod in membership.pods(objects.set, objects.pods)],
            claims=[claim_message(tables, claim) for claim in membership.claims(objects.set, objects.claims, revisions)],
            revisions=[revision_message(tables, r) for r in revisions],
            claim_neighbours=membership.neighbours(objects.set, objects.other_sets, revisions),
            tables=tables.message,
        )
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"an object is not what an API server sends: {error!r}") from error
    snapshot.observed_at.FromDatetime(observed_at)
    return snapshot
