"""`manage.py bench`: how fast events reach many viewers, as ratios to a bare server measured in the same run."""

from __future__ import annotations

import json
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Measure the live table against a bare server (docs/benchmark.md)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("groups", nargs="*", help="memory, fanout, audiences; all when none is named")
        parser.add_argument("--quick", action="store_true", help="fewer events and rounds")
        parser.add_argument("--check-only", action="store_true", help="ten viewers: only whether everything is counted")
        parser.add_argument("--json", metavar="FILE", help="write the lines as JSON too")

    def handle(self, *args: Any, **options: Any) -> None:
        # Kept with the tests: no installation needs it to run.
        from tests.load import groups, harness, report, sides

        names = tuple(options["groups"]) or tuple(groups.GROUPS)
        if unknown := [name for name in names if name not in groups.GROUPS]:
            raise CommandError(f"no such group: {', '.join(unknown)} (there are {', '.join(groups.GROUPS)})")
        plan = groups.CHECK if options["check_only"] else groups.QUICK if options["quick"] else groups.FULL
        lines: list[report.Line] = []
        with tempfile.TemporaryDirectory(prefix="bench") as folder:
            here = Path(folder)
            self.stdout.write(report.HEAD)
            try:
                with sides.both(here, plan.people) as (site, bare):
                    for line in groups.run(names, plan, site, bare):
                        lines.append(line)
                        self.stdout.write(report.row(line, counted=plan is groups.CHECK))
                        self.stdout.flush()
            except harness.Invalid as why:
                raise CommandError(f"nothing could be measured: {why}", returncode=2) from why
            said = report.calibration(here, harness.cores() is not None)
        self.stdout.write(said)
        if options["json"]:
            facts = {"calibration": said, "lines": [line.as_json() for line in lines]}
            Path(options["json"]).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if any(line.invalid for line in lines):
            raise CommandError("a side counted wrong", returncode=2)
