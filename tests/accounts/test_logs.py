from __future__ import annotations

import io
import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings as live_settings
from django.db import transaction
from django.test import Client, RequestFactory

from accounts import audit
from accounts.actions import guests, links
from accounts.logs import mask_tokens
from accounts.models import User

SECRET = "kAnArY-1234567890-kAnArY"


@pytest.mark.parametrize("kind", ["i", "seat", "reset", "s"])
@pytest.mark.parametrize(
    "around", ["GET {} HTTP/1.1", "https://taku.example{}?x=1", '"{}"', "/accounts/login/?next={}#here", "{}"]
)
def test_addresses_that_are_keys_are_masked(kind: str, around: str) -> None:
    masked = mask_tokens(around.format(f"/{kind}/{SECRET}/"))
    assert SECRET not in masked
    assert f"/{kind}/***" in masked


def test_also_written_as_a_query() -> None:
    assert mask_tokens(f"/accounts/login/?next=%2Fi%2F{SECRET}%2F&x=1") == "/accounts/login/?next=%2Fi%2F***%2F&x=1"


@pytest.mark.parametrize("path", ["/c/abc/", "/p/abc/edit/", "/seats/12/", "/static/i18n.js", "/me/s/"])
def test_other_addresses_stay_readable(path: str) -> None:
    assert mask_tokens(path) == path


@pytest.fixture
def log_text() -> Any:
    """The real logging set-up, writing into memory."""
    config = {**live_settings.LOGGING, "handlers": {"stderr": dict(live_settings.LOGGING["handlers"]["stderr"])}}
    stream = io.StringIO()
    config["handlers"]["stderr"]["stream"] = stream
    logging.config.dictConfig(config)
    yield stream.getvalue
    logging.config.dictConfig(live_settings.LOGGING)


def test_every_way_into_the_log_is_masked(log_text: Any) -> None:
    path = f"/seat/{SECRET}/"
    logging.getLogger("anything").warning("Not Found: %s", path)
    logging.getLogger("anything").warning(f"Not Found: {path}")
    logging.getLogger("anything").warning("%(where)s", {"where": path})
    logging.getLogger("uvicorn.error").warning('%s - "%s %s HTTP/%s" %d', "1.2.3.4", "GET", path, "1.1", 404)
    try:
        raise ValueError(f"cannot open {path}")
    except ValueError:
        logging.getLogger("django.request").exception(
            "failed at %s", path, extra={"request": RequestFactory().get(path)}
        )
    text = log_text()
    assert text.count("/seat/***") >= 5
    assert SECRET not in text


def test_loggers_with_handlers_of_their_own_get_masked_records(log_text: Any) -> None:
    class Keep(logging.Handler):
        lines: list[str] = []

        def emit(self, record: logging.LogRecord) -> None:
            self.lines.append(record.getMessage())

    keep = Keep()
    logger = logging.getLogger("uvicorn.access")
    logger.addHandler(keep)
    logger.setLevel("INFO")
    try:
        logger.info('%s - "%s %s HTTP/%s" %d', "1.2.3.4:5", "GET", f"/i/{SECRET}/", "1.1", 200)
    finally:
        logger.removeHandler(keep)
    assert keep.lines == ['1.2.3.4:5 - "GET /i/***/ HTTP/1.1" 200']


@pytest.mark.django_db
def test_the_security_log_tells_who_and_where_and_no_secret(
    caplog: pytest.LogCaptureFixture, member: User, log_text: Any
) -> None:
    guest = guests.create_guest("カナリア")
    seat, reset = links.make_seat_link(guest, by=None), links.make_reset_link(member, by=None)
    client = Client(REMOTE_ADDR="192.0.2.7")
    client.post("/accounts/login/", {"login": "yukimura", "password": "kanaria-no-kagi"})
    client.post("/accounts/login/", {"login": "kanaria-no-kagi", "password": "x"})
    client.post("/accounts/login/", {"login": "yukimura", "password": "tsuki-no-michi"})
    client.post("/accounts/logout/")
    client.post(f"/seat/{seat}/")
    Client().post(f"/reset/{reset}/", {"password": "kanaria-atarashii-1", "password2": "kanaria-atarashii-1"})
    client.get("/seat/nonsense/")
    client.post("/me/claim/", {"username": "yuki", "password": "kanaria-kagi-22", "password2": "kanaria-kagi-22"})
    text = log_text()
    for line in (
        f"event=sign_in_failed from=192.0.2.7 user={member.pk}",
        "event=sign_in_failed from=192.0.2.7 user=unknown",
        f"event=sign_in by={member.pk} from=192.0.2.7 user={member.pk} guest=0",
        "event=sign_out",
        "event=guest_made",
        f"event=link_made kind=seat user={guest.pk} made_by=operator",
        f"event=link_used kind=reset user={member.pk}",
        "event=guess_failed",
        f"event=guest_claimed user={guest.pk}",
    ):
        assert line in text, line
    for secret in ("kanaria", "tsuki-no-michi", seat, reset, "カナリア"):
        assert secret not in text


def test_a_fact_cannot_forge_a_line(log_text: Any) -> None:
    audit.record("test", name='x\nevent=sign_in user=1 "')
    lines = [line for line in log_text().splitlines() if line]
    assert len(lines) == 1
    assert 'name="x\\nevent=sign_in user=1 \\""' in lines[0]


@pytest.mark.django_db(transaction=True)
def test_what_was_rolled_back_is_not_in_the_log(log_text: Any) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        audit.after_commit("role_changed", user=1)
        raise RuntimeError
    with transaction.atomic():
        audit.after_commit("role_changed", user=2)
    assert "user=1" not in log_text()
    assert "event=role_changed user=2" in log_text()
