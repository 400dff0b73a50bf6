"""Characters and the fight as a viewer may see them (rules §5, §6.6, §8, §9)."""

from __future__ import annotations

from typing import Any

from rulesets.alice.cards import FATAL, SUITS
from rulesets.alice.play.knowing import acts_for, numbers, sees_all, sees_hand, visible
from rulesets.alice.play.people import boost_refusal, value
from rulesets.alice.play.state import ActorState, State, sealed_of
from rulesets.alice.play.views import part, text
from rulesets.alice.play.words import stage_name, suit_name, words
from rulesets.alice.words import message
from rulesets.engine.play import Viewer


@part("actors")
def _actors(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    return [actor_view(state, one, viewer) for one in state.actors.values() if visible(one, viewer)]


def actor_view(state: State, one: ActorState, viewer: Viewer) -> dict[str, Any]:
    known = numbers(one, viewer)
    character = one.character
    found: dict[str, Any] = {
        "id": one.id,
        "name": one.name,
        "kind": one.cast.kind,
        "seat": one.seat,
        "group": one.cast.group,
        "mine": acts_for(one, viewer),
        "on_stage": one.on_stage,
        "hidden": one.hidden,
        "numbers_shown": one.numbers_shown,
        "status": one.status,
        "incapacitated": one.incapacitated,
        "state_label": text(words(f"status.{_word(one)}")),
        "busy": one.busy,
        "acted": one.acted,
        "escaped": one.escaped,
        "held_by": one.held_by if not one.held_by or visible(state.actors[one.held_by], viewer) else "",
        "occupation": character.occupation,
        "current_job": character.current_job if _knows_job(one, viewer) else "",
        "abilities": [_ability(state, one, suit) for suit in SUITS] if known else None,
        "expert": list(character.expert) if known else [],
        "related": list(character.related) if known else [],
        "hand": None if one.npc else _hand(state, one, viewer),
        "sealed": _sealed(state, one, viewer),
        "pacts": [
            {"id": key, "kind": pact.kind, "alice": pact.alice, "hand_delta": pact.hand_delta, "note": pact.note}
            for key, pact in one.pacts.items()
        ],
        "day": {
            "sleepless": one.sleepless,
            "refreshed": one.refreshed,
            "sheltered": one.sheltered,
            "heals": one.heals,
            "resting_since": one.resting_since,
        },
        "locks": {"empathy": sorted(one.empathy_lock), "acquire": sorted(one.acquire_lock)} if known else None,
        "belongings": one.belongings if acts_for(one, viewer) else "",
    }
    if sees_all(viewer):
        found["notes"] = character.notes
    return found


def _word(one: ActorState) -> str:
    """What ails somebody, in one word (§8.2)."""
    if one.status != "active":
        return one.status
    if not one.incapacitated:
        return "luckless" if one.stage("D") >= FATAL else "able"
    return next(f"out_{suit}" for suit in ("S", "C", "H") if one.stage(suit) >= one.character.out_at)


def _knows_job(one: ActorState, viewer: Viewer) -> bool:
    return acts_for(one, viewer) or one.character.job_visibility == "group"


def _ability(state: State, one: ActorState, suit: str) -> dict[str, Any]:
    """An ability as its card lies on the table: sideways and face down with damage; its rank stays known (§6.6)."""
    row = state.tables.stages[str(one.stage(suit))]
    boost = boost_refusal(state, one, suit)
    return {
        "suit": suit,
        "label": text(suit_name(suit)),
        "rank": one.ranks.get(suit),
        "card": one.cards.get(suit),
        "stage": one.stage(suit),
        "stage_label": text(stage_name(one.stage(suit))),
        "face_up": row.face_up,
        "upright": row.upright,
        "value": value(state, one, suit),
        "boost": None if boost == "E_NO_PICTURE_CARD" else value(state, one, suit, True),
        "boost_used": suit in one.boosts,
        "boost_refusal": {"code": boost, "text": text(message(boost))} if boost else None,
    }


def _hand(state: State, one: ActorState, viewer: Viewer) -> dict[str, Any]:
    cards = state.hand(one.id)
    size = state.hand_size(one.id)
    open_ = sees_hand(state, one, viewer)
    return {
        "count": len(cards),
        "size": size,
        "surplus": max(0, len(cards) - size) if state.phase == "play" else 0,
        "cards": list(cards) if open_ else None,
    }


def _sealed(state: State, one: ActorState, viewer: Viewer) -> dict[str, Any] | None:
    """One's own sealed choice; the others only see that there is one (in the operation)."""
    if one.sealed is None or not (sees_hand(state, one, viewer) if not one.npc else sees_all(viewer)):
        return None
    cards = state.zone(sealed_of(one.id))
    return {"way": one.sealed.way, "card": cards[0] if cards else None, "boosted": one.sealed.boosted}


@part("fight")
def _fight(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """Round, order, whose turn; those who are hidden are not there."""
    combat = state.combat
    if combat is None:
        return None
    seen = {who for who in combat.members if visible(state.actors[who], viewer)}
    return {
        "round": combat.round,
        "members": [who for who in combat.members if who in seen],
        "order": [
            {"id": who, "value": value(state, state.actors[who], "S"), "acted": state.actors[who].acted}
            for who in combat.order
            if who in seen
        ],
        "now": combat.now if combat.now in seen else "",
        "fleeing": combat.fleeing,
    }
