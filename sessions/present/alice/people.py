"""People and cards beside the open test: the rail, one's own hand and abilities, everybody else, what was agreed."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.alice.stage import SUITS, Row, Stage, face


def rail(stage: Stage) -> Piece:
    """Day, piles, and everybody in order; in a fight the acting order."""
    piles, clock, fight = stage.part("piles"), stage.part("clock"), stage.fight
    meta = [_("%(n)s日目") % {"n": clock["day"]}] if clock["day"] else []
    if clock["morning"]:
        meta.append(_("朝"))
    if fight:
        meta.append(_("第%(n)sラウンド") % {"n": fight["round"]})
    meta += [_("山札 %(n)s") % {"n": piles["draw"]}, _("捨て札 %(n)s") % {"n": piles["discard"]}]
    return Piece(
        "alice/session/rail.html",
        {
            "meta": _("・").join(meta),
            "entries": _fight_order(stage, fight) if fight else [_entry(stage, row) for row in stage.pcs],
        },
        "band",
    )


def _fight_order(stage: Stage, fight: Row) -> list[dict[str, Any]]:
    found = []
    for one in fight["order"]:
        row = stage.actors.get(one["id"])
        if row is not None:
            state = "now" if one["id"] == fight["now"] else "done" if one["acted"] else ""
            found.append({**_entry(stage, row), "state": state})
    return found


def _entry(stage: Stage, row: Row) -> dict[str, Any]:
    asked = stage.op["asked"] if stage.op else ()
    owner = stage.owner(row)
    sub = [row["occupation"] or ("NPC" if row["kind"] == "npc" else "")]
    if owner:
        sub.append(_("%(name)sさん") % {"name": owner})
    hand = row["hand"]
    return {
        "id": row["id"],
        "name": row["name"],
        "sub": _("・").join(word for word in sub if word),
        "hand": hand["count"] if hand else None,
        "state": "",
        "asked": row["id"] in asked,
    }


# ---------------------------------------------------------------- one's own


def hand(stage: Stage) -> Piece | None:
    """The viewer's own cards while no test asks for one; what has to be discarded or may be refreshed."""
    rows = [_hand(stage, row) for row in stage.mine if row["hand"] and row["hand"]["cards"] is not None]
    asked = {row["who"] for row in stage.op["options"]} if stage.op else set()
    rows = [row for row in rows if row["who"] not in asked or row["surplus"]]
    if not rows or stage.phase not in ("play", "ended"):
        return None
    return Piece("alice/session/hand.html", {"hands": rows, "several": len(stage.mine) > 1})


def _hand(stage: Stage, row: Row) -> dict[str, Any]:
    clock, day = stage.part("clock"), row["day"]
    may = stage.view.is_open and clock["morning"] and not day["sleepless"] and not day["refreshed"]
    return {
        "who": row["id"],
        "name": row["name"],
        "cards": [{"i": n, "card": card} for n, card in enumerate(row["hand"]["cards"])],
        "surplus": row["hand"]["surplus"] if stage.view.is_open else 0,
        "refresh": may,
        "sleepless": clock["morning"] and day["sleepless"],
        "sealed": row["sealed"],
    }


def own(stage: Stage) -> Piece | None:
    """One's own characters: abilities as they lie, why a damaged one reads as it does, principles, belongings."""
    if not stage.mine:
        return None
    slugs = {member.actor: member.character.slug for member in stage.view.facts.cast}
    people = [{**person(stage, row), "slug": slugs.get(row["id"], "")} for row in stage.mine]
    return Piece("alice/session/own.html", {"people": people})


def person(stage: Stage, row: Row) -> dict[str, Any]:
    reasons = stage.reasons(row)
    op = stage.op or {"asked": (), "tries": ()}
    return {
        "id": row["id"],
        "name": row["name"],
        "face": face(row),
        "sub": _("・").join(word for word in (row["occupation"], row["current_job"], stage.owner(row)) if word),
        "npc": row["kind"] == "npc",
        "abilities": [_ability(stage, one) for one in row["abilities"] or ()],
        "state": stage.words(row["state_label"]),
        "out": row["incapacitated"] or row["status"] != "active",
        "dead": row["status"] == "dead",
        "busy": row["busy"],
        "asked": row["id"] in op["asked"],
        "tested": any(one["who"] == row["id"] for one in op["tries"]),
        "hidden": row["hidden"],
        "on_stage": row["on_stage"],
        "shown": row["numbers_shown"],
        "hand": row["hand"]["count"] if row["hand"] else None,
        "pacts": [{"id": one["id"], "alice": one["alice"], "n": one["hand_delta"]} for one in row["pacts"]],
        "reasons": [{"id": one["id"], "action": one["action"], "ready": one["ready"]} for one in reasons],
        "belongings": row["belongings"],
        "expert": _("・").join(row["expert"]),
        "related": _("・").join(row["related"]),
        "notes": row.get("notes", ""),
        "sleepless": row["day"]["sleepless"],
        "resting": row["day"]["resting_since"] is not None,
    }


def _ability(stage: Stage, one: Row) -> dict[str, Any]:
    rank = one["rank"] or ""
    return {
        "suit": one["suit"],
        "name": stage.suit_name(one["suit"]),
        "card": one["card"] or (f"{one['suit']}{rank}" if rank not in ("0", "1", "") else ""),
        "rank": rank,
        "stage": one["stage"],
        "stage_label": stage.words(one["stage_label"]),
        "value": one["value"],
        "boost": one["boost"] if not one["boost_used"] else None,
        "used": one["boost_used"],
    }


# ---------------------------------------------------------------- the others


def others(stage: Stage) -> Piece | None:
    """Abilities of everybody else in one table: public, like the cards before them."""
    if stage.gm:
        return None
    rows = [row for row in stage.on_stage if not row["mine"] or stage.view.is_spectator]
    if not rows:
        return None
    facts = {
        "suits": [(suit, stage.suit_name(suit)) for suit in SUITS],
        "people": [person(stage, row) for row in rows],
        "may_give": bool(stage.mine) and len(stage.pcs) > 1 and stage.phase == "play" and stage.view.is_open,
        "me": stage.mine[0]["id"] if stage.mine else "",
    }
    return Piece("alice/session/others.html", facts, "side")


def registry(stage: Stage) -> Piece | None:
    """Classes that were settled in this game: they stay as they are (§7.2)."""
    rows = [
        {
            "id": one["id"],
            "trade": one["occupation"],
            "action": stage.words(one["action_label"]),
            "cls": stage.words(one["label"]),
        }
        for one in stage.part("registry") or ()
    ]
    if not rows:
        return None
    return Piece("alice/session/registry.html", {"rows": rows}, "side")


def tiles(stage: Stage) -> Piece | None:
    """Everybody at once for the GM, with the cards as they lie and what the GM does with them."""
    if not stage.gm:
        return None
    rows = sorted(stage.actors.values(), key=lambda row: (row["kind"] != "pc", not row["on_stage"]))
    return Piece("alice/session/tiles.html", {"people": [person(stage, row) for row in rows]})
