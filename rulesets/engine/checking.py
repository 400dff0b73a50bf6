"""What a check finds before it becomes a `Problem`: the code, the numbers, and repairs that are tried before offered.

A game gives its findings; `Repairs` applies each proposed repair, checks again, and offers only those that solve their
problem and make no new error, the lightest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rulesets.engine.problems import Fix, Level, Problem, Value
from rulesets.engine.tables import Message, Wording
from rulesets.engine.text import Text, same

Fields = Mapping[str, Value]
MAX_FIXES = 4
_GOTO_WEIGHT = 99


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair before it is tried. `weight`: how many steps of a person's hand it stands for; lighter comes first."""

    label: Text
    changes: Mapping[str, Value] = field(default_factory=dict)
    kind: Literal["set", "goto"] = "set"
    target: str = ""
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule. `why` are the further words of its reason; `level` replaces that of the code's message."""

    code: str
    path: str
    params: Mapping[str, object] = field(default_factory=dict)
    needed: int | None = None
    had: int | None = None
    why: Mapping[str, object] = field(default_factory=dict)
    level: Level | None = None
    repairs: tuple[Repair, ...] = ()

    @property
    def place(self) -> tuple[str, str]:
        return self.code, self.path


def applied(fields: Fields, changes: Mapping[str, Value]) -> dict[str, Value]:
    """Fields after a repair; None takes a field away."""
    return {key: value for key, value in {**fields, **changes}.items() if value is not None}


def shown(value: Value) -> Text:
    """A raw value in a sentence, shortened: drafts may hold anything."""
    text = str(value)
    return same(text if len(text) <= 40 else text[:39] + "…")


class Words:
    """Labels of repairs, from the rows `fix_set`, `fix_change`, `fix_remove` and `fix_goto` of a game's labels."""

    def __init__(self, label: Callable[[str], Text]) -> None:
        self._label = label

    def set(self, label: Text, new: object) -> Text:
        return self._label("fix_set").format(label=label, new=new)

    def change(self, label: Text, old: object, new: object) -> Text:
        return self._label("fix_change").format(label=label, old=old, new=new)

    def remove(self, label: Text) -> Text:
        return self._label("fix_remove").format(label=label)

    def goto(self, path: str) -> Repair:
        return Repair(self._label("fix_goto"), kind="goto", target=path, weight=_GOTO_WEIGHT)


def problem_of(
    finding: Finding, messages: Mapping[str, Message], reasons: Mapping[str, Wording], fixes: Iterable[Fix]
) -> Problem:
    """A finding in the words of its code."""
    message, reason = messages[finding.code], reasons.get(finding.code)
    return Problem(
        code=finding.code,
        level=finding.level or message.level,
        path=finding.path,
        message=message.text.format(**finding.params),
        rule=message.rule,
        params=finding.params,
        needed=finding.needed,
        had=finding.had,
        reason=None if reason is None else reason.text.format(**{**finding.why, **finding.params}),
        fixes=tuple(fixes),
    )


class Repairs:
    """Tries repairs. `find` checks fields, `spent` prices them, `messages` say which findings are errors."""

    def __init__(
        self,
        fields: Fields,
        found: Iterable[Finding],
        find: Callable[[Fields], list[Finding]],
        spent: Callable[[Fields], int],
        messages: Mapping[str, Message],
    ) -> None:
        self._fields, self._find, self._price, self._messages = fields, find, spent, messages
        self._spent = spent(fields)
        self._errors = self._errors_of(found)

    def of(self, finding: Finding) -> tuple[Fix, ...]:
        """The repairs of a finding, the shortest first; those that lead elsewhere come last."""
        ways = [repair for repair in finding.repairs if repair.kind != "set"]
        tried = [(repair.weight, self._fix(finding, repair)) for repair in finding.repairs if repair.kind == "set"]
        good: list[Fix] = []
        for _, fix in sorted(tried, key=lambda row: row[0]):
            if fix is not None and fix.changes not in [other.changes for other in good]:
                good.append(fix)
        leading = (Fix(repair.label, repair.kind, {}, repair.target) for repair in ways)
        return (*good[: MAX_FIXES - min(1, len(ways))], *leading)

    def _fix(self, finding: Finding, repair: Repair) -> Fix | None:
        after = applied(self._fields, repair.changes)
        if after == applied(self._fields, {}):
            return None
        found = self._find(after)
        if any(other.place == finding.place for other in found) or self._errors_of(found) - self._errors:
            return None
        delta = self._price(after) - self._spent
        return Fix(repair.label, "set", dict(repair.changes), next(iter(repair.changes), ""), 0, delta)

    def _errors_of(self, found: Iterable[Finding]) -> set[tuple[str, str]]:
        return {one.place for one in found if (one.level or self._messages[one.code].level) == "error"}
