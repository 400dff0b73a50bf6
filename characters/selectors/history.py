"""What changed between two builds, in words, for every game alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from characters.models import Character, DraftBackup, PlayResult, Revision
from characters.selectors.access import CharacterAccess
from characters.selectors.builds import same_value, shown_fields
from rulesets import services
from rulesets.engine.problems import Value
from rulesets.engine.text import Text

Fields = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs. A side that has no such field is None, in value and in words."""

    key: str
    label: Text
    before: Value
    after: Value
    before_text: Text | None
    after_text: Text | None


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """A revision with what it changed against the one before it."""

    revision: Revision
    changes: tuple[FieldChange, ...]
    is_newest: bool
    is_cleared: bool


def difference(character: Character, before: Fields, after: Fields) -> list[FieldChange]:
    """The fields that differ, in the order they stand in (new ones last)."""
    order = [*before, *(key for key in after if key not in before)]
    return [
        change_of(character, key, before.get(key), after.get(key))
        for key in order
        if not same_value(before.get(key), after.get(key))
    ]


def change_of(character: Character, key: str, before: Value, after: Value) -> FieldChange:
    """One difference in words (also for showing a conflict)."""
    system, rules = character.campaign.system, character.campaign.house_rules

    def words(value: Value) -> Text | None:
        return None if value is None else services.field_text(system, key, value, rules)

    return FieldChange(key, services.field_label(system, key, rules), before, after, words(before), words(after))


def history(access: CharacterAccess, *, limit: int = 100) -> list[RevisionLine]:
    """The revisions, newest first, for those who may edit or at least see the sheet."""
    character = access.character
    found = list(character.revisions.select_related("made_by")[: limit + 1])
    lines = []
    for place, revision in enumerate(found[:limit]):
        older = found[place + 1].fields if place + 1 < len(found) else {}
        lines.append(
            RevisionLine(
                revision,
                tuple(difference(character, shown_fields(access, older), shown_fields(access, revision.fields))),
                is_newest=revision.pk == character.revision_id,
                is_cleared=revision.pk == character.cleared_id,
            )
        )
    return lines


def revision_changes(access: CharacterAccess, number: int, against: int | None = None) -> list[FieldChange] | None:
    """What revision `number` changed against another one (by default the one before); None when there is none."""
    revisions = access.character.revisions
    revision = revisions.filter(number=number).first()
    if revision is None:
        return None
    other = revisions.filter(number=number - 1 if against is None else against).first()
    before = shown_fields(access, other.fields) if other else {}
    return difference(access.character, before, shown_fields(access, revision.fields))


def draft_changes(access: CharacterAccess) -> list[FieldChange]:
    """What the draft would change against the newest revision."""
    character = access.character
    before = character.revision.fields if character.revision else {}
    return difference(character, before, character.draft.fields)


def restore_changes(access: CharacterAccess, number: int) -> list[FieldChange] | None:
    """What restoring a revision would change in the draft; None when there is no such revision."""
    revision = access.character.revisions.filter(number=number).first()
    return None if revision is None else difference(access.character, access.character.draft.fields, revision.fields)


def highlights(character: Character, fields: Fields) -> frozenset[str]:
    """Fields that differ from what the GM cleared last; none before the first clearing."""
    if character.cleared is None:
        return frozenset()
    cleared = character.cleared.fields
    return frozenset(key for key in {*cleared, *fields} if not same_value(cleared.get(key), fields.get(key)))


def backups(access: CharacterAccess) -> list[DraftBackup]:
    """Drafts that something replaced, newest first, for those who may edit."""
    return list(access.character.draft_backups.select_related("by")) if access.may_edit else []


def play_results(access: CharacterAccess, *, limit: int = 10) -> list[PlayResult]:
    """What finished tables left on the character, newest first, for members of its campaign who may see the sheet."""
    return list(access.character.play_results.all()[:limit]) if access.seat is not None else []
