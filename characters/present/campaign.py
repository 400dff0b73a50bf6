"""The panels of the campaign page. One template each, used by the page and by the stream, so that both agree.

A panel is drawn from the database for one seat; nothing but the seat, the language and (on a page) refused forms go
into it. A seat that has nothing to see in a panel gets its empty place, so that the panel may appear there live.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import formats, timezone, translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters.forms import members as member_forms
from characters.forms import pool as pool_forms
from characters.models import Draft
from characters.present.members import invite_view, members_view, npcs_view
from characters.present.pool import PoolView, pool_forms_for, pool_view
from characters.present.rules import flags_view, rule_rows, rules_summary
from characters.present.sheets import sheets_view
from characters.present.todo import todo_view
from characters.selectors import campaign as reads
from characters.selectors.access import CampaignAccess, CharacterAccess
from rulesets import services

Given = Mapping[str, Any]


@dataclass(slots=True)
class Desk:
    """One drawing of one or several panels for a seat: what they share is read once.

    `given` holds refused forms, so that what was typed stays: `{"pool": {"claim": form}, "members": {…}}`.
    """

    access: CampaignAccess
    lang: str
    given: Given = field(default_factory=dict)
    _sheets: list[tuple[CharacterAccess, Draft | None]] | None = None
    _pool: list[PoolView | None] = field(default_factory=list)

    @property
    def sheets(self) -> list[tuple[CharacterAccess, Draft | None]]:
        if self._sheets is None:
            self._sheets = reads.characters_with_drafts(self.access)
        return self._sheets

    @property
    def pool(self) -> PoolView | None:
        if not self._pool:
            self._pool.append(pool_view(self.access, self.given.get("pool", {})))
        return self._pool[0]

    def forms(self, panel: str) -> Given:
        found: Given = self.given.get(panel, {})
        return found


def _band(desk: Desk) -> dict[str, Any] | None:
    return {"band": {"meta": band_meta(desk.access, desk.lang)}}


def band_meta(access: CampaignAccess, lang: str) -> str:
    """「八百八町浮世草子・4人と1人・2025年11月から」."""
    campaign = access.campaign
    players, gms = reads.head_count(access)
    made = timezone.localtime(campaign.created_at)
    month = formats.date_format(made, "YEAR_MONTH_FORMAT")
    parts = (
        services.get(campaign.system).names.pick(lang),
        ngettext("%(players)s人とGM%(gms)s人", "%(players)s人とGM%(gms)s人", players)
        % {"players": players, "gms": gms},
        _("%(month)sから") % {"month": month},
    )
    return _("・").join(parts)


def _todo(desk: Desk) -> dict[str, Any] | None:
    if desk.access.is_spectator:
        return None
    return {"todo": todo_view(desk.access, desk.sheets, desk.pool)}


def _sheets(desk: Desk) -> dict[str, Any] | None:
    return {"sheets": sheets_view(desk.access, desk.sheets, desk.lang)}


def _npcs(desk: Desk) -> dict[str, Any] | None:
    view = npcs_view(desk.access, desk.sheets)
    return {"npcs": view} if view.rows or desk.access.is_gm else None


def _members(desk: Desk) -> dict[str, Any] | None:
    forms = {"members": None, **desk.forms("members")}
    return {"members": members_view(desk.access, desk.sheets, desk.forms("members")), "forms": forms}


def _pool(desk: Desk) -> dict[str, Any] | None:
    if desk.pool is None:
        return None
    return {"pool": desk.pool, "forms": pool_forms_for(desk.access, desk.pool, desk.forms("pool"))}


def _invite(desk: Desk) -> dict[str, Any] | None:
    if not desk.access.is_gm:
        return None
    forms = {
        "invite": member_forms.InvitationForm(auto_id="invite-%s"),
        "invite_revoke": pool_forms.NothingForm(),
        **desk.forms("invite"),
    }
    return {"invite": invite_view(desk.access), "forms": forms}


def _rules(desk: Desk) -> dict[str, Any] | None:
    campaign = desk.access.campaign
    return {"rules": rules_summary(campaign.system, campaign.house_rules, desk.lang)}


def _flags(desk: Desk) -> dict[str, Any] | None:
    return {"flags": flags_view(desk.access.campaign, desk.sheets)}


Provide = Callable[[Desk], dict[str, Any] | None]
PANELS: dict[str, Provide] = {
    "band": _band,
    "todo": _todo,
    "sheets": _sheets,
    "npcs": _npcs,
    "members": _members,
    "pool": _pool,
    "invite": _invite,
    "rules": _rules,
    "flags": _flags,
}
# Events of the campaign's topic after which panels of other apps are drawn again.
CHANGED_BY: dict[str, tuple[str, ...]] = {}


def register_panel(name: str, provide: Provide, *, changed_by: Iterable[str] = ()) -> None:
    """Let an app that knows this one (never the other way round) fill the place `name` of the campaign page.

    Its template is `characters/panels/<name>.html`; `changed_by` are event kinds of the topic `campaign:<pk>`.
    """
    PANELS[name] = provide
    for kind in changed_by:
        CHANGED_BY[kind] = (*(old for old in CHANGED_BY.get(kind, ()) if old != name), name)


# Those of the campaign page; `flags` is on the page of the house rules.
CAMPAIGN_PAGE = ("band", "sessions", "todo", "sheets", "npcs", "members", "pool", "invite", "rules")


def draw_rules(desk: Desk, keys: Collection[str]) -> dict[str, str]:
    """The HTML of some rows of the house rules page, by element id."""
    campaign = desk.access.campaign
    with translation.override(desk.lang):
        rows = rule_rows(campaign.system, campaign.house_rules, keys, desk.lang)
        context = {"campaign": campaign, "is_gm": desk.access.is_gm, "lang": desk.lang}
        return {row.dom: render_to_string("characters/_rule.html", {**context, "row": row}) for row in rows}


def draw(desk: Desk, names: Iterable[str], request: HttpRequest | None = None) -> dict[str, str]:
    """The HTML of some panels, by name. With a request their forms carry its tokens; without one they are empty."""
    access = desk.access
    drawn: dict[str, str] = {}
    with translation.override(desk.lang):
        for name in names:
            found = PANELS[name](desk) if name in PANELS else None
            if found is None:
                drawn[name] = format_html('<div id="panel-{}" data-live hidden></div>', name)
                continue
            context = {"campaign": access.campaign, "is_gm": access.is_gm, "lang": desk.lang, **found}
            drawn[name] = render_to_string(f"characters/panels/{name}.html", context, request=request)
    return drawn
