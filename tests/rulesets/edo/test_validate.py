"""`manage.py validate`: exit codes, the JSON, the worked example of rules §4.9 under both skill tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

WORKED = json.loads((Path(__file__).parent / "files" / "worked_example.json").read_text(encoding="utf-8"))
N_N_PLUS_1 = json.dumps({"skill_cost": "n_n_plus_1"})
Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Validate a document: exit code, standard output (JSON unless `text`), standard error."""

    def validate(document: object, *options: str, text: bool = False) -> tuple[int, Any, str]:
        path = tmp_path / "file.json"
        raw = document if isinstance(document, bytes) else json.dumps(document).encode()
        path.write_bytes(raw)
        out, err = StringIO(), StringIO()
        with pytest.raises(SystemExit) as stopped:
            call_command("validate", str(path), *(() if text else ("--json",)), *options, stdout=out, stderr=err)
        said = out.getvalue()
        return int(str(stopped.value)), said if text else json.loads(said), err.getvalue()

    return validate


def changed(**build: object) -> dict[str, Any]:
    document = deepcopy(WORKED)
    document["character"]["build"] |= build
    return document


def test_worked_example_spends_280_and_leaves_nothing(run: Run) -> None:
    code, found, _ = run(WORKED)
    assert code == 0
    assert found["legal"] is True
    assert found["name"] == "桐生 新八郎"
    costs = found["costs"]
    assert (costs["spent"], costs["allocation"], costs["left"], costs["over"]) == (280, 280, 0, 0)
    assert costs["groups"] == {"role": 50, "abilities": 115, "skills": 80, "own_style": 25, "endurance": 10}
    assert sum(line["points"] for line in costs["lines"]) == 280
    derived = found["derived"]
    assert (derived["effective.kenjutsu"], derived["endurance_max"], derived["evasion"]) == (12, 8, 15)


def test_worked_example_is_30_over_under_the_other_table(run: Run) -> None:
    document = deepcopy(WORKED)
    document["system"]["house_rules"] = {"skill_cost": "n_n_plus_1"}
    for code, found, _ in (run(document), run(WORKED, "--house-rules", N_N_PLUS_1)):
        assert code == 1
        assert [(p["code"], p["needed"], p["had"]) for p in found["problems"] if p["level"] == "error"] == [
            ("V02", 280, 310)
        ]
        costs = found["costs"]
        assert (costs["spent"], costs["left"], costs["over"]) == (310, 0, 30)


def test_allocation_of_the_command_line_goes_first(run: Run) -> None:
    assert run(WORKED, "--allocation", "279")[0] == 1
    code, found, _ = run(WORKED, "--allocation", "300")
    assert code == 0
    assert found["costs"]["left"] == 20
    assert "V27" in [problem["code"] for problem in found["problems"]]


def test_text_says_points_and_problems(run: Run) -> None:
    code, said, _ = run(WORKED, "--house-rules", N_N_PLUS_1, text=True)
    assert code == 1
    assert "310点／280点・30点超過" in said
    assert "× V02 このキャラクターの割り当ては280点です。30点多く使っています。" in said
    code, said, _ = run(WORKED, text=True)
    assert code == 0
    assert "280点／280点・残り0点" in said


def test_illegal_build_names_rule_and_repairs(run: Run) -> None:
    code, found, _ = run(changed(school="yagyu", perks=["attack_easier"]), "--allocation", "400")
    assert code == 1
    problem = next(p for p in found["problems"] if p["code"] == "V16")
    assert (problem["path"], problem["rule"]) == ("perks.attack_easier", "§4.7")
    assert problem["fixes"][0]["changes"] == {"perks.attack_easier": None}


@pytest.mark.parametrize(
    ("build", "pointer"),
    [
        ({"zz": 1}, "/character/build/zz"),
        ({"abilities": {"mind": "7", "gi": 7, "body": 6}}, "/character/build/abilities/mind"),
        ({"skills": [{"id": "magic", "level": 1}]}, "/character/build/skills/0"),
        ({"perks": "iai"}, "/character/build/perks"),
    ],
)
def test_unreadable_build_is_illegal_and_says_where(run: Run, build: dict[str, object], pointer: str) -> None:
    code, found, _ = run(changed(**build))
    assert code == 1
    assert pointer in [problem["pointer"] for problem in found["problems"]]
    assert all(problem["message"] for problem in found["problems"])


def test_broken_house_rules_are_named(run: Run) -> None:
    document = deepcopy(WORKED)
    document["system"]["house_rules"] = {"skill_cost": "free", "nonsense": 1}
    code, found, _ = run(document)
    assert code == 1
    assert {p["pointer"] for p in found["problems"]} == {
        "/system/house_rules/skill_cost",
        "/system/house_rules/nonsense",
    }


@pytest.mark.parametrize(
    "document",
    [
        b"{",
        b"[1]",
        b"\xff\xfe",
        {"format": "other"},
        {**WORKED, "format_version": "2.0"},
        {**WORKED, "system": {"id": "chess"}},
        {**WORKED, "character": {"name": "x"}},
        {"format": "takubiyori.party", "format_version": "1.0", "system": {"id": "edo"}},
    ],
)
def test_no_file_of_ours(run: Run, document: object) -> None:
    code, found, err = run(document)
    assert code == 2
    assert found["legal"] is False
    assert found["problems"][0]["message"] == err.strip()
    assert "\n" not in err.strip()


def test_missing_file_exits_2() -> None:
    err = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("validate", "no-such-file.json", stdout=StringIO(), stderr=err)
    assert stopped.value.code == 2
    assert "ファイルを開けません" in err.getvalue()


def party(*members: dict[str, Any], pool: int = 850, **system: object) -> dict[str, Any]:
    return {
        "format": "takubiyori.party",
        "format_version": "1.0",
        "system": {"id": "edo", "ruleset": "2026.1", "house_rules": {}, **system},
        "pool": pool,
        "characters": list(members),
    }


def test_party_adds_up_to_its_pool(run: Run) -> None:
    code, found, _ = run(party(WORKED, WORKED, WORKED))
    assert code == 0
    assert found["costs"]["spent"] == 840
    assert (found["costs"]["pool"], found["costs"]["left"], found["costs"]["over"]) == (850, 10, 0)
    code, found, _ = run(party(WORKED, WORKED, WORKED, pool=839))
    assert code == 1
    assert found["costs"]["over"] == 1
    assert [p["code"] for p in found["problems"] if p["level"] == "error"] == ["V01"] * 3


def test_party_rules_are_those_of_the_party(run: Run) -> None:
    code, found, _ = run(party(WORKED, house_rules={"skill_cost": "n_n_plus_1"}))
    assert code == 1
    assert found["characters"][0]["costs"]["over"] == 30


def test_npcs_never_use_the_pool(run: Run) -> None:
    npc = deepcopy(WORKED)
    npc["character"]["npc"] = {"count": 3}
    code, found, _ = run(party(WORKED, npc, pool=280))
    assert code == 0
    assert found["costs"]["spent"] == 280
