"""Exact chances as questions (rules §12). Counted, never estimated; only from cards that are not seen.

Questions are plain tables; unknown keys are refused. `decks` (1 or 2) and `seen` (ids of cards the asker sees) say what
is left unseen: nothing seen = a fresh deck. `value` is the ability after damage, `suit` its suit, `cls` the class.

    {kind: "target", cards: 2, at_most: 15}
        whether an achievement of `at_most` suffices: `success`, `failure`; the distribution is that of the target
    {kind: "hand", value: 4, suit: "C", cls: "expert", card: "D7", cards: 2}     a known card of one's own
    {kind: "flip", value: 4, suit: "C", cls: "expert", cards: 2}                 a flip
        `success`, `failure`; `target: 16` instead of `cards` once the cards are turned up
    {kind: "unknown_hand", value: 5, suit: "S", cls: "related", cards: 2, hand: 3, then_flip: true}
        the best card of a random hand, flipping when it does not suffice; beside it `no_legal_card`
    {kind: "contest", value: 5, cls: "expert", other: 7, other_cls: "outsider", suit: "S", other_suit: "S"}
        both sides flip: `active`, `passive`
    {kind: "survival"}
        the daily card: `dead`, `alive`, `heal`; beside it `recovers`, ever, if it is drawn day after day
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from rulesets.alice import chances
from rulesets.alice.cards import rank_of, suit_of
from rulesets.alice.chances import Attempt
from rulesets.alice.deck import whole_deck
from rulesets.alice.rows import ClassId, SuitId
from rulesets.alice.rulings import survival
from rulesets.alice.tables import Tables
from rulesets.engine.odds import Chance, Odds
from rulesets.engine.text import Text
from rulesets.protocol import Refusal

Value = Annotated[int, Field(ge=0, le=21)]
Cards = Annotated[int, Field(ge=1, le=6)]
Target = Annotated[int, Field(ge=0, le=99)]
CardId = Annotated[str, Field(max_length=5)]

SUCCESS, FAILURE = Text("成功", "success"), Text("失敗", "failure")
ACTIVE, PASSIVE = Text("能動側の勝ち", "the active side wins"), Text("受動側の勝ち", "the passive side wins")
NO_LEGAL = Text("出せる手札がない", "no card may be played")
RECOVERS = Text("いつか持ち直す", "recovers some day")
FATES = {
    "dead": Text("死ぬ", "dead"),
    "alive": Text("生きている", "alive"),
    "heal": Text("持ち直す", "heals one stage"),
}


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    decks: Annotated[int, Field(ge=1, le=2)] = 1
    seen: Annotated[list[CardId], Field(max_length=104)] = []

    @model_validator(mode="after")
    def _there(self) -> _Question:
        if not set(self.seen) <= set(whole_deck(self.decks)) or len(self.seen) > 52 * self.decks - 10:
            raise ValueError("seen")
        return self

    @property
    def unseen(self) -> list[str]:
        return chances.unseen(self.decks, self.seen)


class _Attempted(_Question):
    value: Value
    suit: SuitId = "S"
    cls: ClassId = "expert"

    def attempt(self, tables: Tables) -> Attempt:
        return Attempt(self.value, self.suit, self.cls, tables.rule.ace_when_flipped == "eleven_only")


class TargetQuestion(_Question):
    kind: Literal["target"]
    cards: Cards
    at_most: Target


class _Reaching(_Attempted):
    cards: Cards | None = None
    target: Target | None = None

    @model_validator(mode="after")
    def _one(self) -> _Reaching:
        if (self.cards is None) == (self.target is None):
            raise ValueError("cards or target")
        return self


class HandQuestion(_Reaching):
    kind: Literal["hand"]
    card: CardId

    @model_validator(mode="after")
    def _own(self) -> HandQuestion:
        if self.card not in whole_deck(self.decks):
            raise ValueError("card")
        return self

    @property
    def unseen(self) -> list[str]:
        return chances.unseen(self.decks, [*self.seen, self.card])


class FlipQuestion(_Reaching):
    kind: Literal["flip"]


class UnknownHandQuestion(_Attempted):
    kind: Literal["unknown_hand"]
    cards: Annotated[int, Field(ge=1, le=3)]
    hand: Annotated[int, Field(ge=1, le=4)] = 3
    then_flip: bool = False


class ContestQuestion(_Attempted):
    kind: Literal["contest"]
    other: Value
    other_suit: SuitId = "S"
    other_cls: ClassId = "expert"


class SurvivalQuestion(_Question):
    kind: Literal["survival"]


Asked = TargetQuestion | HandQuestion | FlipQuestion | UnknownHandQuestion | ContestQuestion | SurvivalQuestion
_READ: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="kind")])


def answer(question: Mapping[str, Any], tables: Tables) -> Odds:
    """Exact chances. Raises `Refusal` E_NO_QUESTION for anything that is no question."""
    try:
        asked = _READ.validate_python(dict(question))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or first["type"]
        raise Refusal("E_NO_QUESTION", tables.messages["E_NO_QUESTION"].text.format(where=where), where=where) from None
    if isinstance(asked, TargetQuestion):
        reached = chances.target_at_most(asked.unseen, asked.cards, asked.at_most)
        return Odds(success_or_failure(reached), dist=chances.target_dist(asked.unseen, asked.cards))
    if isinstance(asked, HandQuestion):
        return Odds(success_or_failure(_hand(asked, tables)))
    if isinstance(asked, FlipQuestion):
        return Odds(success_or_failure(_flip(asked, tables)))
    if isinstance(asked, UnknownHandQuestion):
        return _unknown_hand(asked, tables)
    return _contest(asked, tables) if isinstance(asked, ContestQuestion) else survival_odds(asked.unseen)


def success_or_failure(success: Fraction) -> tuple[Chance, Chance]:
    return Chance("success", SUCCESS, success), Chance("failure", FAILURE, 1 - success)


def _hand(asked: HandQuestion, tables: Tables) -> Fraction:
    reached = asked.attempt(tables).played(asked.card)
    if reached is None:
        return Fraction(0)
    if asked.cards is None:
        return Fraction(reached >= (asked.target or 0))
    return chances.target_at_most(asked.unseen, asked.cards, reached)


def _flip(asked: FlipQuestion, tables: Tables) -> Fraction:
    attempt = asked.attempt(tables)
    if asked.cards is None:
        return chances.flip_reaches(asked.unseen, attempt, asked.target or 0)
    return chances.flip_before(asked.unseen, attempt, asked.cards)


def _unknown_hand(asked: UnknownHandQuestion, tables: Tables) -> Odds:
    attempt = asked.attempt(tables)
    success = chances.unknown_hand(asked.unseen, attempt, asked.cards, hand=asked.hand, then_flip=asked.then_flip)
    barred = chances.no_legal_card(asked.unseen, attempt, hand=asked.hand)
    return Odds(success_or_failure(success), (Chance("no_legal_card", NO_LEGAL, barred),))


def _contest(asked: ContestQuestion, tables: Tables) -> Odds:
    eleven_only = tables.rule.ace_when_flipped == "eleven_only"
    other = Attempt(asked.other, asked.other_suit, asked.other_cls, eleven_only)
    won = chances.contest_by_flips(asked.unseen, asked.attempt(tables), other)
    return Odds((Chance("active", ACTIVE, won), Chance("passive", PASSIVE, 1 - won)))


def survival_odds(unseen: list[str]) -> Odds:
    """The daily card of somebody fatally wounded and alone (§8.6, §12.6)."""
    fates = [survival(suit_of(card), rank_of(card)) for card in unseen]
    chance = {fate: Fraction(fates.count(fate), len(fates)) for fate in FATES}  # type: ignore[arg-type]
    settled = chance["heal"] + chance["dead"]
    ever = chance["heal"] / settled if settled else Fraction(0)
    outcomes = tuple(Chance(fate, words, chance[fate]) for fate, words in FATES.items())
    return Odds(outcomes, (Chance("recovers", RECOVERS, ever),))
