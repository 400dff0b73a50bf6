"""Who may see whom, and the small parts of the projected state (rules §3.1, §10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import is_gm
from rulesets.engine.text import Text
from rulesets.witch.play.registry import part
from rulesets.witch.play.state import ActorState, State


def visible(actor: ActorState, viewer: Viewer) -> bool:
    """Whether somebody exists for this viewer."""
    return is_gm(viewer) or not actor.hidden


def sees_numbers(actor: ActorState, viewer: Viewer) -> bool:
    """Whether this viewer may know somebody's numbers: those of an NPC are the GM's unless shown."""
    return is_gm(viewer) or not actor.npc or actor.numbers_shown


def owns(actor: ActorState, viewer: Viewer) -> bool:
    """Whether the viewer plays somebody: their own character, or anybody for the GM."""
    return is_gm(viewer) or plays(actor, viewer)


def plays(actor: ActorState, viewer: Viewer) -> bool:
    return viewer.role == "player" and not actor.npc and bool(viewer.seat) and actor.seat == viewer.seat


def text(found: Text) -> dict[str, str]:
    return {"ja": found.ja, "en": found.en}


# ---------------------------------------------------------------- small parts


@part("step")
def _step(state: State, viewer: Viewer) -> None:
    """No command of this game answers by a step: help is answered by the request's own id."""
    return None


@part("scene")
def _scene(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.scene.number, "title": state.scene.title, "text": state.scene.text}


@part("evening")
def _evening(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.evening, "scenario": state.scenario, "scenario_open": state.scenario_open}
