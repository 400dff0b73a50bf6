"""Rolls outside a fight that something follows from: first aid, recovery, staying awake (rules §6.3, §8).

A roll that failed and can still be rescued with 活劇点 stays open in `State.rolls` until its owner or the GM decides.
What follows is registered by the kind of the check and happens when the result stands, once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulesets.edo.play.state import Check, State

if TYPE_CHECKING:
    from rulesets.edo.play.desk import Desk

Follow = Callable[["Desk", Check], None]
_FOLLOW: dict[str, Follow] = {}
FOLLOW: Mapping[str, Follow] = _FOLLOW


def follows(kind: str) -> Callable[[Follow], Follow]:
    """Register what a check of this kind leads to once its result stands."""

    def register(follow: Follow) -> Follow:
        if kind in _FOLLOW:
            raise ValueError(f"what follows {kind} is there twice")
        _FOLLOW[kind] = follow
        return follow

    return register


def stands(desk: Desk, check: Check) -> None:
    """The result of a check is final: what follows happens. Called once, by whatever settles it."""
    follow = FOLLOW.get(check.kind)
    if follow is not None:
        follow(desk, check)


def unsettled(state: State, who: str, kind: str) -> Check | None:
    """A roll of this kind that somebody may still change."""
    return next((c for c in state.rolls.values() if not c.settled and c.who == who and c.kind == kind), None)


def gives_away(check: Check) -> str:
    """Whose numbers the difficulty of a check tells: the patient's, or the roller's own wounds; "" = nobody's."""
    return check.target or (check.who if check.kind in FOLLOW else "")
