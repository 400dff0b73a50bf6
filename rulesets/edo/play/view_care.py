"""Wounds, treatment, sleep, food and grips as those see them who may know somebody's numbers (rules §7.10, §8, §10)."""

from __future__ import annotations

from typing import Any

from rulesets.edo.play import daily
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import State


def care_view(state: State, person: Person) -> dict[str, Any]:
    """Treatment and needs. `due` (the morning's recovery), `awake_hour`, `survive_open`: a roll or use of points is
    open now.

    `serious_hours`: hours until an untreated serious wound costs a point, None without one.
    """
    actor, care = person.actor, person.actor.care
    deadline = care.serious_deadline if care.serious else None
    return {
        "first_aid": care.first_aid,
        "cared_today": care.cared_today,
        "due": actor.recovers,
        "nurse_level": care.nurse_level,
        "medicine": care.medicine,
        "serious": care.serious,
        "serious_hours": None if deadline is None else max(0, deadline - state.clock.hours),
        "survive_open": actor.life.open,
        "unconscious_minutes": actor.life.minutes,
        "helpless_days": actor.life.days,
        **_needs(person),
    }


def _needs(person: Person) -> dict[str, Any]:
    needs = person.actor.needs
    return {
        "hours_awake": needs.hours_awake,
        "awake_hour": daily.sleepless_hour(person),
        "asleep": needs.asleep,
        "fatigued": needs.fatigued,
        "short_sleep": needs.short_sleep,
        "meal_miss_days": needs.meal_miss_days,
        "no_food_days": needs.no_food_days,
        "no_water_days": needs.no_water_days,
        "noted": {"slept": needs.slept, "meals": needs.meals, "drank": needs.drank},
    }


def choke_view(person: Person) -> dict[str, Any] | None:
    """Successes in a row of whoever chokes somebody; seen by all, as the grip is."""
    choke = person.actor.choke
    if choke is None:
        return None
    key = {"faint": "choke_faint", "kill": "choke_kill"}.get(choke.mode)
    return {"mode": choke.mode, "count": choke.count, "needed": person.tables.number(key) if key else None}
