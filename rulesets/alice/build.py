"""Checking a build: every problem at once with its repairs, derived values, open choices (rules §5)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulesets.alice.cards import SUITS, base_value
from rulesets.alice.derived import derived_values
from rulesets.alice.fields import card_label, field_label, field_text
from rulesets.alice.naming import lint_occupation
from rulesets.alice.rows import Occupation
from rulesets.alice.sheet import CHOICES, GM_ONLY, NUMBERS, TEXT_MAX, Sheet, sort_of, whole
from rulesets.alice.tables import Tables
from rulesets.engine.problems import Fix, OpenChoice, Problem, Report, Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Context, Fields


@dataclass(frozen=True)
class Subject:
    """The sheet under check with everything around it."""

    sheet: Sheet
    context: Context

    @property
    def tables(self) -> Tables:
        return self.sheet.tables

    def problem(
        self,
        code: str,
        path: str,
        fixes: tuple[Fix, ...] = (),
        *,
        needed: int | None = None,
        had: int | None = None,
        **params: object,
    ) -> Problem:
        """A problem in the words of its code. A `Text` among `params` is filled in its own language."""
        row = self.tables.messages[code]
        plain = {key: value.ja if isinstance(value, Text) else value for key, value in params.items()}
        return Problem(code, row.level, path, row.text.format(**params), row.rule, plain, needed, had, None, fixes)

    def label(self, key: str) -> Text:
        return field_label(key, self.tables)

    # ------------------------------------------------------------ repairs

    def goto(self, key: str) -> tuple[Fix, ...]:
        return (Fix(self.tables.label("fix_goto"), "goto", target=key),)

    def clear(self, key: str) -> tuple[Fix, ...]:
        label = self.tables.label("fix_clear").format(label=self.label(key))
        return (Fix(label, "set", {key: None}, key),)

    def put(self, key: str, value: Value) -> tuple[Fix, ...]:
        words = {"label": self.label(key), "new": field_text(key, value, self.tables)}
        return (Fix(self.tables.label("fix_change").format(**words), "set", {key: value}, key),)


def check(fields: Fields, tables: Tables, context: Context) -> Report:
    """Never raises, whatever the fields hold. The game has no points: nothing is spent."""
    subject = Subject(Sheet(fields, tables, context.kind), context)
    parts = (_readable, _abilities, _required, _origin, _occupation)
    problems = tuple(problem for part in parts for problem in part(subject))
    return Report(problems, (), 0, derived_values(subject.sheet), tuple(_open(subject, problems)))


# ---------------------------------------------------------------- what can be read at all


def _readable(subject: Subject) -> Iterator[Problem]:
    for key, value in subject.sheet.fields.items():
        sort = sort_of(key)
        if sort is None or (key in GM_ONLY and not subject.sheet.npc):
            yield subject.problem("E_UNKNOWN_FIELD", key, subject.clear(key), key=_shown(key))
        elif sort == "number":
            yield from _number(subject, key, value)
        elif sort == "flag":
            if not isinstance(value, bool):
                yield subject.problem("E_UNREADABLE", key, subject.clear(key), label=subject.label(key))
        elif not isinstance(value, str):
            yield subject.problem("E_UNREADABLE", key, subject.clear(key), label=subject.label(key))
        elif sort == "choice" and value and value not in CHOICES[key]:
            yield subject.problem("E_NO_CHOICE", key, subject.clear(key), value=_shown(value))
        elif sort == "text":
            yield from _text(subject, key, value)


def _number(subject: Subject, key: str, value: Value) -> Iterator[Problem]:
    low, high = NUMBERS[key]
    number = whole(value)
    if number is None or not low <= number <= high:
        yield subject.problem("E_BAD_NUMBER", key, subject.clear(key), label=subject.label(key), min=low, max=high)


def _text(subject: Subject, key: str, value: str) -> Iterator[Problem]:
    most, label = TEXT_MAX[key], subject.label(key)
    if len(value) > most:
        size = len(value)
        goto = subject.goto(key)
        yield subject.problem("E_TEXT_TOO_LONG", key, goto, needed=most, had=size, label=label, max=most, length=size)
    long_text = most >= TEXT_MAX["notes"]
    barred = (char for char in value if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp"))
    if any(not (long_text and char == "\n") for char in barred):
        yield subject.problem("E_BAD_CHARACTER", key, subject.goto(key), label=label)


def _shown(value: object) -> Text:
    """A raw value in a sentence, shortened: drafts may hold anything."""
    text = str(value)
    return same(text if len(text) <= 40 else text[:39] + "…")


# ---------------------------------------------------------------- the four cards


def _abilities(subject: Subject) -> Iterator[Problem]:
    sheet = subject.sheet
    missing = sheet.missing
    if missing:
        yield subject.problem(
            "E_ABILITIES_MISSING",
            f"cards.{missing[0]}",
            subject.goto(f"cards.{missing[0]}"),
            needed=4,
            had=4 - len(missing),
        )
    for suit in SUITS:
        key = f"cards.{suit}"
        value = sheet.fields.get(key)
        if isinstance(value, str) and value and suit not in sheet.cards:
            values = "・".join(sheet.values)
            yield subject.problem("E_NO_ABILITY_CARD", key, subject.clear(key), label=subject.label(key), values=values)
    yield from _dealt(subject)


def _dealt(subject: Subject) -> Iterator[Problem]:
    """Cards that were dealt stay for good; only those entered by hand may still be corrected."""
    before: Mapping[str, Value] = subject.context.previous or {}
    if subject.sheet.npc or before.get("ability_source") in (None, "", "manual"):
        return
    for suit in SUITS:
        key = f"cards.{suit}"
        was = before.get(key)
        if isinstance(was, str) and was and subject.sheet.fields.get(key) != was:
            card = card_label(suit, was)
            yield subject.problem("E_CARDS_FIXED", key, subject.put(key, was), label=subject.label(key), card=card)


# ---------------------------------------------------------------- the person


def _required(subject: Subject) -> Iterator[Problem]:
    sheet = subject.sheet
    needed = ("name",) if sheet.npc else ("name", "age", "occupation")
    for key in needed:
        if sheet.fields.get(key) in (None, "") or (sort_of(key) == "text" and not sheet.text(key)):
            yield subject.problem("E_FIELD_REQUIRED", key, subject.goto(key), field=subject.label(key))
    age, least = whole(sheet.fields.get("age")), subject.tables.rule.age_min
    if age is not None and NUMBERS["age"][0] <= age < least and not sheet.npc:
        yield subject.problem("E_AGE_TOO_LOW", "age", subject.put("age", least), needed=least, had=age, min=least)


def _origin(subject: Subject) -> Iterator[Problem]:
    """Cards of a PC count once the GM has confirmed where they come from (the draft does so by itself)."""
    sheet = subject.sheet
    if sheet.npc or not sheet.cards or "ability_source" in subject.context.confirmed:
        return
    if sheet.source in ("manual", ""):
        yield subject.problem("W_CARDS_BY_HAND", "ability_source")
    elif sheet.source in CHOICES["ability_source"]:
        source = field_text("ability_source", sheet.source, subject.tables)
        yield subject.problem("W_CARDS_UNCONFIRMED", "ability_source", source=source)


def _occupation(subject: Subject) -> Iterator[Problem]:
    name = subject.sheet.text("occupation")
    if subject.sheet.npc or not name:
        return
    if ("occupation", name) in subject.context.refused:
        yield subject.problem("E_OCCUPATION_REJECTED", "occupation", subject.goto("occupation"))
    if "occupation" not in subject.context.confirmed:
        for code in lint_occupation(name, subject.tables.known_occupations):
            yield subject.problem(code, "occupation", subject.goto("occupation"))
    yield from _weak_trade(subject, name)


def _weak_trade(subject: Subject, name: str) -> Iterator[Problem]:
    """A trade whose usual suits are all weak makes the game hard."""
    row, limit = subject.tables.known_occupations.get(name), subject.tables.rule.weak_reading
    cards = subject.sheet.cards
    if not isinstance(row, Occupation) or not set(row.suits) <= set(cards):
        return
    if all(base_value(cards[suit], subject.tables) <= limit for suit in row.suits):
        suits = "".join(subject.tables.suits[suit].symbol for suit in row.suits)
        yield subject.problem("W_WEAK_TRADE", "occupation", occupation=row.name, suits=suits, n=limit)


# ---------------------------------------------------------------- what is still open


def _open(subject: Subject, problems: tuple[Problem, ...]) -> Iterator[OpenChoice]:
    sheet, label = subject.sheet, subject.tables.label
    if sheet.npc:
        return
    if len(sheet.missing) == len(SUITS):
        yield OpenChoice("cards.S", label("ability_cards"), label("open_cards_hint"))
    if any(problem.path == "ability_source" and problem.level == "warning" for problem in problems):
        yield OpenChoice("ability_source", subject.label("ability_source"), label("open_gm_hint"), "gm")
    if sheet.text("occupation") and "occupation" not in subject.context.confirmed:
        yield OpenChoice("occupation", subject.label("occupation"), label("open_occupation_hint"), "gm")
