"""The operator's way to let somebody back in."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from accounts.actions import links
from accounts.models import User


class Command(BaseCommand):
    help = "Make a one-time link: a new password for an account, or a guest's seats again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", help="user name, or the number of the user (for guests)")
        parser.add_argument("--site", default="http://localhost:8000", help="address of the site, for the whole link")

    def handle(self, *args: Any, **options: Any) -> None:
        user = self.find(options["user"])
        if user.is_guest:
            path = reverse("seat_link_open", args=[links.make_seat_link(user, by=None)])
        else:
            path = reverse("reset_open", args=[links.make_reset_link(user, by=None)])
        days = links.LIVES[links.SEAT if user.is_guest else links.RESET].days
        self.stderr.write(f"{user.shown_name}: works once, for {days} days")
        self.stdout.write(options["site"].rstrip("/") + path)

    def find(self, name: str) -> User:
        user = User.objects.filter(username__iexact=name).first()
        if user is None and name.isdigit() and len(name) < 19:
            user = User.objects.filter(pk=int(name)).first()
        if user is None:
            raise CommandError(f"There is no user {name!r}.")
        return user
