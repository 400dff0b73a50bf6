"""Doors for tests: sign in, say something, remove somebody."""

from __future__ import annotations

import time
from typing import Any

from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from live.events import verify_chain
from live.topics import current_seq, ensure_topic, write
from tests.live.site import counting, page


def member(topic: str, name: str, role: str) -> Any:
    user, _ = get_user_model().objects.get_or_create(username=name)
    for group in [topic, *([f"{topic}.gm"] if role == "gm" else [])]:
        user.groups.add(Group.objects.get_or_create(name=group)[0])
    return user


def enter(request: HttpRequest, topic: str, name: str, role: str) -> HttpResponse:
    ensure_topic(topic)
    user = get_user_model().objects.get_or_create(username=name)[0] if role == "stranger" else member(topic, name, role)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return JsonResponse({"user": user.pk, "seq": current_seq(topic)})


@csrf_exempt
def say(request: HttpRequest, topic: str) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    form = request.POST
    from_htmx = request.headers.get("HX-Request") == "true"
    if form.get("text") == "wrong":
        answer = page.panel(topic, current_seq(topic), request, typed="wrong", error="that is wrong")
        return HttpResponse(answer, status=422)
    if form.get("text", "").startswith("slow"):
        time.sleep(0.4)
    with write(topic, user=user, command_id=form.get("command_id", "")) as w:
        if not w.repeated:
            text = form.get("text", "") + "x" * int(form.get("size", 0))
            event = w.append(form.get("kind", "said"), {"text": text}, audience=form.get("audience", "all").split(","))
            w.result = {"seq": event.seq}
    if from_htmx:
        return HttpResponse(page.panel(topic, current_seq(topic), request))
    return HttpResponseRedirect(f"/page/{topic}/") if form.get("csrfmiddlewaretoken") else JsonResponse(w.result)


def show(request: HttpRequest, topic: str) -> HttpResponse:
    return HttpResponse(page.page(request, topic, current_seq(topic)))


@csrf_exempt
def remove(request: HttpRequest, topic: str, name: str) -> HttpResponse:
    user = get_user_model().objects.get(username=name)
    with transaction.atomic(), write(topic) as w:
        user.groups.clear()
        w.append("left", {"name": name})
    return JsonResponse({"seq": current_seq(topic)})


@csrf_exempt
def role(request: HttpRequest, topic: str, name: str, role: str) -> HttpResponse:
    with transaction.atomic(), write(topic) as w:
        member(topic, name, role)
        w.append("role", {"name": name})
    return JsonResponse({"seq": current_seq(topic)})


def status(request: HttpRequest, topic: str) -> HttpResponse:
    broken = verify_chain(topic)
    return JsonResponse({"seq": current_seq(topic), "broken": broken and broken.seq, "counts": dict(counting.counts)})


@csrf_exempt
def big(request: HttpRequest, size: int) -> HttpResponse:
    return HttpResponse(b"y" * size if request.method == "GET" else str(len(request.body)))


urlpatterns = [
    path("enter/<str:topic>/<str:name>/<str:role>/", enter),
    path("say/<str:topic>/", say),
    path("page/<str:topic>/", show),
    path("remove/<str:topic>/<str:name>/", remove),
    path("role/<str:topic>/<str:name>/<str:role>/", role),
    path("status/<str:topic>/", status),
    path("big/<int:size>/", big),
]
