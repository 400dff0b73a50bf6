"""The session's own panels, the same for every game: where the table stands, who is there, notes, closing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from characters.models import Character, Seat
from characters.selectors.access import CampaignAccess
from sessions.kinds import COUNTER, UNDONE, game_of
from sessions.models import CastMember, GameSession
from sessions.present import Piece, counters
from sessions.present.campaign import title_of
from sessions.selectors.access import SessionAccess
from sessions.selectors.closing import Proposal, changes_json, proposals, visible_proposals
from sessions.selectors.notes import visible_notes
from sessions.selectors.session import castable_of
from sessions.selectors.state import StateLost, standing
from sessions.selectors.table import TableView, played_by

# Which panels an event of the session changes. The game's panels are compared instead.
_ALL = ("scene", "start", "carry", "undo", "say", "people", "manage", "notes", "counters")
CHANGED_BY: Mapping[str, tuple[str, ...]] = {
    "session.started": _ALL,
    "session.edited": ("scene", "manage"),
    "session.closed": _ALL,
    "cast.joined": ("people", "say", "manage"),
    "sheet.refreshed": ("people", "say", "manage"),
    "evening.started": ("scene", "manage"),
    "evening.ended": ("scene", "manage"),
    "scene.set": ("scene",),
    "member.changed": ("people", "say", "start", "manage"),
    "event.undone": ("scene", "people", "carry", "undo", "say", "manage", "counters"),
    "counter.set": ("counters",),
    "note.changed": ("notes",),
    "closing.asked": ("carry", "manage"),
    "carry.decided": ("carry", "manage"),
    "table.changed": ("carry",),
}

SCENES = frozenset({"scene"})  # as which a game that keeps scenes tells a new one


def names_changed(kinds: Collection[str], view: TableView, before: int) -> list[str]:
    """The session's panels these events change, in the order of the page; `before` is the number they come after. While
    everybody is asked what they take home, any event of the game may change that."""
    changed = {name for kind in kinds for name in CHANGED_BY.get(kind, ())}
    of_game = {game[1] for kind in kinds if (game := game_of(kind)) is not None}
    if of_game & SCENES:
        changed.add("scene")
    if of_game and view.session.closing:
        changed.add("carry")
    if UNDONE not in kinds and view.undoable != replace(view, seq=before).undoable:
        changed.add("undo")
    return [name for name in PANELS if name in changed]


def panel(name: str, view: TableView, head: str) -> Piece | None:
    """One of the session's panels; None when this viewer has nothing to see in it. `head` names the moment."""
    return PANELS[name](view, head)


def _scene(view: TableView, head: str) -> Piece:
    session = view.session
    facts = {
        "title": title_of(session, view.lang),
        "part": session.part,
        "state": session.state,
        "state_label": str(session.get_state_display()),
        "evening": session.evening,
        "evening_open": session.evening_open,
        "scene": session.scene,
    }
    return Piece("sessions/panels/scene.html", facts)


def _start(view: TableView, head: str) -> Piece | None:
    """Before the table opens: who will play (GM), or what the others wait for."""
    access = _access(view)
    if access is None or view.session.state != GameSession.State.PLANNED:
        return None
    rows = castable_of(access) if view.is_gm else []
    pcs = [row for row in rows if row.character.kind == Character.Kind.PC]
    return Piece(
        "sessions/panels/start.html",
        {"pcs": pcs, "npcs": [row for row in rows if row not in pcs], "ready": any(not row.why_not for row in pcs)},
    )


def _people(view: TableView, head: str) -> Piece:
    seats = [(seat.pk, seat.name, seat.role_label) for seat in view.facts.seats if not seat.removed]
    played = {
        seat.pk: [member.name for member in view.facts.cast if member.character.owner_id == seat.pk and _is_pc(member)]
        for seat in view.facts.seats
    }
    rows = [{"pk": pk, "name": name, "role": role, "plays": played.get(pk, [])} for pk, name, role in seats]
    return Piece("sessions/panels/people.html", {"seats": rows})


def _is_pc(member: CastMember) -> bool:
    return bool(member.character.kind == Character.Kind.PC)


