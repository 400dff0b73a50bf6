"""Case tables: the rules as rows of TOML, each run through the public facade.

Every `tests/rulesets/<slug>/*.toml` is collected by `test_cases.py`, one pytest id per case
(`edo/building.toml::X01`). A file holds `[[case]]` and `[[grid]]` tables and nothing else.

    [[case]]
    id = "X02"                       # unique within the file
    source = "C01"                   # seed, E…, C… or a section such as "§4.9": where the expectation comes from
    about = "worked example under preset B"       # optional words
    through = "validate"             # validate | create | odds | roll | pool | reference
    [case.given]                     # keys by `through`, below
    [case.expected]                  # at least one; tables match partly, lists and single values exactly,
                                     # fractions by value ("16/216" is "2/27")

given, for all but roll and reference: `house_rules = {…}` (an override; default none).

validate -> services.check
    given: one of `preset = "N07"`, `build = {…}` (document of json-api.md §4.4), `fields = {…}`, `blank = true`; then
    `set = { "skills.kenjutsu.level" = 6 }` and `unset = ["role"]` on top, and `strange = { zz = 1 }` for keys that are
    no fields; `fix = "V26"` applies the first repair of that problem before the check that counts; `kind` ("pc", or
    "npc" for a preset unless said), `party = { pool, others_spent, allocation, allocations_on }`,
    `confirmed = ["skills.geino~1.base"]`, `saved = true`, `previous = { "abilities.body" = 7 }` (the newest revision:
    as now, but for these fields).
    expected: `legal`, `spent`, `errors` / `warnings` (all their codes, sorted, repeats kept), `has` / `lacks` (codes),
    `costs.<key>` and `groups.<group>` (points), `derived.<key>` (value), `parts.<key>` (list of the summands' values),
    `inferred.<key>` (of a derived value), `open` (paths of open choices, sorted), `label.<field>` / `shown.<field>`
    (Japanese words of field and value), `name` (display name), `build` (part of the document; legal fields only),
    `problem.<code>` = part of { path, level, rule, needed, had, params, message, message_en, reason, fixes } of the
    first problem of that code; a fix is { kind, label, changes, target, points, cost_delta }.
create -> services.create
    given: as for validate, and `step = "money"`; beside it, at the top of the case, `faces = [3, 4]` and
    `orders = [[2, 0, 1]]` in the order in which they are asked for.
    expected: `changes` (part of), `text` (Japanese), `record` (part of).
odds -> services.odds
    given: `question = {…}` as the game's odds.py describes it.
    expected: part of the answer's `as_json()`: `outcomes.<word>.chance = "193/216"`,
    `outcomes.<word>.percent = "89.4"`, `also.<word>…`, `counts = { 2 = 1, … }`, `out_of`, `mean`.
roll -> services.roll
    given: `line = "2D6+1>=8"`, `system` (default: the name of the folder; a slug or BCDice id); `faces` at the top.
    expected: part of the result's `as_json()`.
pool -> services.pool_total
    given: `players = 4`. expected: `total = 1100`.
reference -> services.reference
    given: `tool = "money"`, `typed = { ryo = "1" }`. expected: part of the answer's `as_json()`: `problems = [codes]` …

A refusal is expected as `refused = "code"` (of `Refusal`, `RollRefused`, or a problem of `HouseRulesInvalid`), alone or
with `message` (Japanese). An error that nobody expects fails the case.

A grid is many cases written as the table of the rules page: the value in row r and column c of `cells` is expected at
path `expect` when `down` is r and `across` is c (paths below `given`); ids become `id[r,c]`.

    [[grid]]
    id = "12.3"
    source = "§12.3"
    through = "odds"
    given = { question = { kind = "test", dice = 3 } }
    down = "question.value"
    across = "question.difficulty"
    columns = [10, 11, 12]
    expect = "outcomes.success.percent"
    cells = { 4 = ["89.4", "80.6", "68.1"], 5 = ["94.9", "89.4", "80.6"] }

A case fails when faces or orders are left over or missing. It is refused (`CaseRefused`, which fails its file) when it
expects nothing, gives nothing, holds an unknown key, or proves nothing: a `validate` whose expectation already holds
for the blank character, a `create` that changes no field, an id used twice.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from rulesets import services
from rulesets.engine.dice import FacesLeft, FacesMissing, ScriptedDice, WrongFace
from rulesets.engine.problems import Problem, Report
from rulesets.protocol import Context, Party, Refusal


class CaseRefused(Exception):
    """The case is not worth running: its table must be repaired."""


class CaseFailed(AssertionError):
    """The rules do not do what the case says."""


@dataclass(frozen=True)
class Case:
    id: str
    source: str
    through: str
    system: str
    file: str
    given: Mapping[str, Any]
    expected: Mapping[str, Any]
    faces: tuple[int, ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    about: str = ""

    def __str__(self) -> str:
        return f"{self.file}::{self.id}"


# ---------------------------------------------------------------- reading

_CASE_KEYS = {"id", "source", "about", "through", "given", "expected", "faces", "orders"}
_GRID_KEYS = {"id", "source", "about", "through", "given", "down", "across", "columns", "expect", "cells"}
_BUILD = {
    *("preset", "build", "fields", "blank", "set", "unset", "strange", "fix", "house_rules"),
    *("kind", "party", "confirmed", "saved", "previous"),
}
_GIVEN = {
    "validate": _BUILD,
    "create": _BUILD | {"step"},
    "odds": {"question", "house_rules"},
    "roll": {"line", "system"},
    "pool": {"players", "house_rules"},
    "reference": {"tool", "typed"},
}
_NEEDED = {"create": "step", "odds": "question", "roll": "line", "pool": "players", "reference": "tool"}
_REFUSAL = {"refused", "message"}
_EXPECTED = {
    "validate": {
        *("legal", "spent", "errors", "warnings", "has", "lacks", "costs", "groups", "derived", "parts", "inferred"),
        *("open", "label", "shown", "name", "build", "problem"),
    },
    "create": {"changes", "text", "record"},
    "pool": {"total"},
}


def collect(folder: Path) -> list[Case]:
    """Every case below `folder/<slug>/`. Raises `CaseRefused` naming file and case."""
    return [case for path in sorted(folder.glob("*/*.toml")) for case in read_file(path)]


def read_file(path: Path) -> list[Case]:
    system = path.parent.name
    name = f"{system}/{path.name}"
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CaseRefused(f"{name}: {error}") from error
    return read(content, system, name)


def read(content: Mapping[str, Any], system: str, name: str) -> list[Case]:
    """The cases of a table that was read from TOML."""
    unknown = content.keys() - {"case", "grid"}
    if unknown:
        raise CaseRefused(f"{name}: unknown key {', '.join(sorted(unknown))}")
    rows = [*content.get("case", []), *(row for grid in content.get("grid", []) for row in _expanded(grid, name))]
    if not rows:
        raise CaseRefused(f"{name}: no cases")
    found: dict[str, Case] = {}
    for row in rows:
        case = _case(row, system, name)
        if found.setdefault(case.id, case) is not case:
            raise CaseRefused(f"{case}: this id is there twice")
    return list(found.values())


def _expanded(grid: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    where = f"{name}::{grid.get('id', '?')}"
    if grid.keys() - _GRID_KEYS or _GRID_KEYS - {"about", "given"} - grid.keys():
        wrong = (grid.keys() - _GRID_KEYS) | (_GRID_KEYS - {"about", "given"} - grid.keys())
        raise CaseRefused(f"{where}: a grid has the keys {sorted(_GRID_KEYS)}; wrong: {sorted(wrong)}")
    if not grid["cells"] or not grid["columns"]:
        raise CaseRefused(f"{where}: an empty grid")
    for down, values in grid["cells"].items():
        if len(values) != len(grid["columns"]):
            raise CaseRefused(f"{where}: row {down} has {len(values)} cells for {len(grid['columns'])} columns")
        for across, value in zip(grid["columns"], values, strict=True):
            given = copy.deepcopy(dict(grid.get("given", {})))
            _put(given, grid["down"], int(down) if down.lstrip("-").isdecimal() else down)
            _put(given, grid["across"], across)
            expected: dict[str, Any] = {}
            _put(expected, grid["expect"], value)
            yield {
                "id": f"{grid['id']}[{down},{across}]",
                "source": grid["source"],
                "through": grid["through"],
                "given": given,
                "expected": expected,
            }


def _put(tree: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for part in above:
        tree = tree.setdefault(part, {})
    tree[last] = value


def _case(row: Mapping[str, Any], system: str, name: str) -> Case:
    where = f"{name}::{row.get('id', '?')}"
    unknown = row.keys() - _CASE_KEYS
    if unknown:
        raise CaseRefused(f"{where}: unknown key {', '.join(sorted(unknown))}")
    for key in ("id", "source", "through"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise CaseRefused(f"{where}: {key} is missing")
    through = row["through"]
    if through not in _GIVEN:
        raise CaseRefused(f"{where}: through must be one of {', '.join(_GIVEN)}, not {through!r}")
    given, expected = row.get("given", {}), row.get("expected", {})
    if not expected:
        raise CaseRefused(f"{where}: expects nothing")
    if not given:
        raise CaseRefused(f"{where}: gives nothing")
    unknown = given.keys() - _GIVEN[through]
    if unknown:
        raise CaseRefused(f"{where}: {through} knows no given.{', '.join(sorted(unknown))}")
    if through in _NEEDED and _NEEDED[through] not in given:
        raise CaseRefused(f"{where}: {through} needs given.{_NEEDED[through]}")
    if through in ("validate", "create") and sum(key in given for key in ("preset", "build", "fields", "blank")) != 1:
        raise CaseRefused(f"{where}: give one of preset, build, fields, blank")
    if "refused" in expected:
        unknown = expected.keys() - _REFUSAL
    else:
        unknown = expected.keys() - _EXPECTED[through] if through in _EXPECTED else set()
    if unknown:
        raise CaseRefused(f"{where}: {through} cannot be expected to have {', '.join(sorted(unknown))}")
    if any(isinstance(value, dict | list) and not value and key in ("has", "lacks") for key, value in expected.items()):
        raise CaseRefused(f"{where}: an empty has or lacks expects nothing")
    _refuse_empty(expected, where)
    if through not in ("create", "roll") and (row.get("faces") or row.get("orders")):
        raise CaseRefused(f"{where}: {through} uses no faces")
    return Case(
        id=row["id"],
        source=row["source"],
        through=through,
        system=system,
        file=name,
        given=given,
        expected=expected,
        faces=tuple(row.get("faces", ())),
        orders=tuple(tuple(order) for order in row.get("orders", ())),
        about=row.get("about", ""),
    )


def _refuse_empty(expected: Mapping[str, Any], where: str) -> None:
    """An empty table matches everything, so it expects nothing."""
    for key, value in expected.items():
        if isinstance(value, Mapping):
            if not value:
                raise CaseRefused(f"{where}: expected.{key} is empty and expects nothing")
            _refuse_empty(value, f"{where}: {key}")


# ---------------------------------------------------------------- running


def run(case: Case) -> None:
    """Run a case. Raises `CaseFailed` when the rules differ, `CaseRefused` when the case proves nothing."""
    try:
        found = _RUNNERS[case.through](case)
    except (FacesMissing, WrongFace) as error:
        raise CaseFailed(f"{case}: {error}") from error
    except FacesLeft as error:
        raise CaseFailed(f"{case}: {error}") from error
    differences = list(compare(case.expected, found))
    if differences:
        raise CaseFailed("\n".join([f"{case} {case.about}".rstrip(), *differences]))


def compare(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where `found` does not hold what is expected. Tables partly, `has`/`lacks` as sets, the rest exactly."""
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            yield f"  {path or 'result'}: expected a table, found {found!r}"
            return
        plain = {str(key): value for key, value in found.items()}
        for key, value in expected.items():
            below = f"{path}.{key}" if path else str(key)
            if not path and key == "has":
                yield from (
                    f"  {code} is missing from {plain['codes']}" for code in value if code not in plain["codes"]
                )
            elif not path and key == "lacks":
                yield from (f"  {code} must not be in {plain['codes']}" for code in value if code in plain["codes"])
            elif key not in plain:
                yield f"  {below}: expected {value!r}, found nothing (there: {', '.join(plain) or 'nothing'})"
            else:
                yield from compare(value, plain[key], below)
    elif isinstance(expected, list):
        items = list(found) if isinstance(found, list | tuple) else None
        if items is None or len(items) != len(expected):
            yield f"  {path}: expected {expected!r}, found {found!r}"
            return
        for index, value in enumerate(expected):
            yield from compare(value, items[index], f"{path}[{index}]")
    elif _is_fraction(expected) and _is_fraction(found):
        if Fraction(expected) != Fraction(found):
            yield f"  {path}: expected {expected}, found {found}"
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        yield f"  {path}: expected {expected!r}, found {found!r}"


