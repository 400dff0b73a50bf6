"""Server-sent events as bytes."""

from __future__ import annotations

import json
import secrets
from typing import Any

HEARTBEAT = b"event: heartbeat\ndata:\n\n"
GONE = b"event: gone\ndata:\n\n"  # the viewer may not follow this topic (any more)
RESYNC = b"event: resync\ndata:\n\n"  # the stream cannot bring this page level: load it again


def frame(event: str, data: str, seq: int | None = None) -> bytes:
    """One event. Line ends inside `data` arrive as newlines; `seq` becomes the id the browser resumes from."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = f"event: {event}\n" if seq is None else f"event: {event}\nid: {seq}\n"
    return (head + "".join(f"data: {line}\n" for line in lines) + "\n").encode()


def json_frame(event: str, data: Any) -> bytes:
    return frame(event, json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def opening() -> bytes:
    """The first bytes: when to come back after a cut, spread so that a restart is no stampede; a first heartbeat."""
    return b"retry: %d\n\n" % (600 + secrets.randbelow(1800)) + HEARTBEAT
