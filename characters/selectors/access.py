"""The gates: every campaign and character is fetched here, with what the viewer may do, or answers 404.

Who sees what (spectators read like players; a removed seat is a stranger):

| character                        | GM, co-GM | owner | other seats | stranger | share link |
|----------------------------------|-----------|-------|-------------|----------|------------|
| PC, visibility `owner`           | no        | yes   | no          | no       | no         |
| PC, `gm`                         | yes       | yes   | no          | no       | no         |
| PC, `group`                      | yes       | yes   | yes         | no       | no         |
| PC, `link`                       | yes       | yes   | yes         | no       | yes        |
| PC, `listed`                     | yes       | yes   | yes         | yes      | yes        |
| NPC, `owner` or `gm`             | yes       | –     | no          | no       | no         |
| NPC, `group`, `link`, `listed`   | yes       | –     | as the PC   | as the PC| as the PC  |
| put away (`deleted_at`)          | PC not `owner`, NPC | yes | no | no       | no         |

NPCs belong to the GMs together, whichever of them made one. Notes: `may_see_note`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.http import Http404

from characters.models import Campaign, Character, Note, Role, Seat, Visibility

Audience = Literal["owner", "gm", "group", "public"]

GM_ROLES: frozenset[str] = frozenset({Role.GM, Role.CO_GM})
OPEN: frozenset[str] = frozenset({Visibility.GROUP, Visibility.LINK, Visibility.LISTED})
BY_LINK: frozenset[str] = frozenset({Visibility.LINK, Visibility.LISTED})


@dataclass(frozen=True, slots=True)
class CampaignAccess:
    """A campaign as one active seat sees it."""

    campaign: Campaign
    seat: Seat

    @property
    def user(self) -> Any:
        return self.seat.user

    @property
    def role(self) -> str:
        return self.seat.role

    @property
    def is_gm(self) -> bool:
        """GM or co-GM."""
        return self.seat.role in GM_ROLES

    @property
    def is_owner_gm(self) -> bool:
        """The one GM whose campaign it is."""
        return self.seat.role == Role.GM

    @property
    def is_player(self) -> bool:
        return self.seat.role == Role.PLAYER

    @property
    def is_spectator(self) -> bool:
        return self.seat.role == Role.SPECTATOR

    @property
    def tokens(self) -> frozenset[str]:
        """The audiences this seat belongs to, for `live`."""
        return seat_tokens(self.seat)


@dataclass(frozen=True, slots=True)
class CharacterAccess:
    """A character as one viewer sees it. `seat` is None for somebody outside the campaign."""

    character: Character
    seat: Seat | None
    by_link: bool = False

    @property
    def campaign(self) -> Campaign:
        return self.character.campaign

    @property
    def campaign_access(self) -> CampaignAccess | None:
        return CampaignAccess(self.campaign, self.seat) if self.seat is not None else None

    @property
    def user(self) -> Any:
        return self.seat.user if self.seat is not None else None

    @property
    def is_gm(self) -> bool:
        return self.seat is not None and self.seat.role in GM_ROLES

    @property
    def is_owner(self) -> bool:
        """The character's own player; of an NPC, the GM who made it (while still a GM)."""
        if self.seat is None or self.seat.pk != self.character.owner_id:
            return False
        return self.character.kind == Character.Kind.PC or self.is_gm

    @property
    def may_see(self) -> bool:
        character = self.character
        if character.deleted_at is not None and not self.is_owner and not self.is_gm:
            return False
        if self.is_owner:
            return True
        if self.seat is None:
            return character.visibility == Visibility.LISTED or (self.by_link and character.visibility in BY_LINK)
        if self.is_gm:
            return character.kind == Character.Kind.NPC or character.visibility != Visibility.OWNER
        return character.visibility in OPEN

    @property
    def may_edit(self) -> bool:
        """May change the draft, notes and revisions: the owner and the GMs, unless it is put away."""
        if self.character.deleted_at is not None or not self.may_see or self.seat is None:
            return False
        return self.is_gm or (self.is_owner and self.seat.role == Role.PLAYER)

    @property
    def may_review(self) -> bool:
        """May clear, return, remark and confirm."""
        return self.is_gm and self.may_edit

    @property
    def audience(self) -> Audience:
        """For whom a document made for this viewer is written."""
        if self.is_owner:
            return "owner"
        if self.is_gm:
            return "gm"
        return "group" if self.seat is not None else "public"

    @property
    def tokens(self) -> frozenset[str]:
        return seat_tokens(self.seat) if self.seat is not None else frozenset()


