"""What may be wrong with a sheet (rules §5.3, §5.4): findings with proposed repairs, in the order of the builder."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rulesets.alice.cards import SUITS, base_value
from rulesets.alice.fields import card_label, field_label, field_text
from rulesets.alice.naming import lint_occupation
from rulesets.alice.rows import Occupation
from rulesets.alice.sheet import CHOICES, GM_ONLY, NUMBERS, TEXT_MAX, Sheet, sort_of, whole
from rulesets.alice.tables import Tables
from rulesets.engine.checking import Finding, Repair, Words, shown
from rulesets.engine.problems import Value
from rulesets.engine.text import Text
from rulesets.protocol import Context


@dataclass(frozen=True)
class Subject:
    """The sheet under check with everything around it."""

    sheet: Sheet
    context: Context

    @property
    def tables(self) -> Tables:
        return self.sheet.tables

    def label(self, key: str) -> Text:
        return field_label(key, self.tables)

    # ------------------------------------------------------------ repairs

    @property
    def _words(self) -> Words:
        return Words(self.tables.label)

    def goto(self, key: str) -> tuple[Repair, ...]:
        return (self._words.goto(key),)

    def clear(self, key: str) -> tuple[Repair, ...]:
        return (Repair(self._words.remove(self.label(key)), {key: None}),)

    def put(self, key: str, value: Value) -> tuple[Repair, ...]:
        return (Repair(self._words.set(self.label(key), field_text(key, value, self.tables)), {key: value}),)


def find(subject: Subject) -> list[Finding]:
    """Everything that is wrong or worth a remark."""
    parts = (_readable, _abilities, _dealt, _required, _origin, _occupation)
    return [finding for part in parts for finding in part(subject)]


# ---------------------------------------------------------------- what can be read at all


def _readable(subject: Subject) -> Iterator[Finding]:
    for key, value in subject.sheet.fields.items():
        sort = sort_of(key)
        unreadable = not isinstance(value, bool if sort == "flag" else str)
        if sort is None or (key in GM_ONLY and not subject.sheet.npc):
            yield Finding("E_UNKNOWN_FIELD", key, {"key": shown(key)}, repairs=subject.clear(key))
        elif sort == "number":
            yield from _number(subject, key, value)
        elif unreadable:
            yield Finding("E_UNREADABLE", key, {"label": subject.label(key)}, repairs=subject.clear(key))
        elif sort == "choice" and value and value not in CHOICES[key]:
            yield Finding("E_NO_CHOICE", key, {"value": shown(value)}, repairs=subject.clear(key))
        elif sort == "text":
            yield from _text(subject, key, str(value))


def _number(subject: Subject, key: str, value: Value) -> Iterator[Finding]:
    low, high = NUMBERS[key]
    number = whole(value)
    if number is None or not low <= number <= high:
        params = {"label": subject.label(key), "min": low, "max": high}
        yield Finding("E_BAD_NUMBER", key, params, repairs=(*subject.clear(key), *subject.goto(key)))


def _text(subject: Subject, key: str, value: str) -> Iterator[Finding]:
    most, size, label = TEXT_MAX[key], len(value), subject.label(key)
    if size > most:
        params = {"label": label, "max": most, "length": size}
        yield Finding("E_TEXT_TOO_LONG", key, params, most, size, repairs=subject.goto(key))
    lines = most >= TEXT_MAX["notes"]
    barred = (char for char in value if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp"))
    if any(not (lines and char == "\n") for char in barred):
        yield Finding("E_BAD_CHARACTER", key, {"label": label}, repairs=subject.goto(key))


# ---------------------------------------------------------------- the four cards


def _abilities(subject: Subject) -> Iterator[Finding]:
    sheet = subject.sheet
    missing = sheet.missing
    if missing:
        path = f"cards.{missing[0]}"
        yield Finding("E_ABILITIES_MISSING", path, {}, 4, 4 - len(missing), repairs=subject.goto(path))
    for suit in SUITS:
        key = f"cards.{suit}"
        value = sheet.fields.get(key)
        if isinstance(value, str) and value and suit not in sheet.cards:
            params = {"label": subject.label(key), "values": Text("・".join(sheet.values), ", ".join(sheet.values))}
            yield Finding("E_NO_ABILITY_CARD", key, params, repairs=(*subject.clear(key), *subject.goto(key)))


def _dealt(subject: Subject) -> Iterator[Finding]:
    """Cards that were dealt stay for good; only those entered by hand may still be corrected."""
    before = subject.context.previous or {}
    if subject.sheet.npc or before.get("ability_source") in (None, "", "manual"):
        return
    for suit in SUITS:
        key = f"cards.{suit}"
        was = before.get(key)
        if isinstance(was, str) and was and subject.sheet.fields.get(key) != was:
            params = {"label": subject.label(key), "card": card_label(suit, was)}
            yield Finding("E_CARDS_FIXED", key, params, repairs=subject.put(key, was))


# ---------------------------------------------------------------- the person


def _required(subject: Subject) -> Iterator[Finding]:
    sheet = subject.sheet
    for key in ("name",) if sheet.npc else ("name", "age", "occupation"):
        if sheet.fields.get(key) in (None, "") or (sort_of(key) == "text" and not sheet.text(key)):
            yield Finding("E_FIELD_REQUIRED", key, {"field": subject.label(key)}, repairs=subject.goto(key))
    age, least = whole(sheet.fields.get("age")), subject.tables.rule.age_min
    if age is not None and NUMBERS["age"][0] <= age < least and not sheet.npc:
        yield Finding("E_AGE_TOO_LOW", "age", {"min": least}, least, age, repairs=subject.put("age", least))


def _origin(subject: Subject) -> Iterator[Finding]:
    """Cards of a PC count once the GM has confirmed them; those the draft writes are confirmed with it.

    The word for `cards.S` is the word for all four: it lapses when one of them changes. Who claims that they were dealt
    needs it for that as well.
    """
    sheet, confirmed = subject.sheet, subject.context.confirmed
    if sheet.npc or not sheet.cards:
        return
    if sheet.source in ("manual", ""):
        if "cards.S" not in confirmed:
            yield Finding("W_CARDS_BY_HAND", "cards.S")
    elif sheet.source in CHOICES["ability_source"]:
        open_path = next((path for path in ("cards.S", "ability_source") if path not in confirmed), "")
        if open_path:
            source = field_text("ability_source", sheet.source, subject.tables)
            yield Finding("W_CARDS_UNCONFIRMED", open_path, {"source": source})


def _occupation(subject: Subject) -> Iterator[Finding]:
    name = subject.sheet.text("occupation")
    if subject.sheet.npc or not name:
        return
    if ("occupation", name) in subject.context.refused:
        yield Finding("E_OCCUPATION_REJECTED", "occupation", repairs=subject.goto("occupation"))
    if "occupation" not in subject.context.confirmed:
        for code in lint_occupation(name, subject.tables.known_occupations):
            yield Finding(code, "occupation", repairs=subject.goto("occupation"))
    yield from _weak_trade(subject, name)


def _weak_trade(subject: Subject, name: str) -> Iterator[Finding]:
    """A trade whose usual suits are all weak makes the game hard."""
    row, limit = subject.tables.known_occupations.get(name), subject.tables.rule.weak_reading
    cards = subject.sheet.cards
    if not isinstance(row, Occupation) or not set(row.suits) <= set(cards):
        return
    if all(base_value(cards[suit], subject.tables) <= limit for suit in row.suits):
        suits = "".join(subject.tables.suits[suit].symbol for suit in row.suits)
        yield Finding("W_WEAK_TRADE", "occupation", {"occupation": row.name, "suits": suits, "n": limit})
