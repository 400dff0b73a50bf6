"""People and tables for tests, made through the site's own actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import factory
from django.contrib.auth import get_user_model

from characters.actions import campaigns, drafts, members
from characters.actions.drafts import FieldEdit
from characters.models import Campaign, Character, Role, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess, active_seat

# The worked example of rules/edo.md §4.9: 280 points, legal under preset A.
WORKED_EXAMPLE: dict[str, Any] = {
    "role": "co_lead",
    "abilities.mind": 7,
    "abilities.gi": 7,
    "abilities.body": 6,
    "skills.kenjutsu.level": 5,
    "skills.kenpo.level": 3,
    "skills.jujutsu.level": 3,
    "skills.taisabaki.level": 3,
    "skills.onmitsu.level": 2,
    "skills.undo.level": 2,
    "skills.yomikaki.level": 2,
    "skills.bukeshakai.level": 2,
    "skills.chikaku.level": 4,
    "style_skill": "kenjutsu",
    "perks.opp_defence_harder": True,
    "perks.iai": True,
    "endurance_bought": 2,
    "names.family": "桐生",
    "names.given": "新八郎",
}
WORKED_EXAMPLE_COST = 280


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = get_user_model()
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"user{n}")
    nickname = factory.LazyAttribute(lambda user: user.username)


@dataclass
class Table:
    """A campaign with its people; `access("nagisa")` is what that person may do there."""

    campaign: Campaign
    users: dict[str, Any] = field(default_factory=dict)

    def seat(self, name: str) -> Seat:
        return Seat.objects.select_related("user", "campaign").get(campaign=self.campaign, user=self.users[name])

    def access(self, name: str) -> CampaignAccess:
        seat = self.seat(name)
        return CampaignAccess(seat.campaign, seat)

    def view(self, name: str | None, character: Character, *, by_link: bool = False) -> CharacterAccess:
        """The access of somebody (None: a stranger) to a character, read afresh and not gated."""
        row = Character.objects.select_related("campaign", "owner", "revision", "cleared", "draft").get(pk=character.pk)
        user = self.users.get(name) if name else None
        return CharacterAccess(row, active_seat(user, row.campaign) if user else None, by_link=by_link)

    def join(self, name: str, role: str = Role.PLAYER) -> Seat:
        self.users.setdefault(name, UserFactory(username=f"{name}-{self.campaign.pk}"))
        wanted = role if role in (Role.PLAYER, Role.SPECTATOR) else Role.PLAYER
        _invitation, token = members.create_invitation(access=self.access("gm"), role=wanted)
        seat = members.join_campaign(user=self.users[name], token=token, name=name)
        if role != wanted:
            seat = members.set_role(access=self.access("gm"), seat=seat, role=role)
        return seat

    def make(self, name: str, fields: Mapping[str, Any] | None = None, **kwargs: Any) -> Character:
        return drafts.create_character(access=self.access(name), fields=fields, **kwargs)

    def edit(self, name: str, character: Character, **changes: Any) -> drafts.DraftSaved:
        """Set fields from whatever they are now; `__` in a name stands for a dot."""
        now = self.view(name, character)
        edits = {
            key.replace("__", "."): FieldEdit(now.character.draft.fields.get(key.replace("__", ".")), value)
            for key, value in changes.items()
        }
        return drafts.edit_draft(access=now, edits=edits)


def make_table(*players: str, system: str = "edo", pool: int | None = None, **kwargs: Any) -> Table:
    """A campaign of `gm` with these players."""
    gm = UserFactory()
    campaign = campaigns.create_campaign(user=gm, system=system, name="大川端捕物控", gm_name="雪村", **kwargs)
    table = Table(campaign, {"gm": gm})
    for name in players:
        table.join(name)
    if pool is not None:
        from characters.actions.pool import set_pool

        set_pool(access=table.access("gm"), total=pool)
    return table
