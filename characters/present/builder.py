"""The builder page of any game: pool, problems, open choices, numbers, costs, review; the game adds its panels."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from characters.actions.errors import FieldConflict
from characters.models import Character, Remark
from characters.present.board import Board, Competing, FixView, OpenView, RemarkView, StatView, dom_id, stat
from characters.present.diff import Change, changes
from characters.present.pool import PoolView, pool_view
from characters.present.systems import Around, CostRow, presenter
from characters.present.words import saved_state
from characters.selectors.access import CharacterAccess
from characters.selectors.builder import BuilderData, builder_data
from rulesets import services
from rulesets.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class Trouble:
    """What did not work, for the next drawing of the page. `kept` are texts that are not stored.

    `texts` stand beside the draft (`note`, `reason`, `remark_text`) and wait for their own button; `text_errors` say
    by the same names what was wrong with them.
    """

    alerts: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[FieldConflict, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    text_errors: Mapping[str, str] = field(default_factory=dict)
    told: str = ""
    told_error: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """A text beside the draft: what is typed there, and what was wrong with it."""

    typed: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ProblemRow:
    id: str
    level: str
    message: str
    rule: str
    reason: str
    fixes: tuple[FixView, ...]


@dataclass(frozen=True, slots=True)
class BuilderPage:
    """Everything the templates `characters/builder*.html` show."""

    slug: str
    name: str
    title: str
    meta: str
    campaign_slug: str
    campaign_name: str
    topic: str
    seq: int
    version: int
    command_id: str
    bases: str
    typed_kept: bool
    alerts: tuple[str, ...]
    flagged: bool
    is_gm: bool
    is_npc: bool
    system: Any
    pool: PoolView | None
    pool_left: int
    may_wish: bool
    wish_said: str
    problems: tuple[ProblemRow, ...]
    error_count: int
    open_choices: tuple[OpenView, ...]
    stats: tuple[StatView, ...]
    costs: tuple[CostRow, ...]
    spent: int
    budget: int | None
    over: bool
    status: str
    status_text: str
    changed: tuple[Change, ...]
    general_remarks: tuple[RemarkView, ...]
    remark_choices: tuple[tuple[str, str], ...]
    remark_field: str
    next_number: int
    newest_number: int | str
    save_refused: bool
    ask_refused: bool
    why_not: str
    note: Beside
    reason: Beside
    remark: Beside


def builder_page(
    access: CharacterAccess, trouble: Trouble | None = None, *, show_all: bool = False, remark_field: str = ""
) -> BuilderPage:
    """The page as it is now, with what the last press could not do."""
    trouble = trouble or Trouble()
    data = builder_data(access)
    lang = get_language() or "ja"
    board = _board(data, trouble, lang)
    character, campaign, report = data.character, data.campaign, data.view.report
    game = presenter(campaign.system)
    tables = services.tables(campaign.system, campaign.house_rules)
    around = Around(
        npc=character.kind == Character.Kind.NPC,
        is_gm=data.access.is_gm,
        rolled=data.rolled,
        rolled_steps=data.rolled_steps,
        show_all=show_all,
        told=trouble.told,
        told_error=trouble.told_error,
    )
    system = game.builder(board, around)
    pool = _pool(data)
    budget = data.view.budget
    errors = len(report.errors)
    subtitle = game.subtitle(data.fields, tables, lang)
    name = services.display_name(campaign.system, data.fields) or _("名前はまだない")
    owner = "" if around.npc else _("%(name)sさん") % {"name": character.owner.name}
    return BuilderPage(
        slug=character.slug,
        name=name,
        title=_("%(slip)s　%(name)s") % {"slip": system.slip, "name": name},
        meta=_("・").join(part for part in (subtitle, owner, saved_state(character)) if part),
        campaign_slug=campaign.slug,
        campaign_name=campaign.name,
        topic=data.topic,
        seq=data.seq,
        version=data.version,
        command_id=uuid.uuid4().hex,
        bases=board.bases,
        typed_kept=bool(trouble.kept),
        alerts=trouble.alerts + _lost(board, trouble),
        flagged=bool(character.flagged),
        is_gm=data.access.is_gm,
        is_npc=around.npc,
        system=system,
        pool=pool,
        pool_left=max(0, pool.total - pool.working) if pool else 0,
        may_wish=data.access.is_owner and not around.npc and pool is not None,
        wish_said=_wish_said(data) if pool is not None else "",
        problems=_problems(board, report.problems),
        error_count=errors,
        open_choices=tuple(
            OpenView(board.pick(one.label), board.pick(one.hint), dom_id(one.path), one.waiting)
            for one in report.open_choices
        ),
        stats=_stats(game, data, lang),
        costs=tuple(game.costs(report, data.fields, tables, lang)),
        spent=report.spent,
        budget=budget,
        over=budget is not None and report.spent > budget,
        status=character.status,
        status_text=str(Character.Status(character.status).label),
        changed=_changed(data, lang),
        general_remarks=tuple(_remark(row) for row in data.remarks if not board.holds(row.field)),
        remark_choices=_remark_choices(board) if data.access.is_gm else (),
        remark_field=remark_field,
        next_number=data.next_number,
        newest_number=data.next_number - 1 or "",
        save_refused=bool(errors) and not data.access.is_gm,
        ask_refused=bool(errors),
        why_not=_why_not(data, errors),
        note=_beside(trouble, "note"),
        reason=_beside(trouble, "reason"),
        remark=_beside(trouble, "remark_text"),
    )


def _board(data: BuilderData, trouble: Trouble, lang: str) -> Board:
    by_field: dict[str, list[RemarkView]] = {}
    for row in data.remarks:
        by_field.setdefault(row.field, []).append(_remark(row))
    board = Board(
        slug=data.campaign.system,
        house_rules=data.campaign.house_rules,
        fields=data.fields,
        report=data.view.report,
        lang=lang,
        kept=trouble.kept,
        refused=trouble.refused,
        remarks={key: tuple(rows) for key, rows in by_field.items()},
        confirmed=data.view.context.confirmed,
        cleared=data.cleared.fields if data.cleared is not None else None,
    )
    board.competing = {one.key: _competing(board, one) for one in trouble.conflicts}
    return board


def _competing(board: Board, conflict: FieldConflict) -> Competing:
    def say(value: Any) -> str:
        return board.say(conflict.key, value) if value is not None else _("なし")

    return Competing(theirs=say(conflict.theirs), mine=say(conflict.yours), by=conflict.by, at=_time(conflict.at))


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _remark(row: Remark) -> RemarkView:
    return RemarkView(row.pk, row.text, row.by.name if row.by else _("GM"), row.at)


def _lost(board: Board, trouble: Trouble) -> tuple[str, ...]:
    """Conflicts and refusals of fields the page does not show have no place but the top."""
    found = [message for key, message in trouble.refused.items() if not board.holds(key)]
    for conflict in trouble.conflicts:
        if not board.holds(conflict.key):
            rival = _competing(board, conflict)
            found.append(
                _("%(label)s：自分は「%(mine)s」、いまは「%(theirs)s」")
                % {"label": board.label(conflict.key), "mine": rival.mine, "theirs": rival.theirs}
            )
    return tuple(found)


def _pool(data: BuilderData) -> PoolView | None:
    campaign = data.access.campaign_access
    if campaign is None or data.character.kind != Character.Kind.PC:
        return None
    return pool_view(campaign, {})


def _beside(trouble: Trouble, name: str) -> Beside:
    return Beside(trouble.texts.get(name, ""), trouble.text_errors.get(name, ""))


def _wish_said(data: BuilderData) -> str:
    wish = data.character.owner.wish
    if wish is None or not data.access.is_owner or wish <= data.character.owner.allocation:
        return ""
    return _("%(n)s点を願い出ています。一座の返事を待っています。") % {"n": wish}


def _problems(board: Board, problems: Sequence[Problem]) -> tuple[ProblemRow, ...]:
    rows = []
    seen: dict[str, int] = {}
    for problem in sorted(problems, key=lambda one: one.level != "error"):
        view = board.problem(problem)
        base = f"{problem.code}-{dom_id(problem.path)}"
        seen[base] = seen.get(base, 0) + 1
        unique = base if seen[base] == 1 else f"{base}-{seen[base]}"
        fixes = view.fixes or _way_there(board, problem)
        rows.append(ProblemRow(unique, problem.level, view.message, view.rule.lstrip("§"), view.reason, fixes))
    return tuple(rows)


def _way_there(board: Board, problem: Problem) -> tuple[FixView, ...]:
    """A problem without a repair at least leads to its field."""
    if problem.level != "error" or not board.holds(problem.path):
        return ()
    return (FixView(label=_("欄へ移動"), kind="goto", target=dom_id(problem.path)),)


def _stats(game: Any, data: BuilderData, lang: str) -> tuple[StatView, ...]:
    derived = data.view.report.derived
    rows = []
    for key in game.stat_keys(data.view.report):
        plain = key.lstrip("+")
        if plain in derived:
            rows.append(stat(derived[plain], lang, plus=key.startswith("+")))
    return tuple(replace(row, rule=row.rule.lstrip("§")) for row in rows)


def _changed(data: BuilderData, lang: str) -> tuple[Change, ...]:
    if data.cleared is None:
        return ()
    found = changes(data.character, data.cleared.fields, data.fields, lang)
    none = _("なし")
    return tuple(replace(one, before=one.before or none, after=one.after or none) for one in found)


def _remark_choices(board: Board) -> tuple[tuple[str, str], ...]:
    return tuple((key, board.label(key)) for key in board.shown_keys)


def _why_not(data: BuilderData, errors: int) -> str:
    if not errors:
        if data.access.is_gm:
            return ""
        return _("規則に合っています。出すと版として保存され、GMに知らせが届きます。")
    if data.access.is_gm:
        return _("直すところがある版は、理由を書けば認められます。理由は版とともにみんなに見えます。")
    text = ngettext(
        "直すところが%(n)sつあるため、まだ出せません。下書きはいつでも保存されています。",
        "直すところが%(n)sつあるため、まだ出せません。下書きはいつでも保存されています。",
        errors,
    )
    return text % {"n": errors}
