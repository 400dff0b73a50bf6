"""What a viewer may see of an event. The page, the stream, the log, the export and answers to commands all go here.

`live` has checked the audience; here the game projects its own events and the session's are cut down to their listed
keys. Whatever is unknown shows nothing; an event that cannot be read shows that there is one, and nothing of it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from live.events import timestamp
from live.kinds import Viewer
from live.models import Event
from rulesets import services
from rulesets.engine import play
from rulesets.engine.commands.results import plain
from rulesets.engine.play import shown
from sessions.kinds import MARK, OPENED, SHOWN, game_of

logger = logging.getLogger(__name__)

Envelope = dict[str, Any]
_ROLES: frozenset[str] = frozenset({"gm", "co_gm", "player", "spectator"})


def eyes(viewer: Viewer) -> play.Viewer:
    """A viewer as the rules know one. Spectators have no seat in the game."""
    role: Any = viewer.role if viewer.role in _ROLES else "spectator"
    seated = viewer.seat_id is not None and role != "spectator"
    return play.Viewer(viewer.tokens, role, str(viewer.seat_id) if seated else "")


def project(event: Event, viewer: Viewer) -> Envelope | None:
    """The event as this viewer may know it: `data`, `at`, `actor`, and what there is of `draw` and `override`.

    `prev` and `hash` are the event's place in the chain. None when it is not for them. `unreadable` stands for an event
    that cannot be understood. Never raises.
    """
    if not viewer.sees(_tokens(event)):
        return None
    try:
        data = _data(event.kind, event.schema, event.data, _tokens(event), viewer)
    except Exception:  # one odd event must not blank the log (reliability F21)
        logger.exception("event %s of topic %s cannot be projected", event.seq, event.topic_id)
        return _envelope(event, {}) | {"unreadable": True}
    if data is None:
        return None
    return _envelope(event, data) | _mark(event)


def _envelope(event: Event, data: Mapping[str, Any]) -> Envelope:
    return {
        "data": data,
        "at": timestamp(event.at),
        "actor": event.actor,
        "prev": event.prev_hash,
        "hash": event.hash,
    }


def _mark(event: Event) -> Envelope:
    mark = event.data.get(MARK)
    if not isinstance(mark, Mapping):
        return {}
    return {key: mark[key] for key in ("draw", "override") if mark.get(key) is not None}


def _tokens(event: Event) -> tuple[str, ...]:
    """The audience; what is no list of words includes nobody."""
    found = event.audience
    return tuple(token for token in found if isinstance(token, str)) if isinstance(found, list) else ()


def _data(kind: str, schema: int, data: Any, audience: tuple[str, ...], viewer: Viewer) -> dict[str, Any] | None:
    if not isinstance(data, Mapping):
        raise TypeError("event data is no object")
    if kind == OPENED:
        return _opened(data, viewer)
    game = game_of(kind)
    if game is None:
        keys = SHOWN.get(kind)
        return None if keys is None else {key: data[key] for key in keys if key in data}
    name, own = game
    facts = {key: value for key, value in data.items() if key != MARK}
    told = shown(services.play(name), play.Event(own, facts, audience, schema), eyes(viewer))
    if told is None:
        return None
    found: dict[str, Any] = plain(told)
    return found


def _opened(data: Mapping[str, Any], viewer: Viewer) -> dict[str, Any] | None:
    kind = data["kind"]
    inner = _data(kind, data["schema"], data["data"], ("all",), viewer) if kind != OPENED else None
    return None if inner is None else {"of": data["of"], "kind": kind, "data": inner}
