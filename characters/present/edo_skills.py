"""The skill table of the Edo builder: every skill, further lines for specialities, prices of the next step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present import edo_parts as parts
from characters.present.board import Board, FieldView, as_json, signed
from characters.present.edo_step import Step, WordList, make_step
from characters.present.systems import Around


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A line of the skill table. `extra` rows (a second speciality) can be taken away whole by `remove`."""

    id: str
    skill: str
    name: str
    note: str
    find: str
    step: Step
    speciality: FieldView | None
    placeholder: str
    base: str
    base_field: FieldView | None
    base_default: str
    base_options: tuple[tuple[str, str], ...]
    effective: str
    points: str
    next: str
    taken: bool
    bad: bool
    extra: bool
    remove: str


@dataclass(frozen=True, slots=True)
class SkillGroup:
    id: str
    name: str
    rows: tuple[SkillRow, ...]


@dataclass(frozen=True, slots=True)
class SkillPanel:
    groups: tuple[SkillGroup, ...]
    lists: tuple[WordList, ...]
    taken: int
    total: int
    points: int
    inferred: bool
    show_all: bool


def skill_panel(board: Board, around: Around, tables: Any) -> SkillPanel:
    groups = []
    taken = 0
    for group in tables.skill_groups.values():
        rows: list[SkillRow] = []
        for skill in tables.skills.values():
            if skill.group == group.id:
                rows += [_skill_row(board, tables, skill, row) for row in parts.rows_of(board.fields, skill)]
        taken += sum(1 for row in rows if row.taken)
        groups.append(SkillGroup(group.id, board.pick(group.text), tuple(rows)))
    return SkillPanel(
        groups=tuple(groups),
        lists=tuple(_speciality_lists(board, tables)),
        taken=taken,
        total=len(tables.skills),
        points=parts.spent_on(board.report, "skills"),
        inferred=tables.rules.inferred_in("skill_cost"),
        show_all=around.show_all or taken == 0,
    )


def _skill_row(board: Board, tables: Any, skill: Any, row: str) -> SkillRow:
    key = f"skills.{row}"
    extra = "~" in row
    level = board.number(f"{key}.level")
    taken = any(f"{key}.{part}" in board.fields for part in ("level", "speciality", "base"))
    speciality = board.field(f"{key}.speciality", also=(key,)) if extra and skill.many else None
    level_field = board.field(f"{key}.level", also=() if speciality else (key,))
    cost, top = tables.skill_cost, tables.rule.skill_level_max
    up, down = parts.neighbours(level, 1, top)
    base_field = board.field(f"{key}.base") if skill.base_by_gm and taken else None
    effective = parts.effective(board.report, row)
    name = board.pick(skill.name)
    return SkillRow(
        id=row.replace("~", "_"),
        skill=skill.id,
        name=name,
        note=_skill_note(board, skill, level),
        find=" ".join((name, skill.kana, *skill.aliases, *skill.search, skill.name.en)),
        step=make_step(level_field, 1, top, name, up=up, down=down, optional=True),
        speciality=speciality,
        placeholder=_("種類を書く（例：%(example)s）") % {"example": parts.example(tables, skill.id, board.lang)},
        base=parts.base_text(board, tables, skill, row),
        base_field=base_field,
        base_default=_("基本はGMに任せる"),
        base_options=tuple(
            (one.id, _("基本は%(name)s") % {"name": board.pick(one.name)}) for one in tables.abilities.values()
        ),
        effective=str(effective.value) if effective and level else parts.untrained(board, tables, skill),
        points=str(cost[level]) if level in cost else "",
        next=_("次 %(price)s") % {"price": signed(cost[up] - cost.get(level, 0))}
        if up in cost and (level is None or level in cost)
        else "",
        taken=taken,
        bad=_bad(level_field, speciality, base_field),
        extra=extra and taken,
        remove=as_json({f"{key}.{part}": None for part in ("level", "speciality", "base")}),
    )


def _bad(*fields: FieldView | None) -> bool:
    return any(field is not None and field.invalid for field in fields)


def _skill_note(board: Board, skill: Any, level: int | None) -> str:
    note = board.pick(skill.note)
    if skill.id == "taisabaki" and level:
        return _("回避値に%(n)s") % {"n": signed(level)}
    return note


def _speciality_lists(board: Board, tables: Any) -> Iterator[WordList]:
    for skill in tables.skills.values():
        if skill.many:
            words = tuple(board.pick(one.name) for one in tables.specialities.values() if one.skill == skill.id)
            yield WordList(skill.id, words)
