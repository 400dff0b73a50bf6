"""The tables of ウィッチクエスト: what the files in `data/` hold together, and what must fit across them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from rulesets.engine.house_rules import HouseRuleRow, HouseRules
from rulesets.engine.tables import Fault, Message, Rows, Settings, TableSet, Wording
from rulesets.engine.text import Text
from rulesets.witch.dice_text import BadDice, dice
from rulesets.witch.rows import (
    Band,
    CatSpell,
    Colour,
    Encounter,
    Factor,
    Item,
    Level,
    Person,
    PresetRow,
    Rules,
    Skill,
    Structure,
    Target,
    Tarot,
    Wish,
)


@dataclass(frozen=True)
class Witch:
    """All tables of the game under one campaign's house rules."""

    factors: Rows[Factor]
    cat_factors: Rows[Factor]
    skills: Rows[Skill]
    colours: Rows[Colour]
    patterns: Rows[Wording]
    sexes: Rows[Wording]
    cat_spells: Rows[CatSpell]
    items: Rows[Item]
    tarot: Rows[Tarot]
    structure: Rows[Structure]
    encounters: Rows[Encounter]
    persons: Rows[Person]
    levels: Rows[Level]
    difficulties: Rows[Band]
    beliefs: Rows[Band]
    targets: Rows[Target]
    wishes: Rows[Wish]
    rules: Settings[Rules]
    presets: Rows[PresetRow]
    messages: Rows[Message]
    labels: Rows[Wording]
    play_labels: Rows[Wording]
    house_rules: Rows[HouseRuleRow]
    house_groups: Rows[Wording]

    @property
    def rule(self) -> Rules:
        return self.rules.values

    @cached_property
    def witch_factors(self) -> Mapping[str, Factor]:
        """The factors of witches that the group plays with, in order (§3.3)."""
        return {row.id: row for row in self.factors.values() if row.used}

    @cached_property
    def feline_factors(self) -> Mapping[str, Factor]:
        """The factors of cats that the group plays with, in order (§4.4)."""
        return {row.id: row for row in self.cat_factors.values() if row.used}

    def factors_of(self, kind: str) -> Mapping[str, Factor]:
        return self.feline_factors if kind == "cat" else self.witch_factors

    @cached_property
    def spells(self) -> Mapping[str, CatSpell]:
        """The spells that cats of this group may choose."""
        return {row.id: row for row in self.cat_spells.values() if row.offered and (row.name.ja or row.own_name)}

    def label(self, label_id: str) -> Text:
        return self.labels[label_id].text

    def difficulty_label(self, number: int) -> Text:
        """The words of a difficulty (§7.3); the two doubtful edges as the group reads them (§13-1, §13-2)."""
        return self._band(self.difficulties, number)

    def belief_label(self, number: int) -> Text:
        """The words of a belief (§7.4)."""
        return self._band(self.beliefs, number)

    def _band(self, bands: Rows[Band], number: int) -> Text:
        if number == 20 and self.rule.label_20 == "21_up":
            number = 21
        if number == -5 and self.rule.label_minus_5 == "minus_4":
            number = -4
        return next(band.name for band in bands.values() if band.holds(number))

    def level(self, doubles: int) -> Level:
        """The degree of success of so many doubles; six and more are the last one (§5.2)."""
        return self.levels[str(min(doubles, len(self.levels) - 1))]

    def card(self, number: int) -> Text:
        """The name of a tarot card."""
        return self.tarot[str(number)].name


# ---------------------------------------------------------------- what must fit together

_NO_DICE = Text(
    "「{value}」はダイスとして読めません（2d6+6 のように書きます）。", "“{value}” is no dice (write 2d6+6)."
)
_NO_ZONE = Text(
    "「{value}」という時間帯はありません（Asia/Tokyo など）。", "There is no time zone “{value}” (such as Asia/Tokyo)."
)
_FEW = Text("使う能力は{low}〜{high}個にしてください（いま{n}個）。", "Use {low} to {high} factors ({n} now).")
_NAMELESS = Text("使う能力「{row}」に名前を付けてください。", "Give the factor “{row}” a name.")
_WEAK_CARD = Text(
    "カードの欄（{card}）は、ほかの欄（{other}）の最大より大きくなるダイスにしてください。",
    "The card's column ({card}) must always exceed the others ({other}).",
)
_NOT_BUYABLE = Text("合計{n}点は、この能力の数では使い切れません。", "{n} points cannot be spent on so many factors.")
_NEGATIVE = Text("{value} は0より小さくなることがあります。", "{value} may fall below 0.")
_NO_BODY = Text("{value} は0以下になることがあります。", "{value} may be 0 or less.")

