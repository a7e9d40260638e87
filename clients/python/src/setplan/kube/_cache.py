"""A cache of one kind: a list, and then what the watch tells."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from setplan.kube._api import Api, ApiError, Resource, Unavailable
from setplan.rawjson import Raw
from setplan.snapshot import items

_log = logging.getLogger("setplan.kube")
_RETRY = 1.0  # seconds
_GONE = 410

Changed = Callable[[Raw], None]


class Cache:
    """What the API server has of one kind, in one namespace or in all. The list is as new as the API server is."""

    def __init__(self, api: Api, resource: Resource, namespace: str | None, changed: Changed) -> None:
        self.version = ""
        """The newest resource version that was seen."""
        self.filled = asyncio.Event()
        self.resource = resource
        self._objects: dict[str, dict[str, Raw]] = {}
        self._api = api
        self._path = resource.path(namespace)
        self._changed = changed

    def get(self, namespace: str, name: str) -> Raw | None:
        """Return an object."""
        return self._objects.get(namespace, {}).get(name)

    def of(self, namespace: str) -> list[Raw]:
        """List the objects of a namespace."""
        return list(self._objects.get(namespace, {}).values())

    def all(self) -> list[Raw]:
        """List all objects."""
        return [thing for namespace in self._objects.values() for thing in namespace.values()]

    async def run(self) -> None:
        """Keep the cache current until cancelled."""
        while True:
            try:
                await self._list()
                while True:
                    await self._watch()
            except (ApiError, Unavailable) as error:
                if not (isinstance(error, ApiError) and error.status == _GONE):
                    _log.warning("the watch of %s ended: %s", self.resource.plural, error)
                    await asyncio.sleep(_RETRY)

    async def _list(self) -> None:
        listed = Raw(await self._api.get(self._path))
        before, self._objects = self.all(), {}
        for thing in items(listed.text):
            self._put(thing)
        self.version = listed.value["metadata"]["resourceVersion"]
        self.filled.set()
        for thing in [*before, *self.all()]:
            self._changed(thing)

    async def _watch(self) -> None:
        async for event in self._api.watch(self._path, self.version):
            kind, raw = event.value["type"], event.members["object"]
            if kind == "ERROR":
                raise ApiError(raw.value.get("code", 0), bytes(raw))
            thing = Raw(raw.text)  # a text of its own, without the event around it
            metadata = thing.value["metadata"]
            if kind == "DELETED":
                self._objects.get(metadata["namespace"], {}).pop(metadata["name"], None)
            elif kind in {"ADDED", "MODIFIED"}:
                self._put(thing)
            self.version = metadata["resourceVersion"]
            if kind != "BOOKMARK":
                self._changed(thing)

    def _put(self, thing: Raw) -> None:
        metadata: dict[str, Any] = thing.value["metadata"]
        self._objects.setdefault(metadata["namespace"], {})[metadata["name"]] = thing
