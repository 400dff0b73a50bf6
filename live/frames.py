"""Server-sent events as bytes, plain and packed.

A browser that accepts gzip gets the packed bytes (docs/adr/0010-the-stream-is-packed-once.md). Each frame is packed by
itself, once, so that all viewers of a group still get the same bytes whatever else they were sent: a stream that begins
with `GZIP_HEAD` and goes on with packed frames is one gzip stream, and it can be read up to the end of each frame.
"""

from __future__ import annotations

import json
import secrets
import zlib
from dataclasses import dataclass
from typing import Any

GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
SMALL = 256  # fewer bytes are stored as they are: a packer takes a quarter of a megabyte for a moment


@dataclass(frozen=True, slots=True)
class Frame:
    """One event or several; empty ones are false."""

    plain: bytes
    packed: bytes

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __add__(self, other: Frame) -> Frame:
        return Frame(self.plain + other.plain, self.packed + other.packed)


def pack(plain: bytes) -> Frame:
    """A frame of these bytes. The packed ones end at a whole byte and refer to nothing before them."""
    if not plain:
        return NOTHING
    if len(plain) < SMALL:
        size = len(plain)
        return Frame(plain, b"\0" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + plain)
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Frame(plain, packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH))


NOTHING = Frame(b"", b"")
HEARTBEAT = pack(b"event: heartbeat\ndata:\n\n")
GONE = pack(b"event: gone\ndata:\n\n")  # the viewer may not follow this topic (any more)
RESYNC = pack(b"event: resync\ndata:\n\n")  # the stream cannot bring this page level: load it again


def frame(event: str, data: str, seq: int | None = None) -> Frame:
    """One event. Line ends inside `data` arrive as newlines; `seq` becomes the id the browser resumes from."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = f"event: {event}\n" if seq is None else f"event: {event}\nid: {seq}\n"
    return pack((head + "".join(f"data: {line}\n" for line in lines) + "\n").encode())


def json_frame(event: str, data: Any) -> Frame:
    return frame(event, json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def opening() -> Frame:
    """The first bytes: when to come back after a cut, spread so that a restart is no stampede; a first heartbeat."""
    retry = b"retry: %d\n\n" % (600 + secrets.randbelow(1800))
    return Frame(retry + HEARTBEAT.plain, GZIP_HEAD + pack(retry).packed + HEARTBEAT.packed)
