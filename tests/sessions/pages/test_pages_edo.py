"""The pages of a table of Edo by role: what is asked first, what can be done, what nobody else may see."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sessions.actions import talk
from sessions.actions.notes import save_note
from sessions.present.page import draw_page, fragments
from sessions.selectors.access import viewer_of
from tests.sessions.pages import edo
from tests.sessions.pages.conftest import address

pytestmark = pytest.mark.django_db
EVERYBODY = ("gm", "co", "nagisa", "chiaki", "watcher")


def panel(html: str, name: str) -> str:
    """The markup of one panel; "" for an empty place."""
    start = html.find(f'id="panel-{name}"')
    assert start >= 0, f"no place for {name}"
    rest = html[start:]
    end = re.search(r'id="(panel-|log")', rest[10:])
    return rest[: end.start() + 10] if end else rest


# ---------------------------------------------------------------- before it begins


def test_the_gm_chooses_who_plays_and_how_many(db, at, client_of):
    here = edo.planned()
    html = at(here, "gm")
    assert "顔ぶれを決めて始める" in html and "伏兵の霞丸" in html
    assert "GMが始めると" in at(here, "nagisa") and edo.HIDDEN_NPC not in at(here, "nagisa")
    cast = [one.pk for one in here.people.values()]
    posted = {"cast": cast, "hidden": [here.people["spy"].pk], f"count.{here.people['samurai'].pk}": "2"}
    assert client_of(here, "gm").post(address(here) + "start/", posted).status_code == 303
    assert sum(row["group"] == here.actor("samurai") for row in here.state("gm")["actors"]) == 2
    assert client_of(here, "gm").post(address(here) + "start/", posted).status_code == 409


@pytest.mark.parametrize("count", ["0", "9999", "x", "-1"])
def test_an_impossible_number_of_npcs_changes_nothing(db, client_of, count):
    here = edo.planned()
    cast = [here.people["hero"].pk, here.people["samurai"].pk]
    posted = {"cast": cast, f"count.{here.people['samurai'].pk}": count}
    assert client_of(here, "gm").post(address(here) + "start/", posted).status_code == 422
    assert here.at("gm").session.state == "planned"


# ---------------------------------------------------------------- what is asked


def test_whoever_is_asked_sees_the_choices_with_their_chances(attacked, at):
    html = panel(at(attacked, "nagisa"), "ask")
    assert "いま、あなたの番です" in html and "これでしのぐ" in html
    assert "受け" in html and "体さばき" in html and "自動成功" in html
    assert html.count("しのぐ難易度") == 1
    assert len(re.findall(r"<b>[\d.]+<small>%", html)) >= 3
    assert 'name="expected_step"' in html


def test_the_gm_sees_both_sides_and_may_answer_for_the_player(attacked, at):
    html = panel(at(attacked, "gm"), "ask")
    assert "やりとり" in html and "新八郎の返答待ち" in html and "代わりに選ぶ" in html
    assert "通れば打撃" in html and html.count('<td class="n"><span class="odds">') >= 3
    assert "しのぐ難易度" in html and "自動成功" in html.split("</table>")[0]


def test_the_gm_sees_what_somebody_chooses_from_beside_their_name(fight, at):
    """Also when it is the attacker who is asked: against a counter success may be bought."""
    fight.do("nagisa", "attack", actor="hero", target="ronin", arm="1", distance=1)
    fight.do("gm", "answer", step=fight.state("gm")["step"], answer="counter", arm="1")
    attacker, defender = panel(at(fight, "gm"), "ask").split('<div class="duel__vs"')
    assert "新八郎に示している選択肢" in attacker and "選択肢" not in defender


@pytest.mark.parametrize("who", ["chiaki", "watcher"])
def test_others_see_the_exchange_and_nothing_to_press_in_it(attacked, at, who):
    html = panel(at(attacked, who), "ask")
    assert "新八郎の返答待ち" in html and "これでしのぐ" not in html and "<form" not in html


def test_a_failed_roll_offers_points_on_the_rollers_page_alone(begun, at):
    begun.do("nagisa", "roll", actor="hero", what="chikaku", difficulty=20, faces="1,1,2")
    html = panel(at(begun, "nagisa"), "ask")
    assert "振り直し" in html and "失敗を成功に" in html and 'value="field.answer=reroll"' in html
    assert "field.answer=reroll" not in panel(at(begun, "chiaki"), "ask")
    assert "代わりに選ぶ" in panel(at(begun, "gm"), "others")


def test_a_request_reaches_every_screen_that_is_asked(begun, at, client_of):
    begun.do("gm", "request", what="chikaku", difficulty=15, text="橋の下の気配")
    for who, name in (("nagisa", "新八郎"), ("chiaki", "玄庵")):
        html = panel(at(begun, who), "ask")
        assert "橋の下の気配" in html and name in html and "振る" in html
    assert "返事 0／2" in panel(at(begun, "gm"), "requests")
    request = begun.state("gm")["requests"][0]["id"]
    posted = {"field.request": request, "field.actor": begun.actor("hero"), "field.faces": "6,5,1"}
    assert client_of(begun, "nagisa").post(address(begun) + "do/request.answer/", posted).status_code == 303
    assert "返事 1／2" in panel(at(begun, "gm"), "requests") and "成功" in panel(at(begun, "gm"), "requests")
    assert "橋の下の気配" not in panel(at(begun, "nagisa"), "ask")


def test_a_wish_gets_its_price_and_is_paid_only_when_its_owner_says_so(begun, at, client_of):
    begun.do("chiaki", "coincidence.propose", actor="doctor", text="提灯が落ちる")
    html = panel(at(begun, "gm"), "requests")
    assert "提灯が落ちる" in html and 'name="field.points" value="1"' in html
    wish = begun.state("gm")["wishes"][0]["id"]
    posted = {"field.wish": wish, "field.points": "2"}
    assert client_of(begun, "gm").post(address(begun) + "do/coincidence.price/", posted).status_code == 303
    assert "2点で起こす" in panel(at(begun, "chiaki"), "ask")
    assert "2点で起こす" not in panel(at(begun, "nagisa"), "ask")


# ---------------------------------------------------------------- what can be done


def test_acts_say_their_price_or_why_not(fight, at):
    html = panel(at(fight, "nagisa"), "acts")
    assert "do=attack" in html and not re.search(r"<b>[\d.]+<small>%", html)  # nobody's evasion is known
    fight.do("gm", "numbers.show", actor="ronin")
    assert re.search(r"<b>[\d.]+<small>%", panel(at(fight, "nagisa"), "acts"))
    assert "いまは新八郎の手番" in panel(at(fight, "chiaki"), "acts")
    fight.do("nagisa", "attack", actor="hero", target="ronin", arm="1", distance=1)
    edo.settle(fight)
    assert "活劇点 1点" in panel(at(fight, "nagisa"), "acts")


def test_spectators_have_nothing_to_press(attacked, at):
    html = at(attacked, "watcher")
    main = html[html.index("<main") : html.index("</main>")]
    assert "<form" not in main and "do/" not in main
    assert "有村" in main and "新八郎" in main


def test_numbers_of_npcs_are_words_for_players_until_they_are_shown(fight, at):
    tile = panel(at(fight, "nagisa"), f"tile-{fight.actor('ronin')}")
    assert "無傷" in tile and "耐久点" not in tile
    assert "耐久点" in panel(at(fight, "gm"), f"tile-{fight.actor('ronin')}")
    fight.do("gm", "numbers.show", actor="ronin")
    assert "耐久点" in panel(at(fight, "nagisa"), f"tile-{fight.actor('ronin')}")


def test_a_refusal_without_script_keeps_what_was_sent_and_offers_the_gm_to_set_it_aside(fight, client_of):
    posted = {"field.actor": fight.actor("ronin"), "pick": f"field.arm=1&field.target={fight.actor('hero')}"}
    response = client_of(fight, "gm").post(address(fight) + "do/attack/", posted)
    html = response.content.decode()
    assert response.status_code == 409 and "新八郎の手番" in html
    assert 'name="override"' in html and f'value="field.arm=1&amp;field.target={fight.actor("hero")}"' in html
    again = {**posted, "override": "不意を打った"}
    assert client_of(fight, "gm").post(address(fight) + "do/attack/", again).status_code == 303
    response = client_of(fight, "nagisa").post(
        address(fight) + "do/attack/",
        {"field.actor": fight.actor("hero"), "field.arm": "1", "field.target": "c999999"},
        headers={"HX-Request": "true"},
    )
    assert response.status_code in (404, 409, 422) and 'role="alert"' in response.content.decode()


# ---------------------------------------------------------------- forms


def test_every_form_opens_for_whom_it_is(attacked, client_of):
    from sessions.present.edo.forms.base import FORMS

    gm_only = {"hurt", "heal", "kp", "state", "acts", "enter", "mob", "promote", "where", "time", "request"}
    attacked.do("gm", "answer", step=attacked.state("gm")["step"], answer="parry", arm="1", auto=True)
    edo.settle(attacked)
    attacked.do("gm", "actor.hurt", actor="hero", amount=1, reason="落ちた")
    for name in set(FORMS) - {"stop"}:  # while something is under way
        actor = attacked.actor(
            "samurai" if name in ("mob", "promote", "attack") else "ronin" if name == "enter" else "hero"
        )
        url = f"{address(attacked)}form/{name}/?actor={actor}"
        answer = {who: client_of(attacked, who).get(url).status_code for who in ("gm", "nagisa", "chiaki", "watcher")}
        assert answer["gm"] == 200, name
        assert answer["watcher"] == 404, name
        assert answer["chiaki"] == 404, name  # the hero is not hers
        mine = f"{address(attacked)}form/{name}/?actor={attacked.actor('hero')}"
        assert client_of(attacked, "nagisa").get(mine).status_code == (404 if name in gm_only else 200), name


def test_every_command_of_the_game_has_a_place_on_the_pages():
    """Not the generic fallback: a form, a question, or a button of a panel."""
    from pathlib import Path

    from rulesets import services
    from rulesets.engine.play import BY_THE_TABLE

    root = Path(__file__).resolve().parents[3]
    files = [
        *(root / "templates" / "edo" / "session").glob("*.html"),
        *(root / "sessions" / "present" / "edo").rglob("*.py"),
    ]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    missing = [
        shape.name
        for shape in services.play("edo").commands()
        if shape.name not in BY_THE_TABLE and not re.search(rf"""["']{re.escape(shape.name)}["']""", text)
    ]
    assert missing == []