DICE_RULES = ("witch_hp", "column_roll", "all_columns_roll", "card_column_roll", "shadow_column", "cat_hp", "cat_mp")
_ALIVE = ("witch_hp", "cat_hp")


def _dice(tables: Witch) -> Iterator[Fault]:
    rule = tables.rule
    for name in DICE_RULES:
        text = getattr(rule, name)
        try:
            found = dice(text)
        except BadDice:
            yield Fault("rules", name, "", "no dice", message=_NO_DICE.format(value=text))
            continue
        if found.least < (1 if name in _ALIVE else 0):
            words = _NO_BODY if name in _ALIVE else _NEGATIVE
            yield Fault("rules", name, "", "too low", message=words.format(value=text))


def _columns(tables: Witch) -> Iterator[Fault]:
    """The sign's column is the greatest, the shadow's not above any other (§3.7)."""
    rule = tables.rule
    card, other = dice(rule.card_column_roll), dice(rule.column_roll)
    if card.least <= max(other.most, dice(rule.shadow_column).most):
        words = _WEAK_CARD.format(card=rule.card_column_roll, other=rule.column_roll)
        yield Fault("rules", "card_column_roll", "", "not above the others", message=words)


def _factors(tables: Witch) -> Iterator[Fault]:
    for table, rows, low, high in (("factors", tables.factors, 2, 10), ("cat_factors", tables.cat_factors, 1, 6)):
        used = [row for row in rows.values() if row.used]
        if not low <= len(used) <= high:
            yield Fault(
                table,
                next(iter(rows)),
                "used",
                "number of factors",
                message=_FEW.format(low=low, high=high, n=len(used)),
            )
        for row in used:
            if not row.label.ja.strip():
                yield Fault(table, row.id, "own_name", "no name", message=_NAMELESS.format(row=row.id))


def _point_buy(tables: Witch) -> Iterator[Fault]:
    rule, count = tables.rule, len(tables.witch_factors)
    if rule.factor_roll != "point_buy":
        return
    if not max(1, rule.factor_min) * count <= rule.point_buy_total <= rule.point_buy_max * count:
        words = _NOT_BUYABLE.format(n=rule.point_buy_total)
        yield Fault("rules", "point_buy_total", "", "cannot be spent", message=words)


def _zone(tables: Witch) -> Iterator[Fault]:
    try:
        ZoneInfo(tables.rule.moon_zone)
    except (KeyError, ValueError, OSError):
        words = _NO_ZONE.format(value=tables.rule.moon_zone)
        yield Fault("rules", "moon_zone", "", "no time zone", message=words)


def _ids(tables: Witch) -> Iterator[Fault]:
    for skill in tables.skills.values():
        if skill.factor and skill.factor not in tables.factors:
            yield Fault("skills", skill.id, "factor", f"{skill.factor!r} names nothing")
    for table, rows in (("tarot", tables.tarot), ("encounters", tables.encounters), ("structure", tables.structure)):
        first = 0 if table == "tarot" else 1
        if list(rows) != [str(n) for n in range(first, first + len(rows))]:
            yield Fault(table, "", "", "cards are numbered without a gap")
    for preset in tables.presets.values():
        for spell in preset.spells:
            if spell not in tables.cat_spells:
                yield Fault("presets", preset.id, "spells", f"{spell!r} names nothing")


def cross_check(tables: Witch) -> Iterator[Fault]:
    """Dice that cannot be read, factors without name or number, a card's column that is not the strongest."""
    found = list(_dice(tables))
    yield from found
    if not found:
        yield from _columns(tables)
    yield from _factors(tables)
    yield from _point_buy(tables)
    yield from _zone(tables)
    yield from _ids(tables)


TABLES: TableSet[Witch] = TableSet(Path(__file__).parent / "data", Witch, cross_check)
HOUSE_RULES: HouseRules[Witch] = HouseRules(TABLES)
