"""Who may write, and until when."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from apiserver import Request, Server, api_server

from setplan import kube

PODS = kube.PODS.path("default")


class Leases:
    """Stores one lease; what else is sent waits for `go`."""

    def __init__(self) -> None:
        self.lease: dict[str, Any] | None = None
        self.holders: list[str] = []
        self.go = asyncio.Event()
        self.nonsense = list[bytes]()

    async def __call__(self, request: Request) -> tuple[int, bytes]:
        if "broken" in request.path:
            raise ConnectionResetError
        if "/leases" not in request.path:
            await self.go.wait()
            return 201, b"{}"
        if request.method == "GET" and self.nonsense:
            return 200, self.nonsense.pop()
        if request.method == "GET":
            return (200, json.dumps(self.lease).encode()) if self.lease else (404, b"{}")
        sent = json.loads(request.body)
        if request.method == "POST" and self.lease:
            return 409, b"{}"
        before: dict[str, Any] = self.lease or {"metadata": {"resourceVersion": "0"}, "spec": {}}
        version = before["metadata"]["resourceVersion"]
        if request.method == "PATCH" and sent["metadata"]["resourceVersion"] != version:
            return 409, b"{}"
        self.lease = {"metadata": {"resourceVersion": str(int(version) + 1)}, "spec": before["spec"] | sent["spec"]}
        self.holders.append(self.lease["spec"]["holderIdentity"])
        return 200, json.dumps(self.lease).encode()


def lease(api: kube.Api, duration: int = 15, retry: float = 0.01) -> kube.Lease:
    return kube.Lease(api, "kube-system", "setplan-adapter", "node-7_1", duration, retry)


def run(folder: Path, test: Callable[[Leases, Server, kube.Api], Awaitable[None]]) -> None:
    async def served() -> None:
        leases = Leases()
        async with api_server(folder, leases) as (server, api):
            await test(leases, server, api)

    asyncio.run(asyncio.wait_for(served(), 60))


async def until(done: Callable[[], bool]) -> None:
    """Wait for what ends what hangs, and measures nothing."""
    while not done():  # noqa: ASYNC110 - the server knows nothing of who waits
        await asyncio.sleep(0.005)


def sent(server: Server) -> list[str]:
    return [request.path for request in server.begun if "/leases" not in request.path]


def test_two_of_one_name_take_turns(tmp_path: Path) -> None:
    """Two pods on the network of one node have the same name and process number."""

    async def test(_leases: Leases, _server: Server, api: kube.Api) -> None:
        acting = list[str]()

        async def work(name: str) -> None:
            acting.append(name)
            await asyncio.sleep(0.1 if name == "first" else 0)
            acting.append(name)

        await asyncio.gather(*(lease(api).hold(work(name)) for name in ("first", "second")))
        assert acting in (["first", "first", "second", "second"], ["second", "second", "first", "first"])

    run(tmp_path, test)


@pytest.mark.parametrize("tls_server_name", [None, "kubernetes"])
def test_nothing_is_sent_after_the_term(tmp_path: Path, tls_server_name: str | None) -> None:
    """A process that was stopped for a while sends nothing, although its timers have not run yet."""

    async def test(_leases: Leases, server: Server, api: kube.Api) -> None:
        api._client.auth.tls_server_name = tls_server_name

        async def work() -> None:
            time.sleep(1)  # noqa: ASYNC251 - stopped
            with pytest.raises(kube.TermEnded):
                await api.send("POST", PODS, b"{}")
            with pytest.raises(kube.TermEnded):
                await api.get(PODS)
            await asyncio.Event().wait()

        with pytest.raises(kube.LeaseLost):
            await lease(api, duration=1).hold(work())
        assert sent(server) == []

    run(tmp_path, test)


def test_the_clock_is_read_when_there_is_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(_leases: Leases, server: Server, api: kube.Api) -> None:
        ticks = iter([1.0, 3.0])
        monkeypatch.setattr("setplan.kube._api.time", SimpleNamespace(monotonic=lambda: next(ticks)))
        api.until = 2
        with pytest.raises(kube.TermEnded):
            await api.get(PODS)
        monkeypatch.undo()
        assert sent(server) == []

    run(tmp_path, test)


def test_a_write_is_finished_before_the_lease_is_given_back(tmp_path: Path) -> None:
    """At a signal nothing new is begun."""

    async def test(leases: Leases, server: Server, api: kube.Api) -> None:
        async def work() -> None:
            await api.send("POST", PODS, b"{}")
            await api.send("POST", PODS, b"{}")

        holding = asyncio.create_task(lease(api).hold(work()))
        await until(lambda: len(sent(server)) == 1)
        holding.cancel()
        await asyncio.sleep(0.05)
        assert not holding.done()
        assert leases.holders[-1] != ""
        leases.go.set()
        with pytest.raises(asyncio.CancelledError):
            await holding
        assert sent(server) == [f"{PODS}"]
        assert [request.path for request in server.ended if request.method == "POST"][-1] == PODS
        assert leases.holders[-1] == ""

    run(tmp_path, test)


def test_closing_finishes_writes(tmp_path: Path) -> None:
    """A program without a lease ends like one that has it."""

    async def test(leases: Leases, server: Server, api: kube.Api) -> None:
        write = asyncio.create_task(api.send("POST", PODS, b"{}"))
        await until(lambda: len(sent(server)) == 1)
        write.cancel()
        closing = asyncio.create_task(api.close())
        await asyncio.sleep(0.05)
        assert not closing.done()
        leases.go.set()
        await closing
        assert [request.path for request in server.ended] == [PODS]

    run(tmp_path, test)


def test_a_write_that_is_cut_off_keeps_the_lease(tmp_path: Path) -> None:
    """It may be carried out yet, so the next one begins when the lease expires."""

    async def test(leases: Leases, server: Server, api: kube.Api) -> None:
        async def work() -> None:
            await api.send("POST", PODS, b"{}")

        holding = asyncio.create_task(lease(api, duration=1).hold(work()))
        await until(lambda: len(sent(server)) == 1)
        holding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await holding
        assert leases.holders[-1].startswith("node-7_1_")
        leases.go.set()

    run(tmp_path, test)


def test_a_write_without_an_answer_keeps_the_lease(tmp_path: Path) -> None:
    async def test(leases: Leases, _server: Server, api: kube.Api) -> None:
        async def work() -> None:
            with pytest.raises(kube.Unavailable):
                await api.send("POST", f"{PODS}/broken", b"{}")

        await lease(api).hold(work())
        assert leases.holders[-1].startswith("node-7_1_")

    run(tmp_path, test)


def test_a_lease_that_was_given_away_is_lost_at_once(tmp_path: Path) -> None:
    async def test(leases: Leases, server: Server, api: kube.Api) -> None:
        async def work() -> None:
            await api.send("POST", PODS, b"{}")

        holding = asyncio.create_task(lease(api, duration=3600).hold(work()))
        await until(lambda: len(sent(server)) == 1)
        assert leases.lease
        leases.lease = {"metadata": {"resourceVersion": "99"}, "spec": {"holderIdentity": "other"}}
        with pytest.raises(kube.LeaseLost, match="other"):
            await holding
        leases.go.set()

    run(tmp_path, test)


def test_writes_do_not_delay_the_lease(tmp_path: Path) -> None:
    """Hundreds of slow writes wait for each other, and the lease is renewed all the same."""

    async def test(leases: Leases, server: Server, api: kube.Api) -> None:
        async def work() -> None:
            writes = [asyncio.create_task(api.send("POST", PODS, b"{}")) for _ in range(200)]
            await until(lambda: len(sent(server)) >= 80)
            renewed = len(leases.holders)
            await until(lambda: len(leases.holders) > renewed + 2)
            leases.go.set()
            await asyncio.gather(*writes)

        await lease(api, duration=5).hold(work())
        assert len(sent(server)) == 200

    run(tmp_path, test)


def test_what_is_no_lease_is_no_answer(tmp_path: Path) -> None:
    """It ends neither who waits nor who holds the lease."""
    nonsense = [b"<html>", b"[]", b"{}", b'{"metadata":{"resourceVersion":"1"},"spec":7}']

    async def test(leases: Leases, _server: Server, api: kube.Api) -> None:
        async def work() -> None:
            assert not leases.nonsense
            leases.nonsense = list(nonsense)
            renewed = len(leases.holders)
            await until(lambda: len(leases.holders) > renewed + 1)

        leases.nonsense = list(nonsense)
        await lease(api).hold(work())
        assert leases.holders[-1] == ""

    run(tmp_path, test)
