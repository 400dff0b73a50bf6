"""House rules: a checked, partial override of a game's tables.

An override is a flat mapping `{key: value}`, keys as in the table `house_rules`:

    {"rules.max_schools": 2, "skill_cost": {"1": 2, "4": 20}, "weapons": {"daito": {"mod": 3}}}

`house_rules` is a table like any other, of `HouseRuleRow`s:

    [[house_rules]]
    id = "E03"                     # row of the rules file's list
    key = "skill_cost"             # name of the override; for one value also its place (`rules.max_schools`)
    source = "E03"
    firmness = "C"
    section = "§4.3"
    group = "build"                # id of a row of `house_groups` (Wording)
    label = { ja = "技能レベルの費用", en = "Cost of skill levels" }
    help = { ja = "…", en = "…" }
    type = "table"                 # int | bool | choice | text | table
    row_label = { ja = "{row}レベル", en = "Level {row}" }      # else the row's `name` or `label`, or its id
    ask_at_start = true
    columns = [{ id = "value", target = "skill_cost.*", type = "int", min = 0, label = { ja = "費用", en = "cost" } }]
    alternatives = [{ label = { ja = "…", en = "…" }, value = { 1 = 2, 2 = 6 } }]

`target` is `table.row.cell`; `.value` may be left out, `*` means every row (or those in `only`). A table with one
column has values `{row: value}`, with several `{row: {column: value}}`; rows and columns left out keep their defaults.
Changed cells get the source `house`.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from rulesets.engine.problems import Problem, Value
from rulesets.engine.tables import (
    Fault,
    Raw,
    Record,
    Row,
    Rows,
    Scale,
    Settings,
    TableSet,
    TablesInvalid,
    canonical_json,
)
from rulesets.engine.text import Text, same
from rulesets.protocol import HouseRule

T = TypeVar("T")
CellType = Literal["int", "bool", "choice", "text"]

_UNKNOWN = Text("「{key}」という設定はありません。", "There is no setting “{key}”.")
_NOT_TABLE = Text("表の形（行ごとの値）で入れてください。", "Give a table with a value for each row.")
_NO_ROW = Text("「{row}」という行はありません。", "There is no row “{row}”.")
_NO_COLUMN = Text("「{column}」という列はありません。", "There is no column “{column}”.")
_NOT_INT = Text("{where}は整数で入れてください。", "{where} must be a whole number.")
_NOT_BOOL = Text("{where}は「はい」か「いいえ」で選んでください。", "{where} must be yes or no.")
_NOT_TEXT = Text("{where}は文字で入れてください。", "{where} must be text.")
_TOO_LONG = Text("{where}は{max}文字までです。", "{where} may have {max} characters at most.")
_CONTROL = Text("{where}に使えない文字があります。", "{where} holds a character that cannot be used.")
_TOO_SMALL = Text("{where}は{min}以上にしてください。", "{where} must be {min} or more.")
_TOO_LARGE = Text("{where}は{max}以下にしてください。", "{where} must be {max} or less.")
_NO_CHOICE = Text("{where}は一覧から選んでください。", "{where} must be one of the listed choices.")
_REFUSED = Text("{where}にこの値は使えません。", "{where} cannot have this value.")
_TEXT_MAX = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Record):
    value: int | str | bool
    label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Record):
    """One kind of value: where it lies (`target`) and what it may be. `optional` also allows nothing (null)."""

    id: str
    target: str
    label: Text
    type: CellType
    min: int | None = None
    max: int | None = None
    optional: bool = False
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(Record):
    label: Text
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRuleRow(Row):
    """One row that a group may edit; see the module's text for the cells."""

    key: str
    label: Text
    help: Text
    group: str
    section: str
    type: Literal["int", "bool", "choice", "text", "table"]
    firmness: Literal["A", "B", "C", ""] = ""
    target: str = ""
    min: int | None = None
    max: int | None = None
    optional: bool = False
    choices: tuple[Choice, ...] = ()
    columns: tuple[Column, ...] = ()
    only: tuple[str, ...] = ()
    row_label: Text | None = None
    alternatives: tuple[Alternative, ...] = ()
    ask_at_start: bool = False


