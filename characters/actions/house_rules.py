"""Changing one house rule at a time, so that two GMs at work on different rows lose nothing of each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from characters.actions.campaigns import set_house_rules
from characters.actions.writing import campaign_write
from characters.models import Campaign
from characters.selectors.access import CampaignAccess

Change = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def change_house_rules(*, access: CampaignAccess, change: Change, command_id: str = "") -> Campaign:
    """Apply `change` (today's override -> the new one) behind the campaign's lock. Raises ActionRefused.

    `change` may raise ActionRefused itself, for instance when its row was changed meanwhile.
    """
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return here.campaign
        return set_house_rules(access=here, overrides=change(dict(here.campaign.house_rules)))
