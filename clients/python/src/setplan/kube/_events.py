"""Events about sets, for people (SPEC.md, A17)."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime

from setplan.adapter import Key
from setplan.kube._api import EVENTS, Api
from setplan.kube._source import Source

_log = logging.getLogger("setplan.kube")
_MOST = 10_000  # events that wait: whoever makes more of them than the API server takes does not fill the memory


class Events:
    """Raises events one after another: they keep no write waiting, and nobody who raises one."""

    def __init__(self, api: Api, source: Source, component: str) -> None:
        """Raise events about the sets of a source. `component` names the program."""
        self._api = api
        self._source = source
        self._component = component
        self._waiting = asyncio.Queue[tuple[Key, str, str]](_MOST)

    def warn(self, key: Key, reason: str, message: str) -> None:
        """Raise a warning. `reason` is one word; 1,024 characters of the message count."""
        try:
            self._waiting.put_nowait((key, reason, message))
        except asyncio.QueueFull:
            _log.warning("no event about %s: too many wait", key)

    async def run(self) -> None:
        """Send what is raised until cancelled."""
        while True:
            key, reason, message = await self._waiting.get()
            try:
                await self._send(key, reason, message)
            except Exception as error:
                _log.warning("no event about %s: %s", key, error)

    async def _send(self, key: Key, reason: str, message: str) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        set_ = self._source.cached(key).value
        meta = {field: set_["metadata"][field] for field in ("namespace", "name", "uid", "resourceVersion")}
        event = {
            "metadata": {"generateName": f"{key.name}.", "namespace": key.namespace},
            "involvedObject": {"apiVersion": set_["apiVersion"], "kind": set_["kind"], **meta},
            "reason": reason,
            "message": message[:1024],
            "type": "Warning",
            "source": {"component": self._component},
            "firstTimestamp": now,
            "lastTimestamp": now,
            "count": 1,
        }
        await self._api.send("POST", EVENTS.path(key.namespace), json.dumps(event).encode())
