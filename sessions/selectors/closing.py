"""What closing a session would write back to the sheets, and whose word is still missing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from characters.models import Character
from rulesets.engine.play import CarriedOver
from rulesets.engine.text import Text
from sessions.models import CarryDecision, CastMember, GameSession
from sessions.selectors.access import SessionAccess
from sessions.selectors.state import Standing, StateLost


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one character would take home. `accepted`: the word given on exactly this, None while it is missing."""

    member: CastMember
    carried: CarriedOver
    digest: str
    accepted: bool | None
    by: str = ""

    @property
    def owner_id(self) -> int:
        """The seat whose word it needs (or the GM's on its behalf)."""
        return self.member.character.owner_id

    @property
    def needs_word(self) -> bool:
        """Whether a player has to say something: NPCs are the GMs' and follow by themselves."""
        return self.member.character.kind == Character.Kind.PC and self.accepted is None


def proposals(session: GameSession, standing: Standing) -> list[Proposal]:
    """Every character on which the rules carry something back, in the order of the cast. Raises StateLost."""
    try:
        carried = {item.actor: item for item in standing.game.close(standing.state)}
    except Exception as error:
        raise StateLost("the game cannot say what is carried back") from error
    decisions = {row.member_id: row for row in CarryDecision.objects.select_related("by").filter(session=session)}
    rows = CastMember.objects.select_related("character__owner").filter(session=session)
    return [_proposal(row, carried[row.actor], decisions.get(row.pk)) for row in rows if row.actor in carried]


def _proposal(member: CastMember, carried: CarriedOver, decision: CarryDecision | None) -> Proposal:
    seen = digest(carried)
    given = decision is not None and decision.digest == seen
    accepted = decision.accepted if decision is not None and given else None
    return Proposal(member, carried, seen, accepted, decision.by.name if decision is not None and given else "")


def visible_proposals(access: SessionAccess, found: list[Proposal]) -> list[Proposal]:
    """Those this person may look at: GMs all, players their own characters'."""
    return [item for item in found if access.is_gm or item.owner_id == access.seat.pk]


def changes_json(carried: CarriedOver) -> list[dict[str, Any]]:
    """The changes as a sheet's history keeps them; words in both languages, values too where they are words."""
    return [
        {
            "key": change.key,
            "label": _stored(change.label),
            "before": change.before if change.words is None else _stored(change.words[0]),
            "after": change.after if change.words is None else _stored(change.words[1]),
            "reason": _stored(change.reason.text),
            "rule": change.reason.rule,
        }
        for change in carried.changes
    ]


def _stored(words: Text) -> dict[str, str]:
    return {"ja": words.ja, "en": words.en}


def digest(carried: CarriedOver) -> str:
    """Names what was proposed, so that a word given on it counts for nothing else."""
    body = json.dumps([changes_json(carried), carried.play], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
