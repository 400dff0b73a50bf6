"""The ledger: every shift of points in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from characters.models import PoolEntry
from characters.present.board import signed
from characters.selectors import pool as pool_reads
from characters.selectors.access import CampaignAccess

PAGE = 50


@dataclass(frozen=True, slots=True)
class LedgerRow:
    pk: int
    at: datetime
    kind: str
    who: str
    other: str
    delta: str
    after: int
    by: str
    note: str


@dataclass(frozen=True, slots=True)
class LedgerView:
    rows: tuple[LedgerRow, ...]
    older: int | None
    first_page: bool


def ledger_view(access: CampaignAccess, before: int | None) -> LedgerView:
    """One page of the ledger, newest first; `older` leads to the next."""
    found = pool_reads.ledger(access, limit=PAGE + 1, before=before)
    rows = tuple(_row(entry) for entry in found[:PAGE])
    return LedgerView(rows, rows[-1].pk if len(found) > PAGE else None, before is None)


def _row(entry: PoolEntry) -> LedgerRow:
    note = entry.note
    if entry.kind == PoolEntry.Kind.POOL:  # the action notes why the total changed
        causes = {"gm": _("GMが決めた"), "players": _("人数が変わった"), "rules": _("決めごとが変わった")}
        note = causes.get(note, note)
    return LedgerRow(
        pk=entry.pk,
        at=entry.at,
        kind=str(entry.get_kind_display()),
        who=entry.seat.name if entry.seat is not None else "",
        other=entry.other.name if entry.other is not None else "",
        delta=signed(entry.delta),
        after=entry.after,
        by=entry.by.name if entry.by is not None and entry.by_id != entry.seat_id else "",
        note=entry.character.name if entry.character is not None else note,
    )
