"""A character as a whole: visibility, share link, count, putting away, handing over."""

from __future__ import annotations

import secrets

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.events import tell, which
from characters.actions.pool import spend
from characters.actions.recheck import recheck
from characters.actions.writing import (
    audience_of,
    character_write,
    fresh,
    must,
    must_be_gm,
    must_edit,
    seat_behind,
    seat_of,
)
from characters.models import Campaign, Character, PoolEntry, Role, Seat, Visibility
from characters.selectors.access import BY_LINK, CampaignAccess, CharacterAccess, derived_token, token_hash
from live.topics import Write

MAX_COUNT = 99
MAX_CHARACTERS = 300


# ---------------------------------------------------------------- who may see it


def set_visibility(*, access: CharacterAccess, visibility: str, command_id: str = "") -> Character:
    """Choose who sees a character: its player for a PC, the GMs for an NPC. Narrowing drops the share link."""
    if visibility not in Visibility.values:
        raise ActionRefused(_("その公開範囲はありません。"), code="visibility", field="visibility", status=422)
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return here.character
        _must_publish(here)
        _must_not_hide(here.character, visibility)
        show_to(w, here.character, visibility)
        return here.character


def make_share_link(*, access: CharacterAccess, command_id: str = "") -> str:
    """Make (or give again) the link that shows a character to whoever holds it. Returns its token."""
    with character_write(access, command_id) as (w, here):
        character = here.character
        _must_publish(here)
        if w.repeated or character.link_nonce:
            return share_token(character)
        character.link_nonce = secrets.token_hex(16)
        character.link_hash = token_hash(share_token(character))
        character.save(update_fields=["link_nonce", "link_hash"])
        if character.visibility not in BY_LINK:
            show_to(w, character, Visibility.LINK)
        return share_token(character)


def drop_share_link(*, access: CharacterAccess, command_id: str = "") -> Character:
    """Stop the share link for ever; a later one is a new address."""
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        _must_publish(here)
        _forget_link(character)
        if character.visibility == Visibility.LINK:
            show_to(w, character, Visibility.GROUP)
        return character


def share_token(character: Character) -> str:
    """The token of the share link; "" when there is none."""
    return derived_token("share", character.link_nonce) if character.link_nonce else ""


# ---------------------------------------------------------------- how many, here or put away


def set_count(*, access: CharacterAccess, count: int, command_id: str = "") -> Character:
    """How many of this NPC there are (「雑魚 6人」). Raises ActionRefused."""
    count = sound_count(count)
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_edit(here)
        must_be_gm(here)
        if character.kind != Character.Kind.NPC:
            raise ActionRefused(_("人数を決められるのはNPCだけです。"), code="kind", field="count", status=422)
        if character.count != count:
            character.count = count
            character.save(update_fields=["count"])
            tell(w, "character.count", character, {"count": count})
        return character


