"""Taking back the last command, and telling a hidden entry to everybody.

Undo appends; nothing is deleted. It takes back what a command did, not the luck: a repeated roll is a fresh draw.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.text import line
from live.models import Draw, Event
from sessions.actions.commands import Done, done_before, finish
from sessions.actions.errors import not_allowed
from sessions.actions.writing import Desk, keep, session_write, still, tell_changed
from sessions.kinds import ALL, GMS, MARK, OPENED, UNDONE, audience_sum, is_told
from sessions.models import CastMember, CommandRecord, Snapshot
from sessions.selectors.access import SessionAccess

MAX_REASON = 300


def undo(*, access: SessionAccess, reason: str = "", first: int | None = None, command_id: str = "") -> Done:
    """Take back the last command that stands, with all its events.

    `first` is the number of the command the person means: when another came after it, nothing is taken back. The GMs
    may take back any; a player only their own, while nothing came after, that drew nothing and showed nothing new.
    Raises ActionRefused.
    """
    reason = line(reason, field="reason", label=_("理由"), limit=MAX_REASON)
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        last = last_standing(desk)
        if last is None:
            raise ActionRefused(_("取り消せる操作がありません。"), code="nothing_to_undo")
        if first is not None and first != last.first:
            raise ActionRefused(
                _("そのあとに別の操作がありました。いちばん新しい操作から順に取り消せます。"), code="not_last"
            )
        _must_be_allowed(desk, last)
        return _take_back(desk, last, reason)


def last_standing(desk: Desk) -> CommandRecord | None:
    rows = CommandRecord.objects.filter(session=desk.session, undone_by=None)
    return rows.order_by("-first").first()


def _must_be_allowed(desk: Desk, last: CommandRecord) -> None:
    if desk.access.is_gm:
        return
    if not last.retractable or last.seat_id != desk.access.seat.pk:
        raise not_allowed(
            _(
                "取り消せるのは、自分の最後の操作で、ダイスもカードも使わず何も明かしていないものだけです。GMに頼んでください。"
            )
        )


def _take_back(desk: Desk, last: CommandRecord, reason: str) -> Done:
    was, session = desk.standing(), desk.session
    taken = Event.objects.filter(topic=desk.w.topic, seq__gte=last.first, seq__lte=last.last)
    audience = audience_sum([event.audience for event in taken if is_told(event.kind)]) or GMS
    event = desk.w.append(UNDONE, {"first": last.first, "last": last.last, "reason": reason}, audience)
    last.undone_by = event.seq
    last.save(update_fields=["undone_by"])
    _restore_columns(desk, last)
    # These hold the command that no longer stands.
    Snapshot.objects.filter(session=session, seq__gte=last.first).delete()
    now = desk.folded()
    tell_changed(desk, [was, now], [audience])
    keep(desk, now)
    return finish(desk, event.seq)


def _restore_columns(desk: Desk, last: CommandRecord) -> None:
    before, session = last.before, desk.session
    if "evening" in before:
        session.evening, session.evening_open = before["evening"], before["evening_open"]
        session.save(update_fields=["evening", "evening_open"])
    if "scene" in before:
        session.scene = before["scene"]
        session.save(update_fields=["scene"])
    if "joined" in before:
        CastMember.objects.filter(pk=before["joined"]).delete()
    if "refreshed" in before:
        rows = CastMember.objects.filter(pk=before["refreshed"])
        rows.update(revision_id=before["revision"], name=before["name"])


def open_entry(*, access: SessionAccess, seq: int, command_id: str = "") -> Done:
    """Tell a hidden entry of the log to everybody, as an entry of its own; its dice may be verified from then on.

    The GMs may open what they see; a player the secret rolls of their own. Raises ActionRefused.
    """
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        event = Event.objects.filter(topic=desk.w.topic, seq=seq).first()
        if event is None or not desk.access.viewer().sees(event.audience) or not _is_entry(event):
            raise ActionRefused(_("その記録はありません。"), code="no_such_entry", status=404)
        own = event.kind == "talk.rolled" and event.actor == desk.access.seat.audience
        if not (desk.access.is_gm or own):
            raise not_allowed(_("明かせるのはGMと、その判定を振った人だけです。"))
        if "all" in event.audience or _opened_before(desk, seq):
            raise ActionRefused(_("もう皆が見ています。"), code="open")
        head = desk.w.topic.head
        facts = {"of": seq, "kind": event.kind, "schema": event.schema, "data": event.data}
        opened = desk.w.append(OPENED, facts, ALL)
        _open_draw(desk, event)
        still(desk, head)
        return finish(desk, opened.seq)


def _open_draw(desk: Desk, event: Event) -> None:
    """Let everybody verify the entry's dice, if it is this entry that shows them and hides no others."""
    mark = event.data.get(MARK) if isinstance(event.data, dict) else None
    number = mark.get("draw") if isinstance(mark, dict) else None
    if not isinstance(number, int):
        return
    draw = Draw.objects.filter(topic=desk.w.topic, number=number, event_seq=event.seq).first()
    if draw is not None and set(draw.audience) == set(event.audience) and not _hides_more(desk, event, number):
        desk.w.open_draw(draw.number, ALL)


def _hides_more(desk: Desk, event: Event, number: int) -> bool:
    """Whether the command of a draw told something else that not everybody heard: its dice may be in there too."""
    record = CommandRecord.objects.filter(session=desk.session, draw=number).first()
    if record is None:
        return False
    others = Event.objects.filter(topic=desk.w.topic, seq__gte=record.first, seq__lte=record.last).exclude(pk=event.pk)
    return any("all" not in other.audience for other in others if is_told(other.kind))


def _is_entry(event: Event) -> bool:
    return is_told(event.kind) and event.kind not in (OPENED, UNDONE)


def _opened_before(desk: Desk, seq: int) -> bool:
    rows = Event.objects.filter(topic=desk.w.topic, kind=OPENED, seq__gt=seq)
    return any(row.data.get("of") == seq for row in rows)
