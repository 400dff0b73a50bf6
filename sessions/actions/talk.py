"""Talk and the dice box: what people say, and rolls of the common commands beside the game's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.actions.text import clean, paragraph
from rulesets import services
from rulesets.engine.commands.refusals import MAX_LINE, RollRefused
from rulesets.engine.commands.results import Roll, plain
from rulesets.engine.dice import DiceSource
from sessions.actions.dice import CommandDice
from sessions.actions.errors import CommandRefused, not_allowed
from sessions.actions.writing import Desk, must_take_part, session_write, still
from sessions.kinds import ALL
from sessions.models import CastMember
from sessions.selectors.access import SessionAccess
from sessions.selectors.table import known_to_all

MAX_TALK = 2000
COMMON = "DiceBot"  # the common commands, for games without dice of their own
# A line refused with one of these is no command at all: in a box for both it is talk.
NO_COMMAND = frozenset({"not_a_command", "no_dice", "empty"})

Mode = Literal["say", "roll", "auto"]


class RollUnread(CommandRefused):
    """A line of the dice box that was not rolled; `suggestions` are lines that may have been meant."""

    def __init__(self, refused: RollRefused) -> None:
        lang = get_language() or "ja"
        super().__init__(refused.message.pick(lang), code=refused.code, field="text", status=422)
        self.suggestions = tuple(refused.suggestions)


@dataclass(frozen=True, slots=True)
class Said:
    """What became of a line: `said`, `rolled`, or `odds` (chances, told to nobody else). `seq` is its entry."""

    what: Literal["said", "rolled", "odds"]
    seq: int | None = None
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"what": self.what, "seq": self.seq, "text": self.text}


def say(*, access: SessionAccess, text: str, speaker: str = "", mode: Mode = "auto", command_id: str = "") -> Said:
    """Post a line. `roll`: a dice command; `say`: plain words; `auto`: whatever it is.

    `speaker` is the actor it is said as, one's own or, for GMs, any. A line that begins with `?` gives chances and is
    not posted. Raises RollUnread for a command that cannot be rolled: nothing is posted then. Raises ActionRefused.
    """
    words = paragraph(text, field="text", label=_("発言"), limit=MAX_TALK, required=True)
    with session_write(access, command_id) as desk:
        if desk.w.repeated:
            result = desk.w.result
            return Said(result.get("what", "said"), result.get("seq"), result.get("text", ""))
        must_take_part(desk.access)
        member = _speaker(desk, speaker)
        head = desk.w.topic.head
        said = _said(desk, words, member) if mode == "say" else _rolled(desk, words, member, mode)
        desk.w.result = said.as_json()
        still(desk, head)
        return said


def _said(desk: Desk, words: str, speaker: CastMember | None) -> Said:
    return Said("said", desk.w.append("talk.said", {"text": words, "speaker": _openly(desk, speaker)}, ALL).seq)


def _rolled(desk: Desk, words: str, speaker: CastMember | None, mode: Mode) -> Said:
    dice = CommandDice(desk.w)
    try:
        roll = _roll(desk.access.system, words, dice)
    except RollRefused as refused:
        if mode == "auto" and refused.code in NO_COMMAND:
            return _said(desk, words, speaker)
        raise RollUnread(refused) from None
    if roll.chances is not None or roll.kind == "odds":
        return Said("odds", text=roll.text.pick(get_language() or "ja"))
    return Said("rolled", _post(desk, roll, speaker, dice))


def _post(desk: Desk, roll: Roll, speaker: CastMember | None, dice: CommandDice) -> int:
    audience = (desk.access.seat.audience, "gm") if roll.secret else ALL
    name = _name(speaker) if roll.secret else _openly(desk, speaker)
    if roll.secret:
        seen = speaker is None or known_to_all(desk.standing(), speaker)
        desk.w.append("talk.rolled_secretly", {"speaker": name if seen else ""}, ALL)
    facts = {"speaker": name, "roll": roll_facts(roll), "@": {"draw": dice.number}}
    event = desk.w.append("talk.rolled", facts, audience)
    dice.shown_to(audience, event)
    return event.seq


def roll_facts(roll: Roll) -> dict[str, Any]:
    """A roll as the log stores it: words in both languages, every die, the outcome."""
    return {
        "typed": clean(roll.typed),
        "read_as": roll.read_as,
        "comment": clean(roll.comment),
        "text": plain(roll.text),
        "secret": roll.secret,
        "dice": [[die.sides, die.face] for die in roll.dice],
        "degree": roll.degree,
        "total": roll.total,
        "margin": roll.margin,
        "notices": [notice.as_json() for notice in roll.notices],
        "parts": [plain(part.text) for part in roll.rolls],
    }


def _roll(system: str, line: str, dice: DiceSource) -> Roll:
    try:
        return services.roll(system, line[:MAX_LINE], dice)
    except RollRefused as refused:
        if refused.code != "unknown_system":
            raise
    return services.roll(COMMON, line[:MAX_LINE], dice)


def _speaker(desk: Desk, actor: str) -> CastMember | None:
    """Who says a line; None for the person. Raises ActionRefused for somebody else's character."""
    if not actor:
        return None
    member = CastMember.objects.select_related("character").filter(session=desk.session, actor=actor).first()
    mine = member is not None and member.character.owner_id == desk.access.seat.pk
    if member is None or not (desk.access.is_gm or mine):
        raise not_allowed(_("その人物としては話せません。"))
    return member


def _name(speaker: CastMember | None) -> str:
    return speaker.name if speaker is not None else ""


def _openly(desk: Desk, speaker: CastMember | None) -> str:
    """The name a line is said under to everybody, "" for the person. Raises ActionRefused for somebody unseen: their
    name would tell that they are there."""
    if speaker is not None and not known_to_all(desk.standing(), speaker):
        raise ActionRefused(
            _("%(name)sはまだ姿を隠しています。先に姿を見せるか、話し手を変えてください。") % {"name": speaker.name},
            code="unseen",
            field="speaker",
            status=409,
        )
    return _name(speaker)
