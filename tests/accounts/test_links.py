from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.actions import guests, links
from accounts.models import OneTimeLink, User

pytestmark = pytest.mark.django_db
NEW = {"password": "atarashii-kagi-7", "password2": "atarashii-kagi-7"}


@pytest.fixture
def guest() -> User:
    return guests.create_guest("雪")


@pytest.fixture
def gm() -> User:
    return User.objects.create_user("gm", password="gm-no-kagi-22", nickname="親方")


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


# --- who may have one made


def test_only_the_hash_is_stored(guest: User) -> None:
    token = links.make_seat_link(guest, by=guest)
    assert len(token) >= 32  # 192 bits in base64
    row = OneTimeLink.objects.get()
    assert token not in "".join(str(v) for v in row.__dict__.values())


def test_tokens_do_not_repeat(guest: User) -> None:
    assert len({links.make_seat_link(guest, by=guest) for _ in range(50)}) == 50


def test_a_gm_needs_to_run_every_table_of_the_guest(guest: User, gm: User) -> None:
    with pytest.raises(links.LinkRefused, match="すべての卓"):
        links.make_seat_link(guest, by=gm, allowed=False)
    assert links.make_seat_link(guest, by=gm, allowed=True)


def test_a_gm_needs_to_run_every_table_of_the_member(member: User, gm: User) -> None:
    with pytest.raises(links.LinkRefused):
        links.make_reset_link(member, by=gm)
    assert links.make_reset_link(member, by=gm, allowed=True)


def test_a_member_does_not_reset_without_the_old_password(member: User) -> None:
    with pytest.raises(links.LinkRefused):
        links.make_reset_link(member, by=member)


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_staff_is_reset_by_administrators_alone(member: User, gm: User, admin_user: User, right: str) -> None:
    setattr(member, right, True)
    member.save()
    with pytest.raises(links.LinkRefused):
        links.make_reset_link(member, by=gm, allowed=True)
    assert links.make_reset_link(member, by=admin_user)


def test_each_kind_for_its_people(guest: User, member: User, admin_user: User) -> None:
    with pytest.raises(links.LinkRefused, match="アカウント"):
        links.make_seat_link(member, by=admin_user, allowed=True)
    with pytest.raises(links.LinkRefused, match="ゲスト"):
        links.make_reset_link(guest, by=admin_user, allowed=True)


# --- a guest's seat


def test_a_seat_link_shows_on_get_and_acts_on_post(guest: User) -> None:
    token = links.make_seat_link(guest, by=None)
    elsewhere = Client()
    shown = elsewhere.get(f"/seat/{token}/")
    assert shown.status_code == 200
    assert "雪" in shown.content.decode()
    assert who(elsewhere) is None
    assert elsewhere.post(f"/seat/{token}/").status_code == 303
    assert who(elsewhere) == str(guest.pk)


def test_a_seat_link_works_once(guest: User) -> None:
    token = links.make_seat_link(guest, by=None)
    Client().post(f"/seat/{token}/")
    second = Client()
    assert second.get(f"/seat/{token}/").status_code == 404
    assert second.post(f"/seat/{token}/").status_code == 404
    assert who(second) is None


def test_a_newer_link_ends_the_older(guest: User) -> None:
    old = links.make_seat_link(guest, by=None)
    new = links.make_seat_link(guest, by=None)
    assert Client().get(f"/seat/{old}/").status_code == 404
    assert Client().get(f"/seat/{new}/").status_code == 200


def test_a_seat_link_lives_seven_days(guest: User, monkeypatch: pytest.MonkeyPatch) -> None:
    token = links.make_seat_link(guest, by=None)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=7) - timedelta(minutes=1))
    assert links.open_link(links.SEAT, token) == guest
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=7, minutes=1))
    assert links.open_link(links.SEAT, token) is None
    assert links.use_seat_link(token) is None


