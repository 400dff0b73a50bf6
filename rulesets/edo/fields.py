"""Flat fields for people: what was typed becomes a value, keys and values become words in both languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from rulesets.edo.rows import ABILITIES, OWN_SCHOOLS
from rulesets.edo.sheet import row_parts, sort_of, text_limit
from rulesets.edo.tables import TABLES, Edo
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Fields, Kind

_WIDE = str.maketrans("０１２３４５６７８９＋－−ー", "0123456789+---")
_YES = {"on", "1", "true", "yes", "はい", "取る"}
_NO = {"", "off", "0", "false", "no", "いいえ", "なし"}
# Counts of which nothing is the same as no field: a stepper at 0 takes the row away.
_ZERO_IS_NOTHING = re.compile(r"skills\..*\.level|endurance_bought")


def known_field(key: str) -> bool:
    return sort_of(key) is not None


def blank(kind: Kind) -> Fields:
    """The least legal abilities, which must all be bought; everything else is still to be chosen (§4)."""
    lowest = TABLES.base.ability_cost.first
    fields: dict[str, Value] = {f"abilities.{ability}": lowest for ability in ABILITIES}
    if kind == "npc":
        fields["role"] = "support"
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
    return _choice(key, text) if sort == "choice" else text


def _number(key: str, text: str) -> Value:
    digits = text.translate(_WIDE)
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", digits):
        return text
    number = int(digits)
    return None if number == 0 and _ZERO_IS_NOTHING.fullmatch(key) else number


def _choice(key: str, text: str) -> str:
    """The id whose label or alias was typed; other text stays (free status, occupation) or is reported."""
    return next((row_id for row_id, words in _choices(key) if text in words), text)


def _choices(key: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    tables = TABLES.base
    if key == "role":
        rows: Mapping[str, Text] = {row.id: row.name for row in tables.roles.values()}
    elif key.endswith(".base"):
        rows = {row.id: row.name for row in tables.abilities.values()}
    elif key == "style_skill":
        rows = {skill: tables.skills[skill].name for skill in tables.martial}
    elif key == "occupation":
        rows = {row.id: row.name for row in tables.occupations.values()}
    elif key == "status":
        return ((row.id, (row.name.ja, row.name.en, *row.aliases)) for row in tables.statuses.values())
    else:
        rows = _things(tables)
    return ((row_id, (name.ja, name.en)) for row_id, name in rows.items())


def _things(tables: Edo) -> dict[str, Text]:
    found = {row.id: row.name for row in tables.weapons.values()}
    found |= {row.id: row.name for row in tables.ranged.values()}
    return found | {row.id: row.name for row in tables.armour.values()}


# ---------------------------------------------------------------- to people


def field_label(key: str, tables: Edo) -> Text:
    """What a field is called: `技能 剣術`, `我流 居合抜き`, `持ち物1`."""
    head, _, rest = key.partition(".")
    if head == "abilities" and rest in tables.abilities:
        return tables.abilities[rest].name
    if head == "names" and rest in tables.name_parts:
        return tables.name_parts[rest].text
    if head == "skills":
        return _skill_label(rest, tables)
    if head == "perks" and row_parts(rest)[0] in tables.perks:
        return tables.label("perk_label").format(perk=tables.perks[row_parts(rest)[0]].name)
    if head == "schools":
        return tables.label("school_label").format(school=_school_name(rest, tables))
    if head == "possessions":
        number, _, part = rest.partition(".")
        return tables.label("possession_text" if part == "text" else "possession").format(n=number)
    if head == "money_dice":
        return tables.label("money_dice").format(n=rest)
    if key in tables.labels:
        return tables.label(key)
    return tables.label("unknown_field").format(key=key)


def _skill_label(rest: str, tables: Edo) -> Text:
    row, _, part = rest.partition(".")
    skill_id, number = row_parts(row)
    if skill_id not in tables.skills or part not in ("level", "speciality", "base"):
        return tables.label("unknown_field").format(key=f"skills.{rest}")
    name = tables.skills[skill_id].name
    if number > 1:
        name = Text(f"{name.ja} {number}", f"{name.en} {number}")
    return tables.label(f"skill_{part}").format(skill=name)


def _school_name(school_id: str, tables: Edo) -> Text:
    school = tables.all_schools.get(school_id)
    if school is not None:
        return school.name
    return tables.own_schools[school_id].label if school_id in OWN_SCHOOLS else same(school_id)


def field_text(key: str, value: Value, tables: Edo) -> Text:
    """A value as a person would say it: `準主役`, `5レベル`, `取る`; a missing one is `なし`."""
    if value is None or value is False or value == "":
        return tables.label("none")
    if value is True:
        return tables.label("taken")
    if isinstance(value, int):
        wording = "level" if key.endswith(".level") else "points" if key == "endurance_bought" else "number"
        return tables.label(wording).format(n=value)
    return _known_words(key, value, tables) or same(value)


def _known_words(key: str, value: str, tables: Edo) -> Text | None:
    if key == "style_skill":
        skill = tables.skills.get(row_parts(value)[0])
        return skill.name if skill else None
    if key.endswith(".speciality"):
        skill_id = row_parts(key.split(".")[1])[0]
        kinds = (kind for kind in tables.specialities.values() if kind.skill == skill_id and kind.means(value))
        return next((kind.name for kind in kinds), None)
    found: Mapping[str, Text] = {}
    if key == "role":
        found = {row.id: row.name for row in tables.roles.values()}
    elif key.endswith(".base"):
        found = {row.id: row.name for row in tables.abilities.values()}
    elif key == "occupation":
        found = {row.id: row.name for row in tables.occupations.values()}
    elif key == "status":
        found = {row.id: row.name for row in tables.statuses.values()}
    elif key.startswith("possessions.") and key.endswith(".id"):
        found = _things(tables)
    return found.get(value)


def display_name(fields: Fields) -> str:
    """A warrior goes by surname and common name, everybody else by one name (§4.8). "" while there is none."""
    names = {part: str(fields.get(f"names.{part}") or "").strip() for part in ("family", "office", "given", "stage")}
    called = names["office"] or names["given"]
    if names["family"]:
        return " ".join(part for part in (names["family"], called) if part)
    return names["stage"] or called


__all__ = ["blank", "display_name", "field_label", "field_text", "known_field", "parse_field", "text_limit"]
