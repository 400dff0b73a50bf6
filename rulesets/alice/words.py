"""Refusals by their code, and how commands are read, for every live topic of the game (draft and play)."""

from __future__ import annotations

from collections.abc import Callable

from rulesets.alice.tables import TABLES
from rulesets.engine.play import CommandField, Refused
from rulesets.engine.playing.reading import Codes, Forms, Refuse
from rulesets.engine.text import Text

CODES = Codes(
    missing="E_FIELD_REQUIRED",
    unknown="E_UNKNOWN_INPUT",
    value="E_BAD_INPUT",
    bounds="E_BAD_NUMBER",
    long="E_INPUT_TOO_LONG",
)


def message(code: str, **params: object) -> Text:
    """The words of a code. Raises `KeyError`."""
    return TABLES.base.messages[code].text.format(**params)


def rule_of(code: str) -> str:
    return TABLES.base.messages[code].rule


def refused(code: str, /, *, overridable: bool = False, **params: object) -> Refuse:
    """A refusal to raise. `overridable`: the GM may set it aside with a reason."""
    return Refuse(Refused(code, message(code, **params), params, overridable, rule_of(code)))


def forms(words: Callable[[str], Text]) -> Forms:
    """How the commands of a topic are read and their fields named; `words` are the topic's labels."""
    return Forms(words, refused, CODES)


def reading_codes(fields: tuple[CommandField, ...]) -> tuple[str, ...]:
    """What reading a command with these fields may be refused with."""
    found = {CODES.unknown}
    for field in fields:
        found.add(CODES.bounds if field.type == "int" else CODES.value)
        found |= {CODES.missing} if field.required else set()
        found |= {CODES.long} if field.type in ("text", "actor") else set()
    return tuple(sorted(found))
