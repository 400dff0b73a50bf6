"""What came with a command, read by its shape; see `rulesets.alice.words`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.alice.play.words import words
from rulesets.alice.rows import SUIT_IDS
from rulesets.alice.words import forms, refused
from rulesets.engine.play import CommandShape
from rulesets.engine.playing.reading import Fields

FORMS = forms(words)
number, flag, text, actor, choice = FORMS.number, FORMS.flag, FORMS.text, FORMS.actor, FORMS.choice
card, cards = FORMS.card, FORMS.cards

ACTOR = actor()
SUIT = choice("suit", *SUIT_IDS)
CLASS = choice("cls", "expert", "related", "outsider")


class Asked(Fields):
    """The fields of a command of Alice's play."""

    def needed(self, name: str) -> int:
        """A number that this case of the command needs."""
        number = self.number(name)
        if number is None:
            raise refused("E_FIELD_REQUIRED", field=words(f"field.{name}"))
        return number


def read(shape: CommandShape, data: Mapping[str, Any]) -> Asked:
    """The typed fields of a command. Raises `Refuse`."""
    return Asked(shape, FORMS.values(shape, data))
