"""A cache of one kind: a list, and then what the watch tells."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

from setplan.kube._api import Api, ApiError, Resource, Unavailable
from setplan.rawjson import Raw
from setplan.snapshot import items

_log = logging.getLogger("setplan.kube")
_RETRY = 1.0  # seconds
_PAGE = 500  # objects
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
        self._heard = 0  # events

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
        expired = -1  # how much was heard before the last time that a version was too old
        while True:
            try:
                await self._list()
                while True:
                    before = self._heard
                    await self._watch()
                    if self._heard == before:
                        await asyncio.sleep(_RETRY)
            except (ApiError, Unavailable) as error:
                if isinstance(error, ApiError) and error.status == _GONE and self._heard != expired:
                    expired = self._heard
                    continue
                _log.warning("the watch of %s ended: %s", self.resource.plural, error)
                await asyncio.sleep(_RETRY)

    async def _list(self) -> None:
        listed, version, more = dict[str, dict[str, Raw]](), "", "first"
        parameters: dict[str, str | int] = {"limit": _PAGE}
        while more:
            answer = await self._api.get(self._path, **parameters)
            # In a thread: a page may take seconds, and the event loop has other work, first of all the lease.
            version, more = await asyncio.to_thread(_page, answer, listed)
            parameters["continue"] = more
        before, self._objects = self.all(), listed
        self.version = version
        self.filled.set()
        for at, thing in enumerate([*before, *self.all()], 1):
            self._changed(thing)
            if at % _PAGE == 0:
                await asyncio.sleep(0)

    async def _watch(self) -> None:
        async for event in self._api.watch(self._path, self.version):
            with _readable():
                kind, value, raw = event.value["type"], event.value["object"], event.members["object"]
                if kind == "ERROR":
                    raise ApiError(value.get("code", 0), bytes(raw))
                thing = Raw.known(raw.text, value)  # a text of its own, without the event around it
                metadata = value["metadata"]
                if kind == "DELETED":
                    self._objects.get(metadata["namespace"], {}).pop(metadata["name"], None)
                elif kind in {"ADDED", "MODIFIED"}:
                    _put(self._objects, thing)
                self.version = metadata["resourceVersion"]
            self._heard += 1
            if kind != "BOOKMARK":
                self._changed(thing)


def _page(answer: bytes, into: dict[str, dict[str, Raw]]) -> tuple[str, str]:
    """Read a page of a list, and return the list's version and where the next page begins."""
    with _readable():
        raw = Raw(answer)
        for thing in items(raw):
            _put(into, thing)
        metadata = raw.value["metadata"]
        return metadata["resourceVersion"], metadata.get("continue", "")


def _put(objects: dict[str, dict[str, Raw]], thing: Raw) -> None:
    metadata: dict[str, Any] = thing.value["metadata"]
    objects.setdefault(metadata["namespace"], {})[metadata["name"]] = thing


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Take what is no list, event or object for an answer that was lost on the way: all is read again."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unavailable(f"the API server has sent what it should not: {error!r}") from error
