"""The demo's evening in mid-fight with many people who look on.

`python -m tests.load.seed SPECTATORS` fills an empty database and prints what a client needs, as JSON.
"""

from __future__ import annotations

import json
import secrets
import sys
import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

ROLLER, ROLLS, DOES = "海斗", "玄庵", "chikaku"


@dataclass(frozen=True, slots=True)
class Seeded:
    """`cookies` by nickname, `onlookers` those of the spectators; `actor` is `ROLLS`, played by `ROLLER`."""

    address: str
    topic: str
    seq: int
    actor: str
    cookies: dict[str, str]
    onlookers: list[str]


def build(spectators: int) -> Seeded:
    """Put the demo's campaign of 江戸 into the migrated default database; gives its open session."""
    from characters.demo import edo, people
    from live.topics import current_seq
    from sessions.demo import edo as evenings
    from sessions.models import CastMember, GameSession

    campaign = edo.build({**people.accounts(people.PASSWORD), people.GUEST: people.guest()})
    members = {seat.name: seat.user for seat in campaign.seats.select_related("user")}
    evenings.build(campaign, members)
    session = GameSession.objects.get(campaign=campaign, state=GameSession.State.OPEN)
    onlookers = _onlookers(campaign, spectators)
    return Seeded(
        address=f"/c/{campaign.slug}/sessions/{session.number}/",
        topic=session.topic,
        seq=current_seq(session.topic),
        actor=CastMember.objects.get(session=session, name__contains=ROLLS).actor,
        cookies=dict(zip(members, signed_in(list(members.values())), strict=True)),
        onlookers=signed_in(onlookers),
    )


def _onlookers(campaign: Any, count: int) -> list[Any]:
    from accounts.models import User
    from characters.models import Role, Seat

    names = [f"onlooker{n}" for n in range(count)]
    users = User.objects.bulk_create([User(username=name, nickname=name, password="!") for name in names])
    seats = [Seat(campaign=campaign, user=user, name=user.nickname, role=Role.SPECTATOR) for user in users]
    Seat.objects.bulk_create(seats)
    return users


def signed_in(users: list[Any]) -> list[str]:
    """A session cookie for each of these users."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from accounts.middleware import WEEK

    ends = timezone.now() + timedelta(days=30)
    rows = []
    for user in users:
        store = SessionStore()
        facts = {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: user.get_session_auth_hash(),
            "week": int(time.time() // WEEK),
        }
        key = secrets.token_hex(16)
        rows.append(Session(session_key=key, session_data=store.encode(facts), expire_date=ends))
    Session.objects.bulk_create(rows)
    return [f"{settings.SESSION_COOKIE_NAME}={row.session_key}" for row in rows]


if __name__ == "__main__":
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    sys.stdout.write("SEED" + json.dumps(asdict(build(int(sys.argv[1])))))
