from __future__ import annotations

import pytest
from django.test import Client

from accounts.actions import guests
from accounts.models import User

pytestmark = pytest.mark.django_db


def test_the_page_is_for_somebody(client: Client) -> None:
    for path in ("/me/", "/me/claim/"):
        assert client.get(path)["Location"].startswith("/accounts/login/")
    for path in ("/me/device-link/", "/me/sign-out-everywhere/"):
        assert client.post(path)["Location"].startswith("/accounts/login/")


def test_changing_name_language_and_brightness(client: Client, member: User) -> None:
    client.force_login(member)
    answer = client.post("/me/", {"nickname": " 幸村\n", "language": "en", "theme": "dark"})
    assert answer.status_code == 303
    assert answer.cookies["theme"].value == "dark"
    fresh = User.objects.get()
    assert (fresh.nickname, fresh.language, fresh.theme) == ("幸村", "en", "dark")
    assert '<html lang="en"' in client.get("/me/").content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"nickname": ""}, "nickname"),
        ({"nickname": "あ" * 10_000}, "nickname"),
        ({"nickname": "\u202e"}, "nickname"),
        ({"nickname": "雪", "language": "xx"}, "language"),
        ({"nickname": "雪", "theme": "<script>"}, "theme"),
    ],
)
def test_bad_preferences(client: Client, member: User, typed: dict[str, str], field: str) -> None:
    client.force_login(member)
    answer = client.post("/me/", typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    fresh = User.objects.get()
    assert (fresh.nickname, fresh.language, fresh.theme) == ("雪村", "", "")


def test_a_name_with_markup_is_text(client: Client, member: User) -> None:
    client.force_login(member)
    client.post("/me/", {"nickname": "<b>雪</b><script>x</script>"})
    html = client.get("/me/").content.decode()
    assert "<b>雪</b>" not in html
    assert "<script>x" not in html
    assert "&lt;b&gt;雪" in html


def test_a_guest_sees_the_way_to_an_account(client: Client) -> None:
    client.force_login(guests.create_guest("雪"))
    html = client.get("/me/").content.decode()
    assert "/me/claim/" in html
    assert "/me/device-link/" in html
    assert "/accounts/password/change/" not in html
    assert "guest-" not in html


def test_a_member_sees_the_password_and_no_claim(client: Client, member: User) -> None:
    client.force_login(member)
    main = client.get("/me/").content.decode().split("<main", 1)[1]
    assert "/accounts/password/change/" in main
    assert "/me/claim/" not in main
    assert "yukimura" in main


def test_signing_out_everywhere_else() -> None:
    guest = guests.create_guest("雪")
    here, there = Client(), Client()
    here.force_login(guest)
    there.force_login(guest)
    assert here.get("/me/sign-out-everywhere/").status_code == 405
    assert here.post("/me/sign-out-everywhere/").status_code == 303
    assert here.get("/me/").status_code == 200
    assert there.get("/me/").status_code == 302


def test_the_language_is_kept_for_the_person(member: User) -> None:
    here, there = Client(), Client()
    here.force_login(member)
    answer = here.post("/i18n/setlang/", {"language": "en", "next": "/me/"})
    assert (answer.status_code, answer["Location"]) == (303, "/me/")
    there.force_login(member)
    assert '<html lang="en"' in there.get("/me/", headers={"accept-language": "ja"}).content.decode()


def test_the_language_of_a_stranger_is_the_browsers(client: Client) -> None:
    assert '<html lang="ja"' in client.get("/accounts/login/").content.decode()
    assert '<html lang="en"' in client.get("/accounts/login/", headers={"accept-language": "en"}).content.decode()
    client.post("/i18n/setlang/", {"language": "en"})
    assert '<html lang="en"' in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize("language", ["", "xx", "../../etc", "ja\x01", "e" * 5000])
def test_an_unknown_language_changes_nothing(client: Client, member: User, language: str) -> None:
    client.force_login(member)
    assert client.post("/i18n/setlang/", {"language": language}).status_code < 400
    assert User.objects.get().language == ""


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_changing_the_language_stays_on_the_site(client: Client, target: str) -> None:
    answer = client.post("/i18n/setlang/", {"language": "en", "next": target})
    assert "evil" not in answer.get("Location", "")
    assert "javascript" not in answer.get("Location", "")


def test_brightness_comes_along_to_a_new_browser(member: User) -> None:
    User.objects.update(theme="dark")
    client = Client()
    client.force_login(member)
    answer = client.get("/me/")
    assert 'data-theme="dark"' in answer.content.decode()
    assert answer.cookies["theme"].value == "dark"
    client.cookies["theme"] = "light"  # chosen in this browser
    assert 'data-theme="light"' in client.get("/me/").content.decode()


def test_a_session_in_use_is_extended_weekly(client: Client, member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts import middleware

    client.force_login(member)
    now = middleware.time.time()
    assert "session" in client.get("/me/").cookies  # a fresh week
    assert "session" not in client.get("/me/").cookies
    monkeypatch.setattr(middleware.time, "time", lambda: now + 8 * 24 * 3600)
    assert client.get("/me/").cookies["session"]["max-age"] == 180 * 24 * 3600
