"""How a table begins: the cast with its builds, what was carried over, the house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.engine.playing.facts import decoded
from rulesets.ninja import document
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import ActorState, Cast, State
from rulesets.ninja.play.words import words

# Fields of an actor that a setup may give (`play`): what earlier scenarios left behind.
CARRIED = frozenset({"injuries", "items", "money", "fame", "dkk", "loan", "life"})


def start(setup: Mapping[str, Any]) -> State:
    """The first state: full 体力 and 精神力, 即応ダイス by empty slots, 緊急回避ダイス by gear (§4.6, §4.7, E59).

    `setup`: `{"house_rules": {…}, "cast": [entry, …]}`; an entry is `{"id", "name", "kind": "pc"|"npc", "seat", "build"
    (or "fields"), "count": members of a mob, "hidden", "on_stage": bool (default: PCs yes, NPCs no), "ally": bool,
    "play": {field: JSON value}}`. Raises `KeyError`/`ValueError` for entries that are none, `HouseRulesInvalid`.
    """
    state = State(dict(setup.get("house_rules", {})), {})
    actors: dict[str, ActorState] = {}
    for entry in setup["cast"]:
        for actor in members(state, entry):
            if actor.id in actors:
                raise ValueError(f"two actors with the id {actor.id}")
            actors[actor.id] = actor
    return replace(state, actors=actors)


def members(state: State, entry: Mapping[str, Any], first: int = 1) -> Iterator[ActorState]:
    """The actors of an entry: one, or the members of a mob, `id#1` …."""
    count = int(entry.get("count", 1))
    if not entry["id"] or any(mark in entry["id"] for mark in "#,:~"):
        raise ValueError(f"no id for an actor: {entry['id']!r}")
    whose = str(entry.get("seat", "")), entry["kind"], _fields(entry)
    if count == 1 and first == 1:
        yield _actor(state, entry, Cast(entry["id"], entry["name"], *whose))
        return
    for number in range(first, first + count):
        name = words("mob.member", name=entry["name"], n=number).ja
        yield _actor(state, entry, Cast(f"{entry['id']}#{number}", name, *whose, group=entry["id"], number=number))


def _fields(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(entry["fields"]) if "fields" in entry else document.from_build(entry["build"])


def _actor(state: State, entry: Mapping[str, Any], cast: Cast) -> ActorState:
    npc = cast.kind == "npc"
    sheet = cast.sheet(state.tables)
    actor = ActorState(
        cast,
        on_stage=bool(entry.get("on_stage", not npc)),
        hidden=npc and bool(entry.get("hidden", False)),
        ally=npc and bool(entry.get("ally", False)),
        weapon=sheet.in_hand,
        items=carried_items(state, cast),
        money=sheet.count("money"),
        fame=sheet.count("fame"),
        dkk=sheet.count("dkk"),
        loan=sheet.count("loan"),
    )
    carried = entry.get("play", {})
    unknown = set(carried) - CARRIED
    if unknown:
        raise ValueError(f"cannot be carried over: {', '.join(sorted(unknown))}")
    actor = replace(actor, brought=dict(carried), **decoded(ActorState, carried))
    return replace(actor, **fresh(Person(state.tables, actor)))


def carried_items(state: State, cast: Cast) -> dict[str, int]:
    """Things that can be used up, by the ids of their rows."""
    found: dict[str, int] = {}
    for thing in cast.sheet(state.tables).things:
        if thing.row is not None and thing.row.use:
            found[thing.row.id] = found.get(thing.row.id, 0) + 1
    return found


def fresh(person: Person, *, everything: bool = True) -> dict[str, Any]:
    """Values of a scenario's start (E59). `everything`: whatever the house rules say, as at the first table."""
    rule = person.tables.rule
    found: dict[str, Any] = dice_of(person)
    if person.actor.out:
        return found
    if everything or rule.restore_hp:
        found["hp"] = person.hp_max
    if everything or rule.restore_mp:
        found["mp"] = person.mp_max
    if everything or rule.restore_legs:
        found["legs_damage"] = 0
    return found


def dice_of(person: Person) -> dict[str, Any]:
    """即応ダイス and 緊急回避ダイス in full."""
    if person.mob:
        return {"quick": 0, "emergency": 0}
    return {"quick": person.values.number("quick_dice"), "emergency": person.values.number("emergency_dice")}
