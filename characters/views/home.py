"""The first page: the front door for strangers, one's own tables for those signed in; the switches of the browser."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts.middleware import keep_theme
from characters.forms.campaigns import OpenInvitationForm
from characters.present.home import game_cards, my_tables
from characters.templatetags.house import THEMES
from characters.views.desk import lang, see_other


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return front_page(request)


def front_page(request: HttpRequest, *, join: OpenInvitationForm | None = None, status: int = 200) -> HttpResponse:
    """Landing page or own tables; `join` is a refused form of a pasted link."""
    join = join or OpenInvitationForm()
    if not request.user.is_authenticated:
        return render(request, "characters/landing.html", {"games": game_cards(lang()), "join": join}, status=status)
    context = {"tables": my_tables(request.user, lang()), "join": join}
    return render(request, "characters/home.html", context, status=status)


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep light, dark or automatic in a cookie and go back where the press came from."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = "/"
    response = see_other(target)
    theme = request.POST.get("theme", "auto")
    keep_theme(request, response, theme if theme in THEMES else "auto")
    return response
