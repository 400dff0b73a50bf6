"""The chain of events: plain data, one canonical form, and the hash that ties each event to the one before.

An event's hash covers the hash before it and a *commitment* to its content: HMAC-SHA256 of the canonical JSON under a
nonce that only the topic's master gives. So whoever may not see an event can still follow the chain by its commitment,
without being able to guess a short secret (a die face) from it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from live.models import Event, Topic

Plain = dict[str, Any] | list[Any] | str | int | bool | None


def plain(value: Any) -> Any:
    """`value` as plain JSON data that every database gives back unchanged.

    Tuples become lists, keys become strings; characters no database keeps (NUL, halves of a surrogate pair) become
    U+FFFD. Raises TypeError for anything else: fractions are written as text, times as ISO text.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Mapping):
        return {_clean(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(item) for item in items]
    raise TypeError(f"{type(value).__name__} is no plain event data")


def _clean(text: str) -> str:
    # str subclasses (lazy translations, SafeString) are stored as what they read.
    text = str(text).replace("\x00", "\ufffd")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text


def canonical(topic_name: str, event: Event) -> bytes:
    """The bytes that are hashed: sorted keys, no spaces, times in UTC with microseconds."""
    body = {
        "topic": topic_name,
        "seq": event.seq,
        "at": timestamp(event.at),
        "kind": event.kind,
        "schema": event.schema,
        "actor": event.actor,
        "audience": event.audience,
        "data": event.data,
    }
    return json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def timestamp(at: datetime) -> str:
    """`2026-01-31T12:00:00.000000Z`."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def nonce(master: bytes, seq: int) -> bytes:
    """The nonce of event `seq`; it may be given to those who see that event, the master to nobody."""
    return hmac.digest(master, b"takubiyori.event:%d" % seq, "sha256")


def commitment(event_nonce: bytes, body: bytes) -> str:
    return hmac.digest(event_nonce, body, "sha256").hex()


def chain(prev_hash: str, event_commitment: str) -> str:
    return hashlib.sha256(f"{prev_hash}:{event_commitment}".encode("ascii")).hexdigest()


def seal(topic_name: str, master: bytes, event: Event, prev_hash: str) -> None:
    """Set `prev_hash` and `hash` of an event whose content is complete."""
    event.prev_hash = prev_hash
    event.hash = chain(prev_hash, commitment(nonce(master, event.seq), canonical(topic_name, event)))


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first event of a topic that is not as it was written. `reason`: `missing`, `altered`, `cut`."""

    seq: int
    reason: str


def verify_chain(name: str) -> ChainBreak | None:
    """Recompute every hash of a topic; None when nothing was changed, removed or put in."""
    topic = Topic.objects.get(name=name)
    master = bytes(topic.master)
    seq, head = 0, ""
    for event in Event.objects.filter(topic=topic).order_by("seq").iterator(chunk_size=500):
        seq += 1
        if event.seq != seq:
            return ChainBreak(seq, "missing")
        expected = chain(head, commitment(nonce(master, seq), canonical(name, event)))
        if event.prev_hash != head or event.hash != expected:
            return ChainBreak(seq, "altered")
        head = event.hash
    if seq != topic.seq or head != topic.head:
        return ChainBreak(min(seq, topic.seq) + 1, "cut")
    return None
