"""The first page and the switches of the browser."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from characters.templatetags.house import THEME_COOKIE, THEMES

YEAR = 365 * 24 * 60 * 60


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "characters/landing.html")


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep light, dark or automatic in a cookie and go back where the press came from."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = "/"
    response = HttpResponseRedirect(target)
    response.status_code = 303
    theme = request.POST.get("theme", "auto")
    response.set_cookie(
        THEME_COOKIE,
        theme if theme in THEMES else "auto",
        max_age=YEAR,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response
