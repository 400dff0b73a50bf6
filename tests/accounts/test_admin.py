from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from accounts.actions import guests, links
from accounts.models import OneTimeLink, User

pytestmark = pytest.mark.django_db
GAME = [m for label in ("characters", "live") for m in apps.get_app_config(label).get_models()]


@pytest.fixture
def office(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


def test_there_is_one_door(client: Client, member: User) -> None:
    for path in ("/admin/", "/admin/login/", "/admin/accounts/user/"):
        assert client.get(path, follow=True).redirect_chain[-1][0].startswith("/accounts/login/?next=")
    client.force_login(member)
    assert client.get("/admin/", follow=True).status_code == 403


def test_staff_who_is_no_administrator_sees_nothing(client: Client, member: User) -> None:
    User.objects.filter(pk=member.pk).update(is_staff=True)
    client.force_login(member)
    assert client.get("/admin/accounts/user/").status_code == 403
    assert client.get("/admin/accounts/onetimelink/").status_code == 403


@pytest.mark.parametrize("model", GAME, ids=lambda m: m.__name__)
def test_game_rows_are_there_to_read_only(office: Client, model: type) -> None:
    base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    assert office.get(base).status_code == 200
    assert office.get(base + "add/").status_code == 403
    assert office.post(base + "add/", {}).status_code == 403
    page = admin.site._registry[model]
    assert not page.has_change_permission(office.request().wsgi_request)
    assert not page.has_delete_permission(office.request().wsgi_request)


@pytest.mark.parametrize(
    ("model", "keys"),
    [
        ("live.Topic", {"master"}),
        ("characters.Invitation", {"nonce", "token_hash"}),
        ("characters.Character", {"link_nonce"}),
        ("accounts.OneTimeLink", {"token_hash"}),
    ],
)
def test_keys_are_shown_to_nobody(office: Client, model: str, keys: set[str]) -> None:
    page = admin.site._registry[apps.get_model(model)]
    request = office.request().wsgi_request
    assert not keys & {*page.get_fields(request), *page.list_display}
    assert keys <= {f.name for f in apps.get_model(model)._meta.fields}


def test_people_cannot_be_deleted_nor_given_a_password(office: Client, member: User) -> None:
    base = f"/admin/accounts/user/{member.pk}/"
    page = office.get(base + "change/")
    assert page.status_code == 200
    assert member.password not in page.content.decode()
    assert office.get(base + "delete/").status_code == 403
    answer = office.post(base + "password/", {"password1": "kaeta-kagi-77", "password2": "kaeta-kagi-77"}, follow=True)
    assert answer.status_code in {200, 404}
    member.refresh_from_db()
    assert member.check_password("tsuki-no-michi")


@pytest.mark.parametrize("kind", ["seat", "reset"])
def test_an_administrator_makes_a_link(office: Client, member: User, kind: str) -> None:
    person = guests.create_guest("雪") if kind == "seat" else member
    answer = office.post("/admin/accounts/user/", {"action": "make_link", "_selected_action": [person.pk]})
    assert "no-store" in answer["Cache-Control"]
    address = re.search(rf"http://testserver(/{kind}/[\w-]+/)", answer.content.decode())
    assert address
    assert Client().get(address[1]).status_code == 200
    assert OneTimeLink.objects.get().made_by.username == "banto"


def test_one_link_for_one_person(office: Client, member: User, admin_user: User) -> None:
    chosen = {"action": "make_link", "_selected_action": [member.pk, admin_user.pk]}
    assert "一人だけ" in office.post("/admin/accounts/user/", chosen, follow=True).content.decode()
    assert not OneTimeLink.objects.exists()


def test_stopping_a_person_ends_the_session(office: Client, member: User) -> None:
    theirs = Client()
    theirs.force_login(member)
    User.objects.filter(pk=member.pk).update(is_active=False)
    assert theirs.get("/me/").status_code == 302
    assert links.open_link(links.RESET, links.make_reset_link(member, by=None)) is None


def test_the_admin_holds_to_the_content_policy(office: Client, member: User) -> None:
    for path in ("/admin/", "/admin/accounts/user/", f"/admin/accounts/user/{member.pk}/change/"):
        html = office.get(path).content.decode()
        assert not re.search(
            r"<script(?![^>]*\bsrc=)[^>]*>(?!\s*</script>)", html.replace('type="application/json"', "src=")
        )
        assert " style=" not in html
        assert " onclick=" not in html
