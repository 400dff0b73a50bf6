"""`manage.py script FILE.json`: play a whole scripted session (DESIGN §7). Needs no server and no database.

The format of the file is told in `rulesets.engine.script`. Exit 0: played to the end (refused commands are part of the
result); 1: faces are missing or left over; 2: no script, or one that cannot be read. With `--json`:

    {"events": [{"n", "kind", "data", "audience", "schema"}], "state": {…},
     "views": {"gm": {"state", "events"}, "<player>": …, "spectator": …},
     "refused": [{"n", "actor", "command", "code", "message": {"ja", "en"}, "overridable", "rule"}]}

`script --commands SYSTEM` lists what can be commanded: as JSON with `--json`, as the page of `docs/commands/` with
`--markdown`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from characters.document_reader import Unreadable, read_json
from rulesets import services
from rulesets.engine.command_page import commands_page

PLAYED, WRONG_FACES, UNREADABLE = 0, 1, 2


class Command(BaseCommand):
    help = "Play a scripted session, or list the commands of a game. Exit 0 played, 1 wrong faces, 2 unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", metavar="FILE.json", nargs="?", help="a script, or - for standard input")
        what.add_argument("--commands", metavar="SYSTEM", help="list every command of a game instead")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--markdown", action="store_true", help="print the commands as a Markdown page")
        parser.add_argument("--lang", choices=["ja", "en"], default="ja", help="language of the messages")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["lang"]):
            if options["commands"]:
                self._list(options)
            else:
                self._play(options)

    # ------------------------------------------------------------ a session

    def _play(self, options: dict[str, Any]) -> None:
        lang = options["lang"]
        try:
            played = services.script(_document(options["file"]))
        except Unreadable as error:
            self._stop(str(error), UNREADABLE)
        except services.ScriptRefused as refused:
            self._stop(refused.message.pick(lang), UNREADABLE)
        except services.WrongFaces as wrong:
            self._stop(wrong.message.pick(lang), WRONG_FACES)
        if options["json"]:
            self._print(played)
            return
        refusals = {refused["n"]: refused for refused in played["refused"]}
        events = played["views"]["gm"]["events"]
        for n in sorted({*refusals, *(event["n"] for event in events)}):
            if n in refusals:
                self.stdout.write(f"{n}. × {refusals[n]['code']} {refusals[n]['message'][lang]}")
            for event in events:
                if event["n"] == n and (text := event["data"].get("text")):
                    self.stdout.write(f"{n}. {text[lang]}")

    # ------------------------------------------------------------ the commands of a game

    def _list(self, options: dict[str, Any]) -> None:
        slug, lang = options["commands"], options["lang"]
        try:
            commands = services.commands(slug)
        except services.UnknownSystem:
            known = "、".join(system.slug for system in services.systems())
            self._stop(_("知らないゲームです（あるのは%(known)s）。") % {"known": known}, UNREADABLE)
        except services.Refusal as refusal:
            self._stop(refusal.message.pick(lang), UNREADABLE)
        if options["json"]:
            self._print({"system": slug, "commands": commands})
        elif options["markdown"]:
            self.stdout.write(commands_page(services.get(slug.partition(".")[0]).names, slug, commands), ending="")
        else:
            for shape in commands:
                fields = " ".join(f["name"] if f["required"] else f"[{f['name']}]" for f in shape["fields"])
                self.stdout.write(f"{shape['name']} {fields}".rstrip() + f"  {shape['label'][lang]}")

    def _print(self, data: Any) -> None:
        self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))

    def _stop(self, sentence: str, code: int) -> NoReturn:
        self.stderr.write(" ".join(sentence.split()))
        sys.exit(code)


def _document(name: str) -> Any:
    """The parsed file. Raises Unreadable."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        message = _("ファイルを開けません（%(why)s）。") % {"why": error.strerror or type(error).__name__}
        raise Unreadable(message, code="file") from error
    return read_json(data)
