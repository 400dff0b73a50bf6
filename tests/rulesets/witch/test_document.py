"""The document of a witch or a cat: there and back with its dice; what a foreign one may not hold (§3.9, §4.7)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.dice import ScriptedDice
from rulesets.protocol import Context
from rulesets.witch.rows import COLUMNS
from tests.rulesets import unlisted

faces = st.integers(1, 6)


def made(kind: str, thrown: list[int]) -> dict[str, Any]:
    """A character whose every step was rolled with these faces, one after another."""
    left = iter(thrown)
    fields: dict[str, Any] = {"kind": kind, "birthday.month": 4, "birthday.day": 9}
    if kind == "witch":
        fields |= {"age": 13, "common_name": "ミナ"}
        for number, name in enumerate(("歌", "占い", "料理"), 1):
            fields |= {f"skills.{number}.name": name, f"skills.{number}.dice": 2}
        steps = {"factors": 6, "skills": 6, "hp": 2, "power": 29}
    else:
        fields |= {"age": 1, "whisker_name": "ススケ", "spells.soft_paws": True, "spells.night_eyes": True}
        fields |= {"spells.keen_nose": True, "spells.shrink": True}
        steps = {"factors": 2, "hp": 2, "mp": 2, "color": 2}
    for step, count in steps.items():
        dice = [next(left) for _ in range(count)]
        if step == "power":  # two cards, then 28 dice: the shadow's column takes none
            dice = [next(left) % 29 + 1, next(left) % 28 + 1, *dice[:28]]
        result = services.create("witch", step, fields, {}, ScriptedDice(dice))
        fields = {key: value for key, value in {**fields, **result.changes}.items() if value is not None}
    if kind == "cat" and fields["color"] == "common":
        fields["pattern"] = "tabby"
    return fields


@given(st.sampled_from(["witch", "cat"]), st.lists(faces, min_size=60, max_size=60))
def test_whatever_the_dice_the_steps_make_a_legal_sheet(kind: str, thrown: list[int]) -> None:
    with unlisted.listed():
        fields = made(kind, thrown)
        report = services.check("witch", fields, {}, Context())
        assert not report.problems, [(p.code, p.path, p.message.ja) for p in report.problems]
        build = json.loads(json.dumps(services.to_build("witch", fields)))
        assert services.check_document("witch", build) == []
        assert services.from_build("witch", build) == fields
        assert services.to_build("witch", services.from_build("witch", build)) == build


@given(st.lists(faces, min_size=60, max_size=60), st.sampled_from(COLUMNS), st.integers(1, 5))
def test_a_number_changed_by_hand_is_noticed(thrown: list[int], column: int, more: int) -> None:
    """The dice that lie beside the numbers tell what they were."""
    with unlisted.listed():
        fields = made("witch", thrown)
        fields[f"power.{column}"] += more
        assert "B02" in [problem.code for problem in services.check("witch", fields, {}).problems]


@pytest.mark.parametrize(
    ("document", "code", "path"),
    [
        ({"kind": "dog"}, "D01", "/kind"),
        ({"wings": 2}, "D03", "/wings"),
        ({"whisker_name": "ススケ"}, "D03", "/whisker_name"),
        ({"kind": "cat", "skills": []}, "D03", "/skills"),
        ({"factors": {"wings": 3}}, "D02", "/factors"),
        ({"factors": {"wits": "3"}}, "D01", "/factors/wits"),
        ({"magic_power": {"29": 3}}, "D02", "/magic_power"),
        ({"magic_power": [1, 2]}, "D01", "/magic_power"),
        ({"rolled": {"luck": [1]}}, "D02", "/rolled"),
        ({"rolled": {"hp": [30]}}, "D01", "/rolled/hp/0"),
        ({"hp": 13}, "D01", "/hp"),
        ({"hp": {"max": -1}}, "D01", "/hp/max"),
        ({"common_name": "長" * 61}, "D01", "/common_name"),
        ({"skills": [{"name": "歌"}] * 21}, "D01", "/skills"),
        ({"kind": "cat", "spells": ["fly"]}, "D02", "/spells"),
        ({"kind": "cat", "spells": ["shrink", "shrink"]}, "D02", "/spells"),
    ],
)
def test_foreign_documents_are_refused_at_their_place(document: dict[str, Any], code: str, path: str) -> None:
    found = services.check_document("witch", document)
    assert (found[0].code, found[0].path) == (code, path)
    assert found[0].message.ja and found[0].message.en


def test_names_of_secret_fields_are_fields() -> None:
    system = services.get("witch")
    assert all(system.known_field(key) for key in system.secret_fields)  # type: ignore[attr-defined]
    assert services.display_name("witch", {"kind": "witch", "true_name": "CANARY"}) == ""
