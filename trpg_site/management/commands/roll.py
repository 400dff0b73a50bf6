"""`manage.py roll SYSTEM "COMMAND"`: one chat line from the command line (DESIGN §7). Needs no database."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

from rulesets import services
from rulesets.engine.dice import DiceSource, FacesLeft, FacesMissing, ScriptedDice, SystemDice, WrongFace
from rulesets.engine.text import Text

NO_COMMAND = 2
WRONG_FACES = 1
WRONG = {
    FacesLeft: Text("出目が余っています。", "There are faces left over."),
    FacesMissing: Text("出目が足りません。", "There are not enough faces."),
    WrongFace: Text("そのダイスにない出目です。", "A face does not exist on its die."),
}
UNREADABLE = Text("出目は 6,6,4 のように書きます。", "Write faces like 6,6,4.")


class Command(BaseCommand):
    help = "Roll a chat command. SYSTEM is a slug (edo) or a BCDice id (DiceBot); ? before the command shows the odds."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", metavar="SYSTEM")
        parser.add_argument("command", metavar="COMMAND")
        parser.add_argument("--faces", help="the faces to use, in rolling order: 6,6,4")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--lang", choices=["ja", "en"], default="ja", help="language of text and messages")

    def run_from_argv(self, argv: list[str]) -> None:
        # A command such as -1D6+7 is no option: a blank before it says so to the parser and to nobody else.
        if len(argv) > 3 and argv[3][:1] == "-" and argv[3][1:2] not in ("-", "h", "v") and not argv[2].startswith("-"):
            argv = [*argv[:3], f" {argv[3]}", *argv[4:]]
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        system, line, lang = options["system"], options["command"].strip(), options["lang"]
        dice = self._dice(options["faces"], lang)
        try:
            result = services.roll(system, line, dice)
            if isinstance(dice, ScriptedDice):
                dice.finish()
        except services.RollRefused as refused:
            if options["json"]:
                self._print(self._refusal(system, line, refused))
            self._stop(refused.sentence(lang), NO_COMMAND)
        except (FacesLeft, FacesMissing, WrongFace) as error:
            self._stop(f"{WRONG[type(error)].pick(lang)} (--faces: {error})", WRONG_FACES)
        if options["json"]:
            self._print(result.as_json(lang))
            return
        self.stdout.write(result.text.pick(lang))
        for notice in result.notices:
            self.stdout.write(f"※ {notice.text.pick(lang)}")

    def _dice(self, given: str | None, lang: str) -> DiceSource:
        if given is None:
            return SystemDice()
        parts = [part.strip() for part in given.split(",")] if given.strip() else []
        if not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in parts):
            self._stop(f"{UNREADABLE.pick(lang)} (--faces {given})", WRONG_FACES)
        return ScriptedDice([int(part) for part in parts])

    def _refusal(self, system: str, line: str, refused: services.RollRefused) -> dict[str, Any]:
        return {
            "system": system,
            "command": line,
            "refused": {
                "code": refused.code,
                "ja": refused.message.ja,
                "en": refused.message.en,
                "suggestions": list(refused.suggestions),
            },
        }

    def _print(self, data: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))

    def _stop(self, sentence: str, code: int) -> NoReturn:
        self.stderr.write(" ".join(sentence.split()))
        sys.exit(code)
