"""What may be answered now: by whom, at what price, against what (rules §7.4).

One list serves the check of an answer, the page and the odds. An option that is closed says why (`bar`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from rulesets.edo.play import budget, strikes
from rulesets.edo.play.checks import Plan
from rulesets.edo.play.kp import Bar, bar, cost, possible
from rulesets.edo.play.modes import DEMANDS, MODES, mode_of
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Check, Exchange, Mode, State
from rulesets.edo.rows import Ranged, Weapon


@dataclass(frozen=True, slots=True)
class Option:
    """One answer. `way`: how its action is paid; `points`: 活劇点 for it; `plan`: the roll it leads to.

    `mode`: the kind of blow of a counterattack.
    """

    answer: str
    arm: str = ""
    mode: Mode = ""
    way: budget.Way | None = None
    points: int = 0
    plan: Plan | None = None
    bar: Bar | None = None

    @property
    def open(self) -> bool:
        return self.bar is None


def options(state: State) -> tuple[Option, ...]:
    """Every answer to the question that is open, closed ones with their reason; () when nothing is asked."""
    exchange = state.exchange
    if exchange is None or not exchange.asked:
        return ()
    return tuple(_ASKED[exchange.about](state, exchange))


def person_of(state: State, actor_id: str) -> Person:
    return Person(state.tables, state.actors[actor_id])


# ---------------------------------------------------------------- counter


def counters(state: State, exchange: Exchange) -> Iterator[Option]:
    """Counterattack, or not: with any ready weapon that reaches, an attack left or bought (§7.4).

    Every kind of attack may be one: the back of the blade, 当身, a grip and what one may do out of it.
    """
    yield Option("none")
    person = person_of(state, exchange.strikes[0].target)
    for key, arm in person.arms.items():
        if isinstance(arm, Weapon):
            yield from _counters_with(state, exchange, person, key, arm)


def _counters_with(state: State, exchange: Exchange, person: Person, key: str, arm: Weapon) -> Iterator[Option]:
    """A weapon's usual blow, open or not, then whatever else can be done with it now."""
    usual = mode_of(arm, "") or ""
    modes = [usual, *(mode for mode, entry in MODES.items() if mode != usual and entry.fits(arm))]
    for mode in modes:
        option = _counter(state, exchange, person, key, arm, cast(Mode, mode))
        if option.open or (mode == usual and MODES[""].fits(arm)):
            yield option


def _counter(state: State, exchange: Exchange, person: Person, key: str, arm: Weapon, mode: Mode) -> Option:
    other = exchange.strikes[0].attacker
    way = budget.attack_way(person, key)
    closed = _helpless(exchange, person, "counter") or weapon_bar(person, key, "iai_attack")
    closed = closed or reach_bar(state, person, other, arm) or MODES[mode].bar(person, person_of(state, other))
    if closed is None and way is None:
        closed = Bar("P47" if person.actor.round.reloading else "P04", {})
    points = cost(state.tables, "extra_action") if way == "buy" and closed is None else 0
    return Option("counter", key, mode, way if closed is None else None, points, bar=closed)


def weapon_bar(person: Person, key: str, iai: str) -> Bar | None:
    """Why a weapon cannot be used now: broken, not drawn (unless drawn with the blow), too long for a grip."""
    arm = person.arms[key]
    if person.broken(key):
        return Bar("P35", {"why": "broken"})
    if isinstance(arm, Weapon) and in_grip(person) and arm.reach > 1:
        return Bar("P45", {})
    if person.ready(key) or (isinstance(arm, Weapon) and arm.sword and iai_works(person, key, iai)):
        return None
    return Bar("P08", {})


def iai_works(person: Person, key: str, kind: str) -> bool:
    skill = person.arm_means(key).what
    return person.has(skill, "iai_parry" if kind == "iai_parry" else "iai_attack")


def in_grip(person: Person) -> bool:
    """Whether only short weapons can be used: grappling, where the group plays so (E31)."""
    actor = person.actor
    return bool(actor.holds or actor.held_by) and person.tables.rule.grapple_half_ken_weapons_only


def reach_bar(state: State, person: Person, other: str, arm: Weapon) -> Bar | None:
    """Out of reach (§7.3, E50); a distance that was never agreed counts as within reach."""
    distance = state.distance(person.id, other)
    if distance is None or not state.tables.rule.counter_needs_reach or strikes.within(arm.reach, distance):
        return None
    return Bar("P06", {"d": distance, "r": strikes.reach_text(arm.reach)})


# ---------------------------------------------------------------- before the attacker's roll


def before_roll(state: State, exchange: Exchange) -> Iterator[Option]:
    """The attacker, once a counter was declared: roll, or succeed with points (§6.3)."""
    strike = exchange.strikes[0]
    planned = strikes.to_hit(state, strike)
    yield Option("roll", plan=planned)
    riding = strike.auto_riding and strikes.riding(state, strike) is not None
    yield auto(state, planned, promised=cost(state.tables, "auto_success") if riding else 0)


