"""Reads sets from the caches, or from the API server if required."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from setplan import snapshot
from setplan.adapter import Gone, Key, SetIdentity, Write, neighbours_of, policy_of
from setplan.kube._api import CLAIMS, PODS, REVISIONS, SETS, Api, ApiError
from setplan.kube._cache import Cache, Changed
from setplan.kube._guard import Guard
from setplan.rawjson import Raw
from setplan.v1.snapshot_pb2 import Coverage, Snapshot

_NOT_FOUND = 404


class Source:
    """The caches of sets, pods, claims and revisions, in one namespace or in all. It implements `setplan.adapter.Source`."""

    def __init__(self, api: Api, namespace: str | None, changed: Callable[[str, Raw], None]) -> None:
        """Make the caches; run them to fill them. `changed` is told the kind of each object that changed, and the object."""
        self._api = api
        self._guard = Guard()

        def of(kind: str) -> Changed:
            return lambda thing: changed(kind, thing)

        self.caches = {r.kind: Cache(api, r, namespace, of(r.kind)) for r in (SETS, PODS, CLAIMS, REVISIONS)}

    def snapshot(self, key: Key) -> Snapshot:
        """Implement `setplan.adapter.Source`."""
        pods, claims, revisions = (self.caches[r.kind] for r in (PODS, CLAIMS, REVISIONS))
        coverage = Coverage(
            pods=pods.filled.is_set(),
            claims=claims.filled.is_set(),
            revisions=revisions.filled.is_set(),
            pods_version=pods.version,
            claims_version=claims.version,
            revisions_version=revisions.version,
        )
        try:
            set_ = self.cached(key)
        except Gone:
            self._guard.forget(key)
            raise
        self._guard.check(key, set_)
        objects = snapshot.Objects(
            set=set_,
            pods=pods.of(key.namespace),
            claims=claims.of(key.namespace),
            revisions=revisions.of(key.namespace),
            other_sets=self.caches[SETS.kind].of(key.namespace),
        )
        return snapshot.of(objects, coverage, datetime.now(UTC))

    def set(self, key: Key) -> SetIdentity:
        """Implement `setplan.adapter.Source`."""
        set_ = self.cached(key)
        self._guard.check(key, set_)
        sets, revisions = (self.caches[r.kind].of(key.namespace) for r in (SETS, REVISIONS))
        others = snapshot.neighbours(set_, sets, revisions)
        return _identity(set_, neighbours_of(others))

    async def live_set(self, key: Key) -> SetIdentity:
        """Implement `setplan.adapter.Source`."""
        try:
            return _identity(Raw(await self._api.get(SETS.path(key.namespace, key.name))))
        except ApiError as error:
            if error.status == _NOT_FOUND:
                raise Gone(str(key)) from None
            raise

    def observed(self, key: Key, write: Write) -> bool:
        """Implement `setplan.adapter.Source`.

        A write is shown when the cache has read its kind up to it, whatever became of the object since: one that was deleted right
        after we created it may never show.
        """
        cache = self.caches[write.kind]
        found = cache.get(key.namespace, write.name)
        metadata = found.value["metadata"] if found is not None else {}
        if write.deleted:
            return found is None or "deletionTimestamp" in metadata or metadata["uid"] != write.uid
        return _at_least(cache.version, write.resource_version) or _at_least(
            metadata.get("resourceVersion", ""), write.resource_version
        )

    async def current(self, key: Key, write: Write) -> bool:
        """Implement `setplan.adapter.Source`. The cache is read second, so that what it has shown meanwhile counts."""
        cache = self.caches[write.kind]
        live = None
        try:
            live = Raw(await self._api.get(cache.resource.path(key.namespace, write.name)))
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise ConnectionError(str(error)) from error
        return _version(live) == _version(cache.get(key.namespace, write.name))

    def conditions(self, key: Key, version: str) -> list[dict[str, Any]] | None:
        """Return the conditions of a set as stored at a resource version; None if the cache has another one."""
        set_ = self.cached(key).value
        if set_["metadata"]["resourceVersion"] != version:
            return None
        return (set_.get("status") or {}).get("conditions") or []

    async def run(self) -> None:
        """Keep the caches current until cancelled."""
        async with asyncio.TaskGroup() as group:
            for cache in self.caches.values():
                group.create_task(cache.run())

    async def filled(self) -> None:
        """Wait until all caches have their lists.

        These are as new as the call of `run`: what an earlier process wrote is in them.
        """
        for cache in self.caches.values():
            await cache.filled.wait()

    def cached(self, key: Key) -> Raw:
        """Return a set as the API server sent it. `Gone`: there is no such set."""
        found = self.caches[SETS.kind].get(key.namespace, key.name)
        if found is None:
            raise Gone(str(key))
        return found


def _identity(set_: Raw, neighbours: str = "") -> SetIdentity:
    metadata = set_.value["metadata"]
    return SetIdentity(
        uid=metadata["uid"],
        generation=metadata["generation"],
        policy=policy_of(metadata.get("annotations") or {}),
        deleting="deletionTimestamp" in metadata,
        neighbours=neighbours,
    )


def _version(thing: Raw | None) -> tuple[str, str] | None:
    return (thing.value["metadata"]["uid"], thing.value["metadata"]["resourceVersion"]) if thing is not None else None


def _at_least(seen: str, wanted: str) -> bool:
    """Compare versions of one kind. Versions that are no numbers can only be equal."""
    if seen.isdecimal() and wanted.isdecimal():
        return int(seen) >= int(wanted)
    return seen == wanted
