"""Declaring a test (rules §7.2, §7.4, §7.9–§7.11, §8.5): what somebody wants to do, before the GM rules on it."""

from __future__ import annotations

from typing import Any

from rulesets.alice.cards import FATAL
from rulesets.alice.play import reading
from rulesets.alice.play.acting import ACTION, acted, may_act, on_stage
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.op_state import BUSY, Attempt, Op, OpKind, OpPhase
from rulesets.alice.play.people import action_key
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import command, event
from rulesets.alice.play.settling import close
from rulesets.alice.play.state import ActorState
from rulesets.alice.play.words import action_of, suit_name, words
from rulesets.alice.rulings import FAR, empathy_difficulty
from rulesets.alice.words import refused
from rulesets.engine.text import Text

event("declared", shows=("kind", "action", "suit", "luck", "story", "about", "who"))

_ACTION = reading.text("text", required=True)


def open_op(desk: Desk, kind: OpKind, phase: OpPhase, tries: tuple[Attempt, ...], said: Text, **about: Any) -> Op:
    """Open an operation. The declaration is the active side's action of the round."""
    on_stage(desk.of(one.who) for one in tries)
    actor = desk.of(tries[0].who)
    op = Op(desk.new_id("t"), kind, phase, tries, about=about, since=desk.command.at)
    marks = {} if kind in ("race", "flee") else acted(desk, actor)
    if kind in BUSY and marks:
        marks["busy"] = True
    first = tries[0]
    desk.emit(
        "declared",
        said,
        actor=actor.id,
        actors={actor.id: marks},
        world=desk.set_op(op),
        kind=kind,
        action=first.action,
        suit=first.suit,
        luck=first.luck,
        story=first.story,
        about={key: value for key, value in about.items() if key != "key"},
        who=[one.who for one in tries],
    )
    return op


def luckless(desk: Desk, actor: ActorState, suit: str) -> bool:
    """Whether a test fails without cards: its ability is at stage 3 (only ♦ can get here)."""
    return actor.stage(suit) >= FATAL


# ---------------------------------------------------------------- a plain test


@command(
    "test.declare",
    ACTOR,
    _ACTION,
    reading.choice("suit", "S", "C", "H", "D", required=False),
    reading.flag("luck"),
    reading.text("story"),
    codes=(*ACTION, "E_LUCK_STORY_REQUIRED"),
    rule="§7.2",
)
def declare(desk: Desk, asked: Asked) -> None:
    """Say what is tried; a player proposes the ability, the GM's word on it stands. With luck, ♦ stands in (§7.4)."""
    actor = desk.own(asked)
    may_act(desk, actor)
    luck = asked.flag("luck")
    if luck and not asked.text("story"):
        desk.refuse("E_LUCK_STORY_REQUIRED")
    suit = "D" if luck else asked.text("suit")
    ruled = bool(suit) and (luck or desk.actor.is_gm)
    attempt = Attempt(actor.id, asked.text("text"), suit, luck=luck, story=asked.text("story"))
    key = "log.declared_luck" if luck else "log.declared"
    said = words(key, name=actor.name, action=attempt.action, story=attempt.story)
    open_op(desk, "test", "suit" if ruled else "declared", (attempt,), said)
    if ruled and luckless(desk, actor, suit):
        close(desk, "fail_stage3")


# ---------------------------------------------------------------- special tests


@command(
    "reason.declare",
    ACTOR,
    _ACTION,
    reading.flag("known"),
    codes=(*ACTION, "E_NO_STACKING", "E_REASON_TRIED"),
    rule="§7.9",
)
def declare_reason(desk: Desk, asked: Asked) -> None:
    """Recall the principle of an action beforehand; `known`: ordinary people know the action."""
    actor = desk.own(asked)
    may_act(desk, actor)
    action = asked.text("text")
    key = action_key(action)
    if holds_reason(desk, actor.id, key):
        raise refused("E_NO_STACKING")
    once = desk.rule.reason_retry == "once_per_action_per_day"
    if once and actor.reason_tried.get(key) == desk.state.day:
        desk.refuse("E_REASON_TRIED")
    attempt = Attempt(actor.id, action_of("reason", action), "C")
    said = words("log.declared_reason", name=actor.name, action=action)
    open_op(desk, "reason", "suit", (attempt,), said, action=action, key=key, known=asked.flag("known"))


def holds_reason(desk: Desk, who: str, key: str) -> bool:
    tokens = desk.state.tokens.values()
    return any(one.holder == who and one.state == "ready" and action_key(one.action) == key for one in tokens)


