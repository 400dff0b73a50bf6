"""The draft as a whole: cards constant, refusals known, secrets kept, undo exact (rules §4, §10.4)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.alice import deck
from rulesets.engine.commands.results import plain
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.play import HIDDEN as HIDDEN_FROM_ALL
from rulesets.engine.play import Actor, Command, Event, Play, Refused, Viewer, shown
from tests.rulesets import conformance_play as promises
from tests.rulesets import unlisted
from tests.rulesets.alice.tables import SEATS, Table, golden_table, setup_of

AT = "2026-05-09T12:03:44Z"


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


@pytest.fixture(scope="module")
def draft() -> Play[Any]:
    return services.play("alice.draft")


# ---------------------------------------------------------------- §4.6 undo


def test_undo_puts_everything_back_where_it_was(draft: Play[Any]) -> None:
    """The topic takes back commands and folds the rest again: the states of §4.6's example come back, one by one."""
    table = golden_table(draft)
    for seat, name in [("A", "reveal"), ("A", "pass"), ("B", "claim"), ("B", "reveal"), ("B", "pass"), ("C", "pass")]:
        table.do(seat, name)
    assert table.seen("A")["offer"]["parent"] == SEATS["C"] and table.seen("A")["offer"]["n"] == 3
    table.undo()
    offer = table.seen("A")["offer"]
    assert (offer["n"], offer["parent"], offer["card"], offer["asked"]) == (2, SEATS["B"], "C4", SEATS["C"])
    table.undo()
    offer = table.seen("A")["offer"]
    assert (offer["card"], offer["asked"], offer["passed"]) == ("C4", SEATS["B"], [])
    table.undo()
    assert table.seen("A")["phase"] == "AWAIT_REVEAL" and table.seen("A")["offer"]["parent"] == SEATS["B"]
    assert table.dump["piles"]["suit_pile:C"][:3] == ["C4", "C9", "CQ"]
    table.do("B", "reveal")
    assert table.seen("A")["offer"]["card"] == "C4"


def test_nothing_is_carried_home_before_the_end(draft: Play[Any]) -> None:
    table = golden_table(draft)
    for seat, name in [("A", "reveal"), ("A", "claim")]:
        table.do(seat, name)
    assert list(draft.close(table.state)) == []


# ---------------------------------------------------------------- secrets


HIDDEN = ("suit_pile:S", "suit_pile:C", "suit_pile:H", "suit_pile:D", "second_deck", "alice_aside")


def test_no_viewer_hears_of_the_order_of_a_pile(draft: Play[Any]) -> None:
    """Two drafts that differ in hidden cards alone look the same to everybody until a card is turned."""
    first, second = (golden_table(draft, below=below) for below in (["S2", "S3"], ["S3", "S2"]))
    assert first.dump["piles"] != second.dump["piles"]
    for who in ("gm", "A", "B", "spectator"):
        assert first.everything(who) == second.everything(who)


def test_what_is_hidden_is_in_no_view(draft: Play[Any]) -> None:
    table = golden_table(draft, alice="HQ")
    for who in ("gm", "A", "spectator"):
        everything = table.everything(who)
        (everything["state"]["alice"] or {}).pop("known", None)  # which アリス there are in the world
        told = json.dumps(everything)
        for pile in HIDDEN:
            for card in table.dump["piles"][pile]:
                known = who == "gm" and pile == "alice_aside"
                assert (f'"{card}"' in told) == known, f"{who} sees {card} of {pile}"


def test_an_unknown_role_sees_nothing(draft: Play[Any]) -> None:
    table = golden_table(draft)
    stranger = Viewer(frozenset({"all", "gm"}), "owner")  # type: ignore[arg-type]
    assert draft.project_state(table.state, stranger) == {}
    assert all(shown(draft, event, stranger) is None for event in table.events)
    assert shown(draft, Event("no.such.kind", {"text": "x"}), table.viewer("gm")) is None


def test_the_order_is_shown_to_nobody_even_by_mistake(draft: Play[Any]) -> None:
    """Nobody belongs to its audience; and if somebody did, the game itself would still say nothing."""
    laid = next(event for event in golden_table(draft).events if event.kind == "piles.laid")
    assert laid.audience == HIDDEN_FROM_ALL
    insider = Viewer(frozenset({"all", "gm", *laid.audience}), "gm", "1")
    assert shown(draft, laid, insider) is None


