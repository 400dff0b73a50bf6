"""Any command in any state: events or a refusal, never an error; and what must hold whatever was done."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from rulesets import services
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import State
from rulesets.engine.play import Actor, Command, Event, Refused, replay, shown
from tests.rulesets.edo.play.commands import Chooser
from tests.rulesets.edo.play.people import CANARIES, CANARY, GMS, HOUSE_RULES, VIEWERS, setup
from tests.rulesets.edo.play.scenes import AT, SCENES, passed_over

PLAY = services.play("edo")
SHAPES = {shape.name: shape for shape in PLAY.commands()}
COMMANDS = 25  # at a time
ROUNDS = 4
REFUSALS = 0.9  # of the codes have to be reached
SETTINGS = settings(
    max_examples=80,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),  # commands come from a seed: there is nothing to shrink
)
MESSAGES = services.tables("edo", {}).messages


class Dice:
    """Faces from one source of chance; counts them."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return self.chance.randint(1, sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError("this game has no cards")


class HighDice(Dice):
    """Sixes and fives in turn."""

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return sides - self.thrown % 2


class Reached:
    """What a run of all examples reached."""

    def __init__(self) -> None:
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.events: Counter[str] = Counter()


def stored(event: Event) -> Event:
    """An event as the log gives it back."""
    return replace(event, data=json.loads(json.dumps(event.data)))


def asking_about(state: State, other: str) -> list[Command]:
    """Questions a player may ask about somebody before they act."""
    blows = [{"actor": "c1", "target": other, "arm": arm, "distance": 0} for arm in ("1", "punch", "grapple")]
    contest = {"actor": "c1", "what": "onmitsu", "target": other, "target_what": "chikaku"}
    answers = [
        {"answer": word, "arm": arm} for word, arm in (("parry", "1"), ("dodge", ""), ("reroll", ""), ("counter", "1"))
    ]
    return [
        *(Command("attack", data, AT) for data in blows),
        Command("opposed", contest, AT),
        *(Command("answer", data, AT, state.step) for data in answers),
    ]


