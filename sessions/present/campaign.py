"""The evenings of a campaign, on its page: the open one leads to the table, those that are over to their records."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from characters.present.campaign import Desk
from sessions.models import GameSession
from sessions.selectors.access import sessions_of

CHANGED_BY = ("session.planned", "session.edited", "session.opened", "session.closed", "member.role")


def sessions_panel(desk: Desk) -> dict[str, Any]:
    """Newest first. Says nothing that changes without an event of the campaign."""
    found = sorted(sessions_of(desk.access), key=lambda session: -session.number)
    return {"sessions": [_row(session) for session in found], "access": desk.access}


def _row(session: GameSession) -> dict[str, Any]:
    return {
        "number": session.number,
        "chapter": session.chapter,
        "title": session.title,
        "state": session.state,
        "state_label": str(session.get_state_display()),
        "at": _when(session),
        "closed": session.state == GameSession.State.CLOSED,
        "open": session.state == GameSession.State.OPEN,
    }


def _when(session: GameSession) -> datetime:
    return session.closed_at or session.opened_at or session.created_at
