"""Events about sets."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from setplan import kube
from setplan.adapter import Key
from setplan.rawjson import Raw

KEY = Key("default", "web")
METADATA = {"namespace": "default", "name": "web", "uid": "u", "resourceVersion": "1"}


class Refuses(kube.Api):
    """Refuses the first event."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def send(self, method: str, path: str, body: bytes, content_type: str = "", **parameters: str) -> Raw:
        del content_type, parameters
        assert (method, path) == ("POST", "/api/v1/namespaces/default/events")
        self.sent.append(json.loads(body))
        if len(self.sent) == 1:
            raise kube.ApiError(403, b"{}")
        return Raw("{}")


def raised(api: Refuses, *messages: str) -> list[str]:
    """Raise events, send them, and return the messages."""

    async def run() -> None:
        source = kube.Source(api, None, lambda *_: None)
        set_ = Raw(json.dumps({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": METADATA}))
        source.caches["StatefulSet"]._objects["default"] = {"web": set_}
        events = kube.Events(api, source, "test")
        for message in messages:
            events.warn(KEY, "Blocked", message)
        task = asyncio.create_task(events.run())
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()

    asyncio.run(run())
    return [event["message"] for event in api.sent]


def test_an_event_that_is_refused_does_not_keep_others() -> None:
    api = Refuses()
    assert raised(api, "refused", "x" * 2000) == ["refused", "x" * 1024]
    assert api.sent[1]["involvedObject"] == {"apiVersion": "apps/v1", "kind": "StatefulSet", **METADATA}


def test_no_more_events_wait_than_memory_has_room_for(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("setplan.kube._events._MOST", 2)
    with caplog.at_level(logging.WARNING, "setplan.kube"):
        assert raised(Refuses(), "1", "2", "3") == ["1", "2"]
    assert "too many wait" in caplog.text
