"""What a finished scenario writes back to a sheet, and what the next one begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from characters.actions.events import tell
from characters.models import Character, PlayResult, Seat
from live.topics import Write


def write_play_result(
    w: Write,
    character: Character,
    *,
    source: str,
    number: int,
    title: str,
    changes: Sequence[Mapping[str, Any]],
    play: Mapping[str, Any],
    accepted_by: Seat | None,
) -> PlayResult:
    """Add a row to the character's history inside the campaign's write; once for each `source`.

    The build is not touched: what play leaves behind (wounds, money …) is no choice of the player.
    """
    result, made = PlayResult.objects.get_or_create(
        character=character,
        source=source,
        defaults={
            "number": number,
            "title": title,
            "changes": list(changes),
            "play": dict(play),
            "accepted_by": accepted_by,
        },
    )
    if made:
        tell(w, "character.played", character, {"number": number, "title": title})
    return result


def carried_play(character: Character) -> dict[str, Any]:
    """What the last scenario left, as `start` of a game takes it; {} for a fresh character."""
    newest = PlayResult.objects.filter(character=character).first()
    return dict(newest.play) if newest is not None else {}
