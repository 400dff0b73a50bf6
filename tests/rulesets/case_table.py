"""Reading tables of cases and comparing what was found with what they expect; the format is told in `cases.py`."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any


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

_TABLE_KEYS = {"id", "part", "house_rules", "cast", "before"}
_CASE_KEYS = {"id", "source", "about", "through", "given", "expected", "faces", "orders"}
_GRID_KEYS = {"id", "source", "about", "through", "given", "down", "across", "columns", "expect", "cells"}
_BUILD = {
    *("preset", "build", "fields", "blank", "set", "unset", "strange", "fix", "house_rules"),
    *("kind", "party", "confirmed", "saved", "allowed", "previous", "partner", "turned_down"),
}
_GIVEN = {
    "validate": _BUILD,
    "create": _BUILD | {"step"},
    "odds": {"question", "house_rules"},
    "roll": {"line", "system"},
    "pool": {"players", "house_rules"},
    "reference": {"tool", "typed"},
    "decide": {"table", "part", "house_rules", "cast", "before", "command", "piles"},
    "chances": {"table", "part", "house_rules", "cast", "before", "command", "viewer"},
    "script": {"table", "part", "house_rules", "cast", "before", "commands", "piles"},
}
_NEEDED = {
    "create": "step",
    "odds": "question",
    "roll": "line",
    "pool": "players",
    "reference": "tool",
    "decide": "command",
    "chances": "command",
    "script": "commands",
}
_USES_FACES = ("create", "roll", "decide", "script")
_REFUSAL = {"refused", "message"}
_REFUSAL_OF = {"decide": {"refused", "message", "message_en", "overridable", "rule", "params"}}
_EXPECTED = {
    "validate": {
        *("legal", "spent", "errors", "warnings", "has", "lacks", "costs", "groups", "derived", "parts", "inferred"),
        *("open", "label", "shown", "name", "build", "problem"),
    },
    "create": {"changes", "text", "record"},
    "pool": {"total"},
    "decide": {"kinds", "event", "state", "actors", "view", "shown", "carried"},
    "script": {"kinds", "codes", "state", "actors", "views"},
}


def collect(folder: Path) -> list[Case]:
    """Every case below `folder/<slug>/`. Raises `CaseRefused` naming file and case."""
    return [case for path in sorted(folder.glob("*/**/*.toml")) for case in read_file(path, folder)]


def read_file(path: Path, folder: Path) -> list[Case]:
    name = path.relative_to(folder).as_posix()
    system = name.split("/")[0]
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CaseRefused(f"{name}: {error}") from error
    return read(content, system, name)


def read(content: Mapping[str, Any], system: str, name: str) -> list[Case]:
    """The cases of a table that was read from TOML."""
    unknown = content.keys() - {"case", "grid", "table"}
    if unknown:
        raise CaseRefused(f"{name}: unknown key {', '.join(sorted(unknown))}")
    tables = {table.get("id"): table for table in content.get("table", [])}
    for table in content.get("table", []):
        if table.keys() - _TABLE_KEYS or not table.get("id") or tables[table["id"]] is not table:
            raise CaseRefused(f"{name}: a table has an id of its own and {sorted(_TABLE_KEYS)}: {table}")
    rows = [*content.get("case", []), *(row for grid in content.get("grid", []) for row in _expanded(grid, name))]
    if not rows:
        raise CaseRefused(f"{name}: no cases")
    found: dict[str, Case] = {}
    for row in rows:
        case = _case(_seated(row, tables, name), system, name)
        if found.setdefault(case.id, case) is not case:
            raise CaseRefused(f"{case}: this id is there twice")
    return list(found.values())


def _seated(row: Mapping[str, Any], tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The case with the table it names laid into what it gives: its own cast and commands come after the table's."""
    given = row.get("given", {})
    if "table" not in given:
        return row
    if given["table"] not in tables:
        raise CaseRefused(f"{name}::{row.get('id', '?')}: there is no table {given['table']!r}")
    table = tables[given["table"]]
    whole = {
        **({"part": table["part"]} if "part" in table else {}),
        **given,
        "house_rules": {**table.get("house_rules", {}), **given.get("house_rules", {})},
        "cast": [*table.get("cast", []), *given.get("cast", [])],
        "before": [*table.get("before", []), *given.get("before", [])],
    }
    return {**row, "given": whole}


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
        unknown = expected.keys() - _REFUSAL_OF.get(through, _REFUSAL)
    else:
        unknown = expected.keys() - _EXPECTED[through] if through in _EXPECTED else set()
    if unknown:
        raise CaseRefused(f"{where}: {through} cannot be expected to have {', '.join(sorted(unknown))}")
    if any(isinstance(value, dict | list) and not value and key in ("has", "lacks") for key, value in expected.items()):
        raise CaseRefused(f"{where}: an empty has or lacks expects nothing")
    _refuse_empty(expected, where)
    if through not in _USES_FACES and (row.get("faces") or row.get("orders")):
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


# ---------------------------------------------------------------- comparing


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
