"""The builder's panels of 八百八町浮世草子. Skills, style and the person have files of their own beside this one.

Numbers come from the report and the tables; nothing here decides whether something is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present import edo_parts as parts
from characters.present.board import Board, FieldView
from characters.present.edo_person import NamesPanel, PossessionPanel, names_panel, possession_panel
from characters.present.edo_skills import SkillPanel, skill_panel
from characters.present.edo_step import Step, make_step
from characters.present.edo_style import StylePanel, style_panel
from characters.present.systems import Around, Phase


@dataclass(frozen=True, slots=True)
class RoleOption:
    id: str
    name: str
    detail: str
    points: int
    inferred: bool


@dataclass(frozen=True, slots=True)
class RolePanel:
    field: FieldView
    options: tuple[RoleOption, ...]
    points: int


@dataclass(frozen=True, slots=True)
class AbilityRow:
    id: str
    name: str
    gloss: str
    step: Step
    points: int | str
    up_text: str
    up_cost: str
    down_text: str
    down_cost: str


@dataclass(frozen=True, slots=True)
class AbilityPanel:
    rows: tuple[AbilityRow, ...]
    points: int
    inferred: bool


@dataclass(frozen=True, slots=True)
class EndurancePanel:
    step: Step
    text: str
    points: int


@dataclass(frozen=True, slots=True)
class EdoBuilder:
    slip: str
    template: str
    phases: tuple[Phase, ...]
    role: RolePanel
    abilities: AbilityPanel
    skills: SkillPanel
    style: StylePanel
    endurance: EndurancePanel
    names: NamesPanel
    possessions: PossessionPanel


def edo_builder(board: Board, around: Around, tables: Any, slip: str) -> EdoBuilder:
    """Everything `templates/edo/builder.html` shows."""
    return EdoBuilder(
        slip=slip,
        template="edo/builder.html",
        role=_role(board, around, tables),
        abilities=_abilities(board, around, tables),
        skills=skill_panel(board, around, tables),
        style=style_panel(board, tables),
        endurance=_endurance(board, tables),
        names=names_panel(board, tables),
        possessions=possession_panel(board, around, tables),
        phases=_phases(board),
    )


# ---------------------------------------------------------------- role, abilities, endurance


def _role(board: Board, around: Around, tables: Any) -> RolePanel:
    field = board.field("role")
    options = []
    for role in tables.roles.values():
        if role.npc_only and not around.npc:
            continue
        kp = _("活劇点 %(n)s／限度%(m)s") % {"n": role.kp_initial, "m": role.kp_limit}
        detail = board.pick(role.note) if role.npc_only else _("・").join((kp, board.pick(role.note)))
        options.append(RoleOption(role.id, board.pick(role.name), detail, role.cost, role.inferred_in("cost")))
    return RolePanel(field, tuple(options), parts.spent_on(board.report, "role"))


def _abilities(board: Board, around: Around, tables: Any) -> AbilityPanel:
    low, high = tables.ability_range("npc" if around.npc else "pc")
    rows = []
    for ability in tables.abilities.values():
        key, name = f"abilities.{ability.id}", board.pick(ability.name)
        now = board.number(key)
        cost = tables.ability_cost
        up, down = parts.neighbours(now, low, high)
        rows.append(
            AbilityRow(
                id=ability.id,
                name=name,
                gloss=board.pick(ability.note),
                step=make_step(board.field(key), low, high, name, up=up, down=down),
                points=cost.get(now, "—"),
                up_text=_("%(n)sにすると") % {"n": up} if up is not None else "",
                up_cost=parts.price(cost, now, up),
                down_text=_("%(n)sにすると") % {"n": down} if down is not None else "",
                down_cost=parts.price(cost, now, down),
            )
        )
    guess = any(tables.ability_cost.inferred_at(value) for value in tables.ability_cost)
    return AbilityPanel(tuple(rows), parts.spent_on(board.report, "abilities"), guess)


def _endurance(board: Board, tables: Any) -> EndurancePanel:
    body = board.number("abilities.body")
    bought = board.number("endurance_bought")
    top = body if body is not None and body > 0 else tables.ability_cost.last
    up, down = parts.neighbours(bought if bought is not None else 0, 0, top)
    field = board.field("endurance_bought", empty="0")
    step = make_step(field, 0, top, _("耐久点"), up=up, down=down)
    each = tables.rule.endurance_cost
    text = _("体%(body)s ＋ 買い足し %(bought)s（1点につき%(each)s点・最大%(top)s）") % {
        "body": body if body is not None else "—",
        "bought": bought or 0,
        "each": each,
        "top": top,
    }
    return EndurancePanel(step, text, parts.spent_on(board.report, "endurance"))


# ---------------------------------------------------------------- where one is


_PHASES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("role", "b-role", ("role",)),
    ("abilities", "b-abilities", ("abilities.",)),
    ("skills", "skills", ("skills.", "skills")),
    ("style", "b-style", ("style", "schools.", "perks.", "schools", "perks")),
    ("endurance", "b-endurance", ("endurance",)),
    ("names", "b-names", ("names", "status", "occupation")),
    ("possessions", "b-possessions", ("possessions", "money")),
)


def _phases(board: Board) -> tuple[Phase, ...]:
    names = {
        "role": _("役格"),
        "abilities": _("能力値"),
        "skills": _("技能"),
        "style": _("流派"),
        "endurance": _("耐久点"),
        "names": _("名と身分"),
        "possessions": _("持ち物"),
    }
    found: list[Phase] = []
    now_found = False
    for key, target, prefixes in _PHASES:
        done = _done(board, prefixes, optional=key in ("style", "endurance"), after=now_found)
        state = "done" if done else ""
        if not done and not now_found:
            state, now_found = "now", True
        found.append(Phase(names[key], target, state))
    return tuple(found)


def _done(board: Board, prefixes: tuple[str, ...], *, optional: bool, after: bool) -> bool:
    """Something is chosen (or nothing has to be) and nothing is wrong or open for the player there.

    A part that may stay empty counts as done only once everything before it is.
    """
    problems = any(problem.path.startswith(prefixes) for problem in board.report.errors if problem.path)
    waiting = any(
        choice.path.startswith(prefixes) and choice.waiting == "owner" for choice in board.report.open_choices
    )
    holds = any(key.startswith(prefixes) for key, value in board.fields.items() if value not in (None, 0))
    return not problems and not waiting and (holds or (optional and not after))