class HouseRulesInvalid(ValueError):
    """An override that does not fit; `problems` lists everything wrong, `path` being the override's key."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.path}: {p.message.en}" for p in self.problems))


def place(target: str) -> tuple[str, str, str]:
    """Table, row (`*` for all) and cell of a target such as `rules.max_schools` or `perks.*.cost`."""
    parts = target.split(".")
    if len(parts) == 2:
        parts.append("value")
    if len(parts) != 3 or not all(parts):
        raise ValueError(f"no target: {target!r}")
    if parts[0] in ("house_rules", "house_groups"):
        raise ValueError("house rules cannot change themselves")
    return parts[0], parts[1], parts[2]


@dataclass(frozen=True, slots=True)
class _Cell:
    """One overridable value: where it lies and what it may be."""

    row: str
    column: Column
    label: Text
    table: str
    table_row: str
    cell: str
    default: Value


@dataclass(frozen=True, slots=True)
class _Entry:
    """A house rule made ready: its cells by (row, column); a single value has the one cell `("", "value")`."""

    row: HouseRuleRow
    group: Text
    cells: Mapping[tuple[str, str], _Cell]
    row_labels: Mapping[str, Text] = field(default_factory=dict)

    @property
    def one_column(self) -> bool:
        return len(self.row.columns) == 1

    @property
    def default(self) -> Any:
        return self.filled({at: cell.default for at, cell in self.cells.items()})

    def filled(self, values: Mapping[tuple[str, str], Value]) -> Any:
        """Cell values in the shape of the override."""
        if self.row.type != "table":
            return values[("", "value")]
        if self.one_column:
            return {row: value for (row, _), value in values.items()}
        shaped: dict[str, dict[str, Value]] = {}
        for (row, column), value in values.items():
            shaped.setdefault(row, {})[column] = value
        return shaped

    def spread(self, value: Any) -> tuple[dict[tuple[str, str], Any], list[Problem]]:
        """The cells an override names, and problems of its shape."""
        if self.row.type != "table":
            return {("", "value"): value}, []
        if not isinstance(value, Mapping):
            return {}, [self.problem("H02", _NOT_TABLE)]
        found: dict[tuple[str, str], Any] = {}
        problems: list[Problem] = []
        for row, below in value.items():
            if str(row) not in self.row_labels:
                problems.append(self.problem("H05", _NO_ROW, row=str(row)[:80]))
            elif self.one_column:
                found[str(row), self.row.columns[0].id] = below
            elif not isinstance(below, Mapping):
                problems.append(self.problem("H02", _NOT_TABLE, row=str(row)))
            else:
                for column, cell in below.items():
                    if (str(row), str(column)) in self.cells:
                        found[str(row), str(column)] = cell
                    else:
                        problems.append(self.problem("H05", _NO_COLUMN, row=str(row)[:80], column=str(column)[:80]))
        return found, problems

    def problem(self, code: str, message: Text, **params: object) -> Problem:
        plain = {name: value for name, value in params.items() if not isinstance(value, Text)}
        return Problem(code, "error", self.row.key, message.format(**params), self.row.section, plain)

    def schema(self) -> dict[str, Any]:
        """What a form needs to ask for the value."""
        if self.row.type != "table":
            return _column_schema(self.cells["", "value"].column, self.row.type)
        return {
            "type": "table",
            "rows": [{"id": row, "label": label} for row, label in self.row_labels.items()],
            "columns": [
                {"id": column.id, "label": column.label, **_column_schema(column, column.type)}
                for column in self.row.columns
            ],
        }


def _column_schema(column: Column, kind: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": kind, "optional": column.optional}
    if kind == "int":
        schema |= {"min": column.min, "max": column.max}
    elif kind == "choice":
        schema["choices"] = [{"value": choice.value, "label": choice.label} for choice in column.choices]
    elif kind == "text":
        schema["max"] = column.max or _TEXT_MAX
    return schema


class HouseRules(Generic[T]):
    """The house rules of one game. Its tables need the fields `house_rules` and `house_groups`."""

    def __init__(self, tables: TableSet[T]) -> None:
        self._set = tables
        self._cached = functools.lru_cache(maxsize=64)(self._build)

    # ------------------------------------------------------------ reading

    @functools.cached_property
    def _entries(self) -> dict[str, _Entry]:
        base: Any = self._set.base
        rules: Rows[HouseRuleRow] = base.house_rules
        faults: list[Fault] = []
        entries: dict[str, _Entry] = {}
        owners: dict[tuple[str, str, str], str] = {}
        for rule in rules.values():
            try:
                entry = self._entry(rule, base)
            except (KeyError, ValueError, AttributeError, TypeError) as error:
                faults.append(Fault("house_rules", rule.id, "", f"{type(error).__name__}: {error}"))
                continue
            if rule.key in entries:
                faults.append(Fault("house_rules", rule.id, "key", "this key is there twice"))
            for cell in entry.cells.values():
                at = (cell.table, cell.table_row, cell.cell)
                if owners.setdefault(at, rule.key) != rule.key:
                    faults.append(Fault("house_rules", rule.id, "", f"{'.'.join(at)} belongs to {owners[at]} too"))
            entries[rule.key] = entry
        if faults:
            raise TablesInvalid(faults)
        return entries

    def _entry(self, rule: HouseRuleRow, base: Any) -> _Entry:
        group: Text = base.house_groups[rule.group].text
        if rule.type != "table":
            target = rule.target or rule.key
            column = Column(
                id="value",
                target=target,
                label=rule.label,
                type=rule.type,
                min=rule.min,
                max=rule.max,
                optional=rule.optional,
                choices=rule.choices,
            )
            return _Entry(rule, group, {("", "value"): self._cell(base, column, *place(target), "", rule.label)})
        cells: dict[tuple[str, str], _Cell] = {}
        labels: dict[str, Text] = {}
        if not rule.columns:
            raise ValueError("a table needs columns")
        for column in rule.columns:
            table, star, name = place(column.target)
            if star != "*":
                raise ValueError(f"{column.target} names one row; a column needs *")
            for row in rule.only or tuple(self._set.raw[table]):
                labels[row] = self._row_label(rule, table, row)
                where = Text(f"{labels[row].ja}の{column.label.ja}", f"{labels[row].en}: {column.label.en}")
                cells[row, column.id] = self._cell(base, column, table, row, name, row, where)
        return _Entry(rule, group, cells, labels)

    def _cell(self, base: Any, column: Column, table: str, table_row: str, cell: str, row: str, label: Text) -> _Cell:
        if column.type == "choice" and not column.choices:
            raise ValueError("a choice needs choices")
        default = _typed_value(getattr(base, table), table_row, cell)
        if default is not None and not isinstance(default, int | str | bool):
            raise TypeError(f"{table}.{table_row}.{cell} is no single value")
        return _Cell(row, column, label, table, table_row, cell, default)

    def _row_label(self, rule: HouseRuleRow, table: str, row: str) -> Text:
        if rule.row_label is not None:
            return rule.row_label.format(row=row)
        cells = self._set.raw[table][row]
        words = cells if "ja" in cells else cells.get("name") or cells.get("label")
        return Text(words["ja"], words["en"]) if isinstance(words, dict) else same(str(words or row))

    # ------------------------------------------------------------ the facade of a game

    def rows(self, overrides: Mapping[str, Any]) -> list[HouseRule]:
        """Every house rule with its default and the value that applies. A broken override shows as it is."""
        return [self._shown(entry, overrides) for entry in self._entries.values()]

    def _shown(self, entry: _Entry, overrides: Mapping[str, Any]) -> HouseRule:
        rule = entry.row
        value = entry.default
        if rule.key in overrides:
            given, problems = entry.spread(overrides[rule.key])
            defaults = {at: cell.default for at, cell in entry.cells.items()}
            value = overrides[rule.key] if problems and not given else entry.filled(defaults | given)
        return HouseRule(
            id=rule.id,
            key=rule.key,
            label=rule.label,
            help=rule.help,
            group=entry.group,
            schema=entry.schema(),
            default=entry.default,
            value=value,
            inferred=rule.inferred_in("value"),
            firmness=rule.firmness,
            section=rule.section,
            alternatives=tuple((alternative.label, alternative.value) for alternative in rule.alternatives),
            ask_at_start=rule.ask_at_start,
        )

    def check(self, overrides: Mapping[str, Any]) -> list[Problem]:
        """Everything wrong with an override: each value by itself, then all together in the game's tables."""
        problems: list[Problem] = []
        for key, value in overrides.items():
            entry = self._entries.get(key)
            if entry is None:
                problems.append(Problem("H01", "error", str(key), _UNKNOWN.format(key=str(key)[:80]), "", {"key": key}))
                continue
            given, wrong = entry.spread(value)
            problems += wrong
            problems += [p for at, cell_value in given.items() for p in _cell_problems(entry, at, cell_value)]
        if problems:
            return problems
        try:
            self._set.changed(self._overridden(overrides))
        except TablesInvalid as error:
            return [self._problem_of(fault) for fault in error.faults]
        return []

    def _problem_of(self, fault: Fault) -> Problem:
        for entry in self._entries.values():
            for cell in entry.cells.values():
                if (cell.table, cell.table_row, cell.cell) == (fault.table, fault.row, fault.cell or "value"):
                    message = fault.message or _REFUSED.format(where=cell.label)
                    return entry.problem("H06", message, row=cell.row, column=cell.column.id)
        for entry in self._entries.values():
            if any(cell.table == fault.table for cell in entry.cells.values()):
                message = fault.message or _REFUSED.format(where=entry.row.label)
                return entry.problem("H06", message, row=fault.row)
        return Problem("H06", "error", "", fault.message or _REFUSED.format(where=same(fault.table)), "")

    def tables(self, overrides: Mapping[str, Any]) -> T:
        """The tables under an override (cached). Raises `HouseRulesInvalid`."""
        return self._cached(canonical_json(self.normalise(overrides))) if overrides else self._set.base

    def _build(self, canonical: str) -> T:
        overrides = json.loads(canonical)
        problems = self.check(overrides)
        if problems:
            raise HouseRulesInvalid(problems)
        return self._set.changed(self._overridden(overrides)) if overrides else self._set.base

    def _overridden(self, overrides: Mapping[str, Any]) -> Raw:
        """The tables that the override touches, with its values in place."""
        raw: Raw = {}
        for key, value in overrides.items():
            entry = self._entries[key]
            for at, cell_value in entry.spread(value)[0].items():
                cell = entry.cells[at]
                if cell_value == cell.default and type(cell_value) is type(cell.default):
                    continue
                if cell.table not in raw:
                    raw[cell.table] = copy.deepcopy(self._set.raw[cell.table])
                row = raw[cell.table][cell.table_row]
                row[cell.cell] = cell_value
                if cell.cell == "value":
                    row["source"] = "house"
                else:
                    row.setdefault("sources", {})[cell.cell] = "house"
        return raw

    def normalise(self, overrides: Mapping[str, Any]) -> dict[str, Any]:
        entries = self._entries
        return _normalise({key: entries[key].default for key in overrides if key in entries}, overrides)

    def digest(self, overrides: Mapping[str, Any]) -> str:
        """`sha256:<hex>` of the rules data under an override: which data a build was checked against."""
        told = canonical_json([self._set.digest, self.normalise(overrides)])
        return "sha256:" + hashlib.sha256(told.encode()).hexdigest()


