"""Who reads what: the table of rules §3.1 and §4.1, viewer by viewer (vector T52)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesets import services
from rulesets.engine.commands.results import plain
from rulesets.engine.play import Actor, Refused, replay
from tests.rulesets.witch.play.table import GM_SEAT, HIDDEN, TAIL_NAME, TRUE_NAME, VIEWERS, Dice, command, setup

OWNER, CAT, OTHER, GUEST = "2", "3", "4", "5"
NAME, MASK, ABSENT = {"true_name"}, {"true_name_mask"}, set()


class Evening:
    def __init__(self, house_rules: dict[str, Any] | None = None) -> None:
        self.play = services.play("witch")
        self.state = self.play.start(setup(house_rules))

    def do(self, name: str, fields: dict[str, Any], actor: Actor = GM_SEAT) -> Evening:
        decided = self.play.decide(self.state, command(name, fields), actor, Dice(1))
        assert not isinstance(decided, Refused), decided
        self.state = replay(self.play, self.state, decided)
        return self

    def seen(self, seat: str, who: str) -> dict[str, Any]:
        people = self.play.project_state(self.state, VIEWERS[seat])["people"]
        return next(person for person in people if person["id"] == who)


def named(person: dict[str, Any]) -> set[str]:
    return {"true_name", "true_name_mask"} & person.keys()


@pytest.mark.parametrize(
    ("gm_sees", "told", "expected"),
    [
        (True, "", {OWNER: NAME, "1": NAME, CAT: MASK, OTHER: ABSENT, GUEST: ABSENT}),
        (False, "", {OWNER: NAME, "1": MASK, CAT: MASK, OTHER: ABSENT, GUEST: ABSENT}),
        (True, "w2", {OWNER: NAME, "1": NAME, CAT: MASK, OTHER: NAME, GUEST: ABSENT}),
        (False, "k1", {OWNER: NAME, "1": MASK, CAT: NAME, OTHER: ABSENT, GUEST: ABSENT}),
    ],
)
def test_true_names(gm_sees: bool, told: str, expected: dict[str, set[str]]) -> None:
    evening = Evening({"secret.gm_sees_true_name": gm_sees})
    if told:
        evening.do("true_name.tell", {"actor": "w1", "target": told}, Actor(OWNER, "player"))
    for seat, keys in expected.items():
        person = evening.seen(seat, "w1")
        assert named(person) == keys, seat
        assert person["has_true_name"] is True
        assert person.get("true_name", TRUE_NAME) == TRUE_NAME


def test_who_forgot_a_name_reads_it_no_more() -> None:
    evening = Evening()
    evening.do("true_name.tell", {"actor": "w1", "target": "w2"}, Actor(OWNER, "player"))
    evening.do("true_name.forget", {"actor": "w1", "target": "w2"})
    assert named(evening.seen(OTHER, "w1")) == ABSENT


def test_a_witch_without_a_true_name_has_no_mask() -> None:
    evening = Evening()
    assert evening.seen(OTHER, "w2")["true_name"] == ""
    assert named(evening.seen(CAT, "w2")) == ABSENT
    assert evening.seen(CAT, "w2")["has_true_name"] is False


def test_tail_names() -> None:
    evening = Evening().do("tail_name.set", {"actor": "k1", "name": TAIL_NAME})
    assert evening.seen("1", "k1")["tail_name"] == TAIL_NAME
    assert "tail_name" not in evening.seen(CAT, "k1") and "tail_name_mask" in evening.seen(CAT, "k1")
    for seat in (OWNER, OTHER, GUEST):
        assert not {"tail_name", "tail_name_mask"} & evening.seen(seat, "k1").keys()
    evening.do("tail_name.reveal", {"actor": "k1"})
    assert evening.seen(CAT, "k1")["tail_name"] == TAIL_NAME
    assert "tail_name" not in evening.seen(OWNER, "k1")


def test_the_hidden_are_not_there() -> None:
    evening = Evening()
    for seat in (OWNER, CAT, OTHER, GUEST):
        assert HIDDEN not in json.dumps(plain(evening.play.project_state(evening.state, VIEWERS[seat])))
    assert evening.seen("1", "n2")["hidden"] is True


def test_numbers_of_npcs_are_the_gms_until_shown() -> None:
    evening = Evening()
    assert "hp" not in evening.seen(OWNER, "n1") and "hp" in evening.seen("1", "n1")
    evening.do("actor.numbers", {"actor": "n1", "shown": True})
    assert evening.seen(OWNER, "n1")["hp"] == 8


def test_partners_share_one_sheet() -> None:
    """Both read everything of the other half but the secrets (§4.6)."""
    evening = Evening()
    witch, cat = evening.seen(CAT, "w1"), evening.seen(OWNER, "k1")
    assert witch["power"][7] == 11 and witch["partner"] == "k1" and not witch["mine"]
    assert cat["bank"] == 0 and cat["partner"] == "w1" and len(cat["shop"]) == 12


def test_the_cats_screen_knows_that_it_is_asked() -> None:
    evening = Evening().do("scenario.open", {}).do("challenge.open", {"actor": "w1", "what": "wits"})
    evening.do("help.ask", {"attempt": "a1", "k": 2}, Actor(OWNER, "player"))
    for seat, mine in ((CAT, True), (OWNER, False), (OTHER, False), ("1", True)):
        attempts = evening.play.project_state(evening.state, VIEWERS[seat])["attempts"]
        assert attempts[0]["help"] == {
            "id": "h2",
            "state": "asked",
            "asked": 2,
            "granted": 0,
            "cat": "k1",
            "mine": mine,
        }
