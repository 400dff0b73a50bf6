"""A session in mid-fight on a running site: presses as the page sends them, pages as live.js keeps them."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from tests.live.server import Listener, Site
from tests.load.seed import Seeded

GM, ASKED, DOCTOR, HERO = "雪村", "灯", "海斗", "なぎさ"
TOKEN = "b" * 32  # cookie and header agree


class Refused(AssertionError):
    """An answer that is no success: status and body."""


@dataclass(frozen=True)
class Evening:
    """The demo's session on one or more sites with the same database. `site` may be replaced by another of them."""

    site: Site
    seeded: Seeded

    @property
    def topic(self) -> str:
        return self.seeded.topic

    def at(self, site: Site) -> Evening:
        return Evening(site, self.seeded)

    def cookie(self, who: str) -> str:
        return self.seeded.cookies[who]

    def post(self, who: str, path: str, **body: Any) -> dict[str, Any]:
        """Press something; the answer. Raises OSError when there is none, Refused for a refusal."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=20)
        headers = {
            "Cookie": f"{self.cookie(who)}; csrf={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        try:
            connection.request("POST", self.seeded.address + path, json.dumps(body), headers)
            answer = connection.getresponse()
            data = answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()
        if answer.status >= 500:
            raise OSError(f"{answer.status}")
        if answer.status != 200:
            raise Refused(answer.status, data.decode())
        return json.loads(data)

    def do(self, who: str, command: str, command_id: str = "", step: int | None = None, **data: Any) -> dict[str, Any]:
        """Issue a command of the game."""
        return self.post(who, f"do/{command}/", data=data, command_id=command_id, expected_step=step)

    def say(self, who: str, text: str, command_id: str = "") -> dict[str, Any]:
        return self.post(who, "say/", text=text, command_id=command_id)

    def state(self, who: str = GM) -> dict[str, Any]:
        """What somebody may know of the table now."""
        return self.site.get(f"{self.seeded.address}state.json", self.cookie(who))["state"]

    def stored(self) -> dict[str, Any]:
        return self.site.get(f"/stored/{self.topic}/")

    def listen(self, who: str, *, comes_back: bool = True) -> Watcher:
        return Watcher(self, self.cookie(who), comes_back)

    def page(self, cookie: str) -> tuple[int, dict[str, str]]:
        """Somebody's page as it is drawn now: its number and its elements by id."""
        status, body, _ = self.site.ask("GET", self.seeded.address, cookie=cookie)
        html = body.decode()
        assert status == 200, html[:500]
        number = re.search(r'data-seq="(\d+)"', html)
        assert number is not None
        return int(number[1]), elements(html)


class Watcher:
    """A page that was loaded and is kept level by the stream."""

    def __init__(self, evening: Evening, cookie: str, comes_back: bool = True, site: Site | None = None) -> None:
        self.evening, self.cookie = evening, cookie
        self.after, self.loaded = evening.page(cookie)
        self.stream = Listener(site or evening.site, cookie, self.after, evening.topic, comes_back)

    @property
    def number(self) -> int:
        """The newest event it has."""
        return max((m.seq for m in list(self.stream.messages) if m.seq is not None), default=self.after)

    def shown(self) -> dict[str, str]:
        """What the page shows by now."""
        found = dict(self.loaded)
        for message in list(self.stream.messages):
            if message.event == "fragments":
                apply(found, message.data)
        return found

    def differs(self, evening: Evening | None = None) -> list[str]:
        """The ids of what is not as on the page loaded anew."""
        _number, fresh = (evening or self.evening).page(self.cookie)
        live = self.shown()
        gone = [key for key in live if key.startswith("panel-") and key not in fresh]
        return gone + [key for key, html in fresh.items() if live.get(key) != html]

    def repeated(self) -> list[int]:
        """Numbers of frames that came twice."""
        seqs = [m.seq for m in self.stream.messages if m.event == "fragments" and m.seq is not None]
        return sorted({seq for seq in seqs if seqs.count(seq) > 1})

    def close(self) -> None:
        self.stream.close()


def level(watchers: Iterable[Watcher], evening: Evening | None = None, seconds: float = 10) -> None:
    """Wait until each live page equals the page loaded anew."""
    for watcher in watchers:
        deadline = time.monotonic() + seconds
        while wrong := watcher.differs(evening):
            assert time.monotonic() < deadline, (wrong, watcher.number, watcher.stream.kinds()[-5:])
            time.sleep(0.1)


