"""Exact chances of a spell from what a viewer may know (rules §7, §12.1)."""

from __future__ import annotations

from rulesets.engine.odds import Dist, Odds, constant, total_of
from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import is_gm
from rulesets.witch import chances
from rulesets.witch.moon import night
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked
from rulesets.witch.play.registry import odds_of
from rulesets.witch.play.state import Attempt, State
from rulesets.witch.play.targets import find
from rulesets.witch.play.views import sees_numbers, visible
from rulesets.witch.rows import STAR


@odds_of("spell.cast")
def cast_odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Success of a rated spell with the dice the cat promised; beside it, what help would make of it.

    None while one of the numbers is the GM's alone. What is rolled with the spell counts as not known yet.
    """
    attempt = state.attempts.get(asked.text("attempt"))
    if attempt is None or attempt.kind != "spell" or attempt.done or not attempt.rated:
        return None
    rate = _rate(state, attempt, viewer)
    if rate is None:
        return None
    granted = attempt.help.granted if attempt.help.state == "accepted" else 0
    helped = () if granted or attempt.actor not in state.bonds else chances.MAGIC_HELP
    return chances.spell(rate, granted=granted, helped=helped)


def _rate(state: State, attempt: Attempt, viewer: Viewer) -> Dist[int] | None:
    """The rate before help as this viewer may know it."""
    witch = Person(state.tables, state.actors[attempt.actor])
    today = night(state.calendar, state.tables.rule).moon_day
    if today is None or not visible(witch.actor, viewer) or not sees_numbers(witch.actor, viewer):
        return None
    parts = [chances.trickster_power(witch.power[today], witch.power[STAR], draws=witch.draws)]
    difficulty = _difficulty(state, attempt, viewer)
    belief = _belief(state, attempt, viewer)
    if difficulty is None or belief is None:
        return None
    return total_of((*parts, difficulty, belief))


def _difficulty(state: State, attempt: Attempt, viewer: Viewer) -> Dist[int] | None:
    if attempt.difficulty is None:
        return chances.rolled_difficulty()
    if not state.tables.rule.difficulty_visible and not is_gm(viewer):
        return None
    return constant(attempt.difficulty)


def _belief(state: State, attempt: Attempt, viewer: Viewer) -> Dist[int] | None:
    found = find(state, attempt.target)
    one = state.actors.get(attempt.target)
    if found is None or ((found.secret or (one is not None and one.hidden)) and not is_gm(viewer)):
        return None
    if found.belief is not None:
        return constant(found.belief)
    return chances.belief(state.tables.targets[found.category])
