"""Words of the draft: rows of `draft_labels`."""

from __future__ import annotations

from collections.abc import Iterable

from rulesets.alice.tables import TABLES
from rulesets.alice.words import forms
from rulesets.engine.cards import SYMBOLS, card
from rulesets.engine.text import Text, same


def known(key: str) -> bool:
    return key in TABLES.base.draft_labels


def words(key: str, /, **params: object) -> Text:
    """A row's words with its placeholders filled. Raises `KeyError` for a row that is not there."""
    row = TABLES.base.draft_labels[key]
    return row.text.format(**params) if params else row.text


def card_name(card_id: str) -> Text:
    """`♥10`."""
    found = card(card_id)
    return same(f"{SYMBOLS[found.suit]}{found.rank}")


def suit_name(suit: str) -> Text:
    """`♠肉体`."""
    row = TABLES.base.suits[suit]
    return Text(f"{row.symbol}{row.ability.ja}", f"{row.symbol} {row.ability.en}")


def listed(names: Iterable[str | Text]) -> Text:
    """Names one after another, as each language strings them together."""
    found = [name if isinstance(name, Text) else same(name) for name in names]
    return Text("、".join(name.ja for name in found), ", ".join(name.en for name in found))


FORMS = forms(words)
