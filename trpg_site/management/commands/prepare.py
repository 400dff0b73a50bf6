"""Everything `run.py play` needs before it serves: database, catalogues, static files, demo campaigns.

Each step is skipped when what it is made from has not changed since the last run, so that a second start is quick.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

BASE: Path = settings.BASE_DIR


def fingerprint(files: Iterable[Path], *words: str) -> str:
    """A digest of names, sizes and times of files, and of `words`."""
    digest = hashlib.sha256("\0".join(words).encode())
    for file in sorted(files):
        stat = file.stat()
        digest.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


class Command(BaseCommand):
    help = "Set up the database, message catalogues, static files and the demo campaigns."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo campaigns")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        self.stamps_file: Path = settings.VAR_DIR / "prepared.json"
        self.stamps: dict[str, str] = json.loads(self.stamps_file.read_text()) if self.stamps_file.exists() else {}
        database = str(settings.DATABASES["default"]["NAME"])
        alive = "" if not database.endswith(".sqlite3") else str(Path(database).exists())
        self.step("catalogues", BASE.glob("locale/*/LC_MESSAGES/*.po"), lambda: call_command("catalogues"))
        self.step("database", BASE.glob("*/migrations/*.py"), self.migrate, database, alive)
        self.step("static files", BASE.glob("static/**/*"), self.collect)
        if not options["no_demo"]:
            demo = [*BASE.glob("characters/demo/**/*"), *BASE.glob("*/management/commands/demo.py")]
            self.step("demo campaigns", demo, lambda: call_command("demo", verbosity=0), database, alive)

    def step(self, name: str, made_from: Iterable[Path], work: Callable[[], object], *words: str) -> None:
        wanted = fingerprint([f for f in made_from if f.is_file()], *words)
        if self.stamps.get(name) == wanted:
            return
        self.stdout.write(f"[prepare] {name}")
        work()
        self.stamps[name] = fingerprint([], wanted) if not wanted else wanted
        self.stamps_file.write_text(json.dumps(self.stamps, indent=1))

    def migrate(self) -> None:
        call_command("migrate", verbosity=0, interactive=False)

    def collect(self) -> None:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
