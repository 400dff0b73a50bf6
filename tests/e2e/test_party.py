"""From invitation to a cleared party: a GM and three players, all in real browsers (issue: bar 5)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e import steps

pytestmark = [pytest.mark.browser, pytest.mark.server]

# 280 points (rules/edo.md §4.9), a lead of 400 and a helper of 170: together the pool of three players, 850.
CO_LEAD = {
    "role": "co_lead",
    "abilities.mind": 7,
    "abilities.gi": 7,
    "abilities.body": 6,
    "skills.kenjutsu.level": 5,
    "skills.kenpo.level": 3,
    "skills.jujutsu.level": 3,
    "skills.taisabaki.level": 3,
    "skills.onmitsu.level": 2,
    "skills.undo.level": 2,
    "skills.yomikaki.level": 2,
    "skills.bukeshakai.level": 2,
    "skills.chikaku.level": 4,
    "style_skill": "kenjutsu",
    "perks.opp_defence_harder": True,
    "perks.iai": True,
    "endurance_bought": 2,
    "names.given": "新八郎",
}
LEAD = {
    "role": "lead",
    "abilities.mind": 6,
    "abilities.gi": 8,
    "abilities.body": 7,
    "skills.kenjutsu.level": 6,
    "skills.taisabaki.level": 4,
    "skills.chikaku.level": 4,
    "skills.edomachi.level": 4,
    "skills.yomikaki.level": 2,
    "skills.benzetsu.level": 2,
    "style_skill": "kenjutsu",
    "schools.yagyu": True,
    "endurance_bought": 3,
    "names.given": "主馬",
}
SUPPORT = {
    "role": "support",
    "abilities.mind": 7,
    "abilities.gi": 6,
    "abilities.body": 5,
    "skills.ijutsu.level": 5,
    "skills.yomikaki.level": 4,
    "skills.edomachi.level": 4,
    "endurance_bought": 3,
    "names.given": "玄庵",
}


def build(person, fields) -> None:
    page = person.page
    page.get_by_role("button", name=re.compile("作る")).first.click()
    page.wait_for_url("**/p/*/edit/")
    page.goto(page.url + "?skills=all")
    steps.fill(page, fields)
    steps.saved(page)


def test_from_invitation_to_a_cleared_party(people):
    gm = people("雪村")
    steps.sign_up(gm.page, "yukimura")
    campaign = steps.make_campaign(gm.page, "大川端捕物控", "雪村", players=3)
    steps.fits(gm.page)
    link = steps.invite(gm.page)

    nagisa, chiaki, kaito = people("なぎさ"), people("千秋", width=360, height=740), people("海斗")
    players = (nagisa, chiaki, kaito)
    for person in players:
        steps.join(person.page, link, person.name)
        steps.fits(person.page)
    # they appear on the GM's page without a reload
    for person in players:
        expect(gm.page.locator("#panel-members")).to_contain_text(person.name)
    expect(gm.page.locator("#panel-pool")).to_contain_text("850")

    # the GM shares out 300 + 380 + 170; each player sees the own figure arrive
    pool = gm.page.locator("#panel-pool")
    for name, points in (("なぎさ", 300), ("千秋", 380), ("海斗", 170)):
        fold = steps.unfold(pool, "割り当てを決める")
        row = fold.locator("li", has_text=name)
        row.get_by_role("textbox").fill(str(points))
        row.get_by_role("button", name="決める").click()
        expect(pool.locator(".pool__keys li", has_text=name)).to_contain_text(f"/{points}")
    expect(chiaki.page.locator("#panel-pool")).to_contain_text("/380")

    # なぎさ gives 20 to 千秋, who takes them on the phone
    fold = steps.unfold(nagisa.page.locator("#panel-pool"), "点を譲る")
    fold.get_by_label("だれに").select_option(label="千秋")
    fold.get_by_label(re.compile("点")).first.fill("20")
    fold.get_by_role("button", name="申し出る").click()
    offer = chiaki.page.locator("#panel-pool .offer")
    expect(offer).to_contain_text("なぎささんから 20点")
    offer.get_by_role("button", name=re.compile("受け取る（380 → 400）")).click()
    expect(nagisa.page.locator("#panel-pool .pool__keys")).to_contain_text("/280")
    for person in players:
        person.page.locator("#panel-pool").get_by_role("button", name="この分け方でよい").click()
    expect(gm.page.locator("#panel-pool")).to_contain_text("全員")
    for person in (gm, *players):
        steps.live_equals_reload(person.page)
        steps.accessible(person.page)

    # everybody builds; nobody is over
    for person, fields in zip(players, (CO_LEAD, LEAD, SUPPORT), strict=True):
        build(person, fields)
        steps.fits(person.page)
    expect(nagisa.page.locator("#b-log")).to_contain_text("280")
    steps.accessible(nagisa.page)

    # a draft resumed on a second device
    nagisa_edit = nagisa.page.url.split("?")[0]
    nagisa.page.goto("/me/")
    nagisa.page.get_by_role("button", name=re.compile("ほかの端末|別の端末|リンク")).first.click()
    device = nagisa.page.locator("input[readonly]").first.input_value()
    phone = people("なぎさの電話", width=360, height=740)
    phone.page.goto(device)
    phone.page.locator("main form button").last.click()
    phone.page.goto(nagisa_edit + "?skills=all")
    expect(phone.page.locator('[name="f.skills.kenjutsu.level"]')).to_have_value("5")
    expect(phone.page.locator('[name="f.names.given"]')).to_have_value("新八郎")
    steps.fits(phone.page)

    # two editors: different fields merge, the same field shows both
    nagisa.page.goto(nagisa_edit + "?skills=all")
    steps.fill(phone.page, {"status": "浪人"})
    steps.saved(phone.page)
    steps.fill(nagisa.page, {"occupation": "剣客"})
    steps.saved(nagisa.page)
    expect(nagisa.page.locator('[name="f.status"]')).to_have_value("浪人")
    steps.fill(phone.page, {"names.office": "兵庫"})
    steps.saved(phone.page)
    nagisa.expected = (*nagisa.expected, "net::ERR_FAILED")
    nagisa.page.route("**/edit/?parts=1*", lambda route: route.abort())  # this screen has not heard of it yet
    steps.fill(nagisa.page, {"names.office": "内記"})
    conflict = nagisa.page.locator('[data-conflict="names.office"]')
    expect(conflict).to_contain_text("兵庫")
    expect(conflict).to_contain_text("内記")
    expect(nagisa.page.locator('[name="f.names.office"]')).to_have_value("内記")
    nagisa.page.unroute("**/edit/?parts=1*")
    conflict.get_by_role("button", name=re.compile("自分")).click()
    steps.saved(nagisa.page)
    phone.page.reload()
    expect(phone.page.locator('[name="f.names.office"]')).to_have_value("内記")

    # each asks; the GM clears all three
    sheets = []
    for person in players:
        edit = nagisa_edit if person is nagisa else person.page.url.split("?")[0]
        person.page.goto(edit)
        person.page.get_by_role("button", name=re.compile("GMに見てもらう")).click()
        expect(person.page.locator("#review")).to_contain_text("確認待ち")
        sheets.append(edit)
    for edit in sheets:
        gm.page.goto(edit)
        gm.page.get_by_role("button", name="確認した").click()
        expect(gm.page.locator("#review")).to_contain_text("確認済み")
    gm.page.goto(campaign)
    expect(gm.page.locator("#panel-pool")).to_contain_text("850")
    expect(gm.page.locator("#panel-members").get_by_text("確認済み").first).to_be_visible()

    # a restore: a change is saved as a version, then the first version comes back
    kaito.page.goto(sheets[2] + "?skills=all")
    steps.fill(kaito.page, {"names.given": "道庵"})
    steps.saved(kaito.page)
    kaito.page.get_by_role("button", name=re.compile("第2版として保存")).click()
    expect(kaito.page.locator("#review")).to_contain_text("第3版")
    kaito.page.goto(sheets[2].replace("/edit/", "/history/1/"))
    kaito.page.get_by_role("button", name=re.compile("戻す|この版")).first.click()
    kaito.page.goto(sheets[2])
    expect(kaito.page.locator('[name="f.names.given"]')).to_have_value("玄庵")

    # every viewer's page equals the page reloaded; nothing overflows; axe is content
    for person in (gm, *players):
        person.page.goto(campaign)
        steps.live_equals_reload(person.page)
        steps.fits(person.page)
        steps.accessible(person.page)
    for edit in sheets:
        sheet = edit.replace("edit/", "")
        for person in (gm, chiaki):
            person.page.goto(sheet)
            steps.fits(person.page)
            steps.accessible(person.page)
