"""What came with a command, read by its shape with this game's words and codes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import CommandShape, Refused
from rulesets.engine.playing.reading import Codes, Fields, Forms, Refuse
from rulesets.ninja.play.words import refusal, rule_of, words

__all__ = ["FACES", "Asked", "Refuse", "actor", "choice", "flag", "number", "read", "refused", "text"]

FACES_MAX = 400
_PART = re.compile(r"(.+?)(?:[:：]([0-9]{1,3}))?")


def refused(code: str, /, *, overridable: bool = False, **params: object) -> Refuse:
    """A refusal to raise. `overridable`: the GM may set it aside."""
    return Refuse(Refused(code, refusal(code, **params), params, overridable, rule_of(code)))


FORMS = Forms(words, refused, Codes(missing="P21", unknown="P22", value="P23", bounds="P20", long="P25"))
number, flag, text, actor, choice = FORMS.number, FORMS.flag, FORMS.text, FORMS.actor, FORMS.choice
FACES = text("faces")


class Asked(Fields):
    """The fields of a command of this game."""

    def count(self, name: str) -> int:
        """A number that may be left out for 0."""
        return self.number(name) or 0

    def parts(self, name: str) -> list[tuple[str, int | None]]:
        """Targets with their dice, `boss:4,yakuza#2:3`; None where no dice are written. Refuses P56."""
        typed = unicodedata.normalize("NFKC", self.text(name)).replace("、", ",")
        found = []
        for part in filter(None, (piece.strip() for piece in typed.split(","))):
            match = _PART.fullmatch(part)
            if match is None:
                raise refused("P56")
            found.append((match[1].strip(), int(match[2]) if match[2] else None))
        if not found:
            raise refused("P56")
        return found

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
    """The typed fields of a command. Raises `Refuse` P20–P25."""
    return Asked(shape, FORMS.values(shape, data))
