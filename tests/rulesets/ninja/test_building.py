"""Random ninjas are sound, repairs mend, documents come back as they went."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.dice import ScriptedDice
from rulesets.ninja.system import SYSTEM
from rulesets.protocol import Context
from tests.rulesets import conformance, unlisted

faces = st.integers(1, 6)
RULES = {"creation.background_enabled": True}


@pytest.fixture(scope="module", autouse=True)
def game() -> Iterator[None]:
    with unlisted.listed():
        yield


def created(*steps: tuple[str, list[int]]) -> dict[str, Any]:
    fields = {**services.blank("ninja", "pc", RULES), "name": "テスト"}
    for step, thrown in steps:
        dice = ScriptedDice(thrown)
        made = services.create("ninja", step, fields, RULES, dice)
        assert list(made.faces) == thrown[: len(made.faces)]
        fields = {key: value for key, value in {**fields, **made.changes}.items() if value is not None}
    return fields


@given(st.lists(faces, min_size=8, max_size=8))
def test_a_random_ninja_lacks_only_a_free_choice(thrown: list[int]) -> None:
    fields = created(("random", thrown))
    report = services.check("ninja", fields, {"creation.dice_strict": True})
    codes = {problem.code for problem in report.errors}
    free = thrown[3] > 3 and thrown[4] == 6
    # a low ニューロン or ワザマエ leaves no slot; kill-9 asks for ニューロン 4
    assert codes - {"B16", "B17", "B18"} == ({"B07"} if free else set())
    assert report.spent == sum(thrown[:3]) + 2 * max(0, thrown[3] - 3)
    assert ("jitsu_kind" in fields or free) != ("start_skill" in fields)


@given(st.lists(faces, min_size=8, max_size=8), faces)
def test_a_loan_brings_one_piece_and_its_debt(thrown: list[int], face: int) -> None:
    fields = created(("random", thrown), ("cyberware", [face]))
    codes = {problem.code for problem in services.check("ninja", fields, RULES).errors}
    assert not codes & {"B11", "B12", "B13"}
    assert fields["loan"] == 12
    assert ("start_item" in fields) == (face != 6)


@given(conformance.any_fields(SYSTEM))
def test_each_repair_solves_its_problem_and_makes_no_error(fields: dict[str, Any]) -> None:
    report = services.check("ninja", fields, {})
    before = {(problem.code, problem.path) for problem in report.errors}
    for problem in report.problems:
        for fix in problem.fixes:
            if fix.kind != "set":
                continue
            mended = {k: v for k, v in {**fields, **fix.changes}.items() if v is not None}
            after = services.check("ninja", mended, {})
            assert (problem.code, problem.path) not in {(p.code, p.path) for p in after.problems}
            assert {(p.code, p.path) for p in after.errors} <= before
            assert fix.cost_delta == after.spent - report.spent


@given(st.lists(faces, min_size=8, max_size=8), faces, st.tuples(faces, faces))
def test_a_document_comes_back_as_it_went(thrown: list[int], face: int, background: tuple[int, int]) -> None:
    fields = created(("random", thrown), ("cyberware", [face]), ("background", [*background]))
    fields |= {"equipment.1.text": "お守り", "equipment.1.target": "evade_dice", "equipment.1.value": -1}
    build = json.loads(json.dumps(services.to_build("ninja", fields)))
    assert services.check_document("ninja", build) == []
    assert services.from_build("ninja", build) == fields
    assert services.to_build("ninja", services.from_build("ninja", build)) == build


def test_the_example_of_the_format_is_read() -> None:
    """interop/json-api.md §4.1."""
    build = {
        "method": "scratch",
        "abilities": {"karate": 4, "neuron": 3, "wazamae": 4, "jitsu": 0},
        "start_skill": "triple_legs",
        "knowledge_skills": ["IRCネットワーク"],
        "start_item": "katana",
        "cyberware": [],
        "background": None,
        "karma_good": False,
    }
    assert services.check_document("ninja", build) == []
    fields = services.from_build("ninja", build)
    report = services.check("ninja", {**fields, "name": "アッシュクロウ"}, {}, Context("pc"))
    assert report.legal
    expected = {"hp_max": 4, "mp_max": 3, "legs": 3, "evade_dice": 4, "initiative": 3, "quick_dice": 4}
    assert {key: report.derived[key].value for key in expected} == expected
    assert report.derived["cartwheel_difficulty"].value == "NORMAL"


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"abilities": {"karate": "4"}}, "/abilities/karate"),
        ({"knowledge_skills": ["魔法"]}, "/knowledge_skills"),
        ({"cyberware": [{"id": "wings"}]}, "/cyberware/0"),
        ({"equipment": [{}]}, "/equipment/0"),
        ({"npc": {"hp": True}}, "/npc"),
        ({"npc": {"wings": 2}}, "/npc"),
        ({"skills": [{"id": "kill9", "place": "pocket"}]}, "/skills/0"),
        ({"rolls": {"wings": 2}}, "/rolls"),
        ({"zz": 1}, "/zz"),
    ],
)
def test_a_foreign_document_is_refused_where_it_is_wrong(wrong: dict[str, Any], path: str) -> None:
    problems = services.check_document("ninja", wrong)
    assert [problem.path for problem in problems] == [path]
    assert problems[0].message.ja and problems[0].message.en