_SAME = object()
_MISSING = object()


def normalise(rules: Sequence[HouseRule], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """An override without the rows and cells that equal the defaults. What is broken stays, for `check` to name it."""
    return _normalise({rule.key: rule.default for rule in rules}, overrides)


def _normalise(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    parts = {key: _changed(defaults.get(key, _MISSING), value) for key, value in overrides.items()}
    return {key: changed for key, changed in parts.items() if changed is not _SAME}


def _changed(default: Any, value: Any) -> Any:
    """The part of `value` that differs from `default`, or `_SAME`."""
    if isinstance(default, Mapping) and isinstance(value, Mapping):
        parts = {str(key): _changed(default.get(str(key), _MISSING), below) for key, below in value.items()}
        return {key: below for key, below in parts.items() if below is not _SAME} or _SAME
    return _SAME if value == default and type(value) is type(default) else value


def _typed_value(table: Any, row: str, cell: str) -> Any:
    """A cell of a typed table."""
    if isinstance(table, Scale):
        return table[int(row)]
    if isinstance(table, Settings):
        return getattr(table.values, row)
    return getattr(table[row], cell)


def _cell_problems(entry: _Entry, at: tuple[str, str], value: Any) -> Iterator[Problem]:
    cell = entry.cells[at]
    column = cell.column
    where = {"row": at[0], "column": at[1], "where": cell.label}
    if value is None and column.optional:
        return
    if column.type == "bool":
        if not isinstance(value, bool):
            yield entry.problem("H02", _NOT_BOOL, **where)
    elif column.type == "int":
        if not isinstance(value, int) or isinstance(value, bool):
            yield entry.problem("H02", _NOT_INT, **where)
        elif column.min is not None and value < column.min:
            yield entry.problem("H03", _TOO_SMALL, min=column.min, **where)
        elif column.max is not None and value > column.max:
            yield entry.problem("H03", _TOO_LARGE, max=column.max, **where)
    elif column.type == "choice":
        if not any(value == choice.value and type(value) is type(choice.value) for choice in column.choices):
            yield entry.problem("H04", _NO_CHOICE, **where)
    elif not isinstance(value, str):
        yield entry.problem("H02", _NOT_TEXT, **where)
    elif len(value) > (column.max or _TEXT_MAX):
        yield entry.problem("H03", _TOO_LONG, max=column.max or _TEXT_MAX, **where)
    elif any((ord(c) < 32 and c != "\n") or 0xD800 <= ord(c) < 0xE000 for c in value):
        yield entry.problem("H03", _CONTROL, **where)
