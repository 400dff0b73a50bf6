from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from accounts import throttle
from accounts.actions import guests, links
from accounts.models import User
from accounts.throttle import Guesses, guarded, limited

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limits")]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock the test moves; it starts at the beginning of a window."""

    class Clock:
        now = 1_800_000_000.0

        def forward(self, seconds: float) -> None:
            self.now += seconds

    clock = Clock()
    monkeypatch.setattr(time, "time", lambda: clock.now)
    return clock


def ask(address: str = "192.0.2.1", method: str = "POST", **more: Any) -> HttpRequest:
    return RequestFactory().generic(method, "/x/", REMOTE_ADDR=address, **more)


# --- limited


def ok(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


def test_a_command_is_limited_per_source() -> None:
    view = limited("test", "3/m")(ok)
    assert [view(ask()).status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert view(ask("192.0.2.2")).status_code == 200


def test_a_signed_in_person_is_counted_as_such(member: User) -> None:
    view = limited("test", "1/m")(ok)
    for address in ("192.0.2.1", "192.0.2.2"):
        request = ask(address)
        request.user = member
        status = view(request).status_code
    assert status == 429
    assert view(ask("192.0.2.1")).status_code == 200  # others behind the same router are not hit


def test_looking_is_free() -> None:
    view = limited("test", "1/m")(ok)
    assert {view(ask(method="GET")).status_code for _ in range(9)} == {200}


def test_groups_have_budgets_of_their_own_and_views_may_share_one() -> None:
    one, same, other = limited("a", "1/m")(ok), limited("a", "1/m")(ok), limited("b", "1/m")(ok)
    assert one(ask()).status_code == 200
    assert same(ask()).status_code == 429
    assert other(ask()).status_code == 200


def test_the_budget_comes_back(clock: Any) -> None:
    view = limited("test", "1/m")(ok)
    view(ask())
    refused = view(ask())
    assert 0 < int(refused["Retry-After"]) <= 60
    clock.forward(int(refused["Retry-After"]) + 1)
    assert view(ask()).status_code == 200


def test_the_refusal_is_a_page_a_notice_or_json() -> None:
    view = limited("test", "1/h")(ok)
    view(ask())
    page = view(ask())
    assert "少し待ってください" in page.content.decode()
    assert "<html" in page.content.decode()
    notice = view(ask(headers={"hx-request": "true"}))
    assert "<html" not in notice.content.decode()
    assert notice["HX-Reswap"] == "none"  # what is typed in the panel stays
    assert "続けて" in json.loads(notice["HX-Trigger"])["takubiyori:toast"]["text"]
    data = view(ask(headers={"accept": "application/json"}))
    assert json.loads(data.content)["error"] == "429"
    assert {r.status_code for r in (page, notice, data)} == {429}
    assert all(r["Retry-After"] for r in (page, notice, data))


def test_a_flood_of_presses_stops_whatever_they_are(member: User, settings: Any, clock: Any) -> None:
    settings.PRESSES_PER_MINUTE = 20
    client = Client()
    client.force_login(member)
    answers = [client.post("/i18n/setlang/", {"language": "xx"}).status_code for _ in range(15)]
    answers += [client.post("/nothing/").status_code for _ in range(10)]
    assert answers == [303] * 15 + [404] * 5 + [429] * 5
    assert client.get("/me/").status_code == 200
    assert Client().post("/nothing/").status_code == 404
    clock.forward(61)
    assert client.post("/nothing/").status_code == 404


# --- guesses


def guess(guesses: Guesses, address: str, right: bool = False, subject: str = "") -> int:
    attempt = guesses.enter(ask(address), subject)
    if not attempt.wait and right:
        attempt.passed()
    return attempt.wait


def test_twenty_wrong_ones_per_source_in_ten_minutes(clock: Any) -> None:
    g = Guesses("t")
    assert [guess(g, "192.0.2.1") for _ in range(20)] == [0] * 20
    wait = guess(g, "192.0.2.1")
    assert 0 < wait <= 600
    assert guess(g, "192.0.2.1", right=True) > 0  # else the 21st guess would be free
    assert guess(g, "192.0.2.2") == 0
    clock.forward(wait + 1)
    assert guess(g, "192.0.2.1") == 0


def test_good_links_cost_nothing(clock: Any) -> None:
    g = Guesses("t")
    assert {guess(g, "192.0.2.1", right=True) for _ in range(500)} == {0}


def test_ten_thousand_guesses_from_one_address(clock: Any) -> None:
    g = Guesses("t")
    through = sum(guess(g, "192.0.2.1") == 0 for _ in range(10_000))
    assert through == 20


def test_ten_thousand_guesses_from_fifty_addresses(clock: Any) -> None:
    """Over ten minutes: 100 at full speed, then an ever slower trickle; a member passes all the while."""
    g = Guesses("t")
    through = members = 0
    for n in range(10_000):
        clock.forward(0.05)
        through += guess(g, f"198.51.100.{n % 50}") == 0
        if n % 100 == 0:
            members += guess(g, f"203.0.113.{n // 100}", right=True) == 0
    assert 100 <= through <= 400
    assert members == 100


def test_the_delay_rises(clock: Any) -> None:
    g = Guesses("t", per_source=10_000)
    guess(g, "192.0.2.1")  # one of the wrong ones
    waits = []
    for n in range(300):
        guess(g, f"198.51.{n // 250}.{n % 250}")  # a first try each, so never delayed
        if n % 50 == 49:
            waits.append(guess(g, "192.0.2.1"))
    assert waits[0] == 0
    assert waits == sorted(waits)
    assert waits[-1] >= 60


def test_a_clock_that_jumps_back_locks_nobody_for_long(clock: Any) -> None:
    g = Guesses("t", per_source=10_000, longest_pause=300)
    for n in range(300):
        guess(g, f"198.51.100.{n % 200}")
    clock.forward(-20)
    assert guess(g, "198.51.100.1") <= 300


def test_user_names_have_budgets_of_their_own(clock: Any) -> None:
    g = Guesses("t")
    for n in range(100):
        guess(g, f"198.51.100.{n}", subject="yukimura")
    assert guess(g, "198.51.100.1", subject="yukimura") > 0
    assert guess(g, "198.51.100.1", subject="haru") == 0


def test_guarded_counts_not_found_in_every_form(clock: Any) -> None:
    g = Guesses("t", per_source=3)

    @guarded(g)
    def view(request: HttpRequest, token: str) -> HttpResponse:
        if token == "raise":
            raise Http404
        return HttpResponse(status={"gone": 410, "none": 404, "conflict": 409}.get(token, 200))

    for token in ("good", "conflict", "good", "good", "good", "gone", "none"):
        assert view(ask(), token).status_code != 429
    with pytest.raises(Http404):
        view(ask(), "raise")
    assert view(ask(), "good").status_code == 429


# --- on the real pages


def test_guessing_seat_links_stops_and_good_ones_go_on_elsewhere() -> None:
    token = links.make_seat_link(guests.create_guest("雪"), by=None)
    bad, good = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    answers = [bad.get(f"/seat/guess-{n}/").status_code for n in range(25)]
    assert answers == [404] * 20 + [429] * 5
    assert bad.get(f"/reset/{'x' * 32}/").status_code == 429  # one budget for both kinds
    assert bad.get(f"/seat/{token}/").status_code == 429
    assert good.get(f"/seat/{token}/").status_code == 200


def test_guessing_passwords_stops(member: User) -> None:
    client = Client(REMOTE_ADDR="192.0.2.1")
    typed = {"login": "yukimura", "password": "chigau-kagi"}
    answers = [client.post("/accounts/login/", typed).status_code for _ in range(25)]
    assert answers == [422] * 20 + [429] * 5
    assert "Retry-After" in client.post("/accounts/login/", typed).headers


def test_nobody_can_lock_a_member_out(member: User) -> None:
    for n in range(150):
        client = Client(REMOTE_ADDR=f"198.51.100.{n}")
        client.post("/accounts/login/", {"login": "yukimura", "password": "chigau-kagi"})
    home = Client(REMOTE_ADDR="203.0.113.7")
    assert home.post("/accounts/login/", {"login": "yukimura", "password": "tsuki-no-michi"}).status_code == 302


def test_right_passwords_are_no_guesses(member: User) -> None:
    for _ in range(30):
        client = Client(REMOTE_ADDR="192.0.2.1")
        answer = client.post("/accounts/login/", {"login": "yukimura", "password": "tsuki-no-michi"})
        assert answer.status_code == 302


def test_allauths_own_limit_holds_too(member: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    client = Client(REMOTE_ADDR="192.0.2.1")
    answers = [client.post("/accounts/login/", {"login": "yukimura", "password": "x"}) for _ in range(3)]
    assert answers[-1].status_code == 429
    assert "少し待ってください" in answers[-1].content.decode()


def test_signing_up_by_the_dozen_stops() -> None:
    client = Client(REMOTE_ADDR="192.0.2.1")
    answers = {client.post("/accounts/signup/", {}).status_code for _ in range(70)}
    assert answers == {422, 429}


def test_claiming_is_limited() -> None:
    client = Client()
    client.force_login(guests.create_guest("雪"))
    answers = [client.post("/me/claim/", {}).status_code for _ in range(21)]
    assert answers[-1] == 429
    assert client.get("/me/claim/").status_code == 200


def test_a_forged_address_buys_nothing(settings: Any) -> None:
    client = Client(REMOTE_ADDR="192.0.2.1")
    answers = [
        client.get(f"/seat/guess-{n}/", headers={"x-forwarded-for": f"203.0.113.{n}"}).status_code for n in range(25)
    ]
    assert 429 in answers


def test_counters_that_end_in_between(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    g = Guesses("t")
    attempt = g.enter(ask())
    cache.clear()
    attempt.passed()  # the window is over: nothing to give back, and no error
    assert guess(g, "192.0.2.1") == 0
    monkeypatch.setattr(cache, "add", lambda *a, **k: False)
    monkeypatch.setattr(cache, "incr", lambda *a, **k: (_ for _ in ()).throw(ValueError))
    assert throttle._count("gone", 60) == 1


def test_limits_can_be_switched_off_for_load_tests(settings: Any) -> None:
    settings.RATELIMIT_ENABLE = False
    view = limited("test", "1/h")(ok)
    assert {view(ask()).status_code for _ in range(5)} == {200}
    assert {guess(Guesses("t"), "192.0.2.1") for _ in range(50)} == {0}
