from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client

from accounts.models import User
from accounts.views import entry

pytestmark = pytest.mark.django_db


def broken(error: Exception) -> Any:
    def fall(*args: Any, **kwargs: Any) -> None:
        raise error

    return fall


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`failing(error)` makes the sign-in page raise it; the client then shows what people see."""

    def fail(error: Exception) -> Client:
        monkeypatch.setattr(entry.SignInView, "get_context_data", broken(error))
        return Client(raise_request_exception=False)

    return fail


def test_not_found_looks_like_the_site(client: Client) -> None:
    response = client.get("/nothing/")
    html = response.content.decode()
    assert response.status_code == 404
    assert "見つかりません" in html
    assert 'class="brand"' in html
    assert 'href="/"' in html
    assert "no-store" in response["Cache-Control"]


def test_a_refusal_speaks_the_language_of_the_reader(client: Client) -> None:
    """Also when it comes before the language is known, in a thread that served somebody else last."""
    client.get("/accounts/login/", headers={"accept-language": "en"})
    assert 'lang="ja"' in client.get("/x%00/").content.decode()
    assert 'lang="en"' in client.get("/x%00/", headers={"accept-language": "en"}).content.decode()


def test_programs_get_json_and_htmx_a_notice(client: Client) -> None:
    data = client.get("/nothing/", headers={"accept": "application/json"})
    assert data["Content-Type"] == "application/json"
    assert json.loads(data.content) == {"error": "404", "message": json.loads(data.content)["message"]}
    notice = client.get("/nothing/", headers={"hx-request": "true", "accept": "*/*"})
    assert notice.content.decode().startswith("<p ")
    assert notice["HX-Reswap"] == "none"
    assert notice["HX-Trigger"].isascii()
    assert "アドレス" in json.loads(notice["HX-Trigger"])["takubiyori:toast"]["text"]


def test_a_stale_page_says_how_to_keep_what_was_typed() -> None:
    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "x"})
    assert response.status_code == 403
    assert "「戻る」" in response.content.decode()


def test_a_server_error_is_a_page_without_details(failing: Any) -> None:
    response = failing(RuntimeError("kanaria")).get("/accounts/login/")
    html = response.content.decode()
    assert response.status_code == 500
    assert "サーバーがつまずきました" in html
    assert 'class="brand"' in html
    assert "kanaria" not in html
    assert "Traceback" not in html


def test_a_database_that_does_not_answer_is_503(failing: Any) -> None:
    response = failing(OperationalError("disk full")).get("/accounts/login/")
    assert response.status_code == 503
    assert response["Retry-After"]
    assert "いま記録できません" in response.content.decode()


def test_the_error_page_survives_a_broken_frame(failing: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.staticfiles.storage import StaticFilesStorage

    monkeypatch.setattr(StaticFilesStorage, "url", broken(ValueError("no manifest")))
    response = failing(RuntimeError()).get("/accounts/login/")
    assert response.status_code == 500
    assert "サーバーがつまずきました" in response.content.decode()


def test_the_error_page_asks_no_database(failing: Any, django_assert_num_queries: Any) -> None:
    client = failing(OperationalError("gone"))
    with django_assert_num_queries(0):
        client.get("/accounts/login/")


def test_errors_of_htmx_and_programs(failing: Any) -> None:
    client = failing(RuntimeError())
    assert client.get("/accounts/login/", headers={"hx-request": "true"})["HX-Reswap"] == "none"
    assert json.loads(client.get("/accounts/login/", headers={"accept": "application/json"}).content)["error"] == "500"


@pytest.mark.parametrize("size", [2 * 1024 * 1024 + 1, 5 * 1024 * 1024 + 1])
def test_too_much_is_413(client: Client, size: int) -> None:
    response = client.post("/accounts/login/", b"login=" + b"x" * size, "application/x-www-form-urlencoded")
    assert response.status_code == 413
    assert "大きすぎます" in response.content.decode()


def test_too_many_fields_are_413(client: Client) -> None:
    body = "&".join(f"f{n}=1" for n in range(2500))
    assert client.post("/accounts/login/", body, "application/x-www-form-urlencoded").status_code == 413


def test_a_person_who_may_not(client: Client) -> None:
    client.force_login(User.objects.create_user("haru", password="haru-no-umi-8"))
    response = client.get("/admin/", follow=True)
    assert response.status_code == 403
    assert "この操作はできません" in response.content.decode()


def test_refusals_quote_nothing_of_the_request(client: Client) -> None:
    for path in ("/<script>alert(1)</script>/", "/nothing/?x=<script>alert(1)</script>"):
        assert "<script>alert" not in client.get(path).content.decode()


def test_refuse_takes_words_of_the_caller() -> None:
    from accounts.errors import refuse

    request = HttpRequest()
    response = refuse(request, 409, code="stale", title="古い画面です", message="<b>読み直して</b>")
    assert response.status_code == 409
    assert "古い画面です" in response.content.decode()
    assert "&lt;b&gt;" in response.content.decode()