# ---------------------------------------------------------------- a state of another version


def test_an_empty_pile_is_told(draft: Play[Any]) -> None:
    table = golden_table(draft)
    piles = {**table.state.piles, "suit_pile:S": ()}
    state = dataclasses.replace(table.state, piles=piles)
    found = draft.decide(
        state, Command("reveal", {}, AT, state.open_step), Actor(SEATS["A"], "player"), ScriptedDice([])
    )
    assert isinstance(found, Refused) and found.code == "E_PILE_EMPTY"


def test_a_snapshot_survives(draft: Play[Any]) -> None:
    table = golden_table(draft, alice="HQ")
    table.do("A", "reveal")
    stored = json.loads(json.dumps(table.dump))
    assert draft.load(stored, {}) == table.state
    with pytest.raises(ValueError, match="validation"):
        draft.load({"zz": 1}, {})


# ---------------------------------------------------------------- the promises of every live play


class DraftAsPlay:
    """The game as the promises of live play ask for it, its draft in the place of its tables."""

    capabilities = frozenset({"play"})

    def __init__(self, draft: Play[Any]) -> None:
        self._game = services.get("alice")
        self.play = draft

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


@pytest.mark.parametrize("promise", promises.PLAY_PROMISES, ids=lambda promise: promise.__name__)
def test_promise(promise: Any, draft: Play[Any]) -> None:
    assert list(promise(DraftAsPlay(draft))) == []


def test_every_command_is_listed_with_words() -> None:
    listed = services.commands("alice.draft")
    assert {"seat", "start_draft", "choose_parent", "reveal", "claim", "pass", "act_for", "abort"} <= {
        row["name"] for row in listed
    }
    assert services.parts("alice") == ("draft",)


# ---------------------------------------------------------------- any commands at all

NAMES = [shape.name for shape in services.get("edo").play.commands()][:2]  # of another game
# `asked`: whoever is asked now, so that drafts get on
people = st.just("asked") | st.sampled_from(["gm", "A", "B", "C", "D", "spectator", "timer", "stranger"])
players = st.sampled_from([*SEATS.values(), "A", "B", "9", "", "誰か"])
hands = st.sampled_from(["rock", "paper", "scissors", "well"])
commands = st.one_of(
    st.tuples(
        st.sampled_from(["reveal", "claim", "pass", "pause", "resume", "abort", "run_janken", *NAMES]), st.just({})
    ),
    st.tuples(st.just("reveal"), st.just({})),
    st.tuples(st.just("claim"), st.just({})),
    st.tuples(st.just("pass"), st.just({})),
    st.tuples(st.just("start_draft"), st.just({})),
    st.tuples(st.just("offer.expire"), st.just({})),
    st.tuples(st.just("choose_parent"), st.fixed_dictionaries({"parent": players})),
    st.tuples(st.just("set_janken_winner"), st.fixed_dictionaries({"player": players})),
    st.tuples(st.just("janken.hand"), st.fixed_dictionaries({"hand": hands})),
    st.tuples(st.just("join"), st.fixed_dictionaries({}, optional={"name": st.text(max_size=3), "player": players})),
    st.tuples(st.just("late_join"), st.fixed_dictionaries({"player": players})),
    st.tuples(st.just("seat"), st.fixed_dictionaries({"order": st.lists(players, max_size=4).map(",".join)})),
    st.tuples(st.just("alice.set"), st.fixed_dictionaries({"faces": st.sampled_from(["", "SQ", "♦A HQ", "Z9"])})),
    st.tuples(st.just("story.set"), st.fixed_dictionaries({"story_setting": st.text(max_size=4)})),
    st.tuples(
        st.just("act_for"),
        st.fixed_dictionaries(
            {
                "player": players,
                "command": st.sampled_from(["choose_parent", "janken.hand", "reveal", "claim", "pass", "abort"]),
            },
            optional={"parent": players, "hand": hands},
        ),
    ),
)
moves = st.tuples(people, commands, st.booleans())


