"""The page of the draft's commands in `docs/` is what the draft says of itself now."""

from __future__ import annotations

from pathlib import Path

from rulesets import services
from rulesets.engine.command_page import commands_page
from tests.rulesets import unlisted

PAGE = Path(__file__).parents[3] / "docs" / "commands" / "alice-draft.md"


def test_the_page_of_commands_is_current() -> None:
    """Write it again: `python manage.py script --commands alice.draft --markdown > docs/commands/alice-draft.md`."""
    with unlisted.listed():
        written = commands_page(services.get("alice").names, "alice.draft", services.commands("alice.draft"))
    assert PAGE.read_text(encoding="utf-8") == written
