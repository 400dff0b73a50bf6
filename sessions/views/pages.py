"""Pages of a table: the table itself, older entries, the log as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.throttle import limited
from rulesets.engine.commands.results import plain
from sessions.present import draw_piece, presenter
from sessions.present.export import json_lines, text_lines
from sessions.present.page import draw_log, view_now
from sessions.selectors.access import session_for
from sessions.selectors.log import entry_json, log_page
from sessions.views.answers import form_fields, lang, page, wants_json

_TYPES = {"jsonl": "application/x-ndjson; charset=utf-8", "txt": "text/plain; charset=utf-8"}


@login_required
@require_GET
@never_cache
def session(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return page(request, session_for(request.user, slug, number))


@login_required
@require_GET
@never_cache
def session_state(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What this person may know of the state, as JSON, with the number it is level with."""
    access = session_for(request.user, slug, number)
    view = view_now(access.session, access.viewer(lang()))
    facts = {"seq": view.seq, "session": access.session.state, "state": plain(view.state)}
    return JsonResponse(facts, json_dumps_params={"ensure_ascii": False})


@login_required
@require_GET
@never_cache
def session_form(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """A form of the game, with what is chosen already; `?forecast` asks what it would lead to as it is filled in."""
    access = session_for(request.user, slug, number)
    view = view_now(access.session, access.viewer(lang()))
    game, given = presenter(view.game), form_fields(request.GET)
    forecast = "forecast" in request.GET
    if not view.is_open or view.lost:
        raise Http404
    piece = game.forecast(name, view, given) if forecast else game.form(name, view, given)
    if piece is None and not forecast:
        raise Http404
    return HttpResponse(draw_piece(piece, view, request) if piece is not None else "")


@login_required
@require_GET
@never_cache
def session_log(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Older entries, a page at a time: the rows alone for htmx, JSON for scripts, else a page of its own."""
    access = session_for(request.user, slug, number)
    before = request.GET.get("before", "")
    limit = int(before) if before.isascii() and before.isdecimal() and len(before) < 16 else None
    view = view_now(access.session, access.viewer(lang()))
    found = log_page(access.session, view.viewer, view.facts.names, before=limit)
    if wants_json(request):
        facts = {"entries": [entry_json(entry) for entry in found.entries], "older": found.older}
        return JsonResponse(facts, json_dumps_params={"ensure_ascii": False})
    rows, older = draw_log(view, found, request)
    context = {
        "campaign": access.campaign_access.campaign,
        "session": access.session,
        "rows": rows,
        "older": older,
        "tab": "session",
    }
    template = "sessions/log_rows.html" if request.headers.get("HX-Request") else "sessions/log.html"
    return render(request, template, context)


@login_required
@require_GET
@never_cache
@limited("log-export", "30/m", methods=("GET",))
def session_export(request: HttpRequest, slug: str, number: int, form: str) -> StreamingHttpResponse:
    """The log this person may read, as a file."""
    access = session_for(request.user, slug, number)
    if form not in _TYPES:
        raise Http404
    viewer = access.viewer(lang())
    lines = json_lines(access.session, viewer) if form == "jsonl" else text_lines(access.session, viewer)
    response = StreamingHttpResponse(lines, content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="log-{access.session.number}.{form}"'
    return response
