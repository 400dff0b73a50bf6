"""A table for properties: two ninjas of players, an ally, a boss, ニンジャスレイヤー, a mob, somebody hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import GM, Actor, Viewer, seat_token
from rulesets.engine.problems import Value
from rulesets.ninja.presets import preset_fields
from rulesets.ninja.tables import TABLES

AT = "2026-05-09T12:03:44Z"
CANARY = "CANARY"
SEATS = {"1": "gm", "2": "player", "3": "player", "4": "spectator"}
ACTORS = {
    "gm": Actor("1", "gm"),
    "夏": Actor("2", "player"),
    "秋": Actor("3", "player"),
    "見物": Actor("4", "spectator"),
}


def viewer(seat: str) -> Viewer:
    role: Any = SEATS[seat]
    tokens = {"all"} if role == "spectator" else {"all", seat_token(seat)}
    return Viewer(frozenset(tokens | set(GM) if role == "gm" else tokens), role, seat)


VIEWERS = {"gm": viewer("1"), "夏": viewer("2"), "秋": viewer("3"), "見物": viewer("4")}


def ninja(name: str, abilities: tuple[int, int, int, int], **more: Value) -> dict[str, Value]:
    names = ("karate", "neuron", "wazamae", "jitsu")
    fields: dict[str, Value] = {"name": name, "method": "random"}
    fields |= {f"abilities.{key}": value for key, value in zip(names, abilities, strict=True)}
    return fields | {key.replace("__", "."): value for key, value in more.items()}


def preset(row: str, **more: Value) -> dict[str, Value]:
    fields = dict(preset_fields(TABLES.base.presets[row]))
    return fields | {key.replace("__", "."): value for key, value in more.items()}


PEOPLE: Mapping[str, dict[str, Value]] = {
    "アオ": ninja(
        "アオ", (6, 5, 6, 0), start_skill="soul_darkness", start_item="katana", dkk=4, equipment__1__id="sushi"
    ),
    "シロ": ninja(
        "シロ",
        (4, 6, 5, 3),
        jitsu_kind="kanashibari",
        start_item="zbr",
        equipment__1__id="bracer",
        walls__karate=1,
        growth__karate=4,
        growth__wazamae=2,
        growth__neuron=2,
        equipment__2__id="family_photo",
    ),
    "ムテ": ninja("ムテ", (5, 4, 3, 3), jitsu_kind="muteki"),
    "敵": preset("sonic_boom", skills__kill9="owned", skills__lance_kick="owned", jitsu_kind="katon"),
    "殺": preset("ninja_slayer"),
    "ヤクザ": preset("clone_yakuza"),
    "影": ninja(f"{CANARY}影", (5, 5, 5, 1), jitsu_kind="karate_missile"),
}
NPCS = {"敵": 1, "殺": 1, "ヤクザ": 4, "影": 1}

RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {
        **{"absorb.automatic": False, "faint.can_evade": True, "death_consequences": None},
        **{"satsubatsu.roll_timing": "with_attack", "damage.order": "effects_first", "mercy": True},
    },
    {
        **{"adrenaline.limit": 0, "quick_dice.allow_on_evade": True, "shooting.can_satsubatsu": True},
        **{"ability_damage.lowers_max_hp": True, "mob.ability_damage": True, "atmosphere.auto_turns": True},
        **{"guard_until": "used", "instant_death.ignores_endurance": False, "scenario_dice.refill": "combat"},
        **{"emergency.mix_with_evade_dice": False, "pool.zero_is_failure": False, "ability_damage.floor": 1},
    },
)
RULES = tuple({key: value for key, value in rules.items() if value is not None} for rules in RULES)


def setup(rules: Mapping[str, Any]) -> dict[str, Any]:
    cast = []
    for name, fields in PEOPLE.items():
        npc = name in NPCS
        seat = "" if npc else "2" if name == "アオ" else "3"
        shown = f"{CANARY}影" if name == "影" else name
        entry = {"id": name, "kind": "npc" if npc else "pc", "name": shown, "seat": seat, "fields": fields, "play": {}}
        cast.append({**entry, "count": NPCS.get(name, 1), "hidden": name == "影", "on_stage": True})
    return {"house_rules": dict(rules), "cast": cast}
