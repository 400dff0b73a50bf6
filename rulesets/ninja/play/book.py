"""Changes of one actor within a command: new values with their reasons, and the outcome that tells them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Change, Die, Modifier, Outcome, Reason
from rulesets.engine.play import GM, Audience
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import ActorState


class Book:
    """Writes down new values of an actor; `person` always has them."""

    def __init__(self, desk: Desk, actor_id: str) -> None:
        self.desk = desk
        self.actor: ActorState = desk.state.actors[actor_id]
        self.values: dict[str, Any] = {}
        self.changes: list[Change] = []
        self.dice: list[Die] = []
        self.notes: list[Reason] = []
        self.modifiers: list[Modifier] = []

    @property
    def person(self) -> Person:
        return Person(self.desk.tables, self.actor)

    def put(self, **values: Any) -> None:
        """New values that need no word of their own."""
        self.values |= values
        self.actor = replace(self.actor, **values)

    def change(self, key: str, value: int, why: Reason) -> None:
        """A new number, told with its reason."""
        before = getattr(self.actor, key)
        if before != value:
            self.changes.append(Change(self.actor.id, key, before, value, why))
            self.put(**{key: value})

    def tell(self, key: str, before: int | str | bool | None, after: int | str | bool | None, why: Reason) -> None:
        """A change that is told; its values are put by the caller."""
        self.changes.append(Change(self.actor.id, key, before, after, why))

    def note(self, why: Reason) -> None:
        self.notes.append(why)

    def outcome(self, kind: str, title: Reason, **more: Any) -> Outcome:
        told = {"dice": tuple(self.dice), "changes": tuple(self.changes), "notes": tuple(self.notes)}
        return Outcome(kind, title, modifiers=tuple(self.modifiers), **(told | more))


def secret(person: Person) -> bool:
    """Whether an actor's numbers are the GM's alone."""
    return person.actor.npc and not person.actor.numbers_shown


def audience_of(desk: Desk, person: Person) -> Audience:
    """Whoever may know an actor's numbers."""
    return GM if secret(person) else desk.audience(person.id)


def masked(outcome: Outcome, *hidden: str) -> Outcome:
    """An outcome without the changes of actors whose numbers are not for all; their dice stay to be seen."""
    changes = tuple(change for change in outcome.changes if change.subject not in hidden)
    parts = tuple(masked(part, *hidden) for part in outcome.parts)
    return replace(outcome, changes=changes, parts=parts)
