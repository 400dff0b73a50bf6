"""A demo's campaign, to act as any of its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accounts.models import User
from characters.actions import drafts
from characters.actions.drafts import FieldEdit
from characters.models import Campaign, Character
from characters.selectors.access import CampaignAccess, CharacterAccess, active_seat, character_for
from rulesets.engine.problems import Value


@dataclass(frozen=True, slots=True)
class Desk:
    """The campaign with its people, to act as any of them."""

    campaign: Campaign
    people: Mapping[str, User]

    def __getitem__(self, name: str) -> CampaignAccess:
        seat = active_seat(self.people[name], self.campaign)
        if seat is None:
            raise LookupError(name)
        return CampaignAccess(seat.campaign, seat)

    def at(self, name: str, character: Character) -> CharacterAccess:
        return character_for(self.people[name], character.slug)

    def edit(self, name: str, character: Character, changes: Mapping[str, Value]) -> None:
        access = self.at(name, character)
        now = access.character.draft.fields
        edits = {key: FieldEdit(now.get(key), value) for key, value in changes.items()}
        drafts.edit_draft(access=access, edits=edits)
