"""Sealed races (rules §7.8): everybody chooses face down, then all is revealed together."""

from __future__ import annotations

from rulesets.alice.cards import FATAL
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.judging import settle
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.piles import can_draw, refill
from rulesets.alice.play.registry import event
from rulesets.alice.play.settling import conclude, reveals
from rulesets.alice.play.state import Commit, sealed_of
from rulesets.alice.play.ways import flip, from_hand, pay_with_luck
from rulesets.alice.play.words import words

event("committed")
event("sealed", shows=("card", "way"))


def commit(desk: Desk, op: Op, at: int, commit: Commit, card: str = "") -> None:
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
        from_hand(desk, attempt, zone, desk.state.zone(zone)[0], commit.boosted, commit.ace)
    elif commit.way == "flip" and can_draw(desk):
        flip(desk, attempt, commit.boosted, commit.ace, choose=False)
    elif commit.way == "luck" and desk.of(attempt.who).stage("D") < FATAL:
        pay_with_luck(desk, attempt, commit.boosted, commit.ace)
    else:
        settle(desk, way="concede", outcome="fail_concede", at=at)
