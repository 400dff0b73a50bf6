"""The fields of a draft as a page shows them: value, base, errors, remarks, what changed, which versions compete.

Knows no game. A game's `present/<slug>.py` asks the board for the fields it wants to show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from rulesets import services
from rulesets.engine.problems import Derived, Fix, Problem, Report, Value
from rulesets.engine.text import Text


def typed(value: Value) -> str:
    """What a control holds for a stored value: "" for none, "1" for a ticked box."""
    if value is None or value is False:
        return ""
    return "1" if value is True else str(value)


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def dom_id(key: str) -> str:
    """An element id for a field key (`skills.geino~1.level` -> `f-skills-geino_1-level`)."""
    return "f-" + "".join("_" if char == "~" else "-" if char == "." else char for char in key)


@dataclass(frozen=True, slots=True)
class FixView:
    """A repair as one button: field changes to send, a place to go, or points to ask the table for."""

    label: str
    kind: str
    payload: str = ""
    target: str = ""
    points: int = 0


@dataclass(frozen=True, slots=True)
class ProblemView:
    code: str
    path: str
    message: str
    rule: str
    reason: str
    fixes: tuple[FixView, ...]


@dataclass(frozen=True, slots=True)
class OpenView:
    label: str
    hint: str
    target: str
    waiting: str


@dataclass(frozen=True, slots=True)
class Competing:
    """Somebody else's version of a field that was edited here at the same time."""

    theirs: str
    mine: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class RemarkView:
    pk: int
    text: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FieldView:
    """One control. `was` is the stored value as the control shows it, `base` the same as JSON; `shown` may be newer."""

    key: str
    label: str
    value: Value
    shown: str
    was: str
    base: str
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    refused: str = ""
    remarks: tuple[RemarkView, ...] = ()
    before: str | None = None
    competing: Competing | None = None
    waiting: bool = False
    confirmed: bool = False
    refusable: bool = False

    @property
    def name(self) -> str:
        return f"f.{self.key}"

    @property
    def id(self) -> str:
        return dom_id(self.key)

    @property
    def invalid(self) -> bool:
        return bool(self.errors or self.refused)

    @property
    def kept(self) -> bool:
        """Whether the control shows something that is not stored (yet)."""
        return self.shown != self.was

    @property
    def marked(self) -> bool:
        """Whether the control has anything to say beside its value."""
        return bool(
            self.errors or self.refused or self.remarks or self.competing or self.waiting or self.before is not None
        )

    def set_to(self, value: Value) -> str:
        """The payload of a button that sets this field."""
        return as_json({self.key: value})


@dataclass(slots=True)
class Board:
    """Hands out `FieldView`s and remembers which, so that the page knows the base of every control it holds."""

    slug: str
    house_rules: Mapping[str, Any]
    fields: Mapping[str, Value]
    report: Report
    lang: str
    editable: bool = True
    kept: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    competing: Mapping[str, Competing] = field(default_factory=dict)
    remarks: Mapping[str, tuple[RemarkView, ...]] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    cleared: Mapping[str, Value] | None = None
    _used: dict[str, Value] = field(default_factory=dict)
    _problems: dict[str, list[Problem]] | None = None

    def pick(self, text: Text | None) -> str:
        return text.pick(self.lang) if text is not None else ""

    def value(self, key: str) -> Value:
        return self.fields.get(key)

    def number(self, key: str) -> int | None:
        """The stored whole number; None for nothing or for something that is no number."""
        value = self.fields.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def label(self, key: str) -> str:
        return self.pick(services.field_label(self.slug, key, self.house_rules))

    def say(self, key: str, value: Value) -> str:
        return self.pick(services.field_text(self.slug, key, value, self.house_rules))

    def problems_at(self, key: str) -> list[Problem]:
        if self._problems is None:
            self._problems = {}
            for problem in self.report.problems:
                self._problems.setdefault(problem.path, []).append(problem)
        return self._problems.get(key, [])

    def field(self, key: str, also: Iterable[str] = (), *, words: bool = False, empty: str = "") -> FieldView:
        """The view of one field. `also` are further problem paths to be shown at it (its row, its group).

        `words`: the control shows the value's words, which `parse_field` reads back (a place from a list typed as
        text). `empty` is what it shows for nothing, if that is read back as nothing (0 endurance bought).
        """
        value = self.fields.get(key)
        self._used[key] = value
        at = [problem for path in (key, *also) for problem in self.problems_at(path)]
        was = empty if value is None else self.say(key, value) if words else typed(value)
        return FieldView(
            key=key,
            label=self.label(key),
            value=value,
            shown=self.kept.get(key, was),
            was=was,
            base=as_json(value),
            errors=tuple(self.pick(problem.message) for problem in at if problem.level == "error"),
            warnings=tuple(self.pick(problem.message) for problem in at if problem.level == "warning"),
            refused=self.refused.get(key, ""),
            remarks=self.remarks.get(key, ()),
            before=self._before(key, value),
            competing=self.competing.get(key),
            waiting=any(choice.path == key and choice.waiting == "gm" for choice in self.report.open_choices),
            confirmed=key in self.confirmed,
            refusable=key in services.refusable_fields(self.slug),
        )

    def _before(self, key: str, value: Value) -> str | None:
        """What the GM had cleared, in words, if it is different now."""
        if self.cleared is None or self.cleared.get(key) == value:
            return None
        return self.say(key, self.cleared.get(key))

    @property
    def bases(self) -> str:
        """The value of every field the page holds, as JSON: the base of a form sent without JavaScript."""
        return as_json(self._used)

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The fields handed out so far that hold something, in the order of the page."""
        return tuple(key for key, value in self._used.items() if value is not None)

    def holds(self, key: str) -> bool:
        return key in self._used

    def fix(self, fix: Fix) -> FixView:
        payload = as_json(dict(fix.changes)) if fix.kind == "set" else ""
        return FixView(
            label=self.pick(fix.label),
            kind=fix.kind,
            payload=payload,
            target=dom_id(fix.target) if fix.target else "",
            points=fix.points,
        )

    def problem(self, problem: Problem) -> ProblemView:
        return ProblemView(
            code=problem.code,
            path=problem.path,
            message=self.pick(problem.message),
            rule=problem.rule,
            reason=self.pick(problem.reason),
            fixes=tuple(self.fix(fix) for fix in problem.fixes),
        )


@dataclass(frozen=True, slots=True)
class PartView:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class StatView:
    """A number that unfolds into what it is made of."""

    key: str
    label: str
    value: str
    unit: str
    parts: tuple[PartView, ...]
    note: str
    rule: str
    inferred: bool


def signed(value: int | str) -> str:
    """A summand as it is printed: `＋3`, `−2`; text stays as it is."""
    if isinstance(value, int):
        return f"−{-value}" if value < 0 else _("＋") + str(value)
    return value


def stat(derived: Derived, lang: str, plus: bool = False) -> StatView:
    """`plus` shows the value itself with its sign (a bonus). The first part of a sum stands without a sign."""
    parts = tuple(
        PartView(part.label.pick(lang), str(part.value) if index == 0 and part.value != 0 else signed(part.value))
        for index, part in enumerate(derived.parts)
    )
    return StatView(
        key=derived.key,
        label=derived.label.pick(lang),
        value=signed(derived.value) if plus else str(derived.value),
        unit=derived.unit.pick(lang) if derived.unit else "",
        parts=parts,
        note=derived.note.pick(lang) if derived.note else "",
        rule=derived.rule,
        inferred=derived.inferred,
    )
