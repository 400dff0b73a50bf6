"""Flat fields for people: what was typed becomes a value, keys and values become words in both languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rulesets.alice.cards import SUITS
from rulesets.alice.rows import Suit
from rulesets.alice.sheet import CHOICES, sort_of
from rulesets.alice.tables import GM_VALUES, TABLES, Tables
from rulesets.engine.cards import SYMBOLS
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Fields, Kind

_YES = {"on", "1", "true", "yes", "はい"}
_NO = {"", "off", "0", "false", "no", "いいえ"}
_SYMBOLS = {**{symbol: suit for suit, symbol in SYMBOLS.items()}, "♡": "H", "♢": "D", "♤": "S", "♧": "C"}


def blank(kind: Kind) -> Fields:
    """A new character: the cards come from the draft, or are entered by hand and marked so until somebody says more."""
    if kind == "npc":
        return {}
    return {"ability_source": "manual", "job_visibility": "gm"}


# ---------------------------------------------------------------- from people


def parse_field(key: str, typed: str) -> Value:
    """The value of a control's text; what cannot be read comes back as text for `check` to report."""
    text = unicodedata.normalize("NFC", typed).strip()
    sort = sort_of(key)
    if not text or sort is None:
        return text or None
    if sort == "number":
        digits = unicodedata.normalize("NFKC", text).replace("歳", "").replace("才", "")
        return int(digits) if re.fullmatch(r"[0-9]{1,9}", digits) and digits.isascii() else text
    if sort == "flag":
        return True if text.lower() in _YES else None if text.lower() in _NO else text
    if sort == "rank":
        return _rank(key, text)
    return _choice(key, text) if sort == "choice" else text


def _rank(key: str, text: str) -> str:
    """`７`, `j`, `♠7`, `S7`: the rank, if it is one for this suit."""
    plain = unicodedata.normalize("NFKC", text).upper().replace(" ", "")
    suit = key.removeprefix("cards.")
    for mark in (suit, SYMBOLS[suit], *(mark for mark, known in _SYMBOLS.items() if known == suit)):
        plain = plain.removeprefix(mark)
    return plain if plain in (*GM_VALUES, "A") else text


def _choice(key: str, text: str) -> str:
    words = ((value, TABLES.base.choices[f"{key}.{value}"].text) for value in CHOICES[key])
    return next((value for value, label in words if text in (label.ja, label.en)), text)


# ---------------------------------------------------------------- to people


def suit_words(suit: str, tables: Tables) -> Mapping[str, object]:
    """Placeholders for a suit: `symbol` and `ability`."""
    row: Suit = tables.suits[suit]
    return {"symbol": row.symbol, "ability": row.ability}


def card_label(suit: str, rank: str) -> Text:
    """`♠J`."""
    return same(f"{SYMBOLS[suit]}{rank}")


def field_label(key: str, tables: Tables) -> Text:
    """What a field is called: `♠肉体`, `生業`."""
    head, _, suit = key.partition(".")
    if head == "cards" and suit in SUITS:
        return tables.label("ability_card").format(**suit_words(suit, tables))
    if sort_of(key) is not None:
        return tables.label(key)
    return tables.label("unknown_field").format(key=key)


def field_text(key: str, value: Value, tables: Tables) -> Text:
    """A value as a person would say it: `♠J`, `19歳`, `札の配分`; a missing one is `なし`."""
    if value is None or value is False or value == "":
        return tables.label("none")
    if value is True:
        return tables.label("yes")
    if isinstance(value, int):
        return tables.label("years" if key == "age" else "number").format(n=value)
    if key in CHOICES and value in CHOICES[key]:
        return tables.choices[f"{key}.{value}"].text
    if sort_of(key) == "rank" and value in GM_VALUES:
        return card_label(key.removeprefix("cards."), value)
    return same(value)
