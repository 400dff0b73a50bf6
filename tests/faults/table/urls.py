"""The site's own addresses and a few doors: what is stored, an unreadable event, whether the server answers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from live.events import verify_chain
from live.models import Command, Event, Topic
from live.topics import write
from sessions.models import GameSession
from sessions.selectors import state
from tests.live.site import counting
from tests.live.site.urls import big
from trpg_site.urls import handler400, handler403, handler404, handler500  # noqa: F401


def stored(request: HttpRequest, topic: str) -> HttpResponse:
    """Events and presses as they are in the database, and whether the state equals the fold of the whole log."""
    row = Topic.objects.get(name=topic)
    session = GameSession.objects.get(pk=int(topic.partition(":")[2]))
    broken = verify_chain(topic)
    folded, shown = state.fold_from_start(session, row.seq), state.standing(session, row.seq, row.head)
    commands = Command.objects.filter(topic=row).order_by("pk")
    facts = {
        "topic": row.name,
        "seq": row.seq,
        "broken": broken and [broken.seq, broken.reason],
        "folded": folded.game.dump(folded.state) == shown.game.dump(shown.state),
        "events": list(Event.objects.filter(topic=row).order_by("seq").values_list("seq", "kind")),
        "commands": list(commands.values_list("command_id", "first", "last", "result")),
        "counts": dict(counting.counts),
    }
    return JsonResponse(facts)


@csrf_exempt
def poison(request: HttpRequest, topic: str) -> HttpResponse:
    """Put something into the log that nobody can read."""
    with write(topic, actor="system") as w:
        event = w.append("edo:roll", {"actor": ["?"], "outcome": 5, "set": 7})
    return JsonResponse({"seq": event.seq})


urlpatterns = [
    path("poison/<str:topic>/", poison),
    path("stored/<str:topic>/", stored),
    path("big/<int:size>/", big),
    path("", include("trpg_site.urls")),
]
