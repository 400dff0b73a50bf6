"""What an event of a real table costs, however many look on, and what it weighs on the wire (issue: bars 6 and 7)."""

from __future__ import annotations

import gzip
import http.client
import re
import time

import pytest

from tests.faults.evening import ASKED, DOCTOR, GM, HERO, Evening
from tests.live.reader import Reader
from tests.live.server import until

pytestmark = pytest.mark.server
WORDS = {"ja": "玄庵の知覚", "en": "玄庵: Perception"}


def roll(evening: Evening) -> int:
    """Number of the event."""
    return evening.do(DOCTOR, "roll", actor=evening.seeded.actor, what="chikaku")["last"]


def follow(evening: Evening, cookie: str, *, lang: str = "ja", packed: bool = False) -> Reader:
    return Reader(evening.site, evening.topic, cookie, lang=lang, packed=packed)


def test_one_read_and_one_render_for_each_audience_however_many_look_on(evening):
    """The database is asked as often for sixty viewers as for two, and every group's frame is drawn once."""
    people = [follow(evening, evening.cookie(who)) for who in (GM, DOCTOR)]
    few, many = (_cost(evening, people, count) for count in (1, 30))
    assert few == many
    assert few["read_batch"] == 1
    renders = {key.removeprefix("render "): count for key, count in few.items() if key.startswith("render ")}
    assert set(renders.values()) == {1}
    assert sorted(group.partition(":")[0] for group in renders) == ["gm", "player", "spectator", "spectator"]


def _cost(evening: Evening, people: list[Reader], viewers: int) -> dict[str, int]:
    """What one roll costs with so many spectators in each of two languages."""
    cookies = evening.seeded.onlookers[:viewers]
    crowd = [follow(evening, cookie, lang=lang) for cookie in cookies for lang in WORDS]
    until(lambda: all(one.has("event: hello") for one in (*crowd, *people)), 10)
    first = roll(evening)  # from here on whatever is remembered from one event to the next is there
    until(lambda: all(one.has(f"id: {first}\n") for one in (*crowd, *people)), 10)
    time.sleep(0.2)
    before = evening.stored()["counts"]
    last = roll(evening)
    until(lambda: all(one.has(f"id: {last}\n") for one in (*crowd, *people)), 10)
    after = evening.stored()["counts"]
    for one in crowd:
        assert WORDS[one.lang] in one.text
        one.close()
    return {key: count - before.get(key, 0) for key, count in after.items() if count != before.get(key, 0)}


def weights(evening: Evening, act) -> dict[str, tuple[int, int]]:
    """What one press weighs for each of them: bytes of its message unpacked and as it was sent."""
    people = {who: follow(evening, evening.cookie(who), packed=True) for who in (GM, ASKED, HERO, DOCTOR)}
    people["spectator"] = follow(evening, evening.seeded.onlookers[0], packed=True)
    until(lambda: all(one.has("event: hello") and one.has("event: presence") for one in people.values()), 10)
    time.sleep(0.8)  # who has come is told
    for one in people.values():
        one.read()
    before = {who: (len(one.text.encode()), len(one.body)) for who, one in people.items()}
    last = act()
    until(lambda: all(one.has(f"id: {last}\n") for one in people.values()), 10)
    found = {
        who: (len(one.text.encode()) - before[who][0], len(one.body) - before[who][1]) for who, one in people.items()
    }
    for one in people.values():
        one.close()
    return found


def test_a_roll_is_a_small_message(evening):
    """In the middle of an exchange, with every panel it changes: under 3 kB unpacked for players and the GM."""
    found = weights(evening, lambda: roll(evening))
    assert max(plain for plain, _sent in found.values()) < 3000, found
    assert max(sent for _plain, sent in found.values()) < 1200, found


def test_a_step_of_an_exchange_is_packed(evening):
    """Question, acts, tiles and rows of a whole blow come in one message: 5 to 18 kB, a fifth of it on the wire."""
    for want in ("parry", "accept"):
        state = evening.state(GM)
        option = next(option for option in state["exchange"]["options"] if option["answer"] == want)
        data = {key: option[key] for key in ("answer", "arm") if option.get(key)}
        data |= {"faces": "1,1,2"} if want == "parry" else {}
        found = weights(evening, lambda: evening.do(GM, "answer", step=state["step"], **data)["last"])
        for plain, sent in found.values():
            assert sent < 4000 and sent < plain / 2.4, (want, found)


def test_the_first_load_of_the_page_is_small(evening):
    """The GM's page with a full log, as it is sent, and every file it names as the site packs it: under 150 kB."""
    for number in range(100):
        evening.say(GM, f"橋の上は霧雨、{number}つ目の提灯が揺れている。")
    page = fetch(evening, evening.seeded.address, evening.cookie(GM))
    html = gzip.decompress(page).decode()
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))
    assert len(html) > 90_000 and len(files) > 8 and any(name.endswith("htmx-2.min.js") for name in files)
    weight = len(page) + sum(len(gzip.compress(evening.site.ask("GET", name)[1], 9)) for name in files)
    assert weight < 100_000, weight


def fetch(evening: Evening, path: str, cookie: str) -> bytes:
    """The body as a browser gets it."""
    connection = http.client.HTTPConnection("127.0.0.1", evening.site.port, timeout=20)
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.headers["Content-Encoding"] == "gzip"
    body = answer.read()
    connection.close()
    return body
