"""From the draft of abilities to the closing of a story in five browsers: GM, three players (one on a phone, one with
nothing but keys), somebody who looks on (issue: bar 4).

The draft is the example of rules/alice.md §4.8, its piles laid by the seed in place of a shuffle. Later cards fall as
the server shuffles them: the test goes by what the pages ask, and where the story needs a success it takes luck.
"""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import keyboard, steps
from tests.e2e.conftest import Site
from tests.e2e.keyboard import tap, write
from tests.e2e.table import LEVEL, Evening, act, deed, fill, filled, row, sheet, tile, unfold

pytestmark = [pytest.mark.browser, pytest.mark.server]

SIZES = {"gm": (1440, 900), "nagisa": (360, 780), "chiaki": (1280, 800), "akari": (1280, 800), "watcher": (360, 740)}
PLAYERS = ("nagisa", "chiaki", "akari")
NAMES = {"nagisa": "アルマ", "chiaki": "ボリス", "akari": "カーラ"}
TRADES = {"nagisa": "商人", "chiaki": "木こり", "akari": "書士"}
AXE = ("gm", "nagisa", "chiaki")
# Who says what in the example, A B C = nagisa chiaki akari; nobody is asked for the last four cards.
GOLDEN = (
    *(("nagisa", False), ("chiaki", True), ("chiaki", False), ("akari", False), ("akari", True), ("nagisa", False)),
    *(("chiaki", False), ("akari", False), ("akari", True), ("nagisa", True), ("chiaki", True)),
)
DEALT = {
    "nagisa": ("スペードのJ", "クラブの4", "ハートの6", "ダイヤの5"),
    "chiaki": ("スペードの7", "クラブのQ", "ハートの8", "ダイヤの10"),
    "akari": ("スペードの10", "クラブの9", "ハートのK", "ダイヤの2"),
}
FACE_DOWN = "伏せたカード"


@pytest.fixture
def campaign(site) -> SimpleNamespace:
    out = site.manage("shell", "-c", "from tests.e2e import alice_seed; alice_seed.build()")
    return SimpleNamespace(**json.loads(out[out.index("SEED") + 4 :].splitlines()[0]))


@pytest.fixture
def evening(people, site, campaign) -> Evening:
    found = Evening({}, {"'ja':": set()})  # words of the rules, not of Python
    for who, (width, height) in SIZES.items():
        person = people(who, width=width, height=height, reduced_motion="reduce")
        person.context.add_init_script(LEVEL)
        person.context.add_cookies([{"name": campaign.cookie, "value": campaign.sessions[who], "url": site.url}])
        person.page.goto(campaign.address)
        found.pages[who] = person.page
    keyboard.only(found.pages["chiaki"])
    return found


def test_from_the_draft_to_the_closing(evening, campaign, site):
    deal_abilities(evening, campaign, site)
    fill_in(evening, campaign)
    sit_down(evening, campaign)
    produce_cards(evening)
    give_a_card(evening)
    know_a_principle(evening)
    against_each_other(evening)
    fight(evening)
    next_morning(evening)
    close(evening)


# ---------------------------------------------------------------- the draft


def deal_abilities(evening: Evening, campaign: SimpleNamespace, site: Site) -> None:
    """Twelve cards, by hands of janken, with a rest and an undo on the way; they end in the sheets."""
    gm = evening.pages["gm"]
    tap(gm.locator("#panel-sessions").get_by_role("button", name="能力の札を配る"))
    gm.wait_for_url("**/sessions/*/")
    come_in(evening)
    story = gm.locator("#panel-setup details", has_text="話の始まりを示す").locator("form")
    write(unfold(story.locator("textarea")), "森のはずれの村に、手紙が届く。")
    evening.press(gm, story.get_by_role("button", name="皆に示す"))
    evening.press(gm, gm.locator("#panel-setup").get_by_role("button", name="配りを始める"))
    evening.press(gm, gm.locator("#panel-undo").get_by_role("button", name="取り消す"))
    slug = campaign.address.strip("/").split("/")[1]
    site.manage("shell", "-c", f"from tests.e2e import alice_seed; alice_seed.golden_start({slug!r})")
    for page in evening.pages.values():
        page.reload()
    janken(evening)
    said = list(GOLDEN)
    for _press in range(4):
        answer_offer(evening, said)
    evening.accessible(*AXE)
    evening.press(gm, gm.locator("#panel-offer").get_by_role("button", name="休みにする"))
    for page in evening.pages.values():  # another day: everybody comes back to the same card
        page.reload()
        expect(page.locator("#panel-offer")).to_contain_text("休み中")
    assert not asked(evening)
    evening.press(gm, gm.locator("#panel-offer").get_by_role("button", name="再開する"))
    before = gm.locator("#panel-table").inner_text()
    answer_offer(evening, said[:])
    evening.press(gm, gm.locator("#panel-undo").get_by_role("button", name="取り消す"))
    assert gm.locator("#panel-table").inner_text() == before
    while gm.locator("#panel-offer").is_visible():
        answer_offer(evening, said)
    assert not said
    expect(gm.locator("#panel-setup")).to_contain_text("配り終わり")
    for who, cards in DEALT.items():
        seat = gm.locator(f'article.seat[aria-label="{who}さんの席"]')
        assert tuple(card.get_attribute("aria-label") for card in seat.locator("svg.card").all()) == cards
    evening.press(gm, gm.locator("#panel-setup").get_by_role("button", name="役に写して終える"))


