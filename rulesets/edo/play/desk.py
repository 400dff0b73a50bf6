"""The desk a handler works at: the state as it becomes, the checks every command shares, dice, and the events made.

A handler first refuses what has to be refused, then throws dice and emits. `emit` applies each event at once, so later
steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from typing import Any

from rulesets.edo.play.evolving import evolve
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import refused
from rulesets.edo.play.registry import event
from rulesets.edo.play.state import ActorState, State, pair
from rulesets.edo.play.words import rule_of, words
from rulesets.edo.tables import Edo
from rulesets.engine.play import Event
from rulesets.engine.playing import desk as playing
from rulesets.engine.playing.desk import show_overrides
from rulesets.engine.text import Text

# What the GM may set aside with a reason: the rules of the game, not the sense of a command.
SOFT = frozenset(
    {
        *("P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09", "P10", "P11", "P14", "P15"),
        *("P19", "P26", "P27", "P28", "P33", "P34", "P36", "P37", "P44", "P45", "P47", "P53"),
        *("P61", "P63", "P64", "P66", "P68", "P69", "P71", "P77", "P79"),
    }
)

event("overridden", show=show_overrides(rule_of))


class Desk(playing.DiceDesk[State, ActorState]):
    game = playing.Game(State, ActorState, evolve, refused, words, soft=SOFT.__contains__, unknown="P18", foreign="P17")

    @property
    def tables(self) -> Edo:
        return self.state.tables

    def person(self, actor_id: str) -> Person:
        """An actor with everything that follows from the build."""
        return Person(self.state.tables, self.state.actors[actor_id])

    def step(self, asked_now: str) -> None:
        """The command answers the open operation: refuses P16 unless it names the step that is current."""
        if self.command.expected_step != self.state.step:
            raise refused("P16", now=self.state.step)
        if not asked_now:
            raise refused("P30")

    def emit(self, kind: str, text: Text | None = None, /, **values: Any) -> Event:
        """Make an event and apply it; a kept roll names its throw."""
        return super().emit(kind, text, throw=str(values.get("roll", "")), **values)

    def with_distance(self, one: str, other: str, ken: int) -> dict[str, int]:
        """The distances with one of them agreed anew."""
        return {**self.state.distances, pair(one, other): ken}
