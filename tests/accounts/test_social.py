"""Sign-in by Discord as configured by environment, in a process of its own, with Discord's two answers invented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import json
import django
django.setup()
from django.test.utils import setup_test_environment
from urllib.parse import parse_qs, urlsplit
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from allauth.socialaccount.providers.discord.views import DiscordOAuth2Adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from accounts.actions import guests
from accounts.models import User

profile = {"id": "77", "username": "haru", "global_name": "Haru", "email": "kanaria@example.org", "verified": True}
OAuth2Client.get_access_token = lambda self, code, pkce_code_verifier=None: {"access_token": "kanaria-token"}

class Session:
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def get(self, *a, **k):
        class R:
            json = staticmethod(lambda: profile)
        return R

import allauth.socialaccount.providers.discord.views as views
views.get_adapter = lambda: type("A", (), {"get_requests_session": staticmethod(Session)})

def discord(client, process="login"):
    ask = client.get(f"/accounts/discord/login/?process={process}")
    go = client.post(f"/accounts/discord/login/?process={process}")
    query = parse_qs(urlsplit(go["Location"]).query)
    back = client.get("/accounts/discord/login/callback/", {"code": "x", "state": query["state"][0]})
    return ask, go, query, back

out = {}
client = Client()
page = client.get("/accounts/login/")
out["button"] = "/accounts/discord/login/" in page.content.decode()
out["form-action"] = "form-action 'self' https://discord.com" in page["Content-Security-Policy"]
ask, go, query, back = discord(client)
out["asks first"] = ask.status_code
out["where"] = go["Location"].split("?")[0]
out["scope"] = query["scope"]
out["back"] = [back.status_code, back["Location"]]
user = User.objects.get()
out["user"] = [user.username, user.nickname, user.email, user.is_guest, user.has_usable_password()]
out["in"] = client.session.get("_auth_user_id") == str(user.pk)
account = SocialAccount.objects.get()
out["kept"] = sorted(account.extra_data)
out["tokens"] = SocialToken.objects.count() + EmailAddress.objects.count()
out["last one"] = client.post("/accounts/3rdparty/", {"account": account.pk}).status_code
out["still"] = SocialAccount.objects.count()
out["page"] = client.get("/accounts/3rdparty/").status_code
out["me"] = client.get("/me/").status_code
again = Client()
discord(again)
out["again"] = [User.objects.count(), again.session.get("_auth_user_id") == str(user.pk)]

profile = {"id": "88", "username": "yuki", "global_name": "Yuki"}
guest = guests.create_guest("Yuki")
client = Client()
client.force_login(guest)
discord(client, "connect")
guest.refresh_from_db()
out["guest connected"] = [guest.is_guest, SocialAccount.objects.filter(user=guest).count()]

profile = {"id": "99", "username": "haru", "global_name": "<script>"}
client = Client()
_, _, _, back = discord(client)
out["name taken"] = [back["Location"], User.objects.count()]
out["cancelled"] = Client().get("/accounts/3rdparty/login/cancelled/").status_code
out["error"] = Client().get("/accounts/3rdparty/login/error/").status_code
out["no state"] = Client().get("/accounts/discord/login/callback/", {"code": "x", "state": "made up"}).status_code
out["outside"] = Client().post("/accounts/discord/login/?process=login&next=https://evil.example/").status_code
print(json.dumps(out))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "trpg_site.settings.test",
        "DATABASE_URL": f"sqlite:///{tmp_path_factory.mktemp('social') / 'site.sqlite3'}",
        "DISCORD_CLIENT_ID": "1",
        "DISCORD_CLIENT_SECRET": "2",
    }
    env.pop("REDIS_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "kanaria" not in done.stderr
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def test_the_way_there_asks_for_no_email(found: dict[str, Any]) -> None:
    assert found["button"] and found["form-action"]
    assert found["asks first"] == 200
    assert found["where"] == "https://discord.com/api/oauth2/authorize"
    assert found["scope"] == ["identify"]


def test_somebody_new_is_in_and_no_guest(found: dict[str, Any]) -> None:
    assert found["back"] == [302, "/"]
    assert found["in"]
    assert found["user"] == ["haru", "haru", "", False, False]
    assert found["again"] == [1, True]


def test_neither_email_nor_token_is_kept(found: dict[str, Any]) -> None:
    assert found["kept"] == ["global_name", "id", "username"]
    assert found["tokens"] == 0


def test_the_only_way_in_cannot_be_removed(found: dict[str, Any]) -> None:
    assert found["last one"] == 200
    assert found["still"] == 1
    assert (found["page"], found["me"]) == (200, 200)


def test_a_guest_who_connects_is_no_guest_any_more(found: dict[str, Any]) -> None:
    assert found["guest connected"] == [False, 1]


def test_ways_that_end_early(found: dict[str, Any]) -> None:
    assert found["name taken"][1] == 3
    assert found["cancelled"] == 200
    assert 400 <= found["error"] < 500
    assert found["no state"] < 500
    assert found["outside"] < 500
