"""Who may see what of the state, and the parts every view is made of (rules §10; DESIGN §3 `project`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.edo.play.masks import health_of
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, State
from rulesets.edo.play.words import words
from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import Parts
from rulesets.engine.text import Text

_PARTS: Parts[State] = Parts()
part, state_view = _PARTS.part, _PARTS.view


# ---------------------------------------------------------------- who sees what


def sees_all(viewer: Viewer) -> bool:
    """The GM and their helpers."""
    return viewer.role in ("gm", "co_gm")


def visible(actor: ActorState, viewer: Viewer) -> bool:
    """Whether somebody exists for this viewer."""
    return sees_all(viewer) or not actor.npc or (actor.on_stage and not actor.hidden)


def numbers(actor: ActorState, viewer: Viewer) -> bool:
    """Whether this viewer may know somebody's numbers."""
    return visible(actor, viewer) and (sees_all(viewer) or not actor.npc or actor.numbers_shown)


def owns(actor: ActorState, viewer: Viewer) -> bool:
    """Whether the viewer acts for somebody: their own character, or anybody for the GM."""
    return sees_all(viewer) or (
        viewer.role == "player" and not actor.npc and bool(viewer.seat) and actor.seat == viewer.seat
    )


def may_answer(state: State, viewer: Viewer) -> bool:
    """Whether the open question is for this viewer."""
    waiting = state.exchange or state.contest
    return waiting is not None and bool(waiting.asked) and owns(state.actors[waiting.asked], viewer)


def text(found: Text) -> dict[str, str]:
    return {"ja": found.ja, "en": found.en}


def life_of(actor: ActorState, viewer: Viewer) -> str:
    """The state of life as it looks: an NPC who seems dead is dead for the players (§6.3)."""
    if actor.life.state == "seeming_dead" and actor.npc and not sees_all(viewer):
        return "dead"
    return actor.life.state


def health_word(person: Person) -> dict[str, Any]:
    """無傷, 手負い, ひどい傷: how somebody looks."""
    word = health_of(person)
    return {"id": word, "label": text(words(f"health.{word}"))}


# ---------------------------------------------------------------- small parts


@part("step")
def _step(state: State, viewer: Viewer) -> int | None:
    """The step an answer has to name; None while nothing is asked."""
    waiting = state.exchange or state.contest
    return state.step if waiting is not None and waiting.asked else None


@part("scene")
def _scene(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.scene.number, "title": state.scene.title, "text": state.scene.text}


@part("evening")
def _evening(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.evening, "scenario_open": state.scenario_open}


@part("clock")
def _clock(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"day": state.clock.day, "hour": state.clock.hour}
