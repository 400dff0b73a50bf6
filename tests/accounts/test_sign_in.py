from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.actions import guests
from accounts.models import User

pytestmark = pytest.mark.django_db
KAGI = "tsuki-no-michi"
NEW = {"username": "haru", "password1": "haru-no-umi-8", "password2": "haru-no-umi-8"}


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


# --- up


def test_an_account_is_a_user_name_and_a_password(client: Client) -> None:
    answer = client.post("/accounts/signup/", {**NEW, "nickname": "春"})
    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.username, user.nickname, user.email, user.is_guest) == ("haru", "春", "", False)
    assert who(client) == str(user.pk)


def test_without_a_nickname_the_user_name_is_shown(client: Client) -> None:
    client.post("/accounts/signup/", {**NEW, "username": "ｈａｒｕ"})
    user = User.objects.get()
    assert (user.username, user.shown_name) == ("haru", "haru")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "YUKIMURA"}, "username"),
        ({"username": "a b"}, "username"),
        ({"username": "guest-12"}, "username"),
        ({"username": "x" * 10_000}, "username"),
        ({"nickname": "あ" * 41}, "nickname"),
        ({"password1": "12345678", "password2": "12345678"}, "password1"),
        ({"password1": "x" * 300, "password2": "x" * 300}, "password1"),
        ({"password2": "chigau"}, "password2"),
    ],
)
def test_a_bad_sign_up_says_why_at_its_place(client: Client, member: User, change: dict[str, str], field: str) -> None:
    answer = client.post("/accounts/signup/", {**NEW, **change})
    assert answer.status_code == 422
    assert len(answer.context["form"].errors[field]) == 1
    assert User.objects.count() == 1
    if "username" not in change:
        assert 'value="haru"' in answer.content.decode()  # what was typed is still there
    assert NEW["password1"] not in answer.content.decode()


