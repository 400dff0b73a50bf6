"""A page as the stream keeps it: drawn once, then only changed by fragments. It must stay what a reload would draw."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from live.models import Event
from sessions.present.page import draw_page, fragments
from sessions.projection import project
from sessions.selectors.access import SessionAccess

# What differs between a fragment and the same piece of a page without meaning anything.
_PLACING = re.compile(r' data-(?:new|prepend|append|after)(?:="[^"]*")?')


@dataclass
class LivePage:
    """One viewer's page. `sent` is every byte they ever got: the first page's panels and rows, then the fragments."""

    access: SessionAccess
    panels: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)
    seq: int = 0
    sent: str = ""

    def __post_init__(self) -> None:
        self.panels, self.rows = self._drawn()
        self.sent = "".join([*self.panels.values(), *self.rows.values()])
        self.seq = self._newest()

    def follow(self) -> None:
        """Take in what came since, and compare with the page drawn afresh."""
        viewer = self.access.viewer()
        events = Event.objects.filter(topic__name=self.access.session.topic, seq__gt=self.seq).order_by("seq")
        seen = [(row.seq, row.kind, data) for row in events if (data := project(row, viewer)) is not None]
        self.seq = self._newest()
        for fragment in fragments(self.access.session.topic, seen, viewer) if seen else ():
            self.sent += fragment.html
            kept = self.panels if fragment.target_id.startswith("panel-") else self.rows
            new = "data-new" in fragment.html or kept is self.panels or fragment.target_id in kept
            if new:
                kept[fragment.target_id] = _PLACING.sub("", fragment.html)
        panels, rows = self._drawn()
        for name, html in panels.items():
            assert self.panels.get(name, _empty(html)) == html, f"{name} is not what a reload draws"
        for name in rows.keys() & self.rows.keys():
            assert self.rows[name] == rows[name], f"row {name} is not what a reload draws"
        assert rows.keys() <= self.rows.keys(), rows.keys() - self.rows.keys()

    def _drawn(self) -> tuple[dict[str, str], dict[str, str]]:
        session = type(self.access.session).objects.select_related("campaign").get(pk=self.access.session.pk)
        page = draw_page(session, self.access.viewer())
        panels = {f"panel-{name}": html for name, html in {**page.game_panels, **page.own_panels}.items()}
        rows = {found.group(1): html for html in page.rows if (found := re.search(r'id="([^"]+)"', html))}
        return (
            {name: _PLACING.sub("", html) for name, html in panels.items()},
            {name: _PLACING.sub("", html) for name, html in rows.items()},
        )

    def _newest(self) -> int:
        return Event.objects.filter(topic__name=self.access.session.topic).count()


def _empty(html: str) -> str | None:
    """A place nothing was ever shown in."""
    return html if " hidden></div>" in html else None