def test_chances_follow_what_is_chosen(fight, client_of):
    base = f"{address(fight)}form/attack/?forecast=1&field.actor={fight.actor('hero')}&field.arm=1"
    client = client_of(fight, "nagisa")
    # A swordsman whose numbers are hidden: the average alone, nothing of his evasion.
    other = client.get(f"{base}&field.target={fight.actor('ronin')}").content.decode()
    assert "達成値の平均" in other and "外れ" not in other
    fight.do("gm", "numbers.show", actor="ronin")
    assert "外れ" in client.get(f"{base}&field.target={fight.actor('ronin')}").content.decode()
    for odd in ("&field.target=", "&field.distance=abc", "&field.arm=99"):
        assert client.get(base + odd).status_code == 200


# ---------------------------------------------------------------- secrets


def test_nothing_hidden_is_in_any_page_or_fragment(begun, at):
    save_note(access=begun.at("gm"), text=edo.SECRET_NOTE)
    begun.do("gm", "roll", actor="spy", what="onmitsu", secrecy="blind", faces="5,4,1", text="極秘の忍び足")
    begun.do("gm", "actor.set", actor="spy", key="kp", number=6, reason="極秘の理由")
    begun.do("gm", "place.set", actors=begun.actor("spy"), place="橋桁の裏")
    secrets = (
        edo.HIDDEN_NPC,
        edo.SECRET_NOTE,
        "極秘",
        "橋桁の裏",
        f"tile-{begun.actor('spy')}",
        f'"{begun.actor("spy")}"',
    )
    for who in EVERYBODY:
        html = at(begun, who)
        bits = fragments_of(begun, who)
        assert (edo.HIDDEN_NPC in html) is (who in ("gm", "co")), who
        if who not in ("gm", "co"):
            assert not [word for word in secrets if word in html or word in bits], who
    begun.do("gm", "actor.show", actors=begun.actor("spy"))
    assert edo.HIDDEN_NPC in at(begun, "nagisa") and "極秘" not in at(begun, "nagisa")
    assert f'id="panel-tile-{begun.actor("spy")}"' in fragments_of(begun, "nagisa")


