"""A word to those everybody waits for: their page calls them, whatever they are looking at."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.models import Role, Seat
from live.models import Event
from sessions.actions.commands import Done, done_before, finish
from sessions.actions.writing import Desk, must_be_gm, session_write, still
from sessions.kinds import NUDGE
from sessions.selectors.access import SessionAccess

PAUSE = timedelta(seconds=15)


def nudge(*, access: SessionAccess, seats: Collection[int], command_id: str = "") -> Done:
    """Ask players to answer (GM), each at most once in `PAUSE`. Raises ActionRefused."""
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        rows = Seat.objects.filter(campaign=desk.session.campaign, pk__in=seats, removed_at=None, role=Role.PLAYER)
        found = list(rows.order_by("pk"))
        if not found:
            raise ActionRefused(_("促す相手がいません。"), code="nobody", field="seat", status=422)
        lately = _nudged_lately(desk)
        waiting = [seat for seat in found if seat.pk not in lately]
        if not waiting:
            raise ActionRefused(_("促したばかりです。少し待ってください。"), code="too_soon", status=429)
        head, first = desk.w.topic.head, desk.w.seq + 1
        facts = {"seats": [seat.pk for seat in waiting], "names": [seat.name for seat in waiting]}
        desk.w.append(NUDGE, facts, ("gm", *(seat.audience for seat in waiting)))
        still(desk, head)
        return finish(desk, first)


def _nudged_lately(desk: Desk) -> set[int]:
    """Who was nudged a moment ago."""
    rows = Event.objects.filter(topic=desk.w.topic, kind=NUDGE, at__gt=timezone.now() - PAUSE)
    return {int(pk) for data in rows.values_list("data", flat=True) for pk in data["seats"]}