def come_in(evening: Evening) -> None:
    """Everybody but the GM follows the campaign page to the table that is open."""
    for who, page in evening.pages.items():
        if who != "gm":
            tap(page.locator("#panel-sessions").get_by_role("link", name=re.compile("卓へ|見る")).first)
            page.wait_for_url("**/sessions/*/")
    evening.level()


def janken(evening: Evening) -> None:
    """Rock against two scissors; nobody sees a hand before the last is shown."""
    for who, hand in zip(PLAYERS, ("チョキ", "グー", "チョキ"), strict=True):
        page = evening.pages[who]
        evening.press(page, page.locator("#panel-offer").get_by_role("button", name=hand))
        if who != "akari":
            expect(page.locator("#panel-offer")).to_contain_text(f"あなたの手：{hand}")
            expect(evening.pages["watcher"].locator("#panel-offer")).not_to_contain_text("あなたの手")
    winner = evening.pages["chiaki"]
    evening.press(winner, winner.locator("#panel-offer").get_by_role("button", name="nagisa"))
    expect(evening.pages["nagisa"].locator("#panel-offer[data-todo]")).to_be_visible()


def asked(evening: Evening) -> list[str]:
    return [who for who in PLAYERS if evening.pages[who].locator("#panel-offer[data-todo]").count()]


def answer_offer(evening: Evening, said: list[tuple[str, bool]]) -> None:
    """Whoever the pages say is asked answers, exactly one of the three: turns the card, or says what comes next."""
    (who,) = asked(evening)
    page = evening.pages[who]
    offer = page.locator("#panel-offer")
    button = offer.get_by_role("button", name="めくる", exact=True)
    if not button.count():
        expected, claim = said.pop(0)
        assert who == expected
        button = offer.get_by_role("button", name="取る" if claim else "見送る", exact=True)
    evening.press(page, button)


# ---------------------------------------------------------------- the sheets


def fill_in(evening: Evening, campaign: SimpleNamespace) -> None:
    """The cards are in everybody's sheet; name, trade and age make it whole; the GM agrees and clears it."""
    gm = evening.pages["gm"]
    for who in PLAYERS:
        page = evening.pages[who]
        page.goto(campaign.address)
        tap(page.locator(".todo, #panel-characters, main").locator('a[href*="/p/"]').first)
        page.wait_for_url("**/p/**")
        if "/edit/" not in page.url:
            page.goto(page.url.split("?")[0] + "edit/")
        expect(page.locator("#b-cards .chip--ok")).to_contain_text("配りで決まった")
        assert page.locator("#b-cards svg.card").count() == 4
        for key, value in (("name", NAMES[who]), ("age", "20"), ("occupation", TRADES[who])):
            write(page.locator(f'[name="f.{key}"]'), value)
            page.keyboard.press("Tab")
        steps.saved(page)
        steps.fits(page)
        tap(page.get_by_role("button", name=re.compile("GMに見てもらう")))
        expect(page.locator("#review")).to_contain_text("確認待ち")
        gm.goto(page.url.split("?")[0])
        tap(gm.get_by_role("button", name="これでよい"))
        expect(gm.get_by_role("button", name="確認を取り消す")).to_be_visible()
        tap(gm.get_by_role("button", name="確認した"))
        expect(gm.locator("#review")).to_contain_text("確認済み")
    steps.accessible(evening.pages["nagisa"])


