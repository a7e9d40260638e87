"""Leader election: adapters of one cluster take turns, by a Lease as client-go's elector uses it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import time
import uuid
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

from setplan.kube._api import LEASES, MANAGER, Api, ApiError
from setplan.rawjson import Raw

_log = logging.getLogger("setplan.kube")
_NOT_FOUND, _CONFLICT = 404, 409


class LeaseLost(Exception):
    """The lease was not renewed in time: another process may write now."""


class Lease:
    """The right to write. Times are in seconds, on a clock that does not jump.

    A holder stops a tenth before anybody else can have seen the lease expire: its term counts from when the last renewal was sent,
    and the next holder counts from when it saw that renewal. Then the `Api` sends nothing more, whoever asks it to: a process that
    was stopped for a while may be faster than its timers.
    """

    def __init__(self, api: Api, namespace: str, name: str, identity: str, duration: int = 15, retry: float = 2) -> None:
        """Make a lease for a holder that works with `api`. `identity` names this process to people; it gets a unique ending."""
        self._api = api
        self._own = api.for_lease()
        self._namespace = namespace
        self._name = name
        self._identity = f"{identity}_{uuid.uuid4()}"
        self._duration = duration
        self._retry = retry
        self._seen: tuple[str, float] = ("", 0.0)  # the version of somebody else's lease, and since when

    async def hold(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for the lease, and work while it is held. `LeaseLost`: it was lost, and the work was cut off.

        Cancelling it cancels the work. A write that has begun is finished, within the term, before the lease is given back.
        """
        try:
            until = await self._taken()
            while until is None:
                await asyncio.sleep(self._retry)
                until = await self._taken()
        except BaseException:
            work.close()
            raise
        _log.info("this process has the lease %s", self._name)
        task = asyncio.create_task(work)
        try:
            while True:
                self._api.until = until
                await asyncio.wait({task}, timeout=min(self._retry, max(until - time.monotonic(), 0)))
                if task.done():
                    return task.result()
                until = await self._taken(until) or until
                if time.monotonic() >= until:
                    raise LeaseLost(self._name)
        finally:
            until, self._api.until = min(until, self._api.until), -math.inf
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self._api.finish(until)
            await self._own.finish(until)  # a renewal
            if time.monotonic() - self._api.unanswered_at > self._duration:
                await self._release(until)

    async def _taken(self, until: float | None = None) -> float | None:
        """Take or renew the lease, and return when the term ends; None if it was not possible.

        `LeaseLost`: while it was ours, somebody gave it away without asking us.
        """
        sent = time.monotonic()
        left = self._duration if until is None else max(until - sent, 0)
        try:
            async with asyncio.timeout(left):
                return sent + self._duration * 0.9 if await self._write(until is not None) else None
        except LeaseLost:
            raise
        except Exception as error:  # no answer, or one that is no lease
            _log.warning("the lease %s: %r", self._name, error)
            return None

    async def _write(self, renews: bool) -> bool:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        spec: dict[str, Any] = {"holderIdentity": self._identity, "leaseDurationSeconds": self._duration, "renewTime": now}
        path = LEASES.path(self._namespace, self._name)
        try:
            live = Raw(await self._own.get(path)).value
        except ApiError as error:
            if error.status != _NOT_FOUND:
                raise
            body = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": self._name}}
            return await self._sent("POST", LEASES.path(self._namespace), body | {"spec": spec | {"acquireTime": now}})
        version, held = live["metadata"]["resourceVersion"], live.get("spec") or {}
        holder = held.get("holderIdentity") or ""
        if renews and holder != self._identity:
            self._api.until = -math.inf
            raise LeaseLost(f"{self._name} belongs to {holder or 'nobody'}")
        if holder not in {"", self._identity}:
            if self._seen[0] != version:
                self._seen = (version, time.monotonic())
            if time.monotonic() - self._seen[1] < held.get("leaseDurationSeconds", self._duration):
                return False
        if holder != self._identity:
            spec |= {"acquireTime": now, "leaseTransitions": held.get("leaseTransitions", 0) + 1}
        return await self._sent("PATCH", path, {"metadata": {"resourceVersion": version}, "spec": spec})

    async def _release(self, until: float) -> None:
        """Let the next one begin at once; it waits for the end of the lease if this fails."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(max(until - time.monotonic(), 0)):
                path = LEASES.path(self._namespace, self._name)
                live = Raw(await self._own.get(path)).value
                if (live.get("spec") or {}).get("holderIdentity") == self._identity:
                    version = {"resourceVersion": live["metadata"]["resourceVersion"]}
                    await self._sent("PATCH", path, {"metadata": version, "spec": {"holderIdentity": ""}})

    async def _sent(self, method: str, path: str, body: dict[str, Any]) -> bool:
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        try:
            await self._own.send(method, path, json.dumps(body).encode(), kind, fieldManager=MANAGER)
        except ApiError as error:
            if error.status != _CONFLICT:
                raise
            return False
        return True
