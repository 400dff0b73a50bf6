"""Numbers, lists and words of a game: `data/*.toml`, read once, checked row by row, typed and frozen.

Shape of the data. Every top-level key of the files is one *table*; a table lies in one file. A table holds rows, a row
holds cells. Rows are written either way (the key is then the row's `id`):

    [[skills]]                                   [skill_cost]
    id = "kenjutsu"                              1 = { value = 1, source = "E03" }
    source = "E05"                               5 = { value = 30, source = "seed" }
    name = { ja = "剣術", en = "Swordsmanship" }

A game declares a frozen dataclass with one field per table. The field's type says what the table is:

* `Rows[R]`     rows of the dataclass `R` (a `Row` or `Wording`) by id, in file order
* `Scale`       whole numbers by consecutive whole numbers (costs by level); a gap is refused
* `Settings[R]` one row per field of the record `R`, each `{ value, source }`: single switches and numbers

Every row of numbers carries `source`: `seed` (the printed rules), `outside-fan` and the like (printed elsewhere, by the
tag of the rules file), `E03` or `C01` (our inference or ruling, the row of the rules file that explains it), `house`
(set by a group, never in a file). `sources` may name other tags for single cells. Words are `{ ja, en }`; both must be
there with the same placeholders.

Anything else is refused with file, table, row and cell: unknown tables, rows or cells, wrong types, gaps, doubles.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import string
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError

from rulesets.engine.text import Text

Source = Annotated[str, StringConstraints(pattern=r"^(seed|seed-derived|outside-[a-z-]+|house|[EC]\d{2,3})$")]
# table -> row id -> cell -> value: what the files hold, in one shape for every kind of table
Raw = dict[str, dict[str, dict[str, Any]]]


def inferred(source: str) -> bool:
    """Whether a source tag marks a value that no printed rule gives."""
    return source[:1] in ("E", "C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Typed cells; types are strict (no `"5"` for 5, no `true` for 1) and unknown cells are refused."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Record):
    """A row of the rules: its id, and where its values come from."""

    id: str
    source: Source
    sources: Mapping[str, Source] = field(default_factory=dict)

    def source_of(self, cell: str) -> str:
        """The tag of one cell; the row's own unless the cell has another."""
        return self.sources.get(cell, self.source)

    def inferred_in(self, cell: str) -> bool:
        return inferred(self.source_of(cell))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording(Record):
    """Words without numbers: a label or a message with `{placeholders}`. No source: all words are our own."""

    id: str
    ja: str
    en: str

    @property
    def text(self) -> Text:
        return Text(self.ja, self.en)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Wording):
    """What a problem or refusal says. `level` and `rule` (section of the rules file) travel with its code, the id."""

    level: Literal["error", "warning"] = "error"
    rule: str = ""


R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Rows(Mapping[str, R], Generic[R]):
    """Rows by id, in the order of the file."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Mapping[str, R]) -> None:
        self._rows = dict(rows)

    def __getitem__(self, row_id: str) -> R:
        return self._rows[row_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Rows({list(self._rows)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Row):
    """One step of a `Scale`."""

    value: int


class Scale(Mapping[int, int]):
    """Whole numbers by consecutive whole numbers, lowest first: `scale[5]`, with the source of each step."""

    __slots__ = ("_steps",)

    def __init__(self, steps: Mapping[int, Step]) -> None:
        self._steps = dict(sorted(steps.items()))

    @property
    def first(self) -> int:
        return next(iter(self._steps))

    @property
    def last(self) -> int:
        return self.first + len(self._steps) - 1

    def source_of(self, at: int) -> str:
        return self._steps[at].source

    def inferred_at(self, at: int) -> bool:
        return inferred(self.source_of(at))

    def __getitem__(self, at: int) -> int:
        return self._steps[at].value

    def __iter__(self) -> Iterator[int]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        return f"Scale({dict(self)})"


@dataclass(frozen=True, slots=True)
class Settings(Generic[R]):
    """Single values: `settings.values.max_schools`, and the source tag of each."""

    values: R
    sources: Mapping[str, str]

    def source_of(self, name: str) -> str:
        return self.sources[name]

    def inferred_in(self, name: str) -> bool:
        return inferred(self.sources[name])


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in the tables. `kind` and `params` are for translated messages; `detail` is plain English."""

    table: str
    row: str
    cell: str
    detail: str
    kind: str = "other"
    params: Mapping[str, object] = field(default_factory=dict)
    file: str = ""
    message: Text | None = None

    def __str__(self) -> str:
        where = ".".join(part for part in (self.table, self.row, self.cell) if part)
        return f"{self.file}: {where}: {self.detail}" if self.file else f"{where}: {self.detail}"


