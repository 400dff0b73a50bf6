"""What every game must keep, whatever its rules: one function a promise, each yielding what is wrong.

`test_conformance.py` runs them over every registered game, and over broken copies of a made-up one to show that each
of them notices.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from rulesets.engine.dice import ScriptedDice
from rulesets.engine.problems import Report
from rulesets.engine.tables import Message, Row, Rows, Scale, Settings, Wording, placeholders
from rulesets.engine.text import Text
from rulesets.protocol import Context, Fields, HouseRule, Kind, Party, Refusal, System

KINDS: tuple[Kind, ...] = ("pc", "npc")
HASH = re.compile(r"sha256:[0-9a-f]{64}")
LONG = "長" * 10_000
STRANGE = ("", " ", "zz", "__class__", "name;drop", "a.b.c.d", "~1", "..", "skills..level", LONG, "🎲", "<b>")
TYPED = ("", " ", "5", "５", "-1", "+3", "1e3", "٣", "²", "九", "true", "9" * 5000, "<b>x</b>", "🎲", LONG, "a\r\nb")


# ---------------------------------------------------------------- words


def texts_in(value: Any, where: str = "") -> Iterator[tuple[str, Text]]:
    """Every `Text` inside a value, with a hint where it was."""
    if isinstance(value, Text):
        yield where, value
    elif isinstance(value, Wording):
        yield f"{where}.{value.id}", value.text
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from texts_in(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield from texts_in(below, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for below in value:
            yield from texts_in(below, where)


def wrong_words(value: Any, where: str, *, finished: bool) -> Iterator[str]:
    """Words missing in one language or with other placeholders; `finished` words hold none any more."""
    for at, text in texts_in(value, where):
        if bool(text.ja.strip()) != bool(text.en.strip()):
            yield f"{at}: words in one language only: {text!r}"
            continue
        try:
            names = placeholders(text.ja), placeholders(text.en)
        except ValueError:
            names = (frozenset({"?"}), frozenset({"?"}))
        if finished and any(name and name.isidentifier() for name in names[0] | names[1]):
            yield f"{at}: a placeholder was not filled: {text.ja!r}"
        elif not finished and names[0] != names[1]:
            yield f"{at}: ja and en have other placeholders: {text!r}"


# ---------------------------------------------------------------- one promise each


def has_names_and_credits(system: System) -> Iterator[str]:
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,39}", system.slug):
        yield f"slug {system.slug!r}"
    if not system.names.ja.strip() or not system.names.en.strip():
        yield "names are needed in ja and en"
    credits = system.credits
    if not credits.title.ja or not credits.title.en:
        yield "credits.title is needed in ja and en"
    if credits.url and not credits.url.startswith(("https://", "http://")):
        yield f"credits.url {credits.url!r}"
    if not system.ruleset:
        yield "ruleset is empty"


def every_row_has_a_source(system: System) -> Iterator[str]:
    tables = system.tables({})
    for field in dataclasses.fields(tables):
        table = getattr(tables, field.name)
        if isinstance(table, Rows):
            for row in table.values():
                if isinstance(row, Row):
                    sources = {row.source, *row.sources.values()}
                    wrong = [source for source in sources if not _published(source) and source != "house"]
                    yield from (f"{field.name}.{row.id}: {source}" for source in wrong)
                elif not isinstance(row, Wording):
                    yield f"{field.name}: rows are neither Row nor Wording"
        elif isinstance(table, Scale):
            yield from (f"{field.name}.{at}" for at in table if not _published(table.source_of(at)))
        elif isinstance(table, Settings):
            yield from (f"{field.name}.{name}" for name, tag in table.sources.items() if not _published(tag))
        else:
            yield f"{field.name} is no table"


def _published(source: str) -> bool:
    return re.fullmatch(r"seed|seed-derived|outside-[a-z-]+|[EC]\d{2,3}", source) is not None


def tables_speak_both_languages(system: System) -> Iterator[str]:
    yield from wrong_words(system.tables({}), "tables", finished=False)
    tables = system.tables({})
    for field in dataclasses.fields(tables):
        table = getattr(tables, field.name)
        for row in table.values() if isinstance(table, Rows) else ():
            if isinstance(row, Message) and not row.ja.strip():
                yield f"{field.name}.{row.id}: a message needs words"


def house_rules_fit(system: System) -> Iterator[str]:
    """Defaults and alternatives are allowed values, and every row can really be changed."""
    rules = list(system.house_rules({}))
    keys = [rule.key for rule in rules]
    yield from (f"{key} is there twice" for key in set(keys) if keys.count(key) > 1)
    yield from wrong_words(rules, "house_rules", finished=True)
    base = system.ruleset_hash({})
    if not HASH.fullmatch(base):
        yield f"ruleset_hash {base!r}"
    for rule in rules:
        yield from (f"{rule.key}: {part} is empty" for part in ("id", "section") if not getattr(rule, part))
        if not rule.label.ja or not rule.group.ja:
            yield f"{rule.key}: label and group are needed"
        if rule.changed:
            yield f"{rule.key}: changed without an override"
        for label, value in ((None, rule.default), *rule.alternatives):
            wrong = system.check_house_rules({rule.key: value})
            yield from (f"{rule.key} {label}: {problem.message.en}" for problem in wrong)
            if label is not None and not wrong and system.ruleset_hash({rule.key: value}) == base:
                yield f"{rule.key} {label}: the alternative changes nothing"
        if system.ruleset_hash({rule.key: rule.default}) != base:
            yield f"{rule.key}: the default counts as a change"
        if len(rule.schema.get("choices", "two")) > 1 and not any(
            _takes_effect(system, rule, value) for value in (*other_values(rule), *(v for _, v in rule.alternatives))
        ):
            yield f"{rule.key}: no other value is allowed"
    for wrong_rules in ({"no_such_rule": 1}, {keys[0]: object()}) if keys else ():
        if not system.check_house_rules(wrong_rules):
            yield f"accepted: {wrong_rules}"


def _takes_effect(system: System, rule: HouseRule, value: Any) -> bool:
    overrides = {rule.key: value}
    return (
        not system.check_house_rules(overrides)
        and system.tables(overrides) != system.tables({})
        and system.ruleset_hash(overrides) != system.ruleset_hash({})
        and next(found for found in system.house_rules(overrides) if found.key == rule.key).changed
    )


def other_values(rule: HouseRule) -> Iterator[Any]:
    """Values a house rule might take instead of its default: overrides, most likely one that fits among them."""
    schema = rule.schema
    if schema["type"] != "table":
        yield from _other_cells(schema, rule.default)
        return
    columns = schema["columns"]
    for row in schema["rows"]:
        for column in columns:
            here = rule.default[row["id"]]
            default = here if len(columns) == 1 else here[column["id"]]
            for value in _other_cells(column, default):
                yield {row["id"]: value if len(columns) == 1 else {column["id"]: value}}


def _other_cells(schema: Mapping[str, Any], default: Any) -> Iterator[Any]:
    if schema["type"] == "bool":
        yield not default
    elif schema["type"] == "choice":
        yield from (choice["value"] for choice in schema["choices"] if choice["value"] != default)
    elif schema["type"] == "text":
        yield f"{default or ''}x"
    else:
        yield from ((default or 0) + 1, (default or 0) - 1)


def fields_are_known(system: System) -> Iterator[str]:
    for key in keys_of(system):
        if not system.known_field(key):
            yield f"{key} is used and not known"
    yield from (f"known: {key[:30]!r}" for key in STRANGE if system.known_field(key))


def fields_can_be_typed_and_shown(system: System) -> Iterator[str]:
    tables = system.tables({})
    for key in keys_of(system):
        yield from wrong_words(system.field_label(key, tables), f"label of {key}", finished=False)
        if not system.field_label(key, tables).ja.strip():
            yield f"{key} has no label"
        for typed in TYPED:
            value = system.parse_field(key, typed)
            if not isinstance(value, int | str | bool | None):
                yield f"{key}: {typed!r} became {value!r}"
            shown = system.field_text(key, value, tables)
            if bool(shown.ja) != bool(shown.en):
                yield f"{key}: {value!r} is shown in one language"


def keys_of(system: System) -> list[str]:
    """Field keys seen in blanks and presets."""
    tables = system.tables({})
    fields = [*(system.blank(kind, tables) for kind in KINDS), *(preset.fields for preset in system.presets(tables))]
    return sorted({key for some in fields for key in some})


def checking_is_sound(system: System, fields: Fields, context: Context) -> Iterator[str]:
    """A report of any fields whatever: it comes, it comes the same again, and its parts fit together."""
    tables = system.tables({})
    before = dict(fields)
    report = system.check(fields, tables, context)
    if not isinstance(report, Report) or system.check(fields, tables, context) != report:
        yield "two checks of the same fields differ"
    if dict(fields) != before:
        yield "the check changed its fields"
    if sum(line.points for line in report.costs) != report.spent:
        yield f"costs add up to {sum(line.points for line in report.costs)}, spent is {report.spent}"
    for problem in report.problems:
        yield from wrong_words(problem.reason, problem.code, finished=False)
        if not problem.message.ja.strip() or not problem.message.en.strip():
            yield f"{problem.code}: a message is needed"
        message = getattr(tables, "messages", {}).get(problem.code)
        if message is not None and message.rule and not problem.rule:
            yield f"{problem.code}: the section of the rule is lost"
        if problem.path and not system.known_field(problem.path) and problem.path not in fields:
            yield f"{problem.code}: {problem.path[:60]} is no field"
        for fix in problem.fixes:
            yield from _wrong_fix(system, fix, problem.code, fields)
    for key, derived in report.derived.items():
        yield from wrong_words(derived, f"derived.{key}", finished=True)
        if derived.key != key or not derived.rule:
            yield f"derived.{key}: key {derived.key!r}, rule {derived.rule!r}"
    for choice in report.open_choices:
        yield from wrong_words(choice, f"open.{choice.path}", finished=True)
    system.display_name(fields)


def _wrong_fix(system: System, fix: Any, code: str, fields: Fields) -> Iterator[str]:
    if not fix.label.ja.strip() or not fix.label.en.strip():
        yield f"{code}: a repair without words"
    if fix.kind == "set":
        same = (fields.get(key) == new and type(fields.get(key)) is type(new) for key, new in fix.changes.items())
        if all(same):
            yield f"{code}: a repair that changes nothing"
        for key in fix.changes:
            if not system.known_field(key) and key not in fields:
                yield f"{code}: a repair of {key[:60]}, which is no field"
    elif fix.kind == "goto" and not (fix.target and system.known_field(fix.target)):
        yield f"{code}: a repair that leads to {fix.target!r}"
    elif fix.kind == "request" and fix.points <= 0:
        yield f"{code}: a request of {fix.points} points"


def blanks_are_checked(system: System) -> Iterator[str]:
    tables = system.tables({})
    for kind in KINDS:
        fields = system.blank(kind, tables)
        json.dumps(dict(fields))
        yield from checking_is_sound(system, fields, Context(kind))
        if system.check(fields, tables, Context(kind)).legal:
            yield f"a blank {kind} is legal"


def presets_are_legal_and_survive_a_file(system: System) -> Iterator[str]:
    tables = system.tables({})
    presets = list(system.presets(tables))
    ids = [preset.id for preset in presets]
    yield from (f"{preset_id} is there twice" for preset_id in set(ids) if ids.count(preset_id) > 1)
    for preset in presets:
        yield from wrong_words((preset.name, preset.note), preset.id, finished=True)
        if preset.typical_count < 1:
            yield f"{preset.id}: {preset.typical_count} of them"
        report = system.check(preset.fields, tables, Context("npc"))
        yield from (f"{preset.id}: {problem.code} {problem.message.en}" for problem in report.errors)
        yield from (f"{preset.id}: {wrong}" for wrong in checking_is_sound(system, preset.fields, Context("npc")))
        if not system.display_name(preset.fields):
            yield f"{preset.id} has no name"
        build = json.loads(json.dumps(system.to_build(preset.fields)))
        yield from (f"{preset.id}: the file has {p.path} {p.message.en}" for p in system.check_document(build))
        back = system.from_build(build)
        if told(back) != told(preset.fields):
            yield f"{preset.id}: came back as {told(back)}, was {told(preset.fields)}"
        if system.to_build(back) != build:
            yield f"{preset.id}: written twice, two files"


def told(fields: Fields) -> dict[str, Any]:
    """Fields without those that say nothing: a missing key, null and an unticked box are the same."""
    return {key: value for key, value in fields.items() if value is not None and value is not False and value != ""}


def foreign_documents_are_read_or_refused(system: System) -> Iterator[str]:
    for junk in ({"zz": 1}, {"role": []}, {"skills": "x"}, {"abilities": {"mind": "５"}}, {"": None}):
        if any(not p.message.ja for p in system.check_document(junk)):
            yield "a problem without words"
    if not system.check_document({"no_such_key_at_all": 1}):
        yield "an unknown key of a document is accepted"


def pools_grow(system: System) -> Iterator[str]:
    tables = system.tables({})
    totals = [system.pool_total(players, tables) for players in range(1, 13)]
    if ("pool" in system.capabilities) != all(total is not None for total in totals):
        yield f"capability pool: {sorted(system.capabilities)}, totals {totals}"
    numbers = [total for total in totals if total is not None]
    if any(total <= 0 for total in numbers) or numbers != sorted(numbers):
        yield f"totals {totals}"


def questions_and_steps_are_refused_in_words(system: System) -> Iterator[str]:
    tables = system.tables({})
    asked: list[tuple[str, Callable[[], Any]]] = [
        (f"odds {question!r}"[:60], lambda q=question: system.odds(q, tables))  # type: ignore[misc]
        for question in ({}, {"kind": "no such question"}, {"kind": None}, {"kind": ["x"]}, {LONG: 1})
    ]
    asked += [
        (f"step {step!r}"[:60], lambda s=step: system.create(s, {}, tables, ScriptedDice([])))  # type: ignore[misc]
        for step in ("", "no such step", LONG)
    ]
    for what, ask in asked:
        try:
            ask()
        except Refusal as refusal:
            yield from wrong_words(refusal.message, what, finished=False)
            if not refusal.code or not refusal.message.ja:
                yield f"{what}: refused without words"
        else:
            yield f"{what}: not refused"


PROMISES: tuple[Callable[[System], Iterator[str]], ...] = (
    has_names_and_credits,
    every_row_has_a_source,
    tables_speak_both_languages,
    house_rules_fit,
    fields_are_known,
    fields_can_be_typed_and_shown,
    blanks_are_checked,
    presets_are_legal_and_survive_a_file,
    foreign_documents_are_read_or_refused,
    pools_grow,
    questions_and_steps_are_refused_in_words,
)


# ---------------------------------------------------------------- any fields

_values = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.sampled_from(["", "5", "５", "九", "<b>", "🎲", LONG, "{name}", "%s"])
    | st.text(max_size=12)
)


def any_fields(system: System) -> st.SearchStrategy[dict[str, Any]]:
    """Fields as no page would send them: known keys with any values, a preset torn up, keys that cannot be."""
    tables = system.tables({})
    presets = [dict(preset.fields) for preset in system.presets(tables)] or [{}]
    keys = keys_of(system)
    numbered = [f"{key.rsplit('.', 1)[0]}~{n}.{key.rsplit('.', 1)[1]}" for key in keys if "." in key for n in (1, 2)]
    some_keys = st.sampled_from([*keys, *numbered]) | st.sampled_from(STRANGE) | st.text(max_size=12)
    changes = st.dictionaries(some_keys, _values, max_size=12)
    whole = st.sampled_from([{}, *presets])
    return st.builds(lambda base, torn: {**base, **torn}, whole, changes)


contexts = st.builds(
    Context,
    kind=st.sampled_from(KINDS),
    party=st.none()
    | st.builds(
        Party,
        pool=st.integers(0, 2000),
        others_spent=st.integers(0, 3000),
        allocation=st.none() | st.integers(0, 500),
        allocations_on=st.booleans(),
    ),
    confirmed=st.frozensets(st.sampled_from(STRANGE), max_size=2),
    saved=st.booleans(),
)
