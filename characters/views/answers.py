"""How views of a character answer: a redirect after a press, and the words that go with it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from accounts.errors import refuse
from characters.actions.errors import ActionRefused


def see_other(url: str) -> HttpResponseRedirect:
    """A redirect after a POST that the browser follows with GET."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def say(request: HttpRequest, text: str) -> None:
    """A sentence on the next page."""
    messages.success(request, text)


def refused(request: HttpRequest, refusal: ActionRefused) -> HttpResponse:
    """A press that has no form to go back into was refused: its own page, with the reason and the refusal's status."""
    return refuse(request, refusal.status, title=_("できませんでした"), message=refusal.message)
