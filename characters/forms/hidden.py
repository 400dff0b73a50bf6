"""Parts of a form that our own pages wrote (ids, counts, JSON) and that anybody may have tampered with."""

from __future__ import annotations

import json
from typing import Any

from characters.document_reader import cleaned

MAX_DIGITS = 9  # of ids and counts; more digits are none of ours, and thousands of them no int at all
MAX_JSON = 200_000


def whole_number(text: str) -> int | None:
    """The number in `12`; None for everything that is not a few plain digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None


def hidden_json(text: str) -> Any:
    """The value of a hidden field, its texts made storable. Raises ValueError when it is too long, deep or no JSON."""
    if len(text) > MAX_JSON:
        raise ValueError("too long")
    try:
        return cleaned(json.loads(text))[0]
    except RecursionError:
        raise ValueError("too deep") from None
