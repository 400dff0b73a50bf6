"""The demo campaign: as the mock-ups show it, once, and not by accident on a real site."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from characters.demo import edo, people
from characters.models import Campaign, Character, CreationRecord, Note, Pool
from characters.selectors.access import CampaignAccess, active_seat
from characters.selectors.builds import draft_view
from characters.selectors.pool import pool_view
from live.events import verify_chain

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def run(*options: str) -> str:
    out = io.StringIO()
    call_command("demo", *options, stdout=out)
    return out.getvalue()


def pc(name: str) -> Character:
    return Character.objects.select_related("campaign", "owner", "revision", "cleared", "draft").get(
        name__contains=name
    )


def test_the_demo_is_the_mock_up(settings):
    text = run()
    campaign = Campaign.objects.get(system="edo")
    assert campaign.name == "大川端捕物控" and campaign.house_rules == {"first_strike_scope": "combat"}
    assert f"/c/{campaign.slug}/" in text and "/seat/" in text
    welcome = (settings.VAR_DIR / "welcome.txt").read_text(encoding="utf-8")
    assert "demo_yukimura" in welcome and "/seat/" not in welcome, "repeated at every start, so without one-time links"
    for login in people.LOGINS:
        assert login.username in text and User.objects.get(username=login.username).check_password(people.PASSWORD)
    spent = {name: pc(name).spent for name in ("新八郎", "佐吉", "玄庵")}
    assert spent == {"新八郎": 350, "佐吉": 249, "玄庵": 199}
    numbers = {name: pc(name).revision.number for name in ("新八郎", "梅", "佐吉")}
    assert numbers == {"新八郎": 4, "梅": 3, "佐吉": 2}
    assert all(pc(name).status == "cleared" for name in ("新八郎", "梅", "佐吉", "玄庵"))
    assert all(pc(name).flagged == [] for name in ("新八郎", "梅", "佐吉", "玄庵"))
    assert Character.objects.filter(kind="npc", campaign=campaign).count() == 4
    mob = Character.objects.get(count=6)
    assert mob.cleared is not None
    assert set(Note.objects.values_list("visibility", flat=True)) >= {"owner", "gm", "group", "listed"}
    assert verify_chain(campaign.topic) is None


def test_umekichi_is_being_rewritten():
    run()
    campaign = Campaign.objects.get(system="edo")
    seat = active_seat(User.objects.get(username="demo_chiaki"), campaign)
    access = CampaignAccess(campaign, seat)
    view = pool_view(access)
    assert (view.total, view.allocated, view.working) == (1100, 1100, 1102)
    (offer,) = view.offers
    assert (offer.giver.name, offer.receiver.name, offer.points) == ("海斗", "千秋", 1)
    from characters.selectors.access import CharacterAccess

    report = draft_view(CharacterAccess(pc("梅"), seat)).report
    assert report.spent == 304
    codes = {problem.code for problem in report.errors}
    assert codes >= {"V02", "V09"} and codes & {"V14", "V25"}
    assert pc("梅").remarks.count() == 1


def test_the_woods_have_drafted_and_play():
    run()
    campaign = Campaign.objects.get(system="alice")
    drafted = Character.objects.filter(campaign=campaign, kind="pc")
    assert {one.status for one in drafted} == {"cleared"} and drafted.count() == 3
    assert all(one.revision.build["ability_source"] == "draft" for one in drafted)
    assert [row.step for row in CreationRecord.objects.filter(character__campaign=campaign)] == ["draft"] * 3
    draft, table = campaign.game_sessions.all()
    assert (draft.part, draft.state, table.part, table.state, table.chapter) == ("draft", "closed", "", "open", 1)
    assert verify_chain(draft.topic) is None and verify_chain(table.topic) is None


def test_a_second_run_changes_nothing():
    run()
    counts = (User.objects.count(), Character.objects.count(), Pool.objects.count())
    text = run()
    assert "already there" in text and people.PASSWORD in text
    assert (User.objects.count(), Character.objects.count(), Pool.objects.count()) == counts


def test_all_or_nothing(monkeypatch):
    monkeypatch.setattr(edo, "_npcs", lambda desk: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run()
    assert not Campaign.objects.exists()


def test_a_real_site_refuses(settings):
    settings.SETTINGS_MODULE = "trpg_site.settings.prod"
    with pytest.raises(CommandError):
        run()
    assert not User.objects.exists()
    text = run("--force")
    assert people.PASSWORD not in text
    assert not User.objects.get(username="demo_nagisa").check_password(people.PASSWORD)