class AnyTable(RuleBasedStateMachine):
    """A table where people do whatever comes to their minds. `kept`: every command that stands, as the state it
    found and its events."""

    reached = Reached()
    round = 1

    @initialize(
        rules=st.sampled_from(HOUSE_RULES), scene=st.sampled_from(sorted(SCENES)), seed=st.integers(0, 2**64 - 1)
    )
    def begin(self, rules: Mapping[str, Any], scene: str, seed: int) -> None:
        self.setup = setup(rules)
        self.first: State = PLAY.start(self.setup)
        self.state: State = self.first
        self.kept: list[tuple[State, list[Event]]] = []
        self.chance = Random(seed)
        self.chooser = Chooser(PLAY.commands(), self.chance)

        self.known = {who for who, one in self.state.actors.items() if one.on_stage and not one.hidden}
        commands = list(SCENES[scene]())
        for command in commands:
            self.stage(command)
            while command is not commands[-1] and (answer := passed_over(self.state)) is not None:
                self.stage(answer)

    def stage(self, command: Command) -> None:
        """A command that leads to the scene; high dice, so that it comes about."""
        decided = PLAY.decide(self.state, command, GMS, HighDice(self.chance))
        assert not isinstance(decided, Refused), decided
        self.accept(decided, command)

    def secrets_in(self, told: Any) -> list[str]:
        """Words that no player may read while the table stands like this."""
        hidden = [who for who, one in self.state.actors.items() if one.hidden or who not in self.known]
        text = json.dumps(told, ensure_ascii=False)
        return [word for word in (CANARY, *(CANARIES[who] for who in hidden if who in CANARIES)) if word in text]

    # ------------------------------------------------------------ what happens

    @rule(seed=st.integers(0, 2**64 - 1))
    def something(self, seed: int) -> None:
        """A few commands, one after the other."""
        self.chance.seed(f"{self.round}:{seed}")
        for _ in range(COMMANDS):
            self.one_command()
            self.check()
            if self.chance.randrange(4) == 0:
                self.look()

    def one_command(self) -> None:
        command, actor = self.chooser.command(self.state)
        note(f"{command.name} {dict(command.data)} step {command.expected_step} {command.override!r} by {actor}")
        dice = Dice(self.chance)
        for viewer in (VIEWERS["gm"], VIEWERS["夏"]):
            PLAY.odds(self.state, command, viewer)
        decided = PLAY.decide(self.state, command, actor, dice)
        if isinstance(decided, Refused):
            self.refuse(decided, command, actor, dice)
        else:
            self.accept(decided, command)
            assert not dice.thrown or not SHAPES[command.name].retractable, "a command that rolled can be taken back"

    def refuse(self, found: Refused, command: Command, actor: Actor, dice: Dice) -> None:
        note(f"  refused {found.code}: {found.message.ja}")
        self.reached.refused[found.code] += 1
        assert dice.thrown == 0, "a refused command threw dice"
        assert found.code in MESSAGES and found.message.ja and found.message.en
        assert not re.search(r"\{[a-z_]+\}", found.message.ja + found.message.en), "a placeholder was not filled"
        if command.name in SHAPES:
            assert found.code in SHAPES[command.name].codes, f"{command.name} does not name {found.code}"
        if not actor.is_gm:
            assert not self.secrets_in(found.message.ja), "the refusal names somebody in hiding"

    def accept(self, events: Any, command: Command) -> None:
        note(f"  {[event.kind for event in events]}")
        self.reached.accepted[command.name] += 1
        self.reached.events.update(event.kind for event in events)
        assert events, "the command is accepted and nothing happens"
        self.kept.append((self.state, list(events)))
        self.state = replay(PLAY, self.state, events)
        known = {who for who, one in self.state.actors.items() if one.on_stage and not one.hidden}
        shape = SHAPES[command.name]
        if shape.retractable and not shape.roles <= {"gm", "co_gm"}:
            assert known <= self.known, "a command that showed somebody can be taken back"
        self.known |= known
        for event in events:
            assert json.loads(json.dumps(event.data)) == event.data
            assert event.audience
            for name in ("夏", "冬", "spectator"):
                told = shown(PLAY, event, VIEWERS[name])
                assert not self.secrets_in(told), f"{name} sees a secret in {event.kind}: {told}"

    @rule()
    def take_back(self) -> None:
        """Undo: the events that stand, from the beginning, give the state before."""
        if self.kept:
            before, _events = self.kept.pop()
            self.state = replay(PLAY, self.first, (event for _before, events in self.kept for event in events))
            assert self.state == before

    @rule()
    def store(self) -> None:
        """A snapshot is the full fold of the events as they are stored, and somebody sees the same in it."""
        again = PLAY.load(json.loads(json.dumps(PLAY.dump(self.state))), self.setup)
        folded = replay(PLAY, self.first, (stored(event) for _before, events in self.kept for event in events))
        assert again == self.state == folded
        viewer = self.chance.choice(list(VIEWERS.values()))
        assert PLAY.project_state(again, viewer) == PLAY.project_state(self.state, viewer)
        json.dumps([change.play for change in PLAY.close(self.state)])

    @rule()
    def guess(self) -> None:
        """Other numbers of an NPC look the same to players: skill, quickness and points are the GM's alone."""
        secret = [one for one in self.state.actors.values() if one.npc and not one.numbers_shown and not one.ally]
        if not secret:
            return
        one = secret[self.chance.randrange(len(secret))]
        fields = {**one.cast.fields, "skills.kenjutsu.level": 6, "abilities.gi": 9, "abilities.mind": 9}
        other = replace(one, kp=one.kp + 1, cast=replace(one.cast, fields=fields))
        altered = replace(self.state, actors={**self.state.actors, one.id: other})
        for name in ("夏", "spectator"):
            told = PLAY.project_state(self.state, VIEWERS[name])
            assert PLAY.project_state(altered, VIEWERS[name]) == told, f"{name} can tell the numbers of {one.id}"
        for command in asking_about(self.state, one.id):
            assert PLAY.odds(altered, command, VIEWERS["夏"]) == PLAY.odds(self.state, command, VIEWERS["夏"]), command

    # ------------------------------------------------------------ what holds

    @invariant()
    def check(self) -> None:
        self.numbers_stay_in_their_bounds()
        self.whoever_is_asked_is_there()

    @invariant()
    def look(self) -> None:
        self.nobody_sees_what_is_hidden()

    def numbers_stay_in_their_bounds(self) -> None:
        for one in self.state.actors.values():
            person = Person(self.state.tables, one)
            assert 0 <= one.kp <= person.kp_limit, f"{one.id} has {one.kp} of {person.kp_limit} points"
            assert one.wounds >= 0 and one.hunger_loss >= 0 and one.money_mon >= 0
            assert person.endurance <= person.endurance_max
            assert person.endurance > 0 or not one.life.able or self._dying(one.id), (
                f"{one.id} lives with {person.endurance}"
            )
            if one.holds:
                assert self.state.actors[one.holds].held_by == one.id
            if one.held_by:
                assert self.state.actors[one.held_by].holds == one.id

    def _dying(self, actor: str) -> bool:
        exchange = self.state.exchange
        return exchange is not None and exchange.asked == actor and exchange.about == "survive"

    def nobody_sees_what_is_hidden(self) -> None:
        """One of the players and the onlookers, in turn; what all may know is the same for all."""
        name = ("夏", "冬", "spectator")[len(self.kept) % 3]
        told = PLAY.project_state(self.state, VIEWERS[name])
        assert not self.secrets_in(told), f"{name} sees somebody in hiding"
        assert told["step"] in (self.state.step, None)

    def whoever_is_asked_is_there(self) -> None:
        waiting = self.state.exchange or self.state.contest
        if waiting is not None:
            assert waiting.asked in self.state.actors, "an operation is open and asks nobody"


def test_any_command_in_any_state() -> None:
    """Prints what was reached: every command, and most of the refusals. What one round misses, the next may find."""
    AnyTable.reached = reached = Reached()
    codes = {code for shape in PLAY.commands() for code in shape.codes}
    for AnyTable.round in range(1, ROUNDS + 1):
        run_state_machine_as_test(AnyTable, settings=SETTINGS)
        never, missed = sorted(set(SHAPES) - set(reached.accepted)), sorted(codes - set(reached.refused))
        accepted, refused = sum(reached.accepted.values()), sum(reached.refused.values())
        print(f"\nround {AnyTable.round}: {accepted} accepted, {refused} refused")
        print(f"commands reached: {len(SHAPES) - len(never)} of {len(SHAPES)}; never: {never}")
        print(f"refusals reached: {len(codes) - len(missed)} of {len(codes)}; never: {missed}")
        if not never and len(missed) <= (1 - REFUSALS) * len(codes):
            return
    raise AssertionError(f"never accepted: {never}; never refused: {missed}")
