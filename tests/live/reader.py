"""A stream without a page and without a thread: it reads when it is asked, and knows what each frame weighed."""

from __future__ import annotations

import contextlib
import socket
import zlib

from tests.live.server import Decoder, Message, Site, rows


class Reader:
    """`packed` asks for gzip, as browsers do. `head` are the answer's headers, `body` the bytes as they were sent."""

    def __init__(
        self, site: Site, topic: str, cookie: str, *, lang: str = "ja", after: int | None = None, packed: bool = False
    ) -> None:
        self.lang = lang
        self.head, self.body, self.text = b"", b"", ""
        self._raw = b""
        self._unpack = zlib.decompressobj(31) if packed else None
        query = f"lang={lang}" + ("" if after is None else f"&after={after}")
        accept = "Accept-Encoding: br, gzip;q=0.8\r\n" if packed else ""
        self._socket = socket.create_connection(("127.0.0.1", site.port), timeout=20)
        request = f"GET /live/stream/{topic}?{query} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n{accept}\r\n"
        self._socket.sendall(request.encode())
        self._socket.setblocking(False)

    def read(self) -> None:
        """Take what is there."""
        with contextlib.suppress(BlockingIOError):
            while data := self._socket.recv(65536):
                self._raw += data
        if not self.head and b"\r\n\r\n" in self._raw:
            self.head, _, self._raw = self._raw.partition(b"\r\n\r\n")
        while self.head and (chunk := self._chunk()) is not None:
            self.body += chunk
            self.text += (self._unpack.decompress(chunk) if self._unpack else chunk).decode()

    def _chunk(self) -> bytes | None:
        size, end, rest = self._raw.partition(b"\r\n")
        if not end or len(rest) < int(size, 16) + 2:
            return None
        length = int(size, 16)
        self._raw = rest[length + 2 :]
        return rest[:length]

    def has(self, words: str) -> bool:
        self.read()
        return words in self.text

    def messages(self) -> list[Message]:
        return [found for block in self.text.split("\n\n") if (found := Decoder._message(block)) is not None]

    def rows(self) -> list[str]:
        return rows(self.messages())

    def close(self) -> None:
        self._socket.close()
