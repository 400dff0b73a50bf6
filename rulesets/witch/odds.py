"""Exact chances (rules §12). Counted in whole numbers, never estimated.

Questions are plain tables; unknown keys are refused.

    {kind: "challenge", throws: 5, help: 2, required: 1}
        the levels by their words (`failure` … `mythic`) of throws and help together; beside them `reached`, the chance
        of the required level, and `help_1` … `help_3`, what that many more throws would make it. The distribution is
        that of the doubles
    {kind: "magic", rate: 17, help: 0}
    {kind: "magic", power: 4, star: 11, trickster: true, difficulty: 8, belief: 7, target: "human_adult", help: 1}
        `success`, `failure`; beside them `help_1`, `help_2`. Left out, the difficulty is rolled (2d6); `target` stands
        for a belief not rolled yet. The distribution is that of the rate before help
    {kind: "help_cost", dice: 3}       the cat points that so many dice cost
    {kind: "combat", fighters: 2}      `hit`: at least one 1 among the party's dice, `none`; the distribution of ones
    {kind: "trickster", castings: 10}  `drawn`: the トリックスター at least once, `never`
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from rulesets.engine.odds import Chance, Dist, Odds, constant, pool, sum_of, total_of
from rulesets.engine.text import Text
from rulesets.protocol import Refusal
from rulesets.witch import chances
from rulesets.witch.rows import COLUMNS, SIDES
from rulesets.witch.tables import Witch

Number = Annotated[int, Field(ge=-200, le=200)]

_HIT, _NONE = Text("1の目が1つ以上", "at least one 1"), Text("1の目なし", "no 1")
_DRAWN, _NEVER = Text("トリックスターが出る", "the Trickster appears"), Text("出ない", "never")


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ChallengeQuestion(_Question):
    kind: Literal["challenge"]
    throws: Annotated[int, Field(ge=0, le=60)]
    help: Annotated[int, Field(ge=0, le=3)] = 0
    required: Annotated[int, Field(ge=1, le=6)] = 1


class MagicQuestion(_Question):
    kind: Literal["magic"]
    rate: Number | None = None
    power: Number | None = None
    star: Number = 0
    trickster: bool = False
    difficulty: Number | None = None
    belief: Number | None = None
    target: str | None = None
    help: Annotated[int, Field(ge=0, le=2)] = 0

    @model_validator(mode="after")
    def _enough(self) -> MagicQuestion:
        if self.rate is None and (self.power is None or (self.belief is None and self.target is None)):
            raise ValueError("a rate, or power and a belief")
        return self


class CostQuestion(_Question):
    kind: Literal["help_cost"]
    dice: Annotated[int, Field(ge=1, le=3)]


class CombatQuestion(_Question):
    kind: Literal["combat"]
    fighters: Annotated[int, Field(ge=1, le=20)]


class TricksterQuestion(_Question):
    kind: Literal["trickster"]
    castings: Annotated[int, Field(ge=1, le=200)]


AnyQuestion = Annotated[
    ChallengeQuestion | MagicQuestion | CostQuestion | CombatQuestion | TricksterQuestion, Field(discriminator="kind")
]
_QUESTION: TypeAdapter[Any] = TypeAdapter(AnyQuestion)


def answer(question: Mapping[str, Any], tables: Witch) -> Odds:
    """The odds of a question. Raises `Refusal` O01 for anything that is none."""
    refusal = Refusal("O01", tables.messages["O01"].text)
    try:
        asked = _QUESTION.validate_python(question)
    except (ValidationError, RecursionError):
        raise refusal from None
    if isinstance(asked, ChallengeQuestion):
        return chances.challenge(tables, asked.throws + asked.help, asked.required, helped=chances.CHALLENGE_HELP)
    if isinstance(asked, MagicQuestion):
        if asked.target is not None and asked.target not in tables.targets:
            raise refusal
        return chances.spell(_rate(asked, tables), granted=asked.help, helped=chances.MAGIC_HELP)
    if isinstance(asked, CostQuestion):
        return Odds((), dist=sum_of(asked.dice, SIDES))
    if isinstance(asked, CombatQuestion):
        ones = pool(2 * asked.fighters, SIDES, 1)
        return _whether("hit", _HIT, _NONE, 1 - ones.chance(0), ones)
    never = Fraction(len(COLUMNS) - 1, len(COLUMNS)) ** asked.castings
    return _whether("drawn", _DRAWN, _NEVER, 1 - never)


def _rate(asked: MagicQuestion, tables: Witch) -> Dist[int]:
    if asked.rate is not None:
        return constant(asked.rate)
    parts = [chances.trickster_power(asked.power or 0, asked.star, draws=asked.trickster)]
    parts.append(chances.rolled_difficulty() if asked.difficulty is None else constant(asked.difficulty))
    if asked.belief is not None:
        parts.append(constant(asked.belief))
    elif asked.target is not None:
        parts.append(chances.belief(tables.targets[asked.target]))
    return total_of(parts)


def _whether(key: str, yes: Text, no: Text, chance: Fraction, dist: Dist[int] | None = None) -> Odds:
    other = "none" if key == "hit" else "never"
    return Odds((Chance(key, yes, chance), Chance(other, no, 1 - chance)), dist=dist)
