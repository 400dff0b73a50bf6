"""From card to card to the end of an operation (rules §7.2, §7.7, §7.8, §9.4): who is next, who has won, what follows.

`close` ends an operation, with or without cards, and lays what is on the table to the discards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.cards import FATAL
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.judging import settle
from rulesets.alice.play.op_state import OPPOSED, SINGLE, SUCCESSES, Attempt, Op
from rulesets.alice.play.people import value
from rulesets.alice.play.piles import after_discards, clear_table
from rulesets.alice.play.registry import event
from rulesets.alice.play.rounds import settle_turn
from rulesets.alice.play.state import ActorState
from rulesets.alice.play.words import listed, reason, words
from rulesets.alice.rulings import contest_winner, race_ranks
from rulesets.engine.outcome import Change, Outcome
from rulesets.engine.text import Text

event("asked", shows=("who",))
event("closed", shows=("kind", "result", "ranks"))
event("verdict.wanted")

# GM characters with fixed achievements (§13.3)
FIXED = {"expert": 6, "related": 4, "outsider": 2}
Ending = Callable[[Desk, Op], tuple[dict[str, dict[str, Any]], dict[str, Any], list[Change]]]
# kind -> what its end does: new values of characters, of the table, changes told
_ENDINGS: dict[str, Ending] = {}


def ending(kind: str) -> Callable[[Ending], Ending]:
    """Register what follows the end of one kind of operation."""

    def register(end: Ending) -> Ending:
        _ENDINGS[kind] = end
        return end

    return register


# ---------------------------------------------------------------- a card wanted


def enter_card(desk: Desk, op: Op) -> None:
    """Ask for the card of whoever is next; who cannot have an achievement is settled at once."""
    desk.emit("asked", world=desk.set_op(op), who=op.now.who)
    if sealed(desk, op):
        for at, one in enumerate(op.tries):
            if not one.done and _cannot(desk, one):
                op = with_try(op, at, outcome=_cannot(desk, one), committed=True)
        desk.emit("asked", world={"op": op}, who=op.now.who)
        if all(one.committed for one in op.tries):
            _REVEAL[0](desk)
        return
    failed = _cannot(desk, op.now)
    if failed:
        settle(desk, outcome=failed, way="")
    elif desk.of(op.now.who).npc and desk.rule.gm_character_cards == "fixed":
        _fixed(desk, op)
    advance(desk)


_REVEAL: list[Callable[[Desk], None]] = [lambda desk: None]


def reveals(show: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Register how a sealed race is revealed."""
    _REVEAL[0] = show
    return show


def sealed(desk: Desk, op: Op) -> bool:
    return op.kind == "race" and desk.rule.race_commit == "sealed"


def _cannot(desk: Desk, attempt: Attempt) -> str:
    """Why no card can help: the ability is at stage 3."""
    return "fail_stage3" if desk.of(attempt.who).stage(attempt.suit) >= FATAL else ""


def _fixed(desk: Desk, op: Op) -> None:
    attempt = op.now
    worth = value(desk.state, desk.of(attempt.who), attempt.suit)
    settle(desk, way="fixed", value=worth, achievement=(worth or 0) + FIXED[attempt.cls])


# ---------------------------------------------------------------- who is next


def advance(desk: Desk) -> None:
    """After an attempt is judged: the next one, or the end."""
    op = desk.state.op
    if op is None or op.phase != "card" or not op.now.done:
        return
    if op.kind in SINGLE:
        conclude(desk, op)
    elif op.kind in OPPOSED:
        _opposed(desk, op)
    elif not sealed(desk, op):
        _next_runner(desk, op)


def _opposed(desk: Desk, op: Op) -> None:
    if op.at == 0 and op.now.outcome not in SUCCESSES:
        conclude(desk, op)
        return
    at = op.at + 1
    while at < len(op.tries) and not can_defend(desk, op, desk.of(op.tries[at].who)):
        op = with_try(op, at, outcome="fail_helpless")
        at += 1
    if at < len(op.tries):
        actor = desk.of(op.tries[at].who)
        after = replace(op, at=at, phase="class")
        marks = {actor.id: {"defences": actor.defences + 1}} if op.kind == "attack" else {}
        desk.emit("asked", actors=marks, world=desk.set_op(after), who=actor.id)
        return
    lacking = any(one.achievement is None and one.outcome != "fail_helpless" for one in op.tries[1:])
    if lacking and desk.rule.contest_no_card == "gm_decides":
        said = words("log.verdict_wanted")
        desk.emit("verdict.wanted", said, world=desk.set_op(replace(op, phase="verdict")))
        return
    conclude(desk, op)


