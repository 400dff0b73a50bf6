"""The page of the table's commands in `docs/` is what the game says of itself now."""

from __future__ import annotations

from pathlib import Path

from rulesets import services
from rulesets.engine.command_page import commands_page
from tests.rulesets import unlisted

PAGE = Path(__file__).parents[4] / "docs" / "commands" / "alice.md"


def test_the_page_of_commands_is_current() -> None:
    """Write it again: `python manage.py script --commands alice --markdown > docs/commands/alice.md`."""
    with unlisted.listed():
        written = commands_page(services.get("alice").names, "alice", services.commands("alice"))
    assert PAGE.read_text(encoding="utf-8") == written
