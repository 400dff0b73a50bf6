"""The page on which a table checks its dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from live.fairness import MAX_SALT, PAGE_SIZE, SaltRefused, add_salt, record, words_of
from live.kinds import UnknownKind, Viewer, kind_of, place_of
from live.presses import press_id
from live.topics import TopicClosed, UnknownTopic, current_seq

SCRIPT = Path(__file__).parent / "scripts" / "verify_fair.py"


def viewer_of(request: HttpRequest, topic: str) -> Viewer:
    """The viewer this person is in a topic; Http404 for everybody else."""
    try:
        current_seq(topic)
        viewer = kind_of(topic).viewer(request.user, topic, get_language() or "ja")
    except (UnknownTopic, UnknownKind):
        viewer = None
    if viewer is None:
        raise Http404
    return viewer


@require_GET
@never_cache
def fair(request: HttpRequest, topic: str) -> HttpResponse:
    return _page(request, topic, viewer_of(request, topic))


def _page(request: HttpRequest, topic: str, viewer: Viewer, status: int = 200, **more: Any) -> HttpResponse:
    seen = record(topic, viewer, before=_number(request.GET.get("before")), limit=PAGE_SIZE)
    draws = [draw | {"words": words_of(draw["requests"])} for draw in reversed(seen["draws"])]
    facts = {"topic": topic, "place": place_of(topic), "record": seen, "draws": draws, "max_salt": MAX_SALT, **more}
    return render(request, "live/fair.html", facts, status=status)


@require_GET
@never_cache
def fair_json(request: HttpRequest, topic: str) -> HttpResponse:
    """Everything this person may check, as a file for the offline script."""
    seen = record(topic, viewer_of(request, topic))
    response = JsonResponse(seen, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="fair-{topic.replace(":", "-")}.json"'
    return response


@require_POST
def fair_salt(request: HttpRequest, topic: str) -> HttpResponse:
    viewer = viewer_of(request, topic)
    typed = request.POST.get("text", "")
    try:
        add_salt(topic, viewer, request.user, typed, press_id(request))
    except SaltRefused as refusal:
        return _page(request, topic, viewer, 422, typed=typed, error=str(refusal))
    except TopicClosed:
        return _page(request, topic, viewer, 409, typed=typed, error=_("この卓はもう閉じています。"))
    return redirect("fair", topic)


@require_GET
def fair_script(request: HttpRequest) -> FileResponse:
    return FileResponse(SCRIPT.open("rb"), as_attachment=True, filename=SCRIPT.name, content_type="text/x-python")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None
