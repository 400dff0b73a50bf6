"""Commands as somebody might give them: mostly sensible for the moment, now and then anything at all."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from rulesets.engine.play import Actor, Command, CommandField, CommandShape
from rulesets.ninja.play import turns
from rulesets.ninja.play.options import options
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import State
from tests.rulesets.ninja.play.people import ACTORS, AT

LED = (
    "phase.next",
    "turn.start",
    "turn.give",
    "damage",
    "value.set",
    "state.set",
    "atmosphere.set",
    "wasshoi",
    "entry",
)


class Chooser:
    def __init__(self, shapes: Sequence[CommandShape], chance: Random) -> None:
        self.shapes = {shape.name: shape for shape in shapes}
        self.chance = chance

    def command(self, state: State) -> tuple[Command, Actor]:
        """A command and who gives it."""
        roll = self.chance.random()
        if roll < 0.4 and (likely := self._likely(state)) is not None:
            return likely
        if roll < 0.5 and state.fight is None and state.attack is None:
            return self._of("fight.start", state, {}), ACTORS["gm"]
        if roll < 0.55:
            return self._of(self.chance.choice(LED), state, {}), ACTORS["gm"]
        actor = self.chance.choice(list(ACTORS.values()))
        return self._of(self.chance.choice(list(self.shapes)), state, {}), actor

    def _likely(self, state: State) -> tuple[Command, Actor] | None:
        """What somebody may do at this moment."""
        if state.attack is not None:
            people = [state.actors[state.attack.asked]]
        elif state.fight is not None and not state.fight.now:
            return self._of("turn.start", state, {}), ACTORS["gm"]
        else:
            people = list(turns.acting(state)) or list(state.actors.values())
        one = self.chance.choice(people)
        person = Person(state.tables, one)
        names = options(state, person)
        if not names:
            return None
        name = self.chance.choice(names)
        given = {"mob": one.cast.group} if name == "volley" else {"actor": one.id} if self._takes(name) else {}
        return self._of(name, state, given), ACTORS["gm"] if one.npc or self.chance.random() < 0.3 else self._owner(
            one.seat
        )

    def _takes(self, name: str) -> bool:
        return any(field.name == "actor" for field in self.shapes[name].fields)

    def _owner(self, seat: str) -> Actor:
        return next(actor for actor in ACTORS.values() if actor.seat == seat)

    def _of(self, name: str, state: State, given: dict[str, Any]) -> Command:
        shape = self.shapes[name]
        data = dict(given)
        for field in shape.fields:
            if field.name in data or field.name in ("faces", "build", "play"):
                continue
            if field.required or self.chance.random() < 0.35:
                data[field.name] = self._value(field, state)
        step = state.step if self.chance.random() < 0.95 else state.step + 1
        override = "裁定" if self.chance.random() < 0.25 else ""
        return Command(name, data, AT, step, override)

    def _value(self, field: CommandField, state: State) -> Any:
        ids = list(state.actors)
        if field.type == "bool":
            return self.chance.random() < 0.5
        if field.type == "choice":
            return self.chance.choice(field.choices)[0]
        if field.type == "int":
            low, high = field.min if field.min is not None else -9, field.max if field.max is not None else 99
            return self.chance.randint(low, min(high, max(low + 6, 6)))
        if field.name == "targets":
            picked = [self.chance.choice(ids) for _ in range(self.chance.choice((1, 1, 1, 2, 3)))]
            return ",".join(
                f"{who}:{self.chance.randint(1, 6)}" if self.chance.random() < 0.5 else who for who in picked
            )
        if field.name in ("actors", "mob"):
            return self.chance.choice(ids).split("#")[0]
        if field.type == "actor":
            return self.chance.choice(ids)
        if field.name == "weapon":
            return self.chance.choice(("unarmed", "katana", "shuriken"))
        return self.chance.choice(("", "NORMAL", "HARD", "x", "3,4"))
