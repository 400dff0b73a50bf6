"""The open operation as a viewer may see it (rules §7): who is asked, what was done, which cards may be played."""

from __future__ import annotations

from typing import Any

from rulesets.alice.cards import FATAL, SUITS, suit_of
from rulesets.alice.play.forecasts import card_chance, flip, luck_chance
from rulesets.alice.play.judging import legal, target_of
from rulesets.alice.play.knowing import acts_for, numbers, sees_hand, visible
from rulesets.alice.play.op_state import OPPOSED, Attempt, Op
from rulesets.alice.play.people import action_key, boost_refusal, can_spend_luck, read, read_ace, tag_class, value
from rulesets.alice.play.ruling import difficulties
from rulesets.alice.play.state import State
from rulesets.alice.play.views import part, text
from rulesets.alice.play.words import action_words, class_name, listed, words
from rulesets.alice.words import message
from rulesets.engine.odds import percent
from rulesets.engine.play import Viewer

_GM_PHASES = ("declared", "suit", "class", "verdict")


def asked_of(op: Op) -> list[str]:
    """Who is waited for: `gm`, or characters."""
    if op.phase in _GM_PHASES:
        return ["gm"]
    if op.kind == "race":
        return [one.who for one in op.tries if not one.committed]
    return [op.now.who]


@part("op")
def _op(state: State, viewer: Viewer) -> dict[str, Any] | None:
    op = state.op
    if op is None or any(not visible(state.actors[one.who], viewer) for one in op.tries):
        return None
    return {
        "id": op.id,
        "kind": op.kind,
        "label": text(words(f"kind.{op.kind}")),
        "phase": op.phase,
        "question": text(words(f"ask.{op.phase}", name=listed(_names(state, op)))),
        "asked": asked_of(op),
        "at": op.at,
        "cards": op.cards,
        "difficulties": difficulties(op.kind),
        "turned": op.turned,
        "favourable": op.favourable,
        "target": op.target,
        "about": {key: found for key, found in op.about.items() if key != "key"},
        "since": op.since,
        "tries": [_try(state, op, at, viewer) for at in range(len(op.tries))],
        "options": [_options(state, op, at, viewer) for at in _mine(state, op, viewer)],
        "readings": _readings(state, op, viewer),
        "damage": _damage(state, op, viewer),
    }


def _names(state: State, op: Op) -> list[str]:
    return [state.actors[who].name if who in state.actors else words("gm").ja for who in asked_of(op)]


def _try(state: State, op: Op, at: int, viewer: Viewer) -> dict[str, Any]:
    one = op.tries[at]
    return {
        "who": one.who,
        "side": ("active" if at == 0 else "passive") if op.kind in OPPOSED else "",
        "action": one.action,
        "action_label": text(action_words(one.action)),
        "suit": one.suit,
        "wish": one.wish,
        "wish_reason": one.wish_reason,
        "base": one.base,
        "cls": one.cls,
        "cls_label": text(class_name(one.cls)) if one.cls else None,
        "luck": one.luck,
        "story": one.story,
        "reason": bool(one.token),
        "way": one.way,
        "card": one.card,
        "boosted": one.boosted,
        "ace": one.ace,
        "value": one.value,
        "target": target_of(op, at),
        "achievement": one.achievement,
        "outcome": one.outcome,
        "outcome_label": text(words(f"outcome.{one.outcome}")) if one.outcome else None,
        "committed": one.committed,
        "rank": one.rank,
        "suggested": _suggested(state, one, viewer),
    }


def _suggested(state: State, one: Attempt, viewer: Viewer) -> str:
    """The class this game has decided before, or a GM character's tags say."""
    actor = state.actors[one.who]
    if one.luck:
        return "outsider"
    if actor.npc:
        return tag_class(actor, one.action) if numbers(actor, viewer) else ""
    known = state.registry.get(f"{actor.character.occupation}|{action_key(one.action)}")
    return known.cls if known is not None else ""


# ---------------------------------------------------------------- what may be played


def _mine(state: State, op: Op, viewer: Viewer) -> list[int]:
    """Attempts that wait for a card of this viewer's."""
    if op.phase != "card":
        return []
    return [
        at for at, one in enumerate(op.tries) if one.who in asked_of(op) and acts_for(state.actors[one.who], viewer)
    ]


def _options(state: State, op: Op, at: int, viewer: Viewer) -> dict[str, Any]:
    """Every way to produce the card (§7.5): which cards of the hand, and why others are not; flip; luck; boost."""
    attempt = op.tries[at]
    actor = state.actors[attempt.who]
    boost = boost_refusal(state, actor, attempt.suit)
    shown = state.rule.show_probabilities
    found: dict[str, Any] = {
        "who": attempt.who,
        "hand": [_card(state, op, at, card, viewer) for card in state.hand(attempt.who)]
        if sees_hand(state, actor, viewer)
        else None,
        "flip": {"odds": None},
        "luck": {"open": can_spend_luck(actor), "left": 3 - actor.stage("D"), "chance": None},
        "boost": {"open": not boost, "refusal": boost or None},
    }
    if shown:
        odds = flip(state, op, at, attempt.cls, viewer)
        found["flip"]["odds"] = odds.as_json() if odds is not None else None
        if can_spend_luck(actor):
            found["luck"]["chance"] = percent(luck_chance(state, op, at, viewer))
            found["luck"]["total"] = read_ace(value(state, actor, attempt.suit), "")
    return found


def _readings(state: State, op: Op, viewer: Viewer) -> dict[str, int] | None:
    """What a flipped card comes to either way, for whoever chooses (§7.1)."""
    if op.phase != "ace" or not acts_for(state.actors[op.now.who], viewer):
        return None
    worth = value(state, state.actors[op.now.who], op.now.suit, op.now.boosted)
    return {ace: read(worth, op.now.card, ace) for ace in ("eleven", "twentyone")}


def _damage(state: State, op: Op, viewer: Viewer) -> dict[str, Any] | None:
    """How the attacker may choose the ability that is hurt (§9.4); `over`: it is at its worst already."""
    actor = state.actors[op.active.who]
    if op.phase != "damage" or not acts_for(actor, viewer):
        return None
    target = state.actors[op.tries[1].who]
    over = {suit: target.stage(suit) >= FATAL for suit in SUITS}
    cards = [{"card": card, "suit": suit_of(card), "over": over[suit_of(card)]} for card in state.hand(actor.id)]
    return {
        "target": target.id,
        "over": over,
        "hand": cards if sees_hand(state, actor, viewer) else None,
        "luck": state.rule.luck_spend_for_damage and can_spend_luck(actor),
        "decline": state.rule.attacker_may_decline_damage,
    }


def _card(state: State, op: Op, at: int, card: str, viewer: Viewer) -> dict[str, Any]:
    attempt = op.tries[at]
    ok = legal(attempt, card)
    why = message("E_ILLEGAL_SUBMIT", cls=class_name(attempt.cls))
    worth = value(state, state.actors[attempt.who], attempt.suit)
    chance = card_chance(state, op, at, attempt.cls, card, viewer) if state.rule.show_probabilities else None
    return {
        "card": card,
        "legal": ok,
        "why": None if ok else text(why),
        "total": read(worth, card, "") if ok else None,
        "chance": percent(chance) if chance is not None else None,
    }
