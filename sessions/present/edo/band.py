"""The rail: whose turn it is, who comes next, who is waited for; the story's time."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo.stage import Row, Stage


def rail(stage: Stage) -> Piece:
    fight = stage.fight
    own = {name for row in stage.mine for name in (row["id"], row["group"])} if stage.view.is_open else set()
    facts = {
        "meta": meta(stage),
        "fight": fight is not None,
        "entries": [_entry(stage, entry) for entry in fight["order"]] if fight else [],
        "mine": bool(stage.turn) and stage.turn in own,
        "waiting": bool(stage.asked),
    }
    return Piece("edo/session/rail.html", facts, "band")


def meta(stage: Stage) -> str:
    """「第2ラウンド（約3秒）・2日目 暮れ六ツ」."""
    clock = stage.part("clock") or {"day": 1, "hour": 8}
    time = _("%(day)s日目 %(bell)s") % {"day": clock["day"], "bell": stage.bell(clock["hour"])}
    if not stage.fight:
        return time
    return _("第%(n)sラウンド（約3秒）・%(time)s") % {"n": stage.fight["round"], "time": time}


def _entry(stage: Stage, entry: Row) -> dict[str, Any]:
    members = {entry["entry"], *(row["id"] for row in stage.groups.get(entry["entry"], ()))}
    sub = [stage.words(entry["role"]["label"])]
    if entry["kind"] == "npc":
        sub.append("NPC")
    if "gi" in entry:
        sub.append(_("技%(n)s") % {"n": entry["gi"]})
    return {
        "entry": entry["entry"],
        "name": entry["name"],
        "count": entry["count"] if entry["entry"] in stage.groups else 0,
        "sub": _("・").join(sub),
        "state": entry["state"],
        "asked": stage.asked in members,
        "acts": entry["acts"],
        "place": "own" if any(row["id"] == entry["entry"] for row in stage.mine) else f"tile-{entry['entry']}",
    }
