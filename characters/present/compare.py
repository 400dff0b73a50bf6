"""What a comparison of several sheets consists of, and the plain one for games that say nothing special.

A game may give its own in `characters/present/<slug>_compare.py`: `compare(views, house_rules, lang) -> Comparison`
and `rank(view, lang) -> str`, the word under a character's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from characters.selectors.builds import BuildView
from rulesets.engine.problems import Derived


@dataclass(frozen=True, slots=True)
class Value:
    """One character's value. `order` sorts; None can never be the best."""

    text: str
    order: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One row: a value or None for each character."""

    label: str
    values: tuple[Value | None, ...]
    group: str = ""
    inferred: bool = False

    @property
    def best(self) -> int | None:
        """The highest order, if it sets somebody apart."""
        found = [value.order for value in self.values if value is not None and value.order is not None]
        if len(self.values) < 2 or not found:
            return None
        apart = len(set(found)) > 1 or len(found) < len(self.values)
        return max(found) if apart else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Lines in order, and what nobody has."""

    lines: tuple[Line, ...]
    lacking: tuple[str, ...] = field(default=())


def derived_value(derived: Derived | None, lang: str) -> Value | None:
    if derived is None:
        return None
    unit = derived.unit.pick(lang) if derived.unit is not None else ""
    return Value(f"{derived.value}{unit}", derived.value if isinstance(derived.value, int) else None)


def plain(views: Sequence[BuildView], lang: str) -> Comparison:
    """The main derived values, in the order they first appear."""
    first: dict[str, Derived] = {}
    for view in views:
        for key, derived in view.report.derived.items():
            if derived.group == "main":
                first.setdefault(key, derived)
    lines = (
        Line(
            derived.label.pick(lang),
            tuple(derived_value(view.report.derived.get(key), lang) for view in views),
            inferred=any(view.report.derived[key].inferred for view in views if key in view.report.derived),
        )
        for key, derived in first.items()
    )
    return Comparison(tuple(lines))
