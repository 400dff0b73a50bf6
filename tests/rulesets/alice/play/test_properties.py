"""Thousands of random commands, legal and not: cards never lost, hands exact, every refusal known (rules §10.4)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rulesets.alice.play.state import State
from rulesets.alice.tables import TABLES
from rulesets.engine.commands.results import plain
from rulesets.engine.play import Event, Refused, replay, shown
from tests.rulesets.alice.play.balance import check_balance
from tests.rulesets.alice.play.table import VIEWERS, Table

RULES: list[dict[str, Any]] = [
    {},
    {
        "gm_character_cards": "gm_hand",
        "boost_timing": "after_card",
        "reason_bonus_mode": "favourable",
        "survival_ace_heals": "one_chosen_by_gm",
    },
    {"gm_character_cards": "fixed", "reshuffle_timing": "lazy", "race_commit": "seat_order", "discards_public": False},
    {"contest_no_card": "gm_decides", "busy_until": "next_own_turn", "hit_on_busy_target": "automatic"},
    {"damage_overflow": "attacker_redraws", "favourable_floor": 0, "luck_spend_order": "read_first"},
    {"gm_sees_hands": True, "boost_scope": "per_pc", "defences_per_round": 1, "initiative_tie": "manual"},
    {"hand_size": 7, "race_tie": "higher_ability", "reason_ready": "immediately", "ace_when_flipped": "eleven_only"},
]
STEPS = 260


@pytest.mark.parametrize("number", range(len(RULES) * 3))
def test_any_course_keeps_the_invariants(number: int) -> None:
    table = Table(RULES[number % len(RULES)], random.Random(number))
    shapes = {shape.name: shape for shape in table.play.commands()}
    happened, refused = set(), set()
    before = table.state
    for name, data, actor, found in table.play_on(STEPS):
        where = f"{table.done} {name} {dict(data)} by {actor.role}"
        if isinstance(found, Refused):
            refused.add(found.code)
            assert found.code in TABLES.base.messages, where
            assert found.code in shapes[name].codes, f"{where}: {found.code} is not named"
            assert found.message.ja and found.message.en
        else:
            happened.add(name)
            if name != "actor.set":
                _only_ever_grows(before, table.state)
            assert found, f"{where}: accepted and nothing happens"
            for event in found:
                assert json.loads(json.dumps(event.data)) == event.data, where
        try:
            check_balance(table.state)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
        before = table.state
    assert len(happened) > 15 and len(refused) > 5
    _stored(table)


def _only_ever_grows(before: State, after: State) -> None:
    """6: ♦ never heals within a game, and a boost that was used stays used."""
    for who, was in before.actors.items():
        now = after.actors[who]
        assert was.stage("D") <= now.stage("D"), f"♦ of {who} has healed"
        assert set(was.boosts) <= set(now.boosts), f"a boost of {who} came back"


def _stored(table: Table) -> None:
    """The log alone leads to the same state, and so does the dump."""
    stored = [Event(e.kind, json.loads(json.dumps(plain(e.data))), e.audience, e.schema) for _n, e in table.log]
    again = replay(table.play, Table(table.house_rules, random.Random(0)).state, stored)
    dump = table.play.dump(table.state)
    assert table.play.dump(again) == dump
    assert table.play.dump(table.play.load(json.loads(json.dumps(plain(dump))), {})) == dump
    for viewer in VIEWERS.values():
        json.dumps(plain(table.play.project_state(table.state, viewer)))
        for _n, event in table.log:
            json.dumps(plain(shown(table.play, event, viewer)))
