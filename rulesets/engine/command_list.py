"""What can be commanded, as plain data: the page of commands, the palette and the command line read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulesets.engine.commands.results import plain
from rulesets.engine.play import CommandShape, Play
from rulesets.engine.text import Text

Words = Callable[[str], Text]


def shapes(play: Play[Any], refusal: Words) -> list[dict[str, Any]]:
    """Every command as plain data; `refusal` gives the words of a code."""
    return list(_shapes(play.commands(), refusal))


def _shapes(commands: Sequence[CommandShape], refusal: Words) -> Iterator[dict[str, Any]]:
    for shape in commands:
        yield {
            "name": shape.name,
            "label": plain(shape.label),
            "roles": sorted(shape.roles),
            "when": plain(shape.when),
            "answers": shape.answers,
            "retractable": shape.retractable,
            "fields": [
                {
                    "name": wanted.name,
                    "type": wanted.type,
                    "label": plain(wanted.label),
                    "required": wanted.required,
                    "min": wanted.min,
                    "max": wanted.max,
                    "choices": [{"value": value, "label": plain(label)} for value, label in wanted.choices],
                }
                for wanted in shape.fields
            ],
            "refusals": [{"code": code, "message": plain(refusal(code))} for code in shape.codes],
        }
