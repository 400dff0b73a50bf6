"""Scenes, who is on stage, what players see of NPCs (rules §5.3, §10)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.play import ALL, GM
from rulesets.ninja.play import reading
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.state import ActorState, Scene
from rulesets.ninja.play.words import listed, words

event("scene")
event("entered", shows=("who",))
event("left", shows=("who",))
event("shown", shows=("who",))
event("hidden")
event("numbers", shows=("shown",))

ACTORS = reading.text("actors", required=True)


@command("scene.set", reading.text("title", required=True), reading.text("text"), roles=GM_ONLY, rule="§5.1")
def set_scene(desk: Desk, asked: Asked) -> None:
    scene = Scene(desk.state.scene.number + 1, asked.text("title"), asked.text("text"))
    desk.emit("scene", words("log.scene", title=scene.title), world={"scene": scene}, audience=ALL)


def _named(desk: Desk, asked: Asked) -> list[ActorState]:
    return desk.several(asked.listed("actors"))


@command("actor.enter", ACTORS, reading.flag("hidden"), roles=GM_ONLY, codes=("P29", "P46"), rule="§5.3")
def enter(desk: Desk, asked: Asked) -> None:
    """Bring actors on stage; in a fight with the 回避ダイス of this turn."""
    desk.idle()
    actors = [actor for actor in _named(desk, asked) if not actor.on_stage]
    if not actors:
        raise refused("P46")
    hidden = asked.flag("hidden")
    values = {actor.id: _entering(desk, actor, hidden) for actor in actors}
    said = words("log.entered", name=listed(actor.name for actor in actors))
    desk.emit("entered", said, actors=values, audience=GM if hidden else ALL, who=list(values))


def _entering(desk: Desk, actor: ActorState, hidden: bool) -> dict[str, Any]:
    evade = Person(desk.tables, actor).evade_each_turn if desk.state.fight is not None else 0
    return {"on_stage": True, "hidden": actor.npc and hidden, "evade": evade}


@command("actor.leave", ACTORS, roles=GM_ONLY, codes=("P29", "P46"), rule="§5.3")
def leave(desk: Desk, asked: Asked) -> None:
    desk.idle()
    actors = [actor for actor in _named(desk, asked) if actor.on_stage]
    if not actors:
        raise refused("P46")
    hidden = all(actor.hidden for actor in actors)
    values = {actor.id: {"on_stage": False} for actor in actors}
    said = words("log.left", name=listed(actor.name for actor in actors))
    desk.emit("left", said, actors=values, audience=GM if hidden else ALL, who=list(values))


@command("actor.show", ACTORS, roles=GM_ONLY, codes=("P46",), rule="§10")
def show(desk: Desk, asked: Asked) -> None:
    """Somebody hidden is seen by all."""
    actors = [actor for actor in _named(desk, asked) if actor.hidden]
    if not actors:
        raise refused("P46")
    values = {actor.id: {"hidden": False} for actor in actors}
    said = words("log.shown", name=listed(actor.name for actor in actors))
    desk.emit("shown", said, actors=values, audience=ALL, who=list(values))


@command("actor.hide", ACTORS, roles=GM_ONLY, codes=("P29", "P46"), rule="§10")
def hide(desk: Desk, asked: Asked) -> None:
    """An NPC is seen by nobody but the GM."""
    desk.idle()
    actors = [actor for actor in _named(desk, asked) if actor.npc and not actor.hidden]
    if not actors:
        raise refused("P46")
    values = {actor.id: {"hidden": True} for actor in actors}
    desk.emit("hidden", words("log.hidden", name=listed(a.name for a in actors)), actors=values, audience=GM)


@command("numbers.show", reading.actor(), reading.flag("off"), roles=GM_ONLY, codes=("P46",), rule="§10")
def show_numbers(desk: Desk, asked: Asked) -> None:
    """Players see an NPC's numbers instead of words, or no longer. A mob counts as one."""
    shown = not asked.flag("off")
    actors = [a for a in desk.several([asked.text("actor")]) if a.npc and a.numbers_shown != shown]
    if not actors:
        raise refused("P46")
    values = {actor.id: {"numbers_shown": shown} for actor in actors}
    said = words("log.numbers_shown" if shown else "log.numbers_hidden", name=actors[0].name)
    desk.emit("numbers", said, actor=actors[0].id, actors=values, shown=shown)
