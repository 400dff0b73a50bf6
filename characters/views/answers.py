"""How views of a character answer: a redirect after a press, and the words that go with it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect


def see_other(url: str) -> HttpResponseRedirect:
    """A redirect after a POST that the browser follows with GET."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def say(request: HttpRequest, text: str, *, bad: bool = False) -> None:
    """A sentence on the next page."""
    (messages.error if bad else messages.success)(request, text)