class TablesInvalid(ValueError):
    """The tables are not what the game declares; `faults` lists everything that is wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def placeholders(text: str) -> frozenset[str]:
    """Names in braces. Raises `ValueError` for broken braces."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


# ---------------------------------------------------------------- reading


def read_folder(folder: Path) -> tuple[Raw, dict[str, str]]:
    """All tables of `folder/*.toml` in one shape, and the file each came from. Raises `TablesInvalid`."""
    raw: Raw = {}
    files: dict[str, str] = {}
    faults: list[Fault] = []
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise TablesInvalid([Fault("", "", "", f"no *.toml in {folder.name}/")])
    for path in paths:
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            faults.append(Fault("", "", "", f"not readable: {error}", file=path.name))
            continue
        for table, body in content.items():
            if table in files:
                faults.append(Fault(table, "", "", f"already in {files[table]}", file=path.name))
                continue
            files[table] = path.name
            rows, wrong = _rows_of(table, body)
            raw[table] = rows
            faults += [dataclasses.replace(fault, file=path.name) for fault in wrong]
    if faults:
        raise TablesInvalid(faults)
    return raw, files


def _rows_of(table: str, body: Any) -> tuple[dict[str, dict[str, Any]], list[Fault]]:
    """The rows of a table by id, whether written as a list or by key."""
    rows: dict[str, dict[str, Any]] = {}
    faults: list[Fault] = []
    if isinstance(body, list):
        for index, row in enumerate(body):
            row_id = row.get("id") if isinstance(row, dict) else None
            if not isinstance(row_id, str) or not row_id:
                faults.append(Fault(table, f"#{index + 1}", "id", "every row needs an id"))
            elif row_id in rows:
                faults.append(Fault(table, row_id, "id", "this id is there twice"))
            else:
                rows[row_id] = row
    elif isinstance(body, dict):
        for row_id, row in body.items():
            if not isinstance(row, dict):
                faults.append(Fault(table, row_id, "", "a row must be a table of cells"))
            elif row.setdefault("id", row_id) != row_id:
                faults.append(Fault(table, row_id, "id", f"the id says {row['id']!r}"))
            else:
                rows[row_id] = row
    else:
        faults.append(Fault(table, "", "", "a table must hold rows"))
    return rows, faults


# ---------------------------------------------------------------- typing


@functools.cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _validated(kind: type, table: str, row_id: str, cells: Mapping[str, Any], faults: list[Fault]) -> Any:
    """A row of dataclass `kind`, or None with its faults added.

    Through JSON, because pydantic's strict mode takes a JSON array for a tuple but still no `"5"` for 5.
    """
    try:
        return _adapter(kind).validate_json(json.dumps(cells, ensure_ascii=False), strict=True)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            cell = ".".join(str(part) for part in item["loc"])
            params = {k: v for k, v in item.get("ctx", {}).items() if isinstance(v, int | float | str)}
            faults.append(Fault(table, row_id, cell, item["msg"], item["type"], params))
    except (TypeError, ValueError) as error:  # a TOML date, an infinite number
        faults.append(Fault(table, row_id, "", str(error)))
    return None


def _word_faults(table: str, row_id: str, cell: str, value: Any) -> Iterator[Fault]:
    """Words missing in one language, or with different placeholders, anywhere below a cell."""
    if isinstance(value, dict):
        if "ja" in value or "en" in value:
            ja, en = value.get("ja"), value.get("en")
            if not isinstance(ja, str) or not isinstance(en, str) or bool(ja.strip()) != bool(en.strip()):
                yield Fault(table, row_id, cell, "words are needed in ja and en")
            else:
                try:
                    if placeholders(ja) != placeholders(en):
                        yield Fault(table, row_id, cell, "ja and en have different placeholders")
                except ValueError as error:
                    yield Fault(table, row_id, cell, f"broken placeholder: {error}")
        for key, below in value.items():
            yield from _word_faults(table, row_id, f"{cell}.{key}" if cell else key, below)
    elif isinstance(value, list):
        for below in value:
            yield from _word_faults(table, row_id, cell, below)


def _typed_rows(kind: type, table: str, raw: Mapping[str, dict[str, Any]], faults: list[Fault]) -> Rows[Any]:
    found = {row_id: _validated(kind, table, row_id, cells, faults) for row_id, cells in raw.items()}
    return Rows({row_id: row for row_id, row in found.items() if row is not None})


