"""Exact chances of the rolls outside a fight, before they are made (rules §8, §12)."""

from __future__ import annotations

from fractions import Fraction

from rulesets.edo.odds import FAILURE, POINT, SUCCESS, point_chance, roll
from rulesets.edo.play import daily, kp
from rulesets.edo.play.checks import Plan
from rulesets.edo.play.masks import secret
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked
from rulesets.edo.play.registry import odds_of
from rulesets.edo.play.state import State
from rulesets.edo.play.views import sees_all
from rulesets.edo.play.words import words
from rulesets.edo.play.wounds import awake_plan, first_aid_plan, recovery_plan
from rulesets.engine.odds import Chance, Dist, Odds, at_least, shifted
from rulesets.engine.play import Viewer


def _person(state: State, actor_id: str, viewer: Viewer) -> Person | None:
    """Somebody whose numbers the viewer may know."""
    actor = state.actors.get(actor_id)
    if actor is None or (secret(state, actor_id) and not sees_all(viewer)):
        return None
    return Person(state.tables, actor)


def chances(planned: Plan, person: Person) -> Odds:
    """Success and failure; beside them a drama point gained, and success with one point spent on a reroll (§6.3)."""
    total = shifted(roll(planned.means.dice), planned.value)
    success = at_least(total, planned.difficulty or 0)
    also = [Chance("point", POINT, _point(planned, person))]
    if kp.bar(person, "reroll") is None:
        also.append(Chance("with_reroll", words("odds.with_reroll"), 1 - (1 - success) ** 2))
    outcomes = (Chance("success", SUCCESS, success), Chance("failure", FAILURE, 1 - success))
    return Odds(outcomes, tuple(also), total)


def _point(planned: Plan, person: Person) -> Fraction:
    npc, ally = person.actor.npc, person.actor.ally
    return point_chance(planned.means.dice, person.role.id, person.tables, npc=npc, ally=ally)


@odds_of("first_aid")
def _first_aid(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    healer = _person(state, asked.text("actor"), viewer)
    patient = _person(state, asked.text("target"), viewer)
    if healer is None or patient is None or asked.flag("auto"):
        return None
    return chances(first_aid_plan(healer, patient), healer)


@odds_of("awake.roll")
def _awake(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    person = _person(state, asked.text("actor"), viewer)
    hour = daily.sleepless_hour(person) if person is not None else None
    if person is None or hour is None or asked.flag("auto"):
        return None
    return chances(awake_plan(person, hour), person)


@odds_of("recovery.roll")
def _recovery(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Better, the same, or worse: missing by five or more costs a point (§8.2)."""
    person = _person(state, asked.text("actor"), viewer)
    if person is None or not person.actor.wounds or asked.flag("auto"):
        return None
    planned = recovery_plan(person)
    found = chances(planned, person)
    total: Dist[int] = shifted(roll(planned.means.dice), planned.value)
    least = (planned.difficulty or 0) - person.tables.number("recovery_worse_by")
    worse = total.where(lambda value: value <= least)
    better = at_least(total, planned.difficulty or 0)
    outcomes = (
        Chance("better", words("recovery.better"), better),
        Chance("same", words("recovery.same"), 1 - better - worse),
        Chance("worse", words("recovery.worse"), worse),
    )
    return Odds(outcomes, found.also, total)
