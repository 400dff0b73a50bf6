"""Schools and own-style perks in the Edo builder; what is locked says why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters.present import edo_parts as parts
from characters.present.board import Board, FieldView, FixView, as_json, signed


@dataclass(frozen=True, slots=True)
class StyleOption:
    field: FieldView
    name: str
    detail: str
    icon: str
    points: str
    inferred: bool
    open: bool
    why: str


@dataclass(frozen=True, slots=True)
class StylePart:
    id: str
    name: str
    hint: str
    options: tuple[StyleOption, ...]


@dataclass(frozen=True, slots=True)
class StylePanel:
    skill: FieldView
    skill_options: tuple[tuple[str, str], ...]
    title: FieldView
    title_hint: str
    locked: str
    unlock: FixView | None
    parts: tuple[StylePart, ...]
    points: int


def style_panel(board: Board, tables: Any) -> StylePanel:
    need = tables.rule.style_level
    able = [(row, level) for row, level in parts.martial_rows(board.fields, tables) if level >= need]
    chosen = _chosen(board)
    return StylePanel(
        skill=board.field("style_skill"),
        skill_options=_style_skills(board, tables),
        title=board.field("style_name"),
        title_hint=_("流派の名前"),
        locked="" if able else _locked(board, tables, need),
        unlock=None if able else _unlock(board, tables, need),
        parts=(
            StylePart(
                "schools",
                _("既製流派"),
                _schools_hint(tables.rule.max_schools),
                tuple(_school(board, tables, one, bool(able), chosen) for one in tables.all_schools.values()),
            ),
            StylePart(
                "perks",
                _("我流の特典"),
                _("いくつでも"),
                tuple(_perk(board, tables, one, bool(able), chosen) for one in tables.perks.values()),
            ),
        ),
        points=parts.spent_on(board.report, "style", "school", "schools", "own_style", "perks"),
    )


def _schools_hint(most: int | None) -> str:
    if most is None:
        return _("いくつでも")
    return ngettext("%(n)sつまで", "%(n)sつまで", most) % {"n": most}


def _chosen(board: Board) -> tuple[str, ...]:
    """Ids of the schools in the build."""
    return tuple(
        key.removeprefix("schools.") for key, value in board.fields.items() if key.startswith("schools.") and value
    )


def _style_skills(board: Board, tables: Any) -> tuple[tuple[str, str], ...]:
    rows = [
        (row, _("%(skill)s %(n)s") % {"skill": parts.row_name(board, tables, row), "n": level})
        for row, level in parts.martial_rows(board.fields, tables)
    ]
    now = board.value("style_skill")
    if isinstance(now, str) and now and now not in dict(rows):
        rows.append((now, parts.row_name(board, tables, now)))
    return tuple(rows)


def _locked(board: Board, tables: Any, need: int) -> str:
    best = max(parts.martial_rows(board.fields, tables), key=lambda row: row[1], default=None)
    if best is None:
        return _("武芸技能のどれかが%(n)s以上で選べます。名前だけなら無料で名乗れます。") % {"n": need}
    return _("武芸技能が%(n)s以上で選べます。いまは%(skill)s%(level)sまで。名前だけなら無料で名乗れます。") % {
        "n": need,
        "skill": parts.row_name(board, tables, best[0]),
        "level": best[1],
    }


def _unlock(board: Board, tables: Any, need: int) -> FixView | None:
    """The nearest martial skill raised to what a style needs, with its price."""
    best = max(parts.martial_rows(board.fields, tables), key=lambda row: row[1], default=None)
    cost = tables.skill_cost
    if best is None or need not in cost or best[1] not in cost:
        return None
    row, level = best
    label = _("%(skill)s %(a)s→%(b)s　%(price)s点") % {
        "skill": parts.row_name(board, tables, row),
        "a": level,
        "b": need,
        "price": signed(cost[need] - cost[level]),
    }
    return FixView(label=label, kind="set", payload=as_json({f"skills.{row}.level": need}))


def _school(board: Board, tables: Any, school: Any, able: bool, chosen: tuple[str, ...]) -> StyleOption:
    field = board.field(f"schools.{school.id}")
    why = ""
    others = [one for one in chosen if one != school.id]
    if able and tables.rule.max_schools is not None and len(others) >= tables.rule.max_schools:
        names = parts.school_names(board, tables, others)
        why = _("%(name)sを外すと選べる") % {"name": names}
    return StyleOption(
        field=field,
        name=board.pick(school.name),
        detail=board.pick(school.note),
        icon="sword",
        points=parts.figure(school.cost),
        inferred=school.inferred_in("cost"),
        open=(able and not why) or field.shown != "" or field.invalid,
        why=why,
    )


def _perk(board: Board, tables: Any, perk: Any, able: bool, chosen: tuple[str, ...]) -> StyleOption:
    field = board.field(f"perks.{perk.id}")
    holding = [one for one in chosen if one in tables.all_schools and perk.id in tables.all_schools[one].contains]
    why = ""
    if holding:
        why = _("%(school)sに含まれている") % {"school": parts.school_names(board, tables, holding)}
    return StyleOption(
        field=field,
        name=board.pick(perk.name),
        detail=board.pick(perk.note),
        icon="alert" if perk.drawback else "star",
        points=parts.figure(perk.cost),
        inferred=perk.inferred_in("cost"),
        open=(able and not why) or field.shown != "" or field.invalid,
        why=why,
    )
