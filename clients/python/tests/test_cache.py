"""What a cache makes of lists and watches, and how often it asks."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from apiserver import Request, api_server

from setplan import kube
from setplan.rawjson import Raw
from setplan.snapshot import items

GONE = b'{"type":"ERROR","object":{"kind":"Status","code":410}}\n'


def pod(name: str, version: int, **annotations: str) -> dict[str, object]:
    return {"metadata": {"namespace": "default", "name": name, "resourceVersion": str(version), "annotations": annotations}}


def event(name: str, version: int, **annotations: str) -> bytes:
    told = {"type": "MODIFIED", "object": pod(name, version, **annotations)}
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def page(*pods: dict[str, object], more: str = "") -> bytes:
    return json.dumps(
        {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "5", "continue": more}, "items": pods}
    ).encode()


class Pods:
    """Answers lists with `pages` and watches with `pieces`; then watches tell nothing."""

    def __init__(self) -> None:
        self.pages = {"": (200, page(pod("web-0", 1)))}
        self.pieces: list[list[bytes]] = []
        self.always: list[bytes] | None = None
        self.lists: list[dict[str, list[str]]] = []
        self.watches = 0

    async def __call__(self, request: Request) -> tuple[int, bytes | AsyncIterator[bytes]]:
        query = parse_qs(urlsplit(request.path).query)
        if "watch" in query:
            self.watches += 1
            return 200, self._told()
        self.lists.append(query)
        return self.pages[query.get("continue", [""])[0]]

    async def _told(self) -> AsyncIterator[bytes]:
        if self.always is None and not self.pieces:
            await asyncio.Event().wait()
        for piece in self.pieces.pop(0) if self.pieces else self.always or []:
            yield piece


def run(
    folder: Path,
    pods: Pods,
    test: Callable[[kube.Cache], Awaitable[None]],
    changed: Callable[[Raw], None] = lambda _thing: None,
) -> None:
    async def served() -> None:
        async with api_server(folder, pods) as (_server, api):
            cache = kube.Cache(api, kube.PODS, None, changed)
            task = asyncio.create_task(cache.run())
            await test(cache)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(served(), 60))


async def until(done: Callable[[], bool]) -> None:
    """Wait for what ends what hangs, and measures nothing."""
    while not done():  # noqa: ASYNC110 - the cache tells nobody
        await asyncio.sleep(0.005)


def note(cache: kube.Cache, name: str = "web-0") -> str | None:
    found = cache.get("default", name)
    return found.value["metadata"]["annotations"].get("a") if found else None


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_an_event_is_a_line(tmp_path: Path, size: int) -> None:
    """Python takes other characters for the end of a line, too, and who may annotate a pod may write them."""
    pods, text = Pods(), "a\x85b\u2028c\u2029d\x1e\x0b"
    told = event("web-0", 6, a=text) + event("web-1", 7, a="next")
    pods.pieces = [[told[at : at + size] for at in range(0, len(told), size)]]

    async def test(cache: kube.Cache) -> None:
        await until(lambda: note(cache, "web-1") == "next")
        assert note(cache) == text
        assert len(pods.lists) == 1

    run(tmp_path, pods, test)


@pytest.mark.parametrize(
    "line", [b"no JSON\n", b"{}\n", b"[]\n", b'{"type":"ADDED","object":{}}\n', b'{"type":"ADDED","object":7}\n']
)
def test_what_is_no_event_begins_the_watch_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes) -> None:
    monkeypatch.setattr("setplan.kube._cache._RETRY", 0)
    pods = Pods()
    pods.pieces = [[line], [event("web-0", 6, a="seen")]]

    async def test(cache: kube.Cache) -> None:
        await until(lambda: note(cache) == "seen")
        assert len(pods.lists) == 2

    run(tmp_path, pods, test)


def test_a_list_has_pages(tmp_path: Path) -> None:
    """It is shown when it is complete."""
    pods = Pods()
    pods.pages = {"": (200, page(pod("web-0", 1), more="x")), "x": (410, b"{}")}

    async def test(cache: kube.Cache) -> None:
        await until(lambda: len(pods.lists) >= 4)  # anew at once, and then after a wait
        assert not cache.filled.is_set()
        assert cache.all() == []
        pods.pages["x"] = 200, page(pod("web-1", 2))
        await cache.filled.wait()
        assert [thing.value["metadata"]["name"] for thing in cache.all()] == ["web-0", "web-1"]
        assert pods.lists[-2:] == [{"limit": ["500"]}, {"limit": ["500"], "continue": ["x"]}]
        assert cache.all()[1].text.startswith('{"apiVersion":"v1","kind":"Pod","metadata":')

    run(tmp_path, pods, test)


def test_a_list_is_told_in_pieces(tmp_path: Path) -> None:
    """The event loop has other work meanwhile."""
    told, pieces = 0, list[int]()

    def changed(_thing: Raw) -> None:
        nonlocal told
        told += 1
        if told == 1:
            asyncio.get_running_loop().call_soon(lambda: pieces.append(told))

    pods = Pods()
    pods.pages = {"": (200, page(*(pod(f"web-{i}", 1) for i in range(2000))))}

    async def test(_cache: kube.Cache) -> None:
        await until(lambda: told == 2000)
        assert pieces == [500]

    run(tmp_path, pods, test, changed)


@pytest.mark.parametrize(("pieces", "watches"), [([], 1), ([GONE], 2)], ids=["ended", "too old"])
def test_a_watch_that_tells_nothing_is_not_asked_for_at_once(tmp_path: Path, pieces: list[bytes], watches: int) -> None:
    """A version that is too old is one more list at once, and no more than that."""
    pods = Pods()
    pods.always = pieces

    async def test(_cache: kube.Cache) -> None:
        await until(lambda: pods.watches == watches)
        await asyncio.sleep(0.2)
        assert pods.watches == watches

    run(tmp_path, pods, test)


def test_a_watch_goes_on_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("setplan.kube._cache._RETRY", 3600)
    pods = Pods()
    pods.pieces = [[event("web-0", 6)], [event("web-0", 7), GONE], [event("web-0", 8), GONE], [event("web-0", 9, a="last")]]

    async def test(cache: kube.Cache) -> None:
        await until(lambda: note(cache) == "last")
        assert len(pods.lists) == 3

    run(tmp_path, pods, test)


def test_a_deep_object_hides_no_other(tmp_path: Path) -> None:
    """Whoever may write objects may nest them deeper than the reader of `json` goes."""
    pods = Pods()
    deep = json.dumps(pod("web-1", 2, a="DEEP")).replace('"DEEP"', "[" * 5000 + "]" * 5000).encode()
    pods.pages = {"": (200, page(pod("web-0", 1)).replace(b"}]}", b"}," + deep + b"]}"))}
    pods.pieces = [[b'{"type":"MODIFIED","object":' + deep.replace(b'"2"', b'"6"') + b"}\n", event("web-0", 7, a="seen")]]

    async def test(cache: kube.Cache) -> None:
        await until(lambda: note(cache) == "seen")
        assert cache.get("default", "web-1") is not None
        assert len(pods.lists) == 1

    run(tmp_path, pods, test)


def test_the_event_loop_goes_on_while_a_page_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loops, gone_on = list[asyncio.AbstractEventLoop](), threading.Event()

    def slow(listed: Raw) -> list[Raw]:
        loops[0].call_soon_threadsafe(gone_on.set)
        assert gone_on.wait(5)
        return items(listed)

    async def test(cache: kube.Cache) -> None:
        loops.append(asyncio.get_running_loop())
        await cache.filled.wait()

    monkeypatch.setattr("setplan.kube._cache.items", slow)
    run(tmp_path, Pods(), test)
