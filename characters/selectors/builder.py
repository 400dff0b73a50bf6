"""What the builder page reads beside the build itself: remarks, what was cleared, evidence of dice."""

from __future__ import annotations

from dataclasses import dataclass

from characters.models import Campaign, Character, CreationRecord, Remark, Revision, Seat
from characters.selectors.access import CharacterAccess
from characters.selectors.builds import BuildView, creation_records, draft_view, open_remarks, rolled_fields
from live import topics
from rulesets.engine.problems import Value


@dataclass(frozen=True, slots=True)
class BuilderData:
    """A draft with everything around it, read in one go."""

    access: CharacterAccess
    view: BuildView
    version: int
    remarks: tuple[Remark, ...]
    cleared: Revision | None
    rolled: dict[str, CreationRecord]
    rolled_steps: frozenset[str]
    next_number: int
    topic: str
    seq: int

    @property
    def character(self) -> Character:
        return self.access.character

    @property
    def campaign(self) -> Campaign:
        return self.access.campaign

    @property
    def fields(self) -> dict[str, Value]:
        return self.view.fields


def builder_data(access: CharacterAccess) -> BuilderData:
    """The draft as it is now; `access.character` is read again, so that an action's change shows."""
    character = (
        Character.objects.select_related("campaign", "owner__user", "revision", "cleared", "draft")
        .filter(pk=access.character.pk)
        .get()
    )
    access = CharacterAccess(character, access.seat)
    # The number of the page comes first: whatever happens while it is drawn is then repeated by the stream.
    seq = topics.current_seq(character.campaign.topic)
    view = draft_view(access)
    records = creation_records(character)
    newest = character.revision
    return BuilderData(
        access=access,
        view=view,
        version=character.draft.version,
        remarks=tuple(open_remarks(access)),
        cleared=character.cleared,
        rolled=rolled_fields(view.fields, records),
        rolled_steps=frozenset(record.step for record in records),
        next_number=(newest.number if newest else 0) + 1,
        topic=character.campaign.topic,
        seq=seq,
    )


def is_level(access: CharacterAccess, version: str, seq: str) -> bool:
    """Whether a page drawn from this draft version and event number still shows everything as it is."""
    character = access.character
    newest = topics.current_seq(character.campaign.topic)
    return version == str(character.draft.version) and seq == str(newest)


def players_beside(access: CharacterAccess) -> list[Seat]:
    """The players a GM may hand this PC to."""
    if not access.is_gm or access.character.kind != Character.Kind.PC:
        return []
    rows = access.campaign.seats.filter(role="player", removed_at=None)
    return [seat for seat in rows if seat.pk != access.character.owner_id or access.character.deleted_at is not None]
