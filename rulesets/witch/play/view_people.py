"""Witches and cats as a viewer may see them; secret names only for those who may know (rules §3.1, §4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import is_gm
from rulesets.witch.moon import night
from rulesets.witch.play.person import Person
from rulesets.witch.play.registry import part
from rulesets.witch.play.state import ActorState, State
from rulesets.witch.play.views import owns, plays, sees_numbers, text, visible
from rulesets.witch.play.words import words


@part("people")
def _people(state: State, viewer: Viewer) -> list[Mapping[str, Any]]:
    return [person_view(state, one, viewer) for one in state.actors.values() if visible(one, viewer)]


def person_view(state: State, one: ActorState, viewer: Viewer) -> dict[str, Any]:
    person = Person(state.tables, one)
    found: dict[str, Any] = {
        "id": one.id,
        "name": one.name,
        "kind": "cat" if one.is_cat else "witch",
        "npc": one.npc,
        "seat": one.seat,
        "mine": owns(one, viewer),
        "partner": _partner(state, one, viewer),
        "out": one.out,
        "conditions": list(one.conditions),
    }
    if is_gm(viewer):
        found |= {"hidden": one.hidden, "numbers_shown": one.numbers_shown}
    if one.is_cat:
        found |= _tail_name(one, viewer)
    else:
        found |= _true_name(state, person, viewer)
    if sees_numbers(one, viewer):
        found |= _numbers(state, person)
        found |= _of_cat(state, person) if one.is_cat else _of_witch(state, person)
    return found


def _partner(state: State, one: ActorState, viewer: Viewer) -> str:
    found = state.witch_of(one.id) if one.is_cat else state.bonds.get(one.id, "")
    return found if found and visible(state.actors[found], viewer) else ""


# ---------------------------------------------------------------- secrets


def knows_true_name(state: State, one: ActorState, viewer: Viewer) -> bool:
    """Her player; the GM where the group lets them; whoever plays a character that she told."""
    if plays(one, viewer) or (is_gm(viewer) and (one.npc or state.tables.rule.gm_sees_true_name)):
        return True
    return any(plays(state.actors[who], viewer) for who in one.trusted if who in state.actors)


def _true_name(state: State, person: Person, viewer: Viewer) -> dict[str, Any]:
    """The name; a mask for her cat's player and a GM who may not know; nothing at all for others (§3.1)."""
    one = person.actor
    found: dict[str, Any] = {"has_true_name": bool(person.true_name)}
    if knows_true_name(state, one, viewer):
        found["true_name"] = person.true_name
        found["trusted"] = [who for who in one.trusted if who in state.actors and visible(state.actors[who], viewer)]
        return found
    cat = state.actors.get(state.bonds.get(one.id, ""))
    if person.true_name and (is_gm(viewer) or (cat is not None and plays(cat, viewer))):
        found["true_name_mask"] = text(words("mask.secret"))
    return found


def _tail_name(one: ActorState, viewer: Viewer) -> dict[str, Any]:
    """A tail name is the GM's until the cat has found it; then its player knows it too."""
    if is_gm(viewer):
        return {"tail_name": one.tail_name, "tail_revealed": one.tail_revealed}
    if plays(one, viewer):
        if one.tail_revealed:
            return {"tail_name": one.tail_name, "tail_revealed": True}
        return {"tail_name_mask": text(words("mask.unknown"))}
    return {}


# ---------------------------------------------------------------- numbers


def _numbers(state: State, person: Person) -> dict[str, Any]:
    factors = [
        {"id": row, "label": text(person.sheet.factor_rows[row].label), "value": value}
        for row, value in person.factors.items()
    ]
    return {"hp": person.actor.hp, "hp_max": person.hp_max, "factors": factors}


def _of_witch(state: State, person: Person) -> dict[str, Any]:
    today = night(state.calendar, state.tables.rule).moon_day
    return {
        "skills": [{"name": name, "value": value} for name, value in person.skills.items()],
        "power": list(person.power),
        "power_today": person.power[today] if today is not None else None,
        "sign": person.sign,
        "shadow": person.shadow,
        "draws": person.draws,
        "xp": person.actor.xp,
        "growths": len(person.actor.growths),
        "available": max(0, person.available),
        "to_next": person.to_next,
    }


def _of_cat(state: State, person: Person) -> dict[str, Any]:
    rule = state.tables.rule
    spells = [state.tables.cat_spells[spell] for spell in person.spells]
    items = [_item(person, item_id) for item_id in state.tables.items]
    return {
        "mp": person.actor.mp,
        "mp_max": person.mp_max,
        "spells": [
            {"id": row.id, "label": text(row.label), "effect": text(row.effect), "mp": row.mp} for row in spells
        ],
        "bank": person.actor.bank,
        "purchases": list(person.actor.purchases),
        "whiskers_left": max(0, rule.whisker_limit - person.whiskers),
        "shop": items,
        "nine_lives": person.actor.nine_lives,
    }


def _item(person: Person, item_id: str) -> dict[str, Any]:
    """A thing of the shop: its price, and what stands against buying it (a code of the refusals, "" for nothing)."""
    row = person.tables.items[item_id]
    rule, one = person.tables.rule, person.actor
    bar = ""
    if row.whisker and person.whiskers >= rule.whisker_limit:
        bar = "C12"
    elif row.whisker and not rule.same_whisker_twice and item_id in one.purchases:
        bar = "L32"
    elif not row.whisker and item_id in one.purchases:
        bar = "C13"
    elif one.bank < row.price:
        bar = "C14"
    return {"id": item_id, "label": text(row.name), "price": row.price, "whisker": row.whisker, "bar": bar}
