"""A whole evening in four browsers: GM, two players (one on a phone), somebody who looks on (issue: bar 2).

Dice are those of the real table, told in the forms, so that the evening goes the same way every time. After every press
each of the four pages is compared with what the server draws afresh.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import steps
from tests.sessions.pages.edo import HIDDEN_NPC

pytestmark = [pytest.mark.browser, pytest.mark.server]


@dataclass
class Evening:
    """The four pages. `do` waits until everybody is level again."""

    gm: Page
    hero: Page
    doctor: Page
    watcher: Page

    @property
    def all(self) -> tuple[Page, ...]:
        return (self.gm, self.hero, self.doctor, self.watcher)

    def level(self) -> None:
        for page in self.all:
            steps.level_with_server(page)
            steps.fits(page)
        for page in (self.hero, self.doctor, self.watcher):
            if not self.revealed:
                assert HIDDEN_NPC not in page.content()

    revealed = False


def sheet(page: Page, link: Locator) -> Locator:
    """Press something that opens a form over the page."""
    link.click()
    found = page.locator("dialog.sheet[open]")
    expect(found).to_be_visible()
    return found


def send(form: Locator, button: str, **fields: object) -> None:
    """Fill in a form by the names of its fields, send it, and wait until it is done."""
    for name, value in fields.items():
        fill(form, name.replace("__", "."), value)
    form.get_by_role("button", name=button, exact=True).click()


def fill(form: Locator, name: str, value: object) -> None:
    control = form.locator(f'[name="{name}"]').first
    kind = control.evaluate("node => node.type")
    if kind == "select-one":
        control.select_option(str(value))
    elif kind == "radio":
        form.locator(f'label:has([name="{name}"][value="{value}"])').first.click()
    elif kind == "checkbox":
        control.set_checked(bool(value))
    else:
        fold = form.locator("details:not([open])", has=control.page.locator(f'[name="{name}"]'))
        if fold.count():
            fold.first.locator("summary").first.click()
        control.fill(str(value))


def ask(page: Page) -> Locator:
    return page.locator("#panel-ask")


def answer(page: Page, choice: str, faces: str = "", button: str = "これで決める") -> None:
    """Answer the question that is open on a page: by the words of the choice."""
    form = ask(page).locator("form.question").first
    form.locator("label.act", has_text=re.compile(choice)).first.click()
    if faces:
        fill(form, "field.faces", faces)
    form.get_by_role("button", name=button, exact=True).click()


def tile(page: Page, name: str) -> Locator:
    return page.locator("article.person", has=page.get_by_role("heading", name=re.compile(name)))


def act(page: Page, name: str) -> Locator:
    """An act of one's own, unfolded if need be."""
    panel = page.locator("#panel-acts")
    link = panel.locator("a.act", has_text=name).first
    fold = panel.locator("details:not([open])")
    if fold.count() and not link.is_visible():
        fold.first.locator("summary").first.click()
    return link


def row(page: Page, text: str) -> None:
    expect(page.locator("#log-rows > li", has_text=text).first).to_be_visible()


def npc(page: Page, who: str, deed: str) -> Locator:
    """A form of an NPC's deed, from the GM's tile."""
    opened = sheet(page, tile(page, who).get_by_role("link", name="行い", exact=True))
    opened.locator("a.act", has_text=deed).first.click()
    expect(opened.locator("h2")).to_contain_text(re.compile("攻撃|判定"))
    return opened


@pytest.fixture
def evening(people, site) -> Evening:
    out = site.manage("shell", "-c", "from tests.e2e import evening_seed; evening_seed.build()")
    seed = json.loads(out[out.index("SEED") + 4 :].splitlines()[0])
    sizes = {"gm": (1440, 900), "nagisa": (360, 780), "chiaki": (1280, 800), "watcher": (360, 740)}
    pages = []
    for who, (width, height) in sizes.items():
        person = people(who, width=width, height=height)
        steps.sign_in(person.page, seed["names"][who])
        person.page.goto(f"/c/{seed['campaign']}/sessions/1/")
        pages.append(person.page)
    return Evening(*pages)


