"""The 29 columns of magic power from cards and dice (rules §3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesets.engine.dice import DiceSource
from rulesets.witch.dice_text import Dice, dice
from rulesets.witch.rows import COLUMNS, SIDES
from rulesets.witch.tables import Witch


def column_dice(tables: Witch, cards: Sequence[int]) -> dict[int, Dice]:
    """The dice of every column, ＊ first: by the two cards, or the same for all."""
    rule = tables.rule
    if rule.power_method != "card_first":
        return dict.fromkeys(COLUMNS, dice(rule.all_columns_roll))
    found = dict.fromkeys(COLUMNS, dice(rule.column_roll))
    for card, text in zip(cards, (rule.card_column_roll, rule.shadow_column), strict=False):
        found[card] = dice(text)
    return found


def draw(source: DiceSource, among: Sequence[int] = COLUMNS) -> tuple[int, int]:
    """One card of a freshly shuffled deck: the face that chose it (counted from 1) and the card."""
    face = source.roll(len(among))
    return face, among[face - 1]


def columns_from(tables: Witch, faces: Sequence[int], cards: Sequence[int]) -> Mapping[int, int] | None:
    """The columns that faces give, column by column; None when they are not the dice of this method."""
    if tables.rule.power_method == "card_first" and (
        len(cards) != 2 or cards[0] == cards[1] or not set(cards) <= set(COLUMNS)
    ):
        return None
    thrown = column_dice(tables, cards)
    if len(faces) != sum(one.count for one in thrown.values()) or not all(1 <= face <= SIDES for face in faces):
        return None
    left = list(faces)
    found = {}
    for column, one in thrown.items():
        found[column] = sum(left[: one.count]) + one.add
        del left[: one.count]
    return found


def letter(letters: str, at: int) -> str:
    """The letter of a card in place `at` (from 0): beyond the end it is counted back, then begun again (§9.4)."""
    place = at % (2 * len(letters) - 1)
    return letters[place if place < len(letters) else 2 * len(letters) - 2 - place]


def spelled(tables: Witch, cards: Sequence[int]) -> str:
    """The letters that cards give to a name, the i-th letter from the i-th card."""
    return "".join(letter(tables.tarot[str(card)].letters, at) for at, card in enumerate(cards))
