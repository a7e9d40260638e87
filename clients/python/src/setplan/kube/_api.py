"""The API server through kr8s, with bytes in both directions: nothing is parsed on the way to a snapshot or from a manifest."""

from __future__ import annotations

import asyncio
import logging
import math
import time
import warnings
from collections.abc import AsyncIterator
from dataclasses import dataclass
from os import PathLike
from types import TracebackType
from typing import Any, Self

import httpx
import kr8s
import kr8s.asyncio

from setplan.rawjson import Raw

MANAGER = "setplan-adapter"
"""The field manager of all writes."""

_TIMEOUT = 30.0  # seconds
_AT_ONCE = 80  # requests; of the 100 connections of a client of httpx, the others are for watches and the lease
_WATCH_SECONDS = 240  # then the API server ends a watch, and the next begins where it ended
_UNAUTHORIZED = 401
_ERRORS = 400


class Unavailable(ConnectionError):
    """The API server gave no answer. Whether it has carried out a write is not known."""


class TermEnded(Unavailable):
    """Another process may write now, so nothing was sent."""


_log = logging.getLogger("setplan.kube")
_TOO_MANY, _INTERNAL = 429, 500


class ApiError(Exception):
    """The API server refused."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self.body = _status(body)
        super().__init__(" ".join(filter(None, (self.body.get("message") or f"HTTP {status}", self.budget))))

    @property
    def reason(self) -> str:
        """The API server's word for it, such as `AlreadyExists`."""
        return str(self.body.get("reason", ""))

    @property
    def fields(self) -> list[str]:
        """The fields that it is about."""
        return [str(cause.get("field")) for cause in self._causes]

    @property
    def budget(self) -> str:
        """What a disruption budget says that does not allow an eviction; empty if it is not that.

        An API server that has too much to do answers with the same status.
        """
        said = (str(cause.get("message") or "?") for cause in self._causes if cause.get("reason") == "DisruptionBudget")
        return next(said, "") if self.status == _TOO_MANY else ""

    @property
    def many_budgets(self) -> bool:
        """Whether several disruption budgets select a pod that was to be evicted. Only the text says so."""
        return self.status == _INTERNAL and "more than one PodDisruptionBudget" in str(self)

    @property
    def _causes(self) -> list[dict[str, Any]]:
        return (self.body.get("details") or {}).get("causes") or []


def _status(answer: bytes) -> dict[str, Any]:
    """Read the API server's Status; empty for what something between has answered."""
    try:
        value = Raw(answer).value
    except ValueError:
        return {}
    return value if isinstance(value, dict) and value.get("kind") == "Status" else {}


@dataclass(frozen=True)
class Resource:
    """A collection of one kind in one namespace, or in all."""

    kind: str
    base: str
    plural: str

    def path(self, namespace: str | None, name: str = "", subresource: str = "") -> str:
        """Return the path of the collection, or of an object. ValueError: a name is not a single segment."""
        segments = [*(("namespaces", namespace) if namespace else ()), self.plural, *filter(None, (name, subresource))]
        for segment in segments:
            if segment in {"", ".", ".."} or "/" in segment or "%" in segment:
                raise ValueError(f"the name {segment[:80]!r} is not a path segment")
        return "/".join([self.base, *segments])


SETS = Resource("StatefulSet", "/apis/apps/v1", "statefulsets")
PODS = Resource("Pod", "/api/v1", "pods")
CLAIMS = Resource("PersistentVolumeClaim", "/api/v1", "persistentvolumeclaims")
REVISIONS = Resource("ControllerRevision", "/apis/apps/v1", "controllerrevisions")
LEASES = Resource("Lease", "/apis/coordination.k8s.io/v1", "leases")
EVENTS = Resource("Event", "/api/v1", "events")


