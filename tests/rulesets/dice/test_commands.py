"""What surrounds a roll: each result of a line, suggestions, systems, odds against counting, the command line."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import call_command

from rulesets import services
from rulesets.engine.commands import refusals
from rulesets.engine.commands.results import Roll
from rulesets.engine.dice import FacesLeft, FacesMissing, ScriptedDice, SystemDice


def roll(line: str, *faces: int, system: str = "DiceBot") -> Roll:
    dice = ScriptedDice(faces)
    result = services.roll(system, line, dice)
    dice.finish()
    return result


def refused(line: str, system: str = "DiceBot") -> services.RollRefused:
    with pytest.raises(services.RollRefused) as caught:
        services.roll(system, line, ScriptedDice([]))
    return caught.value


# ---------------------------------------------------------------- results


def test_each_repetition_is_its_own_result() -> None:
    result = roll("x2 2D6>=8", 6, 6, 1, 1)
    assert [(part.degree, part.total) for part in result.each] == [("success", 12), ("failure", 2)]
    assert result.degree == ""
    assert [len(part.dice) for part in result.each] == [2, 2]


def test_several_rolls_are_several_entries() -> None:
    result = roll("2D6>=8,S1D100 恐怖", 6, 6, 40)
    assert [part.read_as for part in result.each] == ["2D6>=8", "S1D100"]
    assert [part.secret for part in result.each] == [False, True]
    assert result.secret and result.comment == "恐怖"


def test_a_secret_inside_a_repetition_hides_all_of_it() -> None:
    assert all(part.secret for part in roll("x2 s1D6", 6, 3).each)
    assert all(part.audience == "roller and gm" for part in roll("Sx2 1D6", 6, 3).each)


def test_faces_are_in_throwing_order() -> None:
    result = roll("4D6KH3+1D100", 5, 1, 6, 2, 77)
    assert [(die.sides, die.face) for die in result.dice] == [(6, 5), (6, 1), (6, 6), (6, 2), (100, 77)]
    assert result.as_json()["outcome"]["sets"][0]["throws"][0] == {
        "dice": "4D6KH3",
        "faces": [5, 1, 6, 2],
        "kept": [2, 5, 6],
        "value": 13,
    }


def test_the_text_in_english() -> None:
    assert roll("2D6>=8", 6, 6).text.en == "(2D6>=8) ＞ 12[6,6] ＞ 12 ＞ Success"
    assert roll("1B6>=4", 6).text.en.endswith("1 success")
    assert roll("E12>=15", 1, 1, 1, system="edo").text.en.endswith("Failure (degree -1)")


def test_extra_throws_stop_at_the_limit() -> None:
    class Sixes:
        def roll(self, sides: int) -> int:
            return sides

        def shuffle(self, size: int) -> tuple[int, ...]:
            raise AssertionError

    for line in ("4U6[6]", "6R6>=5"):
        result = services.roll("DiceBot", line, Sixes())
        assert len(result.dice) <= 10_000
        assert "stopped" in [notice.code for notice in result.notices]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("system", "line", "expected"),
    [
        ("DiceBot", "2W6", "2D6"),
        ("DiceBot", "choise[A,B]", "choice[A,B]"),
        ("DiceBot", "2D6x2", "2D6*2"),
        ("DiceBot", "1D%", "1D100"),
        ("DiceBot", "D%", "D100"),
        ("DiceBot", "roll 3D8", "3D8"),
        ("DiceBot", "2D6>=", "2D6"),
        ("DiceBot", "(2D6", "(2D6)"),
        ("DiceBot", "1+2", "C(1+2)"),
        ("DiceBot", "2D6.5", "2D6 .5"),
        ("DiceBot", "4D6K3", "4D6KH3"),
        ("DiceBot", "x3 2W6", "x3 2D6"),
        ("edo", "F12>=15", "E12>=15"),
        ("edo", "E12>=", "E12>=15"),
    ],
)
def test_suggestions(system: str, line: str, expected: str) -> None:
    found = refused(line, system).suggestions
    assert expected in found and len(found) <= 3


def test_speech_gets_no_suggestion() -> None:
    assert refused("こんばんは、よろしくお願いします").suggestions == ()


def test_a_suggestion_is_part_of_the_sentence() -> None:
    assert refused("2W6").sentence("ja") == "「2W6」はダイスのコマンドとして読めません。 もしかして: 2D6"
    assert refused("2W6").sentence("en") == "“2W6” is no dice command. Did you mean: 2D6"


def test_every_refusal_has_words_in_both_languages() -> None:
    source = inspect.getsource(refusals)
    for code, text in refusals._MESSAGES.items():
        assert text.ja and text.en and f'"{code}"' in source
        for name in ("limit", "had", "typed", "read", "rest"):
            assert (f"{{{name}}}" in text.ja) == (f"{{{name}}}" in text.en), code


@pytest.mark.parametrize(
    "line", ["500D6", "2D6+500D6", "x2 500D6", "2D6,500D6", "2D6>=1D6", "1D6/0", "6R6>=1", "?500D6", "x101 1D6", "2W6"]
)
def test_a_refused_line_draws_no_die(line: str) -> None:
    refused(line)  # ScriptedDice without faces would raise FacesMissing


# ---------------------------------------------------------------- systems


@pytest.mark.parametrize("name", ["DiceBot", "dicebot", " DiceBot "])
def test_the_common_commands_by_their_bcdice_id(name: str) -> None:
    assert services.roll(name, "1D6", ScriptedDice([3])).system == "DiceBot"


def test_a_game_by_its_slug() -> None:
    assert services.roll("edo", "E12", ScriptedDice([1, 2, 3])).system == "edo"
    assert refused("E12>=15").code == "not_a_command"


@pytest.mark.parametrize("name", ["Cthulhu7th", "", "../edo", "edo.rolls", "DiceBt"])
def test_an_unknown_system_is_named_with_what_there_is(name: str) -> None:
    error = refused("2D6", name)
    assert error.code == "unknown_system" and "DiceBot" in error.message.ja and "edo" in error.message.en
    assert error.suggestions == (("DiceBot",) if name == "DiceBt" else ())


# ---------------------------------------------------------------- odds


class _Ask(Exception):
    def __init__(self, sides: int) -> None:
        self.sides = sides


class _Path:
    """Gives the faces of one branch and asks for more when they are used up."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = list(faces)

    def roll(self, sides: int) -> int:
        if not self._faces:
            raise _Ask(sides)
        return self._faces.pop(0)

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


