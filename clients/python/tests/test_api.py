"""What a client of the API server makes of answers that are none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from apiserver import Request, Server, api_server

from setplan import kube

PODS = kube.PODS.path("default")


@pytest.mark.parametrize(
    "answer", [b"", b"null", b"[]", b'"Bad Gateway"', b"502", b'{"message":{}}', b'{"message":"x","details":"y"}', b"[" * 100_000]
)
def test_what_something_between_answers_is_a_refusal(answer: bytes) -> None:
    error = kube.ApiError(429, answer)
    assert str(error) == "HTTP 429"
    assert (error.reason, error.fields, error.budget, error.many_budgets) == ("", [], "", False)


@pytest.mark.parametrize("error", [httpx.DecodingError("no gzip"), httpx.TooManyRedirects("in a circle")])
def test_an_answer_that_cannot_be_had_is_none(error: Exception) -> None:
    class Client:
        _session = None

        @contextlib.asynccontextmanager
        async def call_api(self, *_arguments: object, **_options: object) -> AsyncIterator[None]:
            raise error
            yield

    with pytest.raises(kube.Unavailable):
        asyncio.run(kube.Api(cast("Any", Client())).get(PODS))


def test_credentials_that_cannot_be_renewed_are_refused(tmp_path: Path) -> None:
    """The connection is lost as well, and that is not the end of a program."""

    async def refuses(request: Request) -> tuple[int, bytes]:
        if request.path.startswith(PODS):
            return 401, b'{"kind":"Status","message":"Unauthorized"}'
        raise ConnectionResetError

    async def test() -> None:
        async with api_server(tmp_path, refuses) as (_server, api):
            for ask in (api.get(PODS), api.send("POST", PODS, b"{}"), _watched(api)):
                with pytest.raises(kube.ApiError, match="Unauthorized"):
                    await ask

    asyncio.run(asyncio.wait_for(test(), 60))


async def _watched(api: kube.Api) -> None:
    async for _ in api.watch(PODS, "1"):
        pass


def test_credentials_are_renewed_once_for_all(tmp_path: Path) -> None:
    """Each renewal ends all connections, and nobody knows what became of the writes on them."""
    expired, came = True, asyncio.Event()

    async def refuses(request: Request) -> tuple[int, bytes]:
        nonlocal expired
        if not request.path.startswith(PODS):  # the renewal
            was, expired = expired, False
            return 401 if was else 200, b'{"message":"Unauthorized"}'
        if not expired:
            return 200, b"{}"
        if len(server[0].begun) == 10:
            came.set()
        await came.wait()
        return 401, b"{}"

    server = list[Server]()

    async def test() -> None:
        async with api_server(tmp_path, refuses) as (one, api):
            server.append(one)
            assert await asyncio.gather(*(api.get(PODS) for _ in range(10))) == [b"{}"] * 10
            assert [request.path for request in one.begun if request.path == "/api/v1"] == ["/api/v1"] * 2

    asyncio.run(asyncio.wait_for(test(), 60))