class Api:
    """One cluster. `connect` makes one."""

    def __init__(self, client: kr8s.asyncio.Api, renewing: asyncio.Lock | None = None) -> None:
        self.until = math.inf
        """On the clock of `time.monotonic`: after that nothing is sent. A `Lease` sets it."""
        self.unanswered_at = -math.inf
        """When a write last ended without an answer: it may be carried out yet."""
        self._client = client
        self._renewing = renewing or asyncio.Lock()
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._writes: set[asyncio.Task[tuple[int, bytes]]] = set()

    def for_lease(self) -> Api:
        """Return the same cluster without a term: what is sent there waits for no turn."""
        return Api(self._client, self._renewing)

    async def finish(self, until: float) -> None:
        """Let the writes end that are under way, and cut off those that have not ended at a moment of `time.monotonic`."""
        if self._writes:
            await asyncio.wait(self._writes, timeout=max(until - time.monotonic(), 0))
        writes = list(self._writes)
        for write in writes:
            write.cancel()
        await asyncio.gather(*writes, return_exceptions=True)

    async def close(self) -> None:
        """Finish what is under way, within the term, and end all connections."""
        await self.finish(min(time.monotonic() + _TIMEOUT, self.until))
        if self._session is not None:
            await self._session.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def get(self, path: str, **parameters: str | int) -> bytes:
        """Read. `ApiError`: refused; `Unavailable`: no answer. Credentials that have expired are renewed."""
        used = self._session
        status, answer = await self._once("GET", path, params=parameters)
        if status == _UNAUTHORIZED:
            await self._renew(used)
            status, answer = await self._once("GET", path, params=parameters)
        if status >= _ERRORS:
            raise ApiError(status, answer)
        return answer

    async def send(self, method: str, path: str, body: bytes, content_type: str = "application/json", **parameters: str) -> Raw:
        """Write once: the bytes are sent as they are, and nothing is sent again (A9, A12). Errors as of `get`.

        Cancelling the call does not cut off a write that has begun; `finish` does.
        """
        headers = {"Content-Type": content_type}
        await self._turns.acquire()
        used = self._session
        write = asyncio.create_task(self._write(method, path, params=parameters, content=body, headers=headers))
        self._writes.add(write)
        write.add_done_callback(self._written)
        status, answer = await asyncio.shield(write)
        if status == _UNAUTHORIZED:
            await self._renew(used)  # for the next write
        if status >= _ERRORS:
            raise ApiError(status, answer)
        return Raw(answer)

    async def watch(self, path: str, version: str) -> AsyncIterator[Raw]:
        """Stream events from a resource version on, until the API server ends that.

        Errors as of `get`; `Unavailable` is also for what is no event.
        """
        parameters = {"watch": 1, "resourceVersion": version, "allowWatchBookmarks": "true", "timeoutSeconds": _WATCH_SECONDS}
        timeout = httpx.Timeout(_TIMEOUT, read=_WATCH_SECONDS + _TIMEOUT)
        used = self._session
        async with self._call("GET", path, params=parameters, stream=True, timeout=timeout) as response:
            status = response.status_code
            if status < _ERRORS:
                async for line in _lines(response.aiter_bytes()):
                    yield _event(line)
                return
            answer = await response.aread()
        if status == _UNAUTHORIZED:
            await self._renew(used)
        raise ApiError(status, answer)

    async def _once(self, method: str, path: str, **options: Any) -> tuple[int, bytes]:
        async with self._turns, self._call(method, path, **options) as response:
            return response.status_code, response.content

    async def _write(self, method: str, path: str, **options: Any) -> tuple[int, bytes]:
        try:
            async with asyncio.timeout(_TIMEOUT), self._call(method, path, **options) as response:
                return response.status_code, response.content
        except TimeoutError as error:
            raise Unavailable(f"no answer from the API server in {_TIMEOUT} s") from error

    def _written(self, write: asyncio.Task[tuple[int, bytes]]) -> None:
        self._turns.release()
        self._writes.discard(write)
        if write.cancelled() or not isinstance(write.exception(), TermEnded | None):
            self.unanswered_at = time.monotonic()

    @property
    def _session(self) -> httpx.AsyncClient | None:
        """The connections, with the credentials that were read last. kr8s has no call for it."""
        session: httpx.AsyncClient | None = self._client._session  # noqa: SLF001
        return session

    async def _renew(self, used: httpx.AsyncClient | None) -> None:
        """Let kr8s read the credentials again, which it does where it raises errors. Who was refused is told so if that fails.

        It ends all connections, with the writes on them, so one call does it for all that were refused.
        """
        async with self._renewing:
            if self._session is not used:
                return
            try:
                async with self._client.call_api("GET", base="/api", version="", url="v1", timeout=_TIMEOUT):
                    pass
            except Exception as error:
                # Files, a program that makes tokens, or the API server; each has errors of its own.
                _log.warning("the credentials were not renewed: %r", error)

    def _call(self, method: str, path: str, **options: Any) -> _Call:
        base, _, last = path.rpartition("/")
        self._check_term()
        options = dict[str, Any](timeout=_TIMEOUT, raise_for_status=False, extensions={"trace": self._trace}) | options
        return _Call(self._client.call_api(method, base=base, version="", url=last, **options))

    async def _trace(self, event: str, _details: object) -> None:
        """Look at the clock again when there is a connection: the process may have been stopped meanwhile.

        kr8s drops this with a kubeconfig that has `tls-server-name`.
        """
        if event == "http11.send_request_headers.started":
            self._check_term()

    def _check_term(self) -> None:
        if time.monotonic() >= self.until:
            raise TermEnded("this process does not hold the lease any more: nothing was sent")


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Split at line feeds only: a text of an object may have the other characters that Python takes for the end of a line."""
    begun = b""
    async for piece in pieces:
        first, *more = piece.split(b"\n")
        begun += first
        for line in more:
            yield begun
            begun = line
    if begun:
        yield begun


def _event(line: bytes) -> Raw:
    try:
        return Raw(line)
    except ValueError as error:
        raise Unavailable(f"the watch has sent what is no event: {error}") from error


class _Call:
    """A call whose connection errors are `Unavailable`."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def __aenter__(self) -> httpx.Response:
        try:
            response: httpx.Response = await self._call.__aenter__()
        except (httpx.RequestError, kr8s.APITimeoutError) as error:
            raise Unavailable(f"no answer from the API server: {error!r}") from error
        return response

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            handled: bool | None = await self._call.__aexit__(kind, error, trace)
        except (httpx.RequestError, kr8s.APITimeoutError) as failed:
            raise Unavailable(f"no answer from the API server: {failed!r}") from failed
        if isinstance(error, httpx.RequestError):  # in the middle of a watch
            raise Unavailable(f"the API server went away: {error!r}") from error
        return handled


async def connect(kubeconfig: str | PathLike[str] | None = None, context: str | None = None) -> Api:
    """Connect by a kubeconfig (`$KUBECONFIG` or `~/.kube/config` if None), or as a pod by its service account."""
    with warnings.catch_warnings():
        # kr8s names the versions whose objects it knows; bytes have none.
        warnings.filterwarnings("ignore", "Kubernetes version", UserWarning)
        return Api(await kr8s.asyncio.api(kubeconfig=str(kubeconfig) if kubeconfig else None, context=context))
