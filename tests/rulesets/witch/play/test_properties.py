"""Whatever people do at the table: points add up, nothing is owed, caps hold, secrets stay, the log tells it all."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.commands.results import plain
from rulesets.engine.play import Actor, Event, Refused, replay, shown
from tests.rulesets.witch.play.table import (
    GM_SEAT,
    HIDDEN,
    HOUSE_RULES,
    TAIL_NAME,
    TRUE_NAME,
    VIEWERS,
    WARM_UP,
    Dice,
    any_command,
    command,
    setup,
)

STEPS = 60


class Table:
    """A table that is played command by command, every promise looked at after each."""

    def __init__(self, house_rules: dict[str, Any], seed: int) -> None:
        self.random = Random(seed)
        self.play = services.play("witch")
        self.setup = setup(house_rules)
        self.begun = self.state = self.play.start(self.setup)
        self.events: list[Event] = []
        self.dice = Dice(seed)
        for name, fields in WARM_UP:
            self.do(name, fields, GM_SEAT)

    def step(self) -> None:
        self.do(*any_command(self.state, self.random))

    def do(self, name: str, fields: dict[str, Any], actor: Actor) -> None:
        before, thrown = self.state, self.dice.thrown
        asked = command(name, fields, "裁定" if self.random.random() < 0.3 else "")
        decided = self.play.decide(before, asked, actor, self.dice)
        if isinstance(decided, Refused):
            assert self.dice.thrown == thrown, f"{name} threw dice and was refused {decided.code}"
            assert decided.message.ja and decided.message.en
            return
        assert json.loads(json.dumps([event.data for event in decided])) == [event.data for event in decided]
        self.state = replay(self.play, before, decided)
        self.events += decided
        self.look(before, decided)

    def look(self, before: Any, decided: Any) -> None:
        self.points(before)
        self.characters()
        self.secrets(decided)
        assert self.play.load(json.loads(json.dumps(self.play.dump(self.state))), self.setup) == self.state

    # ------------------------------------------------------------ promises

    def points(self, before: Any) -> None:
        """Points left and used are those given and corrected; what was used never comes back."""
        for key, pool in self.state.pools.items():
            assert pool.remaining + pool.spent == pool.initial + pool.corrected
            assert pool.remaining >= 0
            old = before.pools.get(key)
            if old is not None and self.state.scenario == before.scenario:
                assert pool.spent >= old.spent

    def characters(self) -> None:
        tables = self.state.tables
        for person in self.play.project_state(self.state, VIEWERS["1"])["people"]:
            one = self.state.actors[person["id"]]
            assert 0 <= person["hp"] <= person["hp_max"]
            assert one.xp >= 0 and one.bank >= 0
            if one.is_cat:
                assert 0 <= person["mp"] <= person["mp_max"]
                whiskers = [item for item in one.purchases if tables.items[item].whisker]
                others = [item for item in one.purchases if not tables.items[item].whisker]
                assert len(whiskers) <= 3 and len(set(others)) == len(others)
            else:
                assert all(1 <= factor["value"] <= 12 for factor in person["factors"])
                assert all(1 <= skill["value"] <= 12 for skill in person["skills"])
                assert all(column >= 0 for column in person["power"])
                assert len(one.growths) <= one.xp // 50
                assert person["sign"] != person["shadow"]
                self.sign(person)

    def sign(self, person: dict[str, Any]) -> None:
        """Nothing that counts is stronger than the sign card's column."""
        power = person["power"]
        compared = power if self.state.tables.rule.compare_columns == "all29" else power[1:]
        assert power[person["sign"]] == max(compared) or person["sign"] == 0

    def secrets(self, decided: Any) -> None:
        """Names and hidden people reach nobody who may not know them, in the log or in the state."""
        trusted = {self.state.actors[who].seat for who in self.state.actors["w1"].trusted}
        tails = {one.seat for one in self.state.actors.values() if one.tail_revealed}
        for seat, viewer in VIEWERS.items():
            state = json.dumps(plain(self.play.project_state(self.state, viewer)), ensure_ascii=False)
            told = json.dumps([plain(shown(self.play, event, viewer)) for event in decided], ensure_ascii=False)
            assert TRUE_NAME not in told
            if seat != "2" and seat not in trusted and not (seat == "1" and self.state.tables.rule.gm_sees_true_name):
                assert TRUE_NAME not in state, f"seat {seat} reads the true name"
            if seat != "1":
                assert TAIL_NAME not in told
                assert HIDDEN not in told + state
                if seat not in tails:
                    assert TAIL_NAME not in state, f"seat {seat} reads a tail name"

    def finish(self) -> None:
        """The log alone leads to the same state; what goes home is told without names."""
        assert replay(self.play, self.begun, self.events) == self.state
        carried = list(self.play.close(self.state))
        changes = json.dumps([plain({"b": c.before, "a": c.after}) for one in carried for c in one.changes])
        assert TRUE_NAME not in changes and TAIL_NAME not in changes
        again = {**self.setup, "cast": [dict(entry) for entry in self.setup["cast"]]}
        for entry in again["cast"]:
            entry["play"] = next((dict(one.play) for one in carried if one.actor == entry["id"]), {})
        begun = self.play.start(json.loads(json.dumps(again)))
        assert not list(self.play.close(begun))
        for one in carried:
            home, there = begun.actors[one.actor], self.state.actors[one.actor]
            assert (home.growths, home.purchases) == (there.growths, there.purchases)


@settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(HOUSE_RULES, st.integers(0, 10**9))
def test_any_evening(house_rules: dict[str, Any], seed: int) -> None:
    table = Table(house_rules, seed)
    for _ in range(STEPS):
        table.step()
    table.finish()


def test_evenings_reach_everything() -> None:
    """The commands above are no idle talk: growth, shop, spells and help really happen."""
    found: Counter[str] = Counter()
    for seed in range(12):
        table = Table({"combat.enabled": True}, seed)
        for _ in range(STEPS):
            table.step()
        found.update(event.kind for event in table.events)
    wanted = {"challenge", "spell", "growth", "bought", "help.asked", "help.answered", "fight.round", "cat_spell"}
    assert wanted <= set(found), found
