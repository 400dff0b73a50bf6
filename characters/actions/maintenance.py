"""Bringing what is derived level with the truth: rows from revisions, sums from characters and seats."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Sum

from characters.actions import rows
from characters.models import Campaign, Character, Pool, Seat
from characters.selectors.builds import check_revision
from characters.selectors.points import pcs
from live import topics

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drift:
    """Something that was not what it is derived from."""

    campaign: str
    what: str  # `rows:<character slug>`, `spent`, `allocated`
    stored: object
    expected: object


def find_drift(*, repair: bool) -> Iterator[Drift]:
    """Compare every campaign, one at a time under its lock; with `repair` also put it right. Each find is logged."""
    for campaign in Campaign.objects.order_by("pk"):
        with topics.write(campaign.topic, actor="system"):
            found = [*_rows(campaign, repair=repair), *_sums(campaign, repair=repair)]
        for drift in found:
            logger.warning("drift in campaign %s: %s is %s, not %s", *_said(drift))
            yield drift


def rewrite_rows(character: Character) -> None:
    """Write a character's rows again from its newest revision (inside the campaign's write)."""
    if character.revision is not None:
        report = check_revision(character, character.revision)
        rows.write(character, character.revision.build, report)


def _rows(campaign: Campaign, *, repair: bool) -> Iterator[Drift]:
    characters = Character.objects.select_related("campaign", "owner", "revision")
    for character in characters.filter(campaign=campaign).exclude(revision=None):
        build = character.revision.build if character.revision else None
        stored = rows.read(character)
        if stored is not None and stored == build:
            continue
        yield Drift(campaign.slug, f"rows:{character.slug}", stored, build)
        if repair:
            rewrite_rows(character)


def _sums(campaign: Campaign, *, repair: bool) -> Iterator[Drift]:
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return
    spent = pcs(campaign).aggregate(n=Sum("spent"))["n"] or 0
    allocated = Seat.objects.filter(campaign=campaign, removed_at=None).aggregate(n=Sum("allocation"))["n"] or 0
    for name, expected in (("spent", spent), ("allocated", allocated)):
        if getattr(pool, name) != expected:
            yield Drift(campaign.slug, name, getattr(pool, name), expected)
            if repair:
                Pool.objects.filter(pk=pool.pk).update(**{name: expected})


def _said(drift: Drift) -> tuple[object, ...]:
    return drift.campaign, drift.what, drift.stored, drift.expected
