"""What a rolled line is: every die, what was made of it, and how it is said (interop/bcdice.md §8).

`Roll.as_json` has the shape of DESIGN §7; its `outcome` is the result object that a log stores. A place of
proof (draw, key) is added by whoever made the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal

from rulesets.engine.odds import Odds
from rulesets.engine.text import Text

Comparison = Literal[">=", "<=", ">", "<", "=", "<>"]
ARROW = " ＞ "
SUCCESS = Text("成功", "Success")
FAILURE = Text("失敗", "Failure")


@dataclass(frozen=True, slots=True)
class Die:
    """One thrown die, in throwing order. A choice counts as a die with as many sides as items."""

    sides: int
    face: int

    def as_json(self) -> dict[str, int]:
        return {"sides": self.sides, "face": self.face}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know about how the line was read; never part of `text`."""

    code: str
    text: Text

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "ja": self.text.ja, "en": self.text.en}


class RollSet:
    """Base of the groups of dice in an outcome; a dataclass for each kind of command, `kind` names it."""

    kind: str = ""

    def as_json(self) -> dict[str, Any]:
        """Field names and values; what is None is left out."""
        out: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is not None:
                out[field.name] = plain(value)
        return out


def plain(value: Any) -> Any:
    """JSON data of a result value: tuples become lists, texts both languages, fractions numerator and denominator."""
    if isinstance(value, Text):
        return {"ja": value.ja, "en": value.en}
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Result:
    """What one command came to.

    `degree` is a word (`success`, `failure`, …) or "" when nothing was judged; `total` the number it came to;
    `margin` how far above the target (below: negative).
    """

    text: Text
    sets: tuple[RollSet, ...]
    degree: str = ""
    total: int | None = None
    margin: int | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """One line that was rolled, or whose odds were asked (`chances` is then set and no die was thrown).

    `kind`: that of the command, `repeat`, `several` or `odds`. `rolls` holds the parts of a repetition or of
    several rolls in one line; `each` is what a log enters one by one.
    """

    system: str
    typed: str
    read_as: str
    comment: str
    kind: str
    text: Text
    secret: bool
    dice: tuple[Die, ...] = ()
    sets: tuple[RollSet, ...] = ()
    degree: str = ""
    total: int | None = None
    margin: int | None = None
    notices: tuple[Notice, ...] = ()
    rolls: tuple[Roll, ...] = ()
    chances: Odds | None = None

    @property
    def each(self) -> tuple[Roll, ...]:
        return self.rolls or (self,)

    @property
    def audience(self) -> str:
        """Who sees faces and outcome; that the roll happened is visible to all."""
        return "roller and gm" if self.secret else "everyone"

    def outcome(self) -> dict[str, Any]:
        """The result object."""
        out: dict[str, Any] = {
            "system": self.system,
            "kind": self.kind,
            "typed": self.typed,
            "read_as": self.read_as,
            "comment": self.comment,
            "sets": [item.as_json() for item in self.sets],
            "degree": self.degree,
            "total": self.total,
            "margin": self.margin,
            "notices": [notice.as_json() for notice in self.notices],
            "audience": self.audience,
        }
        if self.rolls:
            out["rolls"] = [{**roll.outcome(), "text": plain(roll.text)} for roll in self.rolls]
        if self.chances is not None:
            out["odds"] = plain(self.chances)
        return out

    def as_json(self, lang: str = "ja") -> dict[str, Any]:
        """The JSON of the command line (DESIGN §7)."""
        return {
            "system": self.system,
            "command": self.typed,
            "read_as": self.read_as,
            "comment": self.comment,
            "text": self.text.pick(lang),
            "secret": self.secret,
            "dice": [die.as_json() for die in self.dice],
            "outcome": self.outcome(),
        }


def steps(*parts: Text | str) -> Text:
    """The parts of a result joined the way log readers expect: ` ＞ ` between them."""
    return Text(ARROW.join(_in(part, "ja") for part in parts), ARROW.join(_in(part, "en") for part in parts))


def _in(part: Text | str, lang: str) -> str:
    return part if isinstance(part, str) else part.pick(lang)


def listed(faces: Sequence[int]) -> str:
    return ",".join(map(str, faces))


def compare(left: int, comparison: str, right: int) -> bool:
    """Whether `left comparison right` holds."""
    if comparison == ">=":
        return left >= right
    if comparison == "<=":
        return left <= right
    if comparison == ">":
        return left > right
    if comparison == "<":
        return left < right
    return (left == right) == (comparison == "=")
