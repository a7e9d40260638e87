"""Kubernetes objects, as the API server sent them, turned into the contract's Snapshot.

It decides nothing and asks no API: a snapshot says what the objects say, as snapshot.proto defines it. Objects are `Raw` values:
the JSON text of an answer of the API server, so that templates and the data of revisions are sent as they stand (SPEC.md, A1).

    objects = Objects(
        set=Raw(set_response), pods=items(pods_response), claims=items(claims_response),
        revisions=items(revisions_response), other_sets=items(sets_response))
    request = PlanRequest(snapshot=snapshot.of(objects, Coverage(pods=True, claims=True, revisions=True), observed_at=now))
"""

from setplan.rawjson import Raw
from setplan.snapshot._membership import claim_templates, controls, neighbours, ordinal_of
from setplan.snapshot._objects import Objects, items, of

__all__ = ["Objects", "Raw", "claim_templates", "controls", "items", "neighbours", "of", "ordinal_of"]
