"""The calendar, attempts, targets, pools, decks and the fight as a viewer may see them (rules §10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import Viewer
from rulesets.engine.playing.showing import is_gm
from rulesets.witch.moon import night, nights
from rulesets.witch.play.days import GATHERING, SABBATH, meets, night_data
from rulesets.witch.play.person import Person
from rulesets.witch.play.registry import part
from rulesets.witch.play.state import PARTY, Attempt, State, Target
from rulesets.witch.play.views import owns, text, visible
from rulesets.witch.play.words import words

COMING = 28


@part("calendar")
def _calendar(state: State, viewer: Viewer) -> Mapping[str, Any]:
    """Tonight, the coming nights with their meetings, and which meetings are open now."""
    rule = state.tables.rule
    return {
        "mode": rule.moon_mode,
        "date": state.calendar.real,
        "tonight": night_data(night(state.calendar, rule)),
        "coming": [night_data(one) for one in nights(state.calendar, rule, COMING)],
        SABBATH: meets(state, SABBATH),
        GATHERING: meets(state, GATHERING),
    }


@part("pools")
def _pools(state: State, viewer: Viewer) -> list[Mapping[str, Any]]:
    """Points of every pair; they are open to the whole table."""
    return [
        {
            "of": key,
            "initial": pool.initial,
            "remaining": pool.remaining,
            "used": pool.spent,
            "corrected": pool.corrected,
            "closed": pool.closed,
        }
        for key, pool in state.pools.items()
        if key == PARTY or (key in state.actors and visible(state.actors[key], viewer))
    ]


# ---------------------------------------------------------------- attempts


@part("attempts")
def _attempts(state: State, viewer: Viewer) -> list[Mapping[str, Any]]:
    found = (one for one in state.attempts.values() if visible(state.actors[one.actor], viewer))
    return [_attempt(state, one, viewer) for one in found]


def _attempt(state: State, one: Attempt, viewer: Viewer) -> dict[str, Any]:
    actor = state.actors[one.actor]
    cat = state.bonds.get(one.actor, "")
    asked = one.help.state == "asked"
    shown: dict[str, Any] = {
        "id": one.id,
        "kind": one.kind,
        "actor": one.actor,
        "what": one.what,
        "done": one.done,
        "success": one.success,
        "mine": owns(actor, viewer),
        "help": {
            "id": one.help.id,
            "state": one.help.state,
            "asked": one.help.asked,
            "granted": one.help.granted,
            "cat": cat,
            "mine": asked and bool(cat) and owns(state.actors[cat], viewer),
        },
    }
    if one.kind == "challenge":
        person = Person(state.tables, actor)
        value = person.value(one.what) if not actor.npc or actor.numbers_shown or is_gm(viewer) else None
        means = text(person.means(one.what))
        return {**shown, "label": means, "required": one.required, "throws": value, "doubles": one.doubles}
    secret = not state.tables.rule.difficulty_visible and not is_gm(viewer)
    difficulty = None if secret else one.difficulty
    label = state.tables.difficulty_label(difficulty) if difficulty is not None else None
    return {
        **shown,
        "target": _target_shown(state, one.target, viewer),
        "rated": one.rated,
        "rolls_difficulty": one.rated and one.difficulty is None,
        "difficulty": difficulty,
        "difficulty_label": text(label) if label is not None else None,
    }


def _target_shown(state: State, target: str, viewer: Viewer) -> dict[str, Any] | None:
    """What a spell is for: id and name, nameless for those who may not know of it."""
    if not target:
        return None
    known, one = state.targets.get(target), state.actors.get(target)
    secret = (known is not None and known.secret) or (one is not None and one.hidden)
    if secret and not is_gm(viewer):
        return {"id": "", "name": words("name.somebody").ja}
    name = known.name if known is not None else one.name if one is not None else ""
    return {"id": target, "name": name}


@part("targets")
def _targets(state: State, viewer: Viewer) -> list[Mapping[str, Any]]:
    return [_target(state, one, viewer) for one in state.targets.values() if _known(state, one, viewer)]


def _known(state: State, one: Target, viewer: Viewer) -> bool:
    actor = state.actors.get(one.id)
    return is_gm(viewer) or (not one.secret and (actor is None or not actor.hidden))


def _target(state: State, one: Target, viewer: Viewer) -> dict[str, Any]:
    row = state.tables.targets[one.category]
    label = state.tables.belief_label(one.belief) if one.belief is not None else None
    return {
        "id": one.id,
        "name": one.name,
        "category": one.category,
        "category_label": text(row.name),
        "belief": one.belief,
        "belief_label": text(label) if label is not None else None,
        **({"secret": one.secret} if is_gm(viewer) else {}),
    }


# ---------------------------------------------------------------- cards and the fight


@part("decks")
def _decks(state: State, viewer: Viewer) -> Mapping[str, Any]:
    return {
        name: {
            "left": len(deck.left),
            "shown": list(deck.shown),
            **({"secret": list(deck.secret)} if is_gm(viewer) else {}),
        }
        for name, deck in state.decks.items()
    }


@part("fight")
def _fight(state: State, viewer: Viewer) -> Mapping[str, Any] | None:
    fight = state.fight
    if fight is None:
        return None
    shown = {who: list(pair) for who, pair in fight.thrown.items() if visible(state.actors[who], viewer)}
    numbers = {"hp": fight.hp, "hp_max": fight.hp_max, "damage": fight.damage} if is_gm(viewer) else {}
    return {"name": fight.name, "round": fight.round, "thrown": shown, "beaten": fight.hp == 0, **numbers}
