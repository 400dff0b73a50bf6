"""What evenings and scenarios carry over, and what closing the table gives back to the sheets (rules §6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.money import starting
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, number
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.setup import ARM_IDS, first_arms
from rulesets.edo.play.state import ActorState, ArmState, Care, Life, Needs, State, decode, encode
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Change, Outcome, Reason
from rulesets.engine.play import CarriedChange, CarriedOver
from rulesets.engine.text import Text

# Fields of an actor that go home and come back with `cast[].play`.
KEPT = ("wounds", "hunger_loss", "life", "needs", "care", "money_mon", "armour", "arms", "mounted")
START_HOURS = State({}, {}).clock.hours


# ---------------------------------------------------------------- 活劇点 over evenings and scenarios

event("evening", shows=("number",))
event("scenario")


def next_evening(person: Person) -> int:
    """活劇点 at the next evening of the same scenario: a surplus stays, a deficit is filled up (C23)."""
    return max(person.actor.kp, person.role.kp_initial)


def fresh(person: Person) -> int:
    """活劇点 once the scenario is over."""
    return person.role.kp_initial


@command("evening.start", number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§6.5")
def start_evening(desk: Desk, asked: Asked) -> None:
    """Another evening begins; in the same scenario points are filled up to the initial value."""
    typed = asked.number("number")
    now = typed if typed is not None else desk.state.evening + 1
    refill = now > 1
    parts = list(_points(desk, "carry.same" if desk.state.scenario_open else "carry.over") if refill else ())
    _told(desk, "evening", words("log.evening_start", n=now), parts, {"evening": now}, now)


@command("evening.end", number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§6.5")
def end_evening(desk: Desk, asked: Asked) -> None:
    """The evening is over. Points change only when the scenario was over too."""
    typed = asked.number("number")
    now = typed if typed is not None else desk.state.evening
    parts = [] if desk.state.scenario_open else list(_points(desk, "carry.over"))
    _told(desk, "evening", words("log.evening_end", n=now), parts, {"evening": now}, now)


@command("scenario.end", roles=GM_ONLY, codes=("P46", "P60"), rule="§6.5", retractable=True)
def end_scenario(desk: Desk, asked: Asked) -> None:
    """The scenario is over: everybody's points are the initial ones again."""
    if not desk.state.scenario_open:
        desk.refuse("P46")
    if desk.state.fight is not None or desk.state.exchange is not None:
        desk.refuse("P60")
    parts = list(_points(desk, "carry.over"))
    _told(desk, "scenario", words("log.scenario_end"), parts, {"scenario_open": False}, None)


def _points(desk: Desk, key: str) -> Iterator[Change]:
    """Changes of the 活劇点 of everybody who has an initial value: the PCs (NPCs roll theirs, §6.6)."""
    for one in desk.state.actors.values():
        person = desk.person(one.id)
        if not one.npc and not one.life.gone:
            after = next_evening(person) if key == "carry.same" else fresh(person)
            if after != one.kp:
                yield Change(one.id, "kp", one.kp, after, reason(key, "§6.5", n=person.role.kp_initial))


def _told(desk: Desk, kind: str, text: Text, parts: list[Change], world: dict[str, Any], evening: int | None) -> None:
    outcome = Outcome(kind, reason("title.carry", "§6.5"), changes=tuple(parts)) if parts else None
    actors = {change.subject: {"kp": change.after} for change in parts}
    more: dict[str, Any] = {} if evening is None else {"number": evening}
    desk.emit(kind, text, outcome=outcome, actors=actors, world=world, **more)


# ---------------------------------------------------------------- closing


@dataclass(frozen=True, slots=True)
class _Home:
    """An actor as it goes home, beside how it came."""

    person: Person
    before: Person


def close(state: State) -> tuple[CarriedOver, ...]:
    """What each character takes home if the table ended now: wounds, hunger, conditions, money, broken and spent gear.

    活劇点 start anew with every scenario (§6.5), faints and fear pass, the dead stay dead. Members of a mob are left
    out, and so is everybody for whom nothing changed.
    """
    found = (_close(state, one) for one in state.actors.values() if not one.cast.group)
    return tuple(one for one in found if one is not None)


def _close(state: State, one: ActorState) -> CarriedOver | None:
    came = Person(state.tables, as_came(state, one))
    home = Person(state.tables, _at_home(state, one))
    changes = tuple(_changes(_Home(home, came)))
    play = {name: encode(ActorState, name, getattr(home.actor, name)) for name in KEPT}
    play[ARM_IDS] = {key: home.arms[key].id for key in home.actor.arms if key in home.arms}
    return CarriedOver(one.id, changes, play) if changes else None


