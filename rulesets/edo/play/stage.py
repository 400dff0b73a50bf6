"""Scenes, who is on stage, what players see of NPCs, distances; points of NPCs on entering (rules §6.6, §7.3, §10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.holds import freed
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, Scene
from rulesets.edo.play.turns import joined, pass_on
from rulesets.edo.play.words import listed, reason, words
from rulesets.engine.outcome import Change, Die, Modifier, Outcome
from rulesets.engine.play import ALL, GM
from rulesets.engine.text import Text

event("scene")
event("entered", shows=("who",))
event("left", shows=("who",))
event("shown", shows=("who",))
event("hidden")
event("numbers", shows=("shown",))
event("kp.npc")
event("distance", shows=("ken",))


@command("scene.set", reading.text("title", required=True), reading.text("text"), roles=GM_ONLY, rule="§10")
def set_scene(desk: Desk, asked: Asked) -> None:
    """A new scene. Where the group rolls NPC points every scene, those on stage roll anew (E43)."""
    scene = Scene(desk.state.scene.number + 1, asked.text("title"), asked.text("text"))
    npcs = [actor for actor in desk.state.actors.values() if actor.npc and actor.kp_rolled]
    values: dict[str, dict[str, Any]] = {}
    if desk.tables.rule.npc_kp_roll_when == "every_scene":
        values = {actor.id: {"kp_rolled": False} for actor in npcs}
    world = {"scene": scene}
    desk.emit("scene", words("log.scene", title=scene.title), actors=values, world=world, audience=ALL)
    if values:
        npc_points(desk, [desk.state.actors[actor.id] for actor in npcs if actor.on_stage])


@command(
    "distance.set",
    reading.actor(),
    reading.actor("target"),
    reading.number("ken", 0, 999),
    roles=GM_ONLY,
    codes=("P38",),
    rule="§7.3",
)
def set_distance(desk: Desk, asked: Asked) -> None:
    one, other = desk.seen(asked.text("actor")), desk.seen(asked.text("target"))
    if one.id == other.id:
        raise refused("P38")
    ken = asked.needed("ken")
    said = words("log.distance", name=one.name, target=other.name, ken=ken)
    world = {"distances": desk.with_distance(one.id, other.id, ken)}
    desk.emit("distance", said, actor=one.id, target=other.id, world=world, ken=ken)


# ---------------------------------------------------------------- coming and going


def _named(desk: Desk, asked: Asked) -> list[ActorState]:
    return desk.several(asked.listed("actors"))


def _names(actors: Iterable[ActorState]) -> Text:
    return listed(actor.name for actor in actors)


@command(
    "actor.enter",
    reading.text("actors", required=True),
    reading.flag("hidden"),
    reading.flag("drawn"),
    reading.text("place"),
    reading.FACES,
    roles=GM_ONLY,
    codes=("P24", "P29", "P42", "P43", "P46"),
    rule="§6.6",
)
def enter(desk: Desk, asked: Asked) -> None:
    """Bring actors on stage, hidden or with weapons drawn; NPCs roll their points the first time (E43)."""
    actors = [actor for actor in _named(desk, asked) if not actor.on_stage]
    if not actors:
        raise refused("P46")
    hidden = asked.flag("hidden")
    values = {actor.id: _entering(desk, actor, asked, hidden) for actor in actors}
    said = words("log.entered", name=_names(actors))
    ids = [actor.id for actor in actors]
    desk.emit("entered", said, actors=values, audience=GM if hidden else ALL, who=ids)
    npc_points(desk, [desk.state.actors[actor.id] for actor in actors])
    world, dice = joined(desk, [desk.state.actors[actor_id] for actor_id in ids])
    if world:
        into_fight(desk, world, dice, hidden=hidden)


def _entering(desk: Desk, actor: ActorState, asked: Asked, hidden: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"on_stage": True, "hidden": actor.npc and hidden}
    if asked.text("place"):
        found["place"] = asked.text("place")
    if asked.flag("drawn"):
        found["arms"] = {key: replace(arm, ready=not arm.broken) for key, arm in actor.arms.items()}
    return found


def into_fight(desk: Desk, world: Mapping[str, Any], dice: tuple[Die, ...], *, hidden: bool) -> None:
    """Newcomers take their places in the turn order."""
    outcome = Outcome("ties", reason("title.ties", "§7.1"), dice=dice) if dice else None
    audience = GM if hidden else ALL
    desk.emit("ties", words("log.joined"), outcome=outcome, world=world, audience=audience)


def npc_points(desk: Desk, actors: Iterable[ActorState]) -> None:
    """1D6 and what the role takes off, never below the floor; mooks have none (§6.6, E37). For the GM alone."""
    for actor in actors:
        person = Person(desk.tables, actor)
        if actor.npc and not actor.kp_rolled and person.role.npc_kp_dice:
            _roll_points(desk, person)


def _roll_points(desk: Desk, person: Person) -> None:
    role, floor = person.role, desk.tables.rule.npc_kp_floor
    dice = desk.throw(role.npc_kp_dice, reason("dice.npc_kp", "§6.6"))
    kp = max(floor, sum(die.face for die in dice) + role.npc_kp_add)
    modifiers = (Modifier("role", role.npc_kp_add, "total", reason("part.role", "§6.6", role=role.name)),)
    change = Change(person.id, "kp", person.actor.kp, kp, reason("dice.npc_kp", "§6.6"))
    title = reason("title.npc_kp", "§6.6")
    outcome = Outcome("npc_kp", title, total=kp, dice=dice, modifiers=modifiers, changes=(change,))
    said = words("log.npc_kp", name=person.name, n=kp)
    values = {"kp": kp, "kp_rolled": True}
    desk.emit("kp.npc", said, actor=person.id, outcome=outcome, actors={person.id: values}, audience=GM)


@command("actor.leave", reading.text("actors", required=True), roles=GM_ONLY, codes=("P29", "P46"), rule="§10")
def leave(desk: Desk, asked: Asked) -> None:
    """Off the stage; out of every grip; the turn passes on if it was theirs."""
    waiting = desk.state.exchange or desk.state.contest
    if waiting is not None:
        raise refused("P29", name=desk.state.actors[waiting.asked].name)
    actors = [actor for actor in _named(desk, asked) if actor.on_stage]
    if not actors:
        raise refused("P46")
    values: dict[str, dict[str, Any]] = {}
    for actor in actors:
        for who, changed in freed(desk.state, actor.id, on_stage=False).items():
            values[who] = {**values.get(who, {}), **changed}
    hidden = all(actor.hidden for actor in actors)
    said = words("log.left", name=_names(actors))
    desk.emit("left", said, actors=values, audience=GM if hidden else ALL, who=[actor.id for actor in actors])
    pass_on(desk)


@command("actor.show", reading.text("actors", required=True), roles=GM_ONLY, codes=("P46",), rule="§10")
def show(desk: Desk, asked: Asked) -> None:
    """Somebody hidden is seen by all."""
    actors = [actor for actor in _named(desk, asked) if actor.hidden]
    if not actors:
        raise refused("P46")
    if not all(actor.on_stage for actor in actors):
        raise refused("P18")
    said = words("log.shown", name=_names(actors))
    values = {actor.id: {"hidden": False} for actor in actors}
    desk.emit("shown", said, actors=values, audience=ALL, who=[actor.id for actor in actors])


@command("actor.hide", reading.text("actors", required=True), roles=GM_ONLY, codes=("P29", "P46"), rule="§10")
def hide(desk: Desk, asked: Asked) -> None:
    """An NPC is seen by nobody but the GM."""
    waiting = desk.state.exchange or desk.state.contest
    if waiting is not None:
        raise refused("P29", name=desk.state.actors[waiting.asked].name)
    actors = [actor for actor in _named(desk, asked) if actor.npc and not actor.hidden]
    if not actors:
        raise refused("P46")
    values = {actor.id: {"hidden": True} for actor in actors}
    desk.emit("hidden", words("log.hidden", name=_names(actors)), actors=values, audience=GM)


@command("numbers.show", reading.actor(), reading.flag("off"), roles=GM_ONLY, codes=("P18", "P46"), rule="§10")
def show_numbers(desk: Desk, asked: Asked) -> None:
    """Players see an NPC's numbers instead of words, or no longer. A mob counts as one."""
    actors = [actor for actor in desk.several([asked.text("actor")]) if actor.npc]
    shown = not asked.flag("off")
    changed = [actor for actor in actors if actor.numbers_shown != shown]
    if not changed:
        raise refused("P46")
    said = words("log.numbers_shown" if shown else "log.numbers_hidden", name=_names(changed[:1]))
    values = {actor.id: {"numbers_shown": shown} for actor in changed}
    desk.emit("numbers", said, actor=changed[0].id, actors=values, shown=shown)
