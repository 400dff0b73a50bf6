"""A table of Edo as its pages look at it: the projected state with its people at hand, words in the page's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from rulesets import services
from sessions.present.rows import both
from sessions.selectors.table import TableView

Row = Mapping[str, Any]
GONE = ("dead", "seeming_dead")


@dataclass
class Stage:
    """Read-only, made for one drawing."""

    view: TableView

    @property
    def lang(self) -> str:
        return self.view.lang

    @property
    def gm(self) -> bool:
        return self.view.is_gm

    @property
    def state(self) -> Row:
        return self.view.state

    def part(self, name: str) -> Any:
        """A part of the projected state; None when the viewer sees none."""
        return self.view.state.get(name)

    def _whole(self, name: str) -> Row | None:
        found = self.part(name)
        return found if isinstance(found, Mapping) else None

    def words(self, text: Any) -> str:
        return both(text, self.lang)

    # ------------------------------------------------------------ people

    @cached_property
    def actors(self) -> Mapping[str, Row]:
        return {row["id"]: row for row in self.part("actors") or ()}

    @cached_property
    def groups(self) -> Mapping[str, list[Row]]:
        """Members by mob."""
        found: dict[str, list[Row]] = {}
        for row in self.actors.values():
            if row["group"]:
                found.setdefault(row["group"], []).append(row)
        return found

    @cached_property
    def mine(self) -> list[Row]:
        """The viewer's own characters on this table; none for GMs, who have everybody."""
        return [] if self.gm else [row for row in self.actors.values() if row["mine"]]

    @cached_property
    def on_stage(self) -> list[Row]:
        return [row for row in self.actors.values() if row["on_stage"]]

    def name(self, actor_id: str) -> str:
        """An actor's or a mob's name; 何者か for somebody the viewer does not know."""
        if actor_id in self.actors:
            return str(self.actors[actor_id]["name"])
        if actor_id in self.groups:
            return mob_name(self.groups[actor_id])
        return _("何者か")

    def names(self, actor_ids: Iterable[str]) -> str:
        return _("、").join(self.name(one) for one in actor_ids)

    def owner(self, row: Row) -> str:
        """The player's name, "" for NPCs."""
        return self.view.facts.names.get(f"seat:{row['seat']}", "")

    def waited_for(self, actor_ids: Iterable[str]) -> list[int]:
        """The seats a GM may call because the table waits for these; [] for others."""
        if not self.gm or not self.view.is_open:
            return []
        rows = (self.actors.get(one) for one in actor_ids)
        return sorted({int(row["seat"]) for row in rows if row is not None and row["kind"] == "pc" and row["seat"]})

    # ------------------------------------------------------------ whose turn, who is asked

    @cached_property
    def fight(self) -> Row | None:
        return self._whole("fight")

    @cached_property
    def turn(self) -> str:
        """Whose turn it is: an actor or mob; "" outside a fight or when it is somebody unseen."""
        order = self.fight["order"] if self.fight else ()
        return next((str(entry["entry"]) for entry in order if entry["state"] == "now"), "")

    @cached_property
    def exchange(self) -> Row | None:
        return self._whole("exchange")

    @cached_property
    def contest(self) -> Row | None:
        return self._whole("contest")

    @cached_property
    def asked(self) -> str:
        """Who has to answer the open question; "" without one."""
        waiting = self.exchange or self.contest
        return str(waiting["asked"]) if waiting else ""

    def acts_now(self, row: Row) -> bool:
        """Whether somebody is free to act: no fight, or their turn, and no question open."""
        free = not self.fight or self.turn in (row["id"], row["group"])
        return free and not self.asked and row["life"]["id"] == "alive" and row["on_stage"]

    # ------------------------------------------------------------ words of the rules

    @cached_property
    def tables(self) -> Any:
        return services.tables("edo", dict(self.view.house_rules))

    def label(self, key: str) -> str:
        """A row of the words of play; "" when there is none."""
        for rows in (self.tables.play_labels, self.tables.care_labels):
            if key in rows:
                return self.words(rows[key].text)
        return ""

    def bell(self, hour: int) -> str:
        """The bell that was struck last before an hour of the day, as at the equinox (§9.3)."""
        bells = list(self.tables.bells.values())
        return self.words(bells[(hour + 18) // 2 % len(bells)].name)


def numbered(name: str, n: int | str) -> str:
    """`十手11`, `jitte 11`."""
    return (_("%(ability)s%(n)s") % {"ability": name, "n": n}).strip()


def mob_name(members: list[Row]) -> str:
    return str(members[0]["name"]).rsplit(" ", 1)[0]


def gone(row: Row) -> bool:
    return row["life"]["id"] in GONE


def percent(odds: Any, key: str = "success") -> str:
    """The chance of an outcome as text, "" where none can be told."""
    found = (odds or {}).get("outcomes", {}).get(key) or (odds or {}).get("also", {}).get(key)
    return str(found["percent"]) if found else ""
