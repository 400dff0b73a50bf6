"""The sheet of 八百八町浮世草子, on the screen and on paper: every number with what it is made of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from characters.present import edo_parts as parts
from characters.present.board import Board, PartView, StatView, signed, stat
from characters.present.systems import Around
from characters.present.words import bracketed
from rulesets import services
from rulesets.engine.problems import Derived

DIFFICULTIES = (15, 20)


@dataclass(frozen=True, slots=True)
class WeaponRow:
    name: str
    note: str
    effective: str
    parts: tuple[PartView, ...]
    damage: str
    damage_parts: tuple[PartView, ...]
    rule: str
    reach: str
    parry: str
    inferred: bool


@dataclass(frozen=True, slots=True)
class SkillRow:
    name: str
    note: str
    base: str
    level: str
    effective: str
    parts: tuple[PartView, ...]
    odds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkillGroup:
    name: str
    rows: tuple[SkillRow, ...]


@dataclass(frozen=True, slots=True)
class UntrainedRow:
    name: str
    value: int
    odds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A word with a value: `源氏名` `梅吉`."""

    name: str
    value: str
    gloss: str = ""

    @property
    def label(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class StyleRow:
    name: str
    detail: str
    icon: str
    points: str
    inferred: bool


@dataclass(frozen=True, slots=True)
class EdoSheet:
    """What `edo/sheet.html` and `edo/print.html` show."""

    slip: str
    sheet_template: str
    print_template: str
    title: str
    abilities: tuple[StatView, ...]
    stats: tuple[StatView, ...]
    weapons: tuple[WeaponRow, ...]
    armour: str
    skills: tuple[SkillGroup, ...]
    skill_hint: str
    difficulties: tuple[int, ...]
    unlearned: tuple[Line, ...]
    untrained: tuple[UntrainedRow, ...]
    style_title: str
    styles: tuple[StyleRow, ...]
    person: tuple[Line, ...]
    possessions: tuple[str, ...]
    possession_line: str
    money: parts.MoneyView | None
    print_abilities: tuple[Line, ...]
    print_stats: tuple[Line, ...]
    endurance_text: str
    endurance_boxes: range
    kp_text: str
    kp_boxes: range
    kp_uses: tuple[Line, ...]
    footer: str


def edo_sheet(board: Board, around: Around, tables: Any, slip: str) -> EdoSheet:
    """Everything of a build, from its fields and report."""
    things = tuple(_things(board, tables))
    skills = tuple(_skill_groups(board, tables))
    return EdoSheet(
        slip=slip,
        sheet_template="edo/sheet.html",
        print_template="edo/print.html",
        title=_title(board, tables),
        abilities=tuple(_abilities(board, tables)),
        stats=tuple(_stats(board)),
        weapons=tuple(_weapons(board)),
        armour=_armour(board, tables),
        skills=skills,
        skill_hint=_("%(n)s・3個振って高い2個＋実力") % {"n": sum(len(group.rows) for group in skills)},
        difficulties=DIFFICULTIES,
        unlearned=tuple(_unlearned(board, tables)),
        untrained=tuple(_untrained(board, tables)),
        style_title=_style_title(board, tables),
        styles=tuple(_styles(board, tables)),
        person=tuple(_person(board, tables)),
        possessions=things,
        possession_line=_("、").join(things),
        money=parts.money(board, around, tables),
        print_abilities=tuple(_print_abilities(board, tables)),
        print_stats=tuple(_print_stats(board)),
        endurance_text=_endurance_text(board),
        endurance_boxes=range(_whole(board.report.derived.get("endurance_max"))),
        kp_text=_kp_text(board, around),
        kp_boxes=range(_whole(board.report.derived.get("kp_limit"))),
        kp_uses=tuple(_kp_uses(board, tables)),
        footer=_("ふつうの難易度は%(n)s。受け・体さばきは相手の達成値を目指す。")
        % {"n": tables.number("base_difficulty")},
    )


# ---------------------------------------------------------------- numbers


def _title(board: Board, tables: Any) -> str:
    from characters.present.edo import subtitle

    return subtitle(board.fields, tables, board.lang) or _("役格はまだない")


def _abilities(board: Board, tables: Any) -> Iterator[StatView]:
    """An ability's parts are what was bought for how many points."""
    for ability in tables.abilities.values():
        value = board.number(f"abilities.{ability.id}")
        points = tables.ability_cost.get(value)
        bought = (PartView(_("買った値"), str(value) if value is not None else "—"),)
        note = _("%(n)s点") % {"n": points} if points is not None else ""
        yield StatView(
            key=ability.id,
            label=board.pick(ability.name),
            value=str(value) if value is not None else "—",
            unit="",
            parts=bought,
            note=_("・").join(word for word in (board.pick(ability.note), note) if word),
            rule="4.2",
            inferred=value in tables.ability_cost and tables.ability_cost.inferred_at(value),
        )


def _stats(board: Board) -> Iterator[StatView]:
    derived = board.report.derived
    keys = ["endurance_max", "evasion", "kp_initial", "extra_damage", "move", "stone_range"]
    keys += [key for key in derived if key.startswith(("evasion@", "armour_value@"))]
    keys += [key for key, value in derived.items() if value.group == "style"]
    for key in keys:
        if key in derived:
            yield _plain(stat(derived[key], board.lang, plus=key == "extra_damage"))


def _plain(view: StatView) -> StatView:
    from dataclasses import replace

    return replace(view, rule=view.rule.lstrip("§"))


def _whole(derived: Derived | None) -> int:
    return max(0, min(derived.value, 60)) if derived is not None and isinstance(derived.value, int) else 0


# ---------------------------------------------------------------- weapons


def _weapons(board: Board) -> Iterator[WeaponRow]:
    derived = board.report.derived
    for key, line in derived.items():
        if line.group != "weapon":
            continue
        damage = derived.get(f"{key}.damage")
        yield WeaponRow(
            name=line.label.pick(board.lang),
            note=_weapon_note(board, key, line),
            effective=str(line.value),
            parts=stat(line, board.lang).parts,
            damage=_damage(damage),
            damage_parts=stat(damage, board.lang).parts if damage is not None else (),
            rule=line.rule.lstrip("§"),
            reach=_reach(board, key),
            parry=_parry(board, derived.get(f"{key}.parry")),
            inferred=line.inferred or (damage is not None and damage.inferred),
        )


def _weapon_note(board: Board, key: str, line: Derived) -> str:
    dice = board.report.derived.get(f"{key}.dice")
    skill = dice.parts[0].label.pick(board.lang) if dice is not None and dice.parts else ""
    few = board.pick(dice.note) if dice is not None else ""
    return _("・").join(word for word in (skill, few, _words_of(board, key)) if word)


def _words_of(board: Board, key: str) -> str:
    """Words somebody wrote beside the possession of this line."""
    number = key.removeprefix("weapon.")
    text = board.value(f"possessions.{number}.text") if number.isdecimal() else None
    return str(text) if text else ""


def _damage(derived: Derived | None) -> str:
    if derived is None or derived.value == "":
        return "—"
    return str(derived.value).replace("+", _("＋")).replace("-", "−")


def _reach(board: Board, key: str) -> str:
    derived = board.report.derived
    near, far = derived.get(f"{key}.near"), derived.get(f"{key}.far")
    if near is not None or far is not None:
        return _("%(near)s／%(far)s間") % {"near": near.value if near else "?", "far": far.value if far else "?"}
    reach = derived.get(f"{key}.reach")
    return f"{reach.value}{board.pick(reach.unit)}" if reach is not None else "—"


def _parry(board: Board, derived: Derived | None) -> str:
    if derived is None or derived.value == "no":
        return "—"
    return board.pick(derived.note)


def _armour(board: Board, tables: Any) -> str:
    found = []
    for key, value in board.report.derived.items():
        if key.startswith("armour_value@"):
            evasion = board.report.derived.get(f"evasion@{key.partition('@')[2]}")
            worn = _("%(label)s %(value)s") % {"label": board.pick(value.label), "value": value.value}
            found.append(worn + (_("（着ると回避値%(n)s）") % {"n": evasion.value} if evasion else ""))
    return _("・").join(found)


# ---------------------------------------------------------------- skills


def _skill_groups(board: Board, tables: Any) -> Iterator[SkillGroup]:
    for group in tables.skill_groups.values():
        rows = [
            _skill_row(board, tables, skill, row)
            for skill in tables.skills.values()
            if skill.group == group.id
            for row in parts.skill_rows(board.fields)
            if row.partition("~")[0] == skill.id and parts.effective(board.report, row) is not None
        ]
        if rows:
            yield SkillGroup(board.pick(group.text), tuple(rows))


def _skill_row(board: Board, tables: Any, skill: Any, row: str) -> SkillRow:
    derived = board.report.derived[f"effective.{row}"]
    value = derived.value if isinstance(derived.value, int) else 0
    level = board.number(f"skills.{row}.level")
    return SkillRow(
        name=board.pick(derived.label),
        note=_("回避値に%(n)s") % {"n": signed(level)} if skill.id == "taisabaki" and level else "",
        base=parts.base_text(board, tables, skill, row),
        level=str(level) if level is not None else "—",
        effective=str(value),
        parts=stat(derived, board.lang).parts,
        odds=tuple(_chance(board, value, "3dk2", difficulty) for difficulty in DIFFICULTIES),
    )


def _unlearned(board: Board, tables: Any) -> Iterator[Line]:
    held = {row.partition("~")[0] for row in parts.skill_rows(board.fields)}
    for skill in tables.skills.values():
        if skill.id not in held:
            yield Line(board.pick(skill.name), parts.untrained(board, tables, skill))


def _untrained(board: Board, tables: Any) -> Iterator[UntrainedRow]:
    """One line for each different ability value, with the abilities that have it: `心・体` 6."""
    by_value: dict[int, list[str]] = {}
    for ability in tables.abilities.values():
        value = board.number(f"abilities.{ability.id}")
        if value is not None:
            by_value.setdefault(value, []).append(board.pick(ability.name))
    for value, names in sorted(by_value.items()):
        chances = tuple(_chance(board, value, "2d", difficulty) for difficulty in DIFFICULTIES)
        yield UntrainedRow(_("・").join(names), value, chances)


def _chance(board: Board, value: int, dice: str, difficulty: int) -> str:
    """The chance to reach a difficulty, in whole per cent."""
    return _percent(board.slug, 3 if dice == "3dk2" else 2, value, difficulty)


@lru_cache(maxsize=4096)
def _percent(slug: str, dice: int, value: int, difficulty: int) -> str:
    # A draft may hold any number; beyond twice the difficulty either way nothing changes any more.
    value = max(-difficulty, min(value, 2 * difficulty))
    # The chance of a test hangs on no house rule, so the game's own tables answer for every table.
    chance = services.odds(slug, {"kind": "test", "dice": dice, "value": value, "difficulty": difficulty}, {})
    return f"{math.floor(chance.chance('success') * 100 + Fraction(1, 2))}%"


# ---------------------------------------------------------------- style, person, things


def _style_title(board: Board, tables: Any) -> str:
    name = board.value("style_name")
    bound = board.value("style_skill")
    words = [str(name) if name else ""]
    if isinstance(bound, str) and bound and (_has_style(board)):
        words.append(parts.row_name(board, tables, bound))
    return _("・").join(word for word in words if word)


def _has_style(board: Board) -> bool:
    return any(key.startswith(("schools.", "perks.")) and value for key, value in board.fields.items())


def _styles(board: Board, tables: Any) -> Iterator[StyleRow]:
    for school in tables.all_schools.values():
        if board.value(f"schools.{school.id}"):
            detail = board.pick(school.note)
            points = parts.figure(school.cost)
            yield StyleRow(board.pick(school.name), detail, "sword", points, school.inferred_in("cost"))
    for perk in tables.perks.values():
        if board.value(f"perks.{perk.id}"):
            icon = "alert" if perk.drawback else "star"
            points = parts.figure(perk.cost)
            yield StyleRow(board.pick(perk.name), board.pick(perk.note), icon, points, perk.inferred_in("cost"))


def _person(board: Board, tables: Any) -> Iterator[Line]:
    for key in (*(f"names.{part.id}" for part in tables.name_parts.values()), "status", "occupation"):
        value = board.value(key)
        if value is not None:
            yield Line(board.label(key), board.say(key, value))


def _things(board: Board, tables: Any) -> Iterator[str]:
    for number in parts.numbers_of(board.fields, "possessions"):
        item, text = board.value(f"possessions.{number}.id"), board.value(f"possessions.{number}.text")
        row = parts.arm(tables, str(item)) if item is not None else None
        name = board.pick(row.name) if row is not None else str(item or "")
        yield bracketed(name, str(text)) if name and text else name or str(text or "")


# ---------------------------------------------------------------- paper


def _print_abilities(board: Board, tables: Any) -> Iterator[Line]:
    for ability in tables.abilities.values():
        value = board.number(f"abilities.{ability.id}")
        shown = str(value) if value is not None else "—"
        yield Line(board.pick(ability.name), shown, board.pick(ability.note))


def _print_stats(board: Board) -> Iterator[Line]:
    derived = board.report.derived
    for key in ("evasion", "move", "extra_damage", "stone_range"):
        if key not in derived:
            continue
        found = derived[key]
        value = signed(found.value) if key == "extra_damage" else str(found.value)
        yield Line(board.pick(found.label), f"{value}{board.pick(found.unit)}", _sum(board, found))


def _sum(board: Board, derived: Derived) -> str:
    """The parts in one short line: `技7＋5＋体さばき3`."""
    if len(derived.parts) == 1:
        return board.pick(derived.parts[0].label)
    words = []
    for index, part in enumerate(derived.parts):
        # The level stands beside its figure anyway, and a plain base needs no name.
        label = re.sub(r"\s*(\d+レベル|level \d+)$", "", board.pick(part.label))
        label = "" if index and label == _basic(board) else label
        said = parts.with_number(label, str(part.value) if index == 0 else _size(part.value))
        words.append(said if index == 0 else _sign(part.value) + said)
    return "".join(words)


def _basic(board: Board) -> str:
    tables = services.tables(board.slug, board.house_rules)
    return board.pick(tables.label("basic"))


def _sign(value: int | str) -> str:
    return "−" if isinstance(value, int) and value < 0 else _("＋")


def _size(value: int | str) -> str:
    return str(abs(value)) if isinstance(value, int) else value


def _endurance_text(board: Board) -> str:
    found = board.report.derived.get("endurance_max")
    if found is None:
        return ""
    return _("最大%(n)s＝%(sum)s") % {"n": found.value, "sum": _sum(board, found)}


def _kp_text(board: Board, around: Around) -> str:
    first, limit = board.report.derived.get("kp_initial"), board.report.derived.get("kp_limit")
    if first is None or limit is None:
        return ""
    return _("はじめ%(n)s・限度%(m)s") % {"n": first.value, "m": limit.value}


def _kp_uses(board: Board, tables: Any) -> Iterator[Line]:
    for use in tables.kp_uses.values():
        yield Line(board.pick(use.name), str(use.cost) if use.cost is not None else _("GM"))
