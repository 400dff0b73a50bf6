"""What never leaves the server (rules §6.6): role × zone × channel, and odds that know no more than their viewer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rulesets.alice.deck import whole_deck
from rulesets.engine.commands.results import plain
from rulesets.engine.play import HIDDEN, Command, Event, Refused, Viewer, replay, seat_token, shown
from tests.rulesets.alice.play.secrets import another_world, cards_in, open_to, visible_cards
from tests.rulesets.alice.play.table import CLASSES, VIEWERS, Table
from tests.rulesets.alice.play.test_properties import RULES

OTHERWISE = {"discards_public": False, "gm_sees_hands": True, "gm_character_cards": "gm_hand"}
ZONES = (
    *("hand:A", "draw_pile", "discard_pile", "table_difficulty", "table_played", "sealed:B", "alice_aside"),
    *("hand:gm", "ability:A"),
)


def told(table: Table, who: str) -> set[str]:
    return cards_in(plain(table.play.project_state(table.state, VIEWERS[who])))


# ---------------------------------------------------------------- role × zone


def laid_table(house_rules: dict[str, Any], *, turned: bool, ended: bool = False) -> Table:
    """A table with a card in every zone: a race of which B has sealed a card while C has not."""
    table = Table(house_rules, random.Random(5))
    commands: list[tuple[str, dict[str, Any]]] = [
        ("alice.add", {"card": "S3", "alice": "剣のアリス"}),
        ("deal", {}),
        ("acquire.declare", {"actor": "A", "text": "縄"}),
        ("test.difficulty", {"cards": 1}),
        ("test.class", {"cls": "expert"}),
        ("play.flip", {}),
        ("transfer.ask", {"actor": "A", "target": "B", "text": "支える", "card": ""}),
        ("race.declare", {"actors": "B,C", "text": "走る", "suit": "S", "cards": 2}),
        ("test.class", {"cls": "expert", "actor": "B"}),
    ]
    if turned:
        commands += [("test.class", {"cls": "expert", "actor": "C"}), ("play.hand", {"actor": "B", "card": ""})]
    if ended:
        commands += [("test.cancel", {}), ("game.end", {})]
    for name, data in commands:
        if data.get("card") == "":
            data = {**data, "card": table.state.hand(data["actor"])[0]}
        found = table.do(name, data)
        assert not isinstance(found, Refused), (name, found)
    return table


@pytest.mark.parametrize("who", VIEWERS)
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    "rules", [{}, {"discards_public": False, "gm_sees_hands": True, "gm_character_cards": "gm_hand"}]
)
def test_who_sees_which_zone(who: str, zone: str, rules: dict[str, Any]) -> None:
    """Faces for exactly those the table of §6.6 names."""
    for turned in (False, True):
        table = laid_table(rules, turned=turned)
        cards = set(table.state.zone(zone))
        there = cards & told(table, who)
        offered = set(table.state.actors["A"].offers.values()) if who == "B" else set()
        if open_to(table.state, who, zone):
            assert there == cards
        else:
            assert there <= offered, f"{who} sees {there} of {zone}"


def test_every_zone_was_there() -> None:
    table = laid_table({"gm_character_cards": "gm_hand"}, turned=True)
    assert [zone for zone in ZONES if not table.state.zone(zone)] == ["table_played"]
    assert table.state.op is not None and table.state.actors["B"].sealed is not None


@pytest.mark.parametrize("who", VIEWERS)
def test_after_the_game_every_card_lies_open(who: str) -> None:
    assert told(laid_table({}, turned=True, ended=True), who) == set(whole_deck(1))


def test_a_sealed_choice_is_its_owners() -> None:
    table = laid_table({}, turned=True)
    for who, viewer in VIEWERS.items():
        view = table.play.project_state(table.state, viewer)
        mine = next(one for one in view["actors"] if one["id"] == "B")["sealed"]
        assert (mine is not None) == (who == "B")
        assert [one["committed"] for one in view["op"]["tries"]] == [True, False]
        assert [one["way"] for one in view["op"]["tries"]] == ["", ""]


def test_jobs_notes_and_hidden_people() -> None:
    table = Table({}, random.Random(1))
    table.do(
        "cast.join",
        {
            "id": "D",
            "kind": "pc",
            "name": "人D",
            "seat": "9",
            "build": {"name": "D", "cards": {"S": "3"}, "current_job": "密偵CANARY", "job_visibility": "gm"},
            "hidden": False,
            "play": {},
        },
    )
    for who, viewer in VIEWERS.items():
        view = str(table.play.project_state(table.state, viewer))
        assert ("CANARY" in view) == (who == "gm")
        assert ("人X" in view) == (who == "gm")
    assert "CANARY" in str(
        table.play.project_state(table.state, Viewer(frozenset({"all", seat_token("9")}), "player", "9"))
    )


def test_unknown_roles_and_kinds_show_nothing() -> None:
    table = laid_table({}, turned=True)
    for role in ("timer", "owner"):
        stranger = Viewer(frozenset({"all", "gm", "hidden"}), role)  # type: ignore[arg-type]
        assert table.play.project_state(table.state, stranger) == {}
        assert all(shown(table.play, event, stranger) is None for _n, event in table.log)
    assert shown(table.play, Event("unheard.of", {"card": "S2"}), VIEWERS["gm"]) is None


# ---------------------------------------------------------------- every event, every command


def heard_by(event: Event) -> Iterator[str]:
    return (who for who, viewer in VIEWERS.items() if viewer.sees(event.audience))


@pytest.mark.parametrize("number", range(len(RULES) * 2))
def test_no_event_holds_a_face_its_audience_may_not_know(number: int) -> None:
    """Even what is never shown of an event: no hidden face stands in a fact that others may hear (§6.6)."""
    table = Table(RULES[number % len(RULES)], random.Random(1000 + number))
    before = table.state
    for _name, _data, _actor, found in table.play_on(150):
        if isinstance(found, Refused):
            continue
        state = before
        for event in found:
            after = replay(table.play, state, [event])
            if event.audience != HIDDEN:
                cards = cards_in(event.data)
                for who in heard_by(event):
                    known = visible_cards(state, who) | visible_cards(after, who)
                    assert cards <= known, f"{event.kind} tells {who} of {cards - known}"
                    secret = who != "gm" and state.actors["X"].hidden and after.actors["X"].hidden
                    assert not secret or "人X" not in str(shown(table.play, event, VIEWERS[who])), event.kind
            state = after
        before = table.state
        for who in VIEWERS:
            assert told(table, who) <= visible_cards(table.state, who), who


QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *(("test.class", {"cls": cls, "actor": who}) for cls in CLASSES for who in "ABCW"),
    *(("test.propose", {"cls": cls, "actor": who}) for cls in CLASSES for who in "ABC"),
    *(("play.flip", {"actor": who, "boost": boost}) for who in "ABCW" for boost in (True, False)),
    *(("play.luck", {"actor": who}) for who in "ABCW"),
    *(("play.hand", {"actor": who, "card": card}) for who in "ABC" for card in whole_deck(1)),
    ("damage.flip", {}),
]


def chances(table: Table, state: Any, viewer: Viewer) -> list[Any]:
    found = [table.play.odds(state, Command(name, data, ""), viewer) for name, data in QUESTIONS]
    return [None if odds is None else odds.as_json() for odds in found]


@pytest.mark.parametrize("number", range(len(RULES) * 2))
def test_two_worlds_that_look_alike_give_the_same_odds(number: int) -> None:
    """Chances, and the whole view, follow from what the viewer can see (§12.4)."""
    table = Table(RULES[number % len(RULES)], random.Random(2000 + number))
    chance, asked, answered = random.Random(number), 0, 0
    for at, _step in enumerate(table.play_on(160)):
        if table.state.phase != "play" or table.state.op is None or at % 6:
            continue
        for who, viewer in VIEWERS.items():
            other = another_world(table.state, who, chance)
            assert plain(table.play.project_state(other, viewer)) == plain(
                table.play.project_state(table.state, viewer)
            )
            here = chances(table, table.state, viewer)
            assert chances(table, other, viewer) == here, who
            asked, answered = asked + 1, answered + sum(one is not None for one in here)
    assert asked and answered
