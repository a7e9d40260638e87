"""An API server that does what a test says, on loopback and in the test's event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from setplan import kube


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """With the query."""
    body: bytes


Answer = Callable[[Request], Awaitable[tuple[int, bytes | AsyncIterator[bytes]]]]
"""The status with a body, or with the pieces of a stream."""


@dataclass
class Server:
    answer: Answer
    begun: list[Request] = field(default_factory=list)
    ended: list[Request] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                method, path, _ = head.decode().split(" ", 2)
                lines = head.decode().lower().split("\r\n")
                length = next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), 0)
                await self._one(Request(method, path, await reader.readexactly(length)), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client went away
        finally:
            writer.close()

    async def _one(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path.startswith("/version"):
            status, body = 200, b'{"gitVersion": "v1.34.0"}'
        else:
            self.begun.append(request)
            status, answer = await self.answer(request)
            if not isinstance(answer, bytes):
                return await _stream(answer, writer)
            body = answer
            self.ended.append(request)
        writer.write(f"HTTP/1.1 {status} -\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return await writer.drain()


async def _stream(pieces: AsyncIterator[bytes], writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 -\r\nTransfer-Encoding: chunked\r\n\r\n")
    async for piece in pieces:
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


@asynccontextmanager
async def api_server(folder: Path, answer: Answer) -> AsyncIterator[tuple[Server, kube.Api]]:
    """Serve, and connect."""
    one = Server(answer)
    listener = await asyncio.start_server(one.serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    kubeconfig = folder / "kubeconfig"
    kubeconfig.write_text(
        json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
                "users": [{"name": "u", "user": {"token": "t"}}],
                "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
                "current-context": "x",
            }
        )
    )
    try:
        async with await kube.connect(kubeconfig) as api:
            yield one, api
    finally:
        listener.close()
