"""Who could play: every character with what keeps it away."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from characters.models import Character, Role
from characters.selectors.access import CharacterAccess
from sessions.models import CastMember
from sessions.selectors.access import SessionAccess


@dataclass(frozen=True, slots=True)
class Castable:
    """A character as somebody who may play. `why_not` says what keeps it away, "" when nothing does."""

    character: Character
    why_not: str = ""
    code: str = ""


def castable(character: Character) -> Castable:
    """Whether a character may sit down now: cleared, not flagged, its player here, in no other open session."""
    name = {"name": character.name or "—"}
    if character.deleted_at is not None:
        return Castable(character, _("「%(name)s」は片付けられています。") % name, "put_away")
    if character.cleared is None:
        return Castable(character, _("「%(name)s」はまだGMの確認が済んでいません。") % name, "not_cleared")
    if character.flagged:
        return Castable(
            character, _("「%(name)s」は決まりに合わないところがあります。先に見直してください。") % name, "flagged"
        )
    owner = character.owner
    if character.kind == Character.Kind.PC and (owner.removed_at is not None or owner.role != Role.PLAYER):
        return Castable(character, _("「%(name)s」のプレイヤーがいません。") % name, "no_player")
    other = CastMember.objects.select_related("session").filter(character=character, playing=True).first()
    if other is not None:
        sentence = _("「%(name)s」は第%(n)s回「%(title)s」に出ています。終わるまで別の回には出られません。")
        return Castable(
            character, sentence % {**name, "n": other.session.chapter, "title": other.session.title}, "busy"
        )
    return Castable(character)


def castable_of(access: SessionAccess) -> list[Castable]:
    """Everybody of the campaign the GM may see, PCs first, with what keeps them from playing."""
    rows = Character.objects.select_related("campaign", "owner", "cleared")
    rows = rows.filter(campaign=access.session.campaign, deleted_at=None).order_by("-kind", "created_at", "pk")
    return [castable(row) for row in rows if CharacterAccess(row, access.seat).may_see]
