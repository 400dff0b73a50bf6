"""What a check says: problems with their repairs, costs, derived values and open choices.

A report lists every problem at once. A problem names its field, what is needed, what is there, the rule's
section and the shortest repairs, so that a page can offer each repair as one button.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rulesets.engine.text import Text

Level = Literal["error", "warning"]
# A value of one build field: what a form control can hold.
Value = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Fix:
    """One repair offered with a problem.

    `kind`: `set` changes `changes` (field key -> new value, None removes); `goto` leads to field `target`;
    `request` asks the table for `points` build points. `cost_delta` is the change in points spent, if known.
    """

    label: Text
    kind: Literal["set", "goto", "request"] = "set"
    changes: Mapping[str, Value] = field(default_factory=dict)
    target: str = ""
    points: int = 0
    cost_delta: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule (`error`) or one remark (`warning`).

    `path` is a field key of the build (`abilities.mind`) or "" for the whole; `needed` and `had` are the numbers
    compared, if the rule compares numbers; `rule` is the section of the rules file. `lapsed`: a remark on a saved build
    that no longer fits what changed around it, so that lists flag it.
    """

    code: str
    level: Level
    path: str
    message: Text
    rule: str
    params: Mapping[str, object] = field(default_factory=dict)
    needed: int | None = None
    had: int | None = None
    reason: Text | None = None
    fixes: tuple[Fix, ...] = ()
    lapsed: bool = False


@dataclass(frozen=True, slots=True)
class CostLine:
    """Points spent on one thing. `group` gathers lines for totals (`role`, `abilities`, `skills` …)."""

    key: str
    group: str
    label: Text
    points: int
    path: str = ""
    rule: str = ""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One summand of a derived value; `value` is a signed number or a short text such as `1D6`."""

    label: Text
    value: int | str


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed value with everything it is made of. `inferred` marks a reconstructed number."""

    key: str
    label: Text
    value: int | str
    parts: tuple[Part, ...]
    rule: str
    unit: Text | None = None
    note: Text | None = None
    group: str = "main"
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """Something not decided yet that is no error. `waiting` is `owner` or `gm`."""

    path: str
    label: Text
    hint: Text | None = None
    waiting: Literal["owner", "gm"] = "owner"


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `check`: legal when no problem is an error."""

    problems: tuple[Problem, ...]
    costs: tuple[CostLine, ...]
    spent: int
    derived: Mapping[str, Derived]
    open_choices: tuple[OpenChoice, ...] = ()

    @property
    def legal(self) -> bool:
        return not any(p.level == "error" for p in self.problems)

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if p.level == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if p.level == "warning")
