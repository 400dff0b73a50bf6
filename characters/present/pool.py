"""The pool panel: who may use how many points, who uses how many, what is asked and offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from characters.forms import pool as pool_forms
from characters.models import Offer, Seat
from characters.selectors import pool as pool_reads
from characters.selectors.access import CampaignAccess

SHADES = ("p1", "p2", "p3", "p4")


@dataclass(frozen=True, slots=True)
class PoolSeat:
    """One row of the legend."""

    pk: int
    name: str
    is_me: bool
    is_player: bool
    key: str  # shade in the bar
    allocation: int
    saved: int
    working: int
    wish: int | None
    wish_note: str
    agreed: bool
    form: forms.Form | None = None

    @property
    def over(self) -> bool:
        return self.is_player and self.working > self.allocation

    @property
    def offer_wish(self) -> bool:
        return self.wish is not None and self.wish != self.allocation


@dataclass(frozen=True, slots=True)
class Piece:
    css: str
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Bar:
    """Rectangles in points: what is used is solid, what is promised and unused pale, the GM's reserve hatched."""

    width: int
    cut: str
    pieces: tuple[Piece, ...]
    cuts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfferRow:
    pk: int
    giver: str
    receiver: str
    points: int
    note: str
    to_me: bool
    from_me: bool
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PoolView:
    """`working` counts drafts in place of saved revisions where they differ."""

    total: int
    override: int | None
    players: int | None  # as the GM set it; None follows the seats
    reserve: int
    working: int
    allocations_on: bool
    allocated: int
    free: int
    seats: tuple[PoolSeat, ...]
    mine: PoolSeat | None
    offers: tuple[OfferRow, ...]
    bar: Bar
    summary: str
    agreement: str

    @property
    def over(self) -> int:
        return max(0, self.working - self.total)

    @property
    def spoken(self) -> str:
        text = _("%(total)s点に対し%(used)s点") % {"total": self.total, "used": self.working}
        return text + _("。%(n)s点超過") % {"n": self.over} if self.over else text

    @property
    def others(self) -> bool:
        return any(not row.is_me for row in self.seats)

    @property
    def allocatable(self) -> tuple[PoolSeat, ...]:
        return tuple(row for row in self.seats if row.form is not None)


def pool_view(access: CampaignAccess, forms_given: Mapping[str, Any]) -> PoolView | None:
    """The pool as this seat sees it; None in games without one."""
    pool = pool_reads.pool_view(access)
    if pool is None:
        return None
    rows = tuple(_rows(access, pool.shares, forms_given))
    return PoolView(
        total=pool.total,
        override=pool.override,
        players=pool.players if pool.players_fixed else None,
        reserve=pool.reserve,
        working=pool.working,
        allocations_on=pool.allocations_on,
        allocated=pool.allocated,
        free=pool.free,
        seats=rows,
        mine=next((row for row in rows if row.is_me and row.is_player), None),
        offers=tuple(_offer(access, offer) for offer in pool.offers),
        bar=_bar(pool, rows),
        summary=_summary(pool),
        agreement=_agreement(rows),
    )


def _rows(
    access: CampaignAccess, shares: Sequence[pool_reads.PoolShare], forms_given: Mapping[str, Any]
) -> list[PoolSeat]:
    rows: list[PoolSeat] = []
    bound = forms_given.get("allocate", {})
    for share in shares:
        seat = share.seat
        is_me = seat.pk == access.seat.pk
        shade = "me" if is_me else SHADES[sum(1 for row in rows if not row.is_me) % len(SHADES)]
        form = bound.get(seat.pk) or allocate_form(seat) if access.is_gm and share.plays else None
        rows.append(
            PoolSeat(
                pk=seat.pk,
                name=seat.name,
                is_me=is_me,
                is_player=share.plays,
                key=shade,
                allocation=seat.allocation,
                saved=share.saved,
                working=share.working,
                wish=seat.wish,
                wish_note=seat.wish_note,
                agreed=seat.agreed,
                form=form,
            )
        )
    return rows


def allocate_form(seat: Seat, data: Any = None) -> pool_forms.AllocateForm:
    """The GM's control for one seat."""
    form = pool_forms.AllocateForm(data, initial={"points": seat.allocation}, auto_id=f"allocate-{seat.pk}-%s")
    form.fields["points"].label = seat.name
    return form


