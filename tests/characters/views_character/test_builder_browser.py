"""builder.js in a real browser: two editors at once, a connection that goes away, typing that must never be lost."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import people, site  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.server]

MAKE = """
import json
from django.contrib.auth import get_user_model
from characters.actions import campaigns, drafts, members, pool
from characters.selectors.access import campaign_for

User = get_user_model()
users = {{}}
for name in ("{p}gm", "{p}chiaki", "{p}kaito"):
    users[name] = User.objects.create(username=name)
    users[name].set_password("hashi-no-tamoto-8")
    users[name].save()
gm = users["{p}gm"]
table = campaigns.create_campaign(user=gm, system="edo", name="大川端捕物控", gm_name="雪村")
here = campaign_for(gm, table.slug)
_made, token = members.create_invitation(access=here, role="player")
seats = {{}}
for name, shown in (("{p}chiaki", "千秋"), ("{p}kaito", "海斗")):
    seats[shown] = members.join_campaign(user=users[name], token=token, name=shown)
    pool.allocate(access=here, seat=seats[shown], points=300)
fields = {{
    "role": "co_lead", "abilities.mind": 7, "abilities.gi": 8, "abilities.body": 5, "names.given": "梅吉",
    "skills.taisabaki.level": 5, "skills.chikaku.level": 3, "status": "townsman", "occupation": "geisha",
}}
character = drafts.create_character(access=campaign_for(users["{p}chiaki"], table.slug), fields=fields)
print("MADE" + json.dumps({{"slug": character.slug, "table": table.slug}}))
"""


@pytest.fixture
def made(site, request):  # noqa: F811
    """A table with a GM, two players and 千秋's draft."""
    prefix = request.node.name.removeprefix("test_")[:8]
    out = site.manage("shell", "-c", MAKE.format(p=prefix))
    return {"prefix": prefix, **json.loads(out.split("MADE", 1)[1])}


@pytest.fixture
def open_(people, made):  # noqa: F811
    """`open_("chiaki")` signs in and opens the builder of the draft."""

    def builder(name: str, **options) -> Page:
        someone = people(name, **options)
        someone.expected += ("ERR_INTERNET_DISCONNECTED",)  # the tests cut the connection themselves
        page = someone.page
        page.goto("/accounts/login/")
        page.fill("[name=login]", made["prefix"] + name)
        page.fill("[name=password]", "hashi-no-tamoto-8")
        page.click("main button[type=submit], main form button")
        page.wait_for_url("**/")
        page.goto(f"/p/{made['slug']}/edit/")
        return page

    return builder


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("下書き保存済み")


def test_steps_save_themselves_and_everybody_sees_the_sum(open_):
    mine, gms = open_("chiaki"), open_("gm")
    mine.click("#abil-mind [data-step='1']")
    expect(mine.locator("#abil-mind .abil__cost")).to_have_text("65点")
    saved(mine)
    expect(gms.locator("#f-abilities-mind")).to_have_value("8")
    expect(gms.locator("#costs tr:last-child")).to_have_text(
        mine.inner_text("#costs tr:last-child"), use_inner_text=True
    )
    mine.reload()
    expect(mine.locator("#f-abilities-mind")).to_have_value("8")


def test_two_fields_merge_and_one_field_shows_both_versions(open_):
    mine, gms = open_("chiaki"), open_("gm")
    mine.fill("#f-names-stage", "三太")
    gms.fill("#f-names-office", "与吉")
    saved(mine)
    saved(gms)
    for page in (mine, gms):
        page.reload()
        expect(page.locator("#f-names-stage")).to_have_value("三太")
        expect(page.locator("#f-names-office")).to_have_value("与吉")
    # the GM's page is put to sleep, so that it cannot learn of the other change before it types over it
    gms.evaluate("window.EventSource = null")
    gms.focus("#f-names-given")
    mine.fill("#f-names-given", "松吉")
    mine.keyboard.press("Tab")
    saved(mine)
    gms.keyboard.press("End")
    gms.keyboard.type("姐さん")
    gms.keyboard.press("Tab")
    rival = gms.locator("[data-conflict='names.given']")
    expect(rival).to_contain_text("松吉")
    expect(rival).to_contain_text("千秋")
    expect(gms.locator("#f-names-given")).to_have_value("梅吉姐さん")
    expect(gms.locator("#saved")).to_have_text("未保存 1件")
    # saving something else neither sends nor loses the undecided value
    gms.click("#abil-gi [data-step='-1']")
    expect(gms.locator("#f-abilities-gi")).to_have_value("7")
    expect(rival).to_be_visible()
    expect(gms.locator("#f-names-given")).to_have_value("梅吉姐さん")
    gms.click("[data-settle=mine]")
    saved(gms)
    mine.reload()
    expect(mine.locator("#f-names-given")).to_have_value("梅吉姐さん")


