"""NPCs: made from presets, counted, copied. For GMs."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from characters.actions import characters, drafts
from characters.actions.errors import ActionRefused
from characters.forms.npcs import CountForm, NpcForm
from characters.present.npcs import preset_rows, started
from characters.present.systems import presenter
from characters.selectors.access import campaign_for, character_for
from characters.views.answers import refused, say, see_other
from characters.views.sheets import sheet_response
from live.presses import press_id


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a preset and a number; the NPC then opens in the builder."""
    access = campaign_for(request.user, slug)
    if not access.is_gm:
        raise PermissionDenied(_("NPCを作れるのはGMだけです。"))
    rows = preset_rows(access.campaign, get_language() or "ja")
    choices = [(row.id, row.name) for row in rows]
    form = NpcForm(request.POST or None, presets=choices)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            data = form.cleaned_data
            try:
                character = drafts.create_character(
                    access=access,
                    kind="npc",
                    fields=started(access.campaign, data["preset"], data["name"]),
                    count=data["count"],
                    command_id=press_id(request),
                )
            except ActionRefused as refusal:
                form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
                status = refusal.status
            else:
                return see_other(reverse("character_edit", args=[character.slug]))
    context = {
        "campaign": access.campaign,
        "form": form,
        "presets": rows,
        "slip": _(presenter(access.campaign.system).SLIP),
    }
    return render(request, "characters/npc.html", context, status=status)


@login_required
@require_POST
def count(request: HttpRequest, slug: str) -> HttpResponse:
    """How many of this NPC there are."""
    access = character_for(request.user, slug)
    form = CountForm(request.POST)
    error, status = "", 400
    if form.is_valid():
        try:
            characters.set_count(access=access, count=form.cleaned_data["count"], command_id=press_id(request))
        except ActionRefused as refusal:
            error, status = refusal.message, refusal.status
        else:
            return see_other(reverse("character", args=[slug]) + "#manage")
    else:
        error = " ".join(str(error) for error in form.errors.get("count", []))
    typed = request.POST.get("count", "")[:20]
    return sheet_response(request, access, status=status, count_error=error, count_shown=typed)


@login_required
@require_POST
def duplicate(request: HttpRequest, slug: str) -> HttpResponse:
    access = character_for(request.user, slug)
    try:
        copy = characters.duplicate_npc(access=access, command_id=press_id(request))
    except ActionRefused as refusal:
        return refused(request, refusal)
    say(request, _("写しを作りました。"))
    return see_other(reverse("character_edit", args=[copy.slug]))
