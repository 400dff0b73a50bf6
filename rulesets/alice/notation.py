"""The one-line notation of GM characters (§13.1): `狼 ♠6 ♣2 ♥4 ♦1 [専門:戦闘・追跡] [関連:隠れる]`.

ASCII is read too (`S6 C2 H4 D1`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rulesets.alice.cards import SUITS
from rulesets.alice.document import SEPARATOR
from rulesets.alice.sheet import tags
from rulesets.alice.tables import GM_VALUES
from rulesets.engine.cards import SYMBOLS
from rulesets.engine.problems import Value
from rulesets.protocol import Fields

_TAGGED = re.compile(r"\[\s*(専門|関連|expert|related)\s*[:：]\s*([^\]]*)\]")
_VALUE = re.compile(r"(?:^|(?<=\s))([SCHD♠♣♥♦])\s*(10|[0-9]|[JQKjqk])(?=\s|\[|$)")
# fields that a line tells
TAKEN = ("name", *(f"cards.{suit}" for suit in SUITS), "expert", "related")
_CLASS = {"専門": "expert", "関連": "related", "expert": "expert", "related": "related"}


def read_notation(line: str) -> Fields | None:
    """The fields of a line, or None for what is none: a name, all four values once, tags."""
    plain = unicodedata.normalize("NFKC", line).strip()
    fields: dict[str, Value] = {}
    for word, listed in _TAGGED.findall(plain):
        if _CLASS[word] in fields:
            return None
        fields[_CLASS[word]] = SEPARATOR.join(tags(listed))
    plain = _TAGGED.sub(" ", plain)
    for mark, value in _VALUE.findall(plain):
        suit = next(suit for suit, symbol in SYMBOLS.items() if mark in (suit, symbol))
        if f"cards.{suit}" in fields:
            return None
        fields[f"cards.{suit}"] = value.upper()
    name = " ".join(_VALUE.sub(" ", plain).split())
    if not name or any(f"cards.{suit}" not in fields for suit in SUITS):
        return None
    return {"name": name, **{key: value for key, value in fields.items() if value}}


def write_notation(fields: Mapping[str, Value]) -> str:
    """The line of a GM character; a missing value is `?`."""
    values = [f"{SYMBOLS[suit]}{_value(fields.get(f'cards.{suit}'))}" for suit in SUITS]
    tagged = [f"[{word}:{fields[key]}]" for key, word in (("expert", "専門"), ("related", "関連")) if fields.get(key)]
    return " ".join([str(fields.get("name") or ""), *values, *tagged]).strip()


def _value(value: Value) -> str:
    return str(value) if value in GM_VALUES else "?"
