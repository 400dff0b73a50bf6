"""What the table itself brings: a newer sheet of somebody who plays, and somebody new (rules §10).

The data of both commands is an entry of the setup's `cast` (see `rulesets.engine.play.Play.start`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rulesets.edo import document
from rulesets.edo.play import reading, setup
from rulesets.edo.play.acting import free_of_exchange
from rulesets.edo.play.daily import able_again
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.stage import into_fight
from rulesets.edo.play.state import ActorState, ArmState
from rulesets.edo.play.turns import joined
from rulesets.edo.play.words import words
from rulesets.engine.play import ALL, CAST_JOIN, GM, SHEET_REFRESH

event("refreshed")
event("joined", shows=("who",))

_ENTRY = (
    reading.text("id", required=True),
    reading.choice("kind", "pc", "npc"),
    reading.text("name", required=True),
    reading.text("seat"),
    reading.number("count", 1, 99, required=False),
    reading.text("build", required=True),
    reading.flag("hidden"),
    reading.text("play"),
)


def _entry(asked: Asked) -> dict[str, Any]:
    """The entry as `setup.members` takes it. Refuses P23 for a build or carried values that are none."""
    build, play = asked.values["build"], asked.values["play"] or {}
    if not isinstance(build, Mapping) or document.check_document(build):
        raise refused("P23", label=words("field.build"), value="…")
    if not isinstance(play, Mapping):
        raise refused("P23", label=words("field.play"), value="…")
    plain = {name: asked.values[name] for name in ("id", "kind", "name", "hidden")}
    return {**plain, "seat": asked.text("seat"), "count": asked.number("count") or 1, "build": build, "play": play}


@command(SHEET_REFRESH, *_ENTRY, roles=GM_ONLY, codes=("P29",), rule="§10")
def refresh(desk: Desk, asked: Asked) -> None:
    """Take over a newer revision of somebody who plays, and whose they are now. Live values stay, within bounds."""
    entry = _entry(asked)
    free_of_exchange(desk)
    found = desk.several([entry["id"]])
    if not found:
        raise refused("P18")
    build = document.from_build(entry["build"])
    values = {actor.id: _refreshed(desk, actor, build, entry) for actor in found}
    said = words("log.refreshed", name=entry["name"])
    desk.emit("refreshed", said, actor=found[0].id, actors=values)


def _refreshed(desk: Desk, actor: ActorState, build: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    name = entry["name"]
    if actor.cast.group:
        name = words("mob.member", name=name, n=actor.cast.number).ja
    seat = actor.seat if actor.npc else entry["seat"] or actor.seat
    fresh = replace(actor, cast=replace(actor.cast, fields=build, name=name, seat=seat))
    person = Person(desk.tables, fresh)
    values: dict[str, Any] = {"cast": fresh.cast, "arms": _same_arms(desk.person(actor.id), person)}
    values["kp"] = min(actor.kp, person.kp_limit)
    return values | (able_again(desk.tables, fresh) if actor.life.able else {})


def _same_arms(before: Person, after: Person) -> dict[str, ArmState]:
    """The weapons of the new sheet; one that was there before, in the same row, is as it was."""
    held = {key: arm.id for key, arm in before.arms.items()}
    same = {key for key, arm in after.arms.items() if held.get(key) == arm.id}
    first = setup.first_arms(after)
    return {key: before.actor.arms.get(key, arm) if key in same else arm for key, arm in first.items()}


@command(CAST_JOIN, *_ENTRY, roles=GM_ONLY, codes=("P29", "P46"), rule="§10")
def join(desk: Desk, asked: Asked) -> None:
    """Somebody new: a PC is there at once, an NPC when the GM brings them on stage."""
    entry = _entry(asked)
    free_of_exchange(desk)
    if desk.state.group(entry["id"]):
        raise refused("P46")
    try:
        fresh = list(setup.members(desk.state, entry))
    except (ValueError, KeyError):
        raise refused("P23", label=words("field.play"), value="…") from None
    values = {one.id: {field.name: getattr(one, field.name) for field in fields(one)} for one in fresh}
    audience = GM if fresh[0].hidden else ALL
    desk.emit("joined", words("log.joins", name=entry["name"]), actors=values, audience=audience, who=list(values))
    world, dice = joined(desk, [one for one in fresh if one.on_stage])
    if world:
        into_fight(desk, world, dice, hidden=fresh[0].hidden)
