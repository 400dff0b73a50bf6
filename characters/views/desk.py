"""How a press on a panel is answered: with htmx the panel, without it the page again; refusals keep what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_htmx.http import trigger_client_event

from accounts.errors import refuse
from characters.actions.errors import ActionRefused
from characters.present.campaign import CAMPAIGN_PAGE, Desk, draw
from characters.selectors.access import CampaignAccess, campaign_for
from live import topics
from live.presses import press_id

Done = Callable[[dict[str, Any], str], object]


def lang() -> str:
    return "en" if (get_language() or "ja").startswith("en") else "ja"


def see_other(url: str) -> HttpResponseRedirect:
    """303: after a post, get this."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def campaign_page(
    request: HttpRequest, access: CampaignAccess, *, given: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """The whole page. Its number is read before its panels, so that the stream may repeat but never skip."""
    seq = topics.current_seq(access.campaign.topic)
    desk = Desk(access, lang(), given or {})
    context = {
        "campaign": access.campaign,
        "access": access,
        "is_gm": access.is_gm,
        "seq": seq,
        "tab": "campaign",
        "sheet_count": len([item for item, _draft in desk.sheets if item.character.kind == "pc"]),
        "panels": draw(desk, CAMPAIGN_PAGE, request),
    }
    return render(request, "characters/campaign.html", context, status=status)


def act(
    request: HttpRequest,
    access: CampaignAccess,
    panel: str,
    form: forms.Form,
    given: Callable[[forms.Form], Mapping[str, Any]],
    do: Done,
    done: str,
    *,
    by: str = "",
) -> HttpResponse:
    """Do one thing on a panel.

    `do` gets the cleaned data and the id of the press; `given` says under which name the refused form goes back into
    the panel; `done` is said when it worked; `by` names whose act it is (`gm`, `player`), because others do not have
    the form on which a refusal could be said.
    """
    if (no := _not_theirs(access, by)) is not None:
        return refuse(request, 403, message=no)
    status = 400
    if form.is_valid():
        try:
            do(form.cleaned_data, press_id(request))
        except ActionRefused as refused:
            if refused.status in (403, 404):
                return refuse(request, refused.status, message=refused.message)
            place(form, refused)
            status = refused.status
        except topics.TopicClosed:
            form.add_error(None, _("この卓は閉じています。"))
            status = 409
        else:
            return _worked(request, access, panel, done)
    again = campaign_for(request.user, access.campaign.slug)
    if request.headers.get("HX-Request"):
        return _panel(request, Desk(again, lang(), {panel: given(form)}), panel, status)
    return campaign_page(request, again, given={panel: given(form)}, status=status)


def _not_theirs(access: CampaignAccess, by: str) -> str | None:
    if by == "gm" and not access.is_gm:
        return _("これはGMだけができます。")
    if by == "player" and not access.is_player:
        return _("これはプレイヤーだけができます。")
    return None


def place(form: forms.Form, refused: ActionRefused) -> None:
    """Put an action's refusal at its field, or over the form."""
    field = refused.field if refused.field in form.fields else None
    form.add_error(field, refused.message)


def _panel(request: HttpRequest, desk: Desk, panel: str, status: int = 200) -> HttpResponse:
    """One panel as an answer. `X-Live-Seq` says how far it is, so that what the stream brings late is no news."""
    seq = topics.current_seq(desk.access.campaign.topic)
    response = HttpResponse(draw(desk, [panel], request)[panel], status=status)
    response.headers["X-Live-Seq"] = str(seq)
    return response


def _worked(request: HttpRequest, access: CampaignAccess, panel: str, done: str) -> HttpResponse:
    slug = access.campaign.slug
    if request.headers.get("HX-Request"):
        response = _panel(request, Desk(campaign_for(request.user, slug), lang()), panel)
        return trigger_client_event(response, "takubiyori:toast", {"text": done})
    messages.success(request, done)
    return see_other(reverse("campaign", args=[slug]) + f"#panel-{panel}")