# ---------------------------------------------------------------- pages


def apply(shown: dict[str, str], html: str) -> None:
    """What live.js does with a frame."""
    for key, element in elements(html).items():
        head = element.partition(">")[0]
        if "data-gone" in head:
            shown.pop(key, None)
        elif key in shown or "data-prepend" in head or "data-append" in head or _is_new(html, key):
            shown[key] = element


def _is_new(html: str, key: str) -> bool:
    found = re.search(rf'<[^>]*\bid="{re.escape(key)}"[^>]*>', html)
    return found is not None and ("data-prepend" in found[0] or "data-append" in found[0])


_VOLATILE = (
    (re.compile(r'name="(csrfmiddlewaretoken|command_id)" value="[^"]*"'), r'name="\1" value=""'),
    (re.compile(r' data-prepend="[^"]*"| data-append="[^"]*"| data-after="[^"]*"| data-new\b'), ""),
    (re.compile(r"\s+"), " "),
)


def elements(html: str) -> dict[str, str]:
    """The panels and rows of a page or frame by id, as their HTML without what differs at every drawing."""
    parser = _Elements(html)
    parser.feed(html)
    return parser.found


class _Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, str] = {}
        self._html = html
        self._lines = [0]
        for line in html.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._open: tuple[str, str, int] | None = None
        self._depth = 0

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open is not None:
            self._depth += tag == self._open[1]
            return
        key = dict(attrs).get("id") or ""
        if re.match(r"(panel|entry)-", key):
            self._open, self._depth = (key, tag, self._here()), 1

    def handle_endtag(self, tag: str) -> None:
        if self._open is None or tag != self._open[1]:
            return
        self._depth -= 1
        if not self._depth:
            key, _tag, start = self._open
            html = self._html[start : self._here()]
            for pattern, plain in _VOLATILE:
                html = pattern.sub(plain, html)
            self.found[key], self._open = html.strip(), None


# ---------------------------------------------------------------- many presses


Press = Callable[[str, int, str], Mapping[str, Any]]  # who, number, command id


class Table:
    """People who press as fast as they are answered and press again, with the same id, until there is an answer."""

    def __init__(self, presses: Mapping[str, Press], each: int) -> None:
        self.acknowledged: dict[str, Mapping[str, Any]] = {}
        self.refused: list[str] = []
        self.tries = 0
        self._presses, self._each = presses, each
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(who,), daemon=True) for who in presses]
        for thread in self._threads:
            thread.start()

    def _run(self, who: str) -> None:
        for number in range(self._each):
            key = f"{who.encode().hex()}.{number}"
            while key not in self.acknowledged and not self._stop.is_set():
                self.tries += 1
                try:
                    self.acknowledged[key] = self._presses[who](who, number, key)
                except OSError:
                    self._stop.wait(0.05)
                except Refused as refused:
                    self.refused.append(f"{key}: {refused}")
                    break

    def wait(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(deadline - time.monotonic(), 0.1))
        self._stop.set()
        assert not any(thread.is_alive() for thread in self._threads), "somebody gets no answer"
        assert not self.refused, self.refused[:3]


def kept(found: Mapping[str, Any], acknowledged: Mapping[str, Mapping[str, Any]], since: int) -> None:
    """Laws L1 and L2: no acknowledged press lost, none done twice, numbers without a hole, the state its log's fold."""
    assert found["broken"] is None and found["folded"]
    assert [seq for seq, _kind in found["events"]] == list(range(1, found["seq"] + 1))
    rows = [row for row in found["commands"] if row[0] in acknowledged]
    assert len(rows) == len(acknowledged) == len({row[0] for row in rows})
    spans = sorted((first, last) for _key, first, last, _result in found["commands"] if first and first > since)
    assert all(one[1] < other[0] for one, other in pairwise(spans)), "events of two presses overlap"
    told = {key: {name: answer.get(name) for name in ("first", "last", "seq")} for key, answer in acknowledged.items()}
    for key, _first, _last, result in rows:
        assert {name: result.get(name) for name in ("first", "last", "seq")} == told[key]
