"""Making a campaign, its page, its description, and the export of the whole party."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from characters import documents
from characters.actions import campaigns as actions
from characters.actions.errors import ActionRefused
from characters.forms.campaigns import CampaignForm, NewCampaignForm
from characters.present.home import game_cards
from characters.selectors.access import campaign_for
from characters.views.desk import campaign_page, lang, place, see_other
from live.presses import press_id


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    """Ask for the game, the name, and the house rules that matter from the first point on."""
    user: Any = request.user
    if user.is_guest:
        return render(request, "characters/campaign_new.html", {"guest": True}, status=403)
    if request.method != "POST":
        start = {"gm_name": user.shown_name}
        return _new_page(request, NewCampaignForm(initial=start))
    form, status = NewCampaignForm(request.POST), 400
    if form.is_valid():
        data = form.cleaned_data
        try:
            campaign = actions.create_campaign(
                user=user,
                system=data["system"],
                name=data["name"],
                description=data["description"],
                house_rules=form.house_rules(),
                gm_name=data["gm_name"],
                players=data["players"],
                command_id=press_id(request),
            )
        except ActionRefused as refused:
            place(form, refused)
            status = refused.status
        else:
            messages.success(request, _("卓を立てました。次は仲間を招きましょう。"))
            return see_other(reverse("campaign", args=[campaign.slug]))
    return _new_page(request, form, status)


def _new_page(request: HttpRequest, form: NewCampaignForm, status: int = 200) -> HttpResponse:
    asked = [(slug, rule, form[rule.name]) for slug, rules in form.rules.items() for rule in rules]
    context = {"form": form, "games": game_cards(lang()), "asked": asked}
    return render(request, "characters/campaign_new.html", context, status=status)


@login_required
@require_safe
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    return campaign_page(request, campaign_for(request.user, slug))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Name and description (GMs)."""
    access = campaign_for(request.user, slug)
    if not access.is_gm:
        raise Http404("only for GMs")
    now = {"name": access.campaign.name, "description": access.campaign.description}
    form, status = CampaignForm(request.POST if request.method == "POST" else None, initial=now), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            data = form.cleaned_data
            try:
                actions.edit_campaign(
                    access=access,
                    name=data["name"],
                    description=data["description"],
                    command_id=press_id(request),
                )
            except ActionRefused as refused:
                place(form, refused)
                status = refused.status
            else:
                messages.success(request, _("卓の名前と説明を変えました。"))
                return see_other(reverse("campaign", args=[slug]))
    context = {"campaign": access.campaign, "access": access, "is_gm": True, "form": form, "tab": "edit"}
    return render(request, "characters/campaign_edit.html", context, status=status)


@login_required
@require_safe
def party_export(request: HttpRequest, slug: str) -> HttpResponse:
    """The party as one document, with what this seat may see of each character."""
    access = campaign_for(request.user, slug)
    text = json.dumps(documents.party_document(access, lang()), ensure_ascii=False, indent=2)
    response = HttpResponse(text + "\n", content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{access.campaign.slug}.party.json"'
    response["Cache-Control"] = "no-store"
    return response
