"""The site as one ASGI application with three doors: the event stream, everything else (Django), start and end.

`manage.py serve` runs it; see there for why no other way of starting is recommended.
"""

from __future__ import annotations

import logging
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trpg_site.settings.prod")

from trpg_site.wsgi import application as django  # noqa: I001 - sets Django up, so it comes first

from django.conf import settings

from live.hub import hub
from live.stream import PREFIX, StreamApp
from trpg_site.bridge import Bridge, Headers, Receive, Scope, Send
from trpg_site.middleware import content_policy, site_headers

logger = logging.getLogger(__name__)

WEB_THREADS = int(os.environ.get("WEB_THREADS", "6"))
BODY_SECONDS = 30.0

_HEADERS: Headers = [
    (name.lower().encode(), value.encode())
    for name, value in (site_headers() | {"content-security-policy": content_policy()}).items()
]
_REFUSALS = {
    408: "送信に時間がかかりすぎました。もう一度お試しください。 / The request took too long.",
    413: "送られたデータが大きすぎます。 / The request is too large.",
    503: "混み合っています。少し待ってからもう一度お試しください。 / The site is busy; try again shortly.",
}


def _refused(status: int) -> tuple[Headers, bytes]:
    return [*_HEADERS, (b"content-type", b"text/plain; charset=utf-8")], _REFUSALS[status].encode()


site = Bridge(
    django,
    threads=WEB_THREADS,
    body_bytes=settings.MAX_BODY_BYTES,
    body_seconds=BODY_SECONDS,
    refused=_refused,
)
stream = StreamApp(hub, _HEADERS)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        path: str = scope["path"].removeprefix(scope.get("root_path", ""))
        await (stream if path.startswith(PREFIX) else site)(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


async def _lifespan(receive: Receive, send: Send) -> None:
    message: dict[str, Any] = {"type": ""}
    while message["type"] != "lifespan.shutdown":
        message = await receive()
        try:
            if message["type"] == "lifespan.startup":
                hub.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await hub.stop()
                site.threads.shutdown(wait=False, cancel_futures=True)
                await send({"type": "lifespan.shutdown.complete"})
        except Exception as error:
            logger.exception("the live core failed at %s", message["type"])
            await send({"type": f"{message['type']}.failed", "message": str(error)})
            return
