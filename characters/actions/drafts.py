"""Drafts: making a character, saving fields one by one, rolling at creation, replacing the whole.

An edit carries the value it was based on. Where the draft still holds that value (or already the new one) it is taken;
otherwise both values are kept and shown, so that of two people typing at once nobody loses anything.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.characters import must_have_room, sound_count
from characters.actions.errors import ActionRefused, FieldConflict, FieldRefused
from characters.actions.events import tell
from characters.actions.recheck import summarise
from characters.actions.text import clean, too_long
from characters.actions.writing import (
    audience_of,
    campaign_write,
    character_write,
    fresh,
    must,
    must_be_gm,
    must_edit,
    seat_of,
)
from characters.models import Character, CreationRecord, Draft, DraftBackup, Role, Seat, Visibility
from characters.selectors.access import CampaignAccess, CharacterAccess
from characters.selectors.builds import check_fields, draft_differs, same_fields, same_value
from live.topics import Write
from rulesets import services
from rulesets.engine.dice import DiceSource, FacesLeft, FacesMissing, ScriptedDice, WrongFace
from rulesets.engine.problems import Value
from rulesets.protocol import Created

MAX_KEPT = 200  # characters of a refused text that the log of commands keeps
MAX_NUMBER = 1_000_000
MAX_FIELDS = 400  # keys of one draft
MAX_BACKUPS = 20


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """One field as a person left it. `base` is the value it had when they began; None means not there."""

    base: Value
    value: Value


@dataclass(frozen=True, slots=True)
class DraftSaved:
    """What became of a save: `saved` are the fields now as typed, `merged` those somebody else changed since the
    version the page was made from (key -> value now), `conflicts` and `refused` those that were not taken."""

    version: int
    saved: tuple[str, ...] = ()
    merged: Mapping[str, Value] | None = None
    conflicts: tuple[FieldConflict, ...] = ()
    refused: tuple[FieldRefused, ...] = ()

    @property
    def clean(self) -> bool:
        return not self.conflicts and not self.refused


# ---------------------------------------------------------------- a new character


def create_character(
    *,
    access: CampaignAccess,
    kind: str = "pc",
    fields: Mapping[str, Value] | None = None,
    preset: str | None = None,
    count: int = 1,
    owner: Seat | int | None = None,
    command_id: str = "",
) -> Character:
    """Make a PC (a player for themselves, a GM for a player) or an NPC (GMs).

    A legal NPC gets its first revision at once; everything else starts as a draft. Raises ActionRefused.
    """
    from characters.actions.builds import save_npc

    count = sound_count(count)
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return fresh(int(w.result.get("character", 0)), here.seat).character
        npc = kind == Character.Kind.NPC
        seat = here.seat if owner is None else seat_of(here, owner)
        if npc:
            must_be_gm(here)
        else:
            must(here.is_player or here.is_gm, _("見学の人は人物を作れません。"))
            must(here.is_gm or seat.pk == here.seat.pk, _("ほかの人の人物は作れません。"))
            if seat.role != Role.PLAYER:
                raise ActionRefused(
                    _("PCの持ち主はプレイヤーでなければなりません。"), code="owner", field="owner", status=422
                )
        must_have_room(here.campaign)
        start = dict(fields) if fields is not None else _start(here, "npc" if npc else "pc", preset)
        _must_be_known(here.campaign.system, start)
        character = Character.objects.create(
            campaign=here.campaign,
            owner=seat,
            kind=Character.Kind.NPC if npc else Character.Kind.PC,
            visibility=Visibility.GM if npc else Visibility.GROUP,
            count=count if npc else 1,
            name=_name(here.campaign.system, start),
        )
        draft = Draft(character=character, fields=start, authors=_signed(start, here.seat, 1))
        draft.save(force_insert=True)
        character.draft = draft
        tell(w, "character.made", character, {"count": character.count})
        summarise(w, character, check_fields(character, start))
        if npc:
            save_npc(w, character, here.seat)
        w.result = {"character": character.pk}
        return character


def _start(here: CampaignAccess, kind: Any, preset: str | None) -> dict[str, Value]:
    system, rules = here.campaign.system, here.campaign.house_rules
    if preset is None:
        return dict(services.blank(system, kind, rules))
    for row in services.presets(system, rules):
        if row.id == preset:
            return dict(row.fields)
    raise ActionRefused(_("そのひな型はありません。"), code="unknown_preset", field="preset", status=404)


def _must_be_known(system: str, fields: Mapping[str, Value]) -> None:
    for key in fields:
        if not services.known_field(system, key):
            raise ActionRefused(_("知らない項目です：%(key)s") % {"key": key[:80]}, code="unknown_field", status=422)


# ---------------------------------------------------------------- saving fields


def edit_draft(
    *,
    access: CharacterAccess,
    edits: Mapping[str, FieldEdit],
    seen_version: int | None = None,
    command_id: str = "",
) -> DraftSaved:
    """Save fields one by one. Everything that can be taken is taken, whatever becomes of the rest.

    `seen_version` is the draft version the page was made from: with it, `merged` lists what others changed since.
    Raises ActionRefused only for somebody who may not edit.
    """
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return saved_again(w.result)
        must_edit(here)
        character, draft = here.character, here.character.draft
        fields = dict(draft.fields)
        label = _labels(character)
        saved: list[str] = []
        changed: dict[str, Value] = {}
        conflicts: list[FieldConflict] = []
        refused: list[FieldRefused] = []
        for key, edit in edits.items():
            value = clean(edit.value) if isinstance(edit.value, str) else edit.value
            if (no := _refusal(character.campaign.system, key, value, label)) is not None:
                refused.append(no)
                continue
            now = fields.get(key)
            if same_value(now, value):
                saved.append(key)
            elif same_value(now, edit.base):
                saved.append(key)
                changed[key] = value
            else:
                conflicts.append(_conflict(draft, key, edit.base, value))
        if len({*fields, *changed}) > MAX_FIELDS:
            raise ActionRefused(_("この人物の項目が多すぎます。"), code="too_many_fields", status=422)
        merged = _changed_by_others(draft, seen_version, here.seat, edits)
        if changed:
            _apply(w, here, changed)
        result = DraftSaved(draft.version, tuple(saved), merged, tuple(conflicts), tuple(refused))
        w.result = saved_result(result)
        return result


def set_fields(w: Write, here: CharacterAccess, changes: Mapping[str, Value]) -> None:
    """Set draft fields behind the lock, without comparing (creation rolls, repairs of the server's own)."""
    _must_be_known(here.campaign.system, changes)
    fields = here.character.draft.fields
    different = {key: value for key, value in changes.items() if not same_value(fields.get(key), value)}
    if different:
        _apply(w, here, different)


def replace_draft(
    *, access: CharacterAccess, fields: Mapping[str, Value], reason: str = "replace", command_id: str = ""
) -> DraftSaved:
    """Put other fields in place of the whole draft; the old one is kept as a backup. Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return saved_again(w.result)
        must_edit(here)
        put_in_place(w, here, fields, reason)
        result = DraftSaved(here.character.draft.version, tuple(fields))
        w.result = saved_result(result)
        return result


def restore_backup(*, access: CharacterAccess, backup: DraftBackup | int, command_id: str = "") -> DraftSaved:
    """Take a replaced draft back. Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return saved_again(w.result)
        must_edit(here)
        pk = backup if isinstance(backup, int) else backup.pk
        found = DraftBackup.objects.filter(pk=pk, character=here.character).first()
        if found is None:
            raise ActionRefused(_("その控えはありません。"), code="no_such_backup", status=404)
        put_in_place(w, here, found.fields, "restore")
        result = DraftSaved(here.character.draft.version, tuple(found.fields))
        w.result = saved_result(result)
        return result


def put_in_place(w: Write, here: CharacterAccess, fields: Mapping[str, Value], reason: str) -> None:
    """Replace the whole draft behind the lock, keeping the old one unless a revision holds it."""
    character, draft = here.character, here.character.draft
    known = {key: value for key, value in fields.items() if services.known_field(here.campaign.system, key)}
    old = draft.fields
    if same_fields(old, known):
        return
    saved = character.revisions.values_list("fields", flat=True)
    if not any(same_fields(old, fields) for fields in saved):
        DraftBackup.objects.create(character=character, fields=old, reason=reason, by=here.seat)
        stale = character.draft_backups.values_list("pk", flat=True)[MAX_BACKUPS:]
        DraftBackup.objects.filter(pk__in=list(stale)).delete()
    gone = {key: None for key in old if key not in known}
    different = {key: value for key, value in known.items() if not same_value(old.get(key), value)}
    _apply(w, here, {**gone, **different})


def _apply(w: Write, here: CharacterAccess, changes: Mapping[str, Value]) -> None:
    """Write changes (None removes) into the draft with their author, and tell what the change means."""
    character, draft = here.character, here.character.draft
    before = character.name, draft_differs(character)
    fields = {key: value for key, value in {**draft.fields, **changes}.items() if value is not None}
    draft.version += 1
    draft.fields = fields
    draft.authors = {**draft.authors, **_signed(changes, here.seat, draft.version)}
    draft.save(update_fields=["fields", "authors", "version", "updated_at"])
    name = _name(character.campaign.system, fields)
    if name != character.name:
        character.name = name
    character.save(update_fields=["name", "updated_at"])
    # As long as nothing was saved, the group's page shows the draft's values themselves.
    visibly = character.revision is None or before != (character.name, draft_differs(character))
    summarise(w, character, check_fields(character, fields), tell_anyway=visibly)


def _refusal(system: str, key: str, value: Value, label: Any) -> FieldRefused | None:
    if not services.known_field(system, key):
        return FieldRefused(key[:80], value, _("知らない項目です：%(key)s") % {"key": key[:80]}, "unknown_field")
    most = services.text_max(system, key)
    if isinstance(value, str) and len(value) > most:
        return FieldRefused(key, value, too_long(label(key), most, len(value)), "too_long")
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        message = _("%(label)sの数が大きすぎます。") % {"label": label(key)}
        return FieldRefused(key, value if abs(value) < 10**18 else None, message, "too_big")
    if value is not None and not isinstance(value, str | int | bool):
        return FieldRefused(key, None, _("この値は入れられません。"), "type")
    return None


def _conflict(draft: Draft, key: str, base: Value, yours: Value) -> FieldConflict:
    author = draft.authors.get(key, {})
    return FieldConflict(key, base, yours, draft.fields.get(key), by=author.get("name", ""), at=author.get("at", ""))


def _changed_by_others(
    draft: Draft, seen: int | None, seat: Seat | None, edits: Mapping[str, FieldEdit]
) -> dict[str, Value]:
    if seen is None or seat is None:
        return {}
    return {
        key: draft.fields.get(key)
        for key, author in draft.authors.items()
        if author.get("v", 0) > seen and author.get("seat") != seat.pk and key not in edits
    }


def _signed(fields: Mapping[str, Value], seat: Seat | None, version: int) -> dict[str, Any]:
    at = timezone.now().isoformat(timespec="seconds")
    sign = {"seat": seat.pk if seat else None, "name": seat.name if seat else "", "at": at, "v": version}
    return dict.fromkeys(fields, sign)


def _labels(character: Character) -> Any:
    def label(key: str) -> str:
        text = services.field_label(character.campaign.system, key, character.campaign.house_rules)
        return text.pick(get_language() or "ja")

    return label


def _name(system: str, fields: Mapping[str, Value]) -> str:
    return services.display_name(system, fields)[:300]


def saved_result(saved: DraftSaved) -> dict[str, Any]:
    data = asdict(saved)
    for row in data["refused"]:  # the page still holds what was refused; the log of commands need not
        if isinstance(row["value"], str):
            row["value"] = row["value"][:MAX_KEPT]
    data["merged"] = dict(saved.merged or {})
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]