def _bar(pool: pool_reads.PoolView, rows: tuple[PoolSeat, ...]) -> Bar:
    pieces: list[Piece] = []
    edges: list[int] = []
    x = 0
    for row in rows:
        width = max(row.allocation, row.working)
        if not width:
            continue
        if x:
            edges.append(x)
        if row.working:
            pieces.append(Piece(row.key, x, row.working))
        if width > row.working:
            pieces.append(Piece(f"{row.key} pale", x + row.working, width - row.working))
        x += width
    if pool.reserve:
        pieces.append(Piece("kept", x, pool.reserve))
        x += pool.reserve
    width = max(pool.total, x, 1)
    gap = width / 365
    return Bar(width, f"{gap:.2f}", tuple(pieces), tuple(f"{edge - gap / 2:.2f}" for edge in edges))


def _summary(pool: pool_reads.PoolView) -> str:
    parts = []
    if pool.allocations_on:
        parts.append(_("割り当て %(n)s点") % {"n": pool.allocated})
    if pool.reserve:
        parts.append(_("GMの預かり %(n)s点") % {"n": pool.reserve})
    if not pool.allocations_on:
        parts.append(_("割り当てを使わない卓"))
    elif pool.over_allocated:
        parts.append(_("割り当てが%(n)s点多い") % {"n": pool.over_allocated})
    else:
        parts.append(_("残り %(n)s点") % {"n": pool.free})
    if pool.working != pool.spent:
        parts.append(_("保存済み %(n)s点（上の数は書きかけを含む）") % {"n": pool.spent})
    if pool.override is not None:
        parts.append(_("総点はGMが決めた数（表では%(n)s点）") % {"n": pool.by_players})
    elif pool.players_fixed:
        parts.append(_("総点は%(n)s人ぶん") % {"n": pool.players})
    return _("・").join(parts)


def _agreement(rows: tuple[PoolSeat, ...]) -> str:
    """Who agrees to the split: 「3人のうち2人が同意。まだ：灯」."""
    players = [row for row in rows if row.is_player]
    if not players:
        return ""
    waiting = [row.name for row in players if not row.agreed]
    if not waiting:
        return _("この分け方に全員が同意しています。")
    return _("%(all)s人のうち%(yes)s人が同意。まだ：%(names)s") % {
        "all": len(players),
        "yes": len(players) - len(waiting),
        "names": _("、").join(waiting),
    }


def _offer(access: CampaignAccess, offer: Offer) -> OfferRow:
    me = access.seat.pk
    return OfferRow(
        pk=offer.pk,
        giver=offer.giver.name,
        receiver=offer.receiver.name,
        points=offer.points,
        note=offer.note,
        to_me=offer.receiver_id == me,
        from_me=offer.giver_id == me,
        before=offer.receiver.allocation,
        after=offer.receiver.allocation + offer.points,
    )


def pool_forms_for(access: CampaignAccess, pool: PoolView, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every form of the panel: those with errors as they were typed, the others as things stand."""
    mine = pool.mine
    others = [(row.pk, row.name) for row in pool.seats if row.is_player and not row.is_me]
    wish = {"points": mine.wish, "note": mine.wish_note} if mine is not None else {}
    made: dict[str, Any] = {
        "claim": pool_forms.ClaimForm(auto_id="claim-%s"),
        "release": pool_forms.ReleaseForm(auto_id="release-%s"),
        "wish": pool_forms.WishForm(auto_id="wish-%s", initial=wish),
        "offer": pool_forms.OfferForm(auto_id="offer-%s", seats=others),
        "agree": pool_forms.NothingForm(),
        "offer_answer": pool_forms.NothingForm(),
        "offer_withdraw": pool_forms.NothingForm(),
    }
    if access.is_gm:
        start = {"players": pool.players, "total": pool.override}
        made["pool_set"] = pool_forms.PoolSetForm(auto_id="pool-%s", initial=start)
        made["reserve"] = pool_forms.ReserveForm(auto_id="reserve-%s", initial={"points": pool.reserve})
    made.update({name: form for name, form in given.items() if name != "allocate"})
    made["allocate_errors"] = bool(given.get("allocate"))
    return made
