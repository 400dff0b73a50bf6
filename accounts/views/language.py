"""Changing the language: a cookie for this browser, and the person's own setting when somebody is signed in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.views import i18n
from django.views.decorators.http import require_POST

from accounts.actions import people
from accounts.throttle import limited


@limited("preferences", "30/10m")
@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """POST `language` and `next`; unknown languages change nothing. Goes back to `next` when it is on this site."""
    response = i18n.set_language(request)
    if request.user.is_authenticated:
        people.set_language(request.user, request.POST.get("language", ""))
    if response.status_code == 302:
        response.status_code = 303
    return response
