"""Puts a campaign of アリス on a running site's database: five people, no characters, a wolf.

`manage.py shell -c "from tests.e2e import alice_seed; alice_seed.build()"`
"""

from __future__ import annotations

from rulesets import services
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