def _undo(view: TableView, head: str) -> Piece | None:
    found = view.undoable
    if found is None:
        return None
    label = next((shape.label for shape in view.commands if shape.name == found.name), None)
    by = next((seat.name for seat in view.facts.seats if seat.pk == found.seat), "")
    words = label.pick(view.lang) if label is not None else _("時計") if found.name == COUNTER else ""
    facts = {"first": found.first, "label": words, "by": by}
    return Piece("sessions/panels/undo.html", facts)


def _say(view: TableView, head: str) -> Piece | None:
    if not view.is_open or view.is_spectator:
        return None
    mine = [
        (member.actor, member.name)
        for member in view.facts.cast
        if view.is_gm or (_is_pc(member) and member.character.owner_id == view.viewer.seat_id)
    ]
    me = _seat(view)
    return Piece("sessions/panels/say.html", {"speakers": mine, "me": me.name if me is not None else ""})


def _manage(view: TableView, head: str) -> Piece | None:
    """What the GM does with the session itself: its title, its evenings, who comes in, its end."""
    access = _access(view)
    session = view.session
    if access is None or not view.is_gm or session.state == GameSession.State.CLOSED or session.part:
        return None
    here = {member.character_id: member for member in view.facts.cast}
    others = [row for row in castable_of(access) if row.character.pk not in here] if view.is_open else []
    facts = {
        "state": session.state,
        "title": session.title,
        "evening": session.evening,
        "evening_open": session.evening_open,
        "closing": session.closing,
        "joining": [(row.character.pk, row.character.name, row.character.kind) for row in others if not row.why_not],
        "newer": [(m.character_id, m.name, owner) for m in here.values() if (owner := _news(view, m)) is not None],
    }
    return Piece("sessions/panels/manage.html", facts)


def _news(view: TableView, member: CastMember) -> str | None:
    """What the sheet has and the table has not: another owner (the name), a newer version (""), or nothing (None)."""
    if member.character.cleared_id is None:
        return None
    seat, owner = played_by(view.state, member.actor), member.character.owner
    if _is_pc(member) and seat is not None and seat != str(owner.pk):
        return str(owner.name)
    return "" if member.character.cleared_id != member.revision_id else None


def _notes(view: TableView, head: str) -> Piece | None:
    access = _access(view)
    if access is None or view.is_spectator:
        return None
    rows = [
        {"pk": note.pk, "title": note.title, "text": note.text, "version": note.version, "shared": note.visibility}
        for note in visible_notes(access)
    ]
    return Piece("sessions/panels/notes.html", {"notes": rows, "writable": view.session.state != "closed"})


def _carry(view: TableView, head: str) -> Piece | None:
    access = _access(view)
    if access is None or not view.is_open or not view.session.closing or view.is_spectator:
        return None
    try:
        found = proposals(view.session, standing(view.session, view.seq, head))
    except StateLost:
        return None
    shown = visible_proposals(access, found)
    rows = [
        {
            **carry_row(item, view.lang),
            "mine": item.owner_id == view.viewer.seat_id,
            "npc": item.member.character.kind != Character.Kind.PC,
        }
        for item in shown
    ]
    missing = [row["name"] for row in rows if row["needs_word"]]
    nudge = sorted({item.owner_id for item in shown if item.needs_word}) if view.is_gm else []
    facts = {"rows": rows, "missing": missing, "nudge": nudge}
    return Piece("sessions/panels/carry.html", facts) if rows or view.is_gm else None


def carry_row(item: Proposal, lang: str) -> dict[str, Any]:
    """A proposal in words of one language."""
    changes = [
        {key: value[lang] if isinstance(value, dict) else value for key, value in change.items()}
        for change in changes_json(item.carried)
    ]
    return {
        "actor": item.member.actor,
        "name": item.member.name,
        "digest": item.digest,
        "accepted": item.accepted,
        "by": item.by,
        "needs_word": item.needs_word,
        "changes": changes,
    }


def _access(view: TableView) -> SessionAccess | None:
    """The viewer's own access; None for somebody without an active seat."""
    seat = _seat(view)
    return SessionAccess(view.session, CampaignAccess(view.session.campaign, seat)) if seat is not None else None


def _seat(view: TableView) -> Seat | None:
    return view.facts.seat_of(view.viewer)


PANELS: Mapping[str, Callable[[TableView, str], Piece | None]] = {
    "scene": _scene,
    "start": _start,
    "carry": _carry,
    "undo": _undo,
    "say": _say,
    "people": _people,
    "manage": _manage,
    "counters": counters.panel,
    "notes": _notes,
}
