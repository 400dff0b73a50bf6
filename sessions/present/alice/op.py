"""The framed panel: the open test, contest, race or attack, and what its next step asks of whom (rules/alice.md §7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.alice.stage import CLASSES, SUITS, Row, Stage, percent

_STEPS = ("declared", "suit", "class", "card")


def op(stage: Stage) -> Piece | None:
    found = stage.op
    if found is None or not stage.view.is_open:
        return None
    asked = list(found["asked"])
    facts = {
        "title": _title(stage, found),
        "question": stage.words(found["question"]),
        "since": found["since"],
        "todo": _mine(stage, found),
        "phase": found["phase"],
        "kind": found["kind"],
        "step": stage.view.step,
        "steps": list(_steps(found)),
        "difficulty": _difficulty(stage, found),
        "lays": [_lay(stage, found, row) for row in found["tries"]],
        "favourable": found["favourable"],
        "plays": [_play(stage, found, row) for row in found["options"]],
        "proposals": list(_proposals(stage, found)),
        "ruling": _ruling(stage, found) if stage.gm else None,
        "ace": _ace(stage, found),
        "damage": _damage(stage, found),
        "behalf": _behalf(stage, found) if stage.gm else [],
        "nudge": stage.waited_for(),
        "gm": stage.gm,
        "waiting": stage.names(asked),
    }
    return Piece("alice/session/op.html", facts)


def _title(stage: Stage, found: Row) -> str:
    first = found["tries"][0]
    what = stage.words(first["action_label"])
    label = stage.words(found["label"])
    return _("%(kind)s　%(what)s") % {"kind": label, "what": what} if what else label


def _mine(stage: Stage, found: Row) -> bool:
    """Whether the open step waits for this viewer."""
    asked = found["asked"]
    if "gm" in asked:
        return stage.gm
    return any(stage.actors[one]["mine"] for one in asked if one in stage.actors) and not stage.view.is_spectator


def _steps(found: Row) -> Iterator[dict[str, str]]:
    """宣言 → 能力 → 難易度 → クラス → 札 → 決着."""
    labels = {
        "declared": _("能力"),
        "suit": _("難易度"),
        "class": _("クラス"),
        "card": _("札を出す"),
    }
    phase = found["phase"]
    at = _STEPS.index(phase) if phase in _STEPS else len(_STEPS)
    yield {"label": _("宣言"), "state": "done"}
    for n, step in enumerate(_STEPS):
        yield {"label": labels[step], "state": "done" if n < at else "now" if n == at else ""}
    last = {"damage": _("ダメージ"), "ace": _("読み方"), "verdict": _("裁定")}.get(phase, _("決着"))
    yield {"label": last, "state": "now" if at == len(_STEPS) else ""}


def _difficulty(stage: Stage, found: Row) -> dict[str, Any] | None:
    """The difficulty cards, face down or turned; None for a test against somebody without any."""
    piles = stage.part("piles")
    count = piles["difficulty"]
    if not count:
        return None
    cards = piles["difficulty_cards"] or []
    return {"n": count, "cards": cards, "backs": range(count - len(cards)), "target": found["target"]}


def _lay(stage: Stage, found: Row, row: Row) -> dict[str, Any]:
    """One side of the table: ability, card, sum."""
    actor = stage.actors.get(row["who"])
    ability = _ability(actor, row["suit"])
    side = {"active": _("能動側"), "passive": _("受動側")}.get(row["side"], "")
    return {
        "who": stage.name(row["who"]),
        "side": side,
        "action": stage.words(row["action_label"]),
        "suit": row["suit"],
        "suit_name": stage.suit_name(row["suit"]) if row["suit"] else "",
        "ability": ability,
        "value": row["value"],
        "cls": stage.words(row["cls_label"]),
        "luck": row["luck"],
        "story": row["story"],
        "reason": row["reason"],
        "boosted": row["boosted"],
        "card": row["card"],
        "sealed": row["committed"] and not row["card"],
        "way": row["way"],
        "target": row["target"],
        "total": row["achievement"],
        "outcome": stage.words(row["outcome_label"]),
        "good": str(row["outcome"] or "").startswith(("success", "made")),
        "rank": row["rank"],
        "asked": row["who"] in found["asked"] and len(found["tries"]) > 1,
    }


def _ability(actor: Row | None, suit: str) -> Row | None:
    if actor is None or not suit or actor["abilities"] is None:
        return None
    return next((one for one in actor["abilities"] if one["suit"] == suit), None)


# ---------------------------------------------------------------- producing the card


def _play(stage: Stage, found: Row, row: Row) -> dict[str, Any]:
    """The fan of somebody who is asked for a card, and the other ways."""
    flip = percent(row["flip"]["odds"])
    return {
        "who": row["who"],
        "name": stage.name(row["who"]),
        "several": len(found["options"]) > 1 or stage.gm,
        "hand": [_card(stage, n, one) for n, one in enumerate(row["hand"] or [])],
        "has_hand": row["hand"] is not None,
        "cls": next((stage.words(one["cls_label"]) for one in found["tries"] if one["who"] == row["who"]), ""),
        "flip": flip,
        "luck": row["luck"],
        "boost": row["boost"]["open"],
        "race": found["kind"] == "race",
    }


def _card(stage: Stage, n: int, one: Row) -> dict[str, Any]:
    return {
        "i": n,
        "card": one["card"],
        "legal": one["legal"],
        "total": one["total"],
        "chance": one["chance"],
        "ace": one["card"][1:].partition("#")[0] == "A",
    }


def _ace(stage: Stage, found: Row) -> dict[str, Any] | None:
    """The choice of an ace's reading, for whoever turned it."""
    if found["phase"] != "ace":
        return None
    who = next((one for one in found["asked"] if one in stage.actors), "")
    row = stage.actors.get(who)
    if row is None or not (row["mine"] or stage.gm):
        return None
    value = next((one["value"] for one in found["tries"] if one["who"] == who), None)
    return {"who": who, "eleven": value + 11 if isinstance(value, int) else None}


