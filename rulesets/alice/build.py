"""Checking a build: every problem at once with its repairs, derived values, open choices (rules §5)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.alice.cards import SUITS
from rulesets.alice.checks import Subject, find
from rulesets.alice.derived import derived_values
from rulesets.alice.sheet import Sheet
from rulesets.alice.tables import Tables
from rulesets.engine.checking import Finding, Repairs, problem_of
from rulesets.engine.problems import OpenChoice, Report
from rulesets.protocol import Context, Fields


def check(fields: Fields, tables: Tables, context: Context) -> Report:
    """Never raises, whatever the fields hold. The game has no points: nothing is spent."""
    subject = Subject(Sheet(fields, tables, context.kind), context)
    found = find(subject)

    def again(changed: Fields) -> list[Finding]:
        return find(Subject(Sheet(changed, tables, context.kind), context))

    repairs = Repairs(fields, found, again, _free, tables.messages)
    return Report(
        problems=tuple(problem_of(one, tables.messages, {}, repairs.of(one)) for one in found),
        costs=(),
        spent=0,
        derived=derived_values(subject.sheet),
        open_choices=tuple(_open(subject, found)),
    )


def _free(fields: Fields) -> int:
    return 0


def _open(subject: Subject, found: list[Finding]) -> Iterator[OpenChoice]:
    """What is not decided yet: the cards of the draft, what waits for the GM's word."""
    sheet, label = subject.sheet, subject.tables.label
    if sheet.npc:
        return
    if len(sheet.missing) == len(SUITS):
        yield OpenChoice("cards.S", label("ability_cards"), label("open_cards_hint"))
    for one in found:
        if one.code in ("W_CARDS_BY_HAND", "W_CARDS_UNCONFIRMED"):
            yield OpenChoice(one.path, label("ability_cards"), label("open_gm_hint"), "gm")
    if sheet.text("occupation") and "occupation" not in subject.context.confirmed:
        yield OpenChoice("occupation", subject.label("occupation"), label("open_occupation_hint"), "gm")
