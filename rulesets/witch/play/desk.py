"""The desk a handler works at: see `rulesets.engine.playing.desk`; here with witches, cats and attempts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import Event
from rulesets.engine.playing import desk as playing
from rulesets.engine.playing.desk import show_overrides
from rulesets.engine.text import Text
from rulesets.witch.play.evolving import evolve
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked, refused
from rulesets.witch.play.registry import event
from rulesets.witch.play.state import ActorState, Attempt, State
from rulesets.witch.play.words import rule_of, words
from rulesets.witch.tables import Witch

# What the GM may set aside with a reason: the rules of the game, not the sense of a command.
SOFT = frozenset({"L01", "L05", "L11", "L16", "L21", "L22", "L26", "L27", "L32", "L33", "L42", "L46", "C15"})

# New entries of the table's collections by field and key; None takes one away.
Entries = Mapping[str, Mapping[str, Any]]

event("overridden", show=show_overrides(rule_of))


class Desk(playing.DiceDesk[State, ActorState]):
    game = playing.Game(State, ActorState, evolve, refused, words, soft=SOFT.__contains__, unknown="P18", foreign="P17")

    @property
    def tables(self) -> Witch:
        return self.state.tables

    def person(self, actor_id: str) -> Person:
        """A character with everything that follows from the build."""
        return Person(self.state.tables, self.state.actors[actor_id])

    def own_person(self, asked: Asked) -> Person:
        """The character a command acts with. Refuses P18 (unknown or unseen), P17 (somebody else's)."""
        return self.person(self.own(asked).id)

    def own_witch(self, asked: Asked) -> Person:
        """As `own_person`, and a witch (L36)."""
        found = self.own_person(asked)
        if found.actor.is_cat:
            raise refused("L36", name=found.name)
        return found

    def own_cat(self, asked: Asked) -> Person:
        """As `own_person`, and a cat (L37)."""
        found = self.own_person(asked)
        if not found.actor.is_cat:
            raise refused("L37", name=found.name)
        return found

    def attempt(self, asked: Asked) -> Attempt:
        """An attempt of somebody the issuer may know of. Refuses L18 for one that is not there."""
        found = self.state.attempts.get(asked.text("attempt"))
        if found is None:
            raise refused("L18")
        self.seen(found.actor)
        return found

    def awake(self, found: ActorState) -> None:
        """Refuse L26 for whoever is out cold."""
        if found.out:
            self.refuse("L26", name=found.name)

    def emit(self, kind: str, text: Text | None = None, /, *, put: Entries | None = None, **values: Any) -> Event:
        """Make an event and apply it; `put` are new entries of the table's collections."""
        if put:
            values["world"] = {**(values.get("world") or {}), **self._with(put)}
        return super().emit(kind, text, **values)

    def _with(self, put: Entries) -> dict[str, Any]:
        """The collections with the entries in their places."""
        return {
            name: {key: one for key, one in {**getattr(self.state, name), **entries}.items() if one is not None}
            for name, entries in put.items()
        }
