"""One actor as it changes outside a fight: each new value with what it was and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState
from rulesets.edo.tables import Edo
from rulesets.engine.outcome import Change, Die, Outcome, Reason
from rulesets.engine.play import GM, Audience
from rulesets.engine.text import Text


class Book:
    """Keeps an actor and its changes together. A key is a field (`wounds`) or one inside it (`needs.fatigued`)."""

    def __init__(self, tables: Edo, actor: ActorState) -> None:
        self.tables = tables
        self.first = actor
        self.actor = actor
        self.changes: list[Change] = []
        self.dice: list[Die] = []

    @property
    def person(self) -> Person:
        return Person(self.tables, self.actor)

    def set(self, key: str, after: int | str | bool | None, why: Reason) -> None:
        """A new value; nothing when it is so already."""
        owner, _, inner = key.partition(".")
        held = getattr(self.actor, owner)
        before = getattr(held, inner) if inner else held
        if before == after and isinstance(before, bool) == isinstance(after, bool):
            return
        value: Any = replace(held, **{inner: after}) if inner else after
        self.actor = replace(self.actor, **{owner: value})
        self.changes.append(Change(self.actor.id, key, before, after, why))

    def tell(self, key: str, before: int | str | bool | None, after: int | str | bool | None, why: Reason) -> None:
        """A change in words of its own: `endurance`, `life`."""
        if before != after:
            self.changes.append(Change(self.actor.id, key, before, after, why))

    def quietly(self, **values: Any) -> None:
        """Values that nobody needs to be told of: what was noted for the day, what was rolled for."""
        self.actor = replace(self.actor, **values)

    @property
    def values(self) -> Mapping[str, Any]:
        """Every field that is not what it was, as an event sets it."""
        names = [field.name for field in fields(self.actor)]
        return {name: getattr(self.actor, name) for name in names if self._changed(name)}

    def _changed(self, name: str) -> bool:
        return bool(getattr(self.actor, name) != getattr(self.first, name))

    def outcome(self, kind: str, title: Reason, **more: Any) -> Outcome:
        return Outcome(kind, title, dice=tuple(self.dice), changes=tuple(self.changes), **more)


def audience_of(desk: Desk, actor: ActorState, *others: str) -> Audience:
    """Whoever may know an actor's numbers: the GM alone for an NPC whose numbers are not shown. `others`: named too."""
    return GM if actor.npc and not actor.numbers_shown else desk.audience(actor.id, *others)


def write(
    desk: Desk, kind: str, text: Text, book: Book, title: Reason, *, by: str = "", always: bool = False, **data: Any
) -> None:
    """Tell what happened to an actor, if anything did or it is worth telling all the same. `by`: who did it."""
    who, values = book.actor.id, book.values
    if book.changes or values or always:
        audience, outcome = audience_of(desk, book.actor, by), book.outcome(kind, title)
        actors = {**_let_go(book), who: values}
        desk.emit(kind, text, actor=who, outcome=outcome, actors=actors, audience=audience, **data)


def _let_go(book: Book) -> dict[str, dict[str, Any]]:
    """The other side of a grip that is over."""
    found: dict[str, dict[str, Any]] = {}
    if book.first.holds and not book.actor.holds:
        found[book.first.holds] = {"held_by": ""}
    if book.first.held_by and not book.actor.held_by:
        found.setdefault(book.first.held_by, {}).update({"holds": "", "choke": None})
    return found
