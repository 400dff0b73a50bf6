from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client

from accounts.actions import guests, links
from accounts.models import User

pytestmark = pytest.mark.django_db
GOOD = {"username": "yuki", "password": "yuki-no-asa-9", "password2": "yuki-no-asa-9"}


def seated(nickname: str = "雪") -> tuple[User, Client]:
    guest = guests.create_guest(nickname)
    client = Client()
    client.force_login(guest)
    return guest, client


def test_a_guest_has_a_name_and_no_password() -> None:
    guest = guests.create_guest("  雪 ")
    assert guest.is_guest
    assert guest.shown_name == "雪"
    assert not guest.has_usable_password()
    assert not guest.is_staff


def test_two_guests_may_have_the_same_name() -> None:
    assert guests.create_guest("雪").username != guests.create_guest("雪").username


@pytest.mark.parametrize("nickname", ["", "\u200b", "あ" * 41])
def test_a_guest_needs_a_name(nickname: str) -> None:
    with pytest.raises(ValidationError):
        guests.create_guest(nickname)
    assert not User.objects.exists()


def test_the_database_knows_that_guests_have_no_password() -> None:
    guest = guests.create_guest("雪")
    guest.set_password("yuki-no-asa-9")
    with pytest.raises(IntegrityError):
        guest.save()


def test_nobody_signs_in_as_a_guest_by_password(client: Client) -> None:
    guest = guests.create_guest("雪")
    for password in ("", "!", guest.password):
        client.post("/accounts/login/", {"login": guest.username, "password": password})
        assert "_auth_user_id" not in client.session


def test_claiming_keeps_the_row_and_the_session() -> None:
    guest, client = seated()
    answer = client.post("/me/claim/", GOOD)
    assert answer.status_code == 303
    claimed = User.objects.get(pk=guest.pk)
    assert (claimed.username, claimed.nickname, claimed.is_guest) == ("yuki", "雪", False)
    assert client.get("/me/").context["user"].pk == guest.pk

    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "YUKI", "password": GOOD["password"]})
    assert elsewhere.session["_auth_user_id"] == str(guest.pk)


def test_claiming_ends_the_guests_other_sessions_and_open_seat_links() -> None:
    guest, client = seated()
    other = Client()
    other.force_login(guest)
    token = links.make_seat_link(guest, by=guest)
    client.post("/me/claim/", GOOD)
    assert other.get("/me/").status_code == 302
    assert Client().get(f"/seat/{token}/").status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "a b"}, "username"),
        ({"username": "yukimura"}, "username"),
        ({"username": "x" * 10_000}, "username"),
        ({"password": "short", "password2": "short"}, "password"),
        ({"password": "password1", "password2": "password1"}, "password"),
        ({"password": "1" * 300, "password2": "1" * 300}, "password"),
        ({"password2": "another-one"}, "password2"),
        ({"username": "yukinoasa", "password": "yukinoasa", "password2": "yukinoasa"}, "password"),
    ],
)
def test_a_bad_claim_says_why_and_changes_nothing(member: User, change: dict[str, str], field: str) -> None:
    guest, client = seated()
    answer = client.post("/me/claim/", {**GOOD, **change})
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert User.objects.get(pk=guest.pk).is_guest
    assert "_auth_user_id" in client.session


def test_a_claim_is_made_once() -> None:
    guest, _client = seated()
    guests.claim(guest, "yuki", GOOD["password"])
    with pytest.raises(ValidationError):
        guests.claim(guest, "other", GOOD["password"])
    assert User.objects.get(pk=guest.pk).username == "yuki"


def test_an_account_has_nothing_to_claim(member: User, client: Client) -> None:
    client.force_login(member)
    assert client.get("/me/claim/").status_code == 303
    assert client.post("/me/claim/", GOOD).status_code == 303
    assert User.objects.get(pk=member.pk).username == "yukimura"


def test_claiming_needs_somebody(client: Client) -> None:
    assert client.post("/me/claim/", GOOD).status_code == 302
    assert not User.objects.exists()