def _behalf(stage: Stage, found: Row) -> list[dict[str, str]]:
    """PCs whose player does not answer: the GM may turn a card or give up for them."""
    if found["phase"] != "card":
        return []
    offered = {row["who"] for row in found["options"]}
    rows = (stage.actors.get(one) for one in found["asked"] if one not in offered)
    return [{"who": row["id"], "name": row["name"]} for row in rows if row is not None]


# ---------------------------------------------------------------- classes


def _proposals(stage: Stage, found: Row) -> Iterator[dict[str, Any]]:
    """What a player may say before the cards are turned: class and why, a principle they know."""
    if found["phase"] != "class":
        return
    for row in found["tries"]:
        actor = stage.actors.get(row["who"])
        if actor is None or stage.view.is_gm or not actor["mine"] or row["cls"] or actor["kind"] != "pc":
            continue
        tokens = [{"id": one["id"], "action": one["action"]} for one in stage.reasons(actor) if one["ready"]]
        yield {
            "who": row["who"],
            "name": actor["name"],
            "fixed": row["luck"],
            "wish": row["wish"],
            "wish_reason": row["wish_reason"],
            "suggested": row["suggested"],
            "classes": [(cls, stage.class_name(cls), stage.class_hint(cls)) for cls in CLASSES],
            "tokens": tokens,
            "reason": row["reason"],
        }


def _ruling(stage: Stage, found: Row) -> dict[str, Any]:
    """What the GM settles at this step."""
    phase, first = found["phase"], found["tries"][0]
    facts: dict[str, Any] = {
        "suits": [(suit, stage.suit_name(suit)) for suit in SUITS],
        "wish_suit": first["suit"],
        "difficulties": found["difficulties"],
        "classes": [(cls, stage.class_name(cls)) for cls in CLASSES],
        "favourable_open": phase == "class" and found["cards"] > 0 and not found["favourable"],
        "unsettled": [],
    }
    if phase == "class":
        facts["unsettled"] = [
            {
                "who": row["who"],
                "name": stage.name(row["who"]),
                "action": stage.words(row["action_label"]),
                "wish": row["wish"],
                "wish_label": stage.class_name(row["wish"]) if row["wish"] else "",
                "wish_reason": row["wish_reason"],
                "suggested": row["suggested"] or row["wish"],
                "known": bool(row["suggested"]),
                "fixed": row["luck"],
            }
            for row in found["tries"]
            if not row["cls"]
        ]
    return facts


# ---------------------------------------------------------------- damage


def _damage(stage: Stage, found: Row) -> dict[str, Any] | None:
    """The attacker's choice after a hit: suit by a card, by the pile, by luck, or none."""
    if found["phase"] != "damage":
        return None
    who = found["asked"][0]
    row = stage.actors.get(who)
    if row is None or not (row["mine"] or stage.gm):
        return None
    target = stage.actors.get(found["tries"][-1]["who"])
    hand = row["hand"]["cards"] if row["hand"] else None
    return {
        "who": who,
        "name": row["name"],
        "target": target["name"] if target is not None else "",
        "hand": list(hand or []),
        "suits": [(suit, stage.suit_name(suit)) for suit in SUITS],
        "luck": row["kind"] == "pc" or bool(row["abilities"]),
    }
