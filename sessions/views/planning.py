"""Planning a session happens on the campaign's page; a refusal goes back there with what was typed."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from characters.actions.errors import ActionRefused
from characters.selectors.access import CampaignAccess
from characters.views.desk import campaign_page
from sessions.views.answers import refusal_json, wants_json


def plan_refused(request: HttpRequest, access: CampaignAccess, refused: ActionRefused) -> HttpResponse:
    facts = refusal_json(refused)
    if wants_json(request):
        return JsonResponse({"ok": False, **facts}, status=refused.status, json_dumps_params={"ensure_ascii": False})
    if request.headers.get("HX-Request"):
        return render(request, "sessions/refused.html", {"refused": facts}, status=refused.status)
    messages.error(request, refused.message)
    return campaign_page(request, access, status=refused.status)
