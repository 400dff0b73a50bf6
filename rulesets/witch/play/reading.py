"""What came with a command, read by its shape with this game's words and codes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import CommandShape, Refused
from rulesets.engine.playing.reading import TEXT_MAX, Codes, Fields, Forms, Refuse
from rulesets.witch.play.words import refusal, rule_of, words

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

FACES_MAX = 160
FACE_MAX = 48  # the largest deck is drawn from by a die of 48 sides


def refused(code: str, /, *, overridable: bool = False, **params: object) -> Refuse:
    """A refusal to raise. `overridable`: the GM may set it aside."""
    return Refuse(Refused(code, refusal(code, **params), params, overridable, rule_of(code)))


FORMS = Forms(words, refused, Codes(missing="P21", unknown="P22", value="P23", bounds="P20", long="P25"))
number, flag, text, actor, choice = FORMS.number, FORMS.flag, FORMS.text, FORMS.actor, FORMS.choice
FACES = text("faces")


class Asked(Fields):
    """The fields of a command."""

    def needed(self, name: str) -> int:
        """A number that this case of the command needs."""
        found = self.number(name)
        if found is None:
            label = next((field.label for field in self.shape.fields if field.name == name), words("field.value"))
            raise refused("P21", label=label)
        return found

    @property
    def faces(self) -> tuple[int, ...] | None:
        """Dice of the real table, typed in order (a card drawn counts from 1); None = thrown here."""
        typed = self.text("faces")
        if not typed:
            return None
        plain = unicodedata.normalize("NFKC", typed).replace("、", ",").replace(" ", ",")
        parts = [part for part in plain.split(",") if part]
        allowed = [str(face) for face in range(1, FACE_MAX + 1)]
        if not parts or len(parts) > FACES_MAX or any(part not in allowed for part in parts):
            raise refused("P24")
        return tuple(int(part) for part in parts)


def read(shape: CommandShape, data: Mapping[str, Any]) -> Asked:
    """The typed fields of a command. Raises `Refuse` P20–P25."""
    return Asked(shape, FORMS.values(shape, data))
