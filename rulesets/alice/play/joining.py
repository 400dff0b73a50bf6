"""What the table itself brings: newcomers, newer sheets, evenings, scenes (rules §3.6; `engine.play.BY_THE_TABLE`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rulesets.alice import document
from rulesets.alice.play import reading, setup
from rulesets.alice.play.acting import no_test
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.laying import late_abilities, own_abilities, relay
from rulesets.alice.play.piles import lay_pile, refill
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.state import DRAW, ActorState, Scene
from rulesets.alice.play.words import words
from rulesets.alice.words import refused
from rulesets.engine.play import ALL, CAST_JOIN, EVENING_END, EVENING_START, GM, SCENE_SET, SHEET_REFRESH

event("sheet")
event("joined", shows=("who",))
event("evening", shows=("number",))
event("scene", shows=("title", "note"))

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
    """The entry as `setup.members` takes it. Refuses E_BAD_INPUT for a build or carried values that are none."""
    build, play = asked.values["build"], asked.values["play"] or {}
    if not isinstance(build, Mapping) or document.check_document(build):
        raise refused("E_BAD_INPUT", label=words("field.build"), value="…")
    if not isinstance(play, Mapping):
        raise refused("E_BAD_INPUT", label=words("field.play"), value="…")
    plain = {name: asked.values[name] for name in ("id", "kind", "name", "hidden")}
    return {**plain, "seat": asked.text("seat"), "count": asked.number("count") or 1, "build": build, "play": play}


@command(SHEET_REFRESH, *_ENTRY, roles=GM_ONLY, codes=("E_TEST_OPEN", "E_UNKNOWN_ACTOR"), rule="§3.6")
def refresh(desk: Desk, asked: Asked) -> None:
    """Take over a newer sheet. Damage, hand and abilities once dealt stay as they are."""
    entry = _entry(asked)
    no_test(desk)
    found = desk.several([entry["id"]])
    values = {actor.id: _refreshed(desk, actor, entry) for actor in found}
    desk.emit("sheet", words("log.sheet", name=entry["name"]), actor=found[0].id, actors=values)
    if desk.state.phase == "setup":
        relay(desk)


def _refreshed(desk: Desk, actor: ActorState, entry: Mapping[str, Any]) -> dict[str, Any]:
    name = entry["name"]
    if actor.cast.group:
        name = words("mob.member", name=name, n=actor.cast.number).ja
    cast = replace(actor.cast, build=dict(entry["build"]), name=name)
    fixed = desk.state.phase != "setup" and not actor.npc
    ranks: dict[str, str] = {str(suit): rank for suit, rank in cast.character.cards.items()}
    if fixed:
        ranks |= actor.ranks
    return {"cast": cast, "ranks": ranks}


@command(CAST_JOIN, *_ENTRY, roles=GM_ONLY, codes=("E_NO_CHANGE", "E_TEST_OPEN"), rule="§3.6")
def join(desk: Desk, asked: Asked) -> None:
    """Somebody new. After the deal a PC's ability cards leave the pile, missing ones are drawn, a hand is dealt."""
    entry = _entry(asked)
    no_test(desk)
    if desk.state.phase == "ended":
        raise refused("E_WRONG_PHASE")
    if desk.state.group(entry["id"]):
        raise refused("E_NO_CHANGE")
    try:
        fresh = list(setup.members(entry))
    except (ValueError, KeyError):
        raise refused("E_BAD_INPUT", label=words("field.id"), value="…") from None
    values = {one.id: {field.name: getattr(one, field.name) for field in fields(one)} for one in fresh}
    audience = GM if fresh[0].hidden else ALL
    desk.emit("joined", words("log.joined", name=entry["name"]), actors=values, audience=audience, who=list(values))
    if desk.state.phase == "setup":
        relay(desk)
    elif not fresh[0].npc:
        for one in fresh:
            _dealt_in(desk, one.id)


def _dealt_in(desk: Desk, who: str) -> None:
    desk.emit("joined", world={"seats": (*desk.state.seats, who)}, who=[who])
    own_abilities(desk, who)
    late_abilities(desk, who)
    if desk.state.zone(DRAW):
        lay_pile(desk, desk.state.zone(DRAW))
    refill(desk, who)


# ---------------------------------------------------------------- evenings and scenes


@command(EVENING_START, reading.number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§10.3")
def start_evening(desk: Desk, asked: Asked) -> None:
    """Another evening of the same game: everything lies where it lay."""
    now = asked.number("number") or desk.state.evening + 1
    desk.emit("evening", words("log.evening_start", n=now), world={"evening": now}, number=now)


@command(EVENING_END, reading.number("number", 1, 9999, required=False), roles=GM_ONLY, rule="§10.3")
def end_evening(desk: Desk, asked: Asked) -> None:
    """The evening is over, the game goes on."""
    now = asked.number("number") or desk.state.evening
    desk.emit("evening", words("log.evening_end", n=now), world={"evening": now}, number=now)


@command(SCENE_SET, reading.text("title"), reading.text("text"), roles=GM_ONLY, rule="§10.3")
def scene(desk: Desk, asked: Asked) -> None:
    """What is going on now, for everybody to read."""
    found = Scene(asked.text("title"), asked.text("text"))
    desk.emit(
        "scene", words("log.scene", title=found.title), world={"scene": found}, title=found.title, note=found.text
    )
