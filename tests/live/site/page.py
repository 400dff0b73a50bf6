"""A page as the site's own: rows, a panel with a form, a fold, presence, a time."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import Context, RequestContext, engines

from live.models import Event

ROW = '<li id="e{{ seq }}" data-append="log">{{ text }}</li>'
PANEL = """{% load takubiyori %}<section class="panel" id="panel-last" data-live><b id="last">{{ last }}</b>
<time datetime="2026-01-02T03:04:05Z"></time>
{% for seat in seats %}<i class="mark" data-presence="seat:{{ seat }}" hidden>here</i>{% endfor %}
<details data-keep="more"><summary>more {{ last }}</summary><p>inside</p></details>
<form id="form" method="post" action="/say/{{ topic }}/" hx-post="/say/{{ topic }}/" hx-target="#panel-last"
 hx-swap="outerHTML">{% command_fields %}<input name="text" id="text" value="{{ typed }}"><input name="note" id="note">
<button id="send">say</button>{% if error %}<p id="error">{{ error }}</p>{% endif %}</form>
<form id="other" method="post" action="/say/{{ topic }}/">{% command_fields %}<input name="text" id="other-text">
<button id="other-send">say plainly</button></form></section>"""
PAGE = """{% load static %}<!doctype html><html lang="ja"><head><title>{{ topic }}</title>
<meta name="htmx-config" content='{"includeIndicatorStyles":false,"allowEval":false,
"responseHandling":[{"code":"[234]..","swap":true}]}'>
<link rel="icon" href="{% static 'img/icon.svg' %}">
<script src="{% static 'django_htmx/htmx-2.min.js' %}" defer></script>
<script src="{% static 'js/press.js' %}" defer></script><script src="{% static 'js/live.js' %}" defer></script></head>
<body data-topic="{{ topic }}" data-seq="{{ last }}" data-viewer="{{ request.user.pk }}">
{% include "live/_banner.html" %}<ul id="log">{{ rows }}</ul>{{ panel }}
<form id="cmd" method="post" action="/say/{{ topic }}/">{% csrf_token %}
<input type="hidden" name="command_id" value=""></form></body></html>"""


def _draw(source: str, request: HttpRequest | None, **values: Any) -> str:
    engine = engines["django"].engine
    context = RequestContext(request, values) if request is not None else Context(values)
    return engine.from_string(source).render(context)


def row(seq: int, text: str) -> str:
    return _draw(ROW, None, seq=seq, text=text)


def panel(topic: str, last: int, request: HttpRequest | None = None, typed: str = "", error: str = "") -> str:
    from django.contrib.auth import get_user_model

    seats = list(get_user_model().objects.filter(groups__name=topic).order_by("pk").values_list("pk", flat=True))
    return _draw(PANEL, request, topic=topic, last=last, seats=seats, typed=typed, error=error)


def page(request: HttpRequest, topic: str, last: int) -> str:
    from django.utils.safestring import mark_safe

    said = Event.objects.filter(topic__name=topic, kind="said", audience=["all"]).order_by("seq")
    rows = mark_safe("".join(row(event.seq, event.data["text"]) for event in said))
    drawn = mark_safe(panel(topic, last, request))
    return _draw(PAGE, request, topic=topic, last=last, rows=rows, panel=drawn)
