"""A table of 八百八町浮世草子 for page tests: two players, a co-GM, an onlooker; a swordsman, samurai and a spy."""

from __future__ import annotations

from typing import Any

from characters.actions import campaigns
from sessions.actions import sessions
from sessions.models import GameSession
from tests.factories import make_table
from tests.sessions.table import Session, ready

SWORDSMAN: dict[str, Any] = {
    "role": "lead",
    "abilities.mind": 6,
    "abilities.gi": 8,
    "abilities.body": 7,
    "skills.kenjutsu.level": 5,
    "skills.taisabaki.level": 3,
    "skills.chikaku.level": 3,
    "style_skill": "kenjutsu",
    "endurance_bought": 3,
    "names.given": "新八郎",
    "possessions.1.id": "daito",
}
DOCTOR: dict[str, Any] = {
    "role": "support",
    "abilities.mind": 7,
    "abilities.gi": 6,
    "abilities.body": 5,
    "skills.ijutsu.level": 5,
    "skills.chikaku.level": 2,
    "endurance_bought": 3,
    "names.given": "玄庵",
    "possessions.1.id": "tanto",
}
# Words that no page but the GM's may hold.
HIDDEN_NPC, SECRET_NOTE = "伏兵の霞丸", "裏筋・井戸の底"


def planned() -> Session:
    """A campaign with everybody cleared and a session that waits to begin; minor NPCs lose heart here (E29)."""
    table = make_table("nagisa", "chiaki")
    table.join("co", "co_gm")
    table.join("watcher", "spectator")
    campaigns.set_house_rules(access=table.access("gm"), overrides={"mook_morale": True, "allocations": False})
    people = {
        "hero": ready(table, "nagisa", SWORDSMAN),
        "doctor": ready(table, "chiaki", DOCTOR),
        "ronin": npc(table, "N11", "有村 左内"),
        "samurai": npc(table, "N03", "家中の侍", count=3),
        "spy": npc(table, "N12", HIDDEN_NPC),
    }
    made = sessions.plan_session(access=table.access("gm"), title="両国橋、辻斬りの夕")
    return Session(table, made, people)


def npc(table: Any, preset: str, name: str, count: int = 1) -> Any:
    from characters.actions import builds, drafts
    from characters.models import Character

    made = drafts.create_character(access=table.access("gm"), kind="npc", preset=preset, count=count)
    table.edit("gm", made, names__given=name)
    builds.save_build(access=table.view("gm", made))
    return Character.objects.get(pk=made.pk)


def begun() -> Session:
    """The table is open; the swordsman and the samurai are on stage, the spy is there unseen."""
    here = planned()
    sessions.start_session(
        access=here.at("gm"), cast=[one.pk for one in here.people.values()], hidden=[here.people["spy"].pk]
    )
    here.session = GameSession.objects.get(pk=here.session.pk)
    enter(here, "ronin", "samurai")
    enter(here, "spy", hidden=True)
    return here


def enter(here: Session, *who: str, hidden: bool = False) -> None:
    groups = ",".join(here.actor(name) for name in who)
    here.do("gm", "actor.enter", actors=groups, drawn=True, hidden=hidden)


def fighting() -> Session:
    """Swords are out and it is the hero's turn."""
    here = begun()
    here.do("nagisa", "draw", actor="hero", arm="1")
    here.do("gm", "fight.start")
    return here


def attacked() -> Session:
    """The swordsman's blow is on its way to the hero, who has to say how to meet it."""
    here = fighting()
    here.do("gm", "turn.to", actor="ronin")
    here.do("gm", "attack", actor="ronin", target="hero", arm="1", distance=1)
    state = here.state("gm")
    if state["exchange"] and state["exchange"]["about"] == "counter":
        here.do("nagisa", "answer", step=state["step"], answer="none", faces="6,6,1")
    return here


def member(here: Session, number: int) -> str:
    """One of the samurai."""
    return f"{here.actor('samurai')}#{number}"


def settle(here: Session) -> None:
    """Let an exchange run out: nobody does anything about it."""
    plain = ("none", "accept", "die", "roll")
    while (state := here.state("gm"))["exchange"]:
        answers = [option["answer"] for option in state["exchange"]["options"]]
        here.do("gm", "answer", step=state["step"], answer=next(word for word in plain if word in answers))
