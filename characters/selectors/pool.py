"""The party's points as the table sees them: who has what, what is free, what is offered, the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from characters.models import Campaign, Character, Offer, Pool, PoolEntry, Role, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess
from rulesets import services

# Where a game's house rules say whether points are promised to players one by one (rules/edo.md §3.2).
ALLOCATIONS_KEY = "allocations"


@dataclass(frozen=True, slots=True)
class PoolShare:
    """One player's part. `spent` counts saved revisions, `drafted` the drafts as they stand."""

    seat: Seat
    allocation: int
    spent: int
    drafted: int

    @property
    def left(self) -> int:
        """Allocated and not spent; negative when overspent."""
        return self.allocation - self.spent

    @property
    def over(self) -> int:
        """Points the saved characters are above the allocation."""
        return max(0, self.spent - self.allocation)


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
    allocations_on: bool
    shares: tuple[PoolShare, ...]
    offers: tuple[Offer, ...]  # open ones

    @property
    def free(self) -> int:
        """Points players may take now."""
        return max(0, self.total - self.allocated - self.reserve)

    @property
    def over_allocated(self) -> int:
        return max(0, self.allocated - self.total)

    @property
    def over(self) -> int:
        """Points saved characters are above the total (after a cut or a new price)."""
        return max(0, self.spent - self.total)

    @property
    def drafted(self) -> int:
        """What would be spent if every draft were saved as it stands."""
        return sum(share.drafted for share in self.shares)

    @property
    def all_agreed(self) -> bool:
        return bool(self.shares) and all(share.seat.agreed for share in self.shares)

    def share_of(self, seat: Seat) -> PoolShare | None:
        return next((share for share in self.shares if share.seat.pk == seat.pk), None)


def pool_view(access: CampaignAccess) -> PoolView | None:
    """The pool of a campaign; None when its game has none."""
    campaign = access.campaign
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return None
    seats = list(Seat.objects.filter(campaign=campaign, role=Role.PLAYER, removed_at=None))
    players = pool.players if pool.players is not None else len(seats)
    by_players = services.pool_total(campaign.system, players, campaign.house_rules) if players else 0
    spent, drafted = spent_by_seat(campaign), drafted_by_seat(campaign)
    return PoolView(
        total=pool.total,
        override=pool.override,
        by_players=by_players or 0,
        players=players,
        players_fixed=pool.players is not None,
        reserve=pool.reserve,
        allocated=pool.allocated,
        spent=pool.spent,
        allocations_on=allocations_on(campaign),
        shares=tuple(
            PoolShare(seat, seat.allocation, spent.get(seat.pk, 0), drafted.get(seat.pk, 0)) for seat in seats
        ),
        offers=tuple(campaign.offers.filter(state=Offer.State.OPEN).select_related("giver", "receiver").order_by("pk")),
    )


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


def allocations_on(campaign: Campaign) -> bool:
    """Whether a character may spend no more than its player's allocation (house rule; on by default)."""
    return bool(campaign.house_rules.get(ALLOCATIONS_KEY, True))


def spent_by_seat(campaign: Campaign) -> dict[int, int]:
    """Seat pk -> points of that seat's saved PCs."""
    rows = pcs(campaign).values("owner").annotate(n=Sum("spent")).values_list("owner", "n")
    return dict(rows)


def drafted_by_seat(campaign: Campaign) -> dict[int, int]:
    """Seat pk -> points of that seat's PCs as their drafts stand."""
    rows = pcs(campaign).values("owner").annotate(n=Sum("draft__spent")).values_list("owner", "n")
    return {seat: n or 0 for seat, n in rows}


def pcs(campaign: Campaign) -> QuerySet[Character]:
    """The PCs that count: not put away."""
    return Character.objects.filter(campaign=campaign, kind=Character.Kind.PC, deleted_at=None).order_by()
