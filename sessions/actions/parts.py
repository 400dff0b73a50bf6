"""What a game plays live before its tables open: begun with everybody who plays, ended into the characters' sheets."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.parts import write_part
from characters.actions.writing import campaign_write, repeated
from characters.actions.writing import must_be_gm as must_be_campaign_gm
from characters.models import Character
from characters.selectors.access import CampaignAccess
from live import topics
from live.topics import Write
from rulesets import services
from sessions.actions.casting import seats_entry
from sessions.actions.sessions import MAX_SESSIONS, begin, named
from sessions.actions.writing import Desk, keep, session_write
from sessions.kinds import ALL, GMS
from sessions.models import GameSession
from sessions.selectors.access import SessionAccess


def open_part(*, access: CampaignAccess, part: str, command_id: str = "") -> GameSession:
    """Begin one at once (GM); while one of its kind is open there is no second. Raises ActionRefused."""
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, GameSession, "session")
        must_be_campaign_gm(here)
        if part not in services.parts(here.campaign.system):
            raise ActionRefused(_("このゲームにはありません。"), code="no_part", status=422)
        rows = GameSession.objects.filter(campaign=here.campaign)
        if rows.filter(part=part).exclude(state=GameSession.State.CLOSED).exists():
            raise ActionRefused(_("もう始まっています。終えてから次を始めてください。"), code="part_open")
        if rows.count() >= MAX_SESSIONS:
            raise ActionRefused(_("1つの卓の回は%(n)s回までです。") % {"n": MAX_SESSIONS}, code="too_many")
        number = (rows.order_by("-number").values_list("number", flat=True).first() or 0) + 1
        title = services.part_name(here.campaign.system, part).ja
        session = GameSession.objects.create(campaign=here.campaign, number=number, part=part, title=title)
        topics.ensure_topic(session.topic)
        with session_write(SessionAccess(session, here), states=(GameSession.State.PLANNED,)) as desk:
            session = _begin(desk)
        w.append("session.opened", named(session), ALL)
        w.result = {"session": session.pk}
        return session


def _begin(desk: Desk) -> GameSession:
    session = desk.session
    setup = {
        "system": session.campaign.system,
        "house_rules": session.campaign.house_rules,
        "seats": seats_entry(session),
        "cast": [_entry(character) for character in _pcs(session)],
    }
    event = desk.w.append("session.setup", {"setup": setup, "revisions": {}}, GMS)
    begun = begin(session.game, event.data["setup"])
    desk.w.append("session.started", {**named(session), "cast": []}, ALL)
    session.state, session.setup_seq, session.opened_at = GameSession.State.OPEN, event.seq, timezone.now()
    session.save(update_fields=["state", "setup_seq", "opened_at"])
    keep(desk, begun)
    return session


def _pcs(session: GameSession) -> list[Character]:
    rows = Character.objects.select_related("draft", "revision").filter(
        campaign=session.campaign, kind=Character.Kind.PC, deleted_at=None, owner__removed_at=None
    )
    return list(rows.order_by("created_at", "pk"))


def _entry(character: Character) -> dict[str, Any]:
    """A PC as `start` takes it; its newest version, or its draft while nothing was saved."""
    fields = character.revision.fields if character.revision is not None else character.draft.fields
    return {
        "id": f"c{character.pk}",
        "kind": character.kind,
        "name": character.name or "—",
        "seat": str(character.owner_id),
        "count": 1,
        "build": services.to_build(character.campaign.system, fields),
        "hidden": False,
        "play": {},
    }


def end_part(cw: Write, here: CampaignAccess, desk: Desk) -> None:
    """Write what everybody got into their sheets, inside both writes. Raises ActionRefused while it is not over."""
    standing = desk.standing()
    carried = standing.game.close(standing.state)
    if not carried:
        raise ActionRefused(_("まだ終わっていません。"), code="not_over")
    for item in carried:
        write_part(cw, here, actor=item.actor, part=desk.session.part, source=desk.session.topic, build=dict(item.play))
