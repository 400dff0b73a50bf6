"""What the rules say about a draft or a revision, checked afresh with the party around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from characters.models import Campaign, Character, Confirmation, CreationRecord, Pool, Remark, Revision, TurnedDown
from characters.selectors.access import CharacterAccess
from characters.selectors.points import allocations_on, spent_by_seat
from rulesets import services
from rulesets.engine.problems import Report, Value
from rulesets.protocol import Context, Party

Fields = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class BuildView:
    """Fields with their report and what it was checked against. `number` is the revision's, None for a draft."""

    character: Character
    source: Literal["draft", "revision"]
    number: int | None
    fields: dict[str, Value]
    report: Report
    context: Context = field(default_factory=Context)

    @property
    def budget(self) -> int | None:
        """What the character may spend of its player's share; None where the table makes no shares."""
        party = self.context.party
        return party.allocation if party is not None and party.allocations_on else None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the checks of one campaign's characters have in common, read once for all of them."""

    pool: Pool | None
    spent: Mapping[int, int]  # seat pk -> points of that seat's saved PCs
    confirmations: Mapping[int, Sequence[Confirmation]]  # character pk -> what the GM confirmed
    refused: frozenset[tuple[str, Value]] = frozenset()  # values the GM turned down for the campaign


def surroundings(campaign: Campaign, characters: Sequence[Character]) -> Surroundings:
    """For checking these characters of a campaign one after the other."""
    confirmations: dict[int, list[Confirmation]] = {}
    for row in Confirmation.objects.filter(character__in=[character.pk for character in characters if character.pk]):
        confirmations.setdefault(row.character_id, []).append(row)
    pool = Pool.objects.filter(campaign=campaign).first()
    return Surroundings(pool, spent_by_seat(campaign), confirmations, _refused(campaign))


def _refused(campaign: Campaign) -> frozenset[tuple[str, Value]]:
    if not services.refusable_fields(campaign.system):
        return frozenset()
    return frozenset(TurnedDown.objects.filter(campaign=campaign).values_list("field", "value"))


def same_value(a: Value, b: Value) -> bool:
    """Equality of field values; `True` and `1` differ."""
    return type(a) is type(b) and a == b


def same_fields(a: Fields, b: Fields) -> bool:
    return a.keys() == b.keys() and all(same_value(a[key], b[key]) for key in a)


def _party(character: Character, around: Surroundings) -> Party | None:
    """The pool as a PC's check sees it: what others spent, and what this character may spend of the seat's share."""
    if character.kind != Character.Kind.PC or around.pool is None:
        return None
    counted = 0 if character.deleted_at is not None else character.spent
    siblings = around.spent.get(character.owner_id, 0) - counted
    return Party(
        pool=around.pool.total,
        others_spent=around.pool.spent - counted,
        allocation=max(0, character.owner.allocation - siblings),
        allocations_on=allocations_on(character.campaign),
    )


def context_of(
    character: Character, fields: Fields, *, revision: Revision | None = None, around: Surroundings | None = None
) -> Context:
    """The context of a check: kind, party, and the fields the GM confirmed as they are in `fields`.

    `revision`: the fields are that revision's, looked at again; else they are what the draft is or could be.
    """
    around = around or surroundings(character.campaign, [character])
    newest = character.revision
    confirmed = around.confirmations.get(character.pk, ())
    return Context(
        kind="npc" if character.kind == Character.Kind.NPC else "pc",
        party=_party(character, around),
        confirmed=frozenset(row.field for row in confirmed if row.value == confirmed_value(row.field, fields)),
        refused=around.refused,
        saved=revision is not None,
        allowed=frozenset(revision.problems) if revision is not None else frozenset(),
        previous=newest.fields if revision is None and newest is not None else None,
    )


def confirmed_value(field: str, fields: Fields) -> dict[str, Value]:
    """What a confirmation is about: the value, and the texts of the same row (a skill's speciality, an item's name)."""
    row = field.rpartition(".")[0]
    beside = {
        key: value
        for key, value in sorted(fields.items())
        if row and key != field and key.rpartition(".")[0] == row and isinstance(value, str)
    }
    return {"": fields.get(field), **beside}


def check_fields(character: Character, fields: Fields, around: Surroundings | None = None) -> Report:
    """Check any fields as if they were this character's draft."""
    return _checked(character, fields, context_of(character, fields, around=around))


def check_revision(character: Character, revision: Revision, around: Surroundings | None = None) -> Report:
    """Check a revision of this character under today's rules and pool."""
    context = context_of(character, revision.fields, revision=revision, around=around)
    return _checked(character, revision.fields, context)


def _checked(character: Character, fields: Fields, context: Context) -> Report:
    campaign = character.campaign
    return services.check(campaign.system, fields, campaign.house_rules, context)


def shown_fields(access: CharacterAccess, fields: Fields) -> dict[str, Value]:
    """Fields as this viewer may read them: some games keep a few between the player and the GMs."""
    if access.audience in ("owner", "gm"):
        return dict(fields)
    private = services.private_fields(access.campaign.system, fields)
    return {key: value for key, value in fields.items() if key not in private}


def draft_view(access: CharacterAccess, around: Surroundings | None = None) -> BuildView:
    """The draft with its report."""
    character = access.character
    fields = shown_fields(access, character.draft.fields)
    context = context_of(character, fields, around=around)
    return BuildView(character, "draft", None, fields, _checked(character, fields, context), context)


def revision_view(
    access: CharacterAccess, number: int | None = None, around: Surroundings | None = None
) -> BuildView | None:
    """A revision (the newest by default) with its report under today's rules; None when there is none."""
    revision = revision_of(access.character, number)
    if revision is None:
        return None
    fields = shown_fields(access, revision.fields)
    context = context_of(access.character, fields, revision=revision, around=around)
    report = _checked(access.character, fields, context)
    return BuildView(access.character, "revision", revision.number, fields, report, context)


def sheet_view(access: CharacterAccess, around: Surroundings | None = None) -> BuildView:
    """What a sheet shows: the newest revision, or the draft as long as nothing was saved."""
    return revision_view(access, around=around) or draft_view(access, around)


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


def creation_records(character: Character) -> list[CreationRecord]:
    """The dice of its creation, oldest first."""
    return list(CreationRecord.objects.filter(character=character).order_by("pk"))


def rolled_fields(fields: Fields, records: Iterable[CreationRecord]) -> dict[str, CreationRecord]:
    """Field key -> the record of the dice it came from, for values that still are as rolled. Records oldest first."""
    found: dict[str, CreationRecord] = {}
    for row in records:
        for key, value in row.record.get("changes", {}).items():
            found.pop(key, None)
            if key in fields and same_value(fields[key], value):
                found[key] = row
    return found
