"""The dice of one command: a draw of the topic whose audience is fixed when it is known who sees the faces."""

from __future__ import annotations

from collections.abc import Sequence

from live.models import Draw, Event
from live.topics import Write
from rulesets.engine import play
from sessions.kinds import audience_common, audience_sum
from sessions.models import CommandRecord, GameSession


class CommandDice:
    """A `DiceSource` over the topic's next draw. Until `shown_by` nobody may verify it; a refused command takes the
    whole write back, and the draw with it."""

    def __init__(self, w: Write) -> None:
        self._dice = w.dice(())

    @property
    def number(self) -> int | None:
        """The number of the draw; None until the first die."""
        return self._dice.number

    def roll(self, sides: int) -> int:
        return self._dice.roll(sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        return self._dice.shuffle(size)

    def shown_by(self, decided: Sequence[play.Event], stored: Sequence[Event]) -> None:
        """Let those verify the draw who see its faces: whoever hears every event that says it tells some; when none
        does, only those who hear every event."""
        pairs = list(zip(decided, stored, strict=True))
        telling = [row for event, row in pairs if event.shows_dice] or [row for _event, row in pairs]
        if telling:
            self._dice.show_to(audience_common([row.audience for row in telling]), telling[0])

    def shown_to(self, audience: Sequence[str], event: Event) -> None:
        """Let this audience verify the draw, whose faces this event tells."""
        self._dice.show_to(audience, event)


def name_of(decided: Sequence[play.Event]) -> str:
    """The game's name of a command's throw; "" for none or several, which are told of together or not at all."""
    names = {event.throw for event in decided if event.throw}
    return names.pop()[:60] if len(names) == 1 else ""


def open_throws(w: Write, session: GameSession, decided: Sequence[play.Event]) -> None:
    """Let those verify an earlier throw who are told of it only now. Throws of commands taken back stay as they are."""
    for event in decided:
        rows = CommandRecord.objects.filter(session=session, throw=event.throw, undone_by=None, draw__isnull=False)
        numbers = rows.values_list("draw", flat=True) if event.throw else ()
        for number in numbers:
            draw = Draw.objects.filter(topic=w.topic, number=number).first() if number is not None else None
            if draw is not None:
                w.open_draw(draw.number, audience_sum([draw.audience, event.audience]))
