"""Contests, races, attacks and flight (rules §7.7, §7.8, §9.4–§9.6): who is against whom, and by which abilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.alice.play import reading
from rulesets.alice.play.acting import ABLE, ACTION, able, may_act, no_test, on_stage
from rulesets.alice.play.declaring import open_op
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.ruling import lay, waiting
from rulesets.alice.play.settling import can_defend, conclude, ending
from rulesets.alice.play.state import ActorState
from rulesets.alice.play.words import action_of, listed, suit_name, words
from rulesets.alice.words import refused
from rulesets.engine.outcome import Change

event("ruled.contest", shows=("suit", "target_suit"))
event("escaped", shows=("who",))
event("holding", shows=("who", "by"))

_SUITS = ("S", "C", "H", "D")
_SUIT = reading.choice("suit", *_SUITS)
_OWN_SUIT = reading.choice("suit", *_SUITS, required=False)
_OTHER_SUIT = reading.choice("target_suit", *_SUITS, required=False)
_TARGETS = reading.text("targets", required=True)


def _others(desk: Desk, asked: Asked, actor: ActorState) -> list[ActorState]:
    found = [one for one in desk.several(asked.listed("targets")) if one.id != actor.id]
    if not found:
        raise refused("E_UNKNOWN_ACTOR")
    return found


# ---------------------------------------------------------------- contest


@command(
    "contest.declare",
    ACTOR,
    _TARGETS,
    reading.text("text", required=True),
    reading.text("target_text"),
    codes=(*ACTION, "E_UNKNOWN_ACTOR"),
    rule="§7.7",
)
def declare(desk: Desk, asked: Asked) -> None:
    """The side that changes something against those it concerns."""
    actor = desk.own(asked)
    may_act(desk, actor)
    others = _others(desk, asked, actor)
    text = asked.text("target_text") or asked.text("text")
    tries = (Attempt(actor.id, asked.text("text")), *(Attempt(one.id, text) for one in others))
    said = words(
        "log.declared_contest", name=actor.name, target=listed(one.name for one in others), action=asked.text("text")
    )
    open_op(desk, "contest", "declared", tries, said)


@command(
    "contest.rule",
    _SUIT,
    _OTHER_SUIT,
    reading.number("cards", 0, 3, required=False),
    reading.flag("favourable"),
    roles=GM_ONLY,
    answers=True,
    rule="§7.7",
)
def rule_contest(desk: Desk, asked: Asked) -> None:
    """The abilities of both sides, and the active side's difficulty, if there is one."""
    op = waiting(desk, "declared")
    if op.kind != "contest":
        raise refused("E_WRONG_STATE")
    suit, other = asked.text("suit"), asked.text("target_suit") or asked.text("suit")
    op = _with_suits(op, suit, other)
    said = words("log.contest_suits", suit=suit_name(suit), other=suit_name(other))
    desk.emit("ruled.contest", said, world={"op": op}, suit=suit, target_suit=other)
    _begin(desk, op, asked.number("cards") or 0, asked.flag("favourable"))


def _with_suits(op: Op, suit: str, other: str) -> Op:
    first, *rest = op.tries
    return replace(op, tries=(replace(first, suit=suit), *(replace(one, suit=other) for one in rest)))


def _begin(desk: Desk, op: Op, cards: int, favourable: bool = False) -> None:
    """Lay the active side's difficulty, or go straight to its class."""
    if cards:
        lay(desk, op, cards, favourable)
    else:
        desk.emit("asked", world=desk.set_op(replace(op, phase="class")), who=op.active.who)


@command("test.verdict", reading.choice("winner", "active", "passive"), roles=GM_ONLY, answers=True, rule="§7.7")
def verdict(desk: Desk, asked: Asked) -> None:
    """Who wins when one side has nothing to show, at tables where the GM decides that."""
    op = waiting(desk, "verdict")
    conclude(desk, op, asked.text("winner"))


# ---------------------------------------------------------------- race


@command(
    "race.declare",
    reading.text("actors", required=True),
    reading.text("text", required=True),
    _SUIT,
    reading.number("cards", 1, 3),
    reading.flag("favourable"),
    roles=GM_ONLY,
    codes=(*ABLE, "E_TEST_OPEN", "E_UNKNOWN_ACTOR"),
    rule="§7.8",
)
def declare_race(desk: Desk, asked: Asked) -> None:
    """Everybody against one target; the order of the seats, then the GM's characters."""
    desk.in_play()
    no_test(desk)
    found = desk.several(asked.listed("actors"))
    if len(found) < 2:
        raise refused("E_UNKNOWN_ACTOR")
    for one in found:
        able(desk, one)
    seats = {who: n for n, who in enumerate(desk.state.seats)}
    found.sort(key=lambda one: seats.get(one.id, len(seats)))
    tries = tuple(Attempt(one.id, asked.text("text"), asked.text("suit")) for one in found)
    said = words("log.declared_race", who=listed(one.name for one in found), action=asked.text("text"))
    op = open_op(desk, "race", "suit", tries, said)
    lay(desk, op, asked.needed("cards"), asked.flag("favourable"))


