"""The evenings of a campaign, on its page: the open one leads to the table, those that are over to their records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from characters.present.campaign import Desk
from rulesets import services
from sessions.models import GameSession
from sessions.selectors.access import sessions_of

CHANGED_BY = ("session.planned", "session.edited", "session.opened", "session.closed", "member.role")


def sessions_panel(desk: Desk) -> dict[str, Any]:
    """Newest first. Says nothing that changes without an event of the campaign."""
    found = sorted(sessions_of(desk.access), key=lambda session: -session.number)
    lang = desk.lang
    return {
        "sessions": [_row(session, lang) for session in found],
        "access": desk.access,
        "parts": _parts(desk, found) if desk.access.is_gm else [],
    }


def _parts(desk: Desk, found: Sequence[GameSession]) -> list[dict[str, str]]:
    """What may be played before a table: not while one of its kind is open."""
    system = desk.access.campaign.system
    running = {session.part for session in found if session.state != GameSession.State.CLOSED}
    return [
        {"part": part, "name": services.part_name(system, part).pick(desk.lang)}
        for part in services.parts(system)
        if part not in running
    ]


def _row(session: GameSession, lang: str) -> dict[str, Any]:
    return {
        "number": session.number,
        "chapter": session.chapter,
        "title": title_of(session, lang),
        "part": session.part,
        "state": session.state,
        "state_label": str(session.get_state_display()),
        "at": _when(session),
        "closed": session.state == GameSession.State.CLOSED,
        "open": session.state == GameSession.State.OPEN,
    }


def title_of(session: GameSession, lang: str) -> str:
    """The title the GM gave, or the game's name of what comes before a table."""
    if not session.part:
        return str(session.title)
    return services.part_name(session.campaign.system, session.part).pick(lang)


def _when(session: GameSession) -> datetime:
    return session.closed_at or session.opened_at or session.created_at
