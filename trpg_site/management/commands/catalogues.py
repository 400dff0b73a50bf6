"""Compile the message catalogues with Babel, so that no gettext tools are needed on the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


def compile_catalogues(folder: Path) -> int:
    """Compile every `django.po` below `folder` that is newer than its `.mo`. Returns how many were written."""
    written = 0
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as text:
            catalogue = read_po(text)
        with target.open("wb") as binary:
            write_mo(binary, catalogue)
        written += 1
    return written


class Command(BaseCommand):
    help = "Compile the message catalogues (locale/*/LC_MESSAGES/*.po)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        count = sum(compile_catalogues(Path(folder)) for folder in settings.LOCALE_PATHS)
        if options["verbosity"] > 1:
            self.stdout.write(f"{count} catalogues compiled")
