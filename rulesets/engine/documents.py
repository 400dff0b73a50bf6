"""Foreign build documents (interop/json-api.md §4.4): what a game's pydantic model refuses, told in both languages.

A game's model raises `Unfit` in its validators for values that name nothing; everything else is pydantic's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from rulesets.engine.problems import Problem
from rulesets.engine.text import Text


class StrictDoc(BaseModel):
    """A part of a document: exact types, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Unfit(ValueError):
    """A value that names nothing, with the sentence that says so."""

    def __init__(self, words: Text, **params: object) -> None:
        super().__init__(words.en)
        self.words, self.params = words, params


_WORDS: Mapping[str, Text] = {
    "extra_forbidden": Text("「{value}」という項目はありません。", "There is no item “{value}”."),
    "missing": Text("この項目がありません。", "This item is missing."),
    "int_type": Text("整数で書いてください。", "Give a whole number."),
    "bool_type": Text("true か false で書いてください。", "Give true or false."),
    "string_type": Text("文字で書いてください。", "Give text."),
    "list_type": Text("リストで書いてください。", "Give a list."),
    "model_type": Text("項目の組（オブジェクト）で書いてください。", "Give an object."),
    "string_too_long": Text("{max_length}文字までです。", "At most {max_length} characters."),
    "string_too_short": Text("空にはできません。", "This must not be empty."),
    "too_long": Text("{max_length}個までです。", "At most {max_length} entries."),
    "greater_than_equal": Text("{ge}以上にしてください。", "Must be {ge} or more."),
    "less_than_equal": Text("{le}以下にしてください。", "Must be {le} or less."),
}
_OTHER = Text("この値は読めません。", "This value cannot be read.")
_SAME_AS = {"model_attributes_type": "model_type", "dict_type": "model_type"}
_BRANCHES = ("constrained-str", "list[constrained-str]")  # pydantic names the branch of a union in the path


def document_problems(model: type[BaseModel], build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a document from being read; `path` is a JSON pointer into the build. Never raises.

    D01: a wrong kind of value, D02: a value that names nothing, D03: an unknown key.
    """
    try:
        model.model_validate(build)
    except ValidationError as error:
        return [_problem(item) for item in error.errors(include_url=False, include_input=False)]
    except RecursionError:
        return [Problem("D01", "error", "", _OTHER, "")]
    return []


def _problem(item: Any) -> Problem:
    place = [str(part) for part in item["loc"] if part not in _BRANCHES]
    pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in place)
    context = item.get("ctx", {})
    raised = context.get("error")
    if isinstance(raised, Unfit):
        return Problem("D02", "error", pointer, raised.words.format(**raised.params), "", raised.params)
    kind = _SAME_AS.get(item["type"], item["type"])
    params = {key: value for key, value in context.items() if isinstance(value, int | float | str)}
    params["value"] = place[-1] if place else ""
    code = "D03" if kind == "extra_forbidden" else "D01"
    return Problem(code, "error", pointer, _WORDS.get(kind, _OTHER).format(**params), "", params)
