"""What a check finds before it becomes a `Problem`: the code, the numbers, and repairs without their price."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Level, Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Context, Fields


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair before it is tried. `weight`: how many steps of a person's hand it stands for; lighter comes first."""

    label: Text
    changes: Mapping[str, Value] = field(default_factory=dict)
    kind: Literal["set", "goto", "request"] = "set"
    target: str = ""
    points: int = 0
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule. `why` are the further words of the reason.

    `search` looks for repairs that take long to find; `message` stands in for the code's own words; `lapsed` as in
    `Problem`.
    """

    code: str
    path: str
    params: Mapping[str, object] = field(default_factory=dict)
    needed: int | None = None
    had: int | None = None
    why: Mapping[str, object] = field(default_factory=dict)
    level: Level | None = None
    repairs: tuple[Repair, ...] = ()
    search: Callable[[], Iterable[Repair]] | None = None
    message: Text | None = None
    lapsed: bool = False

    @property
    def place(self) -> tuple[str, str]:
        return self.code, self.path


@dataclass(frozen=True)
class Subject:
    """The sheet under check with everything around it."""

    sheet: Sheet
    context: Context

    @property
    def tables(self) -> Edo:
        return self.sheet.tables

    @property
    def fields(self) -> Fields:
        return self.sheet.fields

    @property
    def npc(self) -> bool:
        return self.context.kind == "npc"


def applied(fields: Fields, changes: Mapping[str, Value]) -> dict[str, Value]:
    """Fields after a repair; None takes a field away."""
    return {key: value for key, value in {**fields, **changes}.items() if value is not None}


def shown(value: Value) -> Text:
    """A raw value in a sentence, shortened: drafts may hold anything."""
    text = str(value)
    return same(text if len(text) <= 40 else text[:39] + "…")


class Words:
    """Labels of repairs."""

    def __init__(self, tables: Edo) -> None:
        self._label = tables.label

    def change(self, label: Text, old: object, new: object) -> Text:
        return self._label("fix_change").format(label=label, old=old, new=new)

    def set(self, label: Text, new: object) -> Text:
        return self._label("fix_set").format(label=label, new=new)

    def remove(self, label: Text) -> Text:
        return self._label("fix_remove").format(label=label)

    def add(self, label: Text) -> Text:
        return self._label("fix_add").format(label=label)

    def goto(self, path: str) -> Repair:
        return Repair(self._label("fix_goto"), kind="goto", target=path, weight=99)

    def with_price(self, label: Text, delta: int) -> Text:
        if not delta:
            return label
        return self._label("fix_delta_more" if delta > 0 else "fix_delta_less").format(label=label, n=abs(delta))
