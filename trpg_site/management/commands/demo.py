"""`manage.py demo`: load the demo campaigns and say how to sign in. A second run changes nothing."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.actions.links import make_seat_link
from accounts.models import User
from characters.demo import alice, edo, people
from sessions.demo import alice as alice_evenings
from sessions.demo import edo as edo_evenings

WELCOME = "welcome.txt"


class Command(BaseCommand):
    help = "Load the demo campaigns (once) and print how to sign in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--force", action="store_true", help="also under production settings")

    def handle(self, *args: Any, force: bool = False, **options: Any) -> None:
        production = str(settings.SETTINGS_MODULE).endswith(".prod")
        if production and not force:
            raise CommandError("the demo makes accounts; use --force to load it under production settings")
        password = secrets.token_urlsafe(12) if production else people.PASSWORD
        members = people.accounts(password)
        campaign = edo.existing(members["雪村"])
        made = campaign is None
        if campaign is None:
            campaign = edo.build({**members, people.GUEST: people.guest()})
        edo_evenings.build(campaign, {seat.name: seat.user for seat in campaign.seats.select_related("user")})
        woods = alice.existing(members["雪村"]) or alice.build(members)
        alice_evenings.build(woods, members)
        found = "made" if made else "already there"
        lines = [f"{found}: 「{one.name}」 /c/{one.slug}/" for one in (campaign, woods)]
        for login in people.LOGINS:
            # Fresh passwords need no slow check; older ones may have been changed since.
            known = made or members[login.nickname].check_password(password)
            shown = password if known else "(changed)"
            lines.append(f"  {login.nickname} ({login.role}): {login.username} / {shown}")
        guest = User.objects.filter(seats__campaign=campaign, nickname=people.GUEST, is_guest=True).first()
        if not production:  # `serve --welcome` repeats it at every start
            settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
            (settings.VAR_DIR / WELCOME).write_text("\n".join(["見本の卓 / demo", *lines[2:], ""]), encoding="utf-8")
        if made and guest is not None:
            lines.append(f"  {people.GUEST} (guest): /seat/{make_seat_link(guest, by=None)}/ (once, 7 days)")
        if options.get("verbosity", 1):
            self.stdout.write("\n".join(lines))
