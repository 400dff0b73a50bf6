"""Headers on every answer, and the score of Mozilla's Observatory table (reliability: at least 120 behind TLS)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


def policy(response: HttpResponse) -> dict[str, list[str]]:
    parts = [p.split() for p in response["Content-Security-Policy"].split(";") if p.strip()]
    return {name: values for name, *values in parts}


def answers() -> dict[str, HttpResponse]:
    """One answer of every sort, also those that no view makes."""
    client, strict = Client(), Client(enforce_csrf_checks=True)
    user = User.objects.create_superuser("kanri", password="kanri-no-kagi-5")
    signed = Client()
    signed.force_login(user)
    return {
        "page": client.get("/accounts/login/"),
        "redirect": client.get("/me/"),
        "refused form": client.post("/accounts/login/", {}),
        "not found": client.get("/nothing/here/"),
        "link": client.get("/seat/x/"),
        "method": client.get("/i18n/setlang/"),
        "csrf": strict.post("/accounts/login/", {}),
        "forbidden": signed.get("/admin/accounts/onetimelink/add/"),
        "admin": signed.get("/admin/"),
        "NUL": client.get("/x%00y/"),
        "too long": client.get("/" + "x" * 9000),
        "too big": client.post("/accounts/login/", b"x", content_type="text/plain", CONTENT_LENGTH="99999999"),
        "static": client.get("/static/css/site.css"),
        "no static": client.get("/static/nothing.css"),
        "json": client.get("/nothing/", headers={"accept": "application/json"}),
        "htmx": client.get("/nothing/", headers={"hx-request": "true"}),
    }


def test_every_answer_carries_every_header() -> None:
    for what, response in answers().items():
        directives = policy(response)
        assert directives["default-src"] == ["'none'"], what
        for name in ("object-src", "base-uri", "frame-ancestors"):
            assert directives[name] == ["'none'"], what
        for name in ("script-src", "style-src", "img-src", "connect-src", "form-action"):
            assert directives[name] == ["'self'"], what
        assert "unsafe" not in response["Content-Security-Policy"], what
        assert response["X-Content-Type-Options"] == "nosniff", what
        assert response["Referrer-Policy"] == "same-origin", what
        assert response["X-Frame-Options"] == "DENY", what
        assert response["Cross-Origin-Opener-Policy"] == "same-origin", what
        assert response["Cross-Origin-Resource-Policy"] == "same-origin", what
        assert "geolocation=()" in response["Permissions-Policy"], what
        assert "Access-Control-Allow-Origin" not in response.headers, what
        assert "Server" not in response.headers, what


def test_the_sorts_are_what_they_say() -> None:
    statuses = {what: response.status_code for what, response in answers().items()}
    assert statuses == {
        "page": 200,
        "redirect": 302,
        "refused form": 422,
        "not found": 404,
        "link": 404,
        "method": 405,
        "csrf": 403,
        "forbidden": 403,
        "admin": 200,
        "NUL": 400,
        "too long": 414,
        "too big": 413,
        "static": 200,
        "no static": 404,
        "json": 404,
        "htmx": 404,
    }


def test_a_bad_host_gets_them_too(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["taku.example"]
    for host in ("evil.example", "a b", "x" * 300, "taku.example:99x"):
        response = Client().get("/accounts/login/", headers={"host": host})
        assert response.status_code == 400
        assert policy(response)["default-src"] == ["'none'"]
        assert host not in response.content.decode()


def test_a_server_error_gets_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts.views import entry

    def fall(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(entry.SignInView, "get_context_data", fall)
    response = Client(raise_request_exception=False).get("/accounts/login/")
    assert response.status_code == 500
    assert policy(response)["default-src"] == ["'none'"]
    assert response["X-Content-Type-Options"] == "nosniff"


def test_cookies_on_plain_http(client: Client) -> None:
    client.get("/accounts/login/")
    User.objects.create_user("haru", password="haru-no-umi-8")
    client.post("/accounts/login/", {"login": "haru", "password": "haru-no-umi-8"})
    client.post("/i18n/setlang/", {"language": "en"})
    for name in ("session", "csrf", "lang"):
        cookie = client.cookies[name]
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name


# --- behind TLS, with the settings of a real installation, in a process of their own

ASK = """
import json, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.conf import settings
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
from django.test import Client
from accounts.models import User
User.objects.create_user("haru", password="haru-no-umi-8")
client = Client(headers={"host": "taku.example", "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"})
page = client.get("/accounts/login/")
client.post("/accounts/login/", {"login": "haru", "password": "haru-no-umi-8"}, headers={"origin": "https://taku.example"})
plain = Client(headers={"host": "taku.example"}).get("/accounts/login/")
print(json.dumps({
    "status": page.status_code, "headers": dict(page.headers), "body": page.content.decode(),
    "cookies": {k: {"secure": bool(c["secure"]), "httponly": bool(c["httponly"]), "samesite": c["samesite"],
                    "path": c["path"], "domain": c["domain"]} for k, c in client.cookies.items()},
    "plain": [plain.status_code, plain.headers.get("Location", "")],
}))
"""


@pytest.fixture(scope="module")
def behind_tls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    import json

    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "trpg_site.settings.prod",
        "DATABASE_URL": f"sqlite:///{tmp_path_factory.mktemp('tls') / 'site.sqlite3'}",
        "SECRET_KEY": "a-key-for-this-test-of-enough-letters-0123456789-abcdefg",
        "ALLOWED_HOSTS": "taku.example",
        "TLS": "1",
    }
    env.pop("REDIS_URL", None)
    done = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_the_observatory_gives_at_least_120_points(behind_tls: dict[str, Any]) -> None:
    assert behind_tls["status"] == 200
    points, notes = observatory(behind_tls)
    assert points >= 120, notes


def test_cookies_behind_tls_are_bound_to_this_host(behind_tls: dict[str, Any]) -> None:
    assert {"__Host-session", "__Host-csrf"} <= set(behind_tls["cookies"])
    for name, cookie in behind_tls["cookies"].items():
        assert cookie["secure"], name
        assert cookie["path"] == "/" and not cookie["domain"], name


def test_plain_http_is_sent_to_https(behind_tls: dict[str, Any]) -> None:
    assert behind_tls["plain"] == [301, "https://taku.example/accounts/login/"]


def observatory(found: dict[str, Any]) -> tuple[int, list[str]]:
    """Points by the table of mozilla/http-observatory `scoring.md`, for the rows that can apply to this site."""
    headers = {k.lower(): v for k, v in found["headers"].items()}
    points, bonus, notes = 100, 0, []

    def row(name: str, value: int) -> None:
        nonlocal points, bonus
        notes.append(f"{name} {value:+d}")
        if value < 0:
            points += value
        else:
            bonus += value

    csp = {n: v for n, *v in (p.split() for p in headers.get("content-security-policy", "").split(";") if p.strip())}
    unsafe = any("unsafe" in v or v in {"*", "http:", "https:", "data:"} for vs in csp.values() for v in vs)
    row("csp", -25 if not csp else -20 if unsafe else 10 if csp.get("default-src") == ["'none'"] else 5)
    cookies = found["cookies"].values()
    if not all(c["secure"] for c in cookies):
        row("cookies", -20)
    else:
        row("cookies", 5 if all(c["httponly"] and c["samesite"] for c in cookies) else 0)
    row("cors", -50 if headers.get("access-control-allow-origin") == "*" else 0)
    row("redirection", 0 if found["plain"][0] in {301, 302, 307, 308} else -20)
    private = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
    row("referrer", 5 if headers.get("referrer-policy") in private else -5)
    age = dict(p.strip().partition("=")[::2] for p in headers.get("strict-transport-security", "").split(";"))
    row("hsts", -20 if "max-age" not in age else -10 if int(age["max-age"]) < 15768000 else 0)
    row("scripts", -50 if 'src="http' in found["body"] or 'src="//' in found["body"] else 0)
    row("nosniff", 0 if headers.get("x-content-type-options") == "nosniff" else -5)
    row("frames", 5 if "frame-ancestors" in csp else 0 if "x-frame-options" in headers else -20)
    return (points + bonus if points >= 90 else points), notes
