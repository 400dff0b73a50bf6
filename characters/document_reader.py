"""Reading JSON that came from outside: size, depth, duplicate keys, odd numbers and characters, said with the place."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from characters.actions.text import clean

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32


class Unreadable(ValueError):
    """No JSON this site reads. `line` and `column` count from 1; 0 when the place is unknown."""

    def __init__(self, message: str, *, code: str, line: int = 0, column: int = 0) -> None:
        place = _("（%(line)s行%(column)s字目）") % {"line": line, "column": column} if line else ""
        super().__init__(message + place)
        self.code = code
        self.line = line
        self.column = column


def read_json(data: bytes | str) -> Any:
    """Parse a file of at most 1 MiB. A leading byte order mark is skipped. Raises Unreadable."""
    text = _decode(data)
    duplicates: list[str] = []
    constants: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            duplicates.append("")
        return found

    def constant(name: str) -> None:
        constants.append(name)

    def finite(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):  # `1e999`: no JSON we write could give it back
            raise Unreadable(_("大きすぎる数があります：%(number)s") % {"number": digits[:20]}, code="number")
        return number

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=finite)
    except Unreadable:
        raise
    except json.JSONDecodeError as error:
        message = _("JSONとして読めません。")
        raise Unreadable(message, code="syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        _fail(text, "depth")
    except ValueError:  # a number with thousands of digits
        raise Unreadable(_("桁の多すぎる数があります。"), code="number") from None
    if duplicates or constants or _depth(value) > MAX_DEPTH:
        _fail(text, "depth")
    return value


def cleaned(value: Any) -> tuple[Any, int]:
    """The value with every text made storable (`actions.text.clean`), and how many texts that changed."""
    changed = 0

    def walk(item: Any) -> Any:
        nonlocal changed
        if isinstance(item, str):
            new = clean(item)
            changed += new != item
            return new
        if isinstance(item, list):
            return [walk(part) for part in item]
        if isinstance(item, dict):
            return {walk(key): walk(part) for key, part in item.items()}
        return item

    return walk(value), changed


def _decode(data: bytes | str) -> str:
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise Unreadable(_("ファイルが大きすぎます（1 MiBまで）。"), code="size")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(_("UTF-8の文字として読めません。"), code="encoding", line=line, column=1) from None
    if "\0" in text:
        raise Unreadable(_("文字ではないデータ（NUL）が入っています。"), code="nul", **_place(text, text.index("\0")))
    return text


def _depth(value: Any) -> int:
    deepest, todo = 0, [(value, 1)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, dict | list):
            deepest = max(deepest, depth)
            todo.extend((part, depth + 1) for part in (item.values() if isinstance(item, dict) else item))
    return deepest


def _fail(text: str, fallback: str) -> NoReturn:
    """Find the first duplicate key, odd constant or too deep bracket, reading once from the front."""
    keys: list[set[str] | None] = []  # of the objects around; None for a list
    expect_key = False
    at = 0
    while at < len(text):
        mark = text[at]
        if mark == '"':
            end = _string_end(text, at)
            if expect_key and keys and keys[-1] is not None:
                key = json.loads(text[at:end])
                if key in keys[-1]:
                    message = _("同じ見出し「%(key)s」が二度あります。") % {"key": key[:40]}
                    raise Unreadable(message, code="duplicate", **_place(text, at))
                keys[-1].add(key)
                expect_key = False
            at = end
            continue
        if mark in "{[":
            keys.append(set() if mark == "{" else None)
            expect_key = mark == "{"
            if len(keys) > MAX_DEPTH:
                message = _("入れ子が深すぎます（%(n)s段まで）。") % {"n": MAX_DEPTH}
                raise Unreadable(message, code="depth", **_place(text, at))
        elif mark in "}]" and keys:
            keys.pop()
            expect_key = False
        elif mark == ",":
            expect_key = bool(keys) and keys[-1] is not None
        elif mark in "NI":
            raise Unreadable(_("NaNや無限大は数として使えません。"), code="number", **_place(text, at))
        at += 1
    raise Unreadable(_("JSONとして読めません。"), code=fallback)


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _place(text: str, at: int) -> dict[str, int]:
    return {"line": text.count("\n", 0, at) + 1, "column": at - text.rfind("\n", 0, at)}
