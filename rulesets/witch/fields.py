"""Flat fields for people: what was typed becomes a value, keys and values become words in both languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Fields
from rulesets.protocol import Kind as Role
from rulesets.witch.rows import COLUMNS, STAR
from rulesets.witch.sheet import Sheet, sort_of, whole
from rulesets.witch.tables import TABLES, Witch

WITCH_AGE, CAT_AGE = 13, 1
_WIDE = str.maketrans("０１２３４５６７８９＋－−ー", "0123456789+---")
_YES = {"on", "1", "true", "yes", "はい", "取る"}
_NO = {"", "off", "0", "false", "no", "いいえ", "なし"}


def known_field(key: str) -> bool:
    return sort_of(key) is not None


def blank(role: Role) -> Fields:
    """A witch who has everything still before her; a cat's builder sets `kind` and `age` first."""
    return {"kind": "witch", "age": WITCH_AGE}


# ---------------------------------------------------------------- from people


def parse_field(key: str, typed: str) -> Value:
    """The value of a control's text; what cannot be read comes back as text for `check` to report."""
    text = unicodedata.normalize("NFC", typed).strip()
    sort = sort_of(key)
    if not text or sort is None:
        return text or None
    if sort == "number":
        digits = text.translate(_WIDE)
        return int(digits) if re.fullmatch(r"[+-]?[0-9]{1,9}", digits) else text
    if sort == "flag":
        return True if text.lower() in _YES else None if text.lower() in _NO else text
    if sort == "choice":
        return next((row for row, name in _choices(key, TABLES.base).items() if text in (name.ja, name.en)), text)
    return text


def _choices(key: str, tables: Witch) -> Mapping[str, Text]:
    if key == "kind":
        return {kind: tables.label(f"kind.{kind}") for kind in ("witch", "cat")}
    if key == "color":
        return {row.id: row.name for row in tables.colours.values()}
    if key == "pattern":
        return {row.id: row.text for row in tables.patterns.values()}
    if key == "sex":
        return {row.id: row.text for row in tables.sexes.values()}
    return {row.id: row.label for row in tables.factors.values() if row.label.ja}


# ---------------------------------------------------------------- to people


def field_label(key: str, tables: Witch) -> Text:
    """What a field is called: `ファクター 強さ`, `スキル2の値`, `月齢7の魔法力`."""
    head, _, rest = key.partition(".")
    if sort_of(key) is None:
        return tables.label("unknown_field").format(key=key)
    if head == "factors":
        row = tables.factors[rest] if rest in tables.factors else tables.cat_factors[rest]
        return tables.label("factor").format(factor=row.label if row.label.ja else same(row.id))
    if head == "skills":
        number, _, part = rest.partition(".")
        if part == "rolled":
            return tables.label("rolled").format(what=tables.label("what.skills"))
        return tables.label(f"skill_{part}").format(n=number)
    if head == "power":
        return tables.label("power_star") if rest == str(STAR) else tables.label("power").format(day=rest)
    if head == "spells":
        row_label = tables.cat_spells[rest].label
        return tables.label("spell").format(spell=row_label if row_label.ja else same(rest))
    if head == "rolled":
        return tables.label("rolled").format(what=tables.label(f"what.{rest}"))
    return tables.label(key)


def field_text(key: str, value: Value, tables: Witch) -> Text:
    """A value as a person would say it: `黒`, `7 太陽`, `あり`; a missing one is `なし`."""
    if value is None or value is False or value == "":
        return tables.label("none")
    if value is True:
        return tables.label("taken")
    if isinstance(value, int):
        if key in ("sign_card", "shadow_card") and value in COLUMNS:
            return tables.label("card").format(n=value, name=tables.card(value))
        return tables.label("number").format(n=value)
    known = _choices(key, tables).get(value) if sort_of(key) == "choice" else None
    return known if known is not None else same(value)


def column_text(column: int, tables: Witch) -> Text:
    """A column in words: `＊` or the number of the moon day."""
    return tables.label("star") if column == STAR else tables.label("day").format(n=column)


def display_name(fields: Fields) -> str:
    """The common name of a witch, the whisker name of a cat; never a secret one. "" while there is none."""
    return Sheet(fields, TABLES.base).name


__all__ = ["blank", "column_text", "display_name", "field_label", "field_text", "known_field", "parse_field", "whole"]
