"""The door of the server: heads of requests that are too long or never end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from trpg_site import door


async def answer(scope: dict[str, Any], receive: Callable[[], Any], send: Callable[[Any], Awaitable[None]]) -> None:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(b"ok"))]})
    await send({"type": "http.response.body", "body": b"ok"})


def talk(conversation: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> None:
    """Run one client against a bare server with our protocol."""

    async def run() -> None:
        config = uvicorn.Config(answer, http=door.GuardedProtocol, lifespan="off", log_config=None, port=0)
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.wait_for(conversation(reader, writer), 10)
            writer.close()
        finally:
            await server.shutdown()

    asyncio.run(run())


def test_a_head_that_never_ends():
    async def conversation(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        for n in range(200):
            writer.write(b"X-%d: " % n + b"y" * 1000 + b"\r\n")
        assert b" 431 " in await reader.readline()

    talk(conversation)


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_client_that_says_nothing_more(monkeypatch, beginning):
    monkeypatch.setattr(door, "HEAD_SECONDS", 0.2)

    async def conversation(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(beginning)
        assert await reader.read() == b""

    talk(conversation)


def test_a_second_request_that_does_not_end(monkeypatch):
    monkeypatch.setattr(door, "HEAD_SECONDS", 0.2)

    async def conversation(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b" 200 " in await reader.readline()
        await reader.readuntil(b"ok")
        writer.write(b"GET / HTTP/1.1\r\n")
        assert await reader.read() == b""

    talk(conversation)


def test_ordinary_requests_one_after_the_other_and_all_at_once(monkeypatch):
    monkeypatch.setattr(door, "HEAD_SECONDS", 1.0)
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + b"z" * 100_000

    async def conversation(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(3):
            writer.write(request)
            assert b" 200 " in await reader.readline()
            await reader.readuntil(b"ok")
        writer.write(request * 3)
        for _ in range(3):
            assert b" 200 " in await reader.readline()
            await reader.readuntil(b"ok")
        await asyncio.sleep(1.2)  # a kept connection that waits is no head under way
        writer.write(request)
        assert b" 200 " in await reader.readline()

    talk(conversation)