def auto(state: State, planned: Plan, *, promised: int = 0) -> Option:
    """Success without a roll; `promised`: points that go for something else of the same strike."""
    person, price = person_of(state, planned.who), cost(state.tables, "auto_success")
    closed = bar(person, "auto_success", possible=planned.possible, points=price + promised)
    return Option("auto", points=price, plan=planned, bar=closed)


# ---------------------------------------------------------------- after a failed roll


def window(state: State, check: Check) -> Iterator[Option]:
    """Let it stand, throw again, or make it a success (§6.3)."""
    person = person_of(state, check.who)
    yield Option("accept")
    yield Option("reroll", points=cost(state.tables, "reroll"), bar=bar(person, "reroll"))
    closed = bar(person, "turn_failure", possible=possible(check))
    yield Option("turn", points=cost(state.tables, "turn_failure"), bar=closed)


def asked_check(exchange: Exchange) -> Check | None:
    """The failed roll a window is about."""
    strike = exchange.strike
    found = {"hit": strike.hit, "riding": strike.riding, "defended": strike.defended, "after": strike.after}
    return found.get(exchange.about)


def _window(state: State, exchange: Exchange) -> Iterator[Option]:
    check = asked_check(exchange)
    if check is not None:
        yield from window(state, check)


# ---------------------------------------------------------------- defence


def defences(state: State, exchange: Exchange) -> Iterator[Option]:
    """Nothing, a parry with each weapon at hand, a dodge; or the free resistance to a grip (§7.4, §7.10)."""
    strike = exchange.strike
    entry = MODES[strike.mode]
    yield Option("none")
    if entry.defence == "resist":
        yield from _resistances(state, exchange, entry.resists)
        return
    person = person_of(state, strike.target)
    for key, arm in person.arms.items():
        if isinstance(arm, Weapon) and arm.parry != "no":
            yield _parry(state, exchange, person, key, arm)
    yield _dodge(state, exchange, person)


def _helpless(exchange: Exchange, person: Person, answer: str) -> Bar | None:
    if person.mook:
        return Bar("P07", {})
    if exchange.unaware or not person.actor.life.able:
        return Bar("P32", {"answer": answer})
    return None


def _parry(state: State, exchange: Exchange, person: Person, key: str, arm: Weapon) -> Option:
    strike = exchange.strike
    planned = strikes.parry(state, strike, key)
    closed = _helpless(exchange, person, "parry") or _against_arm(state, exchange, arm)
    closed = closed or weapon_bar(person, key, "iai_parry")
    way = budget.parry_way(person, key)
    if closed is None and way is None:
        closed = Bar("P47" if person.actor.round.reloading else "P05", {})
    points = cost(state.tables, "extra_action") if way == "buy" else 0
    return Option("parry", key, "", way, points, planned, closed)


def _against_arm(state: State, exchange: Exchange, arm: Weapon) -> Bar | None:
    """Bare hands stop bare hands only (E27); guns cannot be stopped (§7.7)."""
    used = person_of(state, exchange.strike.attacker).arms[exchange.strike.arm]
    if isinstance(used, Ranged):
        blocked = not used.parryable or arm.parry == "unarmed"
    else:
        free = used.unarmed or state.tables.rule.unarmed_parry_vs_weapon
        blocked = arm.parry == "unarmed" and not free
    return Bar("P44", {"how": "parry"}) if blocked else None


def _dodge(state: State, exchange: Exchange, person: Person) -> Option:
    strike = exchange.strike
    used = person_of(state, strike.attacker).arms[strike.arm]
    closed = _helpless(exchange, person, "dodge")
    if closed is None and isinstance(used, Ranged) and not used.parryable and not state.tables.rule.dodge_vs_guns:
        closed = Bar("P44", {"how": "dodge"})
    way = budget.dodge_way(person)
    if closed is None and way is None:
        closed = Bar("P05", {})
    points = cost(state.tables, "extra_action") if way == "buy" else 0
    return Option("dodge", "", "", way, points, strikes.dodge(state, strike), closed)


def _resistances(state: State, exchange: Exchange, skills: tuple[str, ...]) -> Iterator[Option]:
    person = person_of(state, exchange.strike.target)
    for skill in skills:
        closed = None if person.level(skill) else Bar("P11", {})
        if exchange.unaware or not person.actor.life.able:
            closed = Bar("P32", {"answer": "resist"})
        yield Option("resist", skill, plan=strikes.resist(state, exchange.strike, skill), bar=closed)


# ---------------------------------------------------------------- what a hit demands


def demanded(state: State, exchange: Exchange) -> Iterator[Option]:
    """The target's roll against morale or fainting: thrown, or bought (§6.3)."""
    planned = DEMANDS[exchange.strike.demand][0](state, exchange.strike)
    yield Option("roll", plan=planned)
    yield auto(state, planned)


# ---------------------------------------------------------------- dying


def dying(state: State, exchange: Exchange) -> Iterator[Option]:
    yield Option("die")
    person = person_of(state, exchange.asked)
    yield Option("survive", points=cost(state.tables, "survive"), bar=bar(person, "survive"))


_ASKED = {
    "counter": counters,
    "to_hit": before_roll,
    "hit": _window,
    "riding": _window,
    "defence": defences,
    "defended": _window,
    "demand": demanded,
    "after": _window,
    "survive": dying,
}
