"""The GM's remarks on fields, and confirmations of values the rules leave to the GM (V10, V30)."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.events import tell
from characters.actions.recheck import recheck, summarise
from characters.actions.text import paragraph
from characters.actions.writing import character_write, must_be_gm, must_edit, repeated
from characters.models import Character, Confirmation, Remark, TurnedDown
from characters.selectors.access import CharacterAccess
from characters.selectors.builds import check_fields, confirmed_value
from live.topics import Write
from rulesets import services


def add_remark(*, access: CharacterAccess, text: str, field: str = "", command_id: str = "") -> Remark:
    """Say something about one field, or about the whole (field ""). Raises ActionRefused."""
    text = paragraph(text, field="text", label=_("ひとこと"), limit=500, required=True)
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Remark, "remark")
        must_edit(here)
        must_be_gm(here)
        _must_know(here.character, field)
        remark = Remark.objects.create(character=here.character, field=field, text=text, by=here.seat)
        _tell_pair(w, "character.remark", here.character, {"remark": remark.pk, "field": field, "settled": False})
        w.result = {"remark": remark.pk}
        return remark


def settle_remark(*, access: CharacterAccess, remark: Remark | int, command_id: str = "") -> Remark:
    """Tick a remark off (the owner when it is done, or a GM). Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        must_edit(here)
        pk = remark if isinstance(remark, int) else remark.pk
        found = Remark.objects.filter(pk=pk, character=here.character).first()
        if found is None:
            raise ActionRefused(_("その指摘はありません。"), code="no_such_remark", status=404)
        if w.repeated or found.settled_at is not None:
            return found
        found.settled_at = timezone.now()
        found.save(update_fields=["settled_at"])
        _tell_pair(w, "character.remark", here.character, {"remark": pk, "field": found.field, "settled": True})
        return found


def confirm_field(*, access: CharacterAccess, field: str, command_id: str = "") -> Confirmation:
    """Confirm a value the rules leave to the GM. It lapses when the value, or the words beside it, change."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Confirmation, "confirmation")
        must_edit(here)
        must_be_gm(here)
        character = here.character
        _must_know(character, field, required=True)
        value = confirmed_value(field, character.draft.fields)
        confirmation, _made = Confirmation.objects.update_or_create(
            character=character, field=field, defaults={"value": value, "by": here.seat, "at": timezone.now()}
        )
        _tell_pair(w, "character.confirmed", character, {"field": field, "confirmed": True})
        summarise(w, character, check_fields(character, character.draft.fields))
        w.result = {"confirmation": confirmation.pk}
        return confirmation


def unconfirm_field(*, access: CharacterAccess, field: str, command_id: str = "") -> None:
    """Take a confirmation back."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return
        must_edit(here)
        must_be_gm(here)
        character = here.character
        gone, _by_model = Confirmation.objects.filter(character=character, field=field).delete()
        if gone:
            _tell_pair(w, "character.confirmed", character, {"field": field, "confirmed": False})
            summarise(w, character, check_fields(character, character.draft.fields))


def turn_down(*, access: CharacterAccess, field: str, command_id: str = "") -> TurnedDown:
    """Refuse a value for the whole campaign (GM): whoever has it has to choose another. Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, TurnedDown, "turned_down")
        must_edit(here)
        must_be_gm(here)
        campaign, value = here.campaign, here.character.draft.fields.get(field)
        if field not in services.refusable_fields(campaign.system) or not isinstance(value, str) or not value.strip():
            raise ActionRefused(_("知らない項目です：%(key)s") % {"key": field[:80]}, code="unknown_field", status=422)
        found, _made = TurnedDown.objects.get_or_create(
            campaign=campaign, field=field, value=value.strip()[:200], defaults={"by": here.seat}
        )
        Confirmation.objects.filter(
            character__campaign=campaign, field=field, value=confirmed_value(field, {field: value})
        ).delete()
        _tell_pair(w, "character.confirmed", here.character, {"field": field, "confirmed": False})
        recheck(w, campaign)
        w.result = {"turned_down": found.pk}
        return found


def _must_know(character: Character, field: str, *, required: bool = False) -> None:
    if (required and not field) or (field and not services.known_field(character.campaign.system, field)):
        raise ActionRefused(_("知らない項目です：%(key)s") % {"key": field[:80]}, code="unknown_field", status=422)


def _tell_pair(w: Write, kind: str, character: Character, data: dict[str, object]) -> None:
    """Review is between the owner and the GMs."""
    tell(w, kind, character, data, (f"seat:{character.owner_id}", "gm"))