def test_kinds_do_not_mix(guest: User, member: User) -> None:
    seat = links.make_seat_link(guest, by=None)
    reset = links.make_reset_link(member, by=None)
    assert Client().get(f"/reset/{seat}/").status_code == 404
    assert Client().get(f"/seat/{reset}/").status_code == 404


def test_a_stopped_person_has_no_way_in(guest: User) -> None:
    token = links.make_seat_link(guest, by=None)
    User.objects.filter(pk=guest.pk).update(is_active=False)
    assert Client().get(f"/seat/{token}/").status_code == 404
    assert Client().post(f"/seat/{token}/").status_code == 404


def test_a_seat_link_ends_when_the_guest_is_none_any_more(guest: User) -> None:
    token = links.make_seat_link(guest, by=None)
    User.objects.filter(pk=guest.pk).update(is_guest=False)  # as by connecting an outside sign-in
    assert Client().get(f"/seat/{token}/").status_code == 404
    assert links.use_seat_link(token) is None


def test_somebody_else_is_asked_first(guest: User, member: User) -> None:
    token = links.make_seat_link(guest, by=None)
    client = Client()
    client.force_login(member)
    page = client.get(f"/seat/{token}/").content.decode()
    assert "雪村" in page
    assert f'name="leaving" value="{member.pk}"' in page

    assert client.post(f"/seat/{token}/").status_code == 409
    assert who(client) == str(member.pk)
    # an answer meant for another person counts for nothing
    assert client.post(f"/seat/{token}/", {"leaving": str(guest.pk)}).status_code == 409
    assert client.post(f"/seat/{token}/", {"leaving": str(member.pk)}).status_code == 303
    assert who(client) == str(guest.pk)


def test_nothing_of_the_one_who_left_stays_in_the_session(guest: User, member: User) -> None:
    client = Client()
    client.force_login(member)
    session = client.session
    session["secret"] = "雪村の"
    session.save()
    key = session.session_key
    client.post(f"/seat/{links.make_seat_link(guest, by=None)}/", {"leaving": str(member.pk)})
    assert "secret" not in client.session
    assert client.session.session_key != key


def test_ones_own_link_is_not_used_up(guest: User) -> None:
    token = links.make_seat_link(guest, by=guest)
    client = Client()
    client.force_login(guest)
    assert client.get(f"/seat/{token}/").status_code == 200
    assert client.post(f"/seat/{token}/").status_code == 200
    assert Client().get(f"/seat/{token}/").status_code == 200


# --- a new password


