"""The desk a handler works at: the checks of §4.5 in their order, the players by name, and the events made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.alice.draft.evolving import evolve
from rulesets.alice.draft.registry import PHASES
from rulesets.alice.draft.state import Draft
from rulesets.alice.words import refused
from rulesets.engine.cards import reordered
from rulesets.engine.dice import DiceSource, lay_out
from rulesets.engine.play import ALL, Actor, Audience, Command, CommandShape, Event
from rulesets.engine.text import Text

# still possible when the draft is over, or while it rests
AFTER = frozenset({"late_join", "join", "story.set"})
WHILE_PAUSED = frozenset({"resume"})
SEAT_DIGITS = 10


class Desk:
    def __init__(self, state: Draft, command: Command, actor: Actor, dice: DiceSource) -> None:
        self.state = state
        self.command = command
        self.actor = actor
        self.dice = dice
        self.events: list[Event] = []
        self.for_seat = ""  # whom the GM acts for

    # ------------------------------------------------------------ the checks of §4.5

    def guard(self, shape: CommandShape) -> None:
        """What is checked before the fields of a command are read. Raises `Refuse`."""
        if shape.answers and self.command.expected_step != self.state.open_step:
            raise refused("E_STALE_VERSION")
        self._at_table(shape)
        if self.state.paused and shape.name not in WHILE_PAUSED:
            raise refused("E_PAUSED")
        if self.state.phase == "COMPLETE" and shape.name not in AFTER:
            raise refused("E_DRAFT_COMPLETE")
        self.in_phase(shape.name)
        if self.actor.role not in shape.roles:
            self._known_if_named(shape)
            raise refused("E_GM_ONLY")

    def _at_table(self, shape: CommandShape) -> None:
        actor = self.actor
        joining = shape.name == "join" and actor.role == "player"
        timer = actor.role == "timer" and "timer" in shape.roles
        seated = actor.role == "player" and actor.seat in self.state.seats
        if not (actor.is_gm or joining or timer or seated):
            raise refused("E_NOT_AT_TABLE")

    def in_phase(self, name: str) -> None:
        """Whether a command is for this phase. Raises `Refuse`."""
        if name == "join":
            return
        phase = self.state.phase
        if phase in PHASES[name]:
            return
        if name == "reveal" and phase == "OFFERING":
            raise refused("E_CARD_ALREADY_REVEALED")
        if name in ("claim", "pass") and phase == "AWAIT_REVEAL":
            raise refused("E_NO_CARD_REVEALED")
        raise refused("E_WRONG_PHASE")

    def _known_if_named(self, shape: CommandShape) -> None:
        """A player who is nobody is told before the sender is told that only the GM may."""
        if shape.name == "act_for" and isinstance(self.command.data.get("player"), str):
            self.seated(str(self.command.data["player"]))

    # ------------------------------------------------------------ people

    def seated(self, named: str) -> str:
        """The seat of a player by seat id or name, among those who take part. Raises `Refuse` E_UNKNOWN_PLAYER."""
        return self._found(named, self.state.seats)

    def known(self, named: str) -> str:
        """The same among everybody the draft knows."""
        return self._found(named, tuple(self.state.names))

    def newcomer(self, named: str) -> str:
        """The same, or the seat of somebody new: its id, a number. Raises `Refuse` E_UNKNOWN_PLAYER."""
        new = named.isascii() and named.isdecimal() and len(named) <= SEAT_DIGITS
        return named if new and named not in self.state.names else self.known(named)

    def _found(self, named: str, seats: Sequence[str]) -> str:
        if named in seats:
            return named
        called = [seat for seat in seats if self.state.name(seat) == named]
        if len(called) != 1:
            raise refused("E_UNKNOWN_PLAYER")
        return called[0]

    @property
    def seat(self) -> str:
        """Whose answer a command is: the sender's own, or the player's for whom the GM acts."""
        return self.for_seat or (self.actor.seat if self.actor.role == "player" else "")

    def name(self, seat: str) -> str:
        return self.state.name(seat)

    # ------------------------------------------------------------ cards and events

    def shuffled(self, cards: Sequence[str]) -> tuple[str, ...]:
        return reordered(cards, lay_out(self.dice, cards))

    def emit(self, kind: str, text: Text | None = None, *, audience: Audience = ALL, **data: Any) -> None:
        """Make an event and apply it; acting for somebody is told with it (`by`: the GM)."""
        told: dict[str, Any] = {key: _plain(value) for key, value in data.items()}
        if text is not None:
            told["text"] = {"ja": text.ja, "en": text.en}
        if self.for_seat:
            told["by"] = "gm"
        if self.actor.role == "timer":
            told["by"] = "timer"
        made = Event(kind, told, audience)
        self.events.append(made)
        self.state = evolve(self.state, made)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return value