def test_typing_survives_a_lost_connection_and_a_closed_page(open_, made):
    page = open_("chiaki")
    page.context.set_offline(True)
    page.fill("#f-names-office", "うめ")
    expect(page.locator("#saved")).to_contain_text("未保存 1件")
    page.fill("#f-names-stage", "三太")
    expect(page.locator("#saved")).to_contain_text("未保存 2件")
    page.context.set_offline(False)
    saved(page)
    page.context.set_offline(True)
    page.fill("#f-names-office", "うめ姐")
    expect(page.locator("#saved")).to_contain_text("未保存")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(f"/p/{made['slug']}/edit/")
    expect(page.locator("#f-names-office")).to_have_value("うめ姐")
    saved(page)
    page.reload()
    expect(page.locator("#f-names-office")).to_have_value("うめ姐")
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft')).length") == 0


def test_a_draft_goes_on_on_a_second_device_without_overwriting_what_is_typed(open_):
    desk, phone = open_("chiaki"), open_("chiaki", width=360)
    desk.fill("#f-names-stage", "三太")
    saved(desk)
    phone.reload()
    expect(phone.locator("#f-names-stage")).to_have_value("三太")
    # the phone is in the middle of a word while the desk changes points, which redraws the phone's page
    phone.focus("#f-names-office")
    phone.keyboard.type("う")
    desk.click("#abil-body [data-step='1']")
    saved(desk)
    expect(phone.locator("#f-abilities-body")).to_have_value("6")
    phone.keyboard.type("め")
    expect(phone.locator("#f-names-office")).to_have_value("うめ")
    assert phone.evaluate("document.activeElement.id") == "f-names-office"
    saved(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_search_repairs_and_open_details_stay(open_):
    page = open_("chiaki")
    page.click("#d-evasion summary")
    page.fill("#q", "かくれる")
    expect(page.locator("tr[data-hit]")).to_have_count(1)
    page.click("#row-onmitsu [data-step='1']")
    saved(page)
    expect(page.locator("#f-skills-onmitsu-level")).to_have_value("1")
    expect(page.locator("#q")).to_have_value("かくれる")
    assert page.evaluate("document.getElementById('d-evasion').open")
    page.fill("#q", "")
    for ability in ("gi", "gi", "mind", "mind"):
        page.click(f"#abil-{ability} [data-step='1']")
    expect(page.locator("#fix .problem").first).to_contain_text("多く使っています")
    before = page.locator("#fix .problem__msg").all_inner_texts()
    page.locator("#fix .fixes button").first.click()
    expect(page.locator("#fix")).not_to_contain_text(before[0])
    saved(page)


def test_an_offer_arrives_while_building(open_, people, made):  # noqa: F811
    page, giver = open_("chiaki"), open_("kaito")
    assert "403" in giver.title() or giver.locator("#build").count() == 0
    giver.goto(f"/c/{made['table']}/")
    giver.locator("summary", has_text="点を譲る").click()
    giver.fill("#offer-points", "20")
    giver.fill("#offer-note", "余っている")
    giver.locator("form", has=giver.locator("#offer-points")).get_by_role("button").click()
    offer = page.locator(".offer")
    expect(offer).to_contain_text("余っている")
    offer.get_by_role("button", name="受け取る").click()
    expect(page.locator("#costs tr:last-child")).to_contain_text("/ 320")


def test_a_note_outlives_the_presses_that_do_not_use_it(open_):
    page = open_("chiaki")
    page.fill("#note", "はじめの案" * 50)
    page.get_by_role("button", name="心を1上げる").click()
    expect(page.locator("#saved")).to_have_text("下書き保存済み")
    page.get_by_role("button", name="心を1下げる").click()
    page.get_by_role("button", name="版として保存").click()
    expect(page.locator("#note-err")).to_contain_text("200字まで")
    expect(page.locator("#note")).to_have_value("はじめの案" * 50)
    expect(page.locator("#note")).to_have_attribute("aria-invalid", "true")
    page.fill("#note", "はじめの案")
    page.get_by_role("button", name="版として保存").click()
    expect(page.locator("#note")).to_have_value("")
    expect(page.locator("#note-err")).to_have_count(0)
