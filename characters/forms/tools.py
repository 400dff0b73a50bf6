"""Inputs of the reference tools, as people type them; the game's own reader judges them."""

from __future__ import annotations

from django.http import QueryDict

MAX_TEXT = 100

# What each tool reads, in the order of the page.
MONEY = ("oban", "ryo", "bu", "shu", "mon", "kanmon", "momme")
MEASURE = ("value", "unit")
CLOCK = ("date", "season", "sunrise", "sunset", "time")
TOOLS = {"money": MONEY, "measure": MEASURE, "clock": CLOCK}


def asked(query: QueryDict) -> tuple[str, dict[str, str]]:
    """The tool that was asked and its inputs; ("", {}) when none was."""
    tool = query.get("tool", "")
    if tool not in TOOLS:
        return "", {}
    return tool, {key: query.get(key, "")[:MAX_TEXT] for key in TOOLS[tool] if query.get(key, "").strip()}
