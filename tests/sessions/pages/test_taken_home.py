"""What a finished table left stands on the sheet of whoever it happened to, for the table and nobody else."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from characters.actions import characters
from characters.actions.errors import ActionRefused
from sessions.actions import closing
from tests.sessions.pages import edo
from tests.sessions.pages.conftest import address

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("accept", "shown"), [(True, True), (False, False)])
def test_the_sheet_shows_what_its_owner_agreed_to(db, client_of, accept, shown):
    here = edo.begun()
    hero = here.people["hero"]
    here.do("gm", "actor.hurt", actor="hero", amount=2, reason="橋板を踏み抜いた")
    closing.decide_carry(access=here.at("nagisa"), actor=here.actor("hero"), accept=accept)
    closing.close_session(access=here.at("gm"))
    characters.set_visibility(access=here.table.view("nagisa", hero), visibility="link")
    token = characters.make_share_link(access=here.table.view("nagisa", hero))
    for who in ("nagisa", "gm", "chiaki"):
        html = client_of(here, who).get(f"/p/{hero.slug}/").content.decode()
        panel = html.partition('id="played"')[2].partition("</section>")[0]
        assert ("両国橋、辻斬りの夕" in panel and "0 → <b>2</b>" in panel) is shown, who
    assert 'id="played"' not in client_of(here, "nagisa").get(f"/s/{token}/").content.decode()


def test_the_sheet_shows_it_in_english(db, client_of):
    here = edo.begun()
    here.do("gm", "actor.hurt", actor="hero", amount=2, reason="橋板を踏み抜いた")
    closing.decide_carry(access=here.at("nagisa"), actor=here.actor("hero"), accept=True)
    closing.close_session(access=here.at("gm"))
    client = client_of(here, "nagisa")
    client.cookies["lang"] = "en"
    panel = client.get(f"/p/{here.people['hero'].slug}/").content.decode().partition('id="played"')[2]
    assert "Brought home" in panel and "Wounds" in panel.partition("</section>")[0]


@pytest.mark.parametrize(
    ("lang", "words"), [("ja", ("手当て", "まだ", "できた")), ("en", ("First aid", "not yet", "done"))]
)
def test_what_goes_home_is_told_in_words(db, client_of, lang, words):
    here = edo.begun()
    here.do("gm", "actor.hurt", actor="hero", amount=2, reason="橋板を踏み抜いた")
    here.do("chiaki", "first_aid", actor="doctor", target="hero", faces="6,5,4")
    closing.ask_closing(access=here.at("gm"))
    client = client_of(here, "nagisa")
    client.cookies["lang"] = lang
    for page, panel in ((address(here), "panel-carry"), (f"/p/{here.people['hero'].slug}/", "played")):
        html = client.get(page).content.decode().partition(f'id="{panel}"')[2].partition("</section>")[0]
        assert all(word in html for word in words) and "none" not in html, panel
        if panel == "panel-carry":
            closing.decide_carry(access=here.at("nagisa"), actor=here.actor("hero"), accept=True)
            closing.close_session(access=here.at("gm"))


@pytest.mark.parametrize("who", ["gm", "co", "nagisa", "chiaki", "watcher"])
def test_there_is_nothing_to_press_when_it_is_over(db, at, who):
    """Even if it ended in the middle of everything."""
    here = edo.fighting()
    here.do("gm", "request", what="chikaku", text="橋の下の気配")
    here.do("gm", "roll", actor="ronin", what="onmitsu", secrecy="blind")
    here.do("nagisa", "roll", actor="hero", what="chikaku", difficulty=30, faces="1,1,2")
    here.do("chiaki", "coincidence.propose", actor="doctor", text="提灯が落ちる")
    here.do("nagisa", "attack", actor="hero", target="ronin", arm="1", distance=1)
    before = at(here, who)
    closing.ask_closing(access=here.at("gm"))
    for owner, one in (("nagisa", "hero"), ("chiaki", "doctor")):
        with suppress(ActionRefused):  # nothing to take home
            closing.decide_carry(access=here.at(owner), actor=here.actor(one), accept=True)
    closing.close_session(access=here.at("gm"))
    page = at(here, who)
    main = page[page.index('<section class="band"') : page.index("</main>")]
    assert ("/do/" in before) is (who != "watcher")
    assert not re.findall(r"/do/|[?]do=|/form/|<form|data-todo", main)
