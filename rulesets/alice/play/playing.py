"""Producing the card (rules §7.5): from the hand, flipped, paid with luck, or none at all; sealed in a race (§7.8)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.alice.play import reading
from rulesets.alice.play.acting import debt
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.judging import legal, settle
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.people import (
    check_boost,
    check_luck,
    read,
    value,
)
from rulesets.alice.play.piles import can_draw, refill
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import command
from rulesets.alice.play.ruling import waiting
from rulesets.alice.play.sealing import commit
from rulesets.alice.play.settling import advance, sealed
from rulesets.alice.play.state import Commit
from rulesets.alice.play.ways import boosts_after, flip, flip_ace, from_hand, pay_with_luck
from rulesets.alice.play.words import class_name
from rulesets.alice.words import refused

_WHO = reading.actor(required=False)
_BOOST = reading.flag("boost")
_ACE = reading.choice("ace", "eleven", "twentyone", required=False)
_CODES = ("E_NOT_ACTOR", "E_DISCARD_FIRST", "E_BOOST_USED", "E_BOOST_USELESS", "E_NO_PICTURE_CARD")


def mine(desk: Desk, asked: Asked) -> tuple[Op, int]:
    """The attempt a card is played for: one's own in a sealed race, else the one whose turn it is."""
    op = waiting(desk, "card")
    who = asked.text("actor") or op.now.who
    at = op.of(who) if sealed(desk, op) else (op.at if who == op.now.who else None)
    if at is None or not desk.owns(desk.of(who)):
        raise refused("E_NOT_ACTOR")
    if op.tries[at].committed:
        raise refused("E_WRONG_STATE")
    if debt(desk, desk.of(who)):
        raise refused("E_DISCARD_FIRST")
    return op, at


def boosted(desk: Desk, asked: Asked, attempt: Attempt) -> bool:
    if asked.flag("boost"):
        check_boost(desk, desk.of(attempt.who), attempt.suit)
    return asked.flag("boost")


# ---------------------------------------------------------------- from the hand


@command(
    "play.hand",
    _WHO,
    reading.card(),
    _BOOST,
    _ACE,
    answers=True,
    codes=(*_CODES, "E_ILLEGAL_SUBMIT", "E_NOT_YOUR_CARD"),
    rule="§7.5",
)
def play_hand(desk: Desk, asked: Asked) -> None:
    """A card of the hand that the class allows; the hand is full again at once."""
    op, at = mine(desk, asked)
    attempt, card = op.tries[at], asked.text("card")
    if card not in desk.state.hand(attempt.who):
        raise refused("E_NOT_YOUR_CARD")
    if not legal(attempt, card):
        raise refused("E_ILLEGAL_SUBMIT", cls=class_name(attempt.cls))
    boost = boosted(desk, asked, attempt)
    if sealed(desk, op):
        commit(desk, op, at, Commit("hand", boost, asked.text("ace")), card)
        return
    from_hand(desk, attempt, desk.state.hand_zone(attempt.who), card, boost, asked.text("ace"))
    refill(desk, attempt.who)
    advance(desk)


# ---------------------------------------------------------------- flipped


@command("play.flip", _WHO, _BOOST, _ACE, answers=True, codes=(*_CODES, "E_PILE_EMPTY"), rule="§7.5")
def playflip(desk: Desk, asked: Asked) -> None:
    """The top card of the draw pile, legal or not: it is final."""
    op, at = mine(desk, asked)
    attempt = op.tries[at]
    promised = sum(one.committed and desk.of(one.who).sealed is not None for one in op.tries) if sealed(desk, op) else 0
    if not can_draw(desk, promised + 1):
        raise refused("E_PILE_EMPTY")
    boost = boosted(desk, asked, attempt)
    if sealed(desk, op):
        commit(desk, op, at, Commit("flip", boost, asked.text("ace")))
        return
    flip(desk, attempt, boost, asked.text("ace"), choose=True)
    advance(desk)


@command(
    "play.ace",
    _WHO,
    reading.choice("ace", "eleven", "twentyone", required=False),
    _BOOST,
    answers=True,
    codes=_CODES,
    rule="§7.1",
)
def choose_ace(desk: Desk, asked: Asked) -> None:
    """How the flipped card reads."""
    op = waiting(desk, "ace")
    attempt = op.now
    actor = desk.of(attempt.who)
    if asked.text("actor") not in ("", attempt.who) or not desk.owns(actor):
        raise refused("E_NOT_ACTOR")
    boost = attempt.boosted
    if asked.flag("boost"):
        if desk.rule.boost_timing != "after_card":
            raise refused("E_WRONG_STATE")
        boost = boosted(desk, asked, attempt)
    worth = value(desk.state, actor, attempt.suit, boost)
    ace = flip_ace(desk, asked.text("ace"))
    desk.emit("committed", world={"op": replace(op, phase="card")}, actor=attempt.who)
    settle(
        desk,
        way="flip",
        card=attempt.card,
        value=worth,
        achievement=read(worth, attempt.card, ace),
        boosted=boost,
        ace=ace,
        actors={actor.id: boosts_after(desk, attempt, boost and not attempt.boosted)},
    )
    advance(desk)


# ---------------------------------------------------------------- luck, or nothing


@command("play.luck", _WHO, _BOOST, _ACE, answers=True, codes=(*_CODES, "E_LUCK_EXHAUSTED"), rule="§7.6")
def play_luck(desk: Desk, asked: Asked) -> None:
    """One stage of ♦ instead of a card: as an ace, whatever the class."""
    op, at = mine(desk, asked)
    attempt = op.tries[at]
    check_luck(desk.of(attempt.who))
    boost = boosted(desk, asked, attempt)
    if sealed(desk, op):
        commit(desk, op, at, Commit("luck", boost, asked.text("ace")))
        return
    pay_with_luck(desk, attempt, boost, asked.text("ace"))
    advance(desk)


@command("play.concede", _WHO, answers=True, codes=("E_DISCARD_FIRST", "E_NOT_ACTOR"), rule="§7.2")
def concede(desk: Desk, asked: Asked) -> None:
    """Play nothing: the test fails, no card is used."""
    op, at = mine(desk, asked)
    if sealed(desk, op):
        commit(desk, op, at, Commit("concede"))
        return
    settle(desk, way="concede", outcome="fail_concede")
    advance(desk)
