"""The life of a session: planned, begun with its cast, joined by others, its evenings and scenes."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.text import line, paragraph
from characters.actions.writing import campaign_write, repeated
from characters.actions.writing import must_be_gm as must_be_campaign_gm
from characters.selectors.access import CampaignAccess
from live import topics
from live.events import plain
from rulesets import services
from rulesets.engine.play import CAST_JOIN, EVENING_END, EVENING_START, SCENE_SET, SHEET_REFRESH, Command
from rulesets.protocol import Refusal
from sessions.actions.casting import cast_entry, choose, cleared, seat_down, seats_entry
from sessions.actions.commands import Done, carry_out, done_before, finish, lang, now, shape_of
from sessions.actions.errors import CommandRefused
from sessions.actions.writing import NOT_CLOSED, Desk, keep, must_be_gm, session_write, still
from sessions.kinds import ALL, GMS
from sessions.models import CastMember, GameSession
from sessions.projection import eyes
from sessions.selectors.access import SessionAccess
from sessions.selectors.state import Standing
from sessions.selectors.table import played_by

logger = logging.getLogger(__name__)

State = GameSession.State
MAX_SESSIONS = 1000


# ---------------------------------------------------------------- planned


def plan_session(*, access: CampaignAccess, title: str, command_id: str = "") -> GameSession:
    """Put a scenario on the campaign's list (GM). Raises ActionRefused."""
    title = line(title, field="title", label=_("題"), limit=100, required=True)
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, GameSession, "session")
        must_be_campaign_gm(here)
        rows = GameSession.objects.filter(campaign=here.campaign)
        if rows.count() >= MAX_SESSIONS:
            raise ActionRefused(_("1つの卓の回は%(n)s回までです。") % {"n": MAX_SESSIONS}, code="too_many")
        number = (rows.order_by("-number").values_list("number", flat=True).first() or 0) + 1
        chapter = rows.filter(part="").count() + 1
        session = GameSession.objects.create(campaign=here.campaign, number=number, chapter=chapter, title=title)
        topics.ensure_topic(session.topic)
        w.append("session.planned", named(session), ALL)
        w.result = {"session": session.pk}
        return session


def edit_session(*, access: SessionAccess, title: str, command_id: str = "") -> GameSession:
    """Change the title (GM), until the session is closed. Raises ActionRefused."""
    title = line(title, field="title", label=_("題"), limit=100, required=True)
    campaign = access.campaign_access
    with campaign_write(campaign) as (cw, _here), session_write(access, command_id, states=NOT_CLOSED) as desk:
        if desk.w.repeated:
            return desk.session
        must_be_gm(desk.access)
        head = desk.w.topic.head
        if desk.session.title != title:
            desk.session.title = title
            desk.session.save(update_fields=["title"])
            desk.w.append("session.edited", {"title": title}, ALL)
            still(desk, head)
            cw.append("session.edited", named(desk.session), ALL)
        return desk.session


# ---------------------------------------------------------------- begun


def start_session(
    *,
    access: SessionAccess,
    cast: Collection[int],
    hidden: Collection[int] = (),
    counts: Mapping[int, int] | None = None,
    command_id: str = "",
) -> GameSession:
    """Open the table with these characters (pks), as their cleared revisions are now; `hidden` NPCs only the GMs know,
    `counts` says how many there are of some NPCs if not as many as on their sheet.

    Everything the game needs is copied into the log: later changes of sheets or house rules do not reach the table
    (see `refresh_sheet`). Raises CastRefused, ActionRefused.
    """
    campaign = access.campaign_access
    with campaign_write(campaign) as (cw, _here), session_write(access, command_id, states=(State.PLANNED,)) as desk:
        if desk.w.repeated:
            return desk.session
        must_be_gm(desk.access)
        session = desk.session
        if not cast:
            raise ActionRefused(_("出る人物を1人は選んでください。"), code="required", field="cast", status=422)
        members = seat_down(session, choose(session, cast), hidden, counts)
        setup = _setup(session, members)
        revisions = {member.actor: member.revision.number for member in members}
        event = desk.w.append("session.setup", {"setup": setup, "revisions": revisions}, GMS)
        begun = begin(session.game, event.data["setup"])
        desk.w.append("session.started", named(session) | {"cast": [_who(m) for m in members if not m.hidden]}, ALL)
        session.state, session.setup_seq, session.opened_at = State.OPEN, event.seq, timezone.now()
        session.save(update_fields=["state", "setup_seq", "opened_at"])
        keep(desk, begun)
        cw.append("session.opened", named(session), ALL)
        return session


def begin(name: str, setup: Mapping[str, Any]) -> Standing:
    """The first state of a live play (`services.play`). Raises ActionRefused."""
    try:
        game = services.play(name)
    except Refusal as refusal:
        raise ActionRefused(refusal.message.pick(lang()), code=refusal.code) from None
    try:
        return Standing(game, setup, game.start(setup))
    except Exception as error:
        logger.exception("%s cannot begin a table", name)
        raise ActionRefused(
            _("この顔ぶれでは始められませんでした。何も変わっていません。管理者に知らせてください。"),
            code="failed",
            status=422,
        ) from error


def _setup(session: GameSession, members: Collection[CastMember]) -> dict[str, Any]:
    return {
        "system": session.campaign.system,
        "house_rules": session.campaign.house_rules,
        "seats": seats_entry(session),
        "cast": [cast_entry(member) for member in members],
    }


