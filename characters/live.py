"""The topics `campaign:<pk>`: who follows them, and which panels of the campaign page an event changes."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from characters.models import Campaign, Seat
from characters.present.campaign import CHANGED_BY, Desk, draw, draw_rules
from characters.selectors.access import CampaignAccess, seat_tokens
from live.kinds import Fragment, Projected, Viewer
from live.models import Event

_SHEETS = ("todo", "sheets", "members", "pool", "npcs", "flags")
_SEATS = ("band", *_SHEETS, "invite")
_POOL = ("pool", "todo")
# Deny by default: an event that is not here changes nothing on the page.
PANELS_OF: dict[str, tuple[str, ...]] = {
    "campaign.made": (),
    "campaign.edited": ("band",),
    "member.joined": _SEATS,
    "member.renamed": _SEATS,
    "member.role": _SEATS,
    "member.removed": _SEATS,
    "invite.made": ("invite", "todo"),
    "invite.revoked": ("invite", "todo"),
    "rules.set": ("rules", *_SHEETS),
    "pool.set": _POOL,
    "pool.reserve": _POOL,
    "pool.allocated": _POOL,
    "pool.claimed": _POOL,
    "pool.released": _POOL,
    "pool.wished": _POOL,
    "pool.offered": _POOL,
    "pool.offer_answered": _POOL,
    "pool.offer_withdrawn": _POOL,
    "pool.agreed": _POOL,
    "pool.spent": _POOL,
    "character.made": _SHEETS,
    "character.draft": _SHEETS,
    "character.revised": _SHEETS,
    "character.asked": _SHEETS,
    "character.cleared": _SHEETS,
    "character.returned": _SHEETS,
    "character.remark": ("todo",),
    "character.confirmed": ("todo", "sheets"),
    "character.shared": _SHEETS,
    "character.count": ("npcs",),
    "character.deleted": _SHEETS,
    "character.restored": _SHEETS,
    "character.transferred": _SHEETS,
    "character.played": _SHEETS,
    "character.flagged": _SHEETS,
}


class CampaignTopics:
    """`live.kinds.TopicKind` of campaigns."""

    prefix = "campaign"
    membership_kinds = frozenset({"member.joined", "member.role", "member.removed"})

    def viewer(self, user: Any, topic_name: str, request_lang: str) -> Viewer | None:
        if user is None or not user.is_authenticated:
            return None
        seat = _seat(topic_name, user_id=user.pk)
        if seat is None:
            return None
        lang = "en" if request_lang.lower().startswith("en") else "ja"
        return Viewer(
            user_id=user.pk,
            tokens=seat_tokens(seat),
            role=seat.role,
            seat_id=seat.pk,
            lang=lang,
            group=f"{seat.role}:{seat.pk}:{lang}",
        )

    def place(self, topic_name: str) -> tuple[str, str] | None:
        row = Campaign.objects.filter(pk=topic_name.partition(":")[2]).values_list("name", "slug").first()
        return (row[0], reverse("campaign", args=[row[1]])) if row is not None else None

    def project(self, event: Event, viewer: Viewer) -> dict[str, Any] | None:
        """Only which panels and house rules to draw again: what they hold is read with the viewer's own rights."""
        panels = (*PANELS_OF.get(event.kind, ()), *CHANGED_BY.get(event.kind, ()))
        if not panels or not viewer.sees(event.audience):
            return None
        rules = [str(key) for key in event.data.get("changed", ())] if event.kind == "rules.set" else []
        return {"panels": list(panels), "rules": rules}

    def render(self, topic_name: str, projected: list[Projected], viewer: Viewer) -> list[Fragment]:
        seat = _seat(topic_name, user_id=viewer.user_id)
        if seat is None or seat.role != viewer.role:
            return []
        newest = {name: seq for seq, _kind, data in projected for name in data["panels"]}
        rules = {key: seq for seq, _kind, data in projected for key in data["rules"]}
        last = max((seq for seq, _kind, _data in projected), default=0)
        desk = Desk(CampaignAccess(seat.campaign, seat), viewer.lang)
        panels = [Fragment(f"panel-{name}", html, newest[name]) for name, html in draw(desk, newest).items()]
        return panels + [Fragment(dom, html, last) for dom, html in draw_rules(desk, rules).items()]


def _seat(topic_name: str, *, user_id: int | None) -> Seat | None:
    pk = topic_name.partition(":")[2]
    if not (pk.isascii() and pk.isdecimal() and len(pk) < 19) or user_id is None:
        return None
    rows = Seat.objects.select_related("campaign", "user")
    return rows.filter(campaign_id=int(pk), user_id=user_id, removed_at=None).first()
