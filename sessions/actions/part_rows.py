"""Relational rows of what is played before a table, written with every command from the state everybody may know.

A game adds a module with `write(session, state)` and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from rulesets.engine.play import Viewer
from sessions.models import GameSession
from sessions.selectors.state import Standing

MODULES: Mapping[str, str] = {"alice.draft": "sessions.actions.alice_draft"}
_ANYBODY = Viewer(frozenset({"all"}), "spectator")


def write(session: GameSession, now: Standing) -> None:
    """Bring the rows level with the state; nothing for games without rows."""
    if session.game in MODULES:
        state: Mapping[str, Any] = now.game.project_state(now.state, _ANYBODY)
        import_module(MODULES[session.game]).write(session, state)
