"""Words of play: rows of `play_labels`, refusals by code."""

from __future__ import annotations

from collections.abc import Iterable

from rulesets.engine.outcome import Reason
from rulesets.engine.text import Text
from rulesets.ninja.tables import TABLES


def known(key: str) -> bool:
    return key in TABLES.base.play_labels


def words(key: str, /, **params: object) -> Text:
    """A row's words with its placeholders filled. Raises `KeyError` for a row that is not there."""
    text = TABLES.base.play_labels[key].text
    return text.format(**params) if params else text


def listed(names: Iterable[str | Text]) -> Text:
    """Names one after another, as each language strings them together."""
    found = [name if isinstance(name, Text) else Text(name, name) for name in names]
    return Text("、".join(name.ja for name in found), ", ".join(name.en for name in found))


def reason(key: str, rule: str = "", inferred: bool = False, **params: object) -> Reason:
    """Why a number is there."""
    return Reason(words(key, **params), rule, inferred)


def refusal(code: str, **params: object) -> Text:
    return TABLES.base.messages[code].text.format(**params)


def rule_of(code: str) -> str:
    return TABLES.base.messages[code].rule
