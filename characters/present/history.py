"""The pages of a character's versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.models import Revision
from characters.present.diff import Change, changes, numbers
from characters.present.sheet import SheetParts, sheet_parts
from characters.present.systems import presenter
from characters.present.words import points
from characters.selectors.access import CharacterAccess
from characters.selectors.builds import (
    BuildView,
    check_fields,
    draft_view,
    revision_view,
    sheet_view,
    shown_fields,
)
from characters.selectors.history import backups, history
from rulesets import services

DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class VersionRow:
    number: int
    title: str
    at: datetime
    by: str
    points: str
    note: str
    override_reason: str
    newest: bool
    cleared: bool


@dataclass(frozen=True, slots=True)
class BackupRow:
    pk: int
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class HistoryPage:
    slug: str
    name: str
    meta: str
    slip: str
    campaign_slug: str
    campaign_name: str
    rows: tuple[VersionRow, ...]
    choices: tuple[tuple[str, str], ...]
    a: str
    b: str
    compare_title: str
    changes: tuple[Change, ...]
    numbers: tuple[Change, ...]
    backups: tuple[BackupRow, ...]


@dataclass(frozen=True, slots=True)
class RevisionPage:
    slug: str
    name: str
    title: str
    meta: str
    note: str
    slip: str
    campaign_slug: str
    campaign_name: str
    number: int
    number_text: str
    override_reason: str
    may_edit: bool
    system: Any
    costs: tuple[Any, ...]
    spent: int
    budget: int | None
    compare_title: str
    changes: tuple[Change, ...]


def history_page(access: CharacterAccess, a: str, b: str) -> HistoryPage:
    """The list, and the difference between `a` and `b` (numbers or `draft`); other words mean the newest two."""
    lang = get_language() or "ja"
    character = access.character
    lines = history(access)
    system = access.campaign.system
    rows = tuple(_row(system, line.revision, line.is_newest, line.is_cleared) for line in lines)
    choices = [(str(row.number), row.title) for row in rows]
    if access.may_edit:
        choices.insert(0, (DRAFT, _("下書き")))
    known = [value for value, _title in choices]
    b = b if b in known else (known[0] if known else "")
    a = a if a in known else (known[known.index(b) + 1] if b and known.index(b) + 1 < len(known) else "")
    before, after = _side(access, a), _side(access, b)
    names = dict(choices)
    title = _("%(a)s → %(b)s") % {"a": names.get(a, _("はじめ")), "b": names.get(b, "—")}
    empty = check_fields(character, {})
    return HistoryPage(
        slug=character.slug,
        name=services.display_name(access.campaign.system, sheet_view(access).fields) or _("名前はまだない"),
        meta=_("版は%(n)sつ") % {"n": len(rows)},
        slip=_(presenter(access.campaign.system).SLIP),
        campaign_slug=access.campaign.slug,
        campaign_name=access.campaign.name,
        rows=rows,
        choices=tuple(choices),
        a=a,
        b=b,
        compare_title=title,
        changes=changes(character, before.fields if before else {}, after.fields if after else {}, lang),
        numbers=numbers(before.report if before else empty, after.report if after else empty, lang, _("役作り点")),
        backups=tuple(
            BackupRow(one.pk, _because(one.reason), one.by.name if one.by else "—", one.at) for one in backups(access)
        ),
    )


def revision_page(access: CharacterAccess, number: int) -> RevisionPage | None:
    """One version as a sheet, with what it changed against the one before; None when there is none."""
    view = revision_view(access, number)
    revision = access.character.revisions.select_related("made_by").filter(number=number).first()
    if view is None or revision is None:
        return None
    lang = get_language() or "ja"
    before = access.character.revisions.filter(number__lt=number).order_by("-number").first()
    parts: SheetParts = sheet_parts(access, view, lang)
    row = _row(access.campaign.system, revision, newest=False, cleared=False)
    title = _("第%(n)s版") % {"n": number}
    return RevisionPage(
        slug=access.character.slug,
        name=parts.name,
        title=_("%(name)s　%(version)s") % {"name": parts.name, "version": title},
        meta=_("・").join(part for part in (row.by, row.points) if part),
        note=revision.note,
        slip=parts.system.slip,
        campaign_slug=access.campaign.slug,
        campaign_name=access.campaign.name,
        number=number,
        number_text=title,
        override_reason=revision.override_reason,
        may_edit=access.may_edit,
        system=parts.system,
        costs=parts.costs,
        spent=parts.spent,
        budget=None,
        compare_title=_("第%(n)s版との違い") % {"n": before.number} if before else _("この版で決めたこと"),
        changes=changes(access.character, shown_fields(access, before.fields) if before else {}, view.fields, lang),
    )


def _side(access: CharacterAccess, which: str) -> BuildView | None:
    if which == DRAFT:
        return draft_view(access) if access.may_edit else None
    return revision_view(access, int(which)) if which else None


def _row(system: str, revision: Revision, newest: bool, cleared: bool) -> VersionRow:
    return VersionRow(
        number=revision.number,
        title=_("第%(n)s版") % {"n": revision.number},
        at=revision.made_at,
        by=revision.made_by.name if revision.made_by else "—",
        points=points(system, revision.spent),
        note=revision.note,
        override_reason=revision.override_reason,
        newest=newest,
        cleared=cleared,
    )


def _because(reason: str) -> str:
    words = {"restore": _("版に戻す前"), "import": _("取り込む前"), "replace": _("置き換える前")}
    return words.get(reason, _("置き換える前"))
