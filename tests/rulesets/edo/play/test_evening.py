"""A whole evening by script: `files/bridge.json`, as `manage.py script` plays it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

FILE = Path(__file__).parents[1] / "files" / "bridge.json"
CANARY = "鳴禽"  # the name of somebody who stays in hiding


@pytest.fixture(scope="module")
def played() -> Any:
    out = StringIO()
    call_command("script", str(FILE), "--json", stdout=out)
    return json.loads(out.getvalue())


def kinds(played: Any, n: int) -> list[str]:
    return [event["kind"] for event in played["events"] if event["n"] == n]


def data(played: Any, n: int, kind: str) -> Any:
    return next(event["data"] for event in played["events"] if event["n"] == n and event["kind"] == kind)


def test_three_presses_are_refused_in_words(played: Any) -> None:
    told = [(refused["n"], refused["code"], refused["overridable"]) for refused in played["refused"]]
    assert told == [(13, "P15", True), (37, "P40", False), (38, "P17", False)]
    assert played["refused"][0]["message"]["ja"] == "手番ではありません（桐生の手番です）。"


def test_a_counter_is_rolled_with_the_attack_and_comes_first(played: Any) -> None:
    """桐生 17, 権三 21: 桐生 has to parry before his own stroke is met (§7.4, X24)."""
    assert kinds(played, 16) == ["answered", "rolled", "rolled", "asked"]
    rolls = [e["data"]["outcome"]["total"] for e in played["events"] if e["n"] == 16 and e["kind"] == "rolled"]
    assert rolls == [17, 21]
    assert data(played, 16, "asked")["actor"] == "kiryu"
    assert data(played, 17, "rolled")["outcome"]["target"] == 21
    assert data(played, 17, "asked")["actor"] == "gonzo"


def test_points_come_and_go(played: Any) -> None:
    """5-5-2 earns the lead one (§6.2); お七 pays for a reroll, a move and her life; the scenario's end resets both."""
    assert data(played, 2, "roll")["set"]["kiryu"]["kp"] == 9
    assert data(played, 6, "roll")["set"]["oshichi"]["kp"] == 4
    assert data(played, 23, "kp")["set"]["oshichi"]["kp"] == 3
    assert data(played, 29, "survived")["set"]["oshichi"]["kp"] == 1
    assert (played["state"]["actors"]["kiryu"]["kp"], played["state"]["actors"]["oshichi"]["kp"]) == (8, 5)


def test_wounds_deaths_and_first_aid(played: Any) -> None:
    actors = played["state"]["actors"]
    assert [actors[who]["life"]["state"] for who in ("gonzo", "thug#1", "thug#2")] == ["dead"] * 3
    assert data(played, 22, "damage")["outcome"]["total"] == 8  # a critical 6 and 2, no bonus of the body
    assert data(played, 28, "damage")["outcome"]["total"] == 11
    assert actors["oshichi"]["wounds"] == 4 and actors["oshichi"]["life"]["state"] == "alive"
    assert actors["oshichi"]["care"]["first_aid"] == "ok"


def test_nobody_but_the_gm_reads_of_the_one_in_hiding(played: Any) -> None:
    views = {who: json.dumps(view, ensure_ascii=False) for who, view in played["views"].items()}
    assert [who for who, told in views.items() if CANARY in told or "shadow" in told] == ["gm"]
    assert data(played, 24, "turn")["text"]["ja"] == f"影法師の{CANARY}の手番。"
    assert not any(event["n"] in (9, 24, 36) for event in played["views"]["夏"]["events"])


def test_players_see_an_npc_in_words_and_their_own_in_numbers(played: Any) -> None:
    people = {who: {one["id"]: one for one in view["state"]["actors"]} for who, view in played["views"].items()}
    assert "kp" not in json.dumps(people["夏"]["gonzo"]) and "wounds" not in json.dumps(people["spectator"]["gonzo"])
    assert people["夏"]["gonzo"]["life"]["id"] == "dead"
    assert json.dumps(people["gm"]["gonzo"]) != json.dumps(people["夏"]["gonzo"])


def test_what_one_player_sees_the_other_sees(played: Any) -> None:
    """Nothing of this evening was between the GM and one player."""
    events = {who: view["events"] for who, view in played["views"].items()}
    assert events["夏"] == events["冬"] == events["spectator"]
