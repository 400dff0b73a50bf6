"""Reference tools: money, measures, the hours of Edo. Plain GET, so that an answer has an address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from characters.forms.tools import asked
from characters.present.tools import tools_page


@require_GET
def edo(request: HttpRequest) -> HttpResponse:
    """All tools on one page; the one asked shows its answer, or what is wrong at its field."""
    tool, typed = asked(request.GET)
    page = tools_page(tool, typed)
    status = 400 if page.faulty else 200
    return render(request, "characters/tools.html", {"page": page, "system": "edo"}, status=status)
