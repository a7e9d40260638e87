"""Makes requests from the API server's JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from google.protobuf.timestamp_pb2 import Timestamp

from setplan.v1 import Coverage, Objects, PlanRequest, Policy

Kind = Literal["pods", "claims", "revisions"]


def plan_request(
    documents: Iterable[bytes | str],
    name: str,
    *,
    namespace: str = "",
    complete: Iterable[Kind] = (),
    observed_at: datetime | None = None,
    edited_set: bytes | str = b"",
    policy: Policy | None = None,
    api_version: str = "",
    kind: str = "",
) -> PlanRequest:
    """Make a request for the set of this name from JSON documents: objects, typed lists, or what `kubectl get -o json` prints.

    The planner picks what belongs to the set, so send whole lists. `namespace` is required if the documents have several sets of
    this name. `complete` names the kinds whose every object in the namespace is in the documents. An object of another kind that
    is missing may still exist. A typed list, such as a PodList, is complete without being named here unless it is one page of
    several, so never send one that a selector has filtered. `observed_at` is when the API server sent the documents, with a time
    zone; the default is now. `edited_set` is the set after an edit, as `kubectl apply --dry-run=server -o json` prints it.
    `api_version` and `kind` are those of your own kind.
    """
    if isinstance(documents, bytes | str):
        raise TypeError("documents must be a list")
    if observed_at and observed_at.tzinfo is None:
        raise ValueError("observed_at must have a time zone")
    at = Timestamp()
    at.FromDatetime(observed_at or datetime.now(UTC))
    coverage = Coverage()
    for one in complete:
        setattr(coverage, one, True)
    return PlanRequest(
        objects=Objects(
            documents=[_encoded(document) for document in documents],
            namespace=namespace,
            name=name,
            api_version=api_version,
            kind=kind,
            observed_at=at,
            coverage=coverage,
            policy=policy,
            edited_set=_encoded(edited_set),
        )
    )


def _encoded(document: bytes | str) -> bytes:
    return document.encode() if isinstance(document, str) else document