def sit_down(evening: Evening, campaign: SimpleNamespace) -> None:
    """The GM plans the evening, opens the table with a wolf in sight, deals."""
    gm = evening.pages["gm"]
    for page in evening.pages.values():
        page.goto(campaign.address)
    write(unfold(gm.locator("#session-new-title")), "封蝋の手紙")
    tap(gm.locator("#panel-sessions").get_by_role("button", name="立てる"))
    gm.wait_for_url("**/sessions/*/")
    come_in(evening)
    start = gm.locator("#panel-start form")
    start.locator(".cast__row", has_text="狼").locator("[name=cast]").check()
    start.locator(".cast__row", has_text="狼").locator("[name=hidden]").uncheck()
    evening.press(gm, start.get_by_role("button", name="始める"), status=303)
    evening.press(gm, gm.locator("#panel-lead").get_by_role("button", name="手札を配る"))
    for who in PLAYERS:
        expect(evening.pages[who].locator("#panel-hand .hc svg.card")).to_have_count(3)


# ---------------------------------------------------------------- tests


def produce_cards(evening: Evening) -> None:
    """A card from the hand; a favourable situation and a flip; luck that is spent."""
    gm, nagisa, chiaki, akari, watcher = evening.pages.values()
    declare(evening, akari, "test", "宣言する", field__text="本を探す", field__suit="C")
    rule(evening, "頭脳", 1)
    proposal = op(akari).locator("form", has_text="申し出る")
    fill(proposal, "field.cls", "expert")
    write(proposal.locator("[name='field.why']"), "書庫で働いていた")
    expect(op(watcher)).to_contain_text("難易度 1枚")
    evening.press(akari, proposal.get_by_role("button", name="GMに申し出る"))
    expect(op(gm)).to_contain_text("書庫で働いていた")
    settle_class(evening, "専門")
    expect(op(akari)).to_contain_text("%")
    evening.accessible(*AXE)
    play(evening, akari)
    expect(watcher.locator("#panel-registry")).to_contain_text("本を探す")

    declare(evening, nagisa, "test", "宣言する", field__text="荷を担ぐ", field__suit="S")
    rule(evening, "肉体", 2, favourable=True)
    expect(op(nagisa)).to_contain_text("難易度 1枚")
    settle_class(evening, "専門")
    evening.press(nagisa, op(nagisa).get_by_role("button", name="山札からめくる"))
    read_ace(evening, nagisa)
    expect(nagisa.locator("#panel-hand .hc svg.card")).to_have_count(3)

    declare(evening, chiaki, "test", "宣言する", field__text="崖を登る", field__suit="S")
    rule(evening, "肉体", 3)
    settle_class(evening, "関連")
    spend_luck(evening, chiaki)
    expect(chiaki.locator("#panel-own .abc[data-stage='1']")).to_contain_text("軽傷")


def declare(evening: Evening, page: Page, form: str, button: str, **fields: object) -> None:
    labels = {"test": "判定する", "reason": "道理を思い出す", "contest": "だれかと競う", "recovery": "手当てする"}
    opened = sheet(page, act(page, labels[form]))
    evening.press(page, filled(opened, button, **fields))


def rule(evening: Evening, suit: str, cards: int, *, favourable: bool = False) -> None:
    """The GM names the ability and lays the difficulty face down: nobody sees what it is."""
    gm = evening.pages["gm"]
    if suit:
        evening.press(gm, op(gm).get_by_role("button", name=suit))
    if favourable:
        fill(op(gm), "field.favourable", True)
    evening.press(gm, op(gm).get_by_role("button", name=f"難易度 {cards}枚"))
    for page in evening.pages.values():
        expect(op(page).get_by_role("img", name=FACE_DOWN)).to_have_count(cards - favourable)


def settle_class(evening: Evening, cls: str) -> None:
    gm = evening.pages["gm"]
    evening.press(gm, op(gm).locator("form[action*='test.class']").first.get_by_role("button", name=cls))


def play(evening: Evening, page: Page, button: str = "この札を出す") -> None:
    """The first card of the hand that may be played."""
    tap(op(page).locator("label.hc").first)
    evening.press(page, op(page).get_by_role("button", name=button))


def spend_luck(evening: Evening, page: Page) -> None:
    evening.press(page, op(page).get_by_role("button", name="幸運を削る"))


def read_ace(evening: Evening, page: Page) -> None:
    """An ace that was turned leaves a choice."""
    if op(page).get_by_role("button", name="達成値21とする").count():
        evening.press(page, op(page).get_by_role("button", name="達成値21とする"))


def op(page: Page) -> Locator:
    return page.locator("#panel-op")


