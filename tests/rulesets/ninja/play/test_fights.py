"""Whole fights by chance: any command in any state gives events or a refusal, and what must hold holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rulesets.engine.play import Command, Event, Refused, replay, shown
from rulesets.ninja.play import PLAY
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import State
from rulesets.ninja.tables import TABLES
from tests.rulesets.ninja.play.commands import Chooser
from tests.rulesets.ninja.play.people import ACTORS, AT, CANARY, RULES, VIEWERS, setup

SHAPES = {shape.name: shape for shape in PLAY.commands()}
COMMANDS = 400
# met by cases of their own: they need a table made for them
RARE = {"cast.join", "sheet.refresh", "endure", "injury.treat", "scenario.start", "scenario.end", "slayer.down"}
NEVER_IN_PLAY = {"P41"}  # an unknown command: tests of conformance


class Dice:
    def __init__(self, chance: Random) -> None:
        self.chance, self.thrown = chance, 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        # high dice, so that much happens
        return max(self.chance.randint(1, sides), self.chance.randint(1, sides))

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError("this game has no cards")


class Run:
    """One table from its first command to its last."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.setup = setup(RULES[seed % len(RULES)])
        self.first: State = PLAY.start(self.setup)
        self.state = self.first
        self.events: list[Event] = []
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.chooser = Chooser(PLAY.commands(), self.chance)

    def play(self) -> Run:
        for _ in range(COMMANDS):
            self.one()
        return self

    def one(self) -> None:
        command, actor = self.chooser.command(self.state)
        for viewer in VIEWERS.values():
            chances = PLAY.odds(self.state, command, viewer)
            assert chances is None or json.dumps(chances.as_json())
        dice, before = Dice(self.chance), self.state
        decided = PLAY.decide(self.state, command, actor, dice)
        assert self.state == before, "deciding changed the state"
        if isinstance(decided, Refused):
            assert decided.code in SHAPES[command.name].codes, (command.name, decided.code)
            assert not dice.thrown, f"{command.name} refused {decided.code} after dice"
            assert not (decided.overridable and command.override and actor.is_gm), (command, decided)
            self.refused[decided.code] += 1
            return
        assert not dice.thrown or not SHAPES[command.name].retractable
        self.accepted[command.name] += 1
        stored = [replace(event, data=json.loads(json.dumps(event.data))) for event in decided]
        self.state = replay(PLAY, self.state, stored)
        self.events += stored
        if before.actors["影"].hidden and self.state.actors["影"].hidden:
            self.nothing_told(stored)
        self.check(command, before)

    def nothing_told(self, events: list[Event]) -> None:
        """Whoever is hidden is in no event that others hear."""
        for event in events:
            for name in ("夏", "秋", "見物"):
                told = json.dumps(shown(PLAY, event, VIEWERS[name]), ensure_ascii=False)
                assert CANARY not in told and '"影"' not in told, (name, event.kind, told[:300])

    # ------------------------------------------------------------ what must hold

    def check(self, command: Command, before: State) -> None:
        state = self.state
        for actor in state.actors.values():
            pools = (actor.mp, actor.evade, actor.guard, actor.emergency, actor.quick, actor.legs_damage, actor.dkk)
            assert min(pools) >= 0, (command, actor)
            asked_to_endure = state.attack is not None and state.attack.about == "endure"
            assert actor.hp >= 0 or (asked_to_endure and state.attack.asked == actor.id), (command, actor)
            assert all(count >= 0 for count in actor.hurt.values())
        if state.attack is not None:
            asked = state.actors[state.attack.asked]
            assert asked.life not in ("dead", "exploded", "incapacitated"), (command, asked)
            assert state.attack.about in ("evade", "endure")
        if state.fight is not None:
            assert len(set(state.fight.acted)) == len(state.fight.acted), "somebody acted twice"
            assert state.fight.now not in state.fight.acted
        if self.chance.randrange(6) == 0:
            self.look()

    def look(self) -> None:
        hidden = self.state.actors["影"].hidden
        for name, viewer in VIEWERS.items():
            seen = json.dumps(PLAY.project_state(self.state, viewer), ensure_ascii=False)
            if name != "gm" and hidden:
                assert CANARY not in seen, f"{name} sees somebody hidden"

    def finish(self) -> None:
        """The log gives the state again; a snapshot too."""
        assert replay(PLAY, self.first, self.events) == self.state
        dumped: Any = json.loads(json.dumps(PLAY.dump(self.state)))
        assert PLAY.load(dumped, self.setup) == self.state
        for one in PLAY.close(self.state):
            again = json.loads(json.dumps(dict(one.play)))
            entry = next(entry for entry in self.setup["cast"] if entry["id"] == one.actor)
            PLAY.start({**self.setup, "cast": [{**entry, "play": again}]})
        for event in self.events:
            for viewer in VIEWERS.values():
                json.dumps(shown(PLAY, event, viewer))


@pytest.fixture(scope="module")
def runs() -> Iterator[list[Run]]:
    yield [Run(seed).play() for seed in range(24)]


def test_every_run_can_be_played_again(runs: list[Run]) -> None:
    for run in runs:
        run.finish()


def test_much_is_reached(runs: list[Run]) -> None:
    accepted = sum((run.accepted for run in runs), Counter())
    missing = SHAPES.keys() - accepted.keys() - RARE
    assert not missing, (sorted(missing), len(accepted))
    kinds = Counter(event.kind for run in runs for event in run.events)
    for kind in ("evaded", "struck", "asked", "attack.over", "wasshoi", "cartwheeled", "naraku", "revived"):
        assert kinds[kind], kind


def test_the_refusals_of_the_game_are_met(runs: list[Run]) -> None:
    refused = sum((run.refused for run in runs), Counter())
    known = {code for code in TABLES.base.messages if code[0] in "LP"}
    reached = len(refused.keys() & known) / len(known - NEVER_IN_PLAY)
    assert reached > 0.65, sorted(known - refused.keys())


def test_evade_dice_do_not_carry_over(runs: list[Run]) -> None:
    """At the start of a turn everybody who can act has exactly the dice of a turn."""
    for run in runs:
        state = run.first
        for event in run.events:
            state = PLAY.evolve(state, event)
            if event.kind == "turn.begun":
                for actor in state.actors.values():
                    if actor.on_stage and actor.life == "alive":
                        assert actor.evade == Person(state.tables, actor).evade_each_turn


def test_nobody_but_the_gm_learns_numbers_of_npcs() -> None:
    state = PLAY.start(setup({}))
    for name in ("夏", "見物"):
        for actor in PLAY.project_state(state, VIEWERS[name])["actors"]:
            assert (actor["numbers"] is None) == (actor["kind"] == "npc"), actor["name"]
    decided = PLAY.decide(state, Command("numbers.show", {"actor": "敵"}, AT), ACTORS["gm"], Dice(Random(1)))
    assert not isinstance(decided, Refused)
    state = replay(PLAY, state, decided)
    seen = {actor["id"]: actor for actor in PLAY.project_state(state, VIEWERS["夏"])["actors"]}
    assert seen["敵"]["numbers"]["hp"] == 20
