"""The GM's side of the page: requests and answers, the story's clock, who waits behind the stage; for players what they
asked for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo import duel
from sessions.present.edo.stage import Row, Stage, mob_name, percent

CLOSED_SHOWN = 3
PRICES = (1, 2, 3)
DIFFICULTIES = (15, 18, 20)


def requests(stage: Stage) -> Piece | None:
    """Wishes that wait for the GM, requests with the answers so far, rolls still hidden."""
    open_ = stage.view.is_open
    wishes = [_wish(stage, wish) for wish in stage.part("wishes") or () if wish["who"] in stage.actors and open_]
    found = [_request(stage, request) for request in stage.part("requests") or ()]
    rolls = stage.part("rolls") or () if stage.gm and open_ else ()
    facts: dict[str, Any] = {
        "wishes": [wish for wish in wishes if wish["open"]],
        "requests": [one for one in found if one["open"]] + [one for one in found if not one["open"]][-CLOSED_SHOWN:],
        "hidden": [_hidden(stage, check) for check in rolls if check["hidden"]],
    }
    facts["count"] = len(facts["wishes"]) if stage.gm else 0
    if not any(facts.values()) and not stage.gm:
        return None
    return Piece("edo/session/requests.html", facts, "side")


def _wish(stage: Stage, wish: Row) -> dict[str, Any]:
    row = stage.actors[wish["who"]]
    roll = wish["kind"] == "roll"
    facts = {
        "id": wish["id"],
        "roll": roll,
        "who": row["name"],
        "owner": stage.owner(row),
        "text": wish["text"],
        "selfish": wish["selfish"],
        "at": wish["at"],
        "points": wish["points"],
        "status": wish["status"],
        "mine": wish["mine"] and not stage.gm,
        "open": wish["status"] == "open"
        or (wish["status"] == "priced" and not wish["mine"])
        or (wish["status"] == "priced" and stage.gm),
        "kp": row["numbers"]["kp"] if row["numbers"] else None,
        "prices": PRICES,
        "difficulties": DIFFICULTIES,
        "what": "",
        "odds": "",
    }
    if roll and row["numbers"]:
        facts |= _chances(stage, wish, row)
    return facts


def _chances(stage: Stage, wish: Row, row: Row) -> dict[str, Any]:
    skill = next((skill for skill in row["numbers"]["skills"] if skill["id"] == wish["what"]), None)
    name = stage.words(skill["name"]) if skill else stage.label(f"what.{wish['what']}") or wish["what"]
    value = skill["value"] if skill else ""
    parts = []
    for difficulty in DIFFICULTIES:
        odds = stage.view.odds("roll", {"actor": row["id"], "what": wish["what"], "difficulty": difficulty})
        if odds is not None:
            parts.append(_("%(d)sなら%(p)s%%") % {"d": difficulty, "p": percent(odds.as_json())})
    return {"what": f"{name}{value}", "odds": _("・").join(parts)}


def _request(stage: Stage, request: Row) -> dict[str, Any]:
    replies = [
        {
            "who": who,
            "name": stage.name(who),
            "result": reply["result"],
            "total": reply["total"],
            "word": _result(stage, reply),
        }
        for who, reply in request["replies"].items()
    ]
    return {
        "id": request["id"],
        "what": stage.words(request["label"]),
        "difficulty": request["difficulty"],
        "secret": stage.label(f"choice.secrecy.{request['secrecy']}") if request["secrecy"] != "open" else "",
        "text": request["text"],
        "open": request["open"] and stage.view.is_open,
        "at": request["at"],
        "replies": replies,
        "answered": sum(bool(reply["result"]) for reply in replies),
        "nudge": stage.waited_for(reply["who"] for reply in replies if not reply["result"]) if request["open"] else [],
    }


def _result(stage: Stage, reply: Row) -> str:
    words = {"": _("まだ"), "rolled": _("振った"), "excused": _("免除"), "success": _("成功"), "failure": _("失敗")}
    word = words.get(str(reply["result"]), str(reply["result"]))
    return f"{word} {reply['total']}" if reply["total"] is not None and reply["result"] != "excused" else word


def _hidden(stage: Stage, check: Row) -> dict[str, Any]:
    return {"id": check["id"], "name": stage.name(check["who"]), "roll": duel.check(stage, check)}


# ---------------------------------------------------------------- the story's time


def clock(stage: Stage) -> Piece | None:
    """Day, hour and bell; the GM lets time pass. For everybody else the band says it."""
    if not stage.gm:
        return None
    found = stage.part("clock") or {"day": 1, "hour": 8}
    hour = found["hour"]
    bells = list(stage.tables.bells.values())
    animal = bells[(hour + 18) // 2 % len(bells)].animal
    facts = {
        "day": found["day"],
        "hour": hour,
        "bell": stage.bell(hour),
        "animal": stage.words(animal),
        "hand": HANDS[hour % 24],
        "fight": bool(stage.fight or stage.exchange),
        "scenario_open": (stage.part("evening") or {}).get("scenario_open", True),
    }
    return Piece("edo/session/clock.html", facts, "side")


def _hands() -> list[tuple[str, str]]:
    """Where the hand of a 24-hour dial ends, noon on top, by hour; lengths are attributes, never styles."""
    from math import cos, pi, sin

    return [(f"{24 + 14 * sin((h - 12) * pi / 12):.1f}", f"{24 - 14 * cos((h - 12) * pi / 12):.1f}") for h in range(24)]


HANDS = _hands()


# ---------------------------------------------------------------- behind the stage


def wings(stage: Stage) -> Piece | None:
    """Who is in the cast and not on stage; the GM brings them on."""
    if not stage.gm or not stage.view.is_open:
        return None
    seen: set[str] = set()
    rows = []
    for row in stage.actors.values():
        name = row["group"] or row["id"]
        if row["on_stage"] or name in seen:
            continue
        seen.add(name)
        members = [one for one in stage.groups.get(name, ()) if not one["on_stage"]]
        rows.append(
            {
                "id": ",".join(one["id"] for one in members) if members else row["id"],
                "name": mob_name(members) if members else row["name"],
                "count": len(members),
                "sub": stage.words(row["role"]["label"]),
                "hidden": bool(row.get("hidden")),
            }
        )
    return Piece("edo/session/wings.html", {"rows": rows}, "side") if rows else None