def every(
    system: str, line: str, faces: tuple[int, ...] = (), chance: Fraction = Fraction(1)
) -> Iterator[tuple[Fraction, Roll]]:
    """Every way a line can fall, with its chance."""
    try:
        yield chance, services.roll(system, line, _Path(faces))
    except _Ask as ask:
        for face in range(1, ask.sides + 1):
            yield from every(system, line, (*faces, face), chance / ask.sides)


@pytest.mark.parametrize(
    ("system", "line"),
    [
        ("DiceBot", "2D6>=8"),
        ("DiceBot", "4D6KH3>=12"),
        ("DiceBot", "3D4DH1+1D6<=5"),
        ("DiceBot", "3D6KL1<>2"),
        ("DiceBot", "(1D6+1D4)*2/3U>4"),
        ("DiceBot", "1D6-1D6=0"),
        ("DiceBot", "-2D6/2R<-3"),
        ("DiceBot", "20/(1D6+1)>=5"),
        ("DiceBot", "D66+1>=40"),
        ("edo", "E8>=17"),
        ("edo", "2E5>=15"),
        ("edo", "E8[主役]"),
        ("edo", "2E5[準]>=15"),
        ("edo", "2E5vs2E4"),
        ("edo", "E1D6+2"),
        ("edo", "E1D6-1[3]:4"),
        ("edo", "E1D6+3[峰]:2"),
    ],
)
def test_odds_are_what_counting_gives(system: str, line: str) -> None:
    odds = services.roll(system, f"?{line}", ScriptedDice([])).chances
    assert odds is not None
    degrees: dict[str, Fraction] = {}
    totals: dict[int, Fraction] = {}
    kp = Fraction(0)
    for chance, result in every(system, line):
        degrees[result.degree] = degrees.get(result.degree, Fraction(0)) + chance
        if result.total is not None:
            totals[result.total] = totals.get(result.total, Fraction(0)) + chance
        kp += chance if "活劇点+1" in result.text.ja.replace("主役なら活劇点", "") else 0
    for outcome in odds.outcomes:
        assert outcome.chance == degrees.get(outcome.key.replace("normal", ""), 0), outcome.key
    if odds.dist is not None:
        assert {total: odds.dist.chance(total) for total in totals} == totals
    for extra in odds.also:
        assert extra.key != "kp" or extra.chance == kp


