"""Rolls outside a fight that something follows from: first aid, recovery, staying awake (rules §6.3, §8).

A roll that failed and can still be rescued with 活劇点 stays open in `State.rolls`; everything else stands at once.
What follows is registered by the kind of the check and happens when the result stands, once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.play import kp
from rulesets.edo.play.book import audience_of
from rulesets.edo.play.checks import Plan, bought, throw
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.masks import public
from rulesets.edo.play.registry import event
from rulesets.edo.play.state import Check, State
from rulesets.engine.play import Audience
from rulesets.engine.text import Text

Follow = Callable[[Desk, Check], None]
_FOLLOW: dict[str, Follow] = {}
FOLLOW: Mapping[str, Follow] = _FOLLOW
event("settled", shows=("roll",))

# Codes that `attempt` may refuse with, beside those of the command.
CODES = ("P01", "P02", "P03", "P24", "P42", "P43", "P78")


def follows(kind: str) -> Callable[[Follow], Follow]:
    """Register what a check of this kind leads to once its result stands."""

    def register(follow: Follow) -> Follow:
        if kind in _FOLLOW:
            raise ValueError(f"what follows {kind} is there twice")
        _FOLLOW[kind] = follow
        return follow

    return register


def unsettled(state: State, who: str, kind: str) -> Check | None:
    """A roll of this kind that somebody may still change."""
    return next((c for c in state.rolls.values() if not c.settled and c.who == who and c.kind == kind), None)


def attempt(
    desk: Desk,
    planned: Plan,
    said: Text,
    *,
    target: str = "",
    auto: bool = False,
    values: Mapping[str, Any] | None = None,
) -> Check:
    """Make a roll, or buy its success (§6.3), tell of it, and let its result stand unless points may still change it.

    `target`: whom it is about; the difficulty may give away that one's numbers. `values`: what making the roll sets on
    the roller. Refuses P78 while an earlier roll of the same kind is open.
    """
    person = desk.person(planned.who)
    if unsettled(desk.state, planned.who, planned.kind) is not None:
        desk.refuse("P78", name=person.name)
    about = target or planned.who
    audience = _audience(desk, planned.who, about)
    if auto:
        price = kp.must(desk, person, "auto_success", possible=planned.possible)
        made = bought(desk, planned, price, audience=audience)
    else:
        made = throw(desk, planned, audience=audience)
    check = replace(made.check, target=target)
    desk.emit(
        "rolled",
        said,
        actor=planned.who,
        target=target,
        outcome=made.outcome,
        public=public(desk.state, made.outcome, of=about),
        actors={planned.who: {**(values or {}), **made.values}},
        world={"rolls": {**desk.state.rolls, check.id: check}},
        audience=audience,
        roll=check.id,
    )
    if not kp.rescues(desk.person(check.who), check):
        stands(desk, check)
    return check


def _audience(desk: Desk, who: str, about: str) -> Audience:
    """Everybody, but the GM alone for what happens between NPCs."""
    actors = desk.state.actors
    found = audience_of(desk, actors[who])
    return found if found == audience_of(desk, actors[about]) else desk.audience(who, about)


def stands(desk: Desk, check: Check) -> None:
    """The result of a check is final: it is open no more, and what follows happens. Called by whatever settles it."""
    rolls = {key: roll for key, roll in desk.state.rolls.items() if key != check.id}
    desk.emit("settled", actor=check.who, world={"rolls": rolls}, audience=check.audience, roll=check.id)
    follow = FOLLOW.get(check.kind)
    if follow is not None:
        follow(desk, check)