def give_a_card(evening: Evening) -> None:
    """カーラ helps ボリス with a card; the two see it, the others that there is one; he gives up one of four."""
    gm, nagisa, chiaki, akari, _watcher = evening.pages.values()
    form = sheet(akari, akari.locator("#panel-others").get_by_role("link", name="札を譲って助ける"))
    form.locator("[name='field.target']").select_option(label=NAMES["chiaki"])
    tap(form.locator("label:has([name='field.card'])").first)
    evening.press(akari, filled(form, "申し出る", field__text="肩を貸して塀を越えさせる"))
    expect(akari.locator("#panel-transfers svg.card")).to_have_count(1)
    expect(nagisa.locator("#panel-transfers svg.card")).to_have_count(0)
    evening.press(gm, gm.locator("#panel-transfers").get_by_role("button", name="認める", exact=True))
    hand = chiaki.locator("#panel-hand")
    expect(hand.locator(".hc svg.card")).to_have_count(4)
    tap(hand.locator("label.hc").nth(2))
    evening.press(chiaki, hand.get_by_role("button", name="捨てる"))
    expect(hand.locator(".hc svg.card")).to_have_count(3)


def know_a_principle(evening: Evening) -> None:
    """A principle is recalled, and used for the next test of that action: the class is one better."""
    gm, _nagisa, chiaki, *_others = evening.pages.values()
    declare(evening, chiaki, "reason", "思い出す", field__text="罠を外す")
    rule(evening, "", 1)
    settle_class(evening, "専門")
    spend_luck(evening, chiaki)
    expect(chiaki.locator("#panel-own")).to_contain_text("罠を外す")
    declare(evening, chiaki, "test", "宣言する", field__text="罠を外す", field__suit="C")
    rule(evening, "頭脳", 1)
    evening.press(chiaki, op(chiaki).get_by_role("button", name="「罠を外す」の道理を使う"))
    settle_class(evening, "門外")
    expect(op(gm)).to_contain_text("関連")
    evening.press(chiaki, op(chiaki).get_by_role("button", name="出さない"))
    expect(chiaki.locator("#panel-own")).not_to_contain_text("罠を外す")


def against_each_other(evening: Evening) -> None:
    """A contest of two; a race of three with cards face down until the last lies there."""
    gm, nagisa, _chiaki, akari, watcher = evening.pages.values()
    opened = sheet(nagisa, act(nagisa, "だれかと競う"))
    tap(opened.locator("label.check", has_text=NAMES["akari"]))
    evening.press(nagisa, filled(opened, "仕掛ける", field__text="先に言い当てる"))
    evening.press(gm, op(gm).get_by_role("button", name="決める"))
    settle_class(evening, "専門")
    play(evening, nagisa)
    settle_class(evening, "専門")
    play(evening, akari)
    expect(op(gm)).to_be_hidden()

    opened = sheet(gm, gm.locator("#panel-lead").get_by_role("link", name="競争"))
    opened.locator("label.check", has_text="狼").locator("input").uncheck()
    evening.press(gm, filled(opened, "始める", field__text="村まで走る"))
    for _racer in PLAYERS:
        settle_class(evening, "専門")
    for n, who in enumerate(PLAYERS, 1):
        play(evening, evening.pages[who], "この札を伏せる")
        if n < len(PLAYERS):
            expect(op(watcher).get_by_role("img", name=FACE_DOWN)).to_have_count(n)
    expect(row(watcher, "村まで走る")).to_be_visible()


def fight(evening: Evening) -> None:
    """Everybody has a turn: a player hits the wolf with a card, the wolf hits アルマ with what the pile gives."""
    gm = evening.pages["gm"]
    opened = sheet(gm, gm.locator("#panel-lead").get_by_role("link", name="戦いを始める"))
    evening.press(gm, opened.get_by_role("button", name="始める"))
    hit = False
    for _turn in range(4):
        name = gm.locator("#rail [aria-current] b, #panel-rail [aria-current] b").inner_text()
        who = next((one for one in PLAYERS if NAMES[one] == name), "gm")
        if who == "gm":
            attack(evening, "gm", NAMES["nagisa"])
            evening.press(gm, op(gm).get_by_role("button", name="山札からめくる"))
            expect(tile(gm, NAMES["nagisa"]).locator("[data-stage]:not([data-stage='0'])").first).to_be_visible()
        elif not hit:
            attack(evening, who, "狼")
            tap(op(evening.pages[who]).locator("label.hc").first)
            evening.press(evening.pages[who], op(evening.pages[who]).get_by_role("button", name="この札で傷つける"))
            expect(tile(gm, "狼").locator("[data-stage]:not([data-stage='0'])").first).to_be_visible()
            hit = True
        else:
            evening.press(evening.pages[who], act_button(evening.pages[who], "何もしない"))
    evening.press(gm, gm.locator("#panel-lead").get_by_role("button", name="戦いを終える"))


