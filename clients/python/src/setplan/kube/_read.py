"""One set with everything of it, read once."""

from __future__ import annotations

import asyncio

from setplan.kube._api import CLAIMS, PODS, REVISIONS, SETS, Api
from setplan.rawjson import Raw
from setplan.snapshot import Objects, items


async def read(api: Api, namespace: str, name: str) -> Objects:
    """Read a set and what a snapshot of it needs; all kinds are complete. `ApiError`: there is no such set, among others."""
    set_, pods, claims, revisions, sets = await asyncio.gather(
        api.get(SETS.path(namespace, name)), *(api.get(kind.path(namespace)) for kind in (PODS, CLAIMS, REVISIONS, SETS))
    )
    return Objects(set=Raw(set_), pods=items(pods), claims=items(claims), revisions=items(revisions), other_sets=items(sets))
