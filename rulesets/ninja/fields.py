"""Flat fields for people: what was typed becomes a value, keys and values become words in both languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.ninja.rows import ABILITIES, PARTS, TARGETS
from rulesets.ninja.sheet import METHODS, NPC_KINDS, ORIGINS, PLACES, row_parts, sort_of
from rulesets.ninja.tables import TABLES, Ninja
from rulesets.protocol import Fields, Kind

_WIDE = str.maketrans("０１２３４５６７８９＋－−ー", "0123456789+---")
_YES = {"on", "1", "true", "yes", "はい"}
_NO = {"", "off", "0", "false", "no", "いいえ", "なし"}
# Counts of which nothing is the same as no field: a stepper at 0 takes the row away.
_ZERO_IS_NOTHING = re.compile(r"(growth|walls)\..*|.*\.(slots|load|value)")


def known_field(key: str) -> bool:
    return sort_of(key) is not None


def blank(kind: Kind, tables: Ninja) -> Fields:
    """The fixed values of a new ninja (§3.3); an NPC starts with nothing but its kind."""
    if kind == "npc":
        return {"method": "npc", "npc.kind": "ninja"}
    fields: dict[str, Value] = {"method": "scratch"}
    fields |= {f"abilities.{ability}": tables.abilities[ability].least for ability in ABILITIES}
    fields |= {"affiliation": "ソウカイヤ", "fame": tables.rule.start_fame, "money": 0, "dkk": 0, "loan": 0}
    return fields


# ---------------------------------------------------------------- from people


def parse_field(key: str, typed: str) -> Value:
    """The value of a control's text; what cannot be read comes back as text for `check` to report."""
    text = unicodedata.normalize("NFC", typed).strip()
    sort = sort_of(key)
    if not text or sort is None:
        return text or None
    if sort == "number":
        return _number(key, text)
    if sort == "flag":
        return True if text.lower() in _YES else None if text.lower() in _NO else text
    if sort == "choice":
        return next((row for row, words in _choices(key) if text in words), text)
    return text


def _number(key: str, text: str) -> Value:
    digits = text.translate(_WIDE)
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", digits):
        return text
    number = int(digits)
    return None if number == 0 and _ZERO_IS_NOTHING.fullmatch(key) else number


def _choices(key: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Ids of a choice with every word that means them."""
    for row, name in names(key, TABLES.base).items():
        marked = name.ja.lstrip("◉●○☆▶︎▲")
        yield row, (row, name.ja, name.en, marked, marked.removeprefix("知識："))


def names(key: str, tables: Ninja) -> Mapping[str, Text]:
    """The names of what a choice field may hold, by id."""
    head, _, rest = key.partition(".")
    part = rest.rpartition(".")[2]
    if head in ("knowledge", "background_skills"):
        return tables.lore
    if head == "skills":
        return {place: tables.label(place) for place in PLACES}
    if part == "part":
        return {one: tables.label(f"part_{one}") for one in PARTS}
    if part == "target":
        return {target: target_name(target, tables) for target in TARGETS}
    if part == "origin":
        return {origin: tables.label(f"origin_{origin}") for origin in ORIGINS}
    if key == "method":
        return {method: tables.label(method) for method in METHODS}
    if key == "npc.kind":
        return {kind: tables.label(f"kind_{kind}") for kind in NPC_KINDS}
    return {row_id: row.name for row_id, row in _rows(key, tables).items()}


def _rows(key: str, tables: Ninja) -> Mapping[str, Any]:
    found: dict[str, Mapping[str, Any]] = {
        "jitsu_kind": tables.jitsu,
        "start_skill": tables.skills,
        "start_item": tables.items,
        "background": tables.backgrounds,
        "equipped": tables.items,
        "npc.preset": tables.presets,
    }
    return found.get(key) or (tables.cyberware if key.startswith("cyberware.") else tables.items)


def target_name(target: str, tables: Ninja) -> Text:
    """What a modifier changes, in words."""
    if target.startswith("ability."):
        return tables.abilities[target.removeprefix("ability.")].name
    return tables.label(target)


# ---------------------------------------------------------------- to people


def field_label(key: str, tables: Ninja) -> Text:
    """What a field is called: `カラテ`, `スキル kill-9`, `装備1`."""
    head, _, rest = key.partition(".")
    if head == "abilities" and rest in tables.abilities:
        return tables.abilities[rest].name
    if head in ("growth", "walls") and rest in tables.abilities:
        return tables.label(head).format(ability=tables.abilities[rest].name)
    if head == "skills" and row_parts(rest)[0] in tables.skills:
        return tables.label("skill_place").format(skill=tables.skills[row_parts(rest)[0]].name)
    if head == "auto" and rest in tables.auto_skills:
        return tables.label("auto").format(skill=tables.auto_skills[rest].name)
    if sort_of(key) is None:
        return tables.label("unknown_field").format(key=key)
    if head in ("knowledge", "knowledge_note", "dice"):
        return tables.label(head).format(n=rest)
    if head == "background_skills":
        return tables.label("background_skill").format(n=rest)
    if head == "rolls":
        return tables.label("rolled").format(label=tables.label(_STEP_LABELS.get(rest, rest)))
    if head in ("equipment", "cyberware"):
        number, _, part = rest.partition(".")
        return tables.label(f"part_{part}").format(row=tables.label(head).format(n=number))
    if head == "npc":
        return tables.label(_NPC_LABELS.get(rest, f"npc_{rest}"))
    return tables.label(key)


_STEP_LABELS = {"jitsu": "jitsu_kind", "knowledge": "knowledge_step", "cyberware": "cyberware_step"}
_NPC_LABELS = {
    "hp": "hp_max",
    "mp": "mp_max",
    "legs": "legs",
    "attack": "attack_dice",
    "shoot": "shoot_dice",
    "initiative": "initiative",
    "hack": "hack_dice",
    "evade": "evade_dice",
    "precise": "precise_dice",
    "cartwheel": "cartwheel_dice",
    "cast": "cast_dice",
    "emergency": "emergency_dice",
    "reduction": "damage_reduction",
    **{name: name for name in ("multi_attack", "multi_shot", "multi_target", "staggered", "sixth_sense")},
    **{name: name for name in ("damage", "shoot_damage")},
}


def field_text(key: str, value: Value, tables: Ninja) -> Text:
    """A value as a person would say it; a missing one is `なし`."""
    if value is None or value is False or value == "":
        return tables.label("none")
    if value is True:
        return tables.label("yes")
    if isinstance(value, int):
        return tables.label("number").format(n=value)
    if sort_of(key) == "choice":
        return names(key, tables).get(value) or same(value)
    return same(value)


def display_name(fields: Fields) -> str:
    name = fields.get("name")
    return name.strip() if isinstance(name, str) else ""
