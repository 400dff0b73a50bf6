"""`manage.py rebuild_rows`: rows from revisions and pool sums from characters, in case anything ever differs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from characters.actions.maintenance import find_drift


class Command(BaseCommand):
    help = "Compare sheet rows with revisions and pool sums with characters, and put right what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only report; exit 1 when something differs")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        count = 0
        for drift in find_drift(repair=not check):
            count += 1
            self.stdout.write(f"{drift.campaign} {drift.what}: {drift.stored!r} -> {drift.expected!r}")
        if check and count:
            raise CommandError(f"{count} differ")
        self.stdout.write(f"{count} {'differ' if check else 'put right'}")
