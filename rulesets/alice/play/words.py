"""Words of play: rows of `play_labels`; cards and classes as people read them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rulesets.alice.tables import TABLES
from rulesets.engine.cards import SYMBOLS, card
from rulesets.engine.outcome import Reason
from rulesets.engine.text import Text, same


def known(key: str) -> bool:
    return key in TABLES.base.play_labels


def words(key: str, /, **params: object) -> Text:
    """A row's words with its placeholders filled. Raises `KeyError` for a row that is not there."""
    row = TABLES.base.play_labels[key]
    return row.text.format(**params) if params else row.text


def reason(key: str, rule: str = "", inferred: bool = False, /, **params: object) -> Reason:
    """Why something is there."""
    return Reason(words(key, **params), rule, inferred)


def listed(names: Iterable[str]) -> Text:
    """Names one after another, as each language strings them together."""
    found = list(names)
    return Text("、".join(found), ", ".join(found))


_ACTIONS = ("reason", "empathy", "acquire", "recovery", "attack", "defend", "flee", "pursue")


@cache
def _named_actions() -> dict[str, Text]:
    return {words(f"action.{one}").ja: words(f"action.{one}") for one in _ACTIONS}


def action_of(kind: str, what: str = "") -> str:
    """The action of a test the rules name, as registry and attempts hold it: `獲得判定：縄`."""
    named = words(f"action.{kind}").ja
    return f"{named}：{what}" if what else named


def action_words(action: str) -> Text:
    """An action as it was typed; those the rules name, in both languages."""
    named, colon, what = action.partition("：")
    found = _named_actions().get(named)
    if found is None:
        return same(action)
    return Text(f"{found.ja}：{what}", f"{found.en}: {what}") if colon else found


def card_name(card_id: str) -> str:
    """`♥10`, the deck left out."""
    found = card(card_id)
    return f"{SYMBOLS[found.suit]}{found.rank}"


def card_names(cards: Iterable[str]) -> str:
    return " ".join(card_name(one) for one in cards)


def suit_name(suit: str) -> Text:
    """`♠ 肉体`."""
    row = TABLES.base.suits[suit]
    return Text(f"{row.symbol}{row.ability.ja}", f"{row.symbol} {row.ability.en}")


def class_name(cls: str) -> Text:
    return TABLES.base.classes[cls].name


def stage_name(stage: int) -> Text:
    return TABLES.base.stages[str(stage)].name
