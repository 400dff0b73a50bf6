"""Scripted sessions: the runner on the made-up game, and `manage.py script` with its exit codes. Needs no database."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from rulesets import registry, services
from rulesets.engine.dice import DiceSource
from rulesets.engine.play import Actor, Command, Event, Refused
from rulesets.engine.script import DiceInARefusal
from tests.rulesets.toy_play import State, ToyPlay
from tests.rulesets.toy_system import ToySystem


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    toys = {"toy": ToySystem()}

    def load(slug: str) -> Any:
        if slug not in toys:
            raise registry.UnknownSystem(slug)
        return toys[slug]

    monkeypatch.setattr(registry, "load", load)
    monkeypatch.setattr(registry, "SLUGS", ("toy",))


NATSU = {"name": "甲", "seat": "player", "owner": "夏", "build": {"name": "甲"}}
FUYU = {"name": "乙", "seat": "player", "owner": "冬", "build": {"name": "乙"}}
OGRE = {"name": "鬼", "seat": "npc", "id": "ogre", "build": {"name": "鬼"}}


def script(*commands: dict[str, Any], faces: tuple[int, ...] = (), cast: tuple[Any, ...] = (NATSU, FUYU, OGRE)) -> Any:
    return {"system": "toy", "cast": list(cast), "random": {"faces": list(faces)}, "commands": list(commands)}


def throw(actor: str, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "command": "throw", **more}


def test_a_session_is_played_with_events_state_views_and_refusals() -> None:
    found = services.script(
        script(throw("甲"), throw("ogre"), {"actor": "gm", "command": "note", "number": 7}, throw("夏"), faces=(4, 2))
    )
    assert [(event["n"], event["kind"]) for event in found["events"]] == [
        (0, "thrown"),
        (0, "counted"),
        (1, "thrown"),
        (1, "counted"),
        (2, "noted"),
    ]
    assert found["events"][1]["audience"] == ["gm"]
    assert found["state"]["actors"]["甲"]["points"] == 4
    assert found["state"]["actors"]["ogre"]["points"] == 2
    assert set(found["views"]) == {"gm", "夏", "冬", "spectator"}
    assert found["views"]["gm"]["state"]["secret"] == 7
    assert "secret" not in found["views"]["冬"]["state"]
    assert [event["kind"] for event in found["views"]["冬"]["events"]] == ["thrown", "thrown"]
    [refused] = found["refused"]
    assert (refused["n"], refused["actor"], refused["command"], refused["code"]) == (3, "夏", "throw", "T13")
    assert refused["message"] == {"ja": "あなたにはできません。", "en": "That is not for you."}
    assert json.loads(json.dumps(found)) == found


def test_who_issues_and_with_whom() -> None:
    """A character's owner issues; `by` names somebody else; NPCs are the GM's."""
    found = services.script(script(throw("甲", by="冬"), throw("甲", by="gm"), throw("鬼"), faces=(1, 2)))
    assert [refused["code"] for refused in found["refused"]] == ["T13"]
    assert found["state"]["actors"]["甲"]["points"] == 1
    assert found["state"]["actors"]["ogre"]["points"] == 2


def test_the_step_of_the_open_operation_is_filled_in_or_given() -> None:
    again = {"actor": "甲", "command": "again"}
    found = services.script(script(throw("甲"), again, {**again, "step": 1}, faces=(3,)))
    assert found["state"]["actors"]["甲"]["points"] == 4
    assert [(refused["n"], refused["code"]) for refused in found["refused"]] == [(2, "T12")]


def test_fields_whose_names_are_taken_and_an_override() -> None:
    note = {"actor": "gm", "command": "note", "fields": {"number": 5}}
    forced = throw("甲", by="gm", override="稽古", at="2026-05-09T12:03:44Z")
    found = services.script(script(note, throw("甲"), throw("甲"), forced, faces=(6, 1)))
    assert found["state"]["secret"] == 5
    assert [refused["overridable"] for refused in found["refused"]] == [True]
    assert found["state"]["actors"]["甲"]["points"] == 7


def test_carried_play_reaches_the_start() -> None:
    found = services.script(script(throw("甲"), cast=({**NATSU, "play": {"points": 5}},), faces=(1,)))
    assert found["state"]["actors"]["甲"]["points"] == 6


@pytest.mark.parametrize(
    ("faces", "named"),
    [((4,), "commands.1 (throw)"), ((4, 5, 6), "1"), ((4, 7), "commands.1 (throw)")],
)
def test_faces_missing_left_over_or_impossible(faces: tuple[int, ...], named: str) -> None:
    with pytest.raises(services.WrongFaces) as caught:
        services.script(script(throw("甲"), throw("乙"), faces=faces))
    assert named in caught.value.message.ja and named in caught.value.message.en


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"commands": [{"actor": "gm"}]}, "commands.0.command"),
        ({"commands": [throw("誰か")]}, "commands.0.actor"),
        ({"commands": [throw("甲", by="誰か")]}, "commands.0.by"),
        ({"system": "zz"}, "system"),
        ({"zz": 1}, "zz"),
        ({"random": {"faces": [0]}}, "random.faces.0"),
        ({"house_rules": {"zz": 1}}, "house_rules.zz"),
        ({"cast": [NATSU, NATSU]}, "cast.1"),
        ({"cast": [{"name": "夏", "seat": "player"}, {"name": "夏", "seat": "spectator"}]}, "cast.1"),
        ({"cast": [{"name": "鬼", "seat": "npc"}]}, "cast.0"),
        ({"cast": [{"name": "鬼", "seat": "gm", "build": {}}]}, "cast.0"),
        ({"cast": [{"name": "客", "seat": "spectator"}, {**NATSU, "owner": "客"}]}, "cast.1.owner"),
        ({"cast": [{**NATSU, "build": {"zz": 1}}]}, "cast.0.build"),
        ({"cast": [{**NATSU, "seat": "king"}]}, "cast.0.seat"),
        ({"random": []}, "random"),
    ],
)
def test_unreadable_scripts_name_the_place(changed: dict[str, Any], where: str) -> None:
    with pytest.raises(services.ScriptRefused) as caught:
        services.script({**script(throw("甲"), faces=(1,)), **changed})
    assert caught.value.where.startswith(where)
    assert caught.value.message.ja and caught.value.message.en


@pytest.mark.parametrize("data", [None, [], "script", 7, {}])
def test_what_is_no_script_is_refused(data: object) -> None:
    with pytest.raises(services.ScriptRefused):
        services.script(data)


def test_a_cast_the_game_cannot_begin_with_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: ToyPlay, setup: Any) -> State:
        raise ValueError("nobody of that kind")

    monkeypatch.setattr(ToyPlay, "start", start)
    with pytest.raises(services.ScriptRefused, match="nobody of that kind"):
        services.script(script())


def test_a_game_that_throws_before_it_refuses_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hasty(ToyPlay):
        def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> list[Event] | Refused:
            dice.roll(6)
            return self._refused("T13")

    monkeypatch.setattr(ToySystem, "play", Hasty())
    with pytest.raises(DiceInARefusal):
        services.script(script(throw("甲"), faces=(1,)))


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("script", *arguments, stdout=out, stderr=err)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue().strip()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(data: Any) -> str:
        path = tmp_path / "script.json"
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        return str(path)

    return write


def test_the_command_prints_what_the_facade_gives(written: Any) -> None:
    data = script(throw("甲"), throw("甲", by="冬"), faces=(3,))
    code, out, err = run(written(data), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == services.script(data)
    code, out, _err = run(written(data), "--lang", "en")
    assert code == 0 and "T13 That is not for you." in out


def test_wrong_faces_end_with_1_and_unreadable_files_with_2(written: Any, tmp_path: Path) -> None:
    assert run(written(script(throw("甲")))) == (1, "", "commands.0 (throw)：出目や山の並びが足りません。")
    code, out, err = run(written(script(throw("甲"), faces=(1, 2))), "--json", "--lang", "en")
    assert (code, out, err) == (1, "", "1 faces or piles are left over.")
    for data in (b"{", b"\xff", b"[]", b'{"a": 1, "a": 2}', script(throw("誰か"))):
        code, out, err = run(written(data), "--json")
        assert (code, out) == (2, "") and err and "\n" not in err
    assert run(str(tmp_path / "nothing.json"))[0] == 2


def test_the_commands_of_a_game_are_listed() -> None:
    code, out, _err = run("--commands", "toy", "--json")
    found = json.loads(out)
    assert code == 0 and found["system"] == "toy"
    throw_, _again, note = found["commands"]
    assert throw_["name"] == "throw" and throw_["roles"] == ["co_gm", "gm", "player"]
    assert throw_["refusals"][0] == {
        "code": "T10",
        "message": {"ja": "もう{n}点です。", "en": "That is {n} points already."},
    }
    assert note["fields"] == [
        {
            "name": "number",
            "type": "int",
            "label": {"ja": "数", "en": "Number"},
            "required": True,
            "min": 0,
            "max": 99,
            "choices": [],
        }
    ]
    code, out, _err = run("--commands", "toy")
    assert code == 0 and "throw actor" in out
    code, out, _err = run("--commands", "toy", "--markdown")
    assert code == 0 and "## throw" in out and "| T12 | もう進んでいます。 | That has moved on. |" in out
    assert run("--commands", "zz")[0] == 2
    with pytest.raises(CommandError):
        run()
