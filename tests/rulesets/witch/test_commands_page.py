"""The page of commands in `docs/` is what the game says of itself now."""

from __future__ import annotations

from pathlib import Path

from rulesets import services
from rulesets.engine.command_page import commands_page

PAGE = Path(__file__).parents[3] / "docs" / "commands" / "witch.md"


def test_the_page_of_commands_is_current() -> None:
    """Write it again: `python manage.py script --commands witch --markdown > docs/commands/witch.md`."""
    written = commands_page(services.get("witch").names, "witch", services.commands("witch"))
    assert PAGE.read_text(encoding="utf-8") == written
