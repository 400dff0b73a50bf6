"""Scenes, who is on stage, what players see of NPCs, places and distances (rules §7.2, §7.3, §10)."""

from __future__ import annotations

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.reading import Asked, actor, number, text
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import Scene
from rulesets.edo.play.words import words

event("scene")


@command("scene.set", text("title", required=True), text("text"), roles=GM_ONLY, rule="§10", retractable=True)
def set_scene(desk: Desk, asked: Asked) -> None:
    scene = Scene(desk.state.scene.number + 1, asked.text("title"), asked.text("text"))
    desk.emit("scene", words("log.scene", title=scene.title), world={"scene": scene})


event("distance", shows=("ken",))


@command("distance.set", actor(), actor("target"), number("ken", 0, 999), roles=GM_ONLY, codes=("P38",), rule="§7.3")
def set_distance(desk: Desk, asked: Asked) -> None:
    one, other = desk.seen(asked.text("actor")), desk.seen(asked.text("target"))
    if one.id == other.id:
        desk.refuse("P38")
    ken = asked.needed("ken")
    said = words("log.distance", name=one.name, target=other.name, ken=ken)
    world = {"distances": desk.with_distance(one.id, other.id, ken)}
    desk.emit("distance", said, actor=one.id, target=other.id, world=world, ken=ken)
