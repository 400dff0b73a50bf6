"""What the pages of 八百八町浮世草子 show. The panels are in `edo_builder.py` and `edo_sheet.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from characters.present import edo_parts as parts
from characters.present.board import Board
from characters.present.edo_builder import EdoBuilder, edo_builder
from characters.present.edo_sheet import EdoSheet, edo_sheet
from characters.present.systems import Around, CostRow, PresetRow
from rulesets import services
from rulesets.engine.problems import CostLine, Report, Value
from rulesets.protocol import Preset

SLIP = gettext_noop("人別帳")

_ORDER = (
    "role",
    "abilities",
    "skills",
    "style_skill",
    "style_name",
    "schools",
    "perks",
    "endurance_bought",
    "names",
    "status",
    "occupation",
    "possessions",
    "money_dice",
)


def builder(board: Board, around: Around) -> EdoBuilder:
    return edo_builder(board, around, services.tables(board.slug, board.house_rules), _(SLIP))


def sheet(board: Board, around: Around) -> EdoSheet:
    return edo_sheet(board, around, services.tables(board.slug, board.house_rules), _(SLIP))


def subtitle(fields: Mapping[str, Value], tables: Any, lang: str) -> str:
    """`準主役・目明し・町人`."""
    role = tables.roles.get(str(fields.get("role") or ""))
    job = parts.occupation(fields, tables)
    status = parts.status(fields, tables)
    found = [
        role.name.pick(lang) if role else "",
        job.name.pick(lang) if job else str(fields.get("occupation") or ""),
        status.name.pick(lang) if status else str(fields.get("status") or ""),
    ]
    return _("・").join(word for word in found if word)


def costs(report: Report, fields: Mapping[str, Value], tables: Any, lang: str) -> Sequence[CostRow]:
    """One row for each kind of thing bought, with its summands where that helps."""
    groups: dict[str, list[CostLine]] = {}
    for line in report.costs:
        groups.setdefault(line.group, []).append(line)
    bought = parts.bought(fields)
    return [_cost_row(group, lines, bought, tables, lang) for group, lines in groups.items()]


def _cost_row(group: str, lines: Sequence[CostLine], bought: int, tables: Any, lang: str) -> CostRow:
    label = tables.labels[group].text.pick(lang) if group in tables.labels else lines[0].label.pick(lang)
    points = sum(line.points for line in lines)
    if group == "abilities":
        detail = _("＋").join(str(line.points) for line in lines)
    elif group == "skills":
        detail = str(len(lines))
    elif group == "endurance":
        detail = f"{bought}×{tables.rule.endurance_cost}"
    else:
        detail = _("・").join(line.label.pick(lang) for line in lines)
    # A whole table of guesses is marked at its panel; here only single things are.
    guess = any(line.inferred for line in lines) and group not in ("abilities", "skills")
    return CostRow(label, detail, points, guess)


def stat_keys(report: Report) -> Sequence[str]:
    """The main values, what armour makes of evasion, and a line for each weapon."""
    main = ["endurance_max", "evasion", "kp_initial", "+extra_damage", "move", "stone_range"]
    armoured = [key for key in report.derived if key.startswith("evasion@")]
    weapons = [key for key, value in report.derived.items() if value.group == "weapon"]
    return [*main, *armoured, *weapons]


def order(key: str, tables: Any) -> tuple[Any, ...]:
    head, _dot, rest = key.partition(".")
    place = _ORDER.index(head) if head in _ORDER else len(_ORDER)
    if head == "skills":
        row, _dot, part = rest.partition(".")
        skill, _tilde, number = row.partition("~")
        skills = list(tables.skills)
        at = skills.index(skill) if skill in skills else len(skills)
        return place, at, int(number) if number.isdecimal() else 0, part != "level", part
    known = {"abilities": tables.abilities, "names": tables.name_parts}.get(head)
    if known is not None and rest in known:
        return place, list(known).index(rest), 0, False, ""
    if head in ("possessions", "money_dice"):
        number, _dot, part = rest.partition(".")
        return place, int(number) if number.isdecimal() else 0, 0, False, part
    return place, 0, 0, False, rest


def named(fields: Mapping[str, Value], name: str) -> Mapping[str, Value]:
    """One name of one's own takes the place of every other part of the name."""
    gone: dict[str, Value] = {f"names.{part}": None for part in ("family", "office", "stage")}
    return {key: value for key, value in gone.items() if key in fields} | {"names.given": name}


def preset(preset: Preset, report: Report, tables: Any, lang: str) -> PresetRow:
    fields = preset.fields
    role = tables.roles.get(str(fields.get("role") or ""))
    abilities = [
        parts.with_number(one.name.pick(lang), str(fields.get(f"abilities.{one.id}", "—")))
        for one in tables.abilities.values()
    ]
    skills = []
    for row in parts.skill_rows(fields):
        derived = parts.effective(report, row)
        if derived is not None:
            level = fields.get(f"skills.{row}.level", "")
            skills.append(parts.with_number(derived.label.pick(lang), str(level)))
    mook = role is not None and role.npc_only
    return PresetRow(
        id=preset.id,
        name=preset.name.pick(lang),
        icon="users" if mook else "sheet",
        role=role.name.pick(lang) if role else "",
        abilities=_("　").join(abilities),
        skills=_("・").join(skills),
        note=preset.note.pick(lang),
        points=report.spent,
        count=preset.typical_count,
    )
