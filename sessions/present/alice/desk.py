"""What the GM runs the game with: dealing, mornings, fights, offered cards, the アリス of the story."""

from __future__ import annotations

from typing import Any

from sessions.present import Piece
from sessions.present.alice.stage import Row, Stage


def lead(stage: Stage) -> Piece | None:
    """The next thing to do with the game as a whole: deal, morning, fight, end (GM); what a player waits for."""
    clock, fight = stage.part("clock"), stage.fight
    if not stage.view.is_open:
        return None
    if not stage.gm and stage.phase == "play" and not clock["morning"]:
        return None
    facts = {
        "phase": stage.phase,
        "gm": stage.gm,
        "story": stage.part("scene")["story"],
        "group": stage.part("scene")["party_group"],
        "groups": [
            row.title.pick(stage.lang) for row in stage.tables.party_groups.values() if row.title.pick(stage.lang)
        ],
        "day": clock["day"],
        "morning": clock["morning"],
        "fight": fight is not None,
        "fleeing": bool(fight and fight["fleeing"]),
        "turn": stage.name(fight["now"]) if fight and fight["now"] else "",
        "open": stage.op is not None,
        "pcs": [(row["id"], row["name"]) for row in stage.pcs if row["status"] == "active"],
        "unrefreshed": [
            row["name"] for row in stage.pcs if not row["day"]["refreshed"] and not row["day"]["sleepless"]
        ],
    }
    return Piece("alice/session/lead.html", facts)


def transfers(stage: Stage) -> Piece | None:
    """Cards somebody wants to give: the GM allows or refuses; which card only giver and receiver see."""
    rows = [_transfer(stage, one) for one in stage.part("transfers") or ()]
    if not rows or not stage.view.is_open:
        return None
    return Piece("alice/session/transfers.html", {"rows": rows, "gm": stage.gm})


def _transfer(stage: Stage, one: Row) -> dict[str, Any]:
    return {
        "id": one["id"],
        "giver": stage.name(one["giver"]),
        "receiver": stage.name(one["receiver"]),
        "support": one["support"],
        "card": one["card"],
        "mine": one["mine"],
    }


def wings(stage: Stage) -> Piece | None:
    """The GM's own: the アリス and their cards, the GM's hand."""
    alices = stage.part("alices")
    if not stage.gm or alices is None:
        return None
    piles = stage.part("piles")
    facts = {
        "alices": [{"id": one["id"], "name": one["name"], "cards": one["cards"]} for one in alices],
        "hand": piles["gm_hand_cards"] or [],
        "phase": stage.phase,
    }
    return Piece("alice/session/wings.html", facts, "side")


def piles(stage: Stage) -> Piece | None:
    """The draw pile as a number, the discards with the newest on top: they lie open (§6.6)."""
    found = stage.part("piles")
    if stage.phase == "setup":
        return None
    facts = {"draw": found["draw"], "discard": found["discard"], "cards": (found["discard_cards"] or [])[-8:][::-1]}
    return Piece("alice/session/piles.html", facts, "side")