# ---------------------------------------------------------------- attack


@command(
    "attack.declare",
    ACTOR,
    reading.actor("target"),
    reading.text("text"),
    reading.text("target_text"),
    _OWN_SUIT,
    _OTHER_SUIT,
    codes=(*ACTION, "E_GM_ONLY", "E_SAME_TARGET"),
    rule="§9.4",
)
def declare_attack(desk: Desk, asked: Asked) -> None:
    """Body against body, unless the GM says otherwise; the defence is a contest without difficulty cards."""
    actor, target = desk.own(asked), desk.seen(asked.text("target"))
    may_act(desk, actor)
    if actor.id == target.id or target.dead:
        raise refused("E_SAME_TARGET")
    if not desk.actor.is_gm and (asked.text("suit") or asked.text("target_suit")):
        raise refused("E_GM_ONLY")
    suit = asked.text("suit") or "S"
    other = asked.text("target_suit") or suit
    text = asked.text("text") or action_of("attack")
    tries = (
        Attempt(actor.id, text, suit),
        Attempt(target.id, asked.text("target_text") or action_of("defend"), other),
    )
    op = open_op(desk, "attack", "class", tries, words("log.declared_attack", name=actor.name, target=target.name))
    if desk.rule.hit_on_busy_target == "automatic" and not can_defend(desk, op, target):
        tries = (replace(tries[0], outcome="made"), replace(tries[1], outcome="fail_helpless"))
        conclude(desk, replace(op, tries=tries))


# ---------------------------------------------------------------- flight

FLEE_CODES = (*ABLE, "E_TEST_OPEN", "E_BUSY", "E_HOLDING", "E_WRONG_STATE")


def _may_flee(desk: Desk, actor: ActorState) -> None:
    desk.in_play()
    no_test(desk)
    able(desk, actor)
    combat = desk.state.combat
    if combat is None or not combat.fleeing or actor.escaped or actor.fled or actor.id not in combat.members:
        raise refused("E_WRONG_STATE")
    if actor.busy:
        desk.refuse("E_BUSY")
    if any(other.held_by == actor.id and other.fled for other in desk.state.actors.values()):
        desk.refuse("E_HOLDING")


@command("flee.declare", ACTOR, reading.actor("target"), codes=(*FLEE_CODES, "E_SAME_TARGET"), rule="§9.6")
def declare_flee(desk: Desk, asked: Asked) -> None:
    """Try to get away from a pursuer at the end of a round: strictly higher escapes."""
    actor, pursuer = desk.own(asked), desk.seen(asked.text("target"))
    _may_flee(desk, actor)
    if actor.id == pursuer.id:
        raise refused("E_SAME_TARGET")
    tries = (
        Attempt(actor.id, action_of("flee"), "S"),
        Attempt(pursuer.id, action_of("pursue"), "S"),
    )
    said = words("log.declared_flee", name=actor.name, target=pursuer.name)
    op = open_op(desk, "flee", "class", tries, said)
    desk.emit("asked", actors={actor.id: {"fled": True}}, who=op.active.who)


@command("flee.escape", ACTOR, codes=FLEE_CODES, rule="§9.6")
def escape(desk: Desk, asked: Asked) -> None:
    """Get away without a test, while somebody holds the opponents back or nobody pursues."""
    actor = desk.own(asked)
    _may_flee(desk, actor)
    holder = desk.state.actors.get(actor.held_by)
    if not desk.actor.is_gm and (holder is None or holder.fled or holder.incapacitated):
        raise refused("E_WRONG_STATE")
    said = words("log.escaped", name=actor.name)
    desk.emit("escaped", said, actors={actor.id: {"escaped": True, "fled": True}}, who=actor.id)


@command(
    "flee.hold",
    ACTOR,
    reading.actor("by", required=False),
    roles=GM_ONLY,
    codes=("E_HIDDEN", "E_SAME_TARGET"),
    rule="§9.6",
)
def hold(desk: Desk, asked: Asked) -> None:
    """Who holds the opponents back, so that somebody escapes; nobody, when left out."""
    desk.in_play()
    actor = desk.own(asked)
    by = asked.text("by")
    on_stage([actor, *([desk.seen(by)] if by else [])])
    if by == actor.id:
        raise refused("E_SAME_TARGET")
    said = words("log.held", name=actor.name, by=desk.of(by).name) if by else words("log.not_held", name=actor.name)
    desk.emit("holding", said, actors={actor.id: {"held_by": by}}, who=actor.id, by=by)


@ending("flee")
def _fled(desk: Desk, op: Op) -> tuple[dict[str, dict[str, Any]], dict[str, Any], list[Change]]:
    from rulesets.alice.play.settling import result_of

    return {op.active.who: {"escaped": result_of(op) == "active"}}, {}, []
