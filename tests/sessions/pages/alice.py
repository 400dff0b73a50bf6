"""A table of アリス for tests: three with the cards of rules/alice.md §4.8, wolves, somebody hidden."""

from __future__ import annotations

from typing import Any

from characters.actions import review
from characters.actions.builds import save_build
from characters.models import Character
from rulesets import services
from sessions.actions import sessions
from sessions.actions.issuing import issue
from sessions.models import GameSession
from sessions.selectors import state as states
from sessions.selectors.table import place
from tests.factories import make_table
from tests.sessions.table import Session, ready

# The golden draft: A 商人 ♠J ♣4 ♥6 ♦5, B 木こり ♠7 ♣Q ♥8 ♦10, C 書士 ♠10 ♣9 ♥K ♦2.
SHEETS: dict[str, dict[str, Any]] = {
    "nagisa": {"name": "アルマ", "occupation": "商人", "cards": "J465"},
    "chiaki": {"name": "ボリス", "occupation": "木こり", "cards": "7Q8T"},
    "akari": {"name": "カーラ", "occupation": "書士", "cards": "T9K2"},
}
HIDDEN_NPC = "伏せた灰色の影"
SECRET_JOB = "間者の下働き"


def sheet(name: str) -> dict[str, Any]:
    row = SHEETS[name]
    cards = {f"cards.{suit}": rank.replace("T", "10") for suit, rank in zip("SCHD", row["cards"], strict=True)}
    job = {"current_job": SECRET_JOB, "job_visibility": "gm"} if name == "chiaki" else {}
    return {"name": row["name"], "occupation": row["occupation"], "age": 20, "ability_source": "draft", **cards, **job}


def planned(**rules: Any) -> Session:
    """A campaign with everybody cleared and a session that waits to begin."""
    table = make_table(*SHEETS, system="alice")
    table.join("co", "co_gm")
    table.join("watcher", "spectator")
    people = {name: _pc(table, name) for name in SHEETS}
    people["wolf"] = _npc(table, "wolf", "狼")
    people["shade"] = _npc(table, "burglar", HIDDEN_NPC)
    made = sessions.plan_session(access=table.access("gm"), title="封蝋の手紙")
    return Session(table, made, people)


def _pc(table: Any, name: str) -> Character:
    made = table.make(name, sheet(name))
    for key in ("ability_source", "occupation"):
        review.confirm_field(access=table.view("gm", made), field=key)
    save_build(access=table.view(name, made))
    return _cleared(table, made)


def _cleared(table: Any, made: Character) -> Character:
    from characters.actions.builds import ask_review, clear_character

    ask_review(access=table.view(made.owner.name, made))
    clear_character(access=table.view("gm", made))
    return Character.objects.get(pk=made.pk)


def _npc(table: Any, preset: str, name: str) -> Character:
    fields = next(row.fields for row in services.presets("alice", {}) if row.id == preset)
    return ready(table, "gm", {**fields, "name": name}, kind="npc")


def begun() -> Session:
    """The table is open and the hands are dealt."""
    here = planned()
    cast = [one.pk for one in here.people.values()]
    sessions.start_session(access=here.at("gm"), cast=cast, hidden=[here.people["shade"].pk])
    here.session = GameSession.objects.get(pk=here.session.pk)
    do(here, "gm", "deal")
    return here


def do(here: Session, who: str, name: str, **data: Any) -> Any:
    """A command with the step of whatever is open; people by their names here."""
    data = {
        key: here.actor(value) if isinstance(value, str) and value in here.people else value
        for key, value in data.items()
    }
    now = states.standing(here.session, *place(here.session))
    step = now.game.project_state(now.state, _gm_eyes(here))["step"]
    return issue(access=here.at(who), name=name, data=data, expected_step=step)


def _gm_eyes(here: Session) -> Any:
    from sessions.projection import eyes

    return eyes(here.at("gm").viewer())


def hand(here: Session, who: str) -> list[str]:
    """The cards somebody holds, as they themselves see them."""
    row = next(row for row in here.state(who)["actors"] if row["id"] == here.actor(who))
    return list(row["hand"]["cards"])
