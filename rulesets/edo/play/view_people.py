"""Actors and the turn order as a viewer may see them (rules §7.1, §7.2, §10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesets.edo.arms import damage_of
from rulesets.edo.play import budget
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, State
from rulesets.edo.play.strikes import reach_text
from rulesets.edo.play.turns import acts
from rulesets.edo.play.view_care import care_view, choke_view
from rulesets.edo.play.views import health_word, life_of, numbers, owns, part, sees_all, text, visible
from rulesets.edo.play.words import words
from rulesets.edo.rows import Weapon
from rulesets.edo.style import name_of
from rulesets.engine.outcome import Modifier
from rulesets.engine.play import Viewer

_LISTED = ("chikaku", "taisabaki", "onmitsu", "undo", "ijutsu")


@part("actors")
def _actors(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """Everybody the viewer may know of, in the order of the cast."""
    return [person_view(state, actor, viewer) for actor in state.actors.values() if visible(actor, viewer)]


def person_view(state: State, actor: ActorState, viewer: Viewer) -> dict[str, Any]:
    """What anybody sees of somebody, then the numbers for those who may know them."""
    person = Person(state.tables, actor)
    life = life_of(actor, viewer)
    found: dict[str, Any] = {
        "id": actor.id,
        "name": actor.name,
        "kind": actor.cast.kind,
        "seat": actor.seat,
        "group": actor.cast.group,
        "number": actor.cast.number,
        "role": {"id": person.role.id, "label": text(person.role.name)},
        "on_stage": actor.on_stage,
        "place": actor.place,
        "posture": {"id": actor.posture, "label": text(words(f"choice.posture.{actor.posture}"))},
        "mounted": actor.mounted,
        "life": {"id": life, "label": text(words(f"life.{life}"))},
        "health": health_word(person),
        "armour": actor.armour,
        "holds": _seen_id(state, actor.holds, viewer),
        "held_by": _seen_id(state, actor.held_by, viewer),
        "choke": choke_view(person),
        "in_hand": [text(person.arms[key].name) for key in actor.arms if key in person.arms and person.ready(key)],
        "tokens": tokens(state, person, full=numbers(actor, viewer)),
        "mine": owns(actor, viewer),
        "numbers": None,
    }
    if numbers(actor, viewer):
        found["numbers"] = number_view(state, person)
    if sees_all(viewer):
        found |= {
            "hidden": actor.hidden,
            "numbers_shown": actor.numbers_shown,
            "unaware": actor.unaware,
            "ally": actor.ally,
            "permitted": actor.permitted,
        }
    return found


def _seen_id(state: State, actor_id: str, viewer: Viewer) -> str:
    return actor_id if actor_id and visible(state.actors[actor_id], viewer) else ""


def tokens(state: State, person: Person, *, full: bool) -> dict[str, Any] | None:
    """Moves, attacks and defences left in this round; `full`: what gives the build away too. None outside a fight."""
    if state.fight is None:
        return None
    use = person.actor.round
    blades = budget.two_blades(person)
    attacks = sum(budget.attack_left(person, key) for key in blades) if blades else int(budget.attack_left(person, ""))
    found: dict[str, Any] = {
        "moves": max(0, 1 + use.bought_moves - use.moves) if not use.reloading else 0,
        "attacks": attacks if not use.reloading else 0,
        "defences": 0 if person.mook or use.reloading else _defences(person, blades),
        "bought": {"moves": use.bought_moves, "attacks": use.bought_attacks, "defences": use.bought_defences},
        "reloading": use.reloading,
    }
    if full:
        own = [key for key in person.arms if key.isdecimal()]
        found["ken"] = budget.ken_left(person)
        found["free"] = any(budget.free_action(person, person.arm_means(key).what) for key in own)
        found["first_strike_used"] = person.actor.first_strike_used
    return found


def _defences(person: Person, blades: tuple[str, ...]) -> int:
    use = person.actor.round
    most = (2 if blades else 1) * (1 + use.bought_defences)
    return max(0, most - use.parries - use.dodges)


def number_view(state: State, person: Person) -> dict[str, Any]:
    """The live numbers of somebody, each sum with its parts."""
    actor = person.actor
    return {
        "abilities": {"mind": person.ability("mind"), "gi": person.ability("gi"), "body": person.body},
        "endurance": max(0, person.endurance),
        "endurance_max": person.endurance_max,
        "wounds": actor.wounds,
        "hunger_loss": actor.hunger_loss,
        "kp": actor.kp,
        "kp_limit": person.kp_limit,
        "evasion": {"value": person.evasion, "parts": _parts(person.evasion_parts)},
        "move": person.move,
        "extra_damage": person.extra_damage,
        "armour_value": person.worn.value,
        "conditions": _parts(person.conditions()),
        "arms": list(_arms(person)),
        "skills": _skills(person),
        "style": _style(person),
        "money_mon": actor.money_mon,
        "care": care_view(state, person),
    }


def _parts(parts: tuple[Modifier, ...]) -> list[dict[str, Any]]:
    return [{"key": part.key, "value": part.value, "label": text(part.reason.text)} for part in parts]


def _arms(person: Person) -> Iterator[dict[str, Any]]:
    for key, arm in person.arms.items():
        means, state = person.arm_means(key), person.actor.arms.get(key)
        found: dict[str, Any] = {
            "key": key,
            "id": arm.id,
            "name": text(arm.name),
            "value": means.value,
            "dice": means.dice,
            "skill": text(means.name),
            "learned": means.learned,
            "damage": damage_of(person.sheet, arm)[0],
            "can_crit": arm.can_crit,
            "ready": person.ready(key),
            "broken": person.broken(key),
        }
        if isinstance(arm, Weapon):
            found |= {"kind": "melee", "reach": reach_text(arm.reach), "parry": arm.parry, "unarmed": arm.unarmed}
        else:
            near, far = person.ranges(arm)
            needed = arm.ready_rounds or arm.ready_actions
            found |= {"kind": "ranged", "near": near, "far": far, "needed": needed}
        if state is not None:
            found |= {"progress": state.progress, "ammo": state.ammo, "taken": state.taken}
        yield found


def _skills(person: Person) -> list[dict[str, Any]]:
    """Learned skills, then those everybody is asked about."""
    return person.once(("skills", person.actor.armour), lambda: list(_skill_rows(person)))


def _skill_rows(person: Person) -> Iterator[dict[str, Any]]:
    rows = [entry.row for entry in person.sheet.skills if entry.level]
    for row in (*rows, *(skill for skill in _LISTED if not person.means(skill).learned)):
        means = person.means(row)
        yield {
            "id": row,
            "name": text(means.name),
            "value": means.value,
            "dice": means.dice,
            "learned": means.learned,
            "parts": _parts(means.parts),
        }


def _style(person: Person) -> dict[str, str] | None:
    name = name_of(person.sheet)
    return text(name) if name is not None else None


# ---------------------------------------------------------------- turn order


@part("fight")
def _fight(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """Round and order; hidden entries are left out for those who may not see them."""
    fight = state.fight
    if fight is None:
        return None
    entries = []
    for index, entry in enumerate(fight.order):
        members = [actor for actor in state.group(entry) if visible(actor, viewer)]
        if members:
            entries.append(_entry(state, entry, members, viewer, index - fight.index))
    return {"round": fight.round, "seconds": state.tables.number("round_seconds"), "order": entries}


def _entry(state: State, entry: str, members: list[ActorState], viewer: Viewer, place: int) -> dict[str, Any]:
    first = members[0]
    person = Person(state.tables, first)
    found: dict[str, Any] = {
        "entry": entry,
        "name": first.name if first.id == entry else first.name.rsplit(" ", 1)[0],
        "role": {"id": person.role.id, "label": text(person.role.name)},
        "kind": first.cast.kind,
        "count": sum(life_of(actor, viewer) != "dead" for actor in members),
        "state": "done" if place < 0 else "now" if place == 0 else "next",
        "acts": acts(state, entry),
        "ties": list(state.fight.ties.get(entry, ())) if state.fight is not None else [],
    }
    if numbers(first, viewer):
        found["gi"] = person.ability("gi")
    return found
