"""Outcomes as those see them who may not know an NPC's numbers: difficulties and values become words."""

from __future__ import annotations

from dataclasses import replace

from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, State
from rulesets.engine.outcome import Change, Outcome

# Summands of damage that give away the target's build.
_OF_TARGET = frozenset({"target_body"})


def secret(state: State, actor_id: str) -> bool:
    """Whether somebody's numbers are the GM's alone."""
    actor = state.actors.get(actor_id)
    return actor is not None and actor.npc and not actor.numbers_shown


def public(state: State, outcome: Outcome, *, of: str = "", hides: bool = False) -> Outcome | None:
    """The outcome for the table; None when it is the same for all.

    `of`: whose numbers make the difficulty; left out when they are the GM's alone. `hides`: left out anyway.
    """
    found = _masked(state, outcome, hides or secret(state, of))
    return None if found == outcome else found


def _masked(state: State, outcome: Outcome, hides: bool) -> Outcome:
    found = replace(
        outcome,
        changes=tuple(change for one in outcome.changes if (change := _change(state, one)) is not None),
        parts=tuple(_masked(state, one, hides) for one in outcome.parts),
    )
    if not hides:
        return found
    modifiers = tuple(m for m in found.modifiers if m.to != "target" and m.key not in _OF_TARGET)
    return replace(found, target=None, margin=None, modifiers=modifiers)


def _change(state: State, change: Change) -> Change | None:
    if not secret(state, change.subject):
        return change
    if change.key == "endurance":
        return replace(
            change, key="health", before=health_at(state, change.subject, change.before), after=_after(state, change)
        )
    return change if change.key in ("life", "posture", "weapon") else None


def _after(state: State, change: Change) -> str:
    return health_at(state, change.subject, change.after)


def health_at(state: State, actor_id: str, endurance: object) -> str:
    """`unhurt`, `hurt` or `badly` for an endurance somebody has or had."""
    person = Person(state.tables, state.actors[actor_id])
    left = endurance if isinstance(endurance, int) else person.endurance
    return health(left, person.endurance_max)


def health(endurance: int, most: int) -> str:
    """How somebody looks who has so much endurance left."""
    lost = most - endurance
    if lost <= 0:
        return "unhurt"
    return "badly" if 2 * lost >= most else "hurt"


def health_of(person: Person) -> str:
    return health(person.endurance, person.endurance_max)


__all__ = ["ActorState", "health", "health_at", "health_of", "public", "secret"]
