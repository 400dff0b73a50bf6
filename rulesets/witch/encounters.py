"""Whom a place brings along: a phrase of the place, then a person (rules §9.6, Appendix B)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulesets.engine.text import Text
from rulesets.witch.rows import SIDES
from rulesets.witch.tables import Witch

MOST_DICE = 9
NOBODY = Text("ここにはだれもいません", "Nobody is here")


@dataclass(frozen=True, slots=True)
class Met:
    """One person roll: the table, the two dice as thrown, the row they mean and the table it leads to (0: none)."""

    table: int
    faces: tuple[int, int]
    value: int
    name: Text
    leads: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """What came up at a place. `met` is empty when nobody is there."""

    place: int
    face: int
    phrase: Text
    met: tuple[Met, ...]

    @property
    def nobody(self) -> bool:
        return not self.met

    @property
    def text(self) -> Text:
        """`船を降りたばかりのおじさん`."""
        if self.nobody:
            return NOBODY
        person = self.met[-1].name
        return Text(f"{self.phrase.ja}{person.ja}", f"{person.en}, {self.phrase.en}")


def encounter(tables: Witch, place: int, roll: Callable[[int], int]) -> Encounter:
    """Throw the dice of a place (1–48): one for the phrase, two at a time for the person."""
    face = roll(SIDES)
    phrase = tables.encounters[str(place)].phrase(face)
    met: list[Met] = []
    table = 1 if phrase.ja else 0
    while table:
        faces = (roll(SIDES), roll(SIDES))
        value = min(faces) * 10 + max(faces)
        row = tables.persons[f"{table}.{value}"]
        met.append(Met(table, faces, value, row.name, row.leads))
        table = row.leads
    return Encounter(place, face, phrase, tuple(met))
