"""The promises of live play notice games that break them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.play import Actor, CarriedOver, Command, CommandShape, Event, Refused, Viewer
from rulesets.engine.text import Text
from rulesets.protocol import System
from tests.rulesets import conformance_play as promises
from tests.rulesets.toy_play import State, ToyPlay
from tests.rulesets.toy_system import ToySystem

Decided = Sequence[Event] | Refused


def changed(number: int, **values: Any) -> Callable[[ToyPlay], Sequence[CommandShape]]:
    """The toy's commands with one of them described otherwise."""

    def commands(self: ToyPlay) -> Sequence[CommandShape]:
        found = list(ToyPlay.commands(self))
        found[number] = dataclasses.replace(found[number], **values)
        return found

    return commands


NOTED = ToyPlay().commands()[2].fields[0]


class HasNoLabel(ToyPlay):
    commands = changed(0, label=Text("振る", ""))  # type: ignore[assignment]


class HasNoCodes(ToyPlay):
    commands = changed(0, codes=())  # type: ignore[assignment]


class HasUnknownCodes(ToyPlay):
    commands = changed(0, codes=("T10", "T13", "T99"))  # type: ignore[assignment]


class HasAnEmptyRange(ToyPlay):
    commands = changed(2, fields=(dataclasses.replace(NOTED, min=5, max=1),))  # type: ignore[assignment]


class HasTheSameTwice(ToyPlay):
    commands = changed(1, name="throw")  # type: ignore[assignment]


class HidesACode(ToyPlay):
    commands = changed(0, codes=("T10",))  # type: ignore[assignment]


class LosesTheSecret(ToyPlay):
    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> State:
        return dataclasses.replace(super().load(data, setup), points={})


class AlwaysChangesSheets(ToyPlay):
    def close(self, state: State) -> Sequence[CarriedOver]:
        return [CarriedOver("c1", (), {})]


class ShowsStrangersTheState(ToyPlay):
    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        return {"points": dict(state.points)}


class ShowsUnknownKinds(ToyPlay):
    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        return event.data


class TakesAnyCommand(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        found = super().decide(state, command, actor, dice)
        return [] if isinstance(found, Refused) and found.code == "T11" else found


class AsksNoRole(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        return super().decide(state, command, dataclasses.replace(actor, role="gm"), dice)


class ThrowsBeforeRefusing(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        dice.roll(6)
        return super().decide(state, command, actor, dice)


class Breaks(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        if command.name == "note":
            return [Event("noted", {"number": int(command.data["number"])})]
        return super().decide(state, command, actor, dice)


class RefusesInOneLanguage(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        found = super().decide(state, command, actor, dice)
        return dataclasses.replace(found, message=Text("だめ", "")) if isinstance(found, Refused) else found


class ToldToNobody(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        found = super().decide(state, command, actor, dice)
        return found if isinstance(found, Refused) else [dataclasses.replace(event, audience=()) for event in found]


class KeepsNumberKeys(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        found = super().decide(state, command, actor, dice)
        return (
            found
            if isinstance(found, Refused)
            else [dataclasses.replace(event, data={**event.data, 1: True}) for event in found]  # type: ignore[dict-item]
        )

    def evolve(self, state: State, event: Event) -> State:
        return super().evolve(dataclasses.replace(state, step=state.step + (1 in event.data)), event)


class KeepsObjects(ToyPlay):
    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Decided:
        found = super().decide(state, command, actor, dice)
        return found if isinstance(found, Refused) else [Event("counted", {"left": {1}})]


class CountsWrong(ToyPlay):
    def odds(self, state: State, command: Command, viewer: Viewer) -> Odds | None:
        found = super().odds(state, command, viewer)
        return found and Odds(found.outcomes[:1])


@pytest.mark.parametrize(
    ("broken", "promise", "named"),
    [
        (HasNoLabel, promises.commands_describe_themselves, "a label is missing"),
        (HasNoCodes, promises.commands_describe_themselves, "is never refused"),
        (HasUnknownCodes, promises.commands_describe_themselves, "T99 has no words"),
        (HasAnEmptyRange, promises.commands_describe_themselves, "from 5 to 1"),
        (HasTheSameTwice, promises.commands_describe_themselves, "throw is there twice"),
        (HidesACode, promises.every_command_is_walked, "refused T13, which it does not name"),
        (LosesTheSecret, promises.a_table_begins, "a dump that was read back"),
        (AlwaysChangesSheets, promises.a_table_begins, "a table where nothing happened"),
        (ShowsStrangersTheState, promises.a_table_begins, "an unknown role sees the state"),
        (ShowsUnknownKinds, promises.every_command_is_walked, "an unknown kind shows something"),
        (TakesAnyCommand, promises.unknown_commands_are_refused, "not refused"),
        (AsksNoRole, promises.every_command_is_walked, "not refused"),
        (ThrowsBeforeRefusing, promises.unknown_commands_are_refused, "after 1 dice"),
        (Breaks, promises.every_command_is_walked, "Error: "),
        (RefusesInOneLanguage, promises.unknown_commands_are_refused, "refused without words"),
        (ToldToNobody, promises.every_command_is_walked, "is for nobody"),
        (KeepsNumberKeys, promises.every_command_is_walked, "an event is no plain JSON"),
        (KeepsNumberKeys, promises.every_command_is_walked, "stored events lead to another state"),
        (KeepsObjects, promises.every_command_is_walked, "no JSON at all"),
        (CountsWrong, promises.every_command_is_walked, "do not add up to 1"),
    ],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_a_broken_promise_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
    broken: type[ToyPlay],
    promise: Callable[[System], Iterator[str]],
    named: str,
) -> None:
    assert list(promise(ToySystem())) == []
    monkeypatch.setattr(ToySystem, "play", broken())
    assert any(named in wrong for wrong in promise(ToySystem()))


def test_a_game_plays_if_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(promises.plays_if_it_says_so(ToySystem())) == []
    monkeypatch.setattr(ToySystem, "play", None)
    assert list(promises.plays_if_it_says_so(ToySystem()))