def named(session: GameSession) -> dict[str, Any]:
    """A session as events tell of it; the number is that of the scenario."""
    return {"session": session.pk, "number": session.chapter, "title": session.title}


def _who(member: CastMember) -> dict[str, Any]:
    return {"actor": member.actor, "name": member.name, "kind": member.character.kind}


# ---------------------------------------------------------------- joined, refreshed


def join_cast(*, access: SessionAccess, character: int, hidden: bool = False, command_id: str = "") -> Done:
    """Bring in somebody new while the table plays (GM). Raises CastRefused, CommandRefused, ActionRefused."""
    campaign = access.campaign_access
    with campaign_write(campaign), session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        [member] = seat_down(desk.session, choose(desk.session, [character]), [character] if hidden else [])
        desk.before = {"joined": member.pk}
        return _by_the_table(desk, CAST_JOIN, "cast.joined", member)


def refresh_sheet(*, access: SessionAccess, character: int, command_id: str = "") -> Done:
    """Take the newest cleared revision of a character that plays into the table, and its owner of today (GM). Raises
    CommandRefused, ActionRefused."""
    campaign = access.campaign_access
    with campaign_write(campaign), session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        member = _member(desk, character)
        revision = cleared(member.character)
        if revision.pk == member.revision_id and not _has_other_owner(desk, member):
            raise ActionRefused(_("新しく確認された版はありません。"), code="nothing_new")
        desk.before = {"refreshed": member.pk, "revision": member.revision_id, "name": member.name}
        member.revision, member.name = revision, member.character.name
        member.save(update_fields=["revision", "name"])
        return _by_the_table(desk, SHEET_REFRESH, "sheet.refreshed", member)


def _member(desk: Desk, character: int) -> CastMember:
    rows = CastMember.objects.select_related("character__owner", "character__cleared", "revision")
    found = rows.filter(session=desk.session, character_id=character).first()
    if found is None:
        raise ActionRefused(_("その人物はこの回に出ていません。"), code="no_such_character", status=404)
    return found


def _has_other_owner(desk: Desk, member: CastMember) -> bool:
    """Whether a character belongs to somebody else by now than who plays it here."""
    now_ = desk.standing()
    seat = played_by(now_.game.project_state(now_.state, eyes(desk.access.viewer())), member.actor)
    return seat is not None and seat != cast_entry(member)["seat"]


def _by_the_table(desk: Desk, name: str, kind: str, member: CastMember) -> Done:
    was, first = desk.standing(), desk.w.seq + 1
    facts = {"actor": member.actor, "name": member.name, "revision": member.revision.number}
    desk.w.append(kind, facts, GMS if member.hidden else ALL)
    shape = shape_of(was, name)
    if shape is None:
        raise CommandRefused(_("このゲームではできません。"), code="unknown_command", status=404)
    return carry_out(desk, was, Command(name, plain(cast_entry(member)), now()), shape, first)


# ---------------------------------------------------------------- evenings and scenes


def start_evening(*, access: SessionAccess, command_id: str = "") -> Done:
    """Begin an evening (GM). Games that care (points filled up) decide what follows. Raises ActionRefused."""
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        if desk.session.evening_open:
            raise ActionRefused(_("今夜はもう始まっています。"), code="evening_open")
        return _evening(desk, EVENING_START, "evening.started", desk.session.evening + 1, opened=True)


def end_evening(*, access: SessionAccess, command_id: str = "") -> Done:
    """End the evening while the scenario goes on (GM). Raises ActionRefused."""
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        if not desk.session.evening_open:
            raise ActionRefused(_("今夜はまだ始まっていません。"), code="evening_over")
        return _evening(desk, EVENING_END, "evening.ended", desk.session.evening, opened=False)


def _evening(desk: Desk, name: str, kind: str, number: int, *, opened: bool) -> Done:
    session, head, first = desk.session, desk.w.topic.head, desk.w.seq + 1
    desk.before = {"evening": session.evening, "evening_open": session.evening_open}
    was = desk.standing()
    session.evening, session.evening_open = number, opened
    session.save(update_fields=["evening", "evening_open"])
    desk.w.append(kind, {"number": number}, ALL)
    shape = shape_of(was, name)
    if shape is not None:
        return carry_out(desk, was, Command(name, {"number": number}, now()), shape, first)
    still(desk, head)
    return finish(desk, first)


def set_scene(*, access: SessionAccess, title: str, text: str = "", command_id: str = "") -> Done:
    """Put a scene heading into the log (GM); a game that keeps scenes tells it itself. Raises ActionRefused."""
    title = line(title, field="title", label=_("場面"), limit=100, required=True)
    text = paragraph(text, field="text", label=_("情景"), limit=1000)
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        must_be_gm(desk.access)
        head, first = desk.w.topic.head, desk.w.seq + 1
        desk.before = {"scene": desk.session.scene}
        desk.session.scene = title
        desk.session.save(update_fields=["scene"])
        was = desk.standing()
        shape = shape_of(was, SCENE_SET)
        if shape is not None:
            return carry_out(desk, was, Command(SCENE_SET, {"title": title, "text": text}, now()), shape, first)
        desk.w.append("scene.set", {"title": title, "text": text}, ALL)
        still(desk, head)
        return finish(desk, first)
