"""Build points as they are saved: the sums that checks and the pool's own page lean on."""

from __future__ import annotations

from django.db.models import QuerySet, Sum

from characters.models import Campaign, Character

# Where a game's house rules say whether points are promised to players one by one (rules/edo.md §3.2).
ALLOCATIONS_KEY = "allocations"


def allocations_on(campaign: Campaign) -> bool:
    """Whether a character may spend no more than its player's allocation (house rule; on by default)."""
    return bool(campaign.house_rules.get(ALLOCATIONS_KEY, True))


def spent_by_seat(campaign: Campaign) -> dict[int, int]:
    """Seat pk -> points of that seat's saved PCs."""
    rows = pcs(campaign).values("owner").annotate(n=Sum("spent")).values_list("owner", "n")
    return dict(rows)


def pcs(campaign: Campaign) -> QuerySet[Character]:
    """The PCs that count: not put away."""
    return Character.objects.filter(campaign=campaign, kind=Character.Kind.PC, deleted_at=None).order_by()
