"""Every refusal of play has a code, a rule and sentences of its own, and some command names it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rulesets import services
from rulesets.engine.play import Actor, Command, Refused
from tests.rulesets.edo.play.people import GMS, PLAYERS, setup
from tests.rulesets.edo.play.scenes import AT

PLAY = services.play("edo")
MESSAGES = {code: row for code, row in services.tables("edo", {}).messages.items() if code.startswith("P")}
NOTES = {"P13"}  # said beside a roll, refuses nothing


def test_every_code_is_named_by_a_command() -> None:
    named = {code for shape in PLAY.commands() for code in shape.codes}
    unknown = "P41"  # of no command at all
    assert set(MESSAGES) - NOTES - {unknown} == named


def test_no_two_codes_say_the_same() -> None:
    for words in ([row.text.ja for row in MESSAGES.values()], [row.text.en for row in MESSAGES.values()]):
        assert [text for text, times in Counter(words).items() if times > 1] == []
    for code, row in MESSAGES.items():
        assert row.text.ja.endswith("。"), code
        assert not re.search(r"[぀-ヿ一-鿿]", row.text.en), code


def command(name: str, **data: object) -> Command:
    return Command(name, data, AT)


BAD: dict[str, tuple[Command, Actor, str]] = {
    "number too large": (command("actor.hurt", actor="c1", amount=100, reason="落石"), GMS, "P20"),
    "negative number": (command("move", actor="c1", ken=-1), PLAYERS["2"], "P20"),
    "a fraction": (command("move", actor="c1", ken=1.5), PLAYERS["2"], "P20"),
    "no number at all": (command("move", actor="c1", ken="六"), PLAYERS["2"], "P20"),
    "true is no number": (command("move", actor="c1", ken=True), PLAYERS["2"], "P20"),
    "infinite": (command("move", actor="c1", ken=float("inf")), PLAYERS["2"], "P20"),
    "missing": (command("move", actor="c1"), PLAYERS["2"], "P21"),
    "unknown field": (command("move", actor="c1", ken=1, speed=9), PLAYERS["2"], "P22"),
    "no such choice": (command("posture", actor="c1", posture="floating"), PLAYERS["2"], "P23"),
    "a word for a switch": (command("move", actor="c1", ken=1, door="yes"), PLAYERS["2"], "P23"),
    "a list for a word": (command("roll", actor="c1", what=["undo"]), PLAYERS["2"], "P23"),
    "a seven on a die": (command("roll", actor="c1", what="undo", faces="7,1,2"), PLAYERS["2"], "P24"),
    "too few dice": (command("roll", actor="c1", what="kenjutsu", faces="1,2"), PLAYERS["2"], "P42"),
    "too many dice": (command("roll", actor="c1", what="kenjutsu", faces="1,2,3,4"), PLAYERS["2"], "P43"),
    "a novel": (command("act", actor="c1", text="長" * 501), PLAYERS["2"], "P25"),
    "a control character": (command("act", actor="c1", text="a\x00b"), PLAYERS["2"], "P25"),
    "half a surrogate": (command("act", actor="c1", text="\ud800"), PLAYERS["2"], "P25"),
    "somebody else's": (command("roll", actor="c2", what="undo"), PLAYERS["2"], "P17"),
    "an NPC": (command("roll", actor="c3", what="undo"), PLAYERS["2"], "P17"),
    "nobody": (command("roll", actor="c99", what="undo"), PLAYERS["2"], "P18"),
    "hidden, for a player": (command("first_aid", actor="c1", target="c4"), PLAYERS["2"], "P18"),
    "a spectator": (command("roll", actor="c1", what="undo"), Actor("4", "spectator"), "P40"),
    "the GM's": (command("actor.heal", actor="c1", amount=1, reason="癒し"), PLAYERS["2"], "P40"),
    "no such command": (command("fireball", actor="c1"), PLAYERS["2"], "P41"),
    "nothing to answer": (Command("answer", {"answer": "none"}, AT, 0), PLAYERS["2"], "P30"),
    "an old step": (Command("answer", {"answer": "none"}, AT, 7), PLAYERS["2"], "P16"),
    "no step": (command("answer", answer="none"), PLAYERS["2"], "P16"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused(name: str) -> None:
    """Nothing is thrown and nothing changes; the code says what was wrong."""
    sent, actor, code = BAD[name]
    state = PLAY.start(setup({}))
    before = PLAY.dump(state)
    found = PLAY.decide(state, sent, actor, NoDice())
    assert isinstance(found, Refused), found
    assert (found.code, bool(found.message.ja)) == (code, True), found.message.ja
    assert PLAY.dump(state) == before


class NoDice:
    """A refused command throws none."""

    def roll(self, sides: int) -> int:
        raise AssertionError("a refused command threw dice")

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError("a refused command shuffled")
