"""What the table itself brings: a newer sheet of somebody who plays, and somebody new (rules §10).

The data of both commands is an entry of the setup's `cast` (see `rulesets.engine.play.Play.start`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rulesets.engine.play import ALL, CAST_JOIN, GM, SHEET_REFRESH
from rulesets.ninja import document
from rulesets.ninja.play import reading, setup
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.state import ActorState
from rulesets.ninja.play.words import words

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
    return {**plain, "seat": asked.text("seat"), "count": asked.count("count") or 1, "build": build, "play": play}


@command(SHEET_REFRESH, *_ENTRY, roles=GM_ONLY, codes=("P29",), rule="§10")
def refresh(desk: Desk, asked: Asked) -> None:
    """Take over a newer revision of somebody who plays, and whose they are now. Live values stay, within bounds."""
    entry = _entry(asked)
    desk.idle()
    found = desk.several([entry["id"]])
    build = document.from_build(entry["build"])
    values = {actor.id: _refreshed(desk, actor, build, entry) for actor in found}
    desk.emit("refreshed", words("log.refreshed", name=entry["name"]), actor=found[0].id, actors=values)


def _refreshed(desk: Desk, actor: ActorState, build: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    name = entry["name"]
    if actor.cast.group:
        name = words("mob.member", name=name, n=actor.cast.number).ja
    seat = actor.seat if actor.npc else entry["seat"] or actor.seat
    cast = replace(actor.cast, fields=build, name=name, seat=seat)
    person = Person(desk.tables, replace(actor, cast=cast))
    values: dict[str, Any] = {"cast": cast, "hp": min(actor.hp, person.hp_max), "mp": min(actor.mp, person.mp_max)}
    if actor.weapon not in person.sheet.weapons and not actor.items.get(actor.weapon):
        values["weapon"] = person.sheet.in_hand
    return values


@command(CAST_JOIN, *_ENTRY, roles=GM_ONLY, codes=("P29", "P46"), rule="§5.3")
def join(desk: Desk, asked: Asked) -> None:
    """Somebody new, reinforcements too: a PC is there at once, an NPC when the GM brings them on stage."""
    entry = _entry(asked)
    desk.idle()
    if desk.state.group(entry["id"]):
        raise refused("P46")
    try:
        fresh = list(setup.members(desk.state, entry))
    except (ValueError, KeyError):
        raise refused("P23", label=words("field.play"), value="…") from None
    values = {one.id: {field.name: getattr(one, field.name) for field in fields(one)} for one in fresh}
    audience = GM if fresh[0].hidden else ALL
    desk.emit("joined", words("log.joins", name=entry["name"]), actors=values, audience=audience, who=list(values))