def fragments_of(here, who: str) -> str:
    """Everything the stream ever sent to somebody."""
    from live.models import Event
    from sessions.projection import project

    viewer = viewer_of(here.table.seat(who))
    found = []
    for event in Event.objects.filter(topic__name=here.session.topic).order_by("seq"):
        told = project(event, viewer)
        if told is not None:
            found += fragments(here.session.topic, [(event.seq, event.kind, told)], viewer)
    return "".join(fragment.html for fragment in found)


def test_a_roll_makes_a_small_fragment(fight):
    """A roll: its row, and what else changed, under 3 kB for whoever watches (bar 7)."""
    from live.models import Event
    from sessions.projection import project

    fight.do("chiaki", "roll", actor="doctor", what="chikaku", faces="6,6,2")
    event = Event.objects.filter(topic__name=fight.session.topic, kind="edo:roll").latest("seq")
    for who in ("nagisa", "chiaki", "watcher", "gm"):
        viewer = viewer_of(fight.table.seat(who))
        found = fragments(fight.session.topic, [(event.seq, event.kind, project(event, viewer))], viewer)
        row = next(fragment for fragment in found if fragment.target_id.startswith("entry-"))
        assert len(row.html.encode()) < 3000, who


def test_the_page_says_who_speaks(begun, at):
    talk.say(access=begun.at("gm"), text="邪魔立ていたすか。", speaker=begun.actor("ronin"))
    html = at(begun, "watcher")
    assert "邪魔立ていたすか。" in html and "有村" in html
    assert f'value="{begun.actor("hero")}"' in panel(at(begun, "nagisa"), "say")
    assert f'value="{begun.actor("doctor")}"' not in panel(at(begun, "nagisa"), "say")