def test_a_reset_link_sets_the_password_and_ends_other_sessions(member: User) -> None:
    old = Client()
    old.force_login(member)
    token = links.make_reset_link(member, by=None)
    client = Client()
    assert "yukimura" in client.get(f"/reset/{token}/").content.decode()
    assert client.post(f"/reset/{token}/", NEW).status_code == 303
    assert who(client) == str(member.pk)
    assert User.objects.get(pk=member.pk).check_password(NEW["password"])
    assert old.get("/me/").status_code == 302
    assert Client().post(f"/reset/{token}/", NEW).status_code == 404


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"password": "", "password2": ""}, "password"),
        ({"password": "short", "password2": "short"}, "password"),
        ({"password": "yukimura1", "password2": "yukimura1"}, "password"),
        ({"password": "x" * 10_000, "password2": "x" * 10_000}, "password"),
        ({**NEW, "password2": "chigau-kagi-7"}, "password2"),
    ],
)
def test_a_bad_password_leaves_the_link_good(member: User, typed: dict[str, str], field: str) -> None:
    token = links.make_reset_link(member, by=None)
    answer = Client().post(f"/reset/{token}/", typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert Client().post(f"/reset/{token}/", NEW).status_code == 303


def test_resetting_as_somebody_else_is_asked_first(member: User, gm: User) -> None:
    token = links.make_reset_link(member, by=None)
    client = Client()
    client.force_login(gm)
    assert client.post(f"/reset/{token}/", NEW).status_code == 409
    assert not User.objects.get(pk=member.pk).check_password(NEW["password"])
    assert client.post(f"/reset/{token}/", {**NEW, "leaving": str(gm.pk)}).status_code == 303
    assert who(client) == str(member.pk)


def test_a_member_may_use_the_own_reset_link_while_signed_in(member: User) -> None:
    client = Client()
    client.force_login(member)
    assert client.post(f"/reset/{links.make_reset_link(member, by=None)}/", NEW).status_code == 303


# --- what a link page gives away


@pytest.mark.parametrize("token", ["x", "A" * 32, "あ", "..", "a%00b", "%ff", "x" * 3000])
@pytest.mark.parametrize("kind", ["seat", "reset"])
def test_invented_links_look_like_used_ones(guest: User, kind: str, token: str) -> None:
    used = links.make_seat_link(guest, by=None)
    links.use_seat_link(used)
    dead = Client().get(f"/seat/{used}/")
    answer = Client().get(f"/{kind}/{token}/")
    if "%00" in token:
        assert answer.status_code == 400
        return
    assert answer.status_code == dead.status_code == 404
    if token != "..":
        assert "このリンクは使えません" in answer.content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_link_pages_are_kept_by_nobody(guest: User, method: str) -> None:
    for token in (links.make_seat_link(guest, by=None), "nothing"):
        answer = getattr(Client(), method)(f"/seat/{token}/")
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "same-origin"
        assert "noindex" in answer["X-Robots-Tag"]


def test_link_pages_name_the_token_nowhere(guest: User, member: User) -> None:
    for path in (
        f"/seat/{links.make_seat_link(guest, by=None)}/",
        f"/reset/{links.make_reset_link(member, by=None)}/",
    ):
        html = Client().get(path).content.decode()
        forms = html.split("<main", 1)[1]
        assert path not in forms


def test_csrf_is_asked_for(guest: User) -> None:
    token = links.make_seat_link(guest, by=None)
    assert Client(enforce_csrf_checks=True).post(f"/seat/{token}/").status_code == 403
    assert links.open_link(links.SEAT, token) == guest


# --- another device, and the command line


def test_a_guest_goes_on_at_another_device(guest: User) -> None:
    client = Client()
    client.force_login(guest)
    assert client.get("/me/device-link/").status_code == 405
    answer = client.post("/me/device-link/")
    assert "no-store" in answer["Cache-Control"]
    address = answer.context["address"]
    assert address in answer.content.decode()
    phone = Client()
    phone.post(address.removeprefix("http://testserver"))
    assert who(phone) == str(guest.pk)
    assert client.get("/me/").status_code == 200  # the first device stays


def test_an_account_needs_no_device_link(member: User, client: Client) -> None:
    client.force_login(member)
    assert client.post("/me/device-link/").status_code == 303
    assert not OneTimeLink.objects.exists()


@pytest.mark.parametrize("kind", ["seat", "reset"])
def test_the_operator_makes_links_at_the_command_line(
    guest: User, member: User, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(guest.pk) if kind == "seat" else "Yukimura"
    call_command("reset_link", name, "--site", "https://taku.example/")
    address = capsys.readouterr().out.strip()
    assert address.startswith(f"https://taku.example/{kind}/")
    assert Client().get(address.removeprefix("https://taku.example")).status_code == 200


@pytest.mark.parametrize("name", ["nobody", "999999", "9" * 40, ""])
def test_the_command_says_when_there_is_no_such_user(name: str) -> None:
    with pytest.raises(CommandError, match="no user"):
        call_command("reset_link", name)


def test_two_presses_at_once_let_one_in(guest: User, monkeypatch: pytest.MonkeyPatch) -> None:
    token = links.make_seat_link(guest, by=None)
    first = links._find(links.SEAT, token)  # what a second request read just before the first was done

    def stale(kind: Any, asked: str) -> Any:
        return first

    assert links.use_seat_link(token) == guest
    monkeypatch.setattr(links, "_find", stale)
    assert links.use_seat_link(token) is None
