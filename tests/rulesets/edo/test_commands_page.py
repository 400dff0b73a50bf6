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


def test_every_command_says_who_when_and_what() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for command in services.commands("edo"):
        section = page.split(f"\n## {command['name']}\n")[1].split("\n## ")[0]
        assert "- だれが / who: GM" in section
        assert f"- いつ / when: {command['when']['ja']} / {command['when']['en']}\n" in section
        for field in command["fields"]:
            assert f"\n| `{field['name']}` | " in section
        codes = [refusal["code"] for refusal in command["refusals"]]
        assert f"- 断り / refusals: {', '.join(codes)}\n" in section
        for refusal in command["refusals"]:
            assert f"| {refusal['code']} | {refusal['message']['ja']}" in page


def test_only_players_are_told_what_players_may_take_back() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for command in services.commands("edo"):
        section = page.split(f"\n## {command['name']}\n")[1].split("\n## ")[0]
        told = "a player may take it back" in section
        assert told == (command["retractable"] and "player" in command["roles"]), command["name"]
