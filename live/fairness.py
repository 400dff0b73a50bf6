"""What a viewer may know about a topic's dice: enough to compute every draw they may see again (DESIGN §4).

A key is shown with its draw and to the same audience; when the topic is closed, all are. Keys of draws that are hidden
or not used yet never leave the server: an unused key would show a die before it is rolled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from live.draws import block_of
from live.events import plain, timestamp
from live.kinds import Viewer
from live.models import Draw, FairRoot, Salt, Topic
from live.topics import write
from rulesets.engine import fair

FORMAT, FORMAT_VERSION = "takubiyori.fair", "1.0"
PAGE_SIZE = 100
MAX_SALT = 200  # characters of a line
MAX_SALTS = 100  # lines in a topic: each goes into every later draw


class SaltRefused(Exception):
    """A line that is not accepted; the message says why."""


def record(name: str, viewer: Viewer, before: int | None = None, limit: int | None = None) -> dict[str, Any]:
    """Roots, players' lines and the draws this viewer may see, oldest first, as plain JSON data.

    `limit` gives the newest draws only, `before` those with smaller numbers; `older` is the number to go on with.
    """
    topic = Topic.objects.get(name=name)
    draws, older = _draws(topic, viewer, before, limit)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "topic": name,
        "closed": topic.closed_at is not None,
        "used": topic.draws,
        "roots": [
            {"first": row.first, "size": row.size, "root": row.root, "published": timestamp(row.at)}
            for row in FairRoot.objects.filter(topic=topic)
        ],
        "salts": [
            {"since": row.since, "text": row.text, "by": row.by, "at": timestamp(row.at)}
            for row in Salt.objects.filter(topic=topic)
        ],
        "draws": [_draw(topic, draw) for draw in draws],
        "older": older,
    }


def _draws(topic: Topic, viewer: Viewer, before: int | None, limit: int | None) -> tuple[list[Draw], int | None]:
    rows = Draw.objects.filter(topic=topic).order_by("-number")
    if before is not None:
        rows = rows.filter(number__lt=before)
    seen: list[Draw] = []
    for draw in rows.iterator(chunk_size=200):
        if topic.closed_at is None and not viewer.sees(draw.audience):
            continue
        if limit is not None and len(seen) == limit:
            return seen[::-1], seen[-1].number
        seen.append(draw)
    return seen[::-1], None


def _draw(topic: Topic, draw: Draw) -> dict[str, Any]:
    block = block_of(topic, fair.first_of_block(draw.number))
    return {
        "number": draw.number,
        "event": draw.event_seq,
        "at": timestamp(draw.at),
        "secret": "all" not in draw.audience,
        "requests": draw.requests,
        "values": draw.values,
        "key": fair.key_of(bytes(topic.master), draw.number).hex(),
        "path": block.path(draw.number),
    }


def add_salt(name: str, viewer: Viewer, user: Any, text: str, command_id: str = "") -> None:
    """Let a member's line take part in every later draw. Raises SaltRefused, TopicClosed."""
    line: str = plain(" ".join(text.split()))
    if not line:
        raise SaltRefused(_("言葉を書いてください。"))
    if len(line) > MAX_SALT:
        raise SaltRefused(_("%(max)d文字までです（いま%(now)d文字）。") % {"max": MAX_SALT, "now": len(line)})
    actor = f"seat:{viewer.seat_id}" if viewer.seat_id is not None else ""
    with write(name, user=user, command_id=command_id, actor=actor) as w:
        if w.repeated:
            return
        if len(w.salts()) >= MAX_SALTS:
            raise SaltRefused(_("この卓の言葉は%(max)d個までです。") % {"max": MAX_SALTS})
        w.add_salt(line, by=str(getattr(user, "shown_name", user))[:40])


def words_of(requests: Iterable[Any]) -> list[str]:
    """What a draw was asked for, for people: `["2D6", "53枚"]`."""
    words: list[str] = []
    sides, count = 0, 0
    for request in [*requests, None]:
        if isinstance(request, int) and (request == sides or not count):
            sides, count = request, count + 1
            continue
        if count:
            words.append(f"{count}D{sides}")
        sides, count = (request, 1) if isinstance(request, int) else (0, 0)
        if isinstance(request, dict):
            words.append(_("%(n)d枚を切る") % {"n": request.get("shuffle", 0)})
    return words
