"""Exact chances of the rolls outside a fight, before they are made (rules §8, §12)."""

from __future__ import annotations

from rulesets.edo.play import daily
from rulesets.edo.play.masks import secret
from rulesets.edo.play.odds import of_plan, total
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked
from rulesets.edo.play.registry import odds_of
from rulesets.edo.play.state import State
from rulesets.edo.play.views import sees_all
from rulesets.edo.play.words import words
from rulesets.edo.play.wounds import awake_plan, first_aid_plan, recovery_plan
from rulesets.engine.odds import Chance, Odds
from rulesets.engine.play import Viewer


def _person(state: State, actor_id: str, viewer: Viewer) -> Person | None:
    """Somebody whose numbers the viewer may know."""
    actor = state.actors.get(actor_id)
    if actor is None or (secret(state, actor_id) and not sees_all(viewer)):
        return None
    return Person(state.tables, actor)


@odds_of("first_aid")
def _first_aid(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    healer = _person(state, asked.text("actor"), viewer)
    patient = _person(state, asked.text("target"), viewer)
    if healer is None or patient is None or asked.flag("auto"):
        return None
    return of_plan(state, first_aid_plan(healer, patient))


@odds_of("awake.roll")
def _awake(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    person = _person(state, asked.text("actor"), viewer)
    hour = daily.sleepless_hour(person) if person is not None else None
    if person is None or hour is None or asked.flag("auto"):
        return None
    return of_plan(state, awake_plan(person, hour))


@odds_of("recovery.roll")
def _recovery(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Better, the same, or worse: missing by five or more costs a point (§8.2)."""
    person = _person(state, asked.text("actor"), viewer)
    if person is None or not person.actor.wounds or asked.flag("auto"):
        return None
    planned = recovery_plan(person)
    found = of_plan(state, planned)
    least = (planned.difficulty or 0) - person.tables.number("recovery_worse_by")
    better, worse = found.chance("success"), total(planned).where(lambda value: value <= least)
    outcomes = (
        Chance("better", words("recovery.better"), better),
        Chance("same", words("recovery.same"), 1 - better - worse),
        Chance("worse", words("recovery.worse"), worse),
    )
    return Odds(outcomes, found.also, found.dist)
