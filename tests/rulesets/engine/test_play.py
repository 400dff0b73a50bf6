"""The contract of live play, tried on a small game of secret numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rulesets.engine import odds
from rulesets.engine.dice import DiceSource, FacesMissing, ScriptedDice
from rulesets.engine.outcome import Reason
from rulesets.engine.play import (
    GM,
    Actor,
    CarriedChange,
    CarriedOver,
    Command,
    CommandShape,
    Event,
    Play,
    Refused,
    Viewer,
    carry_out,
    replay,
    seat_token,
    shown,
)
from rulesets.engine.text import Text, same


@dataclass(frozen=True)
class State:
    points: Mapping[str, int]
    secret: int = 0


class Toy:
    """Players throw a die and add it; the GM notes a number of his own."""

    def start(self, setup: Mapping[str, Any]) -> State:
        return State(dict.fromkeys(setup["seats"], 0))

    def dump(self, state: State) -> Mapping[str, Any]:
        return {"points": dict(state.points), "secret": state.secret}

    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> State:
        return State(data["points"], data["secret"])

    def close(self, state: State) -> Sequence[CarriedOver]:
        why = Reason(same("points"))
        return [
            CarriedOver(seat, (CarriedChange("points", same("points"), 0, points, why),), {"points": points})
            for seat, points in state.points.items()
        ]

    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        if command.name == "note":
            return [Event("noted", {"number": command.data["number"]}, GM)]
        if state.points[actor.seat] >= 6 and not command.override:
            return Refused("T01", Text("もう上がりです。", "You are out already."), overridable=True)
        face = dice.roll(6)
        return [
            Event("thrown", {"seat": actor.seat, "face": face}, (seat_token(actor.seat), "gm"), schema=2),
            Event("moved", {"seat": actor.seat}),
        ]

    def evolve(self, state: State, event: Event) -> State:
        if event.kind == "thrown":
            seat = event.data["seat"]
            return replace(state, points={**state.points, seat: state.points[seat] + event.data["face"]})
        if event.kind == "noted":
            return replace(state, secret=event.data["number"])
        return state

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        return event.data if event.kind in ("thrown", "moved", "noted") else None

    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        return {"secret": state.secret} if viewer.sees(GM) else {}

    def odds(self, state: State, command: Command, viewer: Viewer) -> odds.Odds | None:
        if command.name == "note":
            return None
        out = odds.at_least(odds.die(6), 6 - state.points[viewer.seat])
        return odds.Odds((odds.Chance("out", same("out"), out), odds.Chance("on", same("on"), 1 - out)))

    def commands(self) -> Sequence[CommandShape]:
        return [CommandShape("throw", Text("振る", "Throw"), frozenset({"player"}))]

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        return {("thrown", 1): lambda data: {"seat": data["player"], "face": data["face"]}}


TOY: Play[State] = Toy()
START = TOY.start({"seats": ["1", "2"]})
ONE, GAME_MASTER = Actor("1", "player"), Actor("9", "gm")
THROW = Command("throw", {}, "2026-05-09T12:03:44Z")


def test_a_command_is_decided_and_applied() -> None:
    done = carry_out(TOY, START, THROW, ONE, ScriptedDice([4]))
    assert not isinstance(done, Refused)
    state, events = done
    assert state.points == {"1": 4, "2": 0}
    assert START.points == {"1": 0, "2": 0}
    assert replay(TOY, START, events) == state


def test_a_refused_command_uses_no_dice_and_can_be_overridden() -> None:
    state = State({"1": 6, "2": 0})
    refused = carry_out(TOY, state, THROW, ONE, ScriptedDice([]))
    assert isinstance(refused, Refused) and refused.overridable
    with pytest.raises(FacesMissing):
        carry_out(TOY, state, replace(THROW, override="練習"), ONE, ScriptedDice([]))


def test_old_events_are_brought_up_to_date() -> None:
    old = Event("thrown", {"player": "2", "face": 5}, ("seat:2",), schema=1)
    assert replay(TOY, START, [old]).points["2"] == 5
    assert shown(TOY, old, Viewer(frozenset({"all", "seat:2"}), "player", "2")) == {"seat": "2", "face": 5}


def test_an_event_reaches_its_audience_only() -> None:
    done = carry_out(TOY, START, THROW, ONE, ScriptedDice([4]))
    assert not isinstance(done, Refused)
    thrower = Viewer(frozenset({"all", "seat:1"}), "player", "1")
    other = Viewer(frozenset({"all", "seat:2"}), "player", "2")
    master = Viewer(frozenset({"all", "gm", "seat:9"}), "gm", "9")
    told = {
        name: [shown(TOY, event, viewer) for event in done[1]]
        for name, viewer in {"thrower": thrower, "other": other, "master": master}.items()
    }
    assert told["other"] == [None, {"seat": "1"}]
    assert told["thrower"] == told["master"] == [{"seat": "1", "face": 4}, {"seat": "1"}]
    assert shown(TOY, Event("unheard of", {"word": "secret"}), master) is None
    assert GAME_MASTER.is_gm and not ONE.is_gm