def test_two_who_want_one_name_at_once(client: Client, member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.adapter.free_username", lambda text: text)  # both checked before either stored
    answer = client.post("/accounts/signup/", {**NEW, "username": "Yukimura"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["username"]


def test_a_club_may_close_its_door(client: Client, settings: Any) -> None:
    settings.ACCOUNT_SIGNUP_ENABLED = False
    assert client.get("/accounts/signup/").status_code == 403
    assert client.post("/accounts/signup/", NEW).status_code == 403
    assert not User.objects.exists()
    assert "/accounts/signup/" not in client.get("/accounts/login/").content.decode().split("<main", 1)[1]


# --- in


@pytest.mark.parametrize("login", ["yukimura", "Yukimura", " yukimura ", "ｙｕｋｉｍｕｒａ"])
def test_signing_in(client: Client, member: User, login: str) -> None:
    answer = client.post("/accounts/login/", {"login": login, "password": KAGI})
    assert answer.status_code == 302
    assert who(client) == str(member.pk)


@pytest.mark.parametrize(
    "typed",
    [
        {"login": "yukimura", "password": "chigau"},
        {"login": "nobody", "password": KAGI},
        {"login": "yukimura", "password": KAGI.upper()},
        {"login": "yukimura", "password": ""},
        {"login": "", "password": ""},
        {},
        {"login": "x" * 10_000, "password": "y" * 10_000},
    ],
)
def test_not_signing_in(client: Client, member: User, typed: dict[str, str]) -> None:
    answer = client.post("/accounts/login/", typed)
    assert answer.status_code == 422
    assert who(client) is None
    assert "field__err" in answer.content.decode()


def test_unknown_user_and_wrong_password_read_alike(client: Client, member: User) -> None:
    texts = {
        str(client.post("/accounts/login/", {"login": name, "password": "chigau-kagi"}).context["form"].errors)
        for name in ("yukimura", "nobody")
    }
    assert len(texts) == 1


def test_a_stopped_account_is_told_so_and_stays_out(client: Client, member: User) -> None:
    User.objects.update(is_active=False)
    answer = client.post("/accounts/login/", {"login": "yukimura", "password": KAGI}, follow=True)
    assert "止められています" in answer.content.decode()
    assert who(client) is None


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"]
)
def test_nobody_is_sent_to_another_site(client: Client, member: User, target: str) -> None:
    answer = client.post("/accounts/login/", {"login": "yukimura", "password": KAGI, "next": target})
    assert answer["Location"] == "/"


def test_one_goes_on_where_one_wanted_to(client: Client, member: User) -> None:
    asked = client.get("/me/")
    assert asked["Location"] == "/accounts/login/?next=/me/"
    page = client.get(asked["Location"]).content.decode()
    assert 'name="next" value="/me/"' in page
    answer = client.post("/accounts/login/", {"login": "yukimura", "password": KAGI, "next": "/me/"})
    assert answer["Location"] == "/me/"


def test_the_session_key_changes_on_the_way_in(client: Client, member: User) -> None:
    session = client.session
    session["x"] = 1
    session.save()
    before = session.session_key
    client.cookies["session"] = before
    client.post("/accounts/login/", {"login": "yukimura", "password": KAGI})
    assert client.session.session_key != before


# --- out


def test_signing_out_is_a_press(client: Client, member: User) -> None:
    client.force_login(member)
    assert client.get("/accounts/logout/").status_code == 200
    assert who(client)
    assert client.post("/accounts/logout/").status_code == 303
    assert who(client) is None


def test_a_guest_is_asked_before_leaving_for_good(client: Client) -> None:
    client.force_login(guests.create_guest("雪"))
    answer = client.post("/accounts/logout/")
    assert "席のリンク" in answer.content.decode()
    assert who(client)
    client.post("/accounts/logout/", {"sure": "yes"})
    assert who(client) is None


def test_signing_out_twice_is_fine(client: Client) -> None:
    assert client.post("/accounts/logout/").status_code == 303
    assert client.get("/accounts/logout/").status_code == 302


# --- a new password


def test_changing_the_password_keeps_this_browser_and_ends_the_others(member: User) -> None:
    here, there = Client(), Client()
    here.force_login(member)
    there.force_login(member)
    typed = {"oldpassword": KAGI, "password1": "kawari-kagi-3", "password2": "kawari-kagi-3"}
    assert here.post("/accounts/password/change/", typed)["Location"] == "/me/"
    assert here.get("/me/").status_code == 200
    assert there.get("/me/").status_code == 302


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"oldpassword": "chigau"}, "oldpassword"),
        ({"oldpassword": ""}, "oldpassword"),
        ({"password1": "yukimura", "password2": "yukimura"}, "password1"),
        ({"password2": "betsu-no-kagi"}, "password2"),
        ({"password1": "x" * 9_999, "password2": "x" * 9_999}, "password1"),
    ],
)
def test_a_bad_change_of_password(client: Client, member: User, change: dict[str, str], field: str) -> None:
    client.force_login(member)
    typed = {"oldpassword": KAGI, "password1": "kawari-kagi-3", "password2": "kawari-kagi-3", **change}
    answer = client.post("/accounts/password/change/", typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert User.objects.get().check_password(KAGI)


@pytest.mark.parametrize("path", ["/accounts/password/change/", "/accounts/password/set/"])
def test_a_guest_claims_instead(client: Client, path: str) -> None:
    client.force_login(guests.create_guest("雪"))
    assert client.get(path)["Location"] == "/me/claim/"
    assert client.post(path, {"password1": "kawari-kagi-3", "password2": "kawari-kagi-3"})["Location"] == "/me/claim/"


# --- what needs e-mail is not there


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/email/",
        "/accounts/confirm-email/",
        "/accounts/confirm-email/abc/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/password/reset/key/1-abc/",
        "/accounts/login/code/confirm/",
        "/accounts/reauthenticate/",
        "/accounts/3rdparty/",
        "/accounts/discord/login/",
        "/accounts/google/login/",
        "/accounts/",
    ],
)
def test_pages_of_allauth_that_need_email_answer_404(client: Client, member: User, path: str) -> None:
    assert client.get(path).status_code == 404
    client.force_login(member)
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404


def test_the_addresses_of_outside_sign_ins_exist_only_when_configured() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("discord_login")


# --- the look of the pages


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/inactive/"])
def test_pages_are_japanese_and_hold_no_inline_parts(client: Client, path: str) -> None:
    html = client.get(path).content.decode()
    main = "<main" + html.split("<main", 1)[1].split("</main>", 1)[0]
    assert 'lang="ja"' in html
    assert " style=" not in html
    assert "<style" not in html
    assert "onclick" not in html
    words = re.sub(r"<[^>]*>", " ", main)
    assert not re.search(r"[A-Za-z]{3,}", words), words


@pytest.mark.parametrize("host", ["192.168.1.5", "taku.local"])
def test_plain_http_in_a_network_is_admitted(client: Client, host: str) -> None:
    for path in ("/accounts/login/", "/accounts/signup/"):
        assert "暗号化されていません" in client.get(path, headers={"host": host}).content.decode()
        assert "暗号化されていません" not in client.get(path, headers={"host": "localhost:8000"}).content.decode()
        assert "暗号化されていません" not in client.get(path, headers={"host": host}, secure=True).content.decode()
