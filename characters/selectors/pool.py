"""The party's points as the table sees them: who has what, what is free, what is offered, the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from characters.models import Offer, Pool, PoolEntry, Role, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess
from characters.selectors.builds import draft_differs
from characters.selectors.campaign import seats_of
from characters.selectors.points import allocations_on, pcs
from rulesets import services


@dataclass(frozen=True, slots=True)
class PoolShare:
    """One seat's part: points its PCs have `saved`, and `working` with drafts in place of revisions they differ from.

    Of characters the reader may not see only the saved points count, which the pool makes public anyway.
    """

    seat: Seat
    saved: int = 0
    working: int = 0

    @property
    def allocation(self) -> int:
        return self.seat.allocation

    @property
    def plays(self) -> bool:
        return self.seat.role == Role.PLAYER


@dataclass(frozen=True, slots=True)
class PoolView:
    """The whole pool at one moment."""

    total: int
    override: int | None
    by_players: int  # what the rules give for `players`
    players: int  # the number the total follows
    players_fixed: bool  # the GM set that number
    reserve: int
    allocated: int
    spent: int
    working: int  # what would be spent if every draft were saved as it stands
    allocations_on: bool
    shares: tuple[PoolShare, ...]  # of players, and of whoever else here holds points
    offers: tuple[Offer, ...]  # open ones

    @property
    def free(self) -> int:
        """Points players may take now."""
        return max(0, self.total - self.allocated - self.reserve)

    @property
    def over_allocated(self) -> int:
        return max(0, self.allocated - self.total)


def pool_view(access: CampaignAccess) -> PoolView | None:
    """The pool of a campaign; None when its game has none."""
    campaign = access.campaign
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return None
    saved, working = _points(access)
    shares = tuple(_shares(access, saved, working))
    players = pool.players if pool.players is not None else sum(share.plays for share in shares)
    by_players = services.pool_total(campaign.system, players, campaign.house_rules) if players else 0
    return PoolView(
        total=pool.total,
        override=pool.override,
        by_players=by_players or 0,
        players=players,
        players_fixed=pool.players is not None,
        reserve=pool.reserve,
        allocated=pool.allocated,
        spent=pool.spent,
        working=sum(working.values()),
        allocations_on=allocations_on(campaign),
        shares=shares,
        offers=tuple(campaign.offers.filter(state=Offer.State.OPEN).select_related("giver", "receiver").order_by("pk")),
    )


def _points(access: CampaignAccess) -> tuple[dict[int, int], dict[int, int]]:
    """Seat pk -> saved and working points of its PCs, also of seats nobody holds any more."""
    saved: dict[int, int] = {}
    working: dict[int, int] = {}
    for row in pcs(access.campaign).select_related("revision", "draft", "owner"):
        seen = CharacterAccess(row, access.seat).may_see
        shown = row.draft.spent if seen and draft_differs(row) else row.spent
        saved[row.owner_id] = saved.get(row.owner_id, 0) + row.spent
        working[row.owner_id] = working.get(row.owner_id, 0) + shown
    return saved, working


def _shares(access: CampaignAccess, saved: Mapping[int, int], working: Mapping[int, int]) -> Iterator[PoolShare]:
    for seat in seats_of(access):
        share = PoolShare(seat, saved.get(seat.pk, 0), working.get(seat.pk, 0))
        if share.plays or share.allocation or share.working:
            yield share


def ledger(access: CampaignAccess, *, limit: int = 100, before: int | None = None) -> list[PoolEntry]:
    """The newest shifts first; `before` is the pk of the oldest one already shown.

    `character` is None where the reader may not see it.
    """
    rows = access.campaign.pool_entries.select_related("seat", "other", "by", "character", "character__owner")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[:limit])
    for row in found:
        if row.character is not None and not CharacterAccess(row.character, access.seat).may_see:
            row.character = None
    return found
