"""What people type, made readable: full-width letters, other signs for the same thing (interop/bcdice.md §3).

Folding keeps the length: character i of the folded line stands for character i of the typed line, so that a
comment or a choice is always cut from what was really typed.
"""

from __future__ import annotations

# Beside letters, digits and signs of U+FF01–FF5E.
_SIGNS = {
    "\u3000": " ",
    "\u00a0": " ",
    "\t": " ",
    "\r": " ",
    "×": "*",
    "✕": "*",
    "÷": "/",
    "\u2212": "-",  # minus sign
    "\u2010": "-",  # hyphen
    "\u2013": "-",  # en dash
    "\uff70": "ー",  # half-width long-vowel mark
}
_FOLD = {0xFF01 + i: 0x21 + i for i in range(94)} | {ord(k): ord(v) for k, v in _SIGNS.items()}
_UPPER = {ord("a") + i: ord("A") + i for i in range(26)}
_FOLD_UPPER = {k: _UPPER.get(v, v) for k, v in _FOLD.items()} | _UPPER

# A long-vowel mark is typed for a minus when the input method is left in kana: `2D6ー1`.
LONG_VOWEL = "ー"


def fold(text: str) -> str:
    """Half-width letters and signs, upper case; same length as `text`."""
    return text.translate(_FOLD_UPPER)


def fold_keeping_case(text: str) -> str:
    """Half-width letters and signs, case as typed; same length as `text`."""
    return text.translate(_FOLD)


def same_reading(typed: str, read_as: str) -> bool:
    """Whether a person would say that `read_as` is exactly what they typed (letter case aside)."""
    return typed.strip().translate(_UPPER) == read_as.translate(_UPPER)