def act_button(page: Page, name: str) -> Locator:
    return page.locator("#panel-acts").get_by_role("button", name=name)


def attack(evening: Evening, who: str, target: str) -> None:
    """An attack that hits: a legal card, and whoever is attacked plays none."""
    gm, page = evening.pages["gm"], evening.pages[who]
    form = deed(gm, "狼", "攻撃する") if who == "gm" else sheet(page, act(page, "攻撃する"))
    choices = form.locator("[name='field.target'] option")
    fill(form, "field.target", choices.filter(has_text=target).first.get_attribute("value"))
    evening.press(page, filled(form, "攻撃する", field__text="正面から"))
    settle_class(evening, "専門")
    if who == "gm":
        evening.press(gm, op(gm).get_by_role("button", name="山札からめくる"))
        read_ace(evening, gm)
    else:
        play(evening, page)
    settle_class(evening, "専門")
    defender = gm if target == "狼" else evening.pages["nagisa"]
    evening.press(defender, op(defender).get_by_role("button", name="出さない"))


def next_morning(evening: Evening) -> None:
    """アルマ rests and is treated; those who slept change cards, one who watched may not."""
    gm, nagisa, chiaki, akari, _watcher = evening.pages.values()
    for suit, reason in (("S", "橋から落ちた"), ("H", "手紙を失くした")):
        form = sheet(gm, tile(gm, NAMES["nagisa"]).get_by_role("link", name="傷", exact=True))
        evening.press(gm, filled(form, "一段傷つける", field__suit=suit, field__reason=reason))
    form = sheet(gm, tile(gm, NAMES["nagisa"]).get_by_role("link", name="状態", exact=True))
    evening.press(gm, form.get_by_role("button", name="安静にする"))
    form = sheet(gm, gm.locator("#panel-lead").get_by_role("link", name="朝を迎える"))
    tap(form.locator("label.check", has_text=NAMES["akari"]))
    evening.press(gm, form.get_by_role("button", name="朝にする"))
    expect(akari.locator("#panel-hand")).to_contain_text("眠らなかった")
    for page in (nagisa, chiaki):
        tap(page.locator("#panel-hand label.hc").nth(1))
        evening.press(page, page.locator("#panel-hand").get_by_role("button", name="入れ替える"))
    evening.press(gm, gm.locator("#panel-lead").get_by_role("button", name="朝を終える"))
    body = nagisa.locator("#panel-own .abc").first
    before = int(body.get_attribute("data-stage"))
    opened = sheet(chiaki, act(chiaki, "手当てする"))
    choices = opened.locator("[name='field.patient'] option")
    fill(opened, "field.patient", choices.filter(has_text=NAMES["nagisa"]).first.get_attribute("value"))
    evening.press(chiaki, filled(opened, "手当てする", field__suit="S"))
    rule(evening, "", 2)
    settle_class(evening, "専門")
    spend_luck(evening, chiaki)
    expect(body).to_have_attribute("data-stage", str(before - 1))


def close(evening: Evening) -> None:
    """All cards are turned up; everybody says yes to what stays; it is in the sheets."""
    gm, nagisa, chiaki, *_others = evening.pages.values()
    evening.press(gm, unfold(gm.locator("#panel-lead button", has_text="札を開いて話を終える")))
    expect(nagisa.locator("#panel-lead")).to_contain_text("すべての札が見えています")
    evening.press(gm, gm.locator("#panel-manage").get_by_role("button", name="終わりの支度をする"))
    evening.accessible(*AXE)
    for who in PLAYERS:
        yes = evening.pages[who].locator("#panel-carry").get_by_role("button", name="これでよい")
        if yes.count():
            evening.press(evening.pages[who], yes)
    evening.press(gm, gm.locator("#panel-carry").get_by_role("button", name="この回を終わる"))
    for page in evening.pages.values():
        expect(row(page, "この回はここまで")).to_be_visible()
    for page in (nagisa, chiaki):
        tap(page.locator("#panel-own").get_by_role("link", name="人別帳を開く"))
        page.wait_for_url("**/p/*/")
    expect(nagisa.locator("#played")).to_contain_text("無傷 → ")
