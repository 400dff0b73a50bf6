"""The gate: a session is fetched here with what its viewer may do, or answers 404."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from characters.models import Role, Seat
from characters.selectors.access import CampaignAccess, campaign_for, seat_tokens
from live.kinds import Viewer
from rulesets.engine import play
from sessions.models import GameSession

MAX_NUMBER = 10**9
EVERYBODY = frozenset({"all"})  # one for hundreds who look on


@dataclass(frozen=True, slots=True)
class SessionAccess:
    """A session as one active seat of its campaign sees it."""

    session: GameSession
    campaign_access: CampaignAccess

    @property
    def seat(self) -> Seat:
        return self.campaign_access.seat

    @property
    def user(self) -> Any:
        return self.campaign_access.user

    @property
    def role(self) -> str:
        return self.campaign_access.role

    @property
    def is_gm(self) -> bool:
        """GM or co-GM."""
        return self.campaign_access.is_gm

    @property
    def is_spectator(self) -> bool:
        return self.campaign_access.is_spectator

    @property
    def system(self) -> str:
        """The slug of the game."""
        return self.session.campaign.system

    @property
    def actor(self) -> play.Actor:
        """Who acts, for the rules."""
        return play.Actor(str(self.seat.pk), role_word(self.role))

    def viewer(self, lang: str = "ja") -> Viewer:
        """Who looks, for the live core."""
        return viewer_of(self.seat, lang)


def role_word(role: str) -> play.Role:
    """A seat's role as the rules know it; what they do not know may look on."""
    found: Any = role if role in Role.values else "spectator"
    word: play.Role = found
    return word


def viewer_of(seat: Seat, lang: str = "ja") -> Viewer:
    """The viewer a seat is. All spectators of a language are one group: the same bytes serve hundreds of them."""
    lang = "en" if lang.lower().startswith("en") else "ja"
    looks_on = seat.role == Role.SPECTATOR
    return Viewer(
        user_id=seat.user_id,
        tokens=EVERYBODY if looks_on else seat_tokens(seat),
        role=seat.role,
        seat_id=seat.pk,
        lang=lang,
        group=f"spectator:{lang}" if looks_on else f"{seat.role}:{seat.pk}:{lang}",
    )


def session_for(user: Any, slug: str, number: int) -> SessionAccess:
    """The session of a campaign with the user's seat. Raises Http404 for everybody without an active seat."""
    access = campaign_for(user, slug)
    found = None
    if 0 < number < MAX_NUMBER:
        found = GameSession.objects.select_related("campaign").filter(campaign=access.campaign, number=number).first()
    if found is None:
        raise Http404("no session of that number")
    return SessionAccess(found, access)


def sessions_of(access: CampaignAccess) -> list[GameSession]:
    """Every session of a campaign, by number."""
    return list(GameSession.objects.select_related("campaign").filter(campaign=access.campaign))
