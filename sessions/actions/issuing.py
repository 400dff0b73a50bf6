"""A command by its name, whoever carries it out: most are the game's, some change the table as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import EVENING_END, EVENING_START, SCENE_SET
from sessions.actions import sessions
from sessions.actions.commands import Done, run_command
from sessions.selectors.access import SessionAccess


def issue(
    *,
    access: SessionAccess,
    name: str,
    data: Mapping[str, Any],
    command_id: str = "",
    expected_step: int | None = None,
    override: str = "",
) -> Done:
    """Carry out a command. Evenings and scenes are the table's, and told to games that care; newer sheets and people
    who join come by characters of the site (`sessions.refresh_sheet`, `join_cast`). Raises CommandRefused,
    ActionRefused."""
    if name == EVENING_START:
        return sessions.start_evening(access=access, command_id=command_id)
    if name == EVENING_END:
        return sessions.end_evening(access=access, command_id=command_id)
    if name == SCENE_SET:
        title, text = (str(data.get(key) or "") for key in ("title", "text"))
        return sessions.set_scene(access=access, title=title, text=text, command_id=command_id)
    return run_command(
        access=access,
        name=name,
        data=data,
        command_id=command_id,
        expected_step=expected_step,
        override=override,
    )