def test_a_page_is_drawn_at_its_number(begun):
    viewer = viewer_of(begun.table.seat("nagisa"))
    assert draw_page(begun.session, viewer).view.seq == begun.last().seq


def test_a_refused_form_stands_again_as_it_was_sent_its_refusal_beside_it(fight, at, client_of):
    """Without JavaScript too nothing is lost: what was chosen and typed, and which of several forms it was."""
    link = re.search(r'name="sheet" value="([^"]+)"', at(fight, "gm", f"?do=kp&actor={fight.actor('hero')}"))
    assert link is not None
    posted = {
        "sheet": unescape(link[1]),
        "field.actor": fight.actor("hero"),
        "field.key": "kp",
        "field.number": "999",
        "field.reason": "手で直す",
    }
    answer = client_of(fight, "gm").post(address(fight) + "do/actor.set/", posted)
    form = answer.content.decode().split('id="do"')[1].split('id="panel-', 1)[0]
    assert answer.status_code == 409 and "できませんでした" not in form
    mine = next(part for part in form.split("<form ") if 'data-command="actor.set"' in part)
    assert 'value="999"' in mine and 'value="手で直す"' in mine and 'role="alert"' in mine
    assert form.count('role="alert"') == 1 and form.count('<details class="act-fold" open') == 1


def test_bare_hands_nobody_learned_to_use_are_folded_behind_the_weapons(fight, at):
    html = at(fight, "nagisa", f"?do=attack&actor={fight.actor('hero')}").split('id="do"')[1]
    first, _fold, rest = html.partition("ほかの選択肢")
    assert 'value="1" checked' in first and 'value="punch"' not in first
    assert 'value="punch"' in rest and "open" not in first.rpartition("<details")[2]
    chosen = at(fight, "nagisa", f"?do=attack&actor={fight.actor('hero')}&field.arm=punch").split('id="do"')[1]
    assert '<details class="act-fold" open><summary>ほかの選択肢' in chosen


# ---------------------------------------------------------------- a busy table


def test_the_gm_acts_for_whoever_of_theirs_has_the_turn_from_the_framed_panel(fight, at):
    fight.do("gm", "turn.to", actor="ronin")
    html = panel(at(fight, "gm"), "ask")
    assert f"?do=attack&amp;actor={fight.actor('ronin')}#do" in html and "残りの行動" in html
    fight.do("gm", "turn.to", actor="samurai")
    assert "まとめて攻撃" in panel(at(fight, "gm"), "ask")
    assert "do=attack" not in panel(at(fight, "nagisa"), "ask")
    fight.do("gm", "turn.to", actor="hero")
    assert "do=attack" not in panel(at(fight, "gm"), "ask")


def test_the_gm_calls_whoever_is_waited_for(attacked, at, client_of):
    seat = attacked.table.seat("nagisa").pk
    html = panel(at(attacked, "gm"), "ask")
    assert "催促する" in html and f'name="seat" value="{seat}"' in html
    assert "催促する" not in at(attacked, "nagisa")
    attacked.do("gm", "request", what="chikaku", difficulty=15, text="橋の下の気配")
    assert panel(at(attacked, "gm"), "requests").count('name="seat"') == 2
    answer = client_of(attacked, "gm").post(address(attacked) + "nudge/", {"seat": [str(seat)]}, follow=True)
    assert "促しました" in answer.content.decode() and "皆があなたを待っています" in at(attacked, "nagisa")


def test_acts_that_wait_for_the_same_share_a_line(fight, at):
    html = panel(at(fight, "chiaki"), "acts")
    assert html.count("いまは新八郎の手番") == 1 and "攻撃、移動、抜く・納める・構える" in html
    assert 'href="#panel-own"' in panel(at(fight, "chiaki"), "rail")
    assert f'href="#panel-tile-{fight.actor("samurai")}"' in panel(at(fight, "gm"), "rail")
