"""Puts a table on a running site's database.

`manage.py shell -c "from tests.e2e import evening_seed; evening_seed.build()"`
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore

from tests.factories import Table, UserFactory
from tests.sessions.pages import edo

LURKER = "影法師の弥七"  # never steps out


def build() -> None:
    """Print the session's address and topic, and everybody's cookie by name; `stranger` has no seat here."""
    own_names()
    here = edo.planned()
    edo.npc(here.table, "N12", LURKER)
    address = f"/c/{here.table.campaign.slug}/sessions/{here.session.number}/"
    tell(here.table, address=address, topic=here.session.topic, hero=here.people["hero"].slug)


def own_names() -> None:
    """Number new people after those there are: one site serves several files, each seed is its own process."""
    UserFactory.reset_sequence(get_user_model().objects.count(), force=True)


def tell(table: Table, **facts: str) -> None:
    """Print facts about a table on one line, with the cookie of everybody there and of a stranger."""
    users = {**table.users, "stranger": UserFactory()}
    cookies = {"cookie": settings.SESSION_COOKIE_NAME, "sessions": {who: _signed_in(users[who]) for who in users}}
    print("SEED" + json.dumps(facts | cookies))


def _signed_in(user: Any) -> str:
    """The key of a session in which somebody is signed in."""
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.save()
    return str(store.session_key)
