"""Checks that commands share: may this actor act now, at whom."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.reading import refused
from rulesets.edo.play.state import ActorState
from rulesets.edo.play.words import words
from rulesets.engine.play import ALL
from rulesets.engine.text import Text


def able(desk: Desk, actor: ActorState) -> None:
    """Refuse P27 for whoever cannot act, P18 for whoever is not there."""
    if not actor.on_stage:
        raise refused("P18")
    if not actor.life.able:
        desk.refuse("P27", name=actor.name, state=words(f"life.{actor.life.state}"))
    if actor.needs.asleep:
        desk.refuse("P27", name=actor.name, state=words("life.asleep"))


def free_of_exchange(desk: Desk) -> None:
    """Refuse P29 while an exchange or an opposed roll waits for an answer."""
    waiting = desk.state.exchange or desk.state.contest
    if waiting is not None and waiting.asked:
        raise refused("P29", name=name_of(desk, waiting.asked))


def on_turn(desk: Desk, actor: ActorState) -> None:
    """Refuse P15 in a fight when it is somebody else's turn."""
    fight = desk.state.fight
    if fight is None:
        return
    now = fight.order[fight.index]
    if now not in (actor.id, actor.cast.group):
        desk.refuse("P15", name=entry_name(desk, now))


def name_of(desk: Desk, actor_id: str) -> str | Text:
    """Somebody's name; who is hidden stays nameless for players."""
    actor = desk.state.actors[actor_id]
    return words("name.somebody") if actor.hidden and not desk.actor.is_gm else actor.name


def entry_name(desk: Desk, entry: str) -> str | Text:
    """An actor's or a mob's name in the turn order; somebody hidden stays nameless for players."""
    members = desk.state.group(entry)
    if not members or (not desk.actor.is_gm and all(member.hidden for member in members)):
        return words("name.somebody")
    return entry_title(members, entry)


def entry_title(members: Sequence[ActorState], entry: str) -> str:
    """The name of an actor, or of a mob without the number of its first member."""
    return members[0].name if members[0].id == entry else members[0].name.rsplit(" ", 1)[0]


def reveal(desk: Desk, *ids: str) -> None:
    """Whoever was hidden and steps into the open by what they do (the GM set P19 aside) is seen from now on."""
    for actor_id in ids:
        actor = desk.state.actors[actor_id]
        if actor.hidden:
            said = words("log.shown", name=actor.name)
            desk.emit("shown", said, actors={actor_id: {"hidden": False}}, audience=ALL, who=[actor_id])


def target_of(desk: Desk, actor_id: str, actor: ActorState) -> ActorState:
    """The target of a deed: seen, somebody else, still in it. Refuses P18, P19, P28, P38."""
    target = desk.seen(actor_id)
    if target.id == actor.id:
        raise refused("P38")
    if not target.on_stage:
        raise refused("P18")
    for one in (actor, target):
        if one.hidden:
            desk.refuse("P19", name=one.name)
    if target.life.gone:
        desk.refuse("P28", name=target.name, state=words(f"life.{target.life.state}"))
    return target
