"""Who may do something now: able, no surplus card, their turn in a fight (rules §6.4, §8.2, §9.3, §9.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulesets.alice.play.desk import Desk
from rulesets.alice.play.state import ActorState, Combat
from rulesets.alice.words import refused

ABLE = ("E_DISCARD_FIRST", "E_HIDDEN", "E_INCAPACITATED")
ACTION = (*ABLE, "E_ALREADY_ACTED", "E_BUSY", "E_NOT_YOUR_TURN", "E_TEST_OPEN")


def debt(desk: Desk, actor: ActorState) -> int:
    """How many cards somebody has to discard first."""
    return 0 if actor.npc else max(0, len(desk.state.hand(actor.id)) - desk.state.hand_size(actor.id))


def able(desk: Desk, actor: ActorState) -> None:
    """Refuses E_HIDDEN, E_DISCARD_FIRST, E_INCAPACITATED."""
    on_stage([actor])
    if debt(desk, actor):
        raise refused("E_DISCARD_FIRST")
    if actor.dead:
        raise refused("E_INCAPACITATED")
    if actor.incapacitated:
        desk.refuse("E_INCAPACITATED")


def on_stage(actors: Iterable[ActorState]) -> None:
    """Whoever is hidden takes part in nothing that others hear of; the GM shows them first (E_HIDDEN)."""
    if any(one.hidden for one in actors):
        raise refused("E_HIDDEN")


def no_test(desk: Desk) -> None:
    if desk.state.op is not None:
        raise refused("E_TEST_OPEN")


def may_act(desk: Desk, actor: ActorState) -> None:
    """An action: in a fight one per round, in order."""
    desk.in_play()
    no_test(desk)
    able(desk, actor)
    combat = desk.state.combat
    if combat is None or actor.id not in combat.members:
        return
    if actor.acted:
        desk.refuse("E_ALREADY_ACTED")
    elif actor.busy:
        desk.refuse("E_BUSY")
    elif combat.now != actor.id:
        desk.refuse("E_NOT_YOUR_TURN", player=desk.of(combat.now).name if combat.now else "―")


def acted(desk: Desk, actor: ActorState) -> dict[str, Any]:
    """What an action marks in a fight."""
    combat = desk.state.combat
    return {"acted": True} if combat is not None and actor.id in combat.members else {}


def ready(desk: Desk, actor: ActorState) -> bool:
    """Whether somebody's turn can come."""
    return not (actor.acted or actor.incapacitated or actor.escaped or (actor.busy and not _frees(desk)))


def _frees(desk: Desk) -> bool:
    return desk.rule.busy_until == "next_own_turn"


def next_turn(desk: Desk, combat: Combat) -> tuple[Combat, str]:
    """The fight at the next turn, and whose it is ("" when it is time to flee)."""
    turn = combat.turn
    while turn < len(combat.order):
        who = combat.order[turn]
        if ready(desk, desk.of(who)):
            break
        turn += 1
    found = Combat(combat.members, combat.round, combat.order, turn)
    return found, found.now
