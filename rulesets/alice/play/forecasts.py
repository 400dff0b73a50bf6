"""Exact chances before a card is played, from what the viewer can see and nothing else (rules §12.4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rulesets.alice import chances
from rulesets.alice.cards import SUITS, suit_of
from rulesets.alice.odds import success_or_failure
from rulesets.alice.play.judging import legal, target_of
from rulesets.alice.play.knowing import acts_for, next_card, numbers, sees_hand, unseen, visible
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.people import can_spend_luck, hurt, read, read_ace, value
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import odds_of
from rulesets.alice.play.state import DRAW, State
from rulesets.alice.play.words import suit_name, words
from rulesets.engine.odds import Chance, Dist, Odds
from rulesets.engine.play import Viewer

SURE, NONE = Fraction(1), Fraction(0)


def asked_try(state: State, asked: Asked, viewer: Viewer, *phases: str) -> tuple[Op, int] | None:
    """The attempt a question is about, for somebody who acts for it and at a table that shows chances."""
    op = state.op
    if op is None or state.phase != "play" or not state.rule.show_probabilities or op.phase not in phases:
        return None
    at = op.of(asked.text("actor") or op.now.who)
    if at is None or op.tries[at].done or not op.tries[at].suit:
        return None
    actor = state.actors[op.tries[at].who]
    return (op, at) if acts_for(actor, viewer) and numbers(actor, viewer) else None


def counted(state: State, attempt: Attempt, cls: str, *, boosted: bool = False) -> chances.Attempt | None:
    """The attempt as chances are counted; None when the ability is at stage 3."""
    worth = value(state, state.actors[attempt.who], attempt.suit, boosted)
    if worth is None:
        return None
    return chances.Attempt(worth, attempt.suit, cls, state.rule.ace_when_flipped == "eleven_only")


# ---------------------------------------------------------------- flips


def flip(state: State, op: Op, at: int, cls: str, viewer: Viewer, *, boosted: bool = False) -> Odds | None:
    """A flip: against the target once it is known, else against what the face-down cards may be."""
    found = counted(state, op.tries[at], cls, boosted=boosted)
    pool = next_card(state, viewer)
    if found is None or not pool:
        return None
    target = target_of(op, at)
    if target is None and op.cards and not op.turned:
        return Odds(success_or_failure(chances.flip_before(unseen(state, viewer), found, op.cards)))
    if target is not None:
        return Odds(success_or_failure(chances.flip_reaches(pool, found, target)))
    return _achievements(pool, found)


def _achievements(pool: list[str], attempt: chances.Attempt) -> Odds:
    """Without a target: whether there is an achievement at all, and which (0: none)."""
    totals: dict[int, int] = {}
    for card in pool:
        reached = attempt.flipped(card)
        totals[reached or 0] = totals.get(reached or 0, 0) + 1
    made = Fraction(sum(attempt.flipped(card) is not None for card in pool), len(pool))
    return Odds(_made(made), dist=Dist(totals))


def _made(chance: Fraction) -> tuple[Chance, Chance]:
    return Chance("made", words("odds.made"), chance), Chance("failure", words("odds.nothing"), 1 - chance)


@odds_of("play.flip")
def _flip(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    found = asked_try(state, asked, viewer, "card")
    if found is None or not (state.zone(DRAW) or state.rule.discards_public):
        return None
    op, at = found
    return flip(state, op, at, op.tries[at].cls, viewer, boosted=asked.flag("boost"))


@odds_of("test.class")
@odds_of("test.propose")
def _class(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """What a class would be worth: a flip, and beside it the best card of the hand, if the viewer knows it."""
    found = asked_try(state, asked, viewer, "class")
    if found is None:
        return None
    op, at = found
    cls = "outsider" if op.tries[at].luck else asked.text("cls")
    if not cls:
        return None
    told = flip(state, op, at, cls, viewer)
    best = _best_card(state, op, at, cls, viewer)
    if told is None or best is None:
        return told
    return Odds(told.outcomes, (Chance("hand", words("odds.best_card"), best),), told.dist)


def _best_card(state: State, op: Op, at: int, cls: str, viewer: Viewer) -> Fraction | None:
    attempt = op.tries[at]
    if not sees_hand(state, state.actors[attempt.who], viewer):
        return None
    each = [card_chance(state, op, at, cls, card, viewer) for card in state.hand(attempt.who)]
    return max(each, default=None)


# ---------------------------------------------------------------- cards of the hand, luck


def card_chance(
    state: State, op: Op, at: int, cls: str, card: str, viewer: Viewer, *, boosted: bool = False, ace: str = ""
) -> Fraction:
    """The chance with a known card: 0 or 1 once the target is known."""
    attempt = op.tries[at]
    if not legal_as(attempt, cls, card):
        return NONE
    worth = value(state, state.actors[attempt.who], attempt.suit, boosted)
    return reaches(state, op, at, read(worth, card, ace), viewer)


def legal_as(attempt: Attempt, cls: str, card: str) -> bool:
    return legal(replace(attempt, cls=cls), card)


def reaches(state: State, op: Op, at: int, reached: int, viewer: Viewer) -> Fraction:
    """The chance that a known achievement suffices."""
    target = target_of(op, at)
    if target is not None:
        return SURE if reached >= target else NONE
    if op.cards and not op.turned:
        return chances.target_at_most(unseen(state, viewer), op.cards, reached)
    return SURE


def _judged(state: State, op: Op, at: int, chance: Fraction) -> Odds:
    known = target_of(op, at) is not None or (op.cards and not op.turned)
    return Odds(success_or_failure(chance) if known else _made(chance))


@odds_of("play.hand")
def _hand(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    found = asked_try(state, asked, viewer, "card")
    if found is None:
        return None
    op, at = found
    attempt, card = op.tries[at], asked.text("card")
    if not sees_hand(state, state.actors[attempt.who], viewer) or card not in state.hand(attempt.who):
        return None
    boosted, ace = asked.flag("boost"), asked.text("ace")
    chance = card_chance(state, op, at, attempt.cls, card, viewer, boosted=boosted, ace=ace)
    return _judged(state, op, at, chance)


@odds_of("play.luck")
def _luck(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    found = asked_try(state, asked, viewer, "card")
    if found is None:
        return None
    op, at = found
    actor = state.actors[op.tries[at].who]
    if not can_spend_luck(actor):
        return None
    return _judged(state, op, at, luck_chance(state, op, at, viewer, asked.flag("boost"), asked.text("ace")))


def luck_chance(state: State, op: Op, at: int, viewer: Viewer, boosted: bool = False, ace: str = "") -> Fraction:
    """Luck counts as an ace; ♦ itself is read after it has paid, unless the group reads first (§7.6)."""
    attempt = op.tries[at]
    actor = state.actors[attempt.who]
    paid = replace(actor, stages=hurt(actor, "D"))
    before = value(state, actor, attempt.suit, boosted)
    worth = value(state, paid, attempt.suit, boosted) if state.rule.luck_spend_order == "pay_first" else before
    return reaches(state, op, at, read_ace(worth, ace), viewer)


# ---------------------------------------------------------------- damage


@odds_of("damage.flip")
def _damage(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Which ability a flipped damage card would hurt."""
    op = state.op
    if op is None or op.phase != "damage" or not state.rule.show_probabilities:
        return None
    actor = state.actors[op.active.who]
    pool = next_card(state, viewer)
    if not acts_for(actor, viewer) or not visible(actor, viewer) or not pool:
        return None
    suits = [suit_of(card) for card in pool]
    return Odds(tuple(Chance(suit, suit_name(suit), Fraction(suits.count(suit), len(suits))) for suit in SUITS))
