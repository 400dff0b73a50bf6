"""Live play of the made-up game: everybody throws a die and adds it; the GM keeps a number to himself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine import odds
from rulesets.engine.dice import DiceSource
from rulesets.engine.outcome import Reason
from rulesets.engine.play import (
    GM,
    Actor,
    CarriedChange,
    CarriedOver,
    Command,
    CommandField,
    CommandShape,
    Event,
    Refused,
    Viewer,
)
from rulesets.engine.text import Text, same
from tests.rulesets.engine import toy

ENOUGH = 6
TABLE = frozenset({"gm", "co_gm", "player"})
ACTOR = CommandField("actor", "actor", Text("人物", "Actor"))


@dataclass(frozen=True)
class State:
    seats: Mapping[str, str]
    points: Mapping[str, int]
    secret: int = 0
    step: int = 0


class ToyPlay:
    """`throw` (a die for one's own actor), `again` (answers the throw before: one more point), `note` (the GM's)."""

    def start(self, setup: Mapping[str, Any]) -> State:
        cast = setup["cast"]
        return State({c["id"]: c["seat"] for c in cast}, {c["id"]: c["play"].get("points", 0) for c in cast})

    def dump(self, state: State) -> Mapping[str, Any]:
        actors = {who: {"seat": state.seats[who], "points": points} for who, points in state.points.items()}
        return {"actors": actors, "secret": state.secret, "step": state.step}

    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> State:
        actors = data["actors"]
        seats = {who: one["seat"] for who, one in actors.items()}
        return State(seats, {who: one["points"] for who, one in actors.items()}, data["secret"], data["step"])

    def close(self, state: State) -> Sequence[CarriedOver]:
        label, why = Text("点", "points"), Reason(Text("終わりの点", "points at the end"), "§9")
        return [
            CarriedOver(who, (CarriedChange("points", label, 0, points, why),), {"points": points})
            for who, points in state.points.items()
            if points
        ]

    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        handlers = {"throw": self._throw, "again": self._again, "note": self._note}
        shape = next((shape for shape in self.commands() if shape.name == command.name), None)
        if shape is None:
            return self._refused("T11")
        if actor.role not in shape.roles:
            return self._refused("T13")
        return handlers[command.name](state, command, actor, dice)

    def _throw(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        who = command.data.get("actor")
        if (
            not isinstance(who, str)
            or (not actor.is_gm and state.seats.get(who) != actor.seat)
            or who not in state.seats
        ):
            return self._refused("T13")
        if state.points[who] >= ENOUGH and not (actor.is_gm and command.override):
            return self._refused("T10", overridable=True, n=state.points[who])
        face = dice.roll(6)
        die = {"dice": [{"face": face}], "parts": []}
        return [Event("thrown", {"actor": who, "points": face, "outcome": die}), Event("counted", {"left": 1}, GM)]

    def _again(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        if command.expected_step != state.step:
            return self._refused("T12", overridable=False)
        return [Event("thrown", {"actor": next(iter(state.points)), "points": 1})]

    def _note(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        number = command.data.get("number")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 99:
            return self._refused("T14")
        return [Event("noted", {"number": number}, GM)] if number else []

    def _refused(self, code: str, *, overridable: bool = False, **params: object) -> Refused:
        return Refused(code, toy.MESSAGES[code].format(**params), params, overridable, "§5")

    def evolve(self, state: State, event: Event) -> State:
        if event.kind == "thrown":
            who = event.data["actor"]
            points = {**state.points, who: state.points[who] + event.data["points"]}
            return replace(state, points=points, step=state.step + 1)
        return replace(state, secret=event.data["number"]) if event.kind == "noted" else state

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        known = {"gm", "co_gm", "player", "spectator"}
        return event.data if event.kind in ("thrown", "counted", "noted") and viewer.role in known else None

    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        if viewer.role not in ("gm", "co_gm", "player", "spectator"):
            return {}
        secret = {"secret": state.secret} if viewer.sees(GM) else {}
        return {"points": dict(state.points), "step": state.step or None, **secret}

    def odds(self, state: State, command: Command, viewer: Viewer) -> odds.Odds | None:
        who = command.data.get("actor")
        if command.name != "throw" or not isinstance(who, str) or who not in state.points:
            return None
        out = odds.at_least(odds.die(6), ENOUGH - state.points[who])
        return odds.Odds((odds.Chance("out", same("out"), out), odds.Chance("on", same("on"), 1 - out)))

    def commands(self) -> Sequence[CommandShape]:
        number = CommandField("number", "int", Text("数", "Number"), min=0, max=99)
        return [
            CommandShape("throw", Text("振る", "Throw"), TABLE, (ACTOR,), codes=("T10", "T13")),
            CommandShape("again", Text("もう1点", "One more"), TABLE, (), codes=("T12", "T13"), answers=True),
            CommandShape("note", Text("書く", "Note"), frozenset({"gm"}), (number,), codes=("T13", "T14")),
        ]

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        return {}