def test_an_evening(evening):
    gm, hero, doctor, watcher = evening.all

    # ---- it begins: everybody's page becomes the table
    expect(hero.get_by_role("heading", name="まだ始まっていません")).to_be_visible()
    start = gm.locator("#panel-start form")
    for name in ("有村 左内", "家中の侍", HIDDEN_NPC):
        start.locator(".cast__row", has_text=name).locator("[name=cast]").check()
    for name in ("有村 左内", "家中の侍"):
        start.locator(".cast__row", has_text=name).locator("[name=hidden]").uncheck()
    start.locator(".cast__row", has_text="家中の侍").locator("[type=number]").fill("2")
    start.get_by_role("button", name="始める").click()
    gm.wait_for_load_state()
    expect(hero.locator("#panel-own")).to_contain_text("新八郎")
    gm.locator("#panel-manage").get_by_role("button", name="今夜を始める").click()
    row(watcher, "第1夜、始まり")
    evening.level()
    for page in evening.all:
        steps.accessible(page)

    # ---- a skill roll with its chances before it; two sixes bring a point
    form = sheet(hero, act(hero, "判定する"))
    fill(form, "field.what", "chikaku")
    expect(form.locator(".sheet__odds")).to_contain_text("成功")
    send(form, "振る", field__faces="6,6,1")
    for page in evening.all:
        row(page, "新八郎の知覚")
    expect(hero.locator("#panel-own")).to_contain_text("9/10")
    evening.level()

    # ---- everybody is asked for a roll; one fails and throws again with a point
    form = sheet(gm, gm.get_by_role("link", name="全員に判定を頼む"))
    steps.accessible(gm)
    send(form, "頼む", field__what="chikaku", field__text="橋の下の気配")
    for page in (hero, doctor):
        expect(ask(page)).to_contain_text("橋の下の気配")
    expect(ask(watcher)).not_to_contain_text("振る")
    evening.level()
    question = ask(hero).locator("form.question").first
    send(question, "振る", field__faces="6,5,2")
    expect(gm.locator("#panel-requests")).to_contain_text("返事 1／2")
    send(ask(doctor).locator("form.question").first, "振る", field__faces="1,1,2")
    expect(ask(doctor)).to_contain_text("活劇点を使う")
    evening.level()
    answer(doctor, "振り直し", faces="6,5,1")
    expect(doctor.locator("#panel-own")).to_contain_text("2/5")
    expect(gm.locator("#panel-requests")).to_contain_text("玄庵 成功")
    evening.level()

    # ---- a spy comes in unseen, sneaks, and is seen when the GM says so
    wings = gm.locator("#panel-wings")
    wings.locator("li", has_text=HIDDEN_NPC).get_by_role("button").click()
    expect(tile(gm, HIDDEN_NPC)).to_be_visible()
    evening.level()
    opened = npc(gm, HIDDEN_NPC, "判定する")
    send(opened, "振る", field__what="onmitsu", field__secrecy="blind", field__faces="5,4,1")
    row(gm, "GMのみ")
    evening.level()
    reveal = gm.locator("#panel-requests").get_by_role("button", name="皆に明かす")
    reveal.click()
    expect(gm.locator("#panel-requests .refused")).to_contain_text("姿を隠しています")
    tile(gm, HIDDEN_NPC).get_by_role("button", name="姿を見せる").click()
    expect(tile(hero, HIDDEN_NPC)).to_be_visible()
    evening.revealed = True
    evening.level()
    reveal.click()
    expect(gm.locator("#panel-requests")).not_to_contain_text("伏せた判定")
    row(watcher, "明かされた")
    evening.level()

    # ---- swords: the others come on, a fight begins
    for name in ("有村 左内", "家中の侍"):
        opened = sheet(gm, wings.locator("li", has_text=name).get_by_role("link", name="ほか"))
        send(opened, "登場させる", field__drawn=True)
        expect(tile(watcher, name)).to_be_visible()
    form = sheet(hero, act(hero, "抜く"))
    form.locator("form", has_text="大刀").get_by_role("button", name="抜く・取り出す").click()
    expect(hero.locator("#panel-own")).to_contain_text("手に大刀")
    gm.locator("#panel-rail").get_by_role("button", name="戦いを始める").click()
    expect(watcher.locator("#rail [aria-current]")).to_contain_text("新八郎")
    expect(hero.locator("#panel-ask h2")).to_have_text("あなたの手番です")
    evening.level()

    # ---- out of turn: refused in words at its place, the GM may set it aside with a reason
    opened = npc_attack(gm, "家中の侍")
    opened.locator("label.act", has_text="玄庵").click()
    opened.get_by_role("button", name="攻める").click()
    refusal = opened.locator(".refused")
    expect(refusal).to_contain_text("新八郎")
    steps.accessible(gm)
    gm.keyboard.press("Escape")
    expect(gm.locator("dialog.sheet[open]")).to_have_count(0)

    # ---- an attack that meets a parry; a point turns the failed parry into a new throw
    form = sheet(hero, act(hero, "攻撃"))
    form.locator("label.act", has_text="有村").click()
    send(form, "攻める", field__distance="1")
    expect(ask(gm)).to_contain_text("有村 左内は斬り返すか")
    evening.level()
    answer(gm, "反撃しない", faces="6,5,4")
    expect(ask(gm)).to_contain_text("どうしのぐか")
    answer(gm, "受け.*大刀", faces="1,2,1", button="これでしのぐ")
    expect(ask(gm)).to_contain_text("しのぎそこねた")
    evening.level()
    # a critical 6 brings one more die; he keeps his feet
    answer(gm, "このままにする", faces="6,1")
    row(watcher, "致命")
    expect(tile(watcher, "有村")).to_contain_text(re.compile("手負い|ひどい傷"))
    evening.level()

    # ---- the exchange with a counter: both roll, the larger total lands first
    give_turn(gm, "有村 左内")
    expect(watcher.locator("#rail [aria-current]")).to_contain_text("有村")
    opened = npc(gm, "有村", "攻撃")
    opened.locator("label.act", has_text="新八郎").click()
    send(opened, "攻める", field__distance="1")
    expect(ask(hero)).to_contain_text("斬り返すか")
    expect(hero.locator(".dock .badge").first).to_have_text("1")
    evening.level()
    answer(hero, "反撃.*大刀", faces="1,1,1,6,5,4")
    # both hit; the hero's larger total lands first, and whoever falls to it strikes no more
    expect(ask(gm)).to_contain_text("有村 左内はどうしのぐか")
    evening.level()
    answer(gm, "しのがない", faces="1", button="これでしのぐ")
    finish(evening)
    expect(tile(watcher, "有村")).to_contain_text("死亡")
    evening.level()

    # ---- a samurai, struck with the back of the blade, loses heart
    give_turn(gm, "新八郎")
    expect(watcher.locator("#rail [aria-current]")).to_contain_text("新八郎")
    form = sheet(hero, act(hero, "攻撃"))
    form.locator("label.act", has_text="家中の侍 1").click()
    fill(form, "field.buy", True)
    send(form, "攻める", field__distance="1", field__mode="minejuchi", field__faces="6,5,4,1,1,1,2")
    row(watcher, "戦意を失った")
    expect(tile(watcher, "家中の侍")).to_contain_text("残り 1")
    evening.level()

    # ---- death is averted with points: seemingly dead for all
    form = sheet(gm, tile(gm, "玄庵").get_by_role("link", name="打撃"))
    send(form, "傷を与える", field__amount="30", field__reason="欄干が落ちた")
    expect(ask(doctor)).to_contain_text("じつは生きていたか")
    evening.level()
    answer(doctor, "じつは生きていた")
    expect(tile(gm, "玄庵")).to_contain_text("死んだように見える")
    evening.level()

    # ---- after the fight: he comes round, and treats the hero's wound
    gm.locator("#panel-rail summary", has_text="手番を渡す").click()
    gm.locator("#panel-rail").get_by_role("button", name="戦いを終える").click()
    row(watcher, "戦いが終わった")
    form = sheet(gm, tile(gm, "玄庵").get_by_role("link", name="状態"))
    steps.unfold(form, "気絶・眠りから起こす").get_by_role("button", name="目を覚まさせる").click()
    expect(doctor.locator("#panel-own")).not_to_contain_text("死んだように見える")
    form = sheet(gm, tile(gm, "新八郎").get_by_role("link", name="打撃"))
    send(form, "傷を与える", field__amount="1", field__reason="かすり傷")
    form = sheet(doctor, act(doctor, "手当て"))
    fill(form, "field.target", hero_id(hero))
    expect(form.locator(".sheet__odds")).to_contain_text("成功")
    send(form, "手当てする", field__faces="6,5,1")
    row(watcher, "手当てができた")
    evening.level()

    # ---- taken back: the row stays, struck through
    gm.locator("#panel-undo").get_by_role("button", name="取り消す").click()
    expect(watcher.locator("#log-rows > li[data-state=undone]").first).to_be_visible()
    evening.level()

    # ---- talk and the dice box
    hero.locator("#say").fill("さて、帰るか")
    hero.locator("#panel-say button").click()
    row(watcher, "さて、帰るか")
    doctor.locator("#say").fill("2D6")
    doctor.locator("#panel-say button").click()
    row(watcher, "2D6")
    evening.level()

    # ---- the end: everybody says yes to what stays, the log closes
    gm.locator("#panel-manage").get_by_role("button", name="終わりの支度をする").click()
    expect(hero.locator("#panel-carry")).to_contain_text("傷")
    evening.level()
    for page in (hero, doctor):
        page.locator("#panel-carry").get_by_role("button", name="これでよい").click()
    expect(gm.locator("#panel-carry")).not_to_contain_text("返事待ち")
    evening.level()
    gm.locator("#panel-carry").get_by_role("button", name="この回を終わる").click()
    for page in evening.all:
        row(page, "この回はここまで")
    evening.level()
    for page in evening.all:
        page.reload()
        expect(page.locator("#panel-say")).to_be_hidden()
        steps.accessible(page)


