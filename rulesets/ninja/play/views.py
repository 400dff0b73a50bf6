"""What a viewer may know of the table: people, the order of turns, the open attack (rules §10; DESIGN §3 `project`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import Parts, is_gm
from rulesets.engine.text import Text
from rulesets.ninja import ladder
from rulesets.ninja.play import turns
from rulesets.ninja.play.grouping import final_rank
from rulesets.ninja.play.options import options
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.slayer import highest_dkk
from rulesets.ninja.play.state import PHASES, ActorState, Attack, Group, State
from rulesets.ninja.play.words import words

_PARTS: Parts[State] = Parts()
part, state_view = _PARTS.part, _PARTS.view


def visible(actor: ActorState, viewer: Viewer) -> bool:
    """Whether somebody exists for this viewer."""
    return is_gm(viewer) or not actor.npc or (actor.on_stage and not actor.hidden)


def numbers(actor: ActorState, viewer: Viewer) -> bool:
    """Whether this viewer may know somebody's numbers."""
    return visible(actor, viewer) and (is_gm(viewer) or not actor.npc or actor.numbers_shown)


def owns(actor: ActorState, viewer: Viewer) -> bool:
    """Whether the viewer acts for somebody."""
    return is_gm(viewer) or (
        viewer.role == "player" and not actor.npc and bool(viewer.seat) and actor.seat == viewer.seat
    )


def text(found: Text) -> dict[str, str]:
    return {"ja": found.ja, "en": found.en}


# ---------------------------------------------------------------- the table


@part("step")
def _step(state: State, viewer: Viewer) -> int | None:
    return state.step if state.attack is not None else None


@part("scene")
def _scene(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.scene.number, "title": state.scene.title, "text": state.scene.text}


