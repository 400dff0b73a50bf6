"""How a press at the table is answered: JSON for scripts, nothing but the news for htmx (the stream brings the page
level), the page again for plain forms. A refusal says why, with its status, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_htmx.http import trigger_client_event

from characters.actions.errors import ActionRefused
from live.topics import TopicClosed
from sessions.present import draw_piece, presenter
from sessions.present.forms import refused_form
from sessions.present.page import draw_page
from sessions.selectors.access import SessionAccess, session_for
from sessions.selectors.table import TableView

Do = Callable[[], Mapping[str, Any] | None]


class BadBody(ActionRefused):
    """A body that is no JSON object."""


def lang() -> str:
    return "en" if (get_language() or "ja").startswith("en") else "ja"


def sent(request: HttpRequest) -> dict[str, Any]:
    """What came with a press: of JSON the object; of a form its fields, those of the command under `data`.

    Raises BadBody.
    """
    if request.content_type != "application/json":
        fields = form_fields(request.POST)
        data = {key[6:]: value for key, value in fields.items() if key.startswith("field.")}
        return {**{key: value for key, value in fields.items() if not key.startswith("field.")}, "data": data}
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadBody(_("送られた内容を読めません。"), code="unreadable", status=400)
    return found


def form_fields(posted: QueryDict) -> dict[str, str]:
    """The fields of a form. Boxes of one name that are ticked together make a list with commas; a control whose name
    begins with `pick` stands for several fields, written as a query (`field.answer=parry&field.arm=2`), unless they are
    filled in themselves."""
    fields = {key: ",".join(part for part in posted.getlist(key) if isinstance(part, str)) for key in posted}
    for key in [key for key in fields if key.startswith("pick")]:
        for name, value in _packed(fields.pop(key)):
            fields[name] = fields.get(name) or value
    return fields


def _packed(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, max_num_fields=20)
    except ValueError:
        return []


def act(request: HttpRequest, access: SessionAccess, do: Do, *, done: str = "", status: int = 200) -> HttpResponse:
    """Do one thing. `do` gives what a script is told; `done` is said to a person when it worked."""
    try:
        told = do() or {}
    except ActionRefused as refused:
        return refuse(request, access, refused)
    except TopicClosed:
        return refuse(request, access, ActionRefused(_("この卓は閉じています。"), code="closed", status=409))
    if wants_json(request):
        return JsonResponse({"ok": True, **told}, status=status, json_dumps_params={"ensure_ascii": False})
    if request.headers.get("HX-Request"):
        response = HttpResponse(status=204)
        return trigger_client_event(response, "takubiyori:toast", {"text": done}) if done else response
    if done:
        messages.success(request, done)
    return see_other(access)


def refuse(request: HttpRequest, access: SessionAccess, refused: ActionRefused) -> HttpResponse:
    """Say why not: at its place for htmx, else on the page, with the form that was sent."""
    facts = refusal_json(refused)
    if wants_json(request):
        return JsonResponse({"ok": False, **facts}, status=refused.status, json_dumps_params={"ensure_ascii": False})
    if request.headers.get("HX-Request"):
        context = {"refused": facts, "viewer_is_gm": access.is_gm}
        return render(request, "sessions/refused.html", context, status=refused.status)
    again = session_for(request.user, access.campaign_access.campaign.slug, access.session.number)
    return page(request, again, refused=facts, status=refused.status)


def refusal_json(refused: ActionRefused) -> dict[str, Any]:
    return {
        "code": refused.code,
        "message": refused.message,
        "field": refused.field,
        "overridable": bool(getattr(refused, "overridable", False)),
        "rule": str(getattr(refused, "rule", "")),
        "suggestions": list(getattr(refused, "suggestions", ())),
    }


def wants_json(request: HttpRequest) -> bool:
    if request.content_type == "application/json":
        return True
    return request.accepts("application/json") and not request.accepts("text/html")


def see_other(access: SessionAccess) -> HttpResponseRedirect:
    """303: after a post, get the page."""
    response = HttpResponseRedirect(
        reverse("session", args=[access.campaign_access.campaign.slug, access.session.number])
    )
    response.status_code = 303
    return response


def page(
    request: HttpRequest, access: SessionAccess, *, refused: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """The page of the table. A form that was asked for (`?do=`) or refused stands at its head, as it was sent."""
    drawn = draw_page(access.session, access.viewer(lang()), request)
    context = {
        "campaign": access.campaign_access.campaign,
        "session": drawn.view.session,
        "access": access,
        "page": drawn,
        "viewer_is_gm": access.is_gm,
        "viewer_is_spectator": access.is_spectator,
        "asked": _asked(request, drawn.view) if refused is None else _refused_form(request, drawn.view, refused),
        "refused": refused,
        "sent": _sent_again(request) if refused is not None else (),
        "stale": request.POST.get("expected_step", "") not in ("", str(drawn.view.step)),
        "has_people": presenter(access.session.game).has_tiles,
        "people_head": f"{access.system}/session/people_head.html",
        "tab": "session",
    }
    return render(request, "sessions/session.html", context, status=status)


def _asked(request: HttpRequest, view: TableView) -> str:
    name = request.GET.get("do", "") if request.method == "GET" else ""
    piece = presenter(view.game).form(name, view, form_fields(request.GET)) if name and view.is_open else None
    return draw_piece(piece, view, request) if piece is not None else ""


def _refused_form(request: HttpRequest, view: TableView, refused: Mapping[str, Any]) -> str:
    """The game's form that was sent, with what was typed and why it was refused; "" where it came from none."""
    where = request.resolver_match
    if where is None or where.url_name != "session_command" or not view.is_open or view.lost:
        return ""
    command, origin = str(where.kwargs["name"]), dict(_packed(request.POST.get("sheet", "")))
    given = {**form_fields(request.POST), **origin}
    piece = presenter(view.game).form(given.pop("do", command), view, given)
    sent = {key: [str(value) for value in request.POST.getlist(key)] for key in request.POST}
    again = refused_form(piece, command, sent, refused) if piece is not None else None
    return draw_piece(again, view, request) if again is not None else ""


def _sent_again(request: HttpRequest) -> list[tuple[str, str, bool]]:
    """What was sent, so that nothing is lost: name, value, whether it is words somebody wrote."""
    fields = [(key, value) for key in request.POST for value in request.POST.getlist(key)]
    again = [(key, value) for key, value in fields if key not in ("csrfmiddlewaretoken", "command_id", "override")]
    return [(key, value, key.rpartition(".")[2] in _WRITTEN) for key, value in again]


_WRITTEN = frozenset({"text", "title", "reason", "place"})
