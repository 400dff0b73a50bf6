"""Scenes, evenings, who is there, newer sheets and newcomers (rules §10)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from rulesets.engine.play import ALL, CAST_JOIN, EVENING_END, EVENING_START, GM, SCENE_SET, SHEET_REFRESH
from rulesets.witch import document
from rulesets.witch.moon import BadDate, local_date
from rulesets.witch.pair import bonds
from rulesets.witch.play import setup
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import Asked, actor, choice, flag, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import Scene
from rulesets.witch.play.words import words

event("scene")
event("evening", shows=("number",))
event("shown", shows=("who",))
event("hidden")
event("numbers", shows=("shown",))
event("refreshed")
event("joined", shows=("who",))


@command(SCENE_SET, text("title", required=True), text("text"), roles=GM_ONLY, rule="§10")
def set_scene(desk: Desk, asked: Asked) -> None:
    """A new scene. What was rolled for one scene only is rolled anew."""
    scene = Scene(desk.state.scene.number + 1, asked.text("title"), asked.text("text"))
    desk.emit("scene", words("log.scene", title=scene.title), world={"scene": scene}, audience=ALL)


@command(EVENING_START, number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§10")
def start_evening(desk: Desk, asked: Asked) -> None:
    """An evening begins. Where the real moon counts and no date was chosen, it is the evening's own."""
    now = asked.number("number") or desk.state.evening
    world: dict[str, Any] = {"evening": now}
    rule = desk.tables.rule
    if rule.moon_mode == "astronomical" and not desk.state.calendar.real:
        with suppress(BadDate):
            world["calendar"] = replace(desk.state.calendar, real=local_date(desk.command.at, rule.moon_zone))
    desk.emit("evening", words("log.evening_start", n=now), world=world, number=now)


@command(EVENING_END, number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§10")
def end_evening(desk: Desk, asked: Asked) -> None:
    now = asked.number("number") or desk.state.evening
    desk.emit("evening", words("log.evening_end", n=now), world={"evening": now}, number=now)


# ---------------------------------------------------------------- who is there


@command("actor.show", actor(), roles=GM_ONLY, codes=("P46",), rule="§10")
def show(desk: Desk, asked: Asked) -> None:
    """Somebody hidden steps before the players."""
    one = desk.seen(asked.text("actor"))
    if not one.hidden:
        raise refused("P46")
    said = words("log.shown", name=one.name)
    desk.emit("shown", said, actors={one.id: {"hidden": False}}, audience=ALL, who=[one.id])


@command("actor.hide", actor(), roles=GM_ONLY, codes=("P46",), rule="§10", retractable=True)
def hide(desk: Desk, asked: Asked) -> None:
    """An NPC leaves the players' sight. Players' characters are always there (P46)."""
    one = desk.seen(asked.text("actor"))
    if one.hidden or not one.npc:
        raise refused("P46")
    desk.emit(
        "hidden", words("log.hidden", name=one.name), actor=one.id, actors={one.id: {"hidden": True}}, audience=GM
    )


@command("actor.numbers", actor(), flag("shown"), roles=GM_ONLY, codes=("P46",), rule="§10")
def numbers(desk: Desk, asked: Asked) -> None:
    """Show or hide an NPC's numbers."""
    one = desk.seen(asked.text("actor"))
    shown = asked.flag("shown")
    if not one.npc or one.numbers_shown == shown:
        raise refused("P46")
    said = words("log.numbers_shown" if shown else "log.numbers_hidden", name=one.name)
    desk.emit("numbers", said, actor=one.id, actors={one.id: {"numbers_shown": shown}}, shown=shown)


# ---------------------------------------------------------------- what the table itself brings

_ENTRY = (
    text("id", required=True),
    choice("kind", "pc", "npc"),
    text("name", required=True),
    text("seat"),
    number("count", 1, 99, required=False),
    text("build", required=True),
    flag("hidden"),
    text("play"),
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


@command(SHEET_REFRESH, *_ENTRY, roles=GM_ONLY, rule="§10")
def refresh(desk: Desk, asked: Asked) -> None:
    """Take over a newer revision of somebody who plays. What was grown stays; HP and MP stay within their bounds."""
    entry = _entry(asked)
    one = desk.seen(entry["id"])
    cast = replace(one.cast, fields=document.from_build(entry["build"]), name=entry["name"])
    after = setup.refreshed(desk.state, replace(one, cast=cast))
    values = {"cast": cast, "hp": after.hp, "mp": after.mp}
    sheets = {who: other.cast.fields for who, other in desk.state.actors.items()} | {one.id: cast.fields}
    found = {**bonds(sheets), **{witch: cat for witch, cat in desk.state.bonds.items() if witch != one.id}}
    said = words("log.refreshed", name=cast.name)
    desk.emit("refreshed", said, actor=one.id, actors={one.id: values}, world={"bonds": _one_each(found)})


@command(CAST_JOIN, *_ENTRY, roles=GM_ONLY, codes=("P46",), rule="§10")
def join(desk: Desk, asked: Asked) -> None:
    """Somebody new at the table; a pair without a bond is bound when both name each other."""
    entry = _entry(asked)
    if any(one.partition("#")[0] == entry["id"] for one in desk.state.actors):
        raise refused("P46")
    try:
        fresh = list(setup.members(desk.state, entry))
    except (ValueError, KeyError):
        raise refused("P23", label=words("field.play"), value="…") from None
    values = {one.id: {field.name: getattr(one, field.name) for field in fields(one)} for one in fresh}
    sheets = {one.id: one.cast.fields for one in (*desk.state.actors.values(), *fresh)}
    world = {"bonds": _one_each({**bonds(sheets), **desk.state.bonds})}
    audience = GM if fresh[0].hidden else ALL
    said = words("log.joins", name=entry["name"])
    desk.emit("joined", said, actors=values, world=world, audience=audience, who=list(values))


def _one_each(found: Mapping[str, str]) -> dict[str, str]:
    """One cat for one witch; the bond that stood first stays."""
    kept: dict[str, str] = {}
    for witch, cat in found.items():
        if cat not in kept.values():
            kept[witch] = cat
    return kept
