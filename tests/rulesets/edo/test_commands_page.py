"""The page of commands in `docs/` is what the game says of itself now."""

from __future__ import annotations

from pathlib import Path

from rulesets import services
from rulesets.engine.command_page import commands_page

PAGE = Path(__file__).parents[3] / "docs" / "commands" / "edo.md"


def test_the_page_of_commands_is_current() -> None:
    """Write it again: `python manage.py script --commands edo --markdown > docs/commands/edo.md`."""
    written = commands_page(services.get("edo").names, "edo", services.commands("edo"))
    assert PAGE.read_text(encoding="utf-8") == written


def test_every_command_says_who_and_what() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for command in services.commands("edo"):
        assert f"## {command['name']}\n" in page
        for refusal in command["refusals"]:
            assert f"| {refusal['code']} | {refusal['message']['ja']}" in page
