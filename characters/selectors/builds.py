"""What the rules say about a draft or a revision, checked afresh with the party around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.db.models import Sum

from characters.models import Character, Confirmation, CreationRecord, Pool, Remark, Revision
from characters.selectors.access import CharacterAccess
from characters.selectors.pool import allocations_on, pcs
from rulesets import services
from rulesets.engine.problems import Report, Value
from rulesets.protocol import Context, Party

Fields = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class BuildView:
    """Fields with their report. `number` is the revision's, None for a draft."""

    character: Character
    source: Literal["draft", "revision"]
    number: int | None
    fields: dict[str, Value]
    report: Report


def same_value(a: Value, b: Value) -> bool:
    """Equality of field values; `True` and `1` differ."""
    return type(a) is type(b) and a == b


def same_fields(a: Fields, b: Fields) -> bool:
    return a.keys() == b.keys() and all(same_value(a[key], b[key]) for key in a)


def party_around(character: Character) -> Party | None:
    """The pool as a PC's check sees it: what others spent, and what this character may spend of the seat's share."""
    if character.kind != Character.Kind.PC:
        return None
    pool = Pool.objects.filter(campaign_id=character.campaign_id).first()
    if pool is None:
        return None
    counted = 0 if character.deleted_at is not None else character.spent
    siblings = pcs(character.campaign).filter(owner_id=character.owner_id).exclude(pk=character.pk)
    others = siblings.aggregate(n=Sum("spent"))["n"] or 0
    return Party(
        pool=pool.total,
        others_spent=pool.spent - counted,
        allocation=max(0, character.owner.allocation - others),
        allocations_on=allocations_on(character.campaign),
    )


def context_of(character: Character, fields: Fields, *, saved: bool = False) -> Context:
    """The context of a check: kind, party, and the fields the GM confirmed as they are in `fields`.

    `saved`: the fields are a revision made earlier, looked at again.
    """
    return Context(
        kind="npc" if character.kind == Character.Kind.NPC else "pc",
        party=party_around(character),
        confirmed=confirmed_fields(character, fields),
        saved=saved,
        previous=None if saved or character.revision is None else character.revision.fields,
    )


def confirmed_fields(character: Character, fields: Fields) -> frozenset[str]:
    """Fields whose confirmation still holds: neither the value nor the words beside it changed."""
    if character.pk is None:
        return frozenset()
    rows = Confirmation.objects.filter(character=character)
    return frozenset(row.field for row in rows if row.value == confirmed_value(row.field, fields))


def confirmed_value(field: str, fields: Fields) -> dict[str, Value]:
    """What a confirmation is about: the value, and the texts of the same row (a skill's speciality, an item's name)."""
    row = field.rpartition(".")[0]
    beside = {
        key: value
        for key, value in sorted(fields.items())
        if row and key != field and key.rpartition(".")[0] == row and isinstance(value, str)
    }
    return {"": fields.get(field), **beside}


def check_fields(character: Character, fields: Fields, *, saved: bool = False) -> Report:
    """Check any fields as if they were this character's draft, or (`saved`) a revision of it."""
    campaign = character.campaign
    return services.check(campaign.system, fields, campaign.house_rules, context_of(character, fields, saved=saved))


def draft_view(access: CharacterAccess) -> BuildView:
    """The draft with its report."""
    character = access.character
    fields = dict(character.draft.fields)
    return BuildView(character, "draft", None, fields, check_fields(character, fields))


def revision_view(access: CharacterAccess, number: int | None = None) -> BuildView | None:
    """A revision (the newest by default) with its report under today's rules; None when there is none."""
    revision = revision_of(access.character, number)
    if revision is None:
        return None
    fields = dict(revision.fields)
    report = check_fields(access.character, fields, saved=True)
    return BuildView(access.character, "revision", revision.number, fields, report)


def sheet_view(access: CharacterAccess) -> BuildView:
    """What a sheet shows: the newest revision, or the draft as long as nothing was saved."""
    return revision_view(access) or draft_view(access)


def revision_of(character: Character, number: int | None = None) -> Revision | None:
    """A revision by number, or the newest."""
    if number is None:
        return character.revision
    return character.revisions.filter(number=number).first()


def draft_differs(character: Character) -> bool:
    """Whether the draft holds anything the newest revision does not."""
    revision = character.revision
    return revision is None or not same_fields(character.draft.fields, revision.fields)


def open_remarks(access: CharacterAccess) -> list[Remark]:
    """Unsettled remarks, for the owner and the GMs."""
    if not (access.is_owner or access.is_gm):
        return []
    return list(access.character.remarks.filter(settled_at=None).select_related("by").order_by("pk"))


def rolled_fields(character: Character, fields: Fields) -> dict[str, CreationRecord]:
    """Field key -> the record of the dice it came from, for values that still are as rolled."""
    found: dict[str, CreationRecord] = {}
    for row in CreationRecord.objects.filter(character=character).order_by("pk"):
        for key, value in row.record.get("changes", {}).items():
            found.pop(key, None)
            if key in fields and same_value(fields[key], value):
                found[key] = row
    return found
