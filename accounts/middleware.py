"""What a signed-in person brings along: a session that lasts, a language, a brightness."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from accounts.errors import too_many
from accounts.throttle import seconds_over_all

Handler = Callable[[HttpRequest], HttpResponse]

THEME_COOKIE = "theme"
YEAR = 365 * 24 * 60 * 60
WEEK = 7 * 24 * 60 * 60


class CommandLimit:
    """Nobody presses five times a second for a minute: whatever changes something is limited per person."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD", "OPTIONS"} and (wait := seconds_over_all(request)):
            return too_many(request, retry_after=wait)
        return self.get_response(request)


class KeepSession:
    """Extend the session once a week: for a guest the cookie is the only key, so it must not run out in use."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            week = int(time.time() // WEEK)
            if request.session.get("week") != week:
                request.session["week"] = week
        return self.get_response(request)


class Preferences:
    """The person's language wins over the browser's; their brightness comes along to a browser that has none yet."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated:
            return self.get_response(request)
        language = user.language
        if language in dict(settings.LANGUAGES) and language != translation.get_language():
            translation.activate(language)
            request.LANGUAGE_CODE = language
        if not user.theme or THEME_COOKIE in request.COOKIES:
            return self.get_response(request)
        request.COOKIES[THEME_COOKIE] = user.theme
        response = self.get_response(request)
        if THEME_COOKIE not in response.cookies:
            keep_theme(request, response, user.theme)
        return response


def keep_theme(request: HttpRequest, response: HttpResponse, theme: str) -> None:
    """Put the brightness (`light`, `dark`, `auto`) into the cookie that pages and `site.js` read."""
    response.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="Lax", secure=request.is_secure())
