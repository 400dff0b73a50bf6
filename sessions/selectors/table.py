"""A table at one moment, for one viewer: what its page is drawn from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from characters.models import Role, Seat
from live.kinds import Viewer
from live.models import Event, Topic
from rulesets.engine import play
from rulesets.engine.odds import Odds
from rulesets.engine.play import BY_THE_TABLE, Command, CommandShape
from sessions.models import CastMember, CommandRecord, GameSession
from sessions.projection import eyes
from sessions.recent import Recent
from sessions.selectors.state import Standing, StateLost, standing

logger = logging.getLogger(__name__)

REMEMBERED = 128


OddsOf = Callable[[str, Mapping[str, Any]], Odds | None]


def no_odds(name: str, data: Mapping[str, Any]) -> Odds | None:
    """Of a table without a state."""
    return None


@dataclass(frozen=True, slots=True)
class StandingCommand:
    """A command that was not taken back; `audience`: whoever saw what it did, not only that something did."""

    first: int
    name: str
    seat: int | None
    retractable: bool
    audience: frozenset[str]


class Seated(NamedTuple):
    """A seat as everybody may know it. Hundreds of people may look on, so this is no `Seat`."""

    pk: int
    name: str
    role: str
    removed: bool

    @property
    def role_label(self) -> str:
        return str(Role(self.role).label) if self.role in Role.values else self.role


@dataclass(frozen=True, slots=True)
class Facts:
    """What is the same for everybody: the session, its people and cast. `names` are seat names by token; `commands`
    the newest that stand, newest first."""

    session: GameSession
    seats: tuple[Seated, ...]
    cast: tuple[CastMember, ...]
    names: Mapping[str, str]
    commands: tuple[StandingCommand, ...] = ()
    _own: dict[int, Seat | None] = field(default_factory=dict, compare=False)

    def seat_of(self, viewer: Viewer) -> Seat | None:
        """The viewer's own seat; None when it was removed. Read once."""
        pk = viewer.seat_id
        if pk is None:
            return None
        if pk not in self._own:
            seats = Seat.objects.select_related("user").filter(campaign=self.session.campaign_id, removed_at=None)
            self._own[pk] = seats.filter(pk=pk).first()
        return self._own[pk]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one viewer sees it after event `seq`.

    `state` is what the game shows of its state, `commands` what the viewer's role may ever issue, `actors` ids and
    names the viewer may know, `odds(command, data)` exact chances from what they may know, `house_rules` those the
    table began with. `lost`: the state cannot be read (the log still can). Nothing here holds a token, a command id or
    a local time, so all viewers of a group may get the same bytes.
    """

    facts: Facts
    viewer: Viewer
    seq: int
    state: Mapping[str, Any]
    commands: tuple[CommandShape, ...]
    actors: tuple[tuple[str, str], ...]
    lost: bool = False
    odds: OddsOf = field(default=no_odds, compare=False)
    house_rules: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def session(self) -> GameSession:
        return self.facts.session

    @property
    def system(self) -> str:
        return self.facts.session.campaign.system

    @property
    def game(self) -> str:
        """The name of the live play."""
        return self.facts.session.game

    @property
    def lang(self) -> str:
        return self.viewer.lang

    @property
    def is_gm(self) -> bool:
        return self.viewer.role in ("gm", "co_gm")

    @property
    def is_spectator(self) -> bool:
        return self.viewer.role == "spectator"

    @property
    def is_open(self) -> bool:
        return self.facts.session.state == GameSession.State.OPEN

    @property
    def undoable(self) -> StandingCommand | None:
        """The command this viewer may take back: the last one for GMs; for a player their own, when it showed nothing
        new and they saw none after it."""
        if not self.is_open or self.is_spectator:
            return None
        seen = (
            c
            for c in self.facts.commands
            if c.first <= self.seq and (self.is_gm or self.viewer.sees(tuple(c.audience)))
        )
        last = next(seen, None)
        if last is None or self.is_gm:
            return last
        return last if last.retractable and last.seat == self.viewer.seat_id else None

    @property
    def step(self) -> int | None:
        """The step of the open operation, which an answer to it carries."""
        found = self.state.get("step")
        return found if isinstance(found, int) else None


# By the hash of the newest event: every change of them is told in the log.
_memory: Recent[str, Facts] = Recent(REMEMBERED)


def place(session: GameSession) -> tuple[int, str]:
    """Number and hash of the newest event."""
    found = Topic.objects.filter(name=session.topic).values_list("seq", "head").first()
    return found or (0, "")


def facts_at(session_pk: int, head: str) -> Facts | None:
    """The facts of a session; None when there is none. Read once for all viewers of an event."""
    found = _memory.get(head)
    if found is None or found.session.pk != session_pk:
        session = GameSession.objects.select_related("campaign").filter(pk=session_pk).first()
        if session is None:
            return None
        found = facts_of(session)
        _memory.put(head, found)
    return found


def facts_of(session: GameSession) -> Facts:
    rows = Seat.objects.filter(campaign=session.campaign).values_list("pk", "name", "role", "removed_at")
    seats = tuple(Seated(pk, name, role, removed is not None) for pk, name, role, removed in rows)
    cast = tuple(CastMember.objects.select_related("character__owner").filter(session=session))
    return Facts(session, seats, cast, {f"seat:{seat.pk}": seat.name for seat in seats}, _commands_of(session))


NEWEST = 8
CHANGED = "table.changed"


def _commands_of(session: GameSession) -> tuple[StandingCommand, ...]:
    rows = list(CommandRecord.objects.filter(session=session, undone_by=None).order_by("-first")[:NEWEST])
    if not rows:
        return ()
    events = Event.objects.filter(topic__name=session.topic, seq__gte=rows[-1].first).exclude(kind=CHANGED)
    heard = list(events.values_list("seq", "audience"))
    return tuple(
        StandingCommand(
            row.first,
            row.name,
            row.seat_id,
            row.retractable,
            frozenset(token for seq, audience in heard if row.first <= seq <= row.last for token in audience),
        )
        for row in rows
    )


def table_view(facts: Facts, viewer: Viewer, seq: int, head: str) -> TableView:
    """The table after event `seq`, whose hash is `head`, for one viewer. Never raises over what is stored."""
    session = facts.session
    now: Standing | None = None
    state: Mapping[str, Any] = {}
    lost = False
    if session.setup_seq is not None:
        try:
            now = standing(session, seq, head)
            state = now.game.project_state(now.state, eyes(viewer))
        except StateLost:
            lost = True
        except Exception:
            logger.exception("the state of %s cannot be shown", session.topic)
            lost = True
    return TableView(
        facts=facts,
        viewer=viewer,
        seq=seq,
        state=state,
        commands=_commands(now, viewer),
        actors=_actors(facts, viewer, state),
        lost=lost,
        odds=_odds(now, viewer),
        house_rules=now.setup.get("house_rules", {}) if now is not None else {},
    )


def _odds(now: Standing | None, viewer: Viewer) -> OddsOf:
    if now is None:
        return no_odds

    def count(name: str, data: Mapping[str, Any]) -> Odds | None:
        try:
            return now.game.odds(now.state, Command(name, data, ""), eyes(viewer))
        except Exception:  # a page without chances is better than no page
            logger.exception("the chances of %s cannot be counted", name)
            return None

    return count


def _commands(now: Standing | None, viewer: Viewer) -> tuple[CommandShape, ...]:
    if now is None:
        return ()
    role = eyes(viewer).role
    return tuple(shape for shape in now.game.commands() if role in shape.roles and shape.name not in BY_THE_TABLE)


def played_by(state: Mapping[str, Any], actor: str) -> str | None:
    """The seat that plays an actor, as the game shows it (`actors`: rows with `id`, `seat`); None: it does not say."""
    found = _row_of(state, actor) or {}
    return str(found["seat"]) if found.get("seat") else None


def known_to_all(now: Standing, member: CastMember) -> bool:
    """Whether everybody may know of somebody: they were never hidden, or the game shows them by now."""
    everybody = play.Viewer(frozenset({"all"}), "spectator", "")
    return not member.hidden or _row_of(now.game.project_state(now.state, everybody), member.actor) is not None


def _row_of(state: Mapping[str, Any], actor: str) -> Mapping[str, Any] | None:
    shown = state.get("actors")
    rows = shown.values() if isinstance(shown, Mapping) else shown or ()
    return next((row for row in rows if isinstance(row, Mapping) and row.get("id") == actor), None)


def _actors(facts: Facts, viewer: Viewer, state: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Who can be named in a command: those the game shows (`actors`: rows with `id` and `name`), else the cast."""
    shown = state.get("actors")
    rows = list(shown.values()) if isinstance(shown, Mapping) else shown
    if isinstance(rows, list | tuple):
        pairs = [(row.get("id"), row.get("name")) for row in rows if isinstance(row, Mapping)]
        return tuple((str(key), str(name)) for key, name in pairs if key and name)
    gm = viewer.role in ("gm", "co_gm")
    return tuple((member.actor, member.name) for member in facts.cast if gm or not member.hidden)
