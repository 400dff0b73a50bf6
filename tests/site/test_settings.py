"""The settings in processes of their own, as an installation starts."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trpg_site.middleware import is_local_host
from trpg_site.settings.secret import local_secret

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "SECRET_KEY": "k3y-of-enough-different-letters-0123456789-abcdefghij",
    "ALLOWED_HOSTS": "taku.example,www.taku.example",
}
OURS = {
    *("SECRET_KEY", "ALLOWED_HOSTS", "TLS", "TRUSTED_PROXIES", "REDIS_URL", "DATABASE_URL", "DEBUG", "RATE_LIMITS"),
    *("SIGNUP_OPEN", "DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"),
}


def run(module: str, code: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k not in OURS}
    clean |= {"DJANGO_SETTINGS_MODULE": f"trpg_site.settings.{module}", **env}
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=clean, capture_output=True, text=True, timeout=60)


def values(module: str, *names: str, **env: str) -> dict[str, object]:
    facts = f"{{n: getattr(s, n, None) for n in {names!r}}}"
    code = f"import json; from django.conf import settings as s; print(json.dumps({facts}))"
    done = run(module, code, **env)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"SECRET_KEY": "a" * 64}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
    ],
)
def test_a_real_installation_refuses_to_start_half_set_up(change: dict[str, str], word: str) -> None:
    done = run("prod", "from django.conf import settings; settings.DEBUG", **{**GOOD, **change})
    assert done.returncode != 0
    assert f"ImproperlyConfigured: {word}" in done.stderr


def test_a_real_installation() -> None:
    found = values("prod", "DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", **GOOD)
    assert found == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["taku.example", "www.taku.example"],
        "SESSION_COOKIE_SECURE": False,
        "SECURE_HSTS_SECONDS": 0,
    }


def test_behind_tls() -> None:
    wanted = {
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "SECURE_SSL_REDIRECT": True,
        "TRUSTED_PROXIES": 1,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": False,
    }
    assert values("prod", *wanted, **GOOD, TLS="1") == wanted


CHECK = """
import django; django.setup()
from django.core import checks
found = checks.run_checks(tags=["security"], include_deployment_checks=True)
print([m.id for m in found if not m.is_silenced()])
"""


def test_django_has_nothing_to_say_about_a_real_installation() -> None:
    done = run("prod", CHECK, **GOOD, TLS="1", HSTS_SUBDOMAINS="1", HSTS_PRELOAD="1")
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_what_would_not_work_is_said() -> None:
    assert "accounts.E002" in run("prod", CHECK, **GOOD, TLS="1", TRUSTED_PROXIES="0").stdout
    assert "accounts.W001" in run("prod", CHECK, **GOOD).stdout


@pytest.mark.parametrize(
    ("env", "backend"),
    [
        ({}, "django.core.cache.backends.locmem.LocMemCache"),
        ({"DATABASE_URL": "postgres://u@h/d"}, "accounts.cache.CountingDatabaseCache"),
        ({"DATABASE_URL": "postgres://u@h/d", "REDIS_URL": "redis://h/1"}, "accounts.cache.SteadyRedisCache"),
        ({"REDIS_URL": "redis://h/1"}, "accounts.cache.SteadyRedisCache"),
    ],
)
def test_counters_are_shared_by_all_processes(env: dict[str, str], backend: str) -> None:
    found = values("test", "CACHES", "DATABASES", **env)
    assert found["CACHES"]["default"]["BACKEND"] == backend  # type: ignore[index]
    engine = found["DATABASES"]["default"]["ENGINE"]  # type: ignore[index]
    assert engine == ("django.db.backends.postgresql" if "DATABASE_URL" in env else "live.backends.sqlite3")


@pytest.mark.parametrize("module", ["local", "dev"])
def test_a_machine_of_ones_own_makes_its_own_key(module: str) -> None:
    found = values(module, "DEBUG", "SECRET_KEY", "SESSION_COOKIE_SECURE")
    assert found["DEBUG"] is (module == "dev")
    assert len(str(found["SECRET_KEY"])) >= 48
    assert found["SESSION_COOKIE_SECURE"] is False
    kept = ROOT / "var" / "secret_key"
    assert kept.read_text() == found["SECRET_KEY"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert found["SECRET_KEY"] == values(module, "SECRET_KEY")["SECRET_KEY"]


def test_two_starts_at_once_agree_on_the_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: local_secret(tmp_path / "var" / "secret_key"), range(64)))
    assert len(keys) == 1
    assert local_secret(tmp_path / "other") not in keys


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.5", True),
        ("[fe80::1]:8000", True),
        ("taku.home.example", True),  # named by the operator
        ("evil.example", False),
        ("192.168.1.5.evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_at_home_the_site_answers_to_addresses_and_own_names(host: str, local: bool) -> None:
    assert is_local_host(host, ["taku.home.example"]) is local


def test_a_foreign_name_pointed_at_the_home_network_is_refused() -> None:
    code = """
import django; django.setup()
from django.test import Client
for host in ("evil.example", "192.168.1.5:8000"):
    print(Client().get("/static/nothing.css", headers={"host": host}).status_code)
"""
    done = run("local", code)
    assert done.stdout.split() == ["400", "404"], done.stderr


def test_outside_sign_ins_come_by_environment() -> None:
    code = """
import django; django.setup()
from django.urls import reverse
from django.conf import settings
print(reverse("discord_login"), settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"])
try:
    reverse("google_login")
except Exception as e:
    print(type(e).__name__)
"""
    done = run("test", code, DISCORD_CLIENT_ID="1", DISCORD_CLIENT_SECRET="2")
    assert done.stdout.split("\n")[:2] == [
        "/accounts/discord/login/ [\"'self'\", 'https://discord.com']",
        "NoReverseMatch",
    ], done.stderr
