"""Who plays: cleared revisions of chosen characters, copied into the log, and each in one open session at most."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters.actions.characters import sound_count
from characters.actions.errors import ActionRefused
from characters.actions.play_results import carried_play
from characters.models import Character, Revision, Seat
from sessions.models import CastMember, GameSession
from sessions.selectors.session import Castable, castable

MAX_CAST = 60


class CastRefused(ActionRefused):
    """Some chosen characters cannot play; `reasons` are sentences by character pk."""

    def __init__(self, refused: Sequence[Castable]) -> None:
        first = refused[0]
        message = ngettext("%(why)s", "%(why)s（ほかにも始められない人物がいます）", len(refused))
        super().__init__(message % {"why": first.why_not}, code=first.code, field="cast", status=409)
        self.reasons = {item.character.pk: item.why_not for item in refused}


def choose(session: GameSession, pks: Collection[int]) -> list[Character]:
    """The chosen characters of the campaign, read behind its lock, PCs first. Raises CastRefused, ActionRefused."""
    rows = Character.objects.select_related("campaign", "owner", "cleared").filter(
        campaign=session.campaign, pk__in=pks
    )
    found = list(rows.order_by("-kind", "created_at", "pk"))
    if len(found) != len(set(pks)):
        raise ActionRefused(_("選んだ人物が見つかりません。"), code="no_such_character", field="cast", status=404)
    if len(found) > MAX_CAST:
        raise ActionRefused(_("一度に出られるのは%(n)s人までです。") % {"n": MAX_CAST}, code="too_many", field="cast")
    refused = [item for item in map(castable, found) if item.why_not]
    if refused:
        raise CastRefused(refused)
    return found


def seat_down(
    session: GameSession,
    characters: Sequence[Character],
    hidden: Collection[int] = (),
    counts: Mapping[int, int] | None = None,
) -> list[CastMember]:
    """Make them members of the cast. Raises ActionRefused when one sat down elsewhere at the same moment, and for a
    number of NPCs that cannot be."""
    many = {pk: sound_count(count) for pk, count in (counts or {}).items()}
    try:
        with transaction.atomic():
            return [
                CastMember.objects.create(
                    session=session,
                    character=character,
                    revision=cleared(character),
                    actor=f"c{character.pk}",
                    name=character.name,
                    count=many.get(character.pk, character.count) if character.kind == Character.Kind.NPC else 1,
                    hidden=character.pk in hidden and character.kind == Character.Kind.NPC,
                )
                for character in characters
            ]
    except IntegrityError:
        raise ActionRefused(
            _("選んだ人物のだれかが、いま別の回に出ました。もう一度選んでください。"), code="busy", field="cast"
        ) from None


def cleared(character: Character) -> Revision:
    """The revision that may be played. Raises ActionRefused."""
    if character.cleared is None:
        raise CastRefused([castable(character)])
    return character.cleared


def cast_entry(member: CastMember) -> dict[str, Any]:
    """A member as the game's `start` takes it (see `rulesets.engine.play.Play.start`)."""
    character = member.character
    is_pc = character.kind == Character.Kind.PC
    return {
        "id": member.actor,
        "kind": character.kind,
        "name": member.name,
        "seat": str(character.owner_id) if is_pc else "",
        "count": member.count,
        "build": member.revision.build,
        "hidden": member.hidden,
        "play": carried_play(character),
    }


def seats_entry(session: GameSession) -> list[dict[str, Any]]:
    """The people around the table as `start` takes them."""
    seats = Seat.objects.filter(campaign=session.campaign, removed_at=None)
    return [{"seat": str(seat.pk), "role": seat.role, "name": seat.name} for seat in seats]
