"""The tables themselves: the list of house rules, figures that no case reaches, words for codes found elsewhere."""

from __future__ import annotations

import pytest

from rulesets import services

ROWS = {rule.id: rule for rule in services.house_rules("edo", {})}


def test_every_row_of_the_list_is_there() -> None:
    assert {f"E{n:02d}" for n in range(1, 53)} <= set(ROWS)


def test_only_the_skill_costs_are_asked_at_the_start() -> None:
    assert [rule.key for rule in ROWS.values() if rule.ask_at_start] == ["skill_cost"]
    choices = ROWS["E03"].schema["choices"]
    assert [choice["value"] for choice in choices] == ["literal", "n_n_plus_1", "own"]
    assert ROWS["E03"].default == "literal"


# printed or optional values and the group's own schools are no guesses
NO_GUESS = {"E39", "E40", *(row for row in ROWS if row.startswith("R"))}


@pytest.mark.parametrize("row", sorted(ROWS))
def test_badge_and_words(row: str) -> None:
    rule = ROWS[row]
    assert rule.inferred == (row not in NO_GUESS and row != "E01b")
    assert rule.section.startswith("§")
    assert rule.help.ja
    assert rule.help.en


def test_firmness() -> None:
    assert [ROWS[row].firmness for row in ("E01", "E37")] == ["A", "A"]
    assert [ROWS[row].firmness for row in ("E02", "E07", "E12", "E14", "E15", "E16")] == ["B"] * 6
    assert [ROWS[row].firmness for row in ("E03", "E06", "E13", "E17")] == ["C"] * 4


def test_typical_totals_include_the_role() -> None:
    """S04; they are guidance, so no check uses them."""
    roles = services.tables("edo", {}).roles
    assert {role.id: role.typical_total for role in roles.values()} == {
        "lead": 350,
        "co_lead": 250,
        "support": 150,
        "mook": 0,
    }


def test_usual_difficulty() -> None:
    """S10."""
    assert services.tables("edo", {}).number("base_difficulty") == 15
    changed = services.tables("edo", {"numbers": {"base_difficulty": 14}})
    assert changed.number("base_difficulty") == 14
    assert changed.numbers["base_difficulty"].source_of("value") == "house"


def test_equal_shares() -> None:
    """S01: 1100 among four."""
    assert services.pool_total("edo", 4, {}) == 4 * 275


@pytest.mark.parametrize(
    ("code", "params", "words"),
    [
        (
            "V03a",
            {"left": 20},
            "ほかのプレイヤーが先に保存したため、残りは20点になりました。内容を見直してもう一度保存してください。",
        ),
        ("V03b", {}, "このキャラクターは別の画面で更新されています。読み込み直してください。"),
        ("V04", {"pool": 850, "over": 5}, "割り当ての合計が一座の役作り点（850点）を5点超えます。"),
        ("P06", {"d": 3, "r": 1}, "間合いの外です（距離3間、間合い1間）。"),
    ],
)
def test_words_for_what_others_find(code: str, params: dict[str, object], words: str) -> None:
    assert services.message("edo", code, **params).ja == words


def test_no_words_for_an_unknown_code() -> None:
    with pytest.raises(KeyError):
        services.message("edo", "V99")
