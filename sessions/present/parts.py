"""The session's own panels, the same for every game: where the table stands, who is there, notes, closing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from characters.models import Seat
from characters.selectors.access import CampaignAccess
from sessions.kinds import game_of
from sessions.present import Piece
from sessions.selectors.access import SessionAccess
from sessions.selectors.closing import Proposal, changes_json, proposals, visible_proposals
from sessions.selectors.notes import visible_notes
from sessions.selectors.state import StateLost, standing
from sessions.selectors.table import TableView

# Which panels an event of the session changes. The game's panels are compared instead.
CHANGED_BY: Mapping[str, tuple[str, ...]] = {
    "session.started": ("scene", "people", "carry"),
    "session.edited": ("scene",),
    "session.closed": ("scene", "people", "notes", "carry"),
    "cast.joined": ("people",),
    "sheet.refreshed": ("people",),
    "evening.started": ("scene",),
    "evening.ended": ("scene",),
    "scene.set": ("scene",),
    "member.changed": ("people",),
    "event.undone": ("scene", "people", "carry"),
    "note.changed": ("notes",),
    "closing.asked": ("scene", "carry"),
    "carry.decided": ("carry",),
    "table.changed": ("carry",),
}


def names_changed(kinds: Iterable[str], view: TableView) -> list[str]:
    """The session's panels these events change, in the order of the page. While everybody is asked what they take
    home, any event of the game may change that."""
    of_game = ("carry",) if view.session.closing else ()
    changed = {name for kind in kinds for name in (CHANGED_BY.get(kind, ()) if game_of(kind) is None else of_game)}
    return [name for name in PANELS if name in changed]


def panel(name: str, view: TableView, head: str) -> Piece | None:
    """One of the session's panels; None when this viewer has nothing to see in it. `head` names the moment."""
    return PANELS[name](view, head)


def _scene(view: TableView, head: str) -> Piece:
    session = view.session
    facts = {
        "number": session.number,
        "title": session.title,
        "state": session.state,
        "state_label": str(session.get_state_display()),
        "evening": session.evening,
        "evening_open": session.evening_open,
        "scene": session.scene,
        "closing": session.closing,
    }
    return Piece("sessions/panels/scene.html", facts)


def _people(view: TableView, head: str) -> Piece:
    seats = [(seat.pk, seat.name, str(seat.get_role_display())) for seat in view.facts.seats if not seat.removed_at]
    cast = [
        {"actor": member.actor, "name": member.name, "character": member.character_id, "hidden": member.hidden}
        for member in view.facts.cast
        if view.is_gm or not member.hidden
    ]
    return Piece("sessions/panels/people.html", {"seats": seats, "cast": cast})


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
    rows = [carry_row(item, view.lang) for item in visible_proposals(access, found)]
    return Piece("sessions/panels/carry.html", {"rows": rows}) if rows or view.is_gm else None


def carry_row(item: Proposal, lang: str) -> dict[str, Any]:
    """A proposal in words of one language."""
    changes = [
        {**change, "label": change["label"][lang], "reason": change["reason"][lang]}
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
    found = next((seat for seat in view.facts.seats if seat.pk == view.viewer.seat_id), None)
    return found if found is not None and found.removed_at is None else None


PANELS: Mapping[str, Callable[[TableView, str], Piece | None]] = {
    "scene": _scene,
    "people": _people,
    "carry": _carry,
    "notes": _notes,
}
