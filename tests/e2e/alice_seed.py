"""Puts a campaign of アリス on a running site's database: five people, no characters, a wolf.

`manage.py shell -c "from tests.e2e import alice_seed; alice_seed.build()"`
"""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from characters.models import Seat
from characters.selectors.access import CampaignAccess
from rulesets import services
from rulesets.alice.draft.desk import Desk
from sessions.actions.issuing import issue
from sessions.models import GameSession
from sessions.selectors.access import SessionAccess
from tests.e2e.evening_seed import own_names, tell
from tests.factories import make_table
from tests.sessions.table import ready


def build() -> None:
    """Print the campaign's address and everybody's cookie by name."""
    own_names()
    table = make_table("nagisa", "chiaki", "akari", system="alice")
    table.join("watcher", "spectator")
    wolf = next(row.fields for row in services.presets("alice", {}) if row.id == "wolf")
    ready(table, "gm", {**wolf, "name": "狼"}, kind="npc")
    tell(table, address=f"/c/{table.campaign.slug}/")


# The tops of the piles of rules/alice.md §4.8.
GOLDEN = ("S7", "SJ", "S10", "C4", "C9", "CQ", "HK", "H6", "H8", "D2", "D10", "D5")


def golden_start(slug: str) -> None:
    """Begin the open draft of a campaign as its GM, with the piles of the rules' example in place of a shuffle."""
    session = GameSession.objects.select_related("campaign").get(campaign__slug=slug, part="draft", state="open")
    seat = Seat.objects.select_related("campaign", "user").get(campaign=session.campaign, role="gm")
    with patch.object(Desk, "shuffled", _golden):
        issue(access=SessionAccess(session, CampaignAccess(session.campaign, seat)), name="start_draft", data={})


def _golden(desk: Desk, cards: Sequence[str]) -> tuple[str, ...]:
    tops = [card for card in GOLDEN if card in cards]
    return (*tops, *(card for card in cards if card not in tops))
