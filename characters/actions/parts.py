"""What was played before a table opens (a draft of abilities), written into the sheets with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from characters.actions.characters import must_have_room
from characters.actions.drafts import create_character, set_fields
from characters.actions.events import tell
from characters.actions.writing import audience_of, fresh
from characters.models import Character, Confirmation, CreationRecord, Role, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess
from characters.selectors.builds import confirmed_value
from live.topics import Write
from rulesets import services


def write_part(
    w: Write, here: CampaignAccess, *, actor: str, part: str, source: str, build: Mapping[str, Any]
) -> Character | None:
    """Put what somebody got into their PC's draft inside the campaign's write, and note where it came from.

    `actor` is a PC (`c<pk>`) or a seat; for a seat, its player's PC that still lacks this, or a new one. `build` is the
    piece of a build document. Fields the GM usually has to confirm are confirmed: everybody saw where they come from.
    None for somebody who left.
    """
    campaign = here.campaign
    fields = services.from_build(campaign.system, build)
    character = _character(here, actor, fields)
    if character is None:
        return None
    access = fresh(character.pk, here.seat) if here.is_gm else CharacterAccess(character, here.seat)
    data = {"step": part, "faces": [], "told": False, "draw": None}
    event = tell(w, "character.rolled", character, data)
    set_fields(w, access, fields)
    CreationRecord.objects.create(
        character=character, step=part, event_seq=event.seq, record={"changes": dict(fields), "source": source}
    )
    _confirm(w, character, fields, here.seat)
    return character


def _character(here: CampaignAccess, actor: str, fields: Mapping[str, Any]) -> Character | None:
    rows = Character.objects.select_related("campaign", "owner__user", "revision", "cleared", "draft")
    rows = rows.filter(campaign=here.campaign, deleted_at=None, kind=Character.Kind.PC)
    if actor.startswith("c"):
        return rows.filter(pk=int(actor[1:])).first()
    seat = Seat.objects.filter(pk=int(actor), campaign=here.campaign, role=Role.PLAYER, removed_at=None).first()
    if seat is None:
        return None
    blank = services.blank(here.campaign.system, "pc", here.campaign.house_rules)
    for waiting in rows.filter(owner=seat, revision=None).order_by("created_at", "pk"):
        if all(waiting.draft.fields.get(key) in (None, blank.get(key)) for key in fields):
            return waiting
    must_have_room(here.campaign)
    made = create_character(access=here, owner=seat)
    return rows.get(pk=made.pk)


def _confirm(w: Write, character: Character, fields: Mapping[str, Any], by: Seat) -> None:
    now = Character.objects.select_related("draft").get(pk=character.pk).draft.fields
    for key in fields:
        Confirmation.objects.update_or_create(
            character=character,
            field=key,
            defaults={"value": confirmed_value(key, now), "by": by, "at": timezone.now()},
        )
    tell(
        w,
        "character.confirmed",
        character,
        {"field": next(iter(fields), ""), "confirmed": True},
        audience_of(character),
    )
