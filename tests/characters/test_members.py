"""Invitations, seats, roles, leaving."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from characters.actions import builds, campaigns, characters, members
from characters.actions.errors import ActionRefused
from characters.models import Campaign, Character, Invitation, Seat
from live.models import Event
from tests.factories import UserFactory, make_table

pytestmark = pytest.mark.django_db


def invite(table, **kwargs):
    return members.create_invitation(access=table.access("gm"), **kwargs)


# ---------------------------------------------------------------- a campaign


def test_making_a_campaign_once_per_press():
    user = UserFactory()
    made = [
        campaigns.create_campaign(user=user, system="edo", name="辻斬り", gm_name="雪村", command_id="c1")
        for _n in range(3)
    ]
    assert len({c.pk for c in made}) == 1 == Campaign.objects.count()
    assert Event.objects.filter(topic__name=made[0].topic, kind="campaign.made").count() == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"system": "nothing"}, "system"),
        ({"name": "  "}, "name"),
        ({"name": "あ" * 101}, "name"),
        ({"gm_name": ""}, "gm_name"),
        ({"description": "あ" * 4001}, "description"),
        ({"players": 0}, "players"),
        ({"house_rules": {"nonsense": 1}}, "nonsense"),
    ],
)
def test_bad_campaigns(change, field):
    with pytest.raises(ActionRefused) as refused:
        campaigns.create_campaign(user=UserFactory(), **{"system": "edo", "name": "卓", "gm_name": "雪村", **change})
    assert refused.value.field == field and 400 <= refused.value.status < 500
    assert not Campaign.objects.exists()


def test_editing_a_campaign(table):
    campaigns.edit_campaign(access=table.access("co"), name="新しい名", description="一行\r\n二行")
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.description) == ("新しい名", "一行\n二行")
    for name in ("nagisa", "watcher"):
        with pytest.raises(ActionRefused) as refused:
            campaigns.edit_campaign(access=table.access(name), name="x", description="")
        assert refused.value.status == 403


# ---------------------------------------------------------------- invitations


def test_a_link_makes_a_seat(table):
    invitation, token = invite(table, uses=2)
    assert len(token) == 32 and members.invitation_token(invitation) == token
    assert token not in repr(Invitation.objects.values())
    assert members.find_invitation(token) == invitation
    seat = members.join_campaign(user=UserFactory(), token=token, name="海斗")
    assert (seat.role, seat.name) == ("player", "海斗")
    assert Invitation.objects.get(pk=invitation.pk).uses_left == 1


def test_joining_twice_uses_one(table):
    _invitation, token = invite(table, uses=1)
    user = UserFactory()
    first = members.join_campaign(user=user, token=token, name="海斗")
    assert members.join_campaign(user=user, token=token, name="海斗") == first
    assert Seat.objects.filter(user=user).count() == 1
    with pytest.raises(ActionRefused) as refused:
        members.join_campaign(user=UserFactory(), token=token, name="別人")
    assert refused.value.code == "invitation"


@pytest.mark.parametrize("how", ["revoked", "expired", "used up", "wrong"])
def test_dead_links(table, how):
    invitation, token = invite(table)
    if how == "revoked":
        members.revoke_invitation(access=table.access("gm"), invitation=invitation)
    elif how == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "used up":
        Invitation.objects.update(uses_left=0)
    else:
        token = token[:-1] + ("0" if token[-1] != "0" else "1")
    assert members.find_invitation(token) is None
    with pytest.raises(ActionRefused) as refused:
        members.join_campaign(user=UserFactory(), token=token, name="だれか")
    assert refused.value.status == 404


@pytest.mark.parametrize("token", ["", "x", "\x00", "あ", "\ud800", "a" * 10_000])
def test_odd_tokens(table, token):
    assert members.find_invitation(token) is None


@pytest.mark.parametrize("name", ["nagisa", "watcher"])
def test_only_gms_invite(table, name):
    invitation, _token = invite(table)
    with pytest.raises(ActionRefused):
        members.create_invitation(access=table.access(name))
    with pytest.raises(ActionRefused):
        members.revoke_invitation(access=table.access(name), invitation=invitation)
    other = make_table()
    with pytest.raises(ActionRefused) as refused:
        members.revoke_invitation(access=other.access("gm"), invitation=invitation)
    assert refused.value.status == 404


@pytest.mark.parametrize("change", [{"role": "gm"}, {"uses": 0}, {"uses": 61}, {"days": 0}, {"days": 999}])
def test_odd_invitations(table, change):
    with pytest.raises(ActionRefused) as refused:
        invite(table, **change)
    assert refused.value.status == 422


def test_invitations_are_told_to_gms_only(table):
    invite(table)
    for event in Event.objects.filter(kind__startswith="invite."):
        assert event.audience == ["gm"]


# ---------------------------------------------------------------- seats


def test_names(table):
    members.rename_seat(access=table.access("nagisa"), seat=table.seat("nagisa"), name="なぎさ <b>👘")
    assert table.seat("nagisa").name == "なぎさ <b>👘"
    members.rename_seat(access=table.access("gm"), seat=table.seat("chiaki"), name="千秋")
    with pytest.raises(ActionRefused) as refused:
        members.rename_seat(access=table.access("nagisa"), seat=table.seat("chiaki"), name="x")
    assert refused.value.status == 403
    for name in ("", "あ" * 41):
        with pytest.raises(ActionRefused) as refused:
            members.rename_seat(access=table.access("nagisa"), seat=table.seat("nagisa"), name=name)
        assert refused.value.field == "name"


def test_roles(table):
    gm = table.access("gm")
    members.set_role(access=gm, seat=table.seat("nagisa"), role="co_gm")
    assert table.seat("nagisa").role == "co_gm"
    members.set_role(access=table.access("co"), seat=table.seat("chiaki"), role="spectator")
    for name, target, role in (
        ("co", "gm", "player"),
        ("co", "akari", "co_gm"),
        ("co", "nagisa", "player"),
        ("akari", "akari", "gm"),
        ("watcher", "watcher", "player"),
    ):
        with pytest.raises(ActionRefused) as refused:
            members.set_role(access=table.access(name), seat=table.seat(target), role=role)
        assert refused.value.status == 403, (name, target, role)
    with pytest.raises(ActionRefused):
        members.set_role(access=gm, seat=table.seat("akari"), role="king")


def test_there_is_always_one_gm(table):
    with pytest.raises(ActionRefused) as refused:
        members.set_role(access=table.access("gm"), seat=table.seat("gm"), role="player")
    assert refused.value.code == "last_gm"
    with pytest.raises(ActionRefused):
        members.leave(access=table.access("gm"))
    members.set_role(access=table.access("gm"), seat=table.seat("co"), role="gm")
    assert (table.seat("gm").role, table.seat("co").role) == ("co_gm", "gm")
    members.leave(access=table.access("gm"))
    assert Seat.objects.filter(campaign=table.campaign, role="gm", removed_at=None).count() == 1


def test_removed_people_need_a_new_link(table):
    _old, token = invite(table)
    members.remove_seat(access=table.access("gm"), seat=table.seat("nagisa"))
    with pytest.raises(ActionRefused) as refused:
        members.join_campaign(user=table.users["nagisa"], token=token, name="なぎさ")
    assert refused.value.code == "removed"
    _new, token = invite(table)
    seat = members.join_campaign(user=table.users["nagisa"], token=token, name="なぎさ")
    assert seat == table.seat("nagisa") and seat.removed_at is None and seat.allocation == 0


def test_who_left_comes_back_by_any_link(table):
    _old, token = invite(table)
    members.leave(access=table.access("nagisa"))
    assert members.join_campaign(user=table.users["nagisa"], token=token, name="なぎさ").removed_at is None


@pytest.mark.parametrize(("name", "target"), [("nagisa", "chiaki"), ("watcher", "nagisa"), ("co", "gm"), ("gm", "gm")])
def test_who_may_not_remove_whom(table, name, target):
    with pytest.raises(ActionRefused):
        members.remove_seat(access=table.access(name), seat=table.seat(target))
    assert table.seat(target).removed_at is None


def test_a_removed_players_characters_are_put_away_and_can_be_handed_on(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    members.remove_seat(access=table.access("gm"), seat=table.seat("nagisa"))
    away = Character.objects.get(pk=hero.pk)
    assert away.deleted_at is not None and away.spent == 280
    with pytest.raises(ActionRefused):  # its player is gone
        characters.restore_character(access=table.view("gm", hero))
    characters.transfer_character(access=table.view("gm", hero), seat=table.seat("chiaki"))
    back = Character.objects.get(pk=hero.pk)
    assert back.deleted_at is None and back.owner == table.seat("chiaki")
    assert back.flagged == ["V28"]  # chiaki has no allocation for it
    assert table.view("chiaki", hero).may_edit and not table.view("nagisa", hero).may_see


def test_a_player_who_stops_playing(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    members.set_role(access=table.access("gm"), seat=table.seat("nagisa"), role="spectator")
    seat = table.seat("nagisa")
    assert seat.allocation == 0 and Character.objects.get(pk=hero.pk).deleted_at is not None
    with pytest.raises(ActionRefused):
        characters.restore_character(access=table.view("nagisa", hero))
    members.set_role(access=table.access("gm"), seat=seat, role="player")
    characters.restore_character(access=table.view("nagisa", hero))
    assert Character.objects.get(pk=hero.pk).deleted_at is None


def test_leaving_with_a_draft_only(table):
    character = table.make("nagisa")
    members.leave(access=table.access("nagisa"))
    assert Character.objects.get(pk=character.pk).deleted_at is not None
    assert table.seat("nagisa").removed_by == table.seat("nagisa")
