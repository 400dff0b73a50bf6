"""What the pages and panels of a campaign read. Every function takes the access of a seat or objects it led to."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.db.models import Count, Q
from django.http import Http404
from django.utils import timezone

from characters.models import Character, Draft, Invitation, Offer, Remark, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess, characters_in, token_hash
from characters.selectors.builds import BuildView, same_fields, shown_fields
from rulesets import services
from rulesets.engine.problems import Report
from rulesets.protocol import Context


def seats_of(access: CampaignAccess) -> list[Seat]:
    """The active seats: GMs first, then players, then spectators, each in the order they joined."""
    order = {"gm": 0, "co_gm": 1, "player": 2, "spectator": 3}
    rows = Seat.objects.select_related("user").filter(campaign=access.campaign, removed_at=None)
    return sorted(rows, key=lambda seat: (order.get(seat.role, 9), seat.joined_at, seat.pk))


def seat_in(access: CampaignAccess, pk: int) -> Seat:
    """An active seat of this campaign. Raises Http404."""
    seat = Seat.objects.select_related("user").filter(campaign=access.campaign, removed_at=None, pk=pk).first()
    if seat is None:
        raise Http404("no such seat in this campaign")
    return seat


def offer_in(access: CampaignAccess, pk: int) -> Offer:
    """An offer of this campaign, whatever became of it. Raises Http404."""
    offer = Offer.objects.select_related("giver", "receiver").filter(campaign=access.campaign, pk=pk).first()
    if offer is None:
        raise Http404("no such offer in this campaign")
    return offer


def invitation_in(access: CampaignAccess, pk: int) -> Invitation:
    """An invitation of this campaign, for its GMs. Raises Http404."""
    found = Invitation.objects.filter(campaign=access.campaign, pk=pk).first() if access.is_gm else None
    if found is None:
        raise Http404("no such invitation for this seat")
    return found


def open_invitations(access: CampaignAccess) -> list[Invitation]:
    """Links that still lead in, newest first; for GMs only."""
    if not access.is_gm:
        return []
    rows = Invitation.objects.filter(
        campaign=access.campaign, revoked_at=None, uses_left__gt=0, expires_at__gt=timezone.now()
    )
    return list(rows.order_by("-pk"))


def characters_with_drafts(access: CampaignAccess) -> list[tuple[CharacterAccess, Draft | None]]:
    """The characters this seat may see, each with its draft."""
    return [(item, item.character.draft) for item in characters_in(access)]


def shown_sheet(item: CharacterAccess, draft: Draft | None) -> BuildView:
    """What lists show of a character: the newest revision, or the draft as long as nothing was saved.

    Only costs and derived values of the report may be used: the party around the character is left out, so that a
    sheet that did not change is not checked again for every viewer of every event.
    """
    character = item.character
    revision = character.revision
    stored = revision.fields if revision is not None else draft.fields if draft is not None else {}
    fields = shown_fields(item, stored)
    told, rules = json.dumps(fields, sort_keys=True), json.dumps(character.campaign.house_rules, sort_keys=True)
    report = _report(character.campaign.system, character.kind, told, rules)
    number = revision.number if revision is not None else None
    return BuildView(character, "draft" if revision is None else "revision", number, fields, report)


@lru_cache(maxsize=256)
def _report(system: str, kind: Literal["pc", "npc"], fields: str, house_rules: str) -> Report:
    return services.check(system, json.loads(fields), json.loads(house_rules), Context(kind=kind))


def draft_differs(character: Character, draft: Draft | None) -> bool:
    """Whether the working copy says something else than the newest revision (or there is no revision yet)."""
    if draft is None:
        return False
    return character.revision is None or not same_fields(draft.fields, character.revision.fields)


def open_remarks(characters: Iterable[Character]) -> dict[int, int]:
    """Number of unsettled remarks by character."""
    rows = Remark.objects.filter(character__in=list(characters), settled_at=None)
    return dict(rows.values_list("character_id").annotate(Count("pk")).order_by())


def head_count(access: CampaignAccess) -> tuple[int, int]:
    """Number of players and of GMs with an active seat."""
    rows = Seat.objects.filter(campaign=access.campaign, removed_at=None)
    found = rows.aggregate(
        players=Count("pk", filter=Q(role="player")), gms=Count("pk", filter=Q(role__in=["gm", "co_gm"]))
    )
    return found["players"], found["gms"]


def leads_all_of(access: CampaignAccess, seat: Seat) -> bool:
    """Whether this seat is the GM of every campaign where the other one's user sits. Only such a GM may hand out a
    link that lets the user in, because it opens all of that user's seats."""
    if not access.is_owner_gm or seat.campaign_id != access.campaign.pk:
        return False
    mine = Seat.objects.filter(user=access.seat.user, role="gm", removed_at=None).values("campaign")
    return not Seat.objects.filter(user=seat.user, removed_at=None).exclude(campaign__in=mine).exists()


@dataclass(frozen=True, slots=True)
class Invited:
    """What a link says. `state`: `open`, `revoked`, `expired`, `full`, or `unknown` without an invitation."""

    state: str
    invitation: Invitation | None = None
    host: str = ""  # name of the GM at that table
    people: int = 0


def invited_by(token: str) -> Invited:
    """Look at a link without using it. Whoever holds the token may know why it no longer works."""
    row = Invitation.objects.select_related("campaign").filter(token_hash=token_hash(token)).first()
    if row is None:
        return Invited("unknown")
    seats = Seat.objects.filter(campaign=row.campaign, removed_at=None)
    host = seats.filter(role="gm").values_list("name", flat=True).first() or ""
    if row.revoked_at is not None:
        state = "revoked"
    elif row.expires_at <= timezone.now():
        state = "expired"
    else:
        state = "open" if row.uses_left > 0 else "full"
    return Invited(state, row, host, seats.count())
