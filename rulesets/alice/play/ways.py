"""The ways to produce a card (rules §7.5, §7.6): what each moves, costs and reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.alice.cards import card_value, rank_of
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.judging import legal, settle
from rulesets.alice.play.op_state import Attempt
from rulesets.alice.play.people import ACE, BEST, boost_refusal, hurt, read, read_ace, value, with_boost
from rulesets.alice.play.piles import reshuffle, reshuffle_if_empty
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import DRAW, PLAYED, ActorState
from rulesets.alice.play.words import card_name, words

event("spent", shows=("stage",))
event("flipped", shows=("card", "cls"))


def boosts_after(desk: Desk, attempt: Attempt, boost: bool) -> dict[str, Any]:
    """What a declared boost changes of its owner."""
    return {"boosts": with_boost(desk.of(attempt.who), attempt.suit)} if boost else {}


def from_hand(desk: Desk, attempt: Attempt, zone: str, card: str, boost: bool, ace: str) -> None:
    actor = desk.of(attempt.who)
    worth = value(desk.state, actor, attempt.suit, boost)
    op = desk.state.op
    settle(
        desk,
        way="hand",
        card=card,
        value=worth,
        achievement=read(worth, card, ace),
        boosted=boost,
        ace=ace,
        at=op.of(attempt.who) if op is not None else None,
        actors={actor.id: boosts_after(desk, attempt, boost)},
        moves=[((card,), zone, PLAYED, "bottom")],
    )


def flip_card(desk: Desk) -> str:
    """Turn the top card over onto the table; the pile is made anew first if it has run out."""
    if not desk.state.zone(DRAW):
        reshuffle(desk)
    return desk.state.zone(DRAW)[0]


def flip(desk: Desk, attempt: Attempt, boost: bool, ace: str, *, choose: bool) -> None:
    actor = desk.of(attempt.who)
    card = flip_card(desk)
    moves = [(1, DRAW, PLAYED, "bottom")]
    marks = {actor.id: boosts_after(desk, attempt, boost)}
    at = desk.state.op.of(attempt.who) if desk.state.op is not None else None
    if not legal(attempt, card):
        settle(
            desk, way="flip", outcome="fail_illegal_flip", card=card, boosted=boost, at=at, actors=marks, moves=moves
        )
    elif choose and _choice(desk, attempt, card, boost, ace):
        _ask_reading(desk, attempt, card, boost, marks)
    else:
        worth = value(desk.state, actor, attempt.suit, boost)
        settle(
            desk,
            way="flip",
            card=card,
            value=worth,
            achievement=read(worth, card, flip_ace(desk, ace)),
            boosted=boost,
            ace=ace,
            at=at,
            actors=marks,
            moves=moves,
        )
    reshuffle_if_empty(desk)


def flip_ace(desk: Desk, ace: str) -> str:
    return "eleven" if desk.rule.ace_when_flipped == "eleven_only" else ace


def _choice(desk: Desk, attempt: Attempt, card: str, boost: bool, ace: str) -> bool:
    """Whether the flipped card leaves something to choose: the reading of an ace, or a boost declared late."""
    late = desk.rule.boost_timing == "after_card" and not boost
    if late and not boost_refusal(desk.state, desk.of(attempt.who), attempt.suit):
        return True
    worth = value(desk.state, desk.of(attempt.who), attempt.suit, boost) or 0
    free = desk.rule.ace_when_flipped == "same" and not ace
    return rank_of(card) == ACE and free and worth + card_value(ACE) != BEST


def _ask_reading(desk: Desk, attempt: Attempt, card: str, boost: bool, marks: dict[str, Any]) -> None:
    op = desk.state.op
    if op is None:
        raise AssertionError("nothing is open")
    after = replace(with_try(op, op.at, way="flip", card=card, boosted=boost), phase="ace")
    desk.emit(
        "flipped",
        words("log.flipped", name=desk.of(attempt.who).name, card=card_name(card)),
        actor=attempt.who,
        actors=marks,
        world=desk.set_op(after),
        moves=[(1, DRAW, PLAYED, "bottom")],
        card=card,
        cls=attempt.cls,
    )


def pay(desk: Desk, actor: ActorState, boosts: dict[str, Any]) -> None:
    """♦ goes down one stage."""
    stages = hurt(actor, "D")
    said = words("log.spent", name=actor.name, n=stages["D"])
    desk.emit("spent", said, actor=actor.id, actors={actor.id: {"stages": stages, **boosts}}, stage=stages["D"])


def pay_with_luck(desk: Desk, attempt: Attempt, boost: bool, ace: str) -> None:
    """Pay first, then read the ability as it is now, unless the group reads first (§7.6 b, c)."""
    before = value(desk.state, desk.of(attempt.who), attempt.suit, boost)
    pay(desk, desk.of(attempt.who), boosts_after(desk, attempt, boost))
    after = desk.of(attempt.who)
    worth = value(desk.state, after, attempt.suit, boost) if desk.rule.luck_spend_order == "pay_first" else before
    at = desk.state.op.of(attempt.who) if desk.state.op is not None else None
    settle(desk, way="luck", value=worth, achievement=read_ace(worth, ace), boosted=boost, ace=ace, at=at)