def seat_tokens(seat: Seat) -> frozenset[str]:
    """`all`, the seat's own token and, for GMs, `gm`."""
    tokens = {"all", seat.audience}
    return frozenset(tokens | {"gm"} if seat.role in GM_ROLES else tokens)


def active_seat(user: Any, campaign: Campaign) -> Seat | None:
    """The user's seat in a campaign, unless there is none or it was removed."""
    if user is None or not user.is_authenticated:
        return None
    return Seat.objects.select_related("user").filter(campaign=campaign, user=user, removed_at=None).first()


def campaign_for(user: Any, slug: str) -> CampaignAccess:
    """The campaign with the user's seat. Raises Http404 for everybody without an active seat."""
    if user is not None and user.is_authenticated:
        seat = (
            Seat.objects.select_related("campaign", "user")
            .filter(campaign__slug=slug, user=user, removed_at=None)
            .first()
        )
        if seat is not None:
            return CampaignAccess(seat.campaign, seat)
    raise Http404("no campaign of that name for this user")


def campaigns_of(user: Any) -> list[CampaignAccess]:
    """Every campaign the user has an active seat in, newest first."""
    if user is None or not user.is_authenticated:
        return []
    seats = Seat.objects.select_related("campaign", "user").filter(user=user, removed_at=None)
    return [CampaignAccess(seat.campaign, seat) for seat in seats.order_by("-campaign__created_at", "-pk")]


def character_for(user: Any, slug: str) -> CharacterAccess:
    """The character with the user's rights. Raises Http404 for everybody who may not see it.

    Characters put away are found by their owner and the GMs only: look at `access.character.deleted_at`.
    """
    character = _characters().filter(slug=slug).first()
    if character is not None:
        access = CharacterAccess(character, active_seat(user, character.campaign))
        if access.may_see:
            return access
    raise Http404("no character of that name for this user")


def shared_character(token: str, user: Any = None) -> CharacterAccess:
    """The character a share link shows, read only unless `user` has rights anyway. Raises Http404."""
    character = _characters().filter(link_hash=token_hash(token)).first() if token else None
    if character is not None and hmac.compare_digest(token, derived_token("share", character.link_nonce)):
        for seat in (active_seat(user, character.campaign), None):
            access = CharacterAccess(character, seat, by_link=True)
            if access.may_see:
                return access
    raise Http404("no shared character")


def characters_in(access: CampaignAccess, *, put_away: bool = False) -> list[CharacterAccess]:
    """The characters of a campaign this seat may see, PCs first, in the order they were made."""
    rows = _characters().filter(campaign=access.campaign, deleted_at__isnull=not put_away)
    found = [CharacterAccess(row, access.seat) for row in rows.order_by("-kind", "created_at", "pk")]
    return [item for item in found if item.may_see]


def may_see_note(note: Note, access: CharacterAccess) -> bool:
    """Whether a viewer who may see the character may read a note on it.

    `owner` is the note's author alone (a GM's own notes on a player's character stay the GM's), `gm` adds the GMs,
    `group` every seat, `link` and `listed` whoever may see the character.
    """
    if not access.may_see:
        return False
    if access.seat is not None and note.author_id == access.seat.pk:
        return True
    if note.visibility in BY_LINK:
        return True
    if access.seat is None or note.visibility == Visibility.OWNER:
        return False
    return access.is_gm or note.visibility == Visibility.GROUP


def may_edit_note(note: Note, access: CharacterAccess) -> bool:
    """Authors change their own notes; the GMs and the owner also those the whole group may read."""
    if access.seat is None or not access.may_edit:
        return False
    if note.author_id == access.seat.pk:
        return True
    return note.visibility in OPEN


def visible_notes(access: CharacterAccess) -> list[Note]:
    """The notes of a character this viewer may read, in order."""
    if not access.may_see:
        return []
    with_notes([access.character])
    return [note for note in access.character.notes.all() if may_see_note(note, access)]


def with_notes(characters: Sequence[Character]) -> None:
    """Read the notes of several characters at once; those read already stay as they are."""
    prefetch_related_objects(characters, "notes__author")


def derived_token(purpose: str, nonce: str) -> str:
    """The 128-bit token of a link, 32 hex digits. It is derived, so that the link can be shown again but not stolen
    from the database alone."""
    key = settings.SECRET_KEY.encode()
    return hmac.digest(key, f"takubiyori.{purpose}:{nonce}".encode(), "sha256").hex()[:32]


def token_hash(token: str) -> str:
    """What is stored of a token to find it by."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _characters() -> Any:
    return Character.objects.select_related("campaign", "owner__user", "revision", "cleared", "draft")
