"""The golden session (rules §11.3), card by card through a script, every zone balanced after every step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesets import services
from rulesets.engine import script as scripts
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.play import Event, Refused
from tests.rulesets import unlisted
from tests.rulesets.alice.play.balance import check_balance

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
PILES = [pile.split() for pile in GOLDEN["cards"]]


@pytest.fixture(autouse=True)
def _listed() -> Iterator[None]:
    with unlisted.listed():
        yield


def document(commands: list[dict[str, Any]]) -> dict[str, Any]:
    asked = [{key: value for key, value in one.items() if key != "refused"} for one in commands]
    return {"system": "alice", "cast": GOLDEN["cast"], "random": {"cards": PILES}, "commands": asked}


def test_every_step() -> None:
    read = scripts.read(document([]))
    dice = ScriptedDice([], piles=PILES)
    session = scripts.begin(services.play("alice"), read, dice)
    for step in GOLDEN["steps"]:
        events: list[Event] = []
        for asked in step["commands"]:
            plain = {key: value for key, value in asked.items() if key != "refused"}
            decided = session.do(scripts.CommandDoc.model_validate(plain))
            where = f"{step['id']} {asked['command']}"
            if isinstance(decided, Refused):
                assert decided.code == asked.get("refused"), where
            else:
                assert "refused" not in asked, where
                events += decided
            check_balance(session.state)
        _holds(step, services.play("alice").dump(session.state), session, events)
    dice.finish()
    assert list(session.state.zones["draw_pile"]) == GOLDEN["pile"].split()


def _holds(step: dict[str, Any], state: dict[str, Any], session: scripts.Session, events: list[Event]) -> None:
    where, zones = step["id"], state["zones"]
    assert (len(zones.get("draw_pile", ())), len(zones.get("discard_pile", ()))) == (step["draw"], step["discard"]), (
        where
    )
    for who, hand in step.get("hands", {}).items():
        assert zones[f"hand:{who}"] == hand.split(), f"{where} {who}"
    played = [event.data["outcome"] for event in events if event.kind == "played"]
    if "played" in step:
        assert [[one["degree"], one["total"], one["target"]] for one in played] == step["played"], where
    for who, stages in step.get("stages", {}).items():
        assert {suit: n for suit, n in state["actors"][who]["stages"].items() if n} == stages, where
    view = services.play("alice").project_state(session.state, session.seated.viewers()["gm"])
    for who, values in step.get("values", {}).items():
        actor = next(one for one in view["actors"] if one["id"] == who)
        found = {one["suit"]: one["value"] for one in actor["abilities"]}
        assert {suit: found[suit] for suit in values} == values, where
    if "order" in step:
        assert state["combat"]["order"] == step["order"]
    for who in step.get("busy", ()):
        assert state["actors"][who]["busy"]
    for who, word in step.get("tokens", {}).items():
        assert [one["state"] for one in state["tokens"].values() if one["holder"] == who] == [word], where


def test_the_whole_as_one_script() -> None:
    commands = [asked for step in GOLDEN["steps"] for asked in step["commands"]]
    played = services.script(document(commands))
    assert [one["code"] for one in played["refused"]] == ["E_SLEEPLESS"]
    state = played["state"]
    assert state["zones"]["draw_pile"] == GOLDEN["pile"].split()
    found = {who: {s: n for s, n in one["stages"].items() if n} for who, one in state["actors"].items()}
    assert found == GOLDEN["stages"]
    assert state["actors"]["A"]["boosts"] == ["S"]
    assert played["views"]["A"]["state"]["piles"]["draw"] == 31
