"""Every component once, in each theme: for people who build pages here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

THEMES = (("", "卓日和"), ("edo", "浮世草子"), ("alice", "アリス"), ("witch", "ウィッチ"), ("ninja", "ニンジャ"))
SUITS = (("S", "A"), ("H", "7"), ("C", "10"), ("D", "4"))


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    context = {
        "themes": [(slug, name, scheme) for slug, name in THEMES for scheme in ("light", "dark")],
        "faces": range(1, 7),
        "moons": range(1, 29),
        "cards": SUITS,
    }
    return render(request, "characters/styleguide.html", context)
