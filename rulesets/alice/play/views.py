"""The parts of the table as one viewer may see it (rules §6.6, §10): piles, scene, registry; nothing unregistered."""

from __future__ import annotations

from typing import Any

from rulesets.alice.play.knowing import acts_for, sees_all, sees_hand, visible
from rulesets.alice.play.state import DIFFICULTY, DISCARD, DRAW, GM_HAND, PLAYED, State
from rulesets.alice.play.words import action_words, class_name
from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import Parts
from rulesets.engine.text import Text

_PARTS: Parts[State] = Parts()
part, state_view = _PARTS.part, _PARTS.view


def text(found: Text) -> dict[str, str]:
    return {"ja": found.ja, "en": found.en}


@part("step")
def _step(state: State, viewer: Viewer) -> int | None:
    """The step an answer has to name; None while nothing is open."""
    return state.step if state.op is not None else None


@part("phase")
def _phase(state: State, viewer: Viewer) -> str:
    return state.phase


@part("scene")
def _scene(state: State, viewer: Viewer) -> dict[str, Any]:
    return {
        "title": state.scene.title,
        "text": state.scene.text,
        "story": state.story,
        "party_group": state.party_group,
        "evening": state.evening,
    }


@part("clock")
def _clock(state: State, viewer: Viewer) -> dict[str, Any]:
    return {"day": state.day, "morning": state.morning}


@part("rules")
def _rules(state: State, viewer: Viewer) -> dict[str, Any]:
    """What everybody at the table is told of the group's ways (§6.6: that the GM sees hands is announced)."""
    rule = state.rule
    return {
        "hand_size": rule.hand_size,
        "gm_sees_hands": rule.gm_sees_hands,
        "discards_public": rule.discards_public,
        "show_probabilities": rule.show_probabilities,
        "gm_character_cards": rule.gm_character_cards,
    }


@part("piles")
def _piles(state: State, viewer: Viewer) -> dict[str, Any]:
    """Counts; faces of what lies open. The order of the pile only when the game is over."""
    op, ended = state.op, state.phase == "ended"
    discards = list(state.zone(DISCARD))
    return {
        "decks": state.decks,
        "draw": len(state.zone(DRAW)),
        "draw_cards": list(state.zone(DRAW)) if ended else None,
        "discard": len(discards),
        "discard_cards": discards if state.rule.discards_public or ended else None,
        "difficulty": len(state.zone(DIFFICULTY)),
        "difficulty_cards": list(state.zone(DIFFICULTY)) if op is not None and op.turned else None,
        "played": list(state.zone(PLAYED)),
        "gm_hand": len(state.zone(GM_HAND)),
        "gm_hand_cards": list(state.zone(GM_HAND)) if sees_all(viewer) or ended else None,
        "owed": sum(one.count for one in state.owed),
    }


@part("alices")
def _alices(state: State, viewer: Viewer) -> list[dict[str, Any]] | None:
    """The アリス of the scenario: the GM's alone until the game is over."""
    if not sees_all(viewer) and state.phase != "ended":
        return None
    found = []
    for one in state.alices.values():
        row: dict[str, Any] = {"id": one.id, "name": one.name, "cards": list(one.cards)}
        found.append({**row, "notes": one.notes} if sees_all(viewer) else row)
    return found


@part("registry")
def _registry(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """Classes decided in this game, for everybody (§7.2)."""
    return [
        {
            "id": key,
            "occupation": one.occupation,
            "action": one.action,
            "action_label": text(action_words(one.action)),
            "cls": one.cls,
            "label": text(class_name(one.cls)),
        }
        for key, one in state.registry.items()
    ]


@part("transfers")
def _transfers(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """Cards offered; which card, for giver and receiver only (§6.6)."""
    found = []
    for one in state.transfers.values():
        giver, receiver = state.actors[one.giver], state.actors[one.receiver]
        knows = any(sees_hand(state, actor, viewer) for actor in (giver, receiver))
        found.append(
            {
                "id": one.id,
                "giver": one.giver,
                "receiver": one.receiver,
                "support": one.support,
                "card": giver.offers.get(one.id) if knows else None,
                "mine": acts_for(giver, viewer),
            }
        )
    return found


@part("reasons")
def _reasons(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """道理 that somebody knows (§7.9)."""
    round_ = state.combat.round if state.combat is not None else None
    return [
        {
            "id": one.id,
            "action": one.action,
            "holder": one.holder,
            "state": one.state,
            "ready": one.state == "ready" and (round_ is None or one.ready_from <= round_),
        }
        for one in state.tokens.values()
        if visible(state.actors[one.holder], viewer)
    ]
