"""Two at once, on a SQLite file and on PostgreSQL: one after the other, none lost, none doubled."""

from __future__ import annotations

from characters.actions.errors import ActionRefused
from live.events import verify_chain
from live.models import Draw, Event
from sessions.actions import closing, sessions, talk
from sessions.actions.commands import Done, run_command
from sessions.actions.undoing import undo
from sessions.models import CastMember, CommandRecord
from sessions.selectors import state as states
from sessions.selectors.table import place
from tests.live.threads import together
from tests.sessions.table import Session, begin, toy_table


def level(here: Session) -> None:
    """The kept state is the fold of the log, and the log is whole."""
    seq, head = place(here.session)
    states.memory.clear()
    assert states.standing(here.session, seq, head).state == states.fold_from_start(here.session, seq).state
    assert verify_chain(here.session.topic) is None
    assert [event.seq for event in here.events()] == list(range(1, seq + 1))


def test_two_commands_at_once_both_count(real_database, toy_game):
    here = begin(toy_table())
    people = [("nagisa", here.actor("hero")), ("chiaki", here.actor("friend"))] * 3
    accesses = [here.at(who) for who, _actor in people]

    def walk(number: int) -> Done:
        data = {"actor": people[number][1], "text": f"{number}"}
        return run_command(access=accesses[number], name="walk", data=data, command_id=f"{number}")

    found = together(len(people), walk)
    assert all(isinstance(done, Done) for done in found), found
    assert len({done.first for done in found}) == len(people) == CommandRecord.objects.count()
    level(here)


def test_one_answer_to_an_open_question(real_database, toy_game):
    here = begin(toy_table())
    here.do("nagisa", "ask", actor="hero", target="friend")
    accesses = [here.at("chiaki"), here.at("gm"), here.at("chiaki"), here.at("co")]
    found = together(4, lambda n: run_command(access=accesses[n], name="answer", data={"yes": True}, expected_step=1))
    assert sum(isinstance(done, Done) for done in found) == 1
    assert sorted(done.code for done in found if isinstance(done, ActionRefused)) == ["T16"] * 3
    level(here)


def test_one_press_arriving_many_times(real_database, toy_game):
    here = begin(toy_table())
    access, actor = here.at("nagisa"), here.actor("hero")
    found = together(
        6, lambda n: run_command(access=access, name="throw", data={"actor": actor}, command_id="one press")
    )
    assert all(done == found[0] for done in found) and isinstance(found[0], Done)
    assert Event.objects.filter(kind="toy:thrown").count() == Draw.objects.count() == 1


def test_undo_and_commands_at_once(real_database, toy_game):
    here = begin(toy_table())
    for n in range(3):
        here.do("nagisa", "throw", actor="hero", override="") if n == 0 else here.do("gm", "note", text=f"{n}")
    gm, nagisa, actor = here.at("gm"), here.at("nagisa"), here.actor("hero")

    def work(number: int) -> Done:
        if number % 2:
            return undo(access=gm)
        return run_command(access=nagisa, name="walk", data={"actor": actor, "text": "橋"})

    found = together(4, work)
    assert all(isinstance(done, Done) for done in found), found
    assert CommandRecord.objects.filter(undone_by=None).count() == 3
    level(here)


def test_a_character_is_taken_by_one_of_two_tables(real_database, toy_game):
    here = toy_table()
    second = sessions.plan_session(access=here.table.access("gm"), title="二")
    accesses = [here.at("gm"), Session(here.table, second, here.people).at("co")]
    hero = here.people["hero"].pk
    found = together(2, lambda n: sessions.start_session(access=accesses[n], cast=[hero]))
    assert sum(isinstance(item, ActionRefused) for item in found) == 1, found
    assert CastMember.objects.filter(character_id=hero, playing=True).count() == 1


def test_closing_while_others_talk_and_play(real_database, toy_game):
    here = begin(toy_table())
    gm, chiaki, actor = here.at("gm"), here.at("chiaki"), here.actor("friend")

    def work(number: int):
        if number == 0:
            return closing.close_session(access=gm)
        if number % 2:
            return talk.say(access=chiaki, text="2D6")
        return run_command(access=chiaki, name="walk", data={"actor": actor, "text": "橋"})

    found = together(5, work)
    assert all(not isinstance(item, Exception) or item.code == "closed" for item in found), found
    assert here.last().kind == "session.closed"
    level(here)
