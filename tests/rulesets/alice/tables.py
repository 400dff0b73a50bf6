"""A draft that is played command by command, for tests that look at more than one case at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.engine.commands.results import plain
from rulesets.engine.dice import DiceSource, ScriptedDice
from rulesets.engine.play import Actor, Command, Event, Play, Refused, Viewer, replay, seat_token, shown

AT = "2026-05-09T12:03:44Z"
SEATS = {name: str(at) for at, name in enumerate("ABC", 2)}
ROLES: Mapping[str, Any] = {"gm": "gm", "spectator": "spectator", "timer": "timer"}


def setup_of(players: int = 3, house_rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A GM and so many players with the seats 2, 3 … and the names A, B …"""
    seats = [{"seat": "1", "role": "gm", "name": "GM"}]
    seats += [{"seat": str(at + 2), "role": "player", "name": chr(65 + at)} for at in range(players)]
    return {"house_rules": dict(house_rules or {}), "seats": seats, "cast": []}


class Table:
    def __init__(self, play: Play[Any], setup: Mapping[str, Any]) -> None:
        self.play, self._setup = play, setup
        self.done: list[Sequence[Event]] = []
        self.state = self.start([])

    def start(self, events: Sequence[Event]) -> Any:
        """The state that these events lead to."""
        return replay(self.play, self.play.start(self._setup), events)

    @property
    def events(self) -> list[Event]:
        return [event for events in self.done for event in events]

    @property
    def dump(self) -> Mapping[str, Any]:
        return self.play.dump(self.state)

    def actor(self, who: str) -> Actor:
        if who in ROLES:
            return Actor("1" if who == "gm" else "", ROLES[who])
        return Actor(SEATS.get(who, who), "player")

    def viewer(self, who: str) -> Viewer:
        actor = self.actor(who)
        own = {"all", seat_token(actor.seat)} if actor.seat else {"all"}
        return Viewer(frozenset(own | {"gm"} if actor.is_gm else own), actor.role, actor.seat)

    # ------------------------------------------------------------ playing

    def try_(
        self, who: str, name: str, data: Mapping[str, Any], dice: DiceSource, *, step_off: int = 0
    ) -> Sequence[Event] | Refused:
        """A command with the step that is open (or one that is `step_off` beside it)."""
        step = self.state.open_step
        asked = Command(name, data, AT, None if step is None else step + step_off)
        found = self.play.decide(self.state, asked, self.actor(who), dice)
        if not isinstance(found, Refused):
            self.done.append(found)
            self.state = replay(self.play, self.state, found)
        return found

    def act(self, seat: str, name: str, data: Mapping[str, Any], dice: DiceSource) -> None:
        found = self.try_(seat, name, data, dice)
        assert not isinstance(found, Refused), found

    def do(self, who: str, name: str, dice: DiceSource | None = None, /, **data: Any) -> None:
        self.act(who, name, data, dice or ScriptedDice([]))

    def undo(self) -> None:
        """What the topic does: the last command's events are left out and the rest is folded again."""
        self.done.pop()
        self.state = self.start(self.events)

    # ------------------------------------------------------------ looking

    def seen(self, who: str) -> Any:
        return self.play.project_state(self.state, self.viewer(who))

    def everything(self, who: str) -> Any:
        """All that ever reached somebody: the state now and every event."""
        viewer = self.viewer(who)
        told = [(event.kind, shown(self.play, event, viewer)) for event in self.events]
        return plain({"state": self.seen(who), "events": [(kind, data) for kind, data in told if data is not None]})


def golden_table(play: Play[Any], *, below: Sequence[str] = (), alice: str = "") -> Table:
    """The golden draft (§4.8) before its first card; `below` are cards under the tops of ♠."""
    table = Table(play, setup_of())
    if alice:
        table.do("gm", "alice.set", faces=alice)
    hearts = ["HK", "H6", "H8"]
    piles = [
        ["S7", "SJ", "S10", *below, "..."],
        ["C4", "C9", "CQ", "..."],
        [*hearts, "..."],
        ["D2", "D10", "D5", "..."],
    ]
    table.do("gm", "start_draft", ScriptedDice([], piles=piles))
    table.do("gm", "set_janken_winner", player="B")
    table.do("B", "choose_parent", parent="A")
    return table
