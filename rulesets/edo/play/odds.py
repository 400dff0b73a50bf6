"""Exact chances before every roll, from what the viewer may know (rules §5.2, §6.2, §6.3, §7.4, §12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from rulesets.edo.odds import FAILURE, HIT, MISSED, POINT, STOPPED, SUCCESS, point_chance, roll
from rulesets.edo.play import contest, strikes
from rulesets.edo.play.checks import Plan, against, made_total, plan
from rulesets.edo.play.damage_roll import blow, distribution
from rulesets.edo.play.kp import cost
from rulesets.edo.play.modes import MODES, mode_of
from rulesets.edo.play.options import Option, asked_check, defences, options
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked
from rulesets.edo.play.registry import odds_of
from rulesets.edo.play.rolls import planned_roll
from rulesets.edo.play.state import Check, Exchange, Shot, State, Strike
from rulesets.edo.play.views import may_answer, numbers, visible
from rulesets.edo.play.words import words
from rulesets.edo.rows import Ranged
from rulesets.edo.sheet import row_parts
from rulesets.engine.odds import Chance, Dist, Odds, at_least, opposed, shifted
from rulesets.engine.play import Viewer

NONE, SURE = Fraction(0), Fraction(1)


def person_of(state: State, actor_id: str) -> Person:
    return Person(state.tables, state.actors[actor_id])


@lru_cache(maxsize=4)
def dice_of(dice: int) -> Dist[int]:
    """What the dice of a roll may show."""
    return roll(dice)


def total(planned: Plan) -> Dist[int]:
    """The distribution of a roll's total."""
    return shifted(dice_of(planned.means.dice), planned.value)


def gain_chance(person: Person, dice: int) -> Fraction:
    """The chance that a roll earns a point; none at the limit (§6.1, §6.2)."""
    if not person.gains or person.actor.kp >= person.kp_limit:
        return NONE
    return point_chance(dice, person.role.id, person.tables)


def of_plan(state: State, planned: Plan, *, known: bool = True, spent: int = 0) -> Odds:
    """Success and failure, a point beside them, success with one reroll; without a known difficulty the total alone.

    `spent`: points that go before, so that they cannot pay for the reroll.
    """
    person = person_of(state, planned.who)
    dist = total(planned)
    also = [Chance("point", POINT, gain_chance(person, planned.means.dice))]
    if planned.difficulty is None or not known:
        return Odds((), tuple(also), dist)
    success = at_least(dist, planned.difficulty)
    also += _with_reroll(person, success, spent)
    return Odds(_judged(success), tuple(also), dist)


def _with_reroll(person: Person, success: Fraction, spent: int) -> list[Chance]:
    """The chance of success when one point may be spent on a second throw."""
    if person.mook or person.actor.kp - spent < cost(person.tables, "reroll"):
        return []
    return [Chance("reroll", words("odds.reroll"), 1 - (1 - success) ** 2)]


def _judged(success: Fraction) -> tuple[Chance, ...]:
    return Chance("success", SUCCESS, success), Chance("failure", FAILURE, 1 - success)


def _sure() -> Odds:
    return Odds(_judged(SURE))


# ---------------------------------------------------------------- rolls