def as_came(state: State, one: ActorState) -> ActorState:
    """The actor as the table found it."""
    person = Person(state.tables, one)
    clean = ActorState(one.cast, arms=first_arms(person), money_mon=starting(person.sheet))
    found = {name: decode(ActorState, name, value) for name, value in one.brought.items() if name in KEPT}
    return replace(clean, **found)


def _at_home(state: State, one: ActorState) -> ActorState:
    """What outlasts the scenario. Between two of them lies a night; a deadline counts from the next table's start."""
    person = Person(state.tables, one)
    life = one.life if one.life.state in ("dead", "helpless") else Life()
    deadline = one.care.serious_deadline
    if deadline is not None:
        deadline = START_HOURS + max(0, deadline - state.clock.hours)
    arms = {key: _put_away(arm, one.arms.get(key)) for key, arm in first_arms(person).items()}
    return replace(
        one,
        life=life,
        needs=replace(one.needs, asleep=False, hours_awake=0, awake_rolled=0, slept=None, meals=None, drank=None),
        care=replace(one.care, serious_deadline=deadline),
        arms=arms,
        mounted=False,
    )


def _put_away(first: ArmState, now: ArmState | None) -> ArmState:
    return first if now is None else replace(first, broken=now.broken, ammo=now.ammo)


def _changes(home: _Home) -> Iterator[CarriedChange]:
    yield from _numbers(home)
    yield from _life(home)
    yield from _needs(home)
    yield from _care(home)
    yield from _gear(home)
    if home.person.tables.rule.track_money:
        yield from _one(home, "money_mon", "carry.money", "§4.8")


def _one(home: _Home, field: str, key: str, rule: str) -> Iterator[CarriedChange]:
    before, after = getattr(home.before.actor, field), getattr(home.person.actor, field)
    if before != after:
        yield CarriedChange(field, words(key), before, after, reason(f"{key}.why", rule))


def _numbers(home: _Home) -> Iterator[CarriedChange]:
    yield from _one(home, "wounds", "carry.wounds", "§8")
    yield from _one(home, "hunger_loss", "carry.hunger", "§8.5")
    before, after = home.before.actor.armour, home.person.actor.armour
    if before != after:
        names = _armour(home, before), _armour(home, after)
        yield _worded("armour", "carry.armour", (before, after), "§7.11", names)


def _armour(home: _Home, armour: str) -> Text:
    return home.person.tables.armour[armour].name if armour else words("carry.no_armour")


def _life(home: _Home) -> Iterator[CarriedChange]:
    before, after = home.before.actor.life, home.person.actor.life
    if before != after:
        states = (before.state, after.state)
        yield _worded("life", "carry.life", states, "§10", _said("life", states))


_NEEDS = ("fatigued", "short_sleep", "meal_miss_days", "no_food_days", "no_water_days")


def _needs(home: _Home) -> Iterator[CarriedChange]:
    before: Needs = home.before.actor.needs
    after: Needs = home.person.actor.needs
    why = reason("carry.needs.why", "§5.4")
    for name in _NEEDS:
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            yield CarriedChange(f"needs.{name}", words(f"needs.{name}"), was, now, why)


def _care(home: _Home) -> Iterator[CarriedChange]:
    before: Care = home.before.actor.care
    after: Care = home.person.actor.care
    if before.first_aid != after.first_aid:
        states = (before.first_aid, after.first_aid)
        yield _worded("care.first_aid", "care.first_aid", states, "§8.1", _said("first_aid", states))
    if before.serious != after.serious:
        why = reason("carry.serious.why", "§8.3")
        yield CarriedChange("care.serious", words("carry.serious"), before.serious, after.serious, why)


def _said(kind: str, values: tuple[str, str]) -> tuple[Text, Text]:
    return words(f"{kind}.{values[0]}"), words(f"{kind}.{values[1]}")


def _worded(key: str, label: str, values: tuple[str, str], rule: str, said: tuple[Text, Text]) -> CarriedChange:
    """A change whose values are words of the rules (`ok`, `dead`), which readers get in their own."""
    return CarriedChange(key, words(label), *values, reason(f"{label}.why", rule), said)


def _gear(home: _Home) -> Iterator[CarriedChange]:
    for key, now in home.person.actor.arms.items():
        was = home.before.actor.arms.get(key, ArmState())
        name = home.person.arms[key].name
        if was.broken != now.broken:
            why: Reason = reason("carry.broken.why", "§7.8")
            yield CarriedChange(f"arms.{key}.broken", words("carry.broken", weapon=name), was.broken, now.broken, why)
        if was.ammo != now.ammo:
            why = reason("carry.ammo.why", "§7.7")
            yield CarriedChange(f"arms.{key}.ammo", words("carry.ammo", weapon=name), was.ammo, now.ammo, why)