def give_turn(page: Page, name: str) -> None:
    page.locator("#panel-rail summary", has_text="手番を渡す").click()
    page.locator("#panel-rail").get_by_role("button", name=name).click()


def npc_attack(page: Page, who: str) -> Locator:
    return sheet(page, tile(page, who).get_by_role("link", name="まとめて攻撃"))


def hero_id(page: Page) -> str:
    """The id of the one character a player has, from the say box."""
    return page.locator("#panel-say option[value^=c]").first.get_attribute("value") or ""


def finish(evening: Evening) -> None:
    """Let the exchange run out; dice are thrown here."""
    for _turn in range(12):
        evening.gm.wait_for_timeout(300)
        asked = ask(evening.gm).locator("form.question").first
        if ask(evening.gm).locator(".chip--mark", has_text="返答待ち").count() == 0:
            return
        behalf = ask(evening.gm).locator("details[data-keep=behalf]:not([open]) > summary")
        if behalf.count() and not asked.is_visible():
            behalf.first.click()
        plain = asked.locator("label.act", has_text=re.compile("しのがない|このままにする|ここで果てる|^振る")).first
        plain.click()
        asked.get_by_role("button", name=re.compile("これで決める|これでしのぐ")).click()
        evening.level()
    raise AssertionError("the exchange does not end")