@part("evening")
def _evening(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {"number": state.evening, "scenario_open": state.scenario_open}


@part("actors")
def _actors(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    return [person_view(state, actor, viewer) for actor in state.actors.values() if visible(actor, viewer)]


def person_view(state: State, actor: ActorState, viewer: Viewer) -> dict[str, Any]:
    """What anybody sees of somebody, then the numbers for those who may know them."""
    person = Person(state.tables, actor)
    items = state.tables.items
    found: dict[str, Any] = {
        "id": actor.id,
        "name": actor.name,
        "kind": actor.cast.kind,
        "seat": actor.seat,
        "group": actor.cast.group,
        "number": actor.cast.number,
        "being": {"id": person.sheet.kind, "label": text(state.tables.label(f"kind_{person.sheet.kind}"))},
        "mob": person.mob,
        "on_stage": actor.on_stage,
        "place": actor.place,
        "life": {"id": actor.life, "label": text(words(f"life.{actor.life}"))},
        "health": text(person.health()),
        "states": [{"id": row.id, "label": text(row.name), "note": text(row.note)} for row in person.conditions],
        "weapon": {"id": actor.weapon, "name": text(items[actor.weapon].name)} if actor.weapon in items else None,
        "focus": bool(actor.focus),
        "adrenaline": actor.adrenaline,
        "mine": owns(actor, viewer),
        "numbers": number_view(state, person) if numbers(actor, viewer) else None,
        "options": options(state, person) if owns(actor, viewer) else [],
    }
    if is_gm(viewer):
        found |= {"hidden": actor.hidden, "numbers_shown": actor.numbers_shown, "ally": actor.ally}
        found["blank"] = not person.known("hp_max") and not actor.hp
    return found


def number_view(state: State, person: Person) -> dict[str, Any]:
    """The live numbers of somebody."""
    actor = person.actor
    dice = ("attack_dice", "shoot_dice", "precise_dice", "cartwheel_dice", "hack_dice", "cast_dice", "negotiate_dice")
    return {
        "abilities": person.abilities,
        "hurt": dict(actor.hurt),
        "hp": actor.hp,
        "hp_max": person.hp_max,
        "mp": actor.mp,
        "mp_max": person.mp_max,
        "legs": person.legs,
        "initiative": person.initiative,
        "evade": actor.evade + actor.guard,
        "evade_each_turn": person.evade_each_turn,
        "emergency": actor.emergency,
        "quick": actor.quick,
        "dice": {key: person.number(key) if person.known(key) else None for key in dice},
        "cartwheel": ladder.Level(person.cartwheel_rank()).shown,
        "multi_attack": person.gift("multi_attack"),
        "multi_shot": person.gift("multi_shot"),
        "reduction": person.reduction,
        "injuries": dict(actor.injuries),
        "effects": [{"id": effect.id, "turns": effect.turns} for effect in actor.effects],
        "items": dict(actor.items),
        "jitsu": None if person.sheet.jitsu is None else text(person.sheet.jitsu.name),
        "weapons": [{"id": w, "name": text(state.tables.items[w].name)} for w in person.sheet.weapons],
        "money": actor.money,
        "fame": actor.fame,
        "dkk": actor.dkk,
        "dkk_effective": person.effective_dkk,
        "loan": actor.loan,
    }


@part("fight")
def _fight(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """Turn, phase and order; hidden entries are left out for those who may not see them."""
    fight = state.fight
    if fight is None:
        return None
    order = []
    for slot in dict.fromkeys([*turns.slots(state), *fight.acted]):
        members = [actor for actor in state.group(turns.slot_actor(slot)) if visible(actor, viewer) and not actor.out]
        if members:
            order.append(_slot(state, slot, members, viewer))
    now = [actor for actor in turns.acting(state) if visible(actor, viewer)]
    return {
        "turn": fight.turn,
        "phase": {"id": fight.phase, "label": text(words(f"phase.{fight.phase}"))} if fight.now else None,
        "phases": [{"id": phase, "label": text(words(f"phase.{phase}"))} for phase in PHASES],
        "now": [actor.id for actor in now],
        "somebody_hidden": bool(fight.now) and not now,
        "turn_end": not fight.now,
        "atmosphere": {"id": fight.atmosphere, "label": text(words(f"choice.level.{fight.atmosphere}"))},
        "duel": fight.duel,
        "order": order,
    }


def _slot(state: State, slot: str, members: list[ActorState], viewer: Viewer) -> dict[str, Any]:
    first, fight = members[0], state.fight
    name = first.name.rsplit(" ", 1)[0] if first.cast.group else first.name
    done = fight is not None and slot in fight.acted
    found = {
        "slot": slot,
        "name": name,
        "kind": first.cast.kind,
        "count": len(members),
        "second": slot != turns.slot_actor(slot),
        "state": "now" if fight is not None and fight.now == slot else "done" if done else "next",
    }
    if numbers(first, viewer):
        found["initiative"] = Person(state.tables, first).initiative
    return found


# ---------------------------------------------------------------- the open attack


@part("attack")
def _attack(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """The groups with their hits, open to all (§6.1), and who is asked about what."""
    attack = state.attack
    if attack is None or not all(visible(state.actors[hit.attacker], viewer) for hit in attack.group.hits):
        return None
    asked = state.actors[attack.asked]
    return {
        "id": attack.id,
        "kind": attack.kind,
        "asked": attack.asked if visible(asked, viewer) else "",
        "about": attack.about,
        "mine": owns(asked, viewer),
        "groups": [_group(state, attack, group, place) for place, group in enumerate(attack.groups)],
        "current": attack.current,
    }


def _group(state: State, attack: Attack, group: Group, place: int) -> dict[str, Any]:
    attacker = Person(state.tables, state.actors[group.hits[0].attacker])
    target = Person(state.tables, state.actors[group.target])
    rank = final_rank(state.tables, attacker, target, group)
    return {
        "target": group.target,
        "attackers": list(dict.fromkeys(hit.attacker for hit in group.hits)),
        "hits": len(group.hits),
        "damage": sum(hit.damage + hit.blow for hit in group.hits),
        "criticals": [hit.critical for hit in group.hits if hit.critical],
        "successes": group.successes,
        "difficulty": ladder.Level(rank).shown,
        "can_counter": group.can_counter,
        "can_evade": not group.cannot_evade,
        "result": group.result,
        "now": place == attack.current,
    }


@part("slayer")
def _slayer(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """For the GM: the DKK to roll against, when to think of it (E27), and whom he hunts."""
    if not is_gm(viewer):
        return None
    when = words(f"wasshoi.{state.tables.rule.wasshoi_when}")
    return {"dkk": highest_dkk(state), "when": text(when), "target": state.slayer_target}
