"""One command = one transaction on the session's topic, with rights and state looked up again behind the lock."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.models import Seat
from characters.selectors.access import CampaignAccess
from live import topics
from live.models import Event
from live.topics import TopicClosed, Write
from rulesets.engine import play
from sessions.actions import part_rows
from sessions.actions.errors import closed, not_allowed, not_open
from sessions.kinds import ALL, MARK, audience_sum, stored_kind
from sessions.models import CommandRecord, GameSession, Snapshot
from sessions.projection import eyes
from sessions.selectors import state as game_states
from sessions.selectors.access import SessionAccess, viewer_of
from sessions.selectors.state import Standing, StateLost

NOT_CLOSED = (GameSession.State.PLANNED, GameSession.State.OPEN)
SNAPSHOT_EVERY = 50  # events between snapshots that are kept
RECENT = 600  # events back to which every kept snapshot stays
SPARSE = 2000  # further back one stays for so many events


@dataclass
class Desk:
    """An open write to a session: who acts, and the session as it is behind the lock."""

    w: Write
    access: SessionAccess
    before: dict[str, Any] = field(default_factory=dict)

    @property
    def session(self) -> GameSession:
        return self.access.session

    def standing(self) -> Standing:
        """The game now. Raises ActionRefused when it cannot be read."""
        with _not_lost():
            return game_states.standing(self.session, self.w.seq, self.w.topic.head)

    def folded(self) -> Standing:
        """The game as the stored events make it, whatever memory says. Raises ActionRefused."""
        with _not_lost():
            return game_states.from_log(self.session, self.w.seq)


@contextmanager
def _not_lost() -> Iterator[None]:
    try:
        yield
    except StateLost as lost:
        raise ActionRefused(
            _("この回の状態を読めません。管理者に知らせてください。記録は消えていません。"), code="state_lost"
        ) from lost


@contextmanager
def session_write(
    access: SessionAccess, command_id: str = "", *, states: Collection[str] = (GameSession.State.OPEN,)
) -> Iterator[Desk]:
    """Lock the session, which has to be in one of these states.

    When `desk.w.repeated`, the body answers from `w.result` and does nothing else. Raises ActionRefused for somebody
    who was removed meanwhile, and for a session in another state.
    """
    try:
        with topics.write(
            access.session.topic, user=access.user, command_id=command_id, actor=access.seat.audience
        ) as w:
            here = fresh(access)
            if not w.repeated and here.session.state not in states:
                raise wrong_state(here.session.state)
            yield Desk(w, here)
    except TopicClosed:
        raise closed() from None


def wrong_state(now: str) -> ActionRefused:
    """Why something cannot be done in this state of the session."""
    if now == GameSession.State.CLOSED:
        return closed()
    if now == GameSession.State.OPEN:
        return ActionRefused(_("この回はもう始まっています。"), code="already_open", status=409)
    return not_open()


def fresh(access: SessionAccess) -> SessionAccess:
    """Seat and session read again. Raises ActionRefused for somebody who was removed meanwhile."""
    seat = Seat.objects.select_related("campaign", "user").get(pk=access.seat.pk)
    if seat.removed_at is not None:
        raise ActionRefused(_("あなたはもうこの卓の一員ではありません。"), code="not_a_member", status=403)
    session = GameSession.objects.select_related("campaign").get(pk=access.session.pk)
    return SessionAccess(session, CampaignAccess(seat.campaign, seat))


def must_be_gm(access: SessionAccess) -> None:
    if not access.is_gm:
        raise not_allowed(_("これはGMだけができます。"))


def must_take_part(access: SessionAccess) -> None:
    """Refuse those who only look on."""
    if access.is_spectator:
        raise not_allowed(_("見学の人は見ることだけができます。"))


# ---------------------------------------------------------------- what the game decided, stored


def store(
    desk: Desk, was: Standing, decided: Sequence[play.Event], *, mark: Mapping[str, Any] | None = None
) -> tuple[Standing, list[Event]]:
    """Append what a game decided and apply it. Whoever's view changes without an event is told that it did."""
    game, marked = desk.session.game, {MARK: dict(mark)} if mark else {}
    events = [
        desk.w.append(stored_kind(game, event.kind), {**event.data, **marked}, event.audience, event.schema)
        for event in decided
    ]
    course = [was]
    for event in events:
        now = course[-1]
        fact = play.up_to_date(now.game, game_states.fact_of(event))
        course.append(replace(now, state=now.game.evolve(now.state, fact)))
    tell_changed(desk, course, [event.audience for event in events])
    return course[-1], events


def tell_changed(desk: Desk, course: Sequence[Standing], audiences: Sequence[Sequence[str]]) -> None:
    """Let the pages of those be drawn again who see another state than at the last of these events they saw.

    `course` are the states before, between and after events of these audiences.
    """
    if not audiences or "all" in audiences[-1]:
        return
    changed: set[str] = set()
    for seat in Seat.objects.filter(campaign=desk.session.campaign, removed_at=None):
        viewer = viewer_of(seat)
        seen = max((number for number, heard in enumerate(audiences, 1) if viewer.sees(heard)), default=0)
        if seen < len(audiences) and _view(course[seen], viewer) != _view(course[-1], viewer):
            changed |= ALL_TOKENS if viewer.role == "spectator" else {seat.audience}
    if changed:
        desk.w.append("table.changed", {}, audience_sum([sorted(changed)]))


ALL_TOKENS: frozenset[str] = frozenset(ALL)


def _view(standing: Standing, viewer: Any) -> Any:
    return standing.game.project_state(standing.state, eyes(viewer))


def record(
    desk: Desk,
    name: str,
    first: int,
    *,
    retractable: bool = False,
    seat: Seat | None = None,
    draw: int | None = None,
    throw: str = "",
) -> CommandRecord:
    """Note which events were this command's, and what it threw."""
    return CommandRecord.objects.create(
        session=desk.session,
        first=first,
        last=desk.w.seq,
        name=name,
        seat=seat,
        retractable=retractable,
        draw=draw,
        throw=throw,
        before=desk.before,
    )


def keep(desk: Desk, now: Standing) -> None:
    """Store the state after the newest event, in the database and in memory."""
    session, seq = desk.session, desk.w.seq
    data = dict(now.game.dump(now.state))
    newest = Snapshot.objects.filter(session=session).values_list("pk", "seq").first()
    if newest is not None and newest[1] // SNAPSHOT_EVERY == seq // SNAPSHOT_EVERY:
        Snapshot.objects.filter(pk=newest[0]).update(seq=seq, data=data)
    else:
        Snapshot.objects.create(session=session, seq=seq, data=data)
        _thin_out(session, seq)
    game_states.memory.put(desk.w.topic.head, now)
    if session.part:
        part_rows.write(session, now)


def _thin_out(session: GameSession, seq: int) -> None:
    """Of snapshots further back only the newest of each stretch stays."""
    old = Snapshot.objects.filter(session=session, seq__lt=seq - RECENT).order_by("-seq")
    kept: set[int] = set()
    drop = []
    for pk, at in old.values_list("pk", "seq"):
        if at // SPARSE in kept:
            drop.append(pk)
        kept.add(at // SPARSE)
    if drop:
        Snapshot.objects.filter(pk__in=drop).delete()


def still(desk: Desk, was: str) -> None:
    """The state has not changed although the log has: known under the newest event too. `was`: the hash before."""
    known = game_states.remembered(was)
    if known is not None:
        game_states.memory.put(desk.w.topic.head, known)