def saved_again(result: Mapping[str, Any]) -> DraftSaved:
    if "version" not in result:
        raise ActionRefused(_("この操作はもう済んでいます。ページを読み込み直してください。"), code="already_done")
    return DraftSaved(
        version=result["version"],
        saved=tuple(result["saved"]),
        merged=result["merged"],
        conflicts=tuple(FieldConflict(**row) for row in result["conflicts"]),
        refused=tuple(FieldRefused(**row) for row in result["refused"]),
    )


# ---------------------------------------------------------------- dice of creation


def roll_creation(
    *, access: CharacterAccess, step: str, told_faces: Sequence[int] | None = None, command_id: str = ""
) -> CreationRecord:
    """Roll a creation step on the server, or enter the faces of real dice (marked as told).

    A player rolls a step once; only a GM may roll it again. Raises ActionRefused.
    """
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            found = CreationRecord.objects.filter(pk=w.result.get("record") or 0, character=here.character).first()
            if found is None:
                raise ActionRefused(_("この操作はもう済んでいます。"), code="already_done")
            return found
        must_edit(here)
        character = here.character
        if not here.is_gm and character.creation_records.filter(step=step).exists():
            raise ActionRefused(_("もう振ってあります。振り直せるのはGMだけです。"), code="already_rolled", field=step)
        told = told_faces is not None
        dice = w.dice(audience_of(character))
        source: DiceSource = ScriptedDice(list(told_faces)) if told_faces is not None else dice
        created = _create(here, step, source)
        if isinstance(source, ScriptedDice):
            with _faces_fit(step):
                source.finish()
        draw = None if told else dice.number
        data = {"step": step, "faces": list(created.faces), "told": told, "draw": draw}
        event = tell(w, "character.rolled", character, data)  # first: a draw belongs to the next event
        set_fields(w, here, created.changes)
        record = CreationRecord.objects.create(
            character=character,
            step=step,
            faces=list(created.faces),
            told=told,
            draw=draw,
            event_seq=event.seq,
            record={"changes": dict(created.changes), **created.record},
        )
        w.result = {"record": record.pk}
        return record


def _create(here: CharacterAccess, step: str, source: DiceSource) -> Created:
    campaign, fields = here.campaign, here.character.draft.fields
    with _faces_fit(step):
        try:
            return services.create(campaign.system, step, fields, campaign.house_rules, source)
        except services.Refusal as refusal:
            message = refusal.message.pick(get_language() or "ja")
            raise ActionRefused(message, code=refusal.code, field=step, status=422) from refusal


@contextlib.contextmanager
def _faces_fit(step: str) -> Iterator[None]:
    """Told faces that are too few, too many or on no die become a message at the field."""
    try:
        yield
    except FacesMissing as error:
        raise ActionRefused(_("目が足りません。"), code="faces", field=step, status=422) from error
    except FacesLeft as error:
        raise ActionRefused(_("目が多すぎます。"), code="faces", field=step, status=422) from error
    except WrongFace as error:
        raise ActionRefused(_("その目はこのダイスにありません。"), code="faces", field=step, status=422) from error
