"""Clocks beside the table: what draws near, a step at a time. A press may be taken back like a command of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.text import line
from sessions.actions.commands import Done, done_before, finish
from sessions.actions.writing import Desk, must_be_gm, record, session_write, still
from sessions.kinds import ALL, COUNTER, GMS
from sessions.selectors.access import SessionAccess
from sessions.selectors.counters import Counter, counters_at

MAX_COUNTERS = 12
SIZES = (2, 12)
Turn = Literal["step", "back", "show", "remove"]
TURNS: tuple[str, ...] = get_args(Turn)


def start_counter(
    *, access: SessionAccess, title: str, size: int | None, shown: bool = False, command_id: str = ""
) -> Done:
    """Set up a clock (GM); `shown`: everybody sees it. Raises ActionRefused."""
    title = line(title, field="title", label=_("何が迫るか"), limit=60, required=True)
    least, most = SIZES
    if size is None or not least <= size <= most:
        raise ActionRefused(
            _("目盛りは%(least)s〜%(most)sの数で入れてください。") % {"least": least, "most": most},
            code="size",
            field="size",
            status=422,
        )
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        if len(counters_at(desk.session, desk.w.seq)) >= MAX_COUNTERS:
            raise ActionRefused(_("時計は%(n)s個までです。") % {"n": MAX_COUNTERS}, code="too_many")
        return _tell(desk, Counter(desk.w.seq + 1, title, size, shown=shown), "new")


def turn_counter(*, access: SessionAccess, counter: int, turn: Turn, command_id: str = "") -> Done:
    """Move a clock a step on or back, show it to everybody, or put it away (GM). Raises ActionRefused."""
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        found = next((one for one in counters_at(desk.session, desk.w.seq) if one.id == counter), None)
        if found is None:
            raise ActionRefused(_("その時計はもうありません。"), code="no_such_counter", status=404)
        return _tell(desk, _turned(found, turn), turn)


def _turned(counter: Counter, turn: Turn) -> Counter:
    if turn == "step":
        if counter.full:
            raise ActionRefused(_("「%(title)s」はもう満ちています。") % {"title": counter.title}, code="full")
        return replace(counter, filled=counter.filled + 1)
    if turn == "back":
        if not counter.filled:
            raise ActionRefused(_("「%(title)s」はまだ進んでいません。") % {"title": counter.title}, code="empty")
        return replace(counter, filled=counter.filled - 1)
    if turn == "show":
        if counter.shown:
            raise ActionRefused(_("もう皆が見ています。"), code="open")
        return replace(counter, shown=True)
    return counter


def _tell(desk: Desk, counter: Counter, did: str) -> Done:
    head, first = desk.w.topic.head, desk.w.seq + 1
    facts = {
        "counter": counter.id,
        "did": did,
        "title": counter.title,
        "size": counter.size,
        "filled": counter.filled,
        "shown": counter.shown,
    }
    desk.w.append(COUNTER, facts, ALL if counter.shown else GMS)
    still(desk, head)
    record(desk, COUNTER, first, seat=desk.access.seat)
    return finish(desk, first)
