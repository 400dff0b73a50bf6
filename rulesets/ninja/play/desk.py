"""The desk a handler works at; see `rulesets.engine.playing.desk`. Handlers meet actors as `Person`."""

from __future__ import annotations

from rulesets.engine.playing import desk as playing
from rulesets.engine.playing.desk import show_overrides
from rulesets.engine.playing.reading import Fields
from rulesets.ninja.play.evolving import evolve
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import refused
from rulesets.ninja.play.registry import event
from rulesets.ninja.play.state import ActorState, State
from rulesets.ninja.play.words import rule_of, words
from rulesets.ninja.tables import Ninja

_TURN_ORDER = frozenset({"P52", "P53", "P54", "P57", "P58", "P59", "P61", "P62", "P64", "P67", "P68"})


def soft(code: str) -> bool:
    """What the GM may set aside with a reason: every rule of §13 and the order of turns, not the sense of a command."""
    return code.startswith("L") or code in _TURN_ORDER


event("overridden", show=show_overrides(rule_of))


class Desk(playing.DiceDesk[State, ActorState]):
    game = playing.Game(State, ActorState, evolve, refused, words, soft=soft, unknown="P18", foreign="P17")

    @property
    def tables(self) -> Ninja:
        return self.state.tables

    def person(self, actor_id: str) -> Person:
        return Person(self.state.tables, self.state.actors[actor_id])

    def mine(self, asked: Fields, name: str = "actor") -> Person:
        """The actor a command acts with. Refuses P18 (unknown or unseen), P17 (somebody else's)."""
        return Person(self.tables, self.own(asked, name))

    def met(self, actor_id: str) -> Person:
        """Any actor the issuer may know of. Refuses P18."""
        return Person(self.tables, self.seen(actor_id))

    def idle(self) -> None:
        """No attack may be waiting for an answer (P29)."""
        if self.state.attack is not None:
            raise refused("P29", name=self.state.actors[self.state.attack.asked].name)

    def step(self) -> None:
        """The command answers the open question: refuses P30 without one, P16 for a step that has passed."""
        if self.state.attack is None:
            raise refused("P30")
        if self.command.expected_step != self.state.step:
            raise refused("P16", now=self.state.step)
