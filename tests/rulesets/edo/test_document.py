"""Flat fields and the build document of interop/json-api.md §4.4."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets import services

EXAMPLE: dict[str, Any] = {
    "role": "co_lead",
    "abilities": {"mind": 7, "gi": 7, "body": 6},
    "skills": [
        {"id": "kenjutsu", "level": 5, "speciality": None, "base": None},
        {"id": "yomikaki", "level": 2, "speciality": None, "base": None},
        {"id": "yomikaki", "level": 3, "speciality": "蘭語", "base": None},
        {"id": "geino", "level": 2, "speciality": "踊り", "base": "gi"},
        {"id": "geino", "level": 1, "speciality": "三味線", "base": None},
    ],
    "endurance_bought": 2,
    "school": "kashima",
    "style_skill": "kenjutsu",
    "style_name": "桐生流",
    "perks": ["iai", "opp_defence_harder"],
    "names": {"family": "桐生", "office": "新八郎", "given": "義清", "stage": None},
    "status": "ronin",
    "occupation": "kenkaku",
    "possessions": [{"id": "daito"}, {"text": "火打ち袋"}, {"id": "bo_shuriken", "text": "六本"}],
    "money_dice": [3],
}


def test_fields_of_a_document() -> None:
    fields = services.from_build("edo", EXAMPLE)
    assert fields["skills.kenjutsu.level"] == 5
    assert fields["skills.yomikaki.level"] == 2
    assert (fields["skills.yomikaki~1.level"], fields["skills.yomikaki~1.speciality"]) == (3, "蘭語")
    assert (fields["skills.geino~1.base"], fields["skills.geino~2.speciality"]) == ("gi", "三味線")
    assert fields["schools.kashima"] is True
    assert fields["perks.iai"] is True
    assert fields["possessions.3.text"] == "六本"
    assert "names.stage" not in fields
    assert all(services.known_field("edo", key) for key in fields)


def test_there_and_back() -> None:
    assert services.check_document("edo", EXAMPLE) == []
    assert services.to_build("edo", services.from_build("edo", EXAMPLE)) == EXAMPLE


def test_what_is_not_stated_is_not_chosen() -> None:
    build = {"abilities": {"mind": 4, "gi": 4, "body": 4}}
    assert services.check_document("edo", build) == []
    assert set(services.from_build("edo", build)) == {"abilities.mind", "abilities.gi", "abilities.body"}


def test_repeats_survive_for_the_check_to_name() -> None:
    build = {
        **EXAMPLE,
        "skills": [{"id": "undo", "level": 2}, {"id": "undo", "level": 3}],
        "perks": ["iai", "iai"],
        "school": ["yagyu", "kashima"],
        "style_skill": None,
    }
    fields = services.from_build("edo", build)
    codes = [problem.code for problem in services.check("edo", fields, {}).errors]
    assert sorted(set(codes)) == ["V08", "V14", "V15", "V18"]
    again = services.to_build("edo", fields)
    assert [row["level"] for row in again["skills"]] == [2, 3]
    assert again["perks"] == ["iai", "iai"]
    assert sorted(again["school"]) == ["kashima", "yagyu"]
    assert services.from_build("edo", again) == fields


def test_raw_text_of_a_draft_is_no_document() -> None:
    fields = {**services.from_build("edo", EXAMPLE), "abilities.mind": "七"}
    build = services.to_build("edo", fields)
    assert build["abilities"]["mind"] == "七"
    (problem,) = services.check_document("edo", build)
    assert (problem.path, problem.message.ja) == ("/abilities/mind", "整数で書いてください。")


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"zz": 1}, "/zz", "「zz」という項目はありません。"),
        ({"role": "hero"}, "/role", "「hero」という役格はありません。"),
        ({"abilities": {"mind": 4, "gi": 4}}, "/abilities/body", "この項目がありません。"),
        ({"abilities": None}, "/abilities", "項目の組（オブジェクト）で書いてください。"),
        ({"skills": [{"id": "magic", "level": 1}]}, "/skills/0", "「magic」という技能はありません。"),
        ({"skills": [{"id": "undo", "level": True}]}, "/skills/0/level", "整数で書いてください。"),
        ({"skills": [{"id": "undo", "level": -1}]}, "/skills/0/level", "0以上にしてください。"),
        (
            {"skills": [{"id": "undo", "level": 1, "base": "body"}]},
            "/skills/0",
            "基本能力値「body」はここでは選べません。",
        ),
        ({"skills": [{"id": "undo", "level": 1, "speciality": "x"}]}, "/skills/0", "「undo」に種類は付けられません。"),
        ({"perks": ["flight"]}, "/perks", "「flight」という特典はありません。"),
        ({"school": "hokushin"}, "/school", "「hokushin」という流派はありません。"),
        ({"style_skill": "zz"}, "/style_skill", "「zz」という技能はありません。"),
        ({"possessions": [{}]}, "/possessions/0", "持ち物には id か text が要ります。"),
        ({"money_dice": [7]}, "/money_dice/0", "6以下にしてください。"),
        ({"names": {"family": "長" * 101}}, "/names/family", "100文字までです。"),
    ],
)
def test_a_foreign_document_says_what_is_wrong_and_where(change: dict[str, Any], path: str, words: str) -> None:
    problems = services.check_document("edo", {**EXAMPLE, **change})
    assert (path, words) in [(problem.path, problem.message.ja) for problem in problems]
