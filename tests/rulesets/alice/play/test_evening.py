"""What goes home and comes back, what undo leaves, what the table itself brings (rules §3.6, §10.3, §10.5)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulesets.engine.play import BY_THE_TABLE, Refused, replay
from tests.rulesets.alice.play.balance import check_balance
from tests.rulesets.alice.play.table import Table, setup


def dealt(house_rules: dict[str, Any] | None = None) -> Table:
    table = Table(house_rules or {}, random.Random(3))
    table.do("deal", {})
    return table


def taken_home(table: Table) -> dict[str, dict[str, Any]]:
    return {one.actor: {change.key: change.after for change in one.changes} for one in table.play.close(table.state)}


def test_the_table_knows_what_tables_issue() -> None:
    names = {shape.name for shape in dealt().play.commands()}
    assert names >= BY_THE_TABLE


def test_damage_goes_home_but_luck_and_boosts_do_not() -> None:
    table = dealt()
    assert taken_home(table) == {}
    for suit in ("S", "D"):
        table.do("actor.hurt", {"actor": "A", "suit": suit, "reason": "落ちた"})
    table.do("actor.set", {"actor": "A", "key": "boost_S", "on": True, "reason": "使った"})
    assert taken_home(table) == {"A": {"stage_S": 1}}
    (home,) = table.play.close(table.state)
    assert home.play == {"stages": {"S": 1}, "status": "active", "belongings": "", "pacts": {}}


def test_what_goes_home_comes_back() -> None:
    table = dealt()
    table.do("actor.hurt", {"actor": "A", "suit": "S", "reason": "落ちた"})
    table.do("pact.start", {"actor": "A", "kind": "coexistence_pact", "alice": "書のアリス"})
    table.do("actor.set", {"actor": "A", "key": "belongings", "word": "縄", "reason": "買った"})
    (home,) = table.play.close(table.state)
    begun = setup({})
    begun["cast"][0]["play"] = home.play
    again = table.play.start(begun)
    assert (again.actors["A"].stage("S"), again.actors["A"].belongings) == (1, "縄")
    assert again.hand_size("A") == 4
    assert list(table.play.close(again)) == []


def test_a_group_may_heal_between_games() -> None:
    table = dealt({"carry_damage": "full_heal"})
    table.do("actor.hurt", {"actor": "A", "suit": "S", "reason": "落ちた"})
    assert taken_home(table) == {}


def test_the_dead_stay_dead() -> None:
    table = dealt()
    table.do("actor.set", {"actor": "A", "key": "stage_S", "number": 3, "reason": "深手"})
    table.do("actor.kill", {"target": "A"})
    assert taken_home(table) == {"A": {"status": "dead"}}
    begun = setup({})
    begun["cast"][0]["play"] = table.play.close(table.state)[0].play
    again = table.play.start(begun)
    assert again.actors["A"].dead and again.hand_size("A") == 0
    assert "ability:A" not in again.zones


def test_strange_things_cannot_be_carried() -> None:
    begun = setup({})
    begun["cast"][0]["play"] = {"boosts": ["S"]}
    with pytest.raises(ValueError, match="boosts"):
        Table({}, random.Random(1)).play.start(begun)


def test_undo_puts_every_card_back_where_it_lay() -> None:
    """The table folds its events again without the command's: nothing may be left of it."""
    table = dealt()
    course = [
        ("test.declare", {"actor": "A", "text": "登る", "suit": "S"}),
        ("test.difficulty", {"cards": 3}),
        ("test.class", {"cls": "expert"}),
        ("play.flip", {}),
        ("transfer.ask", {"actor": "A", "target": "B", "text": "支える"}),
        ("transfer.confirm", {"transfer": "x2"}),
        ("morning.begin", {}),
    ]
    for name, data in course:
        before, upto = table.play.dump(table.state), len(table.log)
        if name == "transfer.ask":
            data = {**data, "card": table.state.hand("A")[0]}
        if name == "morning.begin":
            table.do("hand.discard", {"actor": "B", "card": table.state.hand("B")[0]})
            before, upto = table.play.dump(table.state), len(table.log)
        found = table.do(name, data)
        assert not isinstance(found, Refused), (name, found)
        start = Table({}, random.Random(3)).state
        undone = replay(table.play, start, [event for _n, event in table.log[:upto]])
        assert table.play.dump(undone) == before
        check_balance(undone)


def test_the_pile_alone_is_shuffled_when_it_was_seen() -> None:
    table = dealt()
    before = table.state.zones
    table.do("pile.shuffle", {"reason": "取り消しで見えた"})
    after = table.state.zones
    assert {zone: after[zone] for zone in after if zone != "draw_pile"} == {
        zone: before[zone] for zone in before if zone != "draw_pile"
    }
    assert sorted(after["draw_pile"]) == sorted(before["draw_pile"]) and after["draw_pile"] != before["draw_pile"]


def test_the_gm_names_what_an_ace_heals() -> None:
    table = dealt({"survival_ace_heals": "one_chosen_by_gm"})
    for suit in ("S", "H"):
        table.do("actor.set", {"actor": "A", "key": f"stage_{suit}", "number": 3, "reason": "崖"})
    table.do("care", {"actors": "A", "state": "exposed"})
    while table.state.zone("draw_pile")[0][1] != "A":
        table.do("pile.shuffle", {"reason": "Ａを上に"})
    table.do("morning.begin", {})
    assert table.state.actors["A"].heals and table.state.actors["A"].stage("S") == 3
    assert table.do("survival.heal", {"actor": "A", "suit": "C"}).code == "E_NOT_WOUNDED"
    table.do("survival.heal", {"actor": "A", "suit": "H"})
    assert table.state.actors["A"].stages == {"S": 3, "H": 2}
    assert table.do("survival.heal", {"actor": "A", "suit": "S"}).code == "E_WRONG_STATE"


def test_a_tie_is_raced_again_where_the_group_does_so() -> None:
    table = dealt({"race_tie": "replay"})
    table.do("race.declare", {"actors": "A,B", "text": "走る", "suit": "S", "cards": 1})
    for who in ("A", "B"):
        table.do("test.class", {"actor": who, "cls": "expert"})
    table.do("play.concede", {"actor": "A"})
    events = table.do("play.concede", {"actor": "B"})
    (closed,) = [event for event in events if event.kind == "closed"]
    assert (closed.data["result"], closed.data["ranks"]) == ("replay", {"A": 1, "B": 1})


def test_whoever_falls_loses_the_turn() -> None:
    table = dealt()
    table.do("fight.start", {"actors": "A,B,C"})
    now = table.state.combat.now
    table.do("actor.set", {"actor": now, "key": "stage_C", "number": 3, "reason": "殴られた"})
    assert table.state.combat.now not in ("", now)


def test_the_hidden_take_part_in_nothing() -> None:
    table = dealt()
    for name, data in (
        ("attack.declare", {"actor": "X", "target": "A"}),
        ("attack.declare", {"actor": "A", "target": "X"}),
        ("empathy.declare", {"actor": "A", "whom": "X"}),
        ("fight.start", {"actors": "A,X"}),
    ):
        assert table.do(name, data).code == "E_HIDDEN", name
    table.do("actor.show", {"actors": "X"})
    assert not isinstance(table.do("fight.start", {"actors": "A,X"}), Refused)
