"""Puts a table on a running site's database.

`manage.py shell -c "from tests.e2e import evening_seed; evening_seed.build()"`
"""

from __future__ import annotations

import json

from tests.e2e.steps import PASSWORD
from tests.sessions.pages import edo


def build() -> None:
    """Print the campaign's address and everybody's name to sign in with."""
    here = edo.planned()
    for user in here.table.users.values():
        user.set_password(PASSWORD)
        user.save(update_fields=["password"])
    names = {who: user.username for who, user in here.table.users.items()}
    print("SEED" + json.dumps({"campaign": here.table.campaign.slug, "names": names}))
