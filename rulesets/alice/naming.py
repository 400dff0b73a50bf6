"""The naming rule of 生業 (§5.4): it names a skill and nothing more. Remarks for the GM, never a block."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

LONGEST = 12
_KANJI_OR_KATAKANA = r"[\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_MODIFIER = re.compile(rf"(?:な|い|った|ている|れた){_KANJI_OR_KATAKANA}")
_SIGNS = frozenset("ー々〆・")


def lint_occupation(name: str, known: Collection[str] = ()) -> list[str]:
    """Codes of what looks like more than a trade; `known` names are never called modified."""
    found = []
    if "の" in name:
        found.append("W_CONTAINS_NO")
    if name not in known and _MODIFIER.search(name):
        found.append("W_MODIFIER")
    if any(_sign(char) for char in name):
        found.append("W_PUNCTUATION")
    if len(name) > LONGEST:
        found.append("W_LONG")
    return found


def _sign(char: str) -> bool:
    """Brackets, quotes, spaces, emoji: anything that is neither letter, digit nor a sign of Japanese writing."""
    return char not in _SIGNS and unicodedata.category(char)[0] not in "LNM"