def can_defend(desk: Desk, op: Op, actor: ActorState) -> bool:
    """Whether a passive side may play at all: able, not busy, defences left (§9.5)."""
    limit = desk.rule.defences_per_round
    spent = op.kind == "attack" and limit and actor.defences >= limit
    return not (actor.incapacitated or actor.busy or spent)


def _next_runner(desk: Desk, op: Op) -> None:
    left = [at for at, one in enumerate(op.tries) if not one.done]
    if left:
        enter_card(desk, replace(op, at=left[0]))
    else:
        conclude(desk, op)


# ---------------------------------------------------------------- the end


def close(desk: Desk, outcome: str) -> None:
    """End an operation whose single attempt needs no card."""
    op = desk.state.op
    if op is None:
        raise AssertionError("nothing is open")
    settle(desk, way="", outcome=outcome, at=0)
    op = desk.state.op
    if op is not None:
        conclude(desk, op)


def winner(op: Op, verdict: str = "") -> str:
    """`active` when it beats every passive side; a tie goes to the passive (§7.7)."""
    if verdict:
        return verdict
    if op.active.outcome not in SUCCESSES:
        return "passive"
    return "active" if all(_beats(op, one) for one in op.tries[1:]) else "passive"


def _beats(op: Op, passive: Attempt) -> bool:
    """Whether the active side is ahead of one passive side; who cannot defend has lost already (§9.5)."""
    if passive.outcome == "fail_helpless":
        return True
    return contest_winner(op.active.achievement, passive.achievement) == "active"


def result_of(op: Op, verdict: str = "") -> str:
    if op.kind in OPPOSED:
        return winner(op, verdict)
    return op.active.outcome if op.kind in SINGLE else "ranked"


def conclude(desk: Desk, op: Op, verdict: str = "") -> None:
    """Say what came of it and what it changes; on a hit the attacker chooses the damage first."""
    result = result_of(op, verdict)
    if op.kind == "attack" and result == "active":
        said = words("log.hit", name=desk.of(op.active.who).name, target=desk.of(op.tries[1].who).name)
        desk.emit("asked", said, world=desk.set_op(replace(op, phase="damage", at=0)), who=op.active.who)
        return
    if op.kind == "race":
        op = _ranked(desk, op)
        tied = len({one.rank for one in op.tries}) < len(op.tries)
        result = "replay" if tied and desk.rule.race_tie == "replay" else result
    finish(desk, op, result)


def finish(desk: Desk, op: Op, result: str) -> None:
    """Close the operation: its consequences, the table to the discards, the turn passes on."""
    end = _ENDINGS.get(op.kind)
    actors, world, changes = end(desk, op) if end is not None else ({}, {}, [])
    outcome = Outcome("closed", reason(f"kind.{op.kind}", "§7"), degree=result, changes=tuple(changes))
    desk.emit(
        "closed",
        _said(desk, op, result),
        actor=op.active.who,
        outcome=outcome,
        actors=actors,
        world={**desk.set_op(None), **world},
        moves=clear_table(desk),
        kind=op.kind,
        result=result,
        ranks={one.who: one.rank for one in op.tries} if op.kind == "race" else {},
    )
    after_discards(desk)
    settle_turn(desk, op)


def _said(desk: Desk, op: Op, result: str) -> Text:
    params: Mapping[str, object] = {"name": desk.of(op.active.who).name}
    if op.kind in OPPOSED:
        return words(f"log.{op.kind}_{result}", **params)
    if op.kind == "race":
        order = sorted(op.tries, key=lambda one: one.rank)
        return words(
            "log.race_replay" if result == "replay" else "log.race",
            order=listed(f"{one.rank} {desk.of(one.who).name}" for one in order),
        )
    return words(f"log.closed_{'success' if result in SUCCESSES else 'failure'}", **params)


def _ranked(desk: Desk, op: Op) -> Op:
    """Ranks by achievement, also among those who were too late (§7.8)."""
    ranks = race_ranks([one.achievement for one in op.tries])
    if desk.rule.race_tie == "higher_ability":
        keys = [((-1 if one.achievement is None else one.achievement), one.value or 0) for one in op.tries]
        ranks = [1 + sum(other > key for other in keys) for key in keys]
    tries = tuple(replace(one, rank=rank) for one, rank in zip(op.tries, ranks, strict=True))
    return replace(op, tries=tries)
