"""Mobs: more of them, and one who becomes somebody (rules §7.13)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.edo.play import reading, setup
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.stage import into_fight, npc_points
from rulesets.edo.play.state import ActorState, State
from rulesets.edo.play.turns import joined
from rulesets.edo.play.words import words

event("mob", shows=("who",))


@command("mob.add", reading.actor("group"), reading.number("count", 1, 50), reading.FACES, roles=GM_ONLY, rule="§7.13")
def more(desk: Desk, asked: Asked) -> None:
    """More of a mob, fresh and on stage like the first; they act with it."""
    members = [actor for actor in desk.state.group(asked.text("group")) if actor.cast.group]
    if not members:
        raise refused("P18")
    first = members[0]
    name = first.name.rsplit(" ", 1)[0]
    entry = {
        "id": first.cast.group,
        "name": name,
        "kind": first.cast.kind,
        "seat": first.seat,
        "fields": first.cast.fields,
        "count": asked.needed("count"),
        "hidden": first.hidden,
        "on_stage": first.on_stage,
        "ally": first.ally,
        "numbers_shown": first.numbers_shown,
    }
    fresh = list(setup.members(desk.state, entry, first=_next_number(desk.state, first.cast.group)))
    fields = ("cast", "on_stage", "hidden", "ally", "numbers_shown", "arms")
    arms = {key: replace(arm, broken=False, taken=False) for key, arm in first.arms.items()}
    fresh = [replace(actor, arms=arms) for actor in fresh]
    values = {actor.id: {name: getattr(actor, name) for name in fields} for actor in fresh}
    said = words("log.mob_more", name=name, n=len(fresh))
    audience = desk.audience(first.id)
    desk.emit("mob", said, actors=values, audience=audience, who=list(values))
    _take_places(desk, fresh)


def _next_number(state: State, group: str) -> int:
    """The first number that nobody of a mob ever had: who left it for a role of their own keeps theirs."""
    taken = (who.removeprefix(f"{group}#") for who in state.actors if who.startswith(f"{group}#"))
    return 1 + max(int(number) for number in taken)


@command(
    "mob.promote",
    reading.actor(),
    reading.choice("role", "support", "co_lead", "lead"),
    reading.text("title"),
    reading.FACES,
    roles=GM_ONLY,
    codes=("P29",),
    rule="§7.13",
)
def promote(desk: Desk, asked: Asked) -> None:
    """One of a mob becomes somebody: leaves the mob with a role of their own, acts by it and has its points (§6.6)."""
    actor = desk.seen(asked.text("actor"))
    if not actor.cast.group or desk.state.exchange is not None:
        raise refused("P18" if not actor.cast.group else "P29", name=actor.name)
    cast = replace(
        actor.cast,
        name=asked.text("title") or actor.name,
        fields={**actor.cast.fields, "role": asked.text("role")},
        group="",
        number=0,
    )
    said = words("log.promoted", name=cast.name)
    desk.emit("mob", said, actor=actor.id, actors={actor.id: {"cast": cast, "kp_rolled": False}}, who=[actor.id])
    if actor.on_stage:
        npc_points(desk, [desk.state.actors[actor.id]])
    _take_places(desk, [desk.state.actors[actor.id]])


def _take_places(desk: Desk, actors: list[ActorState]) -> None:
    """Newcomers on stage stand in the turn order of a fight under way."""
    world, dice = joined(desk, [actor for actor in actors if actor.on_stage])
    if world:
        into_fight(desk, world, dice, hidden=actors[0].hidden)