@odds_of("roll")
def _roll(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    actor = state.actors.get(asked.text("actor"))
    if actor is None or not numbers(actor, viewer):
        return None
    person = Person(state.tables, actor)
    what = asked.text("what")
    if not person.knows(what):
        return None
    given = asked.number("difficulty")
    difficulty = state.tables.number("base_difficulty") if given is None else given
    planned = planned_roll(
        person, what, None if asked.flag("no_difficulty") else difficulty, asked.number("modifier") or 0
    )
    return _sure() if asked.flag("auto") else of_plan(state, planned)


@odds_of("request.answer")
def _request(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    found, actor = state.requests.get(asked.text("request")), state.actors.get(asked.text("actor"))
    if found is None or actor is None or actor.id not in found.replies or not numbers(actor, viewer):
        return None
    person, what = Person(state.tables, actor), asked.text("what") or found.what
    if not person.knows(what) or row_parts(what)[0] != row_parts(found.what)[0]:
        return None
    planned = planned_roll(person, what, found.difficulty)
    known = found.show_difficulty or viewer.role in ("gm", "co_gm")
    return _sure() if asked.flag("auto") and known else of_plan(state, planned, known=known)


@odds_of("roll.rescue")
def _rescue(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    check = state.rolls.get(asked.text("roll"))
    if check is None or not viewer.sees(check.audience) or not numbers(state.actors[check.who], viewer):
        return None
    known = not check.hides or viewer.role in ("gm", "co_gm")
    return _again(state, check, asked.text("answer"), known=known)


def _again(state: State, check: Check, answer: str, *, known: bool = True) -> Odds | None:
    """Throwing a failed roll again has the chances of the first throw; the total alone if the difficulty is unknown."""
    if answer == "turn":
        return _sure()
    if answer != "reroll" or check.difficulty is None:
        return None
    person = person_of(state, check.who)
    dist = shifted(dice_of(check.dice), check.value)
    also = (Chance("point", POINT, gain_chance(person, check.dice)),)
    return Odds(_judged(at_least(dist, check.difficulty)) if known else (), also, dist)


@odds_of("opposed")
def _opposed(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Win, tie, lose of the first side."""
    one, two = state.actors.get(asked.text("actor")), state.actors.get(asked.text("target"))
    if one is None or two is None or not numbers(one, viewer) or not numbers(two, viewer):
        return None
    dists = []
    for actor, name, key in ((one, "what", "difficulty"), (two, "target_what", "target_difficulty")):
        person = Person(state.tables, actor)
        if not person.knows(asked.text(name)):
            return None
        number = asked.number(key)
        parts = None if number is None else (against("difficulty", number, words("part.difficulty"), "§5.5"),)
        planned = plan(person, "opposed", person.means(asked.text(name)), parts)
        dists.append(shifted(total(planned), -(planned.difficulty or 0)))
    found = opposed(dists[0], dists[1])
    return Odds(
        (
            Chance("win", words("odds.win"), found.win),
            Chance("tie", words("odds.tie"), found.tie),
            Chance("lose", words("odds.lose"), found.lose),
        )
    )


# ---------------------------------------------------------------- attacks


@odds_of("attack")
def _attack(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Hit and not stopped, stopped, missed; beside them the hit itself, a point, and whether it would fell the target.

    Without knowing the target's numbers: the total alone.
    """
    members = state.group(asked.text("actor"))
    target = state.actors.get(asked.text("target"))
    if not members or target is None or not visible(target, viewer) or not numbers(members[0], viewer):
        return None
    person = Person(state.tables, members[0])
    strike = _strike(state, asked, person, target.id)
    if strike is None:
        return None
    planned = strikes.to_hit(state, strike)
    if not numbers(target, viewer) and strike.shot is None:
        return of_plan(state, planned, known=False)
    return forecast(state, strike, planned, viewer, unaware=asked.flag("unaware") or target.off_guard)


def _strike(state: State, asked: Asked, person: Person, target: str) -> Strike | None:
    arm = person.arms.get(asked.text("arm"))
    mode = mode_of(arm, asked.text("mode")) if arm is not None else None
    if arm is None or mode is None or not MODES[mode].fits(arm):
        return None
    distance = state.distance(person.id, target, asked.number("distance"))
    strike = Strike(person.id, target, asked.text("arm"), mode, modifier=asked.number("modifier") or 0)
    arms = person.actor.arms.get(asked.text("arm"))
    strike = replace(
        strike,
        first=not person.actor.first_strike_used,
        drawn=arms is not None and not arms.ready,
        riposte=target in person.actor.round.parried,
        auto=asked.flag("auto"),
        auto_riding=asked.flag("auto_riding"),
    )
    if not isinstance(arm, Ranged):
        return strike
    if distance is None:
        return None
    near, _ = person.ranges(arm)
    shot = Shot(
        distance,
        distance > near,
        target_moving=asked.flag("target_moving"),
        shooter_moving=strikes.moving(state, person, asked.values.get("shooter_moving")),
        aimed=asked.flag("aim"),
        small=asked.flag("small"),
        half_cover=asked.flag("half_cover"),
    )
    return replace(strike, shot=shot)


def forecast(state: State, strike: Strike, planned: Plan, viewer: Viewer, *, unaware: bool = False) -> Odds:
    """Hit and not stopped by the target's best defence, with what the viewer may know of the target (§12.7)."""
    difficulty, person = planned.difficulty or 0, person_of(state, strike.attacker)
    known = numbers(state.actors[strike.target], viewer)
    dist = total(planned)
    totals: Iterable[tuple[int, int]] = (
        [(made_total(state.tables, difficulty), dist.total)] if strike.auto else dist.items()
    )
    rider = strikes.riding(state, strike)
    rides = rider is not None and not strike.auto_riding
    seat = at_least(total(rider), rider.difficulty or 0) if rides and rider is not None else SURE
    stops = _stops(state, strike, unaware=unaware) if known else []
    hits = stopped = NONE
    for found, ways in totals:
        if found < difficulty:
            continue
        chance = Fraction(ways, dist.total) * seat
        hits += chance
        more = 0 if strike.shot is not None else found
        stopped += chance * max((at_least(theirs, least + more) for theirs, least in stops), default=NONE)
    also = [] if strike.auto else [Chance("point", POINT, gain_chance(person, planned.means.dice))]
    also += [] if strike.auto or rides or not known else _with_reroll(person, hits, 0)
    if not known:
        seen = (Chance("hit", words("odds.hits"), hits), Chance("missed", MISSED, 1 - hits))
        return Odds(seen, tuple(also), dist)
    also.append(Chance("to_hit", words("odds.hits"), hits))
    if MODES[strike.mode].damages:
        also.append(Chance("fells", words("odds.fells"), (hits - stopped) * _fells(state, strike)))
    also += MODES[strike.mode].chances(person, planned)
    outcomes = (
        Chance("hit", HIT, hits - stopped),
        Chance("stopped", STOPPED, stopped),
        Chance("missed", MISSED, 1 - hits),
    )
    return Odds(outcomes, tuple(also), dist)


def _stops(state: State, strike: Strike, *, unaware: bool) -> list[tuple[Dist[int], int]]:
    """The target's open defences: what each may roll, and the number it needs (beyond the attack's total in melee)."""
    empty = Check("", strike.attacker, "to_hit", "", 3, 0, None, total=0, success=True)
    exchange = Exchange("", (replace(strike, hit=empty),), phase="defence", unaware=unaware)
    plans = [option.plan for option in defences(state, exchange) if option.open and option.plan is not None]
    return [(total(planned), planned.difficulty or 0) for planned in plans]


def _fells(state: State, strike: Strike) -> Fraction:
    x, y = person_of(state, strike.attacker), person_of(state, strike.target)
    return distribution(blow(x, y, strike)).where(lambda amount: amount >= y.endurance)


# ---------------------------------------------------------------- answers


@odds_of("answer")
def _answer(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """The chance that an answer to the open question works."""
    if state.contest is not None:
        return of_contest(state, asked.text("answer"), viewer)
    if state.exchange is None or not may_answer(state, viewer):
        return None
    found = [option for option in options(state) if option.answer == asked.text("answer")]
    named = [one for one in found if one.arm == asked.text("arm") and one.mode == asked.text("mode")]
    option = next((one for one in (*named, *found)), None)
    return None if option is None else of_option(state, option, auto=asked.flag("auto"), viewer=viewer)


def of_option(state: State, option: Option, *, viewer: Viewer, auto: bool = False) -> Odds | None:
    """The chances of one option of the exchange."""
    exchange = state.exchange
    if exchange is None:
        return None
    if option.answer == "counter":
        return _counter(state, exchange, option, viewer)
    if option.answer in ("reroll", "turn"):
        check = asked_check(exchange)
        return None if check is None else _again(state, check, option.answer, known=_evasion_known(state, viewer))
    if option.plan is None:
        return None
    if auto or option.answer == "auto":
        return _sure()
    known = exchange.about != "to_hit" or numbers(state.actors[exchange.strikes[0].target], viewer)
    return of_plan(state, option.plan, known=known, spent=option.points)


def _evasion_known(state: State, viewer: Viewer) -> bool:
    """Whether the difficulty of a to-hit roll that is asked about gives away nobody's numbers."""
    exchange = state.exchange
    if exchange is None or exchange.about != "hit" or exchange.strike.shot is not None:
        return True
    return numbers(state.actors[exchange.strike.target], viewer)


def _counter(state: State, exchange: Exchange, option: Option, viewer: Viewer) -> Odds | None:
    person = person_of(state, exchange.strikes[0].target)
    strike = Strike(person.id, exchange.strikes[0].attacker, option.arm, option.mode, counter=True)
    strike = replace(strike, first=not person.actor.first_strike_used)
    planned = strikes.to_hit(state, strike)
    if not numbers(state.actors[strike.target], viewer):
        return of_plan(state, planned, known=False)
    return forecast(state, strike, planned, viewer)


def of_contest(state: State, answer: str, viewer: Viewer) -> Odds | None:
    """The chance to get ahead of the other side."""
    found = state.contest
    if found is None or not may_answer(state, viewer):
        return None
    if answer in ("auto", "turn"):
        return _sure()
    if answer not in ("roll", "reroll"):
        return None
    side = 0 if found.sides[0].who == found.asked else 1
    check = found.sides[side]
    dist = shifted(dice_of(check.dice), check.value)
    also = (Chance("point", POINT, gain_chance(person_of(state, check.who), check.dice)),)
    return Odds(_judged(at_least(dist, contest.needed(found, side))), also, dist)
