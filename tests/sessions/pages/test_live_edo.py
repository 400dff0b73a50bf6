"""What the stream does to a page of Edo beyond replacing panels: where newcomers stand, what ends with the table."""

from __future__ import annotations

import re

import pytest

from live.models import Event
from sessions.actions import closing
from sessions.present.page import fragments
from sessions.projection import project
from sessions.selectors.access import viewer_of
from tests.sessions.pages import edo

pytestmark = pytest.mark.django_db


def told(here, who: str, after: int) -> dict[str, str]:
    """The fragments somebody gets of what came after an event, by the element they are for."""
    viewer = viewer_of(here.table.seat(who))
    rows = Event.objects.filter(topic__name=here.session.topic, seq__gt=after).order_by("seq")
    seen = [(row.seq, row.kind, data) for row in rows if (data := project(row, viewer)) is not None]
    return {fragment.target_id: fragment.html for fragment in fragments(here.session.topic, seen, viewer)}


def test_whoever_comes_on_stands_where_the_page_has_them(begun, at):
    begun.do("gm", "actor.leave", actors=begun.actor("ronin"))
    begun.do("gm", "actor.show", actors=begun.actor("spy"))
    after = begun.last().seq
    begun.do("gm", "actor.enter", actors=begun.actor("ronin"))
    for who in ("gm", "nagisa", "watcher"):
        order = re.findall(r'id="(panel-tile-[^"]+)"', at(begun, who))
        mine = f"panel-tile-{begun.actor('ronin')}"
        before = order[order.index(mine) - 1]
        assert before == f"panel-tile-{begun.actor('doctor')}"
        assert f'data-after="{before}"' in told(begun, who, after)[mine]
        assert "data-after" not in at(begun, who)


def test_the_first_tile_of_all_says_so(begun, at):
    everybody = ",".join(begun.actor(name) for name in ("hero", "doctor", "ronin", "samurai"))
    begun.do("gm", "actor.leave", actors=everybody)
    after = begun.last().seq
    begun.do("gm", "actor.enter", actors=begun.actor("ronin"))
    assert 'data-after=""' in told(begun, "watcher", after)[f"panel-tile-{begun.actor('ronin')}"]


def test_what_the_gm_asks_of_all_comes_and_goes_with_the_table(db, at):
    here = edo.begun()
    head = "panel-people-head"
    assert "全員に判定を頼む" in told(here, "co", 0)[head]
    assert "<a" not in told(here, "nagisa", 0)[head]
    after = here.last().seq
    closing.close_session(access=here.at("gm"))
    assert "<a" not in told(here, "co", after)[head]
    assert told(here, "co", after)[head] in at(here, "co")
