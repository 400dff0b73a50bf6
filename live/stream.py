"""The event stream: `GET /live/stream/<topic>?after=<number>`, a small ASGI application beside Django.

Events: `fragments` (id: the number of the newest event in it; data: elements with ids), `hello`, `presence`,
`heartbeat` every 4 seconds, `gone` (no right to follow), `resync` (load the page again). Refusals are a stream with
status 200 too: a browser gives up for good on any other status. The stream resumes from the larger of `after` and
`Last-Event-ID`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qs

from live.frames import GONE, opening
from live.hub import Hub
from live.reading import credential
from live.sink import Sink

Scope = dict[str, Any]
Receive = Callable[[], Coroutine[Any, Any, dict[str, Any]]]
Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

PREFIX = "/live/stream/"
_TOPIC = re.compile(r"[a-z][a-z_]*:[A-Za-z0-9_-]{1,60}")
_NUMBER = re.compile(r"[0-9]{1,15}")


class StreamApp:
    """`headers` go with every answer (the site's security headers), names in lower case."""

    def __init__(self, hub: Hub, headers: list[tuple[bytes, bytes]]) -> None:
        self._hub = hub
        self._headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store, no-transform"),
            (b"x-accel-buffering", b"no"),
            (b"vary", b"accept-encoding"),
            *headers,
        ]
        self._answer = {False: self._headers, True: [*self._headers, (b"content-encoding", b"gzip")]}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._refuse_method(send)
            return
        sink, after = _asked(scope, send)
        await send({"type": "http.response.start", "status": 200, "headers": self._answer[sink.packed]})
        name = scope["path"].rpartition(PREFIX)[2]
        sink.push(opening())
        try:
            if _TOPIC.fullmatch(name):
                await self._hub.join(sink, name, after)
            else:
                sink.end(GONE)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._hub.leave(sink, name)

    async def _refuse_method(self, send: Send) -> None:
        headers = [(b"allow", b"GET"), (b"content-length", b"0"), *self._headers[3:]]
        await send({"type": "http.response.start", "status": 405, "headers": headers})
        await send({"type": "http.response.body"})


def _asked(scope: Scope, send: Send) -> tuple[Sink, int | None]:
    """The viewer's end of the stream and the number to resume from. What else the request said is not kept."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    query = _query(scope["query_string"])
    who = credential(headers.get(b"cookie", ""), query.get("lang", [""])[-1])
    sink = Sink(send, who, packed=unpacks(headers.get(b"accept-encoding", "")))
    return sink, resume_from(query, headers)


def _query(text: bytes) -> dict[str, list[str]]:
    try:
        return parse_qs(text.decode("latin-1"), max_num_fields=20)
    except ValueError:
        return {}


def unpacks(accepted: str) -> bool:
    """Whether a client that accepts these encodings takes gzip."""
    for offer in accepted.lower().split(","):
        name, _, weight = offer.partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"q=0(\.0*)?", weight.strip())
    return False


def resume_from(query: dict[str, list[str]], headers: dict[bytes, str]) -> int | None:
    """The number after which events are missing: the larger of `after` and `Last-Event-ID`, None without either."""
    said = [*query.get("after", [])[-1:], headers.get(b"last-event-id", "")]
    return max((int(text) for text in said if _NUMBER.fullmatch(text)), default=None)
