"""Django (WSGI, synchronous) behind ASGI, on a few long-lived threads that work and never wait for a client.

The whole request is read before a thread is taken and the whole answer is handed over when it is given back, so slow
readers and slow writers cost a connection but no thread. Answers that do not fit into memory go through a temporary
file. Long-lived threads keep their database connections.
"""

from __future__ import annotations

import asyncio
import contextvars
import io
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import quote

Scope = dict[str, Any]
Receive = Callable[[], Coroutine[Any, Any, dict[str, Any]]]
Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]
Headers = list[tuple[bytes, bytes]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

NO_BODY = frozenset({204, 205, 304})
MEMORY_BYTES = 1024 * 1024  # of an answer; more of it waits in a file
CHUNK_BYTES = 64 * 1024
DISCARD_BYTES = 64 * 1024 * 1024  # of a body that is too long, read so that its sender sees the answer
READING_BYTES = 64 * 1024 * 1024  # of request bodies being read, all together


class BodyRefused(Exception):
    """A request body that is not accepted: too long (413), too slow (408), too many at once (503)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ClientGone(Exception):
    """The client left before its request was complete."""


@dataclass(slots=True)
class Answer:
    status: int
    headers: Headers
    parts: list[bytes]
    file: IO[bytes] | None
    size: int = 0

    def write(self, chunk: bytes) -> None:
        self.size += len(chunk)
        if self.file is None and self.size > MEMORY_BYTES:
            self.file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it was sent
            self.file.writelines(self.parts)
            self.parts.clear()
        if self.file is not None:
            self.file.write(chunk)
        elif chunk:
            self.parts.append(chunk)

    def tell_length(self) -> None:
        """The whole answer is there, so its length can be said."""
        if not any(name in {b"content-length", b"transfer-encoding"} for name, _ in self.headers):
            self.headers.append((b"content-length", str(self.size).encode()))


class Bridge:
    """An ASGI application around a WSGI one. `refused` makes the answer for a body that is not accepted."""

    def __init__(
        self,
        application: Application,
        *,
        threads: int,
        body_bytes: int,
        body_seconds: float,
        refused: Callable[[int], tuple[Headers, bytes]],
    ) -> None:
        self._application = application
        self._body_bytes = body_bytes
        self._body_seconds = body_seconds
        self._refused = refused
        self._reading = 0
        self.threads = ThreadPoolExecutor(threads, "web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await self._read(scope, receive)
        except ClientGone:
            return
        except TimeoutError:
            await self._refuse(408, send)
            return
        except BodyRefused as refusal:
            await self._refuse(refusal.status, send)
            return
        environ = environ_of(scope, body)
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self.threads, context.run, run, self._application, environ)
        if scope["method"] != "HEAD" and answer.status not in NO_BODY:
            answer.tell_length()
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if answer.file is None:
            await send({"type": "http.response.body", "body": b"".join(answer.parts)})
            return
        with answer.file as file:
            file.seek(0)
            while chunk := file.read(CHUNK_BYTES):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        announced = int(length[:20]) if length.isdigit() else 0
        if announced > self._body_bytes:
            if announced <= DISCARD_BYTES and b"expect" not in headers:
                await _discard(receive)
            raise BodyRefused(413)
        parts: list[bytes] = []
        size = 0
        try:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                part = message.get("body", b"")
                if part:
                    parts.append(part)
                    size += len(part)
                    self._reading += len(part)
                if size > self._body_bytes:
                    if message.get("more_body", False):
                        parts.clear()
                        await _discard(receive)
                    raise BodyRefused(413)
                if self._reading > READING_BYTES:
                    raise BodyRefused(503)
                if not message.get("more_body", False):
                    return b"".join(parts)
        finally:
            self._reading -= size

    async def _refuse(self, status: int, send: Send) -> None:
        headers, body = self._refused(status)
        headers = [*headers, (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _discard(receive: Receive) -> None:
    # A browser shows an answer only after it has sent what it wanted to send.
    size, more = 0, True
    while more and size <= DISCARD_BYTES:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)


def run(application: Application, environ: dict[str, Any]) -> Answer:
    """Call a WSGI application and take its whole answer."""
    answer = Answer(500, [], [], None)

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        answer.status = int(status.split(" ", 1)[0])
        answer.headers = [(k.encode("latin-1").lower(), v.strip().encode("latin-1")) for k, v in headers]
        return answer.write

    chunks = application(environ, start_response)
    try:
        for chunk in chunks:
            answer.write(chunk)
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()
    return answer


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The WSGI environ (PEP 3333) of an ASGI request."""
    script = scope.get("root_path", "")
    host, port = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": _wsgi_text(script),
        "PATH_INFO": _wsgi_text(scope["path"].removeprefix(script)),
        # Only ASCII may stand in an address; what a client sent raw is written as it should have been.
        "QUERY_STRING": quote(scope["query_string"], safe="%&=+/?:;,@!$'()*~-._[]{}|\\^`\"<>#"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").upper()
        if "_" in name:  # would pass for the same header with a hyphen
            continue
        key = name.replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        value = raw_value.decode("latin-1")
        if key in environ:
            value = environ[key] + ("; " if key == "HTTP_COOKIE" else ",") + value
        environ[key] = value
    # A body that came in chunks has a length now.
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(len(body)) if body or "CONTENT_LENGTH" in environ else ""
    return environ


def _wsgi_text(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")
