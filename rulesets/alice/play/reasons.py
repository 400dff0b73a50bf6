"""What a success leaves (rules §7.9–§7.11, §8.5): 道理 known and told on, locks after failures, wounds healed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.alice.play import reading
from rulesets.alice.play.acting import ABLE, able, on_stage
from rulesets.alice.play.declaring import holds_reason, recovery_key
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.op_state import SUCCESSES, Op
from rulesets.alice.play.people import action_key, healed
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.settling import ending
from rulesets.alice.play.state import Token
from rulesets.alice.play.words import suit_name, words
from rulesets.alice.words import refused
from rulesets.engine.outcome import Change, Reason

event("reason.taught", shows=("token",))
event("reason.void", shows=("action_text",))

End = tuple[dict[str, dict[str, Any]], dict[str, Any], list[Change]]


def _won(op: Op) -> bool:
    return op.active.outcome in SUCCESSES


@ending("reason")
def _reasoned(desk: Desk, op: Op) -> End:
    actor = desk.of(op.active.who)
    values: dict[str, dict[str, Any]] = {}
    if op.about["key"]:
        values[actor.id] = {"reason_tried": {**actor.reason_tried, op.about["key"]: desk.state.day}}
    if not _won(op):
        return values, {}, []
    combat = desk.state.combat
    later = desk.rule.reason_ready == "next_round" and combat is not None
    token = Token(desk.new_id("k"), op.about["action"], actor.id, combat.round + 1 if later and combat else 0)
    return values, {"tokens": {**desk.state.tokens, token.id: token}}, []


@ending("empathy")
def _empathised(desk: Desk, op: Op) -> End:
    actor = desk.of(op.active.who)
    if _won(op) or op.active.outcome == "fail_impossible":
        return {}, {}, []
    return {actor.id: {"empathy_lock": {**actor.empathy_lock, op.about["key"]: desk.state.day}}}, {}, []


@ending("acquire")
def _acquired(desk: Desk, op: Op) -> End:
    actor = desk.of(op.active.who)
    if _won(op):
        return {}, {}, []
    return {actor.id: {"acquire_lock": {**actor.acquire_lock, op.about["key"]: desk.state.day}}}, {}, []


@ending("recovery")
def _recovered(desk: Desk, op: Op) -> End:
    patient, suit = desk.of(op.about["patient"]), op.about["suit"]
    if op.active.outcome in ("fail_impossible", "success_trivial"):
        return {}, {}, []
    values: dict[str, Any] = {
        "lasts": {**patient.lasts, recovery_key(desk, suit): desk.state.day},
        "resting_since": desk.state.day,
    }
    changes = []
    if _won(op):
        values["stages"] = healed(patient, suit)
        before, why = patient.stage(suit), Reason(suit_name(suit), "§8.5")
        changes.append(Change(patient.id, f"stage_{suit}", before, before - 1, why))
        if patient.status == "dying":
            values["status"] = "active"
    return {patient.id: values}, {}, changes


# ---------------------------------------------------------------- telling others


@command(
    "reason.teach",
    ACTOR,
    reading.text("token", required=True),
    reading.actor("target"),
    codes=(*ABLE, "E_NO_STACKING", "E_NOT_FOUND", "E_REASON_NOT_READY"),
    rule="§7.9",
)
def teach(desk: Desk, asked: Asked) -> None:
    """Tell somebody a principle one knows, from the round after: no action, and they may use it at once."""
    desk.in_play()
    actor, target = desk.own(asked), desk.seen(asked.text("target"))
    able(desk, actor)
    on_stage([target])
    token = desk.state.tokens.get(asked.text("token"))
    if token is None or token.holder != actor.id:
        raise refused("E_NOT_FOUND")
    combat = desk.state.combat
    if token.state != "ready":
        raise refused("E_REASON_NOT_READY")
    if combat is not None and token.ready_from > combat.round:
        desk.refuse("E_REASON_NOT_READY")
    if holds_reason(desk, target.id, action_key(token.action)):
        raise refused("E_NO_STACKING")
    told = Token(desk.new_id("k"), token.action, target.id)
    said = words("log.taught", name=actor.name, target=target.name, action=token.action)
    world = {"tokens": {**desk.state.tokens, told.id: told}}
    desk.emit("reason.taught", said, actor=actor.id, target=target.id, world=world, token=told.id)


@command("reason.void", reading.text("text", required=True), roles=GM_ONLY, codes=("E_NOT_FOUND",), rule="§7.9")
def void(desk: Desk, asked: Asked) -> None:
    """The opponents have heard it: the 道理 of this action is lost to everybody."""
    desk.in_play()
    key = action_key(asked.text("text"))
    lost = {
        one.id: replace(one, state="void")
        for one in desk.state.tokens.values()
        if one.state == "ready" and action_key(one.action) == key
    }
    if not lost:
        raise refused("E_NOT_FOUND")
    said = words("log.reason_void", action=asked.text("text"))
    desk.emit("reason.void", said, world={"tokens": {**desk.state.tokens, **lost}}, action_text=asked.text("text"))
