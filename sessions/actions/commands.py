"""A command of the game: decided by its rules, stored with its events and the new state in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.text import line
from live.events import timestamp
from rulesets.engine.odds import Odds
from rulesets.engine.play import BY_THE_TABLE, Command, CommandShape, Event, Refused
from sessions.actions.dice import CommandDice, name_of, open_throws
from sessions.actions.errors import CommandRefused, not_open, refused_by_rules
from sessions.actions.reading import read_fields
from sessions.actions.writing import Desk, keep, must_be_gm, record, session_write, store
from sessions.models import GameSession
from sessions.projection import eyes
from sessions.selectors.access import SessionAccess
from sessions.selectors.state import Standing, standing
from sessions.selectors.table import place

logger = logging.getLogger(__name__)

MAX_REASON = 300


@dataclass(frozen=True, slots=True)
class Done:
    """What a command led to: the numbers of its events. A retry gets the same."""

    first: int
    last: int

    def as_json(self) -> dict[str, Any]:
        return {"first": self.first, "last": self.last}


def run_command(
    *,
    access: SessionAccess,
    name: str,
    data: Mapping[str, Any],
    command_id: str = "",
    expected_step: int | None = None,
    override: str = "",
) -> Done:
    """Do what the rules say to a command, or refuse it and change nothing.

    `data` are the fields as JSON or as a form sends them. `expected_step` is the step of the open operation the person
    saw; `override` a GM's reason to set a soft refusal aside, shown in the log. Raises CommandRefused, ActionRefused.
    """
    reason = line(override, field="override", label=_("理由"), limit=MAX_REASON)
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            return done_before(desk)
        if reason:
            must_be_gm(desk.access)
        was = desk.standing()
        shape = issued(was, name, desk.access)
        command = Command(name, read_fields(shape, data), now(), expected_step, reason)
        return carry_out(desk, was, command, shape)


def odds_of(access: SessionAccess, name: str, data: Mapping[str, Any]) -> Odds | None:
    """The exact chances of a command from what this person may know; None when there is nothing to tell.

    Raises CommandRefused for a command this person cannot issue.
    """
    seq, head = place(access.session)
    if access.session.state != GameSession.State.OPEN:
        raise not_open()
    try:
        was = standing(access.session, seq, head)
        shape = issued(was, name, access)
        command = Command(name, read_fields(shape, data), now())
        return was.game.odds(was.state, command, eyes(access.viewer()))
    except ActionRefused:
        raise
    except Exception as error:
        logger.exception("the odds of %s failed in %s", name, access.session.topic)
        raise CommandRefused(_("この操作の確率は出せません。"), code="no_odds", status=422) from error


def issued(was: Standing, name: str, access: SessionAccess) -> CommandShape:
    """The shape of a command that this person's role may issue. Raises CommandRefused."""
    shape = shape_of(was, name)
    if shape is None or name in BY_THE_TABLE:
        raise CommandRefused(_("その操作はありません。"), code="unknown_command", status=404)
    if access.actor.role not in shape.roles:
        raise CommandRefused(_("あなたの役割ではこの操作はできません。"), code="not_allowed", status=403)
    return shape


def carry_out(desk: Desk, was: Standing, command: Command, shape: CommandShape, first: int | None = None) -> Done:
    """Decide a command behind the lock and store what comes of it. `first`: where its record begins, when the session
    told something of its own before. Raises CommandRefused."""
    begin = first if first is not None else desk.w.seq + 1
    dice = CommandDice(desk.w)
    decided = decide(desk, was, command, dice)
    try:
        now_, stored = store(desk, was, decided, mark=_mark(command, dice))
        if dice.number is None:
            open_throws(desk.w, desk.session, decided)
        dice.shown_by(decided, stored)
        if desk.w.seq >= begin:
            record(
                desk,
                command.name,
                begin,
                seat=desk.access.seat,
                retractable=shape.retractable and dice.number is None and not command.override,
                draw=dice.number,
                throw=name_of(decided),
            )
            keep(desk, now_)
    except ActionRefused:
        raise
    except Exception as error:
        raise _broken(desk, command) from error
    return finish(desk, begin)


def decide(desk: Desk, was: Standing, command: Command, dice: CommandDice) -> Sequence[Event]:
    """The events of a command. Raises CommandRefused, also when the game fails: then nothing has happened."""
    try:
        decided = was.game.decide(was.state, command, desk.access.actor, dice)
    except Exception as error:
        raise _broken(desk, command) from error
    if isinstance(decided, Refused):
        raise refused_by_rules(decided)
    return decided


def shape_of(standing: Standing, name: str) -> CommandShape | None:
    """How the game describes a command; None when it has none of this name."""
    return next((shape for shape in standing.game.commands() if shape.name == name), None)


def finish(desk: Desk, first: int) -> Done:
    """Remember the result of the press, so that a retry gets the same."""
    done = Done(first, desk.w.seq)
    desk.w.result = done.as_json()
    return done


def done_before(desk: Desk) -> Done:
    """The result of a repeated press. Raises ActionRefused when it was the press of another button."""
    first, last = desk.w.result.get("first"), desk.w.result.get("last")
    if not isinstance(first, int) or not isinstance(last, int):
        raise ActionRefused(_("この操作はもう済んでいます。ページを読み込み直してください。"), code="already_done")
    return Done(first, last)


def now() -> str:
    """The server's time as commands carry it: `2026-05-09T12:03:44Z`."""
    return timestamp(timezone.now())[:19] + "Z"


def lang() -> str:
    return get_language() or "ja"


def _mark(command: Command, dice: CommandDice) -> dict[str, Any]:
    mark: dict[str, Any] = {}
    if dice.number is not None:
        mark["draw"] = dice.number
    if command.override:
        mark["override"] = command.override
    return mark


def _broken(desk: Desk, command: Command) -> CommandRefused:
    logger.exception("command %s failed in %s", command.name, desk.session.topic)
    return CommandRefused(
        _("この操作は処理できませんでした。何も変わっていません。管理者に知らせてください。"),
        code="failed",
        status=422,
    )
