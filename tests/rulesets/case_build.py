"""Runs cases of building: `validate` and `create`; the format is told in `cases.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulesets import services
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.problems import Problem, Report
from rulesets.protocol import Context, Party, Refusal
from tests.rulesets.case_table import Case, CaseFailed, CaseRefused, compare


def refusal(code: str, message: str) -> dict[str, Any]:
    return {"refused": code, "message": message}


def house_rules_refused(error: services.HouseRulesInvalid, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The problem that was expected, else the first: an override may be wrong in several ways."""
    wanted = [problem for problem in error.problems if problem.code == expected.get("refused")]
    problem = (wanted or list(error.problems))[0]
    return refusal(problem.code, problem.message.ja)


@dataclass(frozen=True)
class _Subject:
    """A character to check: what `given` describes."""

    fields: dict[str, Any]
    context: Context
    house_rules: Mapping[str, Any] = field(default_factory=dict)


def _subject(case: Case) -> _Subject:
    given = case.given
    rules = given.get("house_rules", {})
    kind = given.get("kind", "npc" if "preset" in given else "pc")
    if "preset" in given:
        found = [preset for preset in services.presets(case.system, rules) if preset.id == given["preset"]]
        if not found:
            raise CaseFailed(f"{case}: there is no preset {given['preset']}")
        fields = dict(found[0].fields)
    elif "build" in given:
        wrong = services.check_document(case.system, given["build"])
        if wrong:
            raise CaseFailed(f"{case}: the document is refused: {[(p.code, p.path, p.message.ja) for p in wrong]}")
        fields = dict(services.from_build(case.system, given["build"]))
    elif "fields" in given:
        fields = {**services.blank(case.system, kind, rules), **given["fields"]}
    else:
        fields = dict(services.blank(case.system, kind, rules))
    for key in [key for part in ("set", "unset", "fields", "previous", "partner") for key in given.get(part, ())]:
        if not services.known_field(case.system, key):
            raise CaseFailed(f"{case}: {key} is no field of {case.system}")
    for key in given.get("strange", ()):
        if services.known_field(case.system, key):
            raise CaseRefused(f"{case}: {key} is a field and belongs into `set`")
    fields |= {**given.get("set", {}), **given.get("strange", {})}
    for key in given.get("unset", ()):
        if key not in fields:
            raise CaseRefused(f"{case}: {key} is not set, so taking it away changes nothing")
        del fields[key]
    party = Party(**given["party"]) if "party" in given else None
    context = Context(
        kind=kind,
        party=party,
        confirmed=frozenset(given.get("confirmed", ())),
        saved=given.get("saved", False),
        allowed=frozenset(given.get("allowed", ())),
        previous={**fields, **given["previous"]} if "previous" in given else None,
        partner=given.get("partner"),
        refused=frozenset(given.get("turned_down", {}).items()),
    )
    return _Subject(fields, context, rules)


def validate(case: Case) -> dict[str, Any]:
    try:
        subject = _subject(case)
        report = services.check(case.system, subject.fields, subject.house_rules, subject.context)
    except services.HouseRulesInvalid as error:
        return house_rules_refused(error, case.expected)
    fields = subject.fields
    if "fix" in case.given:
        fields = _fixed(case, report, fields)
        report = services.check(case.system, fields, subject.house_rules, subject.context)
    found = report_view(case.system, fields, subject.house_rules, report)
    if not list(compare(case.expected, found)):
        kind = subject.context.kind
        blank = dict(services.blank(case.system, kind, {}))
        untouched = report_view(case.system, blank, {}, services.check(case.system, blank, {}, Context(kind)))
        if not list(compare(case.expected, untouched)):
            raise CaseRefused(f"{case}: proves nothing, all of it holds for a blank character too")
    return found


def _fixed(case: Case, report: Report, fields: Mapping[str, Any]) -> dict[str, Any]:
    for problem in report.problems:
        for fix in problem.fixes:
            if problem.code == case.given["fix"] and fix.kind == "set":
                changed = {**fields, **fix.changes}
                return {key: value for key, value in changed.items() if value is not None}
    raise CaseFailed(f"{case}: no problem {case.given['fix']} with a repair to apply")


def report_view(system: str, fields: Mapping[str, Any], house_rules: Mapping[str, Any], report: Report) -> Any:
    """A report as the plain data that `expected` is compared with."""
    groups: dict[str, int] = {}
    for line in report.costs:
        groups[line.group] = groups.get(line.group, 0) + line.points
    known = [key for key in fields if services.known_field(system, key)]
    problems: dict[str, Any] = {}
    for problem in report.problems:
        problems.setdefault(problem.code, _problem_view(problem))
    return {
        "legal": report.legal,
        "spent": report.spent,
        "codes": [problem.code for problem in report.problems],
        "errors": sorted(problem.code for problem in report.errors),
        "warnings": sorted(problem.code for problem in report.warnings),
        "costs": {line.key: line.points for line in report.costs},
        "groups": groups,
        "derived": {key: derived.value for key, derived in report.derived.items()},
        "parts": {key: [part.value for part in derived.parts] for key, derived in report.derived.items()},
        "inferred": {key: derived.inferred for key, derived in report.derived.items()},
        "open": sorted(choice.path for choice in report.open_choices),
        "label": {key: services.field_label(system, key, house_rules).ja for key in known},
        "shown": {key: services.field_text(system, key, fields[key], house_rules).ja for key in known},
        "name": services.display_name(system, fields),
        "build": services.to_build(system, fields) if report.legal else {},
        "problem": problems,
    }


def _problem_view(problem: Problem) -> dict[str, Any]:
    return {
        "path": problem.path,
        "level": problem.level,
        "rule": problem.rule,
        "needed": problem.needed,
        "had": problem.had,
        "params": {key: str(v) if not isinstance(v, int) else v for key, v in problem.params.items()},
        "message": problem.message.ja,
        "message_en": problem.message.en,
        "reason": problem.reason.ja if problem.reason else None,
        "fixes": [
            {
                "kind": fix.kind,
                "label": fix.label.ja,
                "changes": dict(fix.changes),
                "target": fix.target,
                "points": fix.points,
                "cost_delta": fix.cost_delta,
            }
            for fix in problem.fixes
        ],
    }


def create(case: Case) -> dict[str, Any]:
    dice = ScriptedDice(case.faces, case.orders)
    try:
        subject = _subject(case)
        made = services.create(case.system, case.given["step"], subject.fields, subject.house_rules, dice)
    except Refusal as error:
        dice.finish()
        return refusal(error.code, error.message.ja)
    except services.HouseRulesInvalid as error:
        return house_rules_refused(error, case.expected)
    dice.finish()
    if made.faces != case.faces:
        raise CaseFailed(f"{case}: the record names the faces {made.faces}, rolled were {case.faces}")
    if all(subject.fields.get(key) == value for key, value in made.changes.items()):
        raise CaseRefused(f"{case}: the step changes nothing")
    return {"changes": dict(made.changes), "text": made.text.ja, "record": dict(made.record)}
