"""One command = one transaction on the campaign's topic, with rights looked up again behind the lock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from django.db import models
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.models import Campaign, Character, Pool, Role, Seat, Visibility
from characters.selectors.access import OPEN, CampaignAccess, CharacterAccess
from live import topics
from live.topics import Write

M = TypeVar("M", bound=models.Model)

ALL: tuple[str, ...] = ("all",)
GMS: tuple[str, ...] = ("gm",)


@contextmanager
def campaign_write(access: CampaignAccess, command_id: str = "") -> Iterator[tuple[Write, CampaignAccess]]:
    """Lock the campaign. Yields the write and the access as it is now, behind the lock.

    When `write.repeated`, the body answers from `write.result` and does nothing else. Raises ActionRefused for
    somebody who was removed meanwhile.
    """
    name = access.campaign.topic
    try:
        with topics.write(name, user=access.user, command_id=command_id, actor=access.seat.audience) as w:
            seat = Seat.objects.select_related("campaign", "user").get(pk=access.seat.pk)
            if seat.removed_at is not None:
                raise ActionRefused(_("あなたはもうこの卓の一員ではありません。"), code="not_a_member", status=403)
            yield w, CampaignAccess(seat.campaign, seat)
    except topics.TopicClosed as closed:
        raise ActionRefused(_("この卓は閉じています。"), code="closed") from closed


@contextmanager
def character_write(access: CharacterAccess, command_id: str = "") -> Iterator[tuple[Write, CharacterAccess]]:
    """Lock the campaign of a character. Yields the write and the access as it is now. Raises ActionRefused."""
    campaign = CampaignAccess(access.campaign, seat_behind(access))
    with campaign_write(campaign, command_id) as (w, here):
        yield w, fresh(access.character.pk, here.seat)


def seat_behind(access: CharacterAccess) -> Seat:
    """The seat that acts. Raises ActionRefused for somebody who only holds a link."""
    if access.seat is None:
        raise ActionRefused(_("ここでは見ることしかできません。"), code="not_allowed", status=403)
    return access.seat


def fresh(character_pk: int, seat: Seat) -> CharacterAccess:
    """A character read again behind the lock. Raises ActionRefused if the seat may no longer see it."""
    row = (
        Character.objects.select_related("campaign", "owner__user", "revision", "cleared", "draft")
        .filter(pk=character_pk, campaign_id=seat.campaign_id)
        .first()
    )
    access = CharacterAccess(row, seat) if row is not None else None
    if access is None or not access.may_see:
        raise ActionRefused(_("この人物はもう見られません。"), code="gone", status=404)
    return access


def must(allowed: bool, message: str) -> None:
    """Refuse by role."""
    if not allowed:
        raise ActionRefused(message, code="not_allowed", status=403)


def must_be_gm(access: CampaignAccess | CharacterAccess) -> None:
    must(access.is_gm, _("これはGMだけができます。"))


def must_edit(access: CharacterAccess) -> None:
    """Refuse whoever may not change this character, and everybody while it is put away."""
    if access.character.deleted_at is not None:
        raise ActionRefused(_("片付けた人物です。直すには先に戻してください。"), code="put_away")
    must(access.may_edit, _("この人物を直せるのは持ち主とGMだけです。"))


def repeated(w: Write, model: type[M], key: str) -> M:
    """The object a repeated command made the first time. Raises ActionRefused if it is gone or was another command."""
    pk = w.result.get(key)
    found = model._default_manager.filter(pk=pk).first() if pk is not None else None
    if found is None:
        raise ActionRefused(
            _("この操作はもう済んでいます。ページを読み込み直してください。"), code="already_done", status=409
        )
    return found


def seat_of(access: CampaignAccess, seat: Seat | int) -> Seat:
    """A seat of the same campaign, read behind the lock and still active. Raises ActionRefused."""
    pk = seat if isinstance(seat, int) else seat.pk
    found = Seat.objects.select_related("user").filter(pk=pk, campaign=access.campaign, removed_at=None).first()
    if found is None:
        raise ActionRefused(_("その人はこの卓にいません。"), code="no_such_seat", status=404)
    return found


def pool_of(campaign: Campaign) -> Pool:
    """The pool, read behind the lock. Raises ActionRefused for games without one."""
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        raise ActionRefused(_("このゲームに一座の点はありません。"), code="no_pool", status=404)
    return pool


def is_open(character: Character) -> bool:
    """Whether every seat may see the character."""
    return character.visibility in OPEN


def audience_of(character: Character) -> Sequence[str]:
    """Who may hear of a character: the same people who may see it, put away or not."""
    if is_open(character):
        return ALL
    if character.kind == Character.Kind.NPC:
        return GMS
    owner = f"seat:{character.owner_id}"
    return (owner,) if character.visibility == Visibility.OWNER else (owner, "gm")


def player_seats(campaign: Campaign) -> models.QuerySet[Seat]:
    """Active player seats in the order they joined."""
    return Seat.objects.filter(campaign=campaign, role=Role.PLAYER, removed_at=None)
