"""The events of a topic `campaign:<pk>` and what their data holds.

Seats are `{"seat": pk, "name": str}`, characters carry `_who(character)`. Everything a panel draws is read from the
database; the data are facts for the log and for deciding which panels changed. Audiences: membership and pool go to
`all`, invitations to `gm`, a character's events to whoever may see it (`writing.audience_of`).

| kind | data beside the common part |
|---|---|
| `campaign.made`, `campaign.edited` | name, system / changed: [field names] |
| `member.joined`, `member.removed` | seat, name, role / by, left: bool |
| `member.renamed`, `member.role` | seat, name, before / seat, name, role, before |
| `invite.made`, `invite.revoked` | invitation, role, uses, expires |
| `rules.set` | changed: [house rule keys] |
| `pool.set` | total, before, cause: `gm`, `players`, `rules`; override, players |
| `pool.reserve` | reserve, before |
| `pool.allocated` | seat, name, points (now), before, by |
| `pool.claimed`, `pool.released` | seat, name, points (moved), allocation (now) |
| `pool.wished` | seat, name, wish, note |
| `pool.offered`, `pool.offer_withdrawn` | offer, giver, receiver, points, note |
| `pool.offer_answered` | offer, giver, receiver, points, taken: bool |
| `pool.agreed` | seat, name, agreed, all: bool |
| `pool.spent` | seat, name, spent (of that seat's PCs), pool_spent: public even for hidden characters |
| `character.made` | kind, count |
| `character.draft` | spent, errors, open (when one of them, name or state changed; or nothing saved yet) |
| `character.revised` | number, spent, override_reason |
| `character.asked`, `character.cleared`, `character.returned` | number |
| `character.remark`, `character.confirmed` | remark, field, settled: bool / field, confirmed: bool; owner, GMs |
| `character.note` | character, note (only pks; to whoever may read the note) |
| `character.shared` | visibility; for those who lose sight of it only character, hidden: true |
| `character.count`, `character.deleted`, `character.restored`, `character.transferred` | count / – / – / seat, name |
| `character.rolled` | step, faces, told, draw |
| `character.played` | number, title (of the scenario that ended) |
| `character.flagged` | codes: [] when it is fine again |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from characters.actions.writing import ALL, audience_of
from characters.models import Character, Seat
from live.models import Event
from live.topics import Write


def who(seat: Seat) -> dict[str, Any]:
    return {"seat": seat.pk, "name": seat.name}


def which(character: Character) -> dict[str, Any]:
    return {
        "character": character.pk,
        "slug": character.slug,
        "shown": character.name,
        "kind": character.kind,
        "seat": character.owner_id,
    }


def tell(
    w: Write, kind: str, character: Character, data: dict[str, Any], audience: Sequence[str] | None = None
) -> Event:
    """Append an event about a character for those who may see it (or a narrower audience)."""
    return w.append(kind, which(character) | data, audience or audience_of(character))


def tell_all(w: Write, kind: str, data: dict[str, Any]) -> Event:
    return w.append(kind, data, ALL)
