"""Nothing of the rules file is left out: its vectors, its probability tables, its options, its tables of words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesets import services
from rulesets.witch.tables import TABLES
from tests.rulesets import cases

HERE = Path(__file__).parents[1]
CASES = [case for case in cases.collect(HERE) if case.system == "witch"]
IDS = {case.id for case in CASES}


def test_every_vector_is_a_case() -> None:
    """T01 to T52 (§11); T52 has many sides, the others carry their number."""
    missing = [f"T{n:02}" for n in range(1, 53) if not any(re.match(rf"T{n:02}(?![0-9])", case_id) for case_id in IDS)]
    assert missing == []


def test_every_house_rule_is_tried() -> None:
    """Each option of §1.3 is changed by some case that expects something of it."""
    tried = {key for case in CASES for key in case.given.get("house_rules", {})}
    rows = {rule.key for rule in services.house_rules("witch", {})}
    assert rows - tried == {"witch.skills", "magic.spell_examples"}


def test_lists_that_only_people_read_can_be_changed() -> None:
    """The list of skills and the examples of wishes are offered, never enforced."""
    changed = {
        "witch.skills": {"broom": {"own_name": "ほうきの曲乗り"}, "ciphers": {"offered": False}},
        "magic.spell_examples": {"warm_soup": 15},
    }
    tables = services.tables("witch", changed)
    assert tables.skills["broom"].label.ja == "ほうきの曲乗り" and not tables.skills["ciphers"].offered
    assert tables.wishes["warm_soup"].difficulty == 15


def test_every_refusal_of_a_command_is_met() -> None:
    """Each code that live play may answer with is expected by a case."""
    met = {str(case.expected.get("refused")) for case in CASES}
    known = {refusal["code"] for shape in services.commands("witch") for refusal in shape["refusals"]}
    assert known - met == set()


def test_every_command_and_event_is_played() -> None:
    played: set[str] = set()
    for case in CASES:
        asked = [*case.given.get("before", ()), case.given.get("command"), *case.given.get("commands", ())]
        played |= {command["command"] for command in asked if command}
    assert {shape["name"] for shape in services.commands("witch")} - played == set()


def test_tables_are_whole() -> None:
    base = TABLES.base
    assert len(base.tarot) == 29 and len(base.structure) == len(base.encounters) == 48
    assert len(base.persons) == 4 * 21 and len(base.cat_spells) == 16 + 4 and len(base.items) == 12
    assert sum(item.price for item in base.items.values() if not item.whisker) == 730  # §8.4
    assert sorted(row.roll for row in base.colours.values()) == list(range(2, 13))
    for row in base.encounters.values():
        nobody = [face for face in range(1, 7) if not row.phrase(face).ja]
        assert nobody == ([3] if row.id == "17" else [])
    pairs = {f"{a}{b}" for a in range(1, 7) for b in range(a, 7)}
    for table in range(1, 5):
        assert {key.split(".")[1] for key in base.persons if key.startswith(f"{table}.")} == pairs


@pytest.mark.parametrize("number", range(-40, 41))
def test_every_number_has_one_label(number: int) -> None:
    for bands in (TABLES.base.difficulties, TABLES.base.beliefs):
        assert sum(band.holds(number) for band in bands.values()) == 1


def test_words_of_the_rules_in_english_hold_no_japanese() -> None:
    """But for names of the setting and of the game's own terms that have no other."""
    japanese = re.compile(r"[぀-ヿ㐀-鿿]")
    base = TABLES.base
    for table in ("messages", "labels", "play_labels", "tarot", "persons", "structure", "levels", "targets", "wishes"):
        for row in getattr(base, table).values():
            words = row.en if hasattr(row, "en") else row.name.en
            assert not japanese.search(words), f"{table}.{row.id}: {words}"
