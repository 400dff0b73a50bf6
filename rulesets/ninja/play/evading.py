"""Carrying an attack on (rules §6.1): group by group, asking who may evade, striking whom it hits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.ninja.play import damage
from rulesets.ninja.play.book import masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.registry import event
from rulesets.ninja.play.slayer import come_back
from rulesets.ninja.play.state import Attack, Group
from rulesets.ninja.play.words import words

event("asked", shows=("about", "step", "attack"))
event("struck", shows=("damage", "attack", "knocked"))
event("attack.over", shows=("attack",))


# ---------------------------------------------------------------- carrying the attack on


def advance(desk: Desk) -> None:
    """Carry the open attack on until somebody is asked or it is over."""
    while (attack := desk.state.attack) is not None:
        group = attack.group
        target = desk.person(group.target)
        if group.result == "struck" and group.next_hit < len(group.hits) and not target.actor.out:
            if not _strike_next(desk, attack):
                return
        elif group.result or target.actor.out:
            _next_group(desk, attack)
        elif _asks(desk, target, group):
            ask(desk, attack, group.target, "evade")
            return
        else:
            keep(desk, attack.with_group(result="struck"))


def _asks(desk: Desk, target: Person, group: Group) -> bool:
    """Whether the target can do anything about a group: evade with dice of any kind, or raise ムテキ."""
    if group.cannot_evade and not can_guard(target):
        return False
    if not target.can_evade:
        return False
    actor = target.actor
    quick = actor.quick if desk.tables.rule.quick_dice_on_evade else 0
    return bool(actor.evade or actor.guard or actor.emergency or quick or can_guard(target))


def can_guard(target: Person) -> bool:
    """ムテキ・アティチュード can be raised: with 精神力, whatever dice are left (§3.5.2)."""
    jitsu = target.sheet.jitsu
    return jitsu is not None and jitsu.handling == "guard" and target.actor.mp >= 1 and target.actor.life == "alive"


def keep(desk: Desk, attack: Attack) -> None:
    """Keep the attack as it is now; told with the next event."""
    desk.state = replace(desk.state, attack=attack)


def ask(desk: Desk, attack: Attack, who: str, about: Any) -> None:
    """Stop with a question to an actor; the step grows, so older answers are stale."""
    step = desk.state.step + 1
    waiting = replace(attack, asked=who, about=about)
    said = words(f"ask.{about}", name=desk.state.actors[who].name)
    world = {"attack": waiting, "step": step}
    desk.emit("asked", said, actor=who, world=world, about=about, step=step, attack=attack.id)


def _next_group(desk: Desk, attack: Attack) -> None:
    if attack.current + 1 < len(attack.groups):
        keep(desk, replace(attack, current=attack.current + 1, asked="", about=""))
        return
    desk.emit("attack.over", world={"attack": None}, attack=attack.id)


def _strike_next(desk: Desk, attack: Attack) -> bool:
    """Apply the next hit of the group; False when its owner is asked about endurance."""
    group = attack.group
    hit = group.hits[group.next_hit]
    wakes = desk.person(hit.target)
    struck = damage.strike(desk, hit, mercy=attack.mercy)
    after = attack.with_group(next_hit=group.next_hit + 1)
    book = struck.book
    actors: dict[str, dict[str, Any]] = {book.actor.id: book.values}
    if hit.critical and not struck.outcome.degree and desk.tables.rule.brutality_bonus:
        attacker = desk.state.actors[hit.attacker]
        if not attacker.npc:
            actors[attacker.id] = {"money": attacker.money + desk.tables.rule.brutality_bonus}
    public = masked(struck.outcome, hit.target) if secret(book.person) else None
    desk.emit(
        "struck",
        damage.told(struck),
        actor=hit.attacker,
        target=hit.target,
        outcome=struck.outcome,
        public=public,
        actors=actors,
        world={"attack": after},
        damage=struck.outcome.total,
        attack=attack.id,
        knocked=struck.knocked,
    )
    if wakes.actor.life == "incapacitated":
        _wake(desk, wakes.id)
    if struck.deficit:
        ask(desk, after, hit.target, "endure")
        return False
    return True


def _wake(desk: Desk, actor_id: str) -> None:
    """Any attack on the incapacitated ニンジャスレイヤー brings ナラク at once (§7.5)."""
    if desk.person(actor_id).has("naraku_within"):
        come_back(desk, actor_id)
