"""The group's sheets side by side: who is best at what, and what nobody can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from characters.models import Character, Draft
from characters.present import compare
from characters.present.words import points
from characters.selectors import campaign as reads
from characters.selectors.access import CampaignAccess, CharacterAccess, characters_in
from characters.selectors.builds import BuildView


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    best: bool


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    cells: tuple[Cell, ...]
    inferred: bool


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A character: `sub` is rank and points, `note` says when it is no saved sheet."""

    name: str
    url: str
    sub: str
    note: str


@dataclass(frozen=True, slots=True)
class Away:
    """A character put away, for its owner and the GMs."""

    name: str
    owner: str
    slug: str
    url: str


@dataclass(frozen=True, slots=True)
class SheetsView:
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    lacking: str
    away: tuple[Away, ...]
    mine_url: str
    may_make: bool

    @property
    def span(self) -> int:
        return len(self.columns) + 1


Sheet = tuple[CharacterAccess, Draft | None]


def sheets_view(access: CampaignAccess, sheets: Sequence[Sheet], lang: str) -> SheetsView:
    """The player characters this seat may see, as columns: saved sheets, or drafts as long as nothing was saved."""
    pcs = [(item, draft) for item, draft in sheets if item.character.kind == Character.Kind.PC]
    campaign = access.campaign
    game = game_of(campaign.system)
    views = [reads.shown_sheet(item, draft) for item, draft in pcs]
    found = game.compare(views, campaign.house_rules, lang) if game is not None else compare.plain(views, lang)
    mine = next((item for item, _draft in pcs if item.is_owner), None)
    return SheetsView(
        columns=tuple(_column(item, draft, view, game, lang) for (item, draft), view in zip(pcs, views, strict=True)),
        groups=_groups(found) if views else (),
        lacking=_("、").join(found.lacking),
        away=tuple(_away(item) for item in characters_in(access, put_away=True)),
        mine_url=reverse("character_edit", args=[mine.character.slug]) if mine is not None and mine.may_edit else "",
        may_make=access.is_player,
    )


def game_of(system: str) -> Any:
    """What a game says about comparing its characters; None when it has nothing special."""
    name = f"characters.present.{system}_compare"
    return import_module(name) if find_spec(name) is not None else None


def _column(item: CharacterAccess, draft: Draft | None, view: BuildView, game: Any, lang: str) -> Column:
    character = item.character
    rank = game.rank(view, lang) if game is not None else ""
    note = ""
    if character.revision is None:
        note = _("下書き")
    elif (item.is_owner or item.is_gm) and reads.draft_differs(character, draft):
        note = _("書き直し中")
    return Column(
        name=character.name or _("名前はまだ"),
        url=reverse("character", args=[character.slug]),
        sub=_("・").join(part for part in (rank, points(character.campaign.system, view.report.spent)) if part),
        note=note,
    )


def _away(item: CharacterAccess) -> Away:
    character = item.character
    return Away(
        name=character.name or _("名前はまだ"),
        owner=character.owner.name,
        slug=character.slug,
        url=reverse("character", args=[character.slug]),
    )


def _groups(found: compare.Comparison) -> tuple[Group, ...]:
    return tuple(
        Group(title, tuple(_row(line) for line in lines))
        for title, lines in groupby(found.lines, key=lambda line: line.group)
    )


def _row(line: compare.Line) -> Row:
    best = line.best
    cells = (
        Cell("—", False) if value is None else Cell(value.text, best is not None and value.order == best)
        for value in line.values
    )
    return Row(line.label, tuple(cells), line.inferred)
