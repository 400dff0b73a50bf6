"""Checking a build: every problem at once with its repairs, costs, derived values, open choices (rules §3)."""

from __future__ import annotations

from itertools import chain

from rulesets.engine.checking import Finding, Repairs, problem_of
from rulesets.engine.problems import Report
from rulesets.engine.text import Text
from rulesets.ninja import check_abilities, check_fields, check_gear, check_gifts
from rulesets.ninja.costs import cost_lines, spent_on
from rulesets.ninja.derived import derived_values
from rulesets.ninja.open_choices import open_choices
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.subject import Subject
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Context, Fields


def check(fields: Fields, tables: Ninja, context: Context) -> Report:
    """Never raises, whatever the fields hold. `spent` are points of the scratch build."""

    def find(changed: Fields) -> list[Finding]:
        return findings(Subject(Sheet(changed, tables), context))

    subject = Subject(Sheet(fields, tables), context)
    found = findings(subject)
    costs = cost_lines(subject.sheet)
    repairs = Repairs(fields, found, find, lambda changed: spent_on(Sheet(changed, tables)), tables.messages)
    return Report(
        problems=tuple(problem_of(one, tables.messages, tables.reasons, repairs.of(one)) for one in found),
        costs=costs,
        spent=sum(line.points for line in costs),
        derived=derived_values(subject.sheet),
        open_choices=open_choices(subject, {one.path for one in found}),
    )


def findings(subject: Subject) -> list[Finding]:
    """What is wrong with the sheet, in the order of creation."""
    parts = (check_gear, check_abilities, check_gifts, check_fields)
    return list(chain.from_iterable(part.find(subject) for part in parts))


def message(code: str, tables: Ninja, **params: object) -> Text:
    """The words of a code for whoever finds it outside a check. Raises `KeyError`."""
    return tables.messages[code].text.format(**params)
