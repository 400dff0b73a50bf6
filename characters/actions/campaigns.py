"""Making a campaign, its description and its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.events import tell_all
from characters.actions.pool import player_number, pool_size, refresh_total
from characters.actions.recheck import recheck
from characters.actions.text import line, paragraph
from characters.actions.writing import campaign_write, must_be_gm
from characters.models import Campaign, Pool, Role, Seat
from characters.selectors.access import CampaignAccess
from live import topics
from rulesets import services


def create_campaign(
    *,
    user: Any,
    system: str,
    name: str,
    gm_name: str,
    description: str = "",
    house_rules: Mapping[str, Any] | None = None,
    players: int | None = None,
    command_id: str = "",
) -> Campaign:
    """Make a campaign with the user as its GM. `players` is the expected number; None follows the seats taken.

    The same press again gives the same campaign. Raises ActionRefused.
    """
    try:
        services.get(system)
    except services.UnknownSystem:
        raise ActionRefused(_("そのゲームはありません。"), code="unknown_system", field="system", status=400) from None
    name = line(name, field="name", label=_("卓の名前"), limit=100, required=True)
    gm_name = line(gm_name, field="gm_name", label=_("呼び名"), limit=40, required=True)
    description = paragraph(description, field="description", label=_("説明"), limit=4000)
    rules = sound_rules(system, house_rules or {})
    players = player_number(players)
    command = topics.command_key(command_id)
    try:
        with transaction.atomic():
            if command and (made := Campaign.objects.filter(made_by=user, made_command=command).first()):
                return made
            campaign = Campaign.objects.create(
                system=system,
                name=name,
                description=description,
                house_rules=rules,
                made_by=user,
                made_command=command,
            )
            seat = Seat.objects.create(campaign=campaign, user=user, role=Role.GM, name=gm_name)
            total = pool_size(campaign, override=None, players=players)
            if total is not None:
                Pool.objects.create(campaign=campaign, total=total, players=players)
            topics.ensure_topic(campaign.topic)
            with topics.write(campaign.topic, actor=seat.audience) as w:
                tell_all(w, "campaign.made", {"name": name, "system": system})
            return campaign
    except IntegrityError:
        made = Campaign.objects.filter(made_by=user, made_command=command).first() if command else None
        if made is None:
            raise
        return made


def edit_campaign(*, access: CampaignAccess, name: str, description: str, command_id: str = "") -> Campaign:
    """Change name and description. Raises ActionRefused."""
    name = line(name, field="name", label=_("卓の名前"), limit=100, required=True)
    description = paragraph(description, field="description", label=_("説明"), limit=4000)
    with campaign_write(access, command_id) as (w, here):
        campaign = here.campaign
        if w.repeated:
            return campaign
        must_be_gm(here)
        changed = [
            key for key, value in (("name", name), ("description", description)) if getattr(campaign, key) != value
        ]
        if changed:
            campaign.name, campaign.description = name, description
            campaign.save(update_fields=["name", "description"])
            tell_all(w, "campaign.edited", {"changed": changed, "name": name})
        return campaign


def set_house_rules(*, access: CampaignAccess, overrides: Mapping[str, Any], command_id: str = "") -> Campaign:
    """Replace the campaign's house rules. Characters are checked again and flagged, never rewritten (V28).

    Raises ActionRefused with `problems` when a rule does not fit.
    """
    rules = sound_rules(access.campaign.system, overrides)
    with campaign_write(access, command_id) as (w, here):
        campaign = here.campaign
        if w.repeated:
            return campaign
        must_be_gm(here)
        before = campaign.house_rules
        changed = sorted(key for key in {*before, *rules} if before.get(key) != rules.get(key))
        if changed:
            campaign.house_rules = rules
            campaign.save(update_fields=["house_rules"])
            tell_all(w, "rules.set", {"changed": changed})
            refresh_total(w, campaign, cause="rules")
            recheck(w, campaign)
        return campaign


def sound_rules(system: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The override without defaults. Raises ActionRefused (422) with every problem."""
    problems = services.check_house_rules(system, overrides)
    errors = [problem for problem in problems if problem.level == "error"]
    if errors:
        raise ActionRefused(
            _("決めごとに直すところがあります。"),
            code="house_rules",
            field=errors[0].path,
            status=422,
            problems=problems,
        )
    return services.normalise_house_rules(system, overrides)