def _is_fraction(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"-?[0-9]+/[1-9][0-9]*", value) is not None


def _refusal(code: str, message: str) -> dict[str, Any]:
    return {"refused": code, "message": message}


def _house_rules_refused(error: services.HouseRulesInvalid, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The problem that was expected, else the first: an override may be wrong in several ways."""
    wanted = [problem for problem in error.problems if problem.code == expected.get("refused")]
    problem = (wanted or list(error.problems))[0]
    return _refusal(problem.code, problem.message.ja)


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
    for key in [key for part in ("set", "unset", "fields", "previous") for key in given.get(part, ())]:
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
        previous={**fields, **given["previous"]} if "previous" in given else None,
    )
    return _Subject(fields, context, rules)


def _validate(case: Case) -> dict[str, Any]:
    try:
        subject = _subject(case)
        report = services.check(case.system, subject.fields, subject.house_rules, subject.context)
    except services.HouseRulesInvalid as error:
        return _house_rules_refused(error, case.expected)
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


def _create(case: Case) -> dict[str, Any]:
    dice = ScriptedDice(case.faces, case.orders)
    try:
        subject = _subject(case)
        made = services.create(case.system, case.given["step"], subject.fields, subject.house_rules, dice)
    except Refusal as error:
        dice.finish()
        return _refusal(error.code, error.message.ja)
    except services.HouseRulesInvalid as error:
        return _house_rules_refused(error, case.expected)
    dice.finish()
    if made.faces != case.faces:
        raise CaseFailed(f"{case}: the record names the faces {made.faces}, rolled were {case.faces}")
    if all(subject.fields.get(key) == value for key, value in made.changes.items()):
        raise CaseRefused(f"{case}: the step changes nothing")
    return {"changes": dict(made.changes), "text": made.text.ja, "record": dict(made.record)}


def _odds(case: Case) -> Any:
    try:
        return services.odds(case.system, case.given["question"], case.given.get("house_rules", {})).as_json()
    except Refusal as error:
        return _refusal(error.code, error.message.ja)
    except services.HouseRulesInvalid as error:
        return _house_rules_refused(error, case.expected)


def _roll(case: Case) -> Any:
    dice = ScriptedDice(case.faces)
    try:
        result = services.roll(case.given.get("system", case.system), case.given["line"], dice)
    except services.RollRefused as error:
        dice.finish()
        return _refusal(error.code, error.message.ja)
    dice.finish()
    return result.as_json()


def _pool(case: Case) -> dict[str, Any]:
    try:
        return {"total": services.pool_total(case.system, case.given["players"], case.given.get("house_rules", {}))}
    except services.HouseRulesInvalid as error:
        return _house_rules_refused(error, case.expected)


def _reference(case: Case) -> Any:
    try:
        told = services.reference(case.system, case.given["tool"], **case.given.get("typed", {}))
    except Refusal as error:
        return _refusal(error.code, error.message.ja)
    return told.as_json()


_RUNNERS = {
    "validate": _validate,
    "create": _create,
    "odds": _odds,
    "roll": _roll,
    "pool": _pool,
    "reference": _reference,
}
