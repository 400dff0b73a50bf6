"""The end of a scenario: a word on every change, written back to the sheets; the log closes, the last keys go out."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.play_results import write_play_result
from characters.actions.writing import campaign_write
from live.topics import Write
from sessions.actions.errors import not_allowed
from sessions.actions.parts import end_part
from sessions.actions.writing import Desk, must_be_gm, session_write, still
from sessions.kinds import ALL
from sessions.models import CarryDecision, CastMember, GameSession
from sessions.selectors.access import SessionAccess
from sessions.selectors.closing import Proposal, changes_json, proposals
from sessions.selectors.state import StateLost


class WordMissing(ActionRefused):
    """Closing needs the word of these players (or the GM's for them)."""

    def __init__(self, missing: list[Proposal]) -> None:
        names = "、".join(item.member.name for item in missing)
        super().__init__(
            _("「%(names)s」に持ち帰るものの返事がまだです。本人の返事を待つか、代わりに決めてください。")
            % {"names": names},
            code="word_missing",
        )
        self.missing = tuple(missing)


def ask_closing(*, access: SessionAccess, asked: bool = True, command_id: str = "") -> GameSession:
    """Ask everybody what their characters take home (GM), or stop asking and play on. Raises ActionRefused."""
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return desk.session
        must_be_gm(desk.access)
        head = desk.w.topic.head
        if desk.session.closing is not asked:
            desk.session.closing = asked
            desk.session.save(update_fields=["closing"])
            desk.w.append("closing.asked", {"asked": asked}, ALL)
            still(desk, head)
        return desk.session


def decide_carry(*, access: SessionAccess, actor: str, accept: bool, seen: str = "", command_id: str = "") -> None:
    """Say whether a character takes home what is proposed: its player, or a GM for them.

    `seen` is the digest of the proposal that was looked at. Raises ActionRefused when it has changed since.
    """
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return
        found = next((item for item in _proposals(desk) if item.member.actor == actor), None)
        mine = found is not None and found.owner_id == desk.access.seat.pk and desk.access.role == "player"
        if found is None or not (desk.access.is_gm or mine):
            raise not_allowed(_("返事ができるのは、その人物のプレイヤーとGMだけです。"))
        if seen and seen != found.digest:
            raise ActionRefused(
                _("見ているあいだに内容が変わりました。もう一度見てから返事をしてください。"), code="changed"
            )
        if found.accepted is accept:
            return
        CarryDecision.objects.update_or_create(
            member=found.member,
            defaults={
                "session": desk.session,
                "accepted": accept,
                "digest": found.digest,
                "by": desk.access.seat,
            },
        )
        head = desk.w.topic.head
        facts = {"actor": actor, "name": found.member.name, "accepted": accept}
        desk.w.append("carry.decided", facts, sorted({f"seat:{found.owner_id}", "gm"}))
        still(desk, head)


def close_session(*, access: SessionAccess, command_id: str = "") -> GameSession:
    """End the scenario (GM): write back what was accepted, close the log for ever, let every die be verified.

    Raises WordMissing while a player's word on a change is missing, ActionRefused.
    """
    campaign = access.campaign_access
    with campaign_write(campaign) as (cw, here), session_write(access, command_id) as desk:
        if desk.w.repeated:
            return desk.session
        must_be_gm(desk.access)
        if desk.session.part:
            end_part(cw, here, desk)
            return _close(cw, desk)
        found = _proposals(desk)
        missing = [item for item in found if item.needs_word]
        if missing:
            raise WordMissing(missing)
        _write_back(cw, desk, found)
        return _close(cw, desk)


def _write_back(cw: Write, desk: Desk, found: list[Proposal]) -> None:
    for item in found:
        if item.accepted is False:
            continue
        decision = CarryDecision.objects.select_related("by").filter(member=item.member).first()
        write_play_result(
            cw,
            item.member.character,
            source=desk.session.topic,
            number=desk.session.chapter,
            title=desk.session.title,
            changes=changes_json(item.carried),
            play=item.carried.play,
            accepted_by=decision.by if decision is not None and item.accepted else desk.access.seat,
        )


def _close(cw: Write, desk: Desk) -> GameSession:
    session, head = desk.session, desk.w.topic.head
    if session.evening_open:
        desk.w.append("evening.ended", {"number": session.evening}, ALL)
    desk.w.append("session.closed", {}, ALL)
    session.state, session.evening_open, session.closed_at = GameSession.State.CLOSED, False, timezone.now()
    session.save(update_fields=["state", "evening_open", "closed_at"])
    CastMember.objects.filter(session=session).update(playing=False)
    still(desk, head)
    desk.w.close()
    cw.append("session.closed", {"session": session.pk, "number": session.chapter, "title": session.title}, ALL)
    return session


def _proposals(desk: Desk) -> list[Proposal]:
    try:
        return proposals(desk.session, desk.standing())
    except StateLost as lost:
        raise ActionRefused(
            _("この回の状態を読めません。管理者に知らせてください。記録は消えていません。"), code="state_lost"
        ) from lost