CONDITIONS = (
    reading.flag("touching"),
    reading.number("distance", 0, 9999, required=False),
    reading.flag("in_sight"),
    reading.flag("thoughts"),
    reading.flag("unwilling"),
)


def conditions(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The conditions of an 交感 and the difficulty they add up to. Refuses E_INCONSISTENT."""
    found: dict[str, Any] = {name: asked.flag(name) for name in ("touching", "in_sight", "thoughts", "unwilling")}
    found["distance"] = asked.number("distance") or 0
    if found["touching"] and found["distance"] >= FAR:
        desk.refuse("E_INCONSISTENT")
        found["distance"] = 0
    found["cards"] = empathy_difficulty(
        found["touching"], found["distance"], found["in_sight"], found["thoughts"], found["unwilling"]
    )
    return found


@command(
    "empathy.declare",
    ACTOR,
    reading.text("whom", required=True),
    *CONDITIONS,
    codes=(*ACTION, "E_EMPATHY_LOCK", "E_INCONSISTENT"),
    rule="§7.10",
)
def declare_empathy(desk: Desk, asked: Asked) -> None:
    """Convey or learn feelings or thoughts without a word; the conditions add up to the difficulty."""
    actor = desk.own(asked)
    may_act(desk, actor)
    whom = asked.text("whom")
    name = whom
    if whom in desk.state.actors:
        on_stage([desk.seen(whom)])
        name = desk.of(whom).name
    if action_key(whom) in actor.empathy_lock:
        desk.refuse("E_EMPATHY_LOCK", target=name)
    found = conditions(desk, asked)
    attempt = Attempt(actor.id, action_of("empathy"), "H")
    said = words("log.declared_empathy", name=actor.name, target=name)
    open_op(desk, "empathy", "suit", (attempt,), said, whom=whom, name=name, key=action_key(whom), **found)


@command("acquire.declare", ACTOR, _ACTION, reading.text("story"), codes=(*ACTION, "E_ACQUIRE_LOCK"), rule="§7.11")
def declare_acquire(desk: Desk, asked: Asked) -> None:
    """Have an item, or meet somebody."""
    actor = desk.own(asked)
    may_act(desk, actor)
    item = asked.text("text")
    key = action_key(item)
    if key in actor.acquire_lock:
        desk.refuse("E_ACQUIRE_LOCK")
    attempt = Attempt(actor.id, action_of("acquire", item), "D", story=asked.text("story"))
    said = words("log.declared_acquire", name=actor.name, item=item)
    open_op(desk, "acquire", "suit", (attempt,), said, item=item, key=key)
    if luckless(desk, actor, "D"):
        close(desk, "fail_stage3")


RECOVERY_CARDS = 2


@command(
    "recovery.declare",
    ACTOR,
    reading.actor("patient"),
    reading.SUIT,
    codes=(*ACTION, "E_LUCK_NOT_HEALABLE", "E_NOT_WOUNDED", "E_REST_REQUIRED"),
    rule="§8.5",
)
def declare_recovery(desk: Desk, asked: Asked) -> None:
    """Treat a wound: the healer's own ability of the suit that is to heal, two difficulty cards."""
    actor, patient = desk.own(asked), desk.seen(asked.text("patient"))
    may_act(desk, actor)
    on_stage([patient])
    suit = asked.text("suit")
    if suit == "D":
        raise refused("E_LUCK_NOT_HEALABLE")
    if patient.dead or not patient.stage(suit):
        raise refused("E_NOT_WOUNDED")
    if not rested(desk, patient, suit) or _blocked_by_luck(desk, actor, patient):
        desk.refuse("E_REST_REQUIRED")
    attempt = Attempt(actor.id, action_of("recovery"), suit)
    said = words("log.declared_recovery", name=actor.name, patient=patient.name, suit=suit_name(suit))
    open_op(desk, "recovery", "suit", (attempt,), said, patient=patient.id, suit=suit)


def rested(desk: Desk, patient: ActorState, suit: str) -> bool:
    """A day of rest behind, and one since the last attempt (§8.5)."""
    today = desk.state.day
    if patient.resting_since is None or today - patient.resting_since < 1:
        return False
    last = patient.lasts.get(recovery_key(desk, suit))
    return last is None or today - last >= 1


def recovery_key(desk: Desk, suit: str) -> str:
    return suit if desk.rule.recovery_limit == "per_patient_and_suit" else ""


def _blocked_by_luck(desk: Desk, actor: ActorState, patient: ActorState) -> bool:
    return desk.rule.stage3_luck_blocks_recovery and actor.id == patient.id and actor.stage("D") >= FATAL
