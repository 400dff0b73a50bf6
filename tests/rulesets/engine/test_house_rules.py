"""House rules: a partial override that fits, or problems that say what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets.engine.house_forms import parse_form
from rulesets.engine.house_rules import HouseRules, HouseRulesInvalid, normalise, place
from rulesets.engine.tables import TablesInvalid
from rulesets.protocol import HouseRule
from tests.rulesets.engine import toy


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> HouseRules[toy.Tables]:
    return toy.house_rules(tmp_path_factory.mktemp("toy"))


def row(rules: HouseRules[toy.Tables], key: str, overrides: dict[str, Any] | None = None) -> HouseRule:
    return next(rule for rule in rules.rows(overrides or {}) if rule.key == key)


def test_every_row_is_shown_with_default_and_allowed_values(rules: HouseRules[toy.Tables]) -> None:
    assert [rule.key for rule in rules.rows({})] == ["level_cost", "arts", "rules.max_arts", "rules.ties"]
    levels = row(rules, "level_cost")
    assert levels.default == levels.value == {"1": 1, "2": 3, "3": 7}
    assert [(r["id"], r["label"].en) for r in levels.schema["rows"]] == [
        ("1", "Level 1"),
        ("2", "Level 2"),
        ("3", "Level 3"),
    ]
    assert levels.schema["columns"][0]["max"] == 99
    assert levels.inferred and levels.firmness == "B" and levels.group.en == "Building"
    assert levels.alternatives[0][1] == {"1": 2, "2": 6, "3": 14}
    arts = row(rules, "arts")
    assert arts.default == {"throw": {"cost": 15, "reach": None}}
    assert arts.schema["rows"][0]["label"].ja == "投げ"
    assert row(rules, "rules.ties").schema["choices"][1]["value"] == "again"
    assert not any(rule.changed for rule in rules.rows({}))


def test_an_override_changes_its_cells_and_nothing_else(rules: HouseRules[toy.Tables]) -> None:
    overrides = {
        "level_cost": {"2": 4},
        "arts": {"throw": {"cost": 5, "reach": 2}},
        "rules.max_arts": 3,
        "rules.ties": "again",
    }
    tables = rules.tables(overrides)
    assert dict(tables.level_cost) == {1: 1, 2: 4, 3: 7}
    assert (tables.arts["throw"].cost, tables.arts["throw"].reach) == (5, 2)
    assert (tables.rules.values.max_arts, tables.rules.values.ties) == (3, "again")
    assert tables.arts["cut"] == rules.tables({}).arts["cut"]
    assert rules.tables({}).level_cost[2] == 3
    assert row(rules, "level_cost", overrides).value == {"1": 1, "2": 4, "3": 7}
    assert all(rule.changed for rule in rules.rows(overrides))


def test_changed_cells_are_the_groups_own(rules: HouseRules[toy.Tables]) -> None:
    tables = rules.tables({"level_cost": {"1": 1, "2": 4}, "arts": {"throw": {"cost": 5}}, "rules.max_arts": 2})
    assert [tables.level_cost.source_of(step) for step in (1, 2, 3)] == ["E03", "house", "seed"]
    assert tables.arts["throw"].source_of("cost") == "house"
    assert tables.arts["throw"].source_of("name") == "E07"
    assert tables.rules.source_of("max_arts") == "house"
    assert tables.rules.source_of("ties") == "E20"


@pytest.mark.parametrize(
    ("overrides", "code", "path"),
    [
        ({"unheard_of": 1}, "H01", "unheard_of"),
        ({"x" * 10_000: 1}, "H01", "x" * 10_000),
        ({"level_cost": 5}, "H02", "level_cost"),
        ({"level_cost": [1, 2]}, "H02", "level_cost"),
        ({"level_cost": {"2": "four"}}, "H02", "level_cost"),
        ({"level_cost": {"2": True}}, "H02", "level_cost"),
        ({"level_cost": {"2": None}}, "H02", "level_cost"),
        ({"level_cost": {"2": 2.5}}, "H02", "level_cost"),
        ({"level_cost": {"2": {"value": 4}}}, "H02", "level_cost"),
        ({"level_cost": {"2": -1}}, "H03", "level_cost"),
        ({"level_cost": {"3": 100}}, "H03", "level_cost"),
        ({"level_cost": {"9": 1}}, "H05", "level_cost"),
        ({"arts": {"cut": {"cost": 1}}}, "H05", "arts"),
        ({"arts": {"throw": {"name": "x"}}}, "H05", "arts"),
        ({"arts": {"throw": 3}}, "H02", "arts"),
        ({"rules.ties": "somebody"}, "H04", "rules.ties"),
        ({"rules.ties": 1}, "H04", "rules.ties"),
        ({"rules.max_arts": 10**30}, "H03", "rules.max_arts"),
        ({"level_cost": {"2": 0}}, "H06", "level_cost"),
    ],
)
def test_what_does_not_fit_is_named(
    rules: HouseRules[toy.Tables], overrides: dict[str, Any], code: str, path: str
) -> None:
    problems = rules.check(overrides)
    assert [(problem.code, problem.path) for problem in problems] == [(code, path)]
    assert problems[0].message.ja and problems[0].message.en
    assert "{" not in problems[0].message.ja + problems[0].message.en
    assert len(problems[0].message.ja) < 200
    with pytest.raises(HouseRulesInvalid) as caught:
        rules.tables(overrides)
    assert caught.value.problems == tuple(problems)
    rules.rows(overrides)  # a broken override is shown, not an error


def test_the_games_own_words_are_used_when_rules_contradict(rules: HouseRules[toy.Tables]) -> None:
    problem = rules.check({"level_cost": {"2": 0}})[0]
    assert problem.message == toy.FALLS
    assert problem.params == {"row": "2", "column": "value"}


def test_several_problems_are_told_at_once(rules: HouseRules[toy.Tables]) -> None:
    found = rules.check({"x": 1, "level_cost": {"1": -1, "9": 0}, "rules.ties": 3})
    assert sorted(problem.code for problem in found) == ["H01", "H03", "H04", "H05"]


def test_what_equals_the_default_is_left_out(rules: HouseRules[toy.Tables]) -> None:
    overrides = {
        "level_cost": {"1": 1, "2": 4},
        "rules.max_arts": 1,
        "arts": {"throw": {"cost": 15, "reach": None}},
        "x": 2,
    }
    assert rules.normalise(overrides) == {"level_cost": {"2": 4}, "x": 2}
    assert normalise(rules.rows({}), overrides) == {"level_cost": {"2": 4}, "x": 2}
    assert rules.normalise({"rules.max_arts": True}) == {"rules.max_arts": True}
    assert rules.digest({"rules.max_arts": 1}) == rules.digest({})
    assert rules.digest({"rules.max_arts": 2}) != rules.digest({})
    assert rules.tables({"rules.max_arts": 2}) is rules.tables({"rules.max_arts": 2, "level_cost": {"1": 1}})


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("rules.max_arts", {"": " ３ "}, 3),
        ("rules.max_arts", {"": "-1"}, -1),
        ("rules.max_arts", {"": "many"}, "many"),
        ("rules.max_arts", {"": ""}, ""),
        ("rules.max_arts", {"": "9" * 5000}, "9" * 5000),
        ("rules.max_arts", {}, 1),
        ("rules.ties", {"": "again"}, "again"),
        ("rules.ties", {"": "x"}, "x"),
        ("level_cost", {"2": "4", "9": "1"}, {"1": 1, "2": 4, "3": 7}),
        ("arts", {"throw.cost": "20", "throw.reach": ""}, {"throw": {"cost": 20, "reach": None}}),
        ("arts", {"throw.reach": "2"}, {"throw": {"cost": 15, "reach": 2}}),
    ],
)
def test_forms(rules: HouseRules[toy.Tables], key: str, typed: dict[str, str], value: Any) -> None:
    assert parse_form(row(rules, key), typed) == value


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('key = "rules.ties"', 'key = "rules.draws"', "house_rules.E20"),
        ('target = "arts.*.cost"', 'target = "arts.*.price"', "house_rules.E07"),
        ('target = "arts.*.cost"', 'target = "arts.throw.cost"', "needs *"),
        ('target = "arts.*.cost"', 'target = "arts.*.name"', "no single value"),
        ('target = "arts.*.cost"', 'target = "house_rules.*.key"', "cannot change themselves"),
        ('only = ["throw"]', 'only = ["push"]', "house_rules.E07"),
        ('group = "build"', 'group = "other"', "house_rules.E03"),
        ('target = "level_cost.*"', 'target = "arts.*.cost"', "belongs to"),
    ],
)
def test_broken_house_rules_are_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert old in toy.DATA
    with pytest.raises(TablesInvalid, match=named.replace("*", r"\*")):
        toy.house_rules(tmp_path, toy.DATA.replace(old, new, 1)).rows({})


def test_targets() -> None:
    assert place("rules.max_arts") == ("rules", "max_arts", "value")
    assert place("arts.*.cost") == ("arts", "*", "cost")
    for wrong in ("rules", "a.b.c.d", "a..b", ""):
        with pytest.raises(ValueError):
            place(wrong)


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
keys = st.sampled_from(["1", "2", "3", "throw", "cut", "cost", "reach", "value", "zz"])
trees = st.recursive(leaves, lambda below: st.lists(below, max_size=2) | st.dictionaries(keys, below, max_size=2))


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["level_cost", "arts", "rules.max_arts", "rules.ties", "zz"]), trees, max_size=3)
)
def test_any_json_is_checked_without_an_error(rules: HouseRules[toy.Tables], overrides: dict[str, Any]) -> None:
    problems = rules.check(overrides)
    rules.rows(overrides)
    rules.digest(overrides)
    if problems:
        with pytest.raises(HouseRulesInvalid):
            rules.tables(overrides)
    else:
        rules.tables(overrides)
        assert rules.check(rules.normalise(overrides)) == []
