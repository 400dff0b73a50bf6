"""What came with a command, read by its shape with Edo's words and codes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from rulesets.edo.play.words import refusal, rule_of, words
from rulesets.engine.play import CommandShape, Refused
from rulesets.engine.playing.reading import TEXT_MAX, Codes, Fields, Forms, Refuse

__all__ = [
    "FACES",
    "TEXT_MAX",
    "Asked",
    "Refuse",
    "actor",
    "choice",
    "flag",
    "number",
    "read",
    "refused",
    "text",
]

FACES_MAX = 40


def refused(code: str, /, *, overridable: bool = False, **params: object) -> Refuse:
    """A refusal to raise. `overridable`: the GM may set it aside."""
    return Refuse(Refused(code, refusal(code, **params), params, overridable, rule_of(code)))


FORMS = Forms(words, refused, Codes(missing="P21", unknown="P22", value="P23", bounds="P20", long="P25"))
number, flag, text, actor, choice = FORMS.number, FORMS.flag, FORMS.text, FORMS.actor, FORMS.choice
FACES = text("faces")


class Asked(Fields):
    """The fields of a command of Edo."""

    def needed(self, name: str) -> int:
        """A number that this case of the command needs."""
        number = self.number(name)
        if number is None:
            label = next((field.label for field in self.shape.fields if field.name == name), words("field.value"))
            raise refused("P21", label=label)
        return number

    @property
    def faces(self) -> tuple[int, ...] | None:
        """Dice of the real table, typed in order; None = thrown here."""
        typed = self.text("faces")
        if not typed:
            return None
        plain = unicodedata.normalize("NFKC", typed).replace("、", ",").replace(" ", ",")
        parts = [part for part in plain.split(",") if part]
        if not parts or len(parts) > FACES_MAX or any(part not in ("1", "2", "3", "4", "5", "6") for part in parts):
            raise refused("P24")
        return tuple(int(part) for part in parts)


def read(shape: CommandShape, data: Mapping[str, Any]) -> Asked:
    """The typed fields of a command. Raises `Refuse` P20–P23."""
    return Asked(shape, FORMS.values(shape, data))
