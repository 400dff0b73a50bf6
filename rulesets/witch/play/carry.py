"""What characters take home when the table closes (rules §8.2–§8.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.engine.play import CarriedChange, CarriedOver
from rulesets.engine.playing.facts import decode, encode
from rulesets.engine.text import Text
from rulesets.witch.play.person import Person
from rulesets.witch.play.scenario import settlement
from rulesets.witch.play.setup import CARRIED, refreshed
from rulesets.witch.play.state import ActorState, Growth, State
from rulesets.witch.play.words import reason, words


def close(state: State) -> tuple[CarriedOver, ...]:
    """Experience, growths, bank, purchases, HP, MP and names of everybody for whom something changed.

    A scenario that is still open is settled as its closing would. Whoever was out cold wakes.
    """
    settled = {who: replace(state.actors[who], **values) for who, values in settlement(state)[0].items()}
    found = (_close(state, settled.get(one.id, one)) for one in state.actors.values())
    return tuple(one for one in found if one is not None)


def _close(state: State, one: ActorState) -> CarriedOver | None:
    changes = tuple(_changes(Person(state.tables, _came(state, one)), Person(state.tables, one)))
    if not changes:
        return None
    return CarriedOver(one.id, changes, {name: encode(ActorState, name, getattr(one, name)) for name in CARRIED})


def _came(state: State, one: ActorState) -> ActorState:
    """The character as the table found it."""
    found = {name: decode(ActorState, name, value) for name, value in one.brought.items() if name in CARRIED}
    clean = ActorState(one.cast, **found)
    return refreshed(state, clean, fresh="hp" not in found, fresh_mp="mp" not in found)


def _changes(before: Person, after: Person) -> Iterator[CarriedChange]:
    for name, rule in (("xp", "§8.2"), ("bank", "§8.2"), ("hp", "§10"), ("mp", "§10")):
        was, now = getattr(before.actor, name), getattr(after.actor, name)
        if was != now:
            yield CarriedChange(name, words(f"carry.{name}"), was, now, reason(f"carry.{name}.why", rule))
    for growth in after.actor.growths[len(before.actor.growths) :]:
        yield _grown(after, growth)
    if before.sign != after.sign:
        why = reason("carry.sign.why", "§8.3")
        yield CarriedChange("sign", words("carry.sign"), before.sign, after.sign, why)
    for item in after.actor.purchases[len(before.actor.purchases) :]:
        row = after.tables.items[item]
        why = reason("carry.item.why", "§8.4", item=row.name)
        yield CarriedChange(f"item.{item}", row.name, False, True, why)
    yield from _names(before.actor, after.actor)


def _grown(person: Person, growth: Growth) -> CarriedChange:
    label: Text
    if growth.choice == "power":
        label = words("what.power_star") if growth.target == "0" else words("what.power", day=growth.target)
    elif growth.choice == "hp":
        label = words("what.hp")
    else:
        label = person.means(f"{growth.choice}:{growth.target}")
    why = reason("carry.growth.why", "§8.3")
    return CarriedChange(f"growth.{growth.choice}.{growth.target}", label, growth.before, growth.after, why)


def _names(before: ActorState, after: ActorState) -> Iterator[CarriedChange]:
    """That names were given or told, never the names: what closing changes is read by the whole table."""
    told: Mapping[str, tuple[Any, Any]] = {
        "true_name": (bool(before.true_name), bool(after.true_name)),
        "trusted": (len(before.trusted), len(after.trusted)),
        "tail_revealed": (before.tail_revealed, after.tail_revealed),
    }
    for name, (was, now) in told.items():
        if getattr(before, name) != getattr(after, name):
            yield CarriedChange(name, words(f"carry.{name}"), was, now, reason("carry.name.why", "§3.1"))
    if before.tail_name != after.tail_name and not after.tail_revealed:
        yield CarriedChange("tail_name", words("carry.tail_name"), False, True, reason("carry.name.why", "§4.1"))