def sound_count(count: int) -> int:
    """A number of NPCs. Raises ActionRefused (422)."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_COUNT:
        raise ActionRefused(
            _("人数は1〜%(max)sで入れてください。") % {"max": MAX_COUNT}, code="count", field="count", status=422
        )
    return count


def delete_character(*, access: CharacterAccess, command_id: str = "") -> Character:
    """Put a character away: it frees its points and can be brought back."""
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_edit(here)
        put_away(w, character, by=here.seat)
        recheck(w, here.campaign, pcs_only=True)
        return character


def restore_character(*, access: CharacterAccess, command_id: str = "") -> Character:
    """Bring a character back. A PC needs its points again. Raises PoolExceeded, ActionRefused."""
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated or character.deleted_at is None:
            return character
        must(here.is_owner or here.is_gm, _("戻せるのは持ち主とGMだけです。"))
        _must_have_player(character, character.owner)
        _bring_back(w, character, by=here.seat)
        return character


def transfer_character(*, access: CharacterAccess, seat: Seat | int, command_id: str = "") -> Character:
    """Give a PC to another player (GM); a PC that was put away comes back with it. Raises PoolExceeded."""
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_be_gm(here)
        if character.kind != Character.Kind.PC:
            raise ActionRefused(_("NPCはGM全員のものです。"), code="kind", status=422)
        target = seat_of(_campaign(here), seat)
        _must_have_player(character, target)
        if target.pk == character.owner_id and character.deleted_at is None:
            return character
        old = character.owner_id
        heard_before = set(audience_of(character))
        character.owner = target
        character.save(update_fields=["owner"])
        if character.deleted_at is not None:
            _bring_back(w, character, by=here.seat)
        audience = sorted(heard_before | set(audience_of(character)))
        data = which(character) | {"seat": target.pk, "name": target.name, "before": old}
        w.append("character.transferred", data, audience)
        recheck(w, here.campaign, pcs_only=True)
        return character


def duplicate_npc(*, access: CharacterAccess, command_id: str = "") -> Character:
    """Make a copy of an NPC with its draft and, if it is legal, its own first revision."""
    from characters.actions.drafts import create_character

    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return fresh(int(w.result.get("character", 0)), seat_behind(here)).character
        must_edit(here)
        must_be_gm(here)
        original = here.character
        if original.kind != Character.Kind.NPC:
            raise ActionRefused(_("写しを作れるのはNPCだけです。"), code="kind", status=422)
        copy = create_character(access=_campaign(here), kind="npc", fields=original.draft.fields, count=original.count)
        copy.visibility = original.visibility
        copy.save(update_fields=["visibility"])
        w.result = {"character": copy.pk}
        return copy


# ---------------------------------------------------------------- parts used by members.py and drafts.py


def put_away_all(w: Write, campaign: Campaign, seat: Seat, *, by: Seat) -> None:
    """Put away every PC of a seat that stops playing."""
    rows = Character.objects.select_related("campaign", "owner")
    for character in rows.filter(campaign=campaign, owner=seat, kind=Character.Kind.PC, deleted_at=None):
        put_away(w, character, by=by)


def put_away(w: Write, character: Character, *, by: Seat | None) -> None:
    """Put a character away and free the points it holds."""
    audience = audience_of(character)
    if character.kind == Character.Kind.PC:
        _count(w, character, -character.spent, by=by, kind=PoolEntry.Kind.AWAY)
    character.deleted_at = timezone.now()
    character.save(update_fields=["deleted_at"])
    tell(w, "character.deleted", character, {}, audience)


def must_have_room(campaign: Campaign) -> None:
    """Refuse a character too many."""
    if Character.objects.filter(campaign=campaign).count() >= MAX_CHARACTERS:
        raise ActionRefused(_("この卓の人物はもう%(n)s人います。") % {"n": MAX_CHARACTERS}, code="too_many_characters")


def _bring_back(w: Write, character: Character, *, by: Seat | None) -> None:
    character.deleted_at = None
    character.save(update_fields=["deleted_at"])
    if character.kind == Character.Kind.PC:
        _count(w, character, character.spent, by=by, kind=PoolEntry.Kind.BACK)
    tell(w, "character.restored", character, {})
    recheck(w, character.campaign, pcs_only=True)


def _count(w: Write, character: Character, delta: int, *, by: Seat | None, kind: str) -> None:
    spend(w, character, delta, after=max(0, delta), by=by, kind=kind)


def show_to(w: Write, character: Character, visibility: str) -> None:
    """Change the visibility. Those who lose sight of it learn only that, without a name."""
    if character.visibility == visibility:
        return
    before = set(audience_of(character))
    character.visibility = visibility
    if visibility not in BY_LINK:
        _forget_link(character)
    character.save(update_fields=["visibility"])
    after = set(audience_of(character))
    tell(w, "character.shared", character, {"visibility": visibility})
    if "all" not in after and before - after:
        w.append("character.shared", {"character": character.pk, "hidden": True}, sorted(before - after))


def _forget_link(character: Character) -> None:
    if character.link_nonce:
        character.link_nonce, character.link_hash = "", None
        character.save(update_fields=["link_nonce", "link_hash"])


def _must_publish(here: CharacterAccess) -> None:
    must_edit(here)
    of_npc = character_is_npc(here.character) and here.is_gm
    must(here.is_owner or of_npc, _("公開範囲を決められるのは持ち主だけです。"))


def _must_not_hide(character: Character, visibility: str) -> None:
    """What the GM has been asked about, or has cleared for play, stays visible to the GM."""
    seen = character.status != Character.Status.DRAFT or character.cleared_id is not None
    if visibility == Visibility.OWNER and character.kind == Character.Kind.PC and seen:
        raise ActionRefused(
            _("GMに見てもらった人物は、GMから隠せません。「本人とGM」までにできます。"),
            code="seen_by_gm",
            field="visibility",
        )


def character_is_npc(character: Character) -> bool:
    return character.kind == Character.Kind.NPC


def _must_have_player(character: Character, seat: Seat) -> None:
    if character.kind != Character.Kind.PC:
        return
    if seat.removed_at is not None or seat.role != Role.PLAYER:
        raise ActionRefused(
            _("PCの持ち主はこの卓のプレイヤーでなければなりません。先に渡す相手を選んでください。"),
            code="owner",
            field="seat",
        )


def _campaign(here: CharacterAccess) -> CampaignAccess:
    return CampaignAccess(here.campaign, seat_behind(here))