def test_odds_of_loose_dice() -> None:
    odds = services.roll("DiceBot", "?2B6+2B4>=4", ScriptedDice([])).chances
    assert odds is not None and odds.dist is not None
    found: dict[int, Fraction] = {}
    for chance, result in every("DiceBot", "2B6+2B4>=4"):
        assert result.total is not None
        found[result.total] = found.get(result.total, Fraction(0)) + chance
    assert {count: odds.dist.chance(count) for count in found} == found


def test_odds_need_no_dice_and_say_so() -> None:
    result = roll("?x3 2D6>=8 攻撃")
    assert result.kind == "odds" and result.dice == () and result.comment == "攻撃"
    assert result.as_json()["outcome"]["odds"]["outcomes"]["success"]["chance"] == "5/12"


# ---------------------------------------------------------------- the command line


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("roll", *arguments, stdout=out, stderr=err)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


# No test here asks for the database, so pytest-django would fail any that used it.


def test_command_line_prints_text_and_notices() -> None:
    assert run("DiceBot", "２Ｄ６ >= 8", "--faces", "4,4") == (
        0,
        "(2D6>=8) ＞ 8[4,4] ＞ 8 ＞ 成功\n※ 2D6>=8 と読みました。\n",
        "",
    )


def test_command_line_json() -> None:
    code, out, err = run("edo", "E12>=15 斬る", "--faces", "6,5,2", "--json", "--lang", "en")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert list(data) == ["system", "command", "read_as", "comment", "text", "secret", "dice", "outcome"]
    assert data["text"] == "(E12>=15) ＞ 11[6,5,2]+12 ＞ 23 ＞ Success (degree 8)"
    assert data["dice"] == [{"sides": 6, "face": 6}, {"sides": 6, "face": 5}, {"sides": 6, "face": 2}]
    assert (data["read_as"], data["comment"], data["secret"]) == ("E12>=15", "斬る", False)
    assert data["outcome"]["degree"] == "success" and data["outcome"]["margin"] == 8


@pytest.mark.parametrize(
    ("line", "lang", "words"),
    [("2W6", "ja", "もしかして: 2D6"), ("2W6", "en", "Did you mean: 2D6"), ("こんにちは", "ja", "読めません")],
)
def test_no_command_is_exit_2_and_one_line(line: str, lang: str, words: str) -> None:
    code, out, err = run("DiceBot", line, "--lang", lang)
    assert code == 2 and out == "" and words in err and err.count("\n") == 1


def test_no_command_as_json() -> None:
    code, out, err = run("DiceBot", "2W6", "--json")
    assert code == 2 and err.count("\n") == 1
    assert json.loads(out)["refused"]["suggestions"] == ["2D6"]


def test_an_unknown_system_is_exit_2() -> None:
    code, out, err = run("Nobody", "2D6")
    assert code == 2 and out == "" and "DiceBot, edo" in err


@pytest.mark.parametrize("faces", ["4", "4,4,4", "4,7", "4,x", "0,1", "-1,2", ""])
def test_wrong_faces_are_an_error(faces: str) -> None:
    code, out, err = run("DiceBot", "2D6", f"--faces={faces}")
    assert code == 1 and out == "" and err.count("\n") == 1


def test_a_command_that_begins_with_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    from trpg_site.management.commands.roll import Command

    Command().run_from_argv(["manage.py", "roll", "DiceBot", "-1D6+7", "--faces", "3"])
    assert capsys.readouterr().out == "(-1D6+7) ＞ -3[3]+7 ＞ 4\n"


def test_scripted_faces_must_fit_the_line() -> None:
    with pytest.raises(FacesMissing):
        roll("2D6", 1)
    with pytest.raises(FacesLeft):
        roll("2D6", 1, 2, 3)
    assert len(services.roll("DiceBot", "200B6", SystemDice()).dice) == 200