def _typed_scale(table: str, raw: Mapping[str, dict[str, Any]], faults: list[Fault]) -> Scale | None:
    steps: dict[int, Step] = {}
    for row_id, cells in raw.items():
        if not row_id.lstrip("-").isdecimal():
            faults.append(Fault(table, row_id, "", "steps of a scale are whole numbers"))
            continue
        step = _validated(Step, table, row_id, cells, faults)
        if step is not None:
            steps[int(row_id)] = step
    if len(steps) < len(raw):
        return None
    missing = sorted(set(range(min(steps), max(steps) + 1)) - set(steps)) if steps else []
    for at in missing:
        faults.append(Fault(table, str(at), "", "this step is missing"))
    if not steps:
        faults.append(Fault(table, "", "", "a scale needs at least one step"))
    return Scale(steps) if steps and not missing else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting(Record):
    id: str
    value: Any
    source: Source


def _typed_settings(
    kind: type, table: str, raw: Mapping[str, dict[str, Any]], faults: list[Fault]
) -> Settings[Any] | None:
    sources: dict[str, str] = {}
    for row_id, cells in raw.items():
        setting = _validated(_Setting, table, row_id, cells, faults)
        if setting is not None:
            sources[row_id] = setting.source
    if len(sources) < len(raw):
        return None
    found: list[Fault] = []
    values = _validated(kind, table, "", {row_id: cells["value"] for row_id, cells in raw.items()}, found)
    for fault in found:  # the record's field is the row here
        row_id, _, cell = fault.cell.partition(".")
        faults.append(dataclasses.replace(fault, row=row_id, cell=cell or "value"))
    return None if values is None else Settings(values, sources)


def _typed_table(hint: Any, table: str, raw: Mapping[str, dict[str, Any]], faults: list[Fault]) -> Any:
    """One table as its type says."""
    for row_id, cells in raw.items():
        faults += _word_faults(table, row_id, "", cells)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Rows:
        return _typed_rows(args[0], table, raw, faults)
    if hint is Scale:
        return _typed_scale(table, raw, faults)
    if origin is Settings:
        return _typed_settings(args[0], table, raw, faults)
    raise TypeError(f"{table}: a table is Rows[…], Scale or Settings[…]")


# ---------------------------------------------------------------- one game's tables


def no_cross_check(tables: Any) -> Iterable[Fault]:
    return ()


class TableSet(Generic[T]):
    """The tables of one game: a folder of TOML files, the dataclass that declares them, and checks across tables.

    `cross_check(tables)` yields a `Fault` for whatever one row alone cannot show (an id that names nothing, a cost
    that falls). Its `message` is shown to groups whose house rules break it.
    """

    def __init__(
        self, folder: Path, schema: type[T], cross_check: Callable[[T], Iterable[Fault]] = no_cross_check
    ) -> None:
        self.folder = folder
        self.schema = schema
        self._cross_check = cross_check

    @functools.cached_property
    def _read(self) -> tuple[Raw, dict[str, str]]:
        return read_folder(self.folder)

    @property
    def raw(self) -> Raw:
        """What the files hold. Not to be changed: take a copy."""
        return self._read[0]

    @functools.cached_property
    def base(self) -> T:
        """The tables as published. Raises `TablesInvalid`."""
        raw = self.raw
        faults: list[Fault] = []
        typed: dict[str, Any] = {}
        for table in raw.keys() - self._hints.keys():
            faults.append(Fault(table, "", "", "unknown table"))
        for table, hint in self._hints.items():
            if table in raw:
                typed[table] = _typed_table(hint, table, raw[table], faults)
            else:
                faults.append(Fault(table, "", "", "this table is missing"))
        self._refuse(faults)
        return self._cross_checked(self.schema(**typed))

    def changed(self, raw: Raw) -> T:
        """The published tables with those in `raw` put in their place. Raises `TablesInvalid`."""
        faults: list[Fault] = []
        typed = {table: _typed_table(self._hints[table], table, rows, faults) for table, rows in raw.items()}
        self._refuse(faults)
        base: Any = self.base
        put: T = dataclasses.replace(base, **typed)
        return self._cross_checked(put)

    @functools.cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.schema)

    def _cross_checked(self, tables: T) -> T:
        self._refuse(self._cross_check(tables))
        return tables

    def _refuse(self, faults: Iterable[Fault]) -> None:
        files = self._read[1]
        found = [dataclasses.replace(fault, file=files.get(fault.table, "")) for fault in faults]
        if found:
            raise TablesInvalid(found)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of every value but the words: the same rules in better words are the same rules."""
        return hashlib.sha256(canonical_json(_without_words(self.raw)).encode()).hexdigest()


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_words(below) for key, below in value.items() if key not in ("ja", "en")}
    if isinstance(value, list):
        return [_without_words(below) for below in value]
    return value


def canonical_json(value: Any) -> str:
    """One spelling for equal values: keys sorted, no spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
