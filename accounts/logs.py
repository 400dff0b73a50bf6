"""Nothing secret reaches a log: addresses that are keys are masked on the way out."""

from __future__ import annotations

import logging
import re
from typing import Any

# Invitations, seat links, reset links, shared sheets: whoever has the address has the right.
# Also inside a query (`?next=/i/…`), where the slash may be written %2F.
_SECRET_PATH = re.compile(r"((?:/|%2F)(?:i|seat|reset|s)(?:/|%2F))[^/\s\"'<>?#&%]+", re.IGNORECASE)


def mask_tokens(text: str) -> str:
    """`text` with the token in every `/i/…`, `/seat/…`, `/reset/…`, `/s/…` replaced."""
    return _SECRET_PATH.sub(r"\1***", text)


class MaskTokens(logging.Filter):
    """Masks message and arguments in place, so that handlers set up by others get them masked too."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, str):
            record.msg = mask_tokens(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_masked(arg) for arg in record.args)
        elif isinstance(record.args, dict):
            record.args = {key: _masked(value) for key, value in record.args.items()}
        return True


class MaskingFormatter(logging.Formatter):
    """Masks the finished line too: a traceback may quote the address."""

    def format(self, record: logging.LogRecord) -> str:
        return mask_tokens(super().format(record))


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask_tokens(value)
    if isinstance(value, int | float | None):
        return value
    text = str(value)
    masked = mask_tokens(text)
    return masked if masked != text else value
