"""The topics `session:<pk>`: who follows them, what they may see, and which parts of the page an event changes."""

from __future__ import annotations

from typing import Any

from characters.models import Seat
from live.kinds import Fragment, Projected, Viewer
from live.models import Event
from sessions.kinds import MEMBERSHIP
from sessions.models import GameSession
from sessions.present.page import fragments
from sessions.projection import project
from sessions.selectors.access import viewer_of


class SessionTopics:
    """`live.kinds.TopicKind` of game sessions."""

    prefix = "session"
    membership_kinds = MEMBERSHIP

    def viewer(self, user: Any, topic_name: str, request_lang: str) -> Viewer | None:
        """Any active seat of the campaign."""
        pk = topic_name.partition(":")[2]
        if user is None or not user.is_authenticated or not (pk.isascii() and pk.isdecimal() and len(pk) < 19):
            return None
        campaign = GameSession.objects.filter(pk=int(pk)).values_list("campaign_id", flat=True).first()
        seat = Seat.objects.filter(campaign_id=campaign, user_id=user.pk, removed_at=None).first() if campaign else None
        return viewer_of(seat, request_lang) if seat is not None else None

    def project(self, event: Event, viewer: Viewer) -> dict[str, Any] | None:
        return project(event, viewer)

    def render(self, topic_name: str, projected: list[Projected], viewer: Viewer) -> list[Fragment]:
        return fragments(topic_name, projected, viewer)
