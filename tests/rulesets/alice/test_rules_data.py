"""The data is what the rules file says: house rules (§1.3), codes (§4.5, Appendix C), sample 生業 (§5.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from rulesets import services
from tests.rulesets import unlisted
from tests.rulesets.conformance import texts_in


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


# §1.3, key and default. `alice_cards` is no house rule: which アリス appear is the GM's secret of one scenario, and is
# told to the table by `alice.set`.
DEFAULTS: dict[str, Any] = {
    "deck_count": "auto",
    "draft_decks": 1,
    "alice_remove_all_copies": True,
    "ability_value": {"J": 1, "Q": 2, "K": 3},
    "ability_boost": {"J": 11, "Q": 12, "K": 13},
    "boost_scope": "per_card",
    "boost_timing": "before_card",
    "boost_under_damage": "apply",
    "ace_when_flipped": "same",
    "hand_size": 3,
    "pact_hand_delta": 1,
    "reshuffle_timing": "eager",
    "deck_low_warning": 15,
    "parent_rotation": "per_reveal",
    "offer_deadline_s": 90,
    "on_offer_timeout": "none",
    "favourable_floor": 1,
    "reason_bonus_mode": "submit",
    "reason_ready": "next_round",
    "reason_retry": "allowed",
    "luck_substitution_takes_reason_bonus": False,
    "luck_spend_for_damage": True,
    "luck_spend_order": "pay_first",
    "contest_no_card": "lose",
    "race_commit": "sealed",
    "race_tie": "shared",
    "initiative_tie": "pc_first",
    "defences_per_round": 0,
    "busy_until": "end_of_round",
    "hit_on_busy_target": "valid_achievement",
    "damage_overflow": "wasted",
    "attacker_may_decline_damage": True,
    "gm_character_cards": "flip",
    "recovery_limit": "per_patient",
    "stage3_luck_blocks_recovery": False,
    "survival_ace_heals": "all",
    "carry_damage": "persist",
    "acquire_retry_days": 1,
    "empathy_retry_days": 1,
    "gm_sees_hands": False,
    "discards_public": True,
    "submit_registry_lock": True,
    "show_probabilities": True,
}
LISTS = ("occupations", "npc_presets", "alices", "party_groups")


def test_every_house_rule_is_there_with_its_default() -> None:
    found = {rule.key: rule.default for rule in services.house_rules("alice", {})}
    assert {key: found[key] for key in DEFAULTS} == DEFAULTS
    assert set(LISTS) <= set(found)
    assert found["alices"]["sword"]["suit"] == "S" and {row["rank"] for row in found["alices"].values()} == {"Q", "K"}


@pytest.mark.parametrize(
    ("players", "rules", "decks"), [(4, {}, 1), (5, {}, 2), (5, {"deck_count": 1}, 1), (2, {"deck_count": 2}, 2)]
)
def test_number_of_decks(players: int, rules: dict[str, Any], decks: int) -> None:
    assert services.tables("alice", rules).decks_for(players) == decks


# Appendix C and §4.5
CODES = """
E_STALE_VERSION E_NOT_AT_TABLE E_GM_ONLY E_PAUSED E_WRONG_PHASE E_WRONG_STATE E_DRAFT_COMPLETE E_DRAFT_RUNNING
E_TOO_MANY_PLAYERS E_DECK_TOO_SMALL E_NO_WINNER_YET E_NOT_WINNER E_UNKNOWN_PLAYER E_CARD_ALREADY_REVEALED E_NOT_PARENT
E_PILE_EMPTY E_NO_CARD_REVEALED E_ALREADY_HAS_SUIT E_ALREADY_PASSED E_NOT_YOUR_TURN E_NOTHING_TO_UNDO
E_ABILITIES_MISSING E_FIELD_REQUIRED E_NOT_ALL_APPROVED E_AGE_TOO_LOW E_OCCUPATION_REJECTED E_TEST_OPEN E_NOT_ACTOR
E_NOT_YOUR_CARD E_ILLEGAL_SUBMIT E_INCAPACITATED E_CLASS_ALREADY_FIXED E_BOOST_USED E_NO_PICTURE_CARD E_BOOST_USELESS
E_LUCK_EXHAUSTED E_LUCK_STORY_REQUIRED E_BAD_DIFFICULTY E_NO_STACKING E_REASON_NOT_READY E_BUSY E_ALREADY_ACTED
E_INCONSISTENT E_EMPATHY_LOCK E_ACQUIRE_LOCK E_LUCK_NOT_HEALABLE E_NOT_WOUNDED E_REST_REQUIRED E_NOT_HELPLESS
E_SUPPORT_REQUIRED E_SAME_PLAYER E_DISCARD_FIRST E_SLEEPLESS E_ALREADY_REFRESHED E_NOT_MORNING W_DECK_LOW
W_DECK_STARVED W_OVERFLOW W_CONTAINS_NO W_MODIFIER W_PUNCTUATION W_LONG
"""


def test_every_code_has_words_and_a_section() -> None:
    messages = services.tables("alice", {}).messages
    assert set(CODES.split()) <= set(messages)
    assert [code for code in messages if not messages[code].rule] == []
    assert {messages[code].level for code in messages if code.startswith("W_")} == {"warning"}


# §5.5: suits, then combat, 道理, 交感, 獲得
OCCUPATIONS = """
scribe C oeoo        scholar C oeoo       teacher CH oreo      priest H oreo        merchant CHD ooee
noble HD rree        warrior S eooo       carpenter S oooo     official CH oroo     minstrel H orro
gambler CH oooo      hunter SC rooo       woodcutter S rooo    farmer S oooo        fisher S oooo
sailor S rooo        smith S oooo         herbalist C oroo     physician C oroo     cook SC oooo
innkeeper H oorr     knight SH eooo       soldier S eooo       thief SD roor        entertainer SH ooro
fortune_teller HD orro                    shepherd SH oooo     mason S oooo
"""


def test_sample_occupations() -> None:
    words = OCCUPATIONS.split()
    rows = services.tables("alice", {}).occupations
    assert list(rows) == words[::3]
    for at, row in enumerate(rows.values()):
        classes = (row.combat, row.reason, row.empathy, row.acquire)
        assert ("".join(row.suits), "".join(cls[0] for cls in classes)) == tuple(words[3 * at + 1 : 3 * at + 3])


PRINTED = {("scribe", "expert"), ("scribe", "reason"), ("teacher", "empathy"), ("priest", "empathy")} | {
    *(("merchant", "empathy"), ("merchant", "acquire"), ("noble", "empathy"), ("noble", "acquire"))
}


def test_which_cells_of_the_occupations_are_printed() -> None:
    rows = services.tables("alice", {}).occupations.values()
    cells = ("expert", "related", "suits", "combat", "reason", "empathy", "acquire")
    assert {(row.id, cell) for row in rows for cell in cells if row.source_of(cell) == "seed"} == PRINTED


# ---------------------------------------------------------------- English pages show no Japanese but glosses

JAPANESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff01-\uff1d\uff1f-\uff5e]")
GLOSS = re.compile(r"(?<=[a-z]) \([\u3005\u3041-\u30ff\u4e00-\u9fff]+\)")


def test_english_words_are_english() -> None:
    found = texts_in(services.tables("alice", {}), "tables")
    assert [where for where, text in found if JAPANESE.search(GLOSS.sub("", text.en))] == []
