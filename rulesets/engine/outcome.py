"""What came out of a roll, a draw or an exchange, with the reason of every part.

An `Outcome` is a tree: an attack holds the to-hit roll, the parry and the damage as `parts`. Each die, card, modifier
and change names why it is there and which section of the rules says so, so that a page can unfold any number. It is
plain data: it goes into an event as JSON and is read back for ever (`as_json`, `from_json`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets.engine.text import Text


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so: words, the section of the rules file, and whether the rule is our inference."""

    text: Text
    rule: str = ""
    inferred: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"text": _text_json(self.text), "rule": self.rule, "inferred": self.inferred}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reason:
        return cls(_text(data["text"]), data["rule"], data["inferred"])


@dataclass(frozen=True, slots=True)
class Die:
    """One die. `kept` counts towards the result; `mark` is a word such as `critical` or `success`, "" for none.

    `sides` is 0 for a number that was told, not thrown on a die of ours.
    """

    sides: int
    face: int
    reason: Reason
    kept: bool = True
    mark: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "sides": self.sides,
            "face": self.face,
            "kept": self.kept,
            "mark": self.mark,
            "reason": self.reason.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Die:
        return cls(data["sides"], data["face"], Reason.from_json(data["reason"]), data["kept"], data["mark"])


@dataclass(frozen=True, slots=True)
class CardShown:
    """One card by its id (`H10`, `H10#2`, tarot `"17"`). `value` is what it counted for, None if it only lay there."""

    card: str
    reason: Reason
    value: int | None = None
    mark: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"card": self.card, "value": self.value, "mark": self.mark, "reason": self.reason.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CardShown:
        return cls(data["card"], Reason.from_json(data["reason"]), data["value"], data["mark"])


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number added. `to` says to what: `total`, `target`, `damage` … as the game names it."""

    key: str
    value: int
    to: str
    reason: Reason

    def as_json(self) -> dict[str, Any]:
        return {"key": self.key, "value": self.value, "to": self.to, "reason": self.reason.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Modifier:
        return cls(data["key"], data["value"], data["to"], Reason.from_json(data["reason"]))


@dataclass(frozen=True, slots=True)
class Change:
    """A change that follows: `key` of `subject` (an actor's id) goes from `before` to `after`; None is absence."""

    subject: str
    key: str
    before: int | str | bool | None
    after: int | str | bool | None
    reason: Reason

    @property
    def difference(self) -> int | None:
        """After minus before, for whole numbers."""
        numbers = [v for v in (self.before, self.after) if isinstance(v, int) and not isinstance(v, bool)]
        return numbers[1] - numbers[0] if len(numbers) == 2 else None

    def as_json(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "key": self.key,
            "before": self.before,
            "after": self.after,
            "reason": self.reason.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Change:
        return cls(data["subject"], data["key"], data["before"], data["after"], Reason.from_json(data["reason"]))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result and how it came about.

    `kind` is the game's word for what was done (`skill_roll`, `damage`, `pool` …). `degree` is a word (`success`,
    `failure`, `critical`, … or "" where nothing is judged), `degree_label` its words for people. `total`, `target` and
    `margin` (total minus target: 成功度 and the like) are whole numbers, None where the game has none.
    """

    kind: str
    title: Reason
    degree: str = ""
    degree_label: Text | None = None
    total: int | None = None
    target: int | None = None
    dice: tuple[Die, ...] = ()
    cards: tuple[CardShown, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[Reason, ...] = ()
    parts: tuple[Outcome, ...] = ()
    margin: int | None = None

    def all_dice(self) -> tuple[Die, ...]:
        """Every die of the tree, in the order they were thrown: its own, then those of its parts."""
        return (*self.dice, *(die for part in self.parts for die in part.all_dice()))

    def all_changes(self) -> tuple[Change, ...]:
        """Every change of the tree, parts first: an exchange sums up after its blows."""
        return (*(change for part in self.parts for change in part.all_changes()), *self.changes)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "title": self.title.as_json(),
            "degree": self.degree,
            "degree_label": None if self.degree_label is None else _text_json(self.degree_label),
            "total": self.total,
            "target": self.target,
            "margin": self.margin,
            "dice": [die.as_json() for die in self.dice],
            "cards": [card.as_json() for card in self.cards],
            "modifiers": [modifier.as_json() for modifier in self.modifiers],
            "changes": [change.as_json() for change in self.changes],
            "notes": [note.as_json() for note in self.notes],
            "parts": [part.as_json() for part in self.parts],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outcome:
        """Read back what `as_json` wrote. Raises `KeyError` for what it did not write."""
        label: Mapping[str, str] | None = data["degree_label"]
        return cls(
            kind=data["kind"],
            title=Reason.from_json(data["title"]),
            degree=data["degree"],
            degree_label=None if label is None else _text(label),
            total=data["total"],
            target=data["target"],
            margin=data["margin"],
            dice=tuple(map(Die.from_json, data["dice"])),
            cards=tuple(map(CardShown.from_json, data["cards"])),
            modifiers=tuple(map(Modifier.from_json, data["modifiers"])),
            changes=tuple(map(Change.from_json, data["changes"])),
            notes=tuple(map(Reason.from_json, data["notes"])),
            parts=tuple(map(Outcome.from_json, data["parts"])),
        )


def keep_marks(faces: Sequence[int], keep: int, *, highest: bool = True) -> tuple[bool, ...]:
    """Which of some faces are kept: the `keep` highest (or lowest), of equal ones the earlier."""
    order = sorted(range(len(faces)), key=lambda i: (-faces[i] if highest else faces[i], i))
    kept = set(order[:keep])
    return tuple(i in kept for i in range(len(faces)))


def _text_json(text: Text) -> dict[str, str]:
    return {"ja": text.ja, "en": text.en}


def _text(data: Mapping[str, str]) -> Text:
    return Text(data["ja"], data["en"])
