"""Tables with a session, through the site's own actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from characters.actions.builds import ask_review, clear_character
from characters.models import Character
from live.models import Event
from sessions.actions import sessions
from sessions.actions.commands import Done, run_command
from sessions.models import GameSession
from sessions.present.page import view_now
from sessions.selectors.access import SessionAccess
from tests.factories import Table, make_table

PEOPLE = ("gm", "co", "nagisa", "chiaki", "watcher")


@dataclass
class Session:
    """A session with its table; `at("nagisa")` is what that person may do there."""

    table: Table
    session: GameSession
    people: dict[str, Character] = field(default_factory=dict)

    def at(self, name: str) -> SessionAccess:
        session = GameSession.objects.select_related("campaign").get(pk=self.session.pk)
        return SessionAccess(session, self.table.access(name))

    def actor(self, who: str) -> str:
        return f"c{self.people[who].pk}"

    def do(self, name: str, command: str, command_id: str = "", step: int | None = None, override: str = "",
           **data: Any) -> Done:  # fmt: skip
        data = {key: self.actor(value) if key in ("actor", "target") else value for key, value in data.items()}
        return run_command(
            access=self.at(name), name=command, data=data, command_id=command_id, expected_step=step, override=override
        )

    def view(self, name: str, lang: str = "ja"):
        access = self.at(name)
        return view_now(access.session, access.viewer(lang))

    def state(self, name: str) -> Any:
        return self.view(name).state

    def events(self) -> list[Event]:
        return list(Event.objects.filter(topic__name=self.session.topic).order_by("seq"))

    def last(self) -> Event:
        return self.events()[-1]


def ready(table: Table, name: str, fields: dict[str, Any], **kwargs: Any) -> Character:
    """A cleared character."""
    character = table.make(name, fields, **kwargs)
    if character.kind == "pc":
        ask_review(access=table.view(name, character))
        clear_character(access=table.view("gm", character))
    return Character.objects.get(pk=character.pk)


def toy_table() -> Session:
    """A campaign of the toy game with everybody, cleared characters and a session that is planned."""
    table = make_table("nagisa", "chiaki", system="toy")
    table.join("co", "co_gm")
    table.join("watcher", "spectator")
    people = {
        "hero": ready(table, "nagisa", {"name": "新八郎", "level": 2, "luck": 3, "boss": False}),
        "friend": ready(table, "chiaki", {"name": "梅吉", "level": 1, "luck": 3, "boss": False}),
        "foe": ready(table, "gm", {"name": "有村", "level": 3, "luck": 1, "boss": True}, kind="npc"),
        "spy": ready(table, "gm", {"name": "忍び", "level": 1, "luck": 1, "boss": False}, kind="npc"),
    }
    session = sessions.plan_session(access=table.access("gm"), title="両国橋")
    return Session(table, session, people)


def begin(here: Session) -> Session:
    """Open the table with everybody; the spy is hidden."""
    cast = [character.pk for character in here.people.values()]
    sessions.start_session(access=here.at("gm"), cast=cast, hidden=[here.people["spy"].pk])
    here.session.refresh_from_db()
    return here
