"""F1, F8, F20 at a real table: the server dies or is restarted in the middle of a fight."""

from __future__ import annotations

import random
import time

import pytest

from tests.faults.conftest import FULL
from tests.faults.evening import ASKED, DOCTOR, GM, HERO, Evening, Table, kept, level
from tests.live.server import until

pytestmark = pytest.mark.server
KILLS = 12 if FULL else 2
PRESSES = 200


def presses(evening: Evening) -> dict:
    """What each of them goes on pressing while 佐吉 is asked how to meet the blow; nothing of it moves the turn."""

    def gm(who: str, number: int, key: str):
        match number % 5:
            case 0:
                return evening.post(who, "scene/", title=f"霧 {number}", text="", command_id=key)
            case 1:
                return evening.do(who, "roll", key, actor=evening.seeded.actor, what="chikaku", secrecy="private")
            case 2:
                return evening.post(who, "notes/", title="", text=f"裏 {number}", command_id=key)
            case 3:
                return evening.say(who, "S2D6", key)
        return evening.say(who, f"{number}", key)

    def player(who: str, number: int, key: str):
        return evening.say(who, "3D6" if number % 2 else f"ほう {number}", key)

    def doctor(who: str, number: int, key: str):
        return evening.do(who, "roll", key, actor=evening.seeded.actor, what="chikaku")

    return {GM: gm, HERO: player, ASKED: player, DOCTOR: doctor}


def turn(evening: Evening, who: str = GM) -> dict:
    """Whose turn it is, what is asked of whom, and how everybody is but who rolls all the time (and gains by it)."""
    state = evening.state(who)
    people = [actor for actor in state["actors"] if actor["id"] != evening.seeded.actor]
    return {key: state[key] for key in ("fight", "exchange", "step", "clock")} | {"actors": people}


def test_killed_in_the_middle_of_two_hundred_presses(own_evening):
    """kill -9 at random moments: no acknowledged press is lost, none is done twice, the turn is the same."""
    evening, site = own_evening, own_evening.site
    before, since = turn(evening), evening.stored()["seq"]
    watchers = [evening.listen(who) for who in (GM, HERO, ASKED, DOCTOR)]
    table = Table(presses(evening), PRESSES // 4)
    for kill in range(KILLS):
        wanted = PRESSES * (kill + 1) // (KILLS + 1)
        until(lambda n=wanted: len(table.acknowledged) >= n, 40, "presses are answered")
        time.sleep(random.random() * 0.05)
        site.kill()
        site.start()
    table.wait()
    assert len(table.acknowledged) == PRESSES
    assert table.tries > PRESSES  # some were in the air when the server died
    found = evening.stored()
    kept(found, table.acknowledged, since)
    assert len([key for key, *_ in found["commands"] if key in table.acknowledged]) == PRESSES
    assert turn(evening) == before
    level(watchers, seconds=20)
    for watcher in watchers:
        assert watcher.repeated() == []
        watcher.close()


def test_a_restart_in_mid_fight(own_evening):
    """Stopped while a blow is on its way, then killed: the question stands, its answer counts once, and it goes on."""
    evening, site = own_evening, own_evening.site
    before = {who: turn(evening, who) for who in (GM, ASKED, HERO)}
    assert before[GM]["exchange"]["about"] == "defence"
    watchers = [evening.listen(who) for who in (GM, HERO, ASKED)]
    assert site.stop() <= 3
    site.start()
    assert {who: turn(evening, who) for who in (GM, ASKED, HERO)} == before
    step = before[GM]["step"]
    parry = {"answer": "parry", "arm": "1"}
    answer = evening.do(ASKED, "answer", "parry", step, **parry)
    site.kill()
    site.start()
    again = evening.do(ASKED, "answer", "parry", step, **parry)
    assert (again["first"], again["last"]) == (answer["first"], answer["last"])
    kept(evening.stored(), {"parry": answer}, 0)
    settle(evening)
    evening.do(GM, "turn.end")
    assert turn(evening)["exchange"] is None and turn(evening) != before[GM]
    level(watchers, seconds=20)
    for watcher in watchers:
        watcher.close()


def settle(evening: Evening) -> None:
    """Let the exchange run out: nobody does anything about it."""
    plain = ("none", "accept", "die", "roll")
    while (state := evening.state())["exchange"]:
        answers = [option["answer"] for option in state["exchange"]["options"]]
        evening.do(GM, "answer", step=state["step"], answer=next(word for word in plain if word in answers))
