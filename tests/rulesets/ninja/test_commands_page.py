"""The page of commands in `docs/` is what the game says of itself now."""

from __future__ import annotations

from pathlib import Path

from rulesets import services
from rulesets.engine.command_page import commands_page
from tests.rulesets import unlisted

PAGE = Path(__file__).parents[3] / "docs" / "commands" / "ninja.md"


def test_the_page_of_commands_is_current() -> None:
    """Write it again: `python manage.py script --commands ninja --markdown > docs/commands/ninja.md`."""
    with unlisted.listed():
        written = commands_page(services.get("ninja").names, "ninja", services.commands("ninja"))
    assert PAGE.read_text(encoding="utf-8") == written
