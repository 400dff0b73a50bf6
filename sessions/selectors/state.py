"""The game's state at the newest event: from memory, from a snapshot and the events after it, or from the first event.

A state is a pure function of the events that stand (those of commands that were not undone). States in memory are found
by the hash of the newest event, which names everything before it and exists in one log alone.
"""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from live.models import Event
from rulesets import services
from rulesets.engine import play
from rulesets.engine.play import Play, up_to_date
from sessions.kinds import MARK, game_of, stored_kind
from sessions.models import CommandRecord, GameSession, Snapshot
from sessions.recent import Recent

logger = logging.getLogger(__name__)

REMEMBERED = 128  # states kept in memory, over all tables
MAX_SEQ = 2**62
Spans = list[tuple[int, int]]


class StateLost(Exception):
    """The state cannot be made: the first event of the table, or the game, cannot be read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The game at one moment. `setup` is what it began with."""

    game: Play[Any]
    setup: Mapping[str, Any]
    state: Any


memory: Recent[str, Standing] = Recent(REMEMBERED)


def remembered(head: str) -> Standing | None:
    """The state after the event of this hash, if this process still knows it."""
    return memory.get(head)


def standing(session: GameSession, seq: int, head: str) -> Standing:
    """The state after event `seq`, whose hash is `head`. Raises StateLost."""
    found = memory.get(head)
    if found is None:
        found = from_log(session, seq)
        memory.put(head, found)
    return found


def fold_from_start(session: GameSession, seq: int) -> Standing:
    """The state after event `seq` from nothing but the log. Raises StateLost."""
    setup, game = setup_of(session), _game(session)
    return _fold(session, _begin(game, setup), session.setup_seq or 0, seq)


def setup_of(session: GameSession) -> Mapping[str, Any]:
    """What the game began with. Raises StateLost."""
    event = Event.objects.filter(topic__name=session.topic, seq=session.setup_seq or 0).first()
    setup = event.data.get("setup") if event is not None and isinstance(event.data, Mapping) else None
    if not isinstance(setup, Mapping):
        raise StateLost(f"the first event of {session.topic} is not there")
    return setup


def undone_spans(session: GameSession, upto: int) -> Spans:
    """First and last number of every command that had been taken back when the log was at `upto`."""
    rows = CommandRecord.objects.filter(session=session, undone_by__lte=upto).order_by("first")
    return list(rows.values_list("first", "last"))


def inside(seq: int, spans: Spans) -> bool:
    """Whether a number lies in one of some spans, which are in order and do not touch."""
    at = bisect_right(spans, (seq, MAX_SEQ)) - 1
    return at >= 0 and spans[at][0] <= seq <= spans[at][1]


def evolve(standing: Standing, events: Iterable[play.Event]) -> Standing:
    """The state after some facts; one that the game cannot take in is passed over (reliability F21)."""
    game, state = standing.game, standing.state
    for event in events:
        try:
            state = game.evolve(state, up_to_date(game, event))
        except Exception:
            logger.exception("an event %s cannot be applied", event.kind)
    return Standing(game, standing.setup, state)


def fact_of(event: Event) -> play.Event:
    """A stored event of a game as the game made it."""
    game = game_of(event.kind)
    data = event.data if isinstance(event.data, Mapping) else {}
    facts = {key: value for key, value in data.items() if key != MARK}
    return play.Event(game[1] if game else event.kind, facts, tuple(event.audience), event.schema)


def _game(session: GameSession) -> Play[Any]:
    try:
        return services.play(session.game)
    except Exception as error:
        raise StateLost(str(error)) from error


def _begin(game: Play[Any], setup: Mapping[str, Any]) -> Standing:
    try:
        return Standing(game, setup, game.start(setup))
    except Exception as error:
        raise StateLost("the game cannot begin with what was stored") from error


def from_log(session: GameSession, seq: int) -> Standing:
    """The state after event `seq` from the newest snapshot and the events after it. Raises StateLost."""
    setup, game = setup_of(session), _game(session)
    for row in Snapshot.objects.filter(session=session, seq__lte=seq)[:1]:
        try:
            return _fold(session, Standing(game, setup, game.load(row.data, setup)), row.seq, seq)
        except Exception:  # written by another version of the game, or damaged: the events are the truth
            logger.warning("the snapshot of %s at %s cannot be read; folding its events", session.topic, row.seq)
    return _fold(session, _begin(game, setup), session.setup_seq or 0, seq)


def _fold(session: GameSession, begun: Standing, after: int, upto: int) -> Standing:
    prefix = stored_kind(session.game, "")
    rows = Event.objects.filter(topic__name=session.topic, seq__gt=after, seq__lte=upto, kind__startswith=prefix)
    spans = undone_spans(session, upto)
    stand = (row for row in rows.order_by("seq").iterator(chunk_size=500) if not inside(row.seq, spans))
    return evolve(begun, (fact_of(row) for row in stand))
