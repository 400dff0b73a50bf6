"""Producing the card (rules §7.5): from the hand, flipped, paid with luck, or none at all; sealed in a race (§7.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.alice.cards import FATAL, card_value, rank_of
from rulesets.alice.play import reading
from rulesets.alice.play.acting import debt
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.people import (
    ACE,
    BEST,
    boost_refusal,
    check_boost,
    check_luck,
    hurt,
    read,
    read_ace,
    value,
    with_boost,
)
from rulesets.alice.play.piles import can_draw, refill, reshuffle, reshuffle_if_empty
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import command, event
from rulesets.alice.play.ruling import waiting
from rulesets.alice.play.settling import advance, conclude, legal, reveals, sealed, settle
from rulesets.alice.play.state import DRAW, PLAYED, ActorState, Commit, sealed_of
from rulesets.alice.play.words import card_name, class_name, words
from rulesets.alice.words import refused

event("committed")
event("sealed", shows=("card", "way"))
event("spent", shows=("stage",))

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


def _boosts(desk: Desk, attempt: Attempt, boost: bool) -> dict[str, Any]:
    """What a declared boost changes of its owner."""
    return {"boosts": with_boost(desk.of(attempt.who), attempt.suit)} if boost else {}


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
        _commit(desk, op, at, Commit("hand", boost, asked.text("ace")), card)
        return
    _from(desk, attempt, desk.state.hand_zone(attempt.who), card, boost, asked.text("ace"))
    refill(desk, attempt.who)
    advance(desk)


def _from(desk: Desk, attempt: Attempt, zone: str, card: str, boost: bool, ace: str) -> None:
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
        actors={actor.id: _boosts(desk, attempt, boost)},
        moves=[((card,), zone, PLAYED, "bottom")],
    )


# ---------------------------------------------------------------- flipped


@command("play.flip", _WHO, _BOOST, _ACE, answers=True, codes=(*_CODES, "E_PILE_EMPTY"), rule="§7.5")
def play_flip(desk: Desk, asked: Asked) -> None:
    """The top card of the draw pile, legal or not: it is final."""
    op, at = mine(desk, asked)
    attempt = op.tries[at]
    promised = sum(one.committed and desk.of(one.who).sealed is not None for one in op.tries) if sealed(desk, op) else 0
    if not can_draw(desk, promised + 1):
        raise refused("E_PILE_EMPTY")
    boost = boosted(desk, asked, attempt)
    if sealed(desk, op):
        _commit(desk, op, at, Commit("flip", boost, asked.text("ace")))
        return
    _flip(desk, attempt, boost, asked.text("ace"), choose=True)
    advance(desk)


def flip_card(desk: Desk) -> str:
    """Turn the top card over onto the table; the pile is made anew first if it has run out."""
    if not desk.state.zone(DRAW):
        reshuffle(desk)
    return desk.state.zone(DRAW)[0]


def _flip(desk: Desk, attempt: Attempt, boost: bool, ace: str, *, choose: bool) -> None:
    actor = desk.of(attempt.who)
    card = flip_card(desk)
    moves = [(1, DRAW, PLAYED, "bottom")]
    marks = {actor.id: _boosts(desk, attempt, boost)}
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
            achievement=read(worth, card, _flip_ace(desk, ace)),
            boosted=boost,
            ace=ace,
            at=at,
            actors=marks,
            moves=moves,
        )
    reshuffle_if_empty(desk)


def _flip_ace(desk: Desk, ace: str) -> str:
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
    ace = _flip_ace(desk, asked.text("ace"))
    desk.emit("committed", world={"op": replace(op, phase="card")}, actor=attempt.who)
    settle(
        desk,
        way="flip",
        card=attempt.card,
        value=worth,
        achievement=read(worth, attempt.card, ace),
        boosted=boost,
        ace=ace,
        actors={actor.id: _boosts(desk, attempt, boost and not attempt.boosted)},
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
        _commit(desk, op, at, Commit("luck", boost, asked.text("ace")))
        return
    _pay(desk, attempt, boost, asked.text("ace"))
    advance(desk)


def pay(desk: Desk, actor: ActorState, boosts: dict[str, Any]) -> None:
    """♦ goes down one stage."""
    stages = hurt(actor, "D")
    said = words("log.spent", name=actor.name, n=stages["D"])
    desk.emit("spent", said, actor=actor.id, actors={actor.id: {"stages": stages, **boosts}}, stage=stages["D"])


def _pay(desk: Desk, attempt: Attempt, boost: bool, ace: str) -> None:
    """Pay first, then read the ability as it is now, unless the group reads first (§7.6 b, c)."""
    before = value(desk.state, desk.of(attempt.who), attempt.suit, boost)
    pay(desk, desk.of(attempt.who), _boosts(desk, attempt, boost))
    after = desk.of(attempt.who)
    worth = value(desk.state, after, attempt.suit, boost) if desk.rule.luck_spend_order == "pay_first" else before
    at = desk.state.op.of(attempt.who) if desk.state.op is not None else None
    settle(desk, way="luck", value=worth, achievement=read_ace(worth, ace), boosted=boost, ace=ace, at=at)


@command("play.concede", _WHO, answers=True, codes=("E_DISCARD_FIRST", "E_NOT_ACTOR"), rule="§7.2")
def concede(desk: Desk, asked: Asked) -> None:
    """Play nothing: the test fails, no card is used."""
    op, at = mine(desk, asked)
    if sealed(desk, op):
        _commit(desk, op, at, Commit("concede"))
        return
    settle(desk, way="concede", outcome="fail_concede")
    advance(desk)


# ---------------------------------------------------------------- sealed


def _commit(desk: Desk, op: Op, at: int, commit: Commit, card: str = "") -> None:
    """Lay a choice face down; only its owner knows it. When all have, everything is revealed."""
    who = op.tries[at].who
    moves = [((card,), desk.state.hand_zone(who), sealed_of(who), "bottom")] if card else []
    eyes = desk.eyes_on(who)
    desk.emit(
        "sealed", actor=who, actors={who: {"sealed": commit}}, moves=moves, audience=eyes, card=card, way=commit.way
    )
    after = with_try(op, at, committed=True)
    said = words("log.committed", name=desk.of(who).name)
    desk.emit("committed", said, actor=who, world=desk.set_op(after, answered=False))
    if all(one.committed for one in after.tries):
        reveal(desk)


@reveals
def reveal(desk: Desk) -> None:
    """All at once: cards from the hand and flips in seat order, then refills in seat order (§7.8)."""
    op = desk.state.op
    if op is None:
        raise AssertionError("nothing is open")
    for attempt in op.tries:
        commit = desk.of(attempt.who).sealed
        if commit is None:
            continue
        desk.emit("committed", actor=attempt.who, actors={attempt.who: {"sealed": None}})
        _show(desk, attempt, commit)
    for attempt in op.tries:
        if desk.state.hand_size(attempt.who):
            refill(desk, attempt.who)
    after = desk.state.op
    if after is not None:
        conclude(desk, after)


def _show(desk: Desk, attempt: Attempt, commit: Commit) -> None:
    op = desk.state.op
    at = op.of(attempt.who) if op is not None else None
    if commit.way == "hand":
        zone = sealed_of(attempt.who)
        _from(desk, attempt, zone, desk.state.zone(zone)[0], commit.boosted, commit.ace)
    elif commit.way == "flip" and can_draw(desk):
        _flip(desk, attempt, commit.boosted, commit.ace, choose=False)
    elif commit.way == "luck" and desk.of(attempt.who).stage("D") < FATAL:
        _pay(desk, attempt, commit.boosted, commit.ace)
    else:
        settle(desk, way="concede", outcome="fail_concede", at=at)
