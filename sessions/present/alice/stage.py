"""A table of アリス as its pages look at it: the projected state with names and words at hand."""

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
SUITS = ("S", "C", "H", "D")
CLASSES = ("expert", "related", "outsider")


@dataclass
class Stage:
    """Read-only, made for one drawing."""

    view: TableView

    @property
    def lang(self) -> str:
        return self.view.lang

    @property
    def gm(self) -> bool:
        return self.view.is_gm and self.view.is_open

    @property
    def phase(self) -> str:
        return str(self.view.state.get("phase", ""))

    def part(self, name: str) -> Any:
        return self.view.state.get(name)

    def words(self, text: Any) -> str:
        return both(text, self.lang)

    # ------------------------------------------------------------ people

    @cached_property
    def actors(self) -> Mapping[str, Row]:
        return {row["id"]: row for row in self.part("actors") or ()}

    @cached_property
    def mine(self) -> list[Row]:
        """The viewer's own characters; none for GMs, who have everybody."""
        return [] if self.view.is_gm else [row for row in self.actors.values() if row["mine"]]

    @cached_property
    def on_stage(self) -> list[Row]:
        return [row for row in self.actors.values() if row["on_stage"]]

    @property
    def pcs(self) -> list[Row]:
        return [row for row in self.actors.values() if row["kind"] == "pc"]

    def name(self, actor: str) -> str:
        """An actor's name; the GM's; 何者か for somebody the viewer does not know."""
        if actor == "gm":
            return _("GM")
        return str(self.actors[actor]["name"]) if actor in self.actors else _("何者か")

    def names(self, actors: Iterable[str]) -> str:
        return _("、").join(self.name(one) for one in actors)

    def owner(self, row: Row) -> str:
        return self.view.facts.names.get(f"seat:{row['seat']}", "")

    def reasons(self, row: Row) -> list[Row]:
        """The 道理 somebody still knows: one that was used, or that the others have heard, is gone (§7.9)."""
        found = self.part("reasons") or ()
        return [one for one in found if one["holder"] == row["id"] and one["state"] == "ready"]

    # ------------------------------------------------------------ the open operation

    @cached_property
    def op(self) -> Row | None:
        found = self.part("op")
        return found if isinstance(found, Mapping) else None

    @property
    def fight(self) -> Row | None:
        found = self.part("fight")
        return found if isinstance(found, Mapping) else None

    def waited_for(self) -> list[int]:
        """The seats a GM may call because the table waits for these."""
        if not self.gm or self.op is None:
            return []
        rows = [self.actors.get(one) for one in self.op["asked"]]
        return sorted({int(row["seat"]) for row in rows if row is not None and row["kind"] == "pc" and row["seat"]})

    # ------------------------------------------------------------ words of the rules

    @cached_property
    def tables(self) -> Any:
        return services.tables("alice", dict(self.view.house_rules))

    def suit_name(self, suit: str) -> str:
        row = self.tables.suits.get(suit)
        return str(row.ability.pick(self.lang)) if row is not None else suit

    def class_name(self, cls: str) -> str:
        row = self.tables.classes.get(cls)
        return str(row.name.pick(self.lang)) if row is not None else ""

    def class_hint(self, cls: str) -> str:
        row = self.tables.classes.get(cls)
        return str(row.accepts.pick(self.lang)) if row is not None else ""


def percent(odds: Any, key: str = "success") -> str:
    """The chance of an outcome as text, "" where none can be told."""
    found = (odds or {}).get("outcomes", {}).get(key)
    return str(found["percent"]) if found else ""


def face(row: Row) -> str:
    """The one sign a tile shows."""
    return next((sign for sign in str(row["name"]) if sign.isalnum()), "・")
