"""The life of a session: planned, opened, joined, its evenings, its end."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404

from characters.actions import builds, campaigns, members
from characters.actions import characters as character_actions
from characters.actions.errors import ActionRefused
from characters.actions.play_results import carried_play
from characters.live import CampaignTopics
from characters.models import Character, PlayResult
from live.events import verify_chain
from live.fairness import record
from live.models import Event
from live.reading import _render
from sessions.actions import closing, sessions, talk
from sessions.actions.casting import CastRefused
from sessions.actions.closing import WordMissing
from sessions.models import CastMember, GameSession
from sessions.selectors.access import session_for
from sessions.selectors.closing import proposals
from sessions.selectors.session import castable, castable_of
from sessions.selectors.state import standing
from sessions.selectors.table import place
from tests.sessions.table import Session, ready

pytestmark = pytest.mark.django_db


def refusal(work) -> ActionRefused:
    with pytest.raises(ActionRefused) as caught:
        work()
    return caught.value


def again(here: Session, title: str = "二の巻") -> Session:
    """A second session of the same campaign, planned."""
    made = sessions.plan_session(access=here.table.access("gm"), title=title)
    return Session(here.table, made, here.people)


# ---------------------------------------------------------------- planning and opening


def test_gms_plan_sessions_and_everybody_sees_them(planned):
    assert refusal(lambda: sessions.plan_session(access=planned.table.access("nagisa"), title="x")).status == 403
    assert refusal(lambda: sessions.plan_session(access=planned.table.access("gm"), title=" ")).field == "title"
    made = again(planned).session
    assert (made.number, made.state) == (2, "planned")
    slug = planned.table.campaign.slug
    assert session_for(planned.table.users["watcher"], slug, 2).session == made
    for user, number in ((planned.table.users["watcher"], 3), (None, 2), (planned.table.users["nagisa"], 10**12)):
        with pytest.raises(Http404):
            session_for(user, slug, number)


def test_one_press_plans_one_session(planned):
    gm = planned.table.access("gm")
    made = [sessions.plan_session(access=gm, title="三", command_id="p") for _ in range(2)]
    assert made[0] == made[1] and GameSession.objects.filter(title="三").count() == 1


def test_a_title_can_be_changed_until_the_end(planned):
    sessions.edit_session(access=planned.at("gm"), title="改題")
    assert GameSession.objects.get(pk=planned.session.pk).title == "改題"
    assert refusal(lambda: sessions.edit_session(access=planned.at("nagisa"), title="x")).status == 403
    told = Event.objects.filter(topic__name=planned.table.campaign.topic).last()
    viewer = CampaignTopics().viewer(planned.table.users["watcher"], planned.table.campaign.topic, "ja")
    assert "改題" in _render(CampaignTopics(), planned.table.campaign.topic, [told], viewer).plain.decode()


def test_opening_copies_builds_revisions_and_house_rules_into_the_log(here):
    setup = Event.objects.get(topic__name=here.session.topic, seq=here.session.setup_seq)
    assert setup.kind == "session.setup" and setup.audience == ["gm"]
    entries = {entry["name"]: entry for entry in setup.data["setup"]["cast"]}
    assert entries["新八郎"]["build"]["level"] == 2 and entries["新八郎"]["seat"] == str(here.table.seat("nagisa").pk)
    assert entries["忍び"]["hidden"] and not entries["有村"]["hidden"]
    assert {seat["role"] for seat in setup.data["setup"]["seats"]} == {"gm", "co_gm", "player", "spectator"}
    started = next(event for event in here.events() if event.kind == "session.started")
    assert [who["name"] for who in started.data["cast"]] == ["新八郎", "梅吉", "有村"]
    # What changes afterwards does not reach the table.
    table = here.table
    campaigns.set_house_rules(access=table.access("gm"), overrides={"rules.max_arts": 2})
    table.edit("nagisa", here.people["hero"], level=3)
    assert here.state("nagisa")["actors"][0]["level"] == 2
    assert setup.data["setup"]["house_rules"] == {}


@pytest.mark.parametrize("who", ["co", "nagisa", "watcher"])
def test_who_may_open(planned, who):
    cast = [planned.people["hero"].pk]

    def work():
        sessions.start_session(access=planned.at(who), cast=cast)

    if who == "co":
        work()
        assert refusal(lambda: sessions.start_session(access=planned.at("gm"), cast=cast)).code == "already_open"
    else:
        assert refusal(work).status == 403


def test_nobody_plays_uncleared_flagged_away_or_from_elsewhere(planned):
    table, people = planned.table, planned.people
    draft = table.make("nagisa", {"name": "下書き", "level": 1})
    flagged = people["friend"]
    character_actions.delete_character(access=table.view("nagisa", people["hero"]))
    Character.objects.filter(pk=flagged.pk).update(flagged=["T02"])
    for character, code in ((draft, "not_cleared"), (flagged, "flagged"), (people["hero"], "put_away")):
        refused = refusal(lambda: sessions.start_session(access=planned.at("gm"), cast=[character.pk]))
        assert refused.code == code and character.name in refused.message
    assert refusal(lambda: sessions.start_session(access=planned.at("gm"), cast=[10**6])).status == 404
    assert refusal(lambda: sessions.start_session(access=planned.at("gm"), cast=[])).field == "cast"
    assert GameSession.objects.get(pk=planned.session.pk).state == "planned" and not CastMember.objects.exists()
    everybody = castable_of(planned.at("gm"))
    assert {item.character.name: item.code for item in everybody} == {
        "下書き": "not_cleared", "梅吉": "flagged", "有村": "", "忍び": ""
    }  # fmt: skip


def test_a_character_sits_in_one_open_session_at_most(here):
    second = again(here)
    refused = refusal(lambda: sessions.start_session(access=second.at("gm"), cast=[here.people["hero"].pk]))
    assert isinstance(refused, CastRefused) and refused.code == "busy" and "両国橋" in refused.message
    member = CastMember.objects.get(character=here.people["hero"])
    with pytest.raises(IntegrityError), transaction.atomic():
        CastMember.objects.create(
            session=second.session, character=member.character, revision=member.revision, actor="c0", name="x"
        )
    closing.close_session(access=here.at("gm"))
    assert castable(Character.objects.select_related("owner", "cleared").get(pk=member.character_id)).why_not == ""
    sessions.start_session(access=second.at("gm"), cast=[here.people["hero"].pk])


def test_somebody_joins_while_it_plays_and_undo_sends_them_away(here):
    third = ready(here.table, "chiaki", {"name": "佐吉", "level": 1, "luck": 1, "boss": False})
    assert refusal(lambda: sessions.join_cast(access=here.at("chiaki"), character=third.pk)).status == 403
    assert refusal(lambda: sessions.join_cast(access=here.at("gm"), character=here.people["hero"].pk)).code == "busy"
    sessions.join_cast(access=here.at("gm"), character=third.pk, command_id="j")
    sessions.join_cast(access=here.at("gm"), character=third.pk, command_id="j")
    assert "佐吉" in [row["name"] for row in here.state("nagisa")["actors"]]
    from sessions.actions.undoing import undo

    undo(access=here.at("gm"))
    assert "佐吉" not in [row["name"] for row in here.state("nagisa")["actors"]]
    assert not CastMember.objects.filter(character=third).exists()
    sessions.join_cast(access=here.at("gm"), character=third.pk, hidden=True)  # a PC is never hidden
    assert "佐吉" in [row["name"] for row in here.state("nagisa")["actors"]]


def test_a_newer_sheet_enters_by_the_gms_word_only(here):
    table, hero = here.table, here.people["hero"]
    assert refusal(lambda: sessions.refresh_sheet(access=here.at("gm"), character=hero.pk)).code == "nothing_new"
    table.edit("nagisa", hero, level=3)
    builds.ask_review(access=table.view("nagisa", hero))
    assert refusal(lambda: sessions.refresh_sheet(access=here.at("gm"), character=hero.pk)).code == "nothing_new"
    builds.clear_character(access=table.view("gm", hero))
    assert here.state("nagisa")["actors"][0]["level"] == 2
    assert refusal(lambda: sessions.refresh_sheet(access=here.at("nagisa"), character=hero.pk)).status == 403
    sessions.refresh_sheet(access=here.at("co"), character=hero.pk)
    assert here.state("watcher")["actors"][0]["level"] == 3
    assert CastMember.objects.get(character=hero).revision.number == 2
    from sessions.actions.undoing import undo

    undo(access=here.at("gm"))
    assert here.state("watcher")["actors"][0]["level"] == 2
    assert CastMember.objects.get(character=hero).revision.number == 1


# ---------------------------------------------------------------- evenings, scenes, people


def test_evenings_are_counted_and_the_game_hears_of_them(here):
    gm = here.at
    assert refusal(lambda: sessions.end_evening(access=gm("gm"))).code == "evening_over"
    sessions.start_evening(access=gm("gm"), command_id="a")
    sessions.start_evening(access=gm("gm"), command_id="a")
    assert refusal(lambda: sessions.start_evening(access=gm("gm"))).code == "evening_open"
    assert refusal(lambda: sessions.end_evening(access=gm("nagisa"))).status == 403
    assert here.state("nagisa")["evening"] == 1
    sessions.end_evening(access=gm("co"))
    sessions.start_evening(access=gm("gm"))
    assert here.state("nagisa")["evening"] == 2
    from sessions.actions.undoing import undo

    undo(access=gm("gm"))
    session = GameSession.objects.get(pk=here.session.pk)
    assert (session.evening, session.evening_open, here.state("nagisa")["evening"]) == (1, False, 1)


def test_scenes_are_headings_of_the_log(here):
    assert refusal(lambda: sessions.set_scene(access=here.at("nagisa"), title="x")).status == 403
    done = sessions.set_scene(access=here.at("gm"), title="暮れ六ツ", text="霧雨", command_id="s")
    assert sessions.set_scene(access=here.at("gm"), title="別", command_id="s") == done
    assert (here.last().kind, here.last().data) == ("scene.set", {"title": "暮れ六ツ", "text": "霧雨"})


def test_who_comes_and_goes_is_told_to_open_tables_in_the_same_breath(here):
    from sessions.live import SessionTopics

    kind, chiaki = SessionTopics(), here.table.users["chiaki"]
    assert kind.viewer(chiaki, here.session.topic, "ja").role == "player"
    members.remove_seat(access=here.table.access("gm"), seat=here.table.seat("chiaki"))
    event = here.last()
    assert (event.kind, event.data["removed"]) == ("member.changed", True) and event.kind in kind.membership_kinds
    assert kind.viewer(chiaki, here.session.topic, "ja") is None
    members.set_role(access=here.table.access("gm"), seat=here.table.seat("co"), role="player")
    assert here.last().data["role"] == "player"
    assert verify_chain(here.session.topic) is None


@pytest.mark.parametrize("topic", ["session:", "session:x", "session:99999999999999999999", "session:0"])
def test_topics_that_are_none_admit_nobody(here, topic):
    from sessions.live import SessionTopics

    assert SessionTopics().viewer(here.table.users["gm"], topic, "ja") is None


# ---------------------------------------------------------------- closing


def found(here) -> dict:
    return {item.member.name: item for item in proposals(here.session, standing(here.session, *place(here.session)))}


def test_closing_asks_the_owner_or_the_gm_and_writes_back_once(here):
    here.do("gm", "hurt", actor="hero", amount=3)
    here.do("gm", "hurt", actor="foe", amount=2)
    assert list(found(here)) == ["新八郎", "有村"]
    refused = refusal(lambda: closing.close_session(access=here.at("gm")))
    assert isinstance(refused, WordMissing) and "新八郎" in refused.message and "有村" not in refused.message
    hero = here.actor("hero")
    assert refusal(lambda: closing.decide_carry(access=here.at("chiaki"), actor=hero, accept=True)).status == 403
    assert refusal(lambda: closing.decide_carry(access=here.at("watcher"), actor=hero, accept=True)).status == 403
    seen = found(here)["新八郎"].digest
    here.do("gm", "hurt", actor="hero", amount=1)
    stale = refusal(lambda: closing.decide_carry(access=here.at("nagisa"), actor=hero, accept=True, seen=seen))
    assert stale.code == "changed"
    closing.decide_carry(access=here.at("nagisa"), actor=hero, accept=True, seen=found(here)["新八郎"].digest)
    assert not found(here)["新八郎"].needs_word
    here.do("gm", "hurt", actor="hero", amount=1)
    assert found(here)["新八郎"].needs_word  # the word was given on something else
    closing.decide_carry(access=here.at("gm"), actor=hero, accept=True)
    assert refusal(lambda: closing.close_session(access=here.at("nagisa"))).status == 403
    closing.close_session(access=here.at("gm"), command_id="close")
    closing.close_session(access=here.at("gm"), command_id="close")
    result = PlayResult.objects.get(character=here.people["hero"])
    assert result.play == {"wounds": 5} and result.accepted_by == here.table.seat("gm")
    assert result.changes[0]["after"] == 5 and result.changes[0]["label"]["ja"] == "傷"
    assert carried_play(here.people["foe"]) == {"wounds": 2}
    assert carried_play(here.people["friend"]) == {}


def test_what_is_declined_is_not_written_and_the_next_scenario_begins_with_the_rest(here):
    here.do("gm", "hurt", actor="hero", amount=3)
    here.do("gm", "hurt", actor="friend", amount=2)
    closing.decide_carry(access=here.at("nagisa"), actor=here.actor("hero"), accept=True)
    closing.decide_carry(access=here.at("chiaki"), actor=here.actor("friend"), accept=False)
    closing.close_session(access=here.at("co"))
    second = again(here)
    sessions.start_session(access=second.at("gm"), cast=[here.people["hero"].pk, here.people["friend"].pk])
    assert [row["wounds"] for row in second.state("gm")["actors"]] == [3, 0]


def test_a_closed_session_is_immutable_and_shows_every_key(here):
    here.do("nagisa", "sneak", actor="hero")
    here.do("gm", "throw", actor="spy")
    viewer = here.at("watcher").viewer()
    assert record(here.session.topic, viewer)["draws"] == []
    sessions.start_evening(access=here.at("gm"))
    closing.close_session(access=here.at("gm"))
    assert len(record(here.session.topic, viewer)["draws"]) == 2
    session = GameSession.objects.get(pk=here.session.pk)
    assert (session.state, session.evening_open) == ("closed", False)
    assert [event.kind for event in here.events()][-2:] == ["evening.ended", "session.closed"]
    count = Event.objects.count()
    for work in (
        lambda: talk.say(access=here.at("gm"), text="x"),
        lambda: sessions.set_scene(access=here.at("gm"), title="x"),
        lambda: sessions.start_evening(access=here.at("gm")),
        lambda: sessions.edit_session(access=here.at("gm"), title="x"),
        lambda: closing.close_session(access=here.at("gm")),
        lambda: closing.ask_closing(access=here.at("gm")),
        lambda: sessions.join_cast(access=here.at("gm"), character=here.people["hero"].pk),
        lambda: sessions.refresh_sheet(access=here.at("gm"), character=here.people["hero"].pk),
        lambda: sessions.start_session(access=here.at("gm"), cast=[here.people["hero"].pk]),
    ):
        assert refusal(work).code == "closed"
    members.rename_seat(access=here.table.access("nagisa"), seat=here.table.seat("nagisa"), name="なぎ")
    assert Event.objects.filter(topic__name=here.session.topic).last().kind == "session.closed"
    assert Event.objects.count() == count + 1  # the campaign's own
    assert verify_chain(here.session.topic) is None
    assert here.state("watcher")["actors"][0]["name"] == "新八郎"


def test_everybody_can_be_asked_and_playing_on_takes_it_back(here):
    assert refusal(lambda: closing.ask_closing(access=here.at("nagisa"))).status == 403
    closing.ask_closing(access=here.at("gm"))
    assert GameSession.objects.get(pk=here.session.pk).closing
    here.do("nagisa", "walk", actor="hero", text="橋")
    closing.ask_closing(access=here.at("co"), asked=False)
    assert not GameSession.objects.get(pk=here.session.pk).closing
