"""The log as one viewer may read it: filtered by audience, projected, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from live.kinds import Viewer
from live.models import Event
from sessions.kinds import UNDONE, game_of, is_told
from sessions.models import CommandRecord, GameSession
from sessions.projection import Envelope, project

PAGE = 100
CHUNK = 200


@dataclass(frozen=True, slots=True)
class Undone:
    """That an entry was taken back: by whom (a name), when and why."""

    by: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the log for one viewer. `kind` of a game's event is the game's own word, `game` its slug.

    `by` is the name of the seat behind it ("" for the table itself), `draw` the number of the draw its dice came from,
    `override` the GM's reason for setting a rule aside. `unreadable`: there is something, but it cannot be shown.
    """

    seq: int
    game: str
    kind: str
    data: Mapping[str, Any]
    at: datetime
    by: str
    actor: str
    draw: int | None = None
    override: str = ""
    undone: Undone | None = None
    unreadable: bool = False

    @property
    def id(self) -> str:
        """The id of its element on a page."""
        return f"entry-{self.seq}"


@dataclass(frozen=True, slots=True)
class LogPage:
    """Entries in order, oldest first. `older`: ask for those before this number; None when there are none."""

    entries: tuple[Entry, ...]
    older: int | None


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as scripts read it."""
    undone = entry.undone
    return {
        "seq": entry.seq,
        "kind": f"{entry.game}:{entry.kind}" if entry.game else entry.kind,
        "at": entry.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "by": entry.by,
        "data": entry.data,
        "draw": entry.draw,
        "override": entry.override,
        "undone": {"by": undone.by, "reason": undone.reason} if undone is not None else None,
        "unreadable": entry.unreadable,
    }


def entry_of(seq: int, kind: str, envelope: Envelope, names: Mapping[str, str], undone: Undone | None = None) -> Entry:
    """A projected event as an entry. `names` are the names of the seats by their token."""
    game = game_of(kind)
    draw = envelope.get("draw")
    return Entry(
        seq=seq,
        game=game[0] if game else "",
        kind=game[1] if game else kind,
        data=envelope["data"],
        at=_time(envelope["at"]),
        by=names.get(envelope["actor"], ""),
        actor=envelope["actor"],
        draw=draw if isinstance(draw, int) else None,
        override=str(envelope.get("override", "")),
        undone=undone,
        unreadable=bool(envelope.get("unreadable")),
    )


def log_page(
    session: GameSession, viewer: Viewer, names: Mapping[str, str], before: int | None = None, limit: int = PAGE
) -> LogPage:
    """The newest entries a viewer may read, or those before a number."""
    rows = Event.objects.filter(topic__name=session.topic)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    found: list[tuple[Event, Envelope]] = []
    older = None
    for event in rows.order_by("-seq").iterator(chunk_size=CHUNK):
        envelope = project(event, viewer) if is_told(event.kind) else None
        if envelope is None:
            continue
        if len(found) == limit:
            older = found[-1][0].seq
            break
        found.append((event, envelope))
    found.reverse()
    return LogPage(tuple(_entries(session, viewer, found, names)), older)


def all_entries(session: GameSession, viewer: Viewer, names: Mapping[str, str]) -> Iterator[Entry]:
    """Everything a viewer may read, from the beginning, without holding it all at once."""
    chunk: list[tuple[Event, Envelope]] = []
    rows = Event.objects.filter(topic__name=session.topic).order_by("seq")
    for event in rows.iterator(chunk_size=CHUNK):
        envelope = project(event, viewer) if is_told(event.kind) else None
        if envelope is None:
            continue
        chunk.append((event, envelope))
        if len(chunk) == CHUNK:
            yield from _entries(session, viewer, chunk, names)
            chunk = []
    yield from _entries(session, viewer, chunk, names)


def events_json(session: GameSession, viewer: Viewer, first: int, last: int) -> list[dict[str, Any]]:
    """The events of a stretch of the log as an answer to a command: what this viewer may see of each."""
    rows = Event.objects.filter(topic__name=session.topic, seq__gte=first, seq__lte=last).order_by("seq")
    found = [(event, project(event, viewer)) for event in rows]
    keys = ("at", "actor", "data", "draw", "override", "unreadable")
    return [
        {"seq": event.seq, "kind": event.kind, **{key: envelope[key] for key in keys if key in envelope}}
        for event, envelope in found
        if envelope is not None
    ]


def entries_between(
    session: GameSession, viewer: Viewer, first: int, last: int, names: Mapping[str, str], undone: Undone
) -> list[Entry]:
    """The entries of a stretch of the log that was taken back."""
    rows = Event.objects.filter(topic__name=session.topic, seq__gte=first, seq__lte=last).order_by("seq")
    found = [(event, project(event, viewer)) for event in rows if is_told(event.kind)]
    return [entry_of(row.seq, row.kind, envelope, names, undone) for row, envelope in found if envelope is not None]


def _entries(
    session: GameSession, viewer: Viewer, found: Iterable[tuple[Event, Envelope]], names: Mapping[str, str]
) -> list[Entry]:
    found = list(found)
    if not found:
        return []
    taken_back = _taken_back(session, viewer, found[0][0].seq, found[-1][0].seq, names)
    return [
        entry_of(
            event.seq,
            event.kind,
            envelope,
            names,
            next((undone for first, last, undone in taken_back if first <= event.seq <= last), None),
        )
        for event, envelope in found
    ]


def _taken_back(
    session: GameSession, viewer: Viewer, first: int, last: int, names: Mapping[str, str]
) -> list[tuple[int, int, Undone]]:
    records = CommandRecord.objects.filter(session=session, undone_by__isnull=False, first__lte=last, last__gte=first)
    spans = {row.undone_by: (row.first, row.last) for row in records if row.undone_by is not None}
    if not spans:
        return []
    events = Event.objects.filter(topic__name=session.topic, seq__in=list(spans), kind=UNDONE)
    told = [(event, project(event, viewer)) for event in events]
    return [(*spans[event.seq], undone_of(envelope, names)) for event, envelope in told if envelope is not None]


def undone_of(envelope: Envelope, names: Mapping[str, str]) -> Undone:
    """What an event `event.undone` says about the entries it takes back."""
    by = names.get(envelope["actor"], "")
    return Undone(by, _time(envelope["at"]), str(envelope["data"].get("reason", "")))


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
