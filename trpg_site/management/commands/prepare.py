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


def database_exists() -> bool:
    """Whether the SQLite file is there; a server's database always counts as there."""
    database = settings.DATABASES["default"]
    return "sqlite" not in database["ENGINE"] or Path(database["NAME"]).exists()


class Command(BaseCommand):
    help = "Set up the database, message catalogues, static files and the demo campaigns."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo campaigns")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        self.fresh = False
        self.stamps_file: Path = settings.VAR_DIR / "prepared.json"
        self.stamps: dict[str, str] = json.loads(self.stamps_file.read_text()) if self.stamps_file.exists() else {}
        self.step("catalogues", BASE.glob("locale/*/LC_MESSAGES/*.po"), lambda: call_command("catalogues"))
        self.step("database", BASE.glob("*/migrations/*.py"), self.migrate, there=database_exists)
        self.step("static files", BASE.glob("static/**/*"), self.collect, there=settings.STATIC_ROOT.exists)
        if not options["no_demo"]:
            # Only into a new database: a group that deleted the demo does not want it back after an upgrade.
            self.step("demo campaigns", [], lambda: call_command("demo", verbosity=0), there=lambda: not self.fresh)

    def step(
        self, name: str, made_from: Iterable[Path], work: Callable[[], object], there: Callable[[], bool] = lambda: True
    ) -> None:
        wanted = fingerprint([f for f in made_from if f.is_file()], str(settings.DATABASES["default"]["NAME"]))
        if self.stamps.get(name) == wanted and there():
            return
        self.stdout.write(f"[prepare] {name}")
        self.stdout.flush()
        work()
        self.stamps[name] = wanted
        self.stamps_file.write_text(json.dumps(self.stamps, indent=1))

    def migrate(self) -> None:
        self.fresh = not database_exists()
        call_command("migrate", verbosity=0, interactive=False)

    def collect(self) -> None:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
