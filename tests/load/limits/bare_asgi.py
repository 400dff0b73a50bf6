"""A bare ASGI event stream: one queue for each viewer, `POST /pub` puts its body into all of them. No framework.

`python -m tests.load.limits.bare_asgi PORT`; the same uvicorn, event loop and parser as the site.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Any

import uvicorn

BACKLOG = 2048
_viewers: set[asyncio.Queue[bytes]] = set()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["path"] == "/pub":
        await _publish(receive, send)
    elif scope["type"] == "http":
        await _stream(receive, send)


async def _publish(receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    for queue in _viewers:
        queue.put_nowait(body)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


async def _stream(receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"event: hello\ndata:\n\n", "more_body": True})
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    _viewers.add(queue)
    writer = asyncio.create_task(_write(queue, send))
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        _viewers.discard(queue)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writer


async def _write(queue: asyncio.Queue[bytes], send: Any) -> None:
    while True:
        await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})


async def _lifespan(receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


if __name__ == "__main__":
    uvicorn.run(
        application, host="127.0.0.1", port=int(sys.argv[1]), backlog=BACKLOG, log_level="warning", access_log=False
    )
