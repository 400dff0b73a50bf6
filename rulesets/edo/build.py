"""Checking a build: every problem at once with its repairs, costs, derived values, open choices (rules §4, §4.11)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from rulesets.edo import check_party, check_person, check_skills, check_style
from rulesets.edo.costs import cost_lines, spent_on
from rulesets.edo.derived import derived_values
from rulesets.edo.findings import Finding, Repair, Subject, Words, applied
from rulesets.edo.open_choices import open_choices
from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Fix, Problem, Report
from rulesets.engine.text import Text
from rulesets.protocol import Context, Fields

MAX_FIXES = 4
# The party's limits say nothing about the sheet: a repair may cost more than is left.
_PARTY_CODES = frozenset({"V01", "V02"})


def check(fields: Fields, tables: Edo, context: Context) -> Report:
    """Never raises, whatever the fields hold. `spent` is the sum of the costs (§4.10)."""
    sheet = Sheet(fields, tables)
    subject = Subject(sheet, context)
    found = findings(subject)
    costs = cost_lines(sheet)
    repairs = Repairs(subject, found)
    return Report(
        problems=tuple(problem(finding, tables, repairs.of(finding)) for finding in found),
        costs=costs,
        spent=sum(line.points for line in costs),
        derived=derived_values(sheet, context),
        open_choices=open_choices(subject, [finding.place for finding in found]),
    )


def findings(subject: Subject) -> list[Finding]:
    """What is wrong with the sheet, party first, then in the order of the builder."""
    parts = (check_party, check_skills, check_style, check_person)
    return list(chain.from_iterable(part.find(subject) for part in parts))


def problem(finding: Finding, tables: Edo, fixes: Iterable[Fix]) -> Problem:
    """A finding in words. The message is that of its code, or the finding's own under another house rule."""
    message = tables.messages[finding.code]
    reason = tables.reasons.get(finding.code)
    return Problem(
        code=finding.code,
        level=finding.level or message.level,
        path=finding.path,
        message=finding.message or message.text.format(**finding.params),
        rule=message.rule,
        params=finding.params,
        needed=finding.needed,
        had=finding.had,
        reason=reason.text.format(**finding.params, **_extra(finding)) if reason is not None else None,
        fixes=tuple(fixes),
        lapsed=finding.lapsed,
    )


def _extra(finding: Finding) -> dict[str, object]:
    return {key: value for key, value in finding.why.items() if key not in finding.params}


class Repairs:
    """Repairs tried before they are offered: each must solve its problem and make no new error."""

    def __init__(self, subject: Subject, found: list[Finding]) -> None:
        self._subject = subject
        self._spent = spent_on(subject.fields, subject.tables)
        self._errors = _errors(found, subject.tables)
        self._words = Words(subject.tables)

    def of(self, finding: Finding) -> tuple[Fix, ...]:
        """The repairs of a finding, the shortest first; those that lead elsewhere come last."""
        tried = self._tried(finding)
        ways = [self._other(repair) for repair in finding.repairs if repair.kind != "set"]
        return (*tried[: MAX_FIXES - min(1, len(ways))], *ways)

    def _tried(self, finding: Finding) -> list[Fix]:
        offered: list[tuple[int, int, Fix]] = []
        direct = [repair for repair in finding.repairs if repair.kind == "set"]
        searched = finding.search() if finding.search is not None else ()
        for repair in chain(direct, searched):
            fix = self._fix(finding, repair)
            if fix is not None and fix.changes not in [other.changes for _, _, other in offered]:
                offered.append((repair.weight, abs(fix.cost_delta or 0), fix))
            if finding.search is not None and len(offered) >= check_party.MAX_REPAIRS:
                break
        return [fix for _, _, fix in sorted(offered, key=lambda row: row[:2])]

    def _fix(self, finding: Finding, repair: Repair) -> Fix | None:
        subject = self._subject
        after = Subject(Sheet(applied(subject.fields, repair.changes), subject.tables), subject.context)
        found = findings(after)
        if any(other.place == finding.place for other in found):
            return None
        if _errors(found, subject.tables) - self._errors:
            return None
        delta = spent_on(after.fields, subject.tables) - self._spent
        label = self._words.with_price(repair.label, delta)
        return Fix(label, "set", dict(repair.changes), next(iter(repair.changes), ""), 0, delta)

    def _other(self, repair: Repair) -> Fix:
        return Fix(repair.label, repair.kind, {}, repair.target, repair.points)


def _errors(found: Iterable[Finding], tables: Edo) -> set[tuple[str, str]]:
    levels = ((finding, finding.level or tables.messages[finding.code].level) for finding in found)
    return {finding.place for finding, level in levels if level == "error" and finding.code not in _PARTY_CODES}


def message(code: str, tables: Edo, **params: object) -> Text:
    """The words of a code (V01 …, P01 …) for whoever finds it outside a check. Raises `KeyError`."""
    return tables.messages[code].text.format(**params)