class Turned:
    """Dice and piles that hypothesis decides."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        self._seed = (self._seed * 1103515245 + 12345) % 2**31
        return self._seed % sides + 1

    def shuffle(self, size: int) -> tuple[int, ...]:
        order = list(range(size))
        for at in range(size - 1, 0, -1):
            other = self.roll(at + 1) - 1
            order[at], order[other] = order[other], order[at]
        return tuple(order)


@settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
@given(
    st.integers(1, 14),
    st.sampled_from([{}, {"draft_decks": 2, "deck_count": 2}, {"on_offer_timeout": "pass"}]),
    st.integers(0, 2**31),
    st.lists(moves, max_size=120),
    st.booleans(),
)
def test_any_commands(players_: int, rules: Mapping[str, Any], seed: int, asked: list[Any], begin: bool) -> None:
    draft, codes = services.play("alice.draft"), set(services.tables("alice", {}).messages)
    shapes = {shape.name: shape for shape in draft.commands()}
    table, dice = Table(draft, setup_of(players_, rules)), Turned(seed)
    if begin:
        for who, name, data in (("gm", "start_draft", {}), ("gm", "run_janken", {})):
            table.try_(who, name, data, dice)
    for who, (name, data), right_step in asked:
        before, thrown = table.state, dice.thrown
        who = (table.state.asked or "gm") if who == "asked" else who
        found = table.try_(who, name, data, dice, step_off=0 if right_step else 1)
        if isinstance(found, Refused):
            assert found.code in codes and dice.thrown == thrown
            assert name not in shapes or found.code in shapes[name].codes
            assert table.state is before
        else:
            _sound(table)
    _ends_well(table)


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 12), st.integers(0, 2**31), st.data(), st.sampled_from(["per_reveal", "per_cycle"]))
def test_every_draft_ends(players_: int, seed: int, data: st.DataObject, rotation: str) -> None:
    """Whatever everybody says, after 4n cards each has one of every suit, and a replay leads to the same end."""
    draft = services.play("alice.draft")
    table, dice = Table(draft, setup_of(players_, {"deck_count": 2, "parent_rotation": rotation})), Turned(seed)
    for name in ("start_draft", "run_janken"):
        assert not isinstance(table.try_("gm", name, {}, dice), Refused)
    winner = table.state.winner
    table.act(winner, "choose_parent", {"parent": data.draw(st.sampled_from(table.state.seats))}, dice)
    while table.state.phase != "COMPLETE":
        name = "reveal" if table.state.phase == "AWAIT_REVEAL" else data.draw(st.sampled_from(["claim", "pass"]))
        table.act(table.state.asked, name, {}, dice)
        _sound(table)
    assert len(table.state.log) == 4 * players_
    for seat in table.state.seats:
        assert list(table.state.abilities(seat)) == ["S", "C", "H", "D"]
    _ends_well(table)
    taken = {one.actor: one.play["cards"] for one in draft.close(table.state)}
    assert set(taken) == set(table.state.seats) and all(len(cards) == 4 for cards in taken.values())


def _sound(table: Table) -> None:
    """§10.4: the cards are constant, no ace is drafted, holders follow the reveals."""
    state = table.state
    cards = sorted(card for pile in state.piles.values() for card in pile)
    assert cards == (sorted(deck.whole_deck(state.decks)) if state.decks else [])
    drafting = [name for name in state.piles if name.startswith(("suit_pile", "ability", "draft_open"))]
    assert not any(card[1:2] == "A" for name in drafting for card in state.piles[name])
    held = [state.abilities(seat) for seat in state.seats]
    assert sum(len(one) for one in held) == state.k
    for suit in "SCHD":
        assert sum(suit in one for one in held) == sum(row.card[0] == suit for row in state.log)
    aside = set(state.piles.get("alice_aside", ()))
    assert not state.decks or not set(state.alices) & {card.split("#")[0] for card in set(cards) - aside}


def _ends_well(table: Table) -> None:
    """Everybody can be shown the state, and the events alone lead to it."""
    for who in ("gm", "A", "spectator"):
        json.dumps(plain(table.seen(who)))
    assert table.start(table.events) == table.state
