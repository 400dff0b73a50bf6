"""The turn after an action (rules §9.3): a fight goes on to whoever is next."""

from __future__ import annotations

from rulesets.alice.play.acting import next_turn
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.op_state import Op
from rulesets.alice.play.registry import event
from rulesets.alice.play.words import words

event("turn", shows=("who", "round"))


def settle_turn(desk: Desk, op: Op) -> None:
    """After an operation closed: the turn of whoever acted is over."""
    if op.kind not in ("race", "flee"):
        pass_on(desk)


def pass_on(desk: Desk) -> None:
    """Go on to the next who can act; past the last it is the time to flee (§9.1)."""
    combat = desk.state.combat
    if desk.state.op is not None or combat is None or combat.fleeing or not _over(desk, combat.now):
        return
    after, who = next_turn(desk, combat)
    said = words("log.turn", name=desk.of(who).name) if who else words("log.flee_phase")
    frees = {who: {"busy": False}} if who and desk.of(who).busy else {}
    desk.emit("turn", said, actors=frees, world={"combat": after}, who=who, round=after.round)


def _over(desk: Desk, who: str) -> bool:
    actor = desk.of(who)
    return actor.acted or actor.incapacitated or actor.escaped
