"""Evenings and scenarios, and what closing the table gives back to the sheets (rules §5.7, §9.2, §9.4)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.play import EVENING_END, EVENING_START, CarriedChange, CarriedOver
from rulesets.engine.playing.facts import encode
from rulesets.engine.text import Text
from rulesets.ninja.play import setup
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, number, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.state import ActorState, State
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.tables import Ninja

event("evening", shows=("number",))
event("scenario", shows=("open",))

COUNTS = ("money", "fame", "dkk", "loan")
_NUMBER = number("number", 1, 9999, required=False)


@command(EVENING_START, _NUMBER, roles=GM_ONLY, rule="§5.1")
def start_evening(desk: Desk, asked: Asked) -> None:
    now = asked.number("number") or desk.state.evening + 1
    desk.emit("evening", words("log.evening_start", n=now), world={"evening": now}, number=now)


@command(EVENING_END, _NUMBER, roles=GM_ONLY, rule="§5.1")
def end_evening(desk: Desk, asked: Asked) -> None:
    now = asked.number("number") or desk.state.evening
    desk.emit("evening", words("log.evening_end", n=now), world={"evening": now}, number=now)


@command("scenario.end", roles=GM_ONLY, codes=("P29", "P46", "P51"), rule="§9.4")
def end_scenario(desk: Desk, asked: Asked) -> None:
    """Abilities are restored, injuries collapse to one a part and stay until treated."""
    _between(desk, is_open=True)
    actors = {actor.id: ended(actor) for actor in desk.state.actors.values()}
    desk.emit("scenario", words("log.scenario_end"), actors=actors, world={"scenario_open": False}, open=False)


@command("scenario.start", roles=GM_ONLY, codes=("P29", "P46", "P51"), rule="§9.4")
def start_scenario(desk: Desk, asked: Asked) -> None:
    """A new scenario at the same table: 体力, 精神力, 即応 and 緊急回避ダイス in full (E59)."""
    _between(desk, is_open=False)
    actors: dict[str, dict[str, Any]] = {}
    for actor in desk.state.actors.values():
        person = Person(desk.tables, actor)
        values = setup.fresh(person, everything=False)
        if actor.life == "fainted" and values.get("hp", actor.hp) > 0:
            values["life"] = "alive"
        actors[actor.id] = {key: value for key, value in values.items() if getattr(actor, key) != value}
    desk.emit(
        "scenario", words("log.scenario_start"), actors=actors, world={"scenario_open": True, "ties": {}}, open=True
    )


def _between(desk: Desk, *, is_open: bool) -> None:
    desk.idle()
    if desk.state.fight is not None:
        raise refused("P51")
    if desk.state.scenario_open != is_open:
        raise refused("P46")


def ended(actor: ActorState) -> dict[str, Any]:
    """What the end of a scenario changes of somebody (§5.7, §9.4)."""
    values: dict[str, Any] = {"hurt": {}, "states": {}, "effects": ()}
    values["injuries"] = dict.fromkeys(actor.injuries, 1)
    return {key: value for key, value in values.items() if getattr(actor, key) != value}


# ---------------------------------------------------------------- closing


def close(state: State) -> tuple[CarriedOver, ...]:
    """What each character takes home: money, fame, DKK, debt, injuries, things used, death. Mobs are left out."""
    found = (_close(state, actor) for actor in state.actors.values() if not actor.cast.group)
    return tuple(one for one in found if one is not None)


def _close(state: State, actor: ActorState) -> CarriedOver | None:
    tables, why = state.tables, reason("why.closing", "§9.4")
    before = _before(state, actor)
    changes = [
        CarriedChange(key, tables.label(key), before[key], getattr(actor, key), why)
        for key in COUNTS
        if before[key] != getattr(actor, key)
    ]
    parts = sorted({*before["injuries"], *actor.injuries})
    for part in parts:
        was, now = int(part in before["injuries"]), int(part in actor.injuries)
        if was != now:
            changes.append(CarriedChange(f"injuries.{part}", _injury(tables, part), was, now, why))
    for item in sorted({*before["items"], *actor.items}):
        was, now = before["items"].get(item, 0), actor.items.get(item, 0)
        if was != now:
            changes.append(CarriedChange(f"items.{item}", tables.items[item].name, was, now, why))
    if actor.out and before["life"] != actor.life:
        label = words(f"life.{actor.life}")
        changes.append(CarriedChange("life", label, before["life"], actor.life, reason("why.gone", "§6.10")))
    if not changes:
        return None
    kept: dict[str, Any] = {key: getattr(actor, key) for key in (*COUNTS, "items")}
    kept["injuries"] = dict.fromkeys(actor.injuries, 1)
    kept["life"] = actor.life if actor.out else "alive"
    return CarriedOver(actor.id, tuple(changes), {key: encode(ActorState, key, value) for key, value in kept.items()})


def _before(state: State, actor: ActorState) -> dict[str, Any]:
    """How somebody came: the sheet, and what was brought from the table before."""
    sheet, brought = actor.cast.sheet(state.tables), actor.brought
    found: dict[str, Any] = {key: brought.get(key, sheet.count(key)) for key in COUNTS}
    found["items"] = brought.get("items", setup.carried_items(state, actor.cast))
    found["injuries"] = brought.get("injuries", {})
    found["life"] = brought.get("life", "alive")
    return found


def _injury(tables: Ninja, part: str) -> Text:
    return words("injury", part=tables.label(f"part_{part}"))
