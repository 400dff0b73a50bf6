"""Rows of the log that the game tells: rolls with their dice and reasons, lines for the rest, headings for rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo.duel import roll
from sessions.present.edo.stage import Stage
from sessions.present.rows import both
from sessions.selectors.log import Entry
from sessions.selectors.table import TableView

# Told by a panel or by the row that follows; the fact itself is no news.
QUIET = frozenset({"asked", "exchange.ended", "turn", "request.progress", "roll.settled", "scene", "evening"})
HEADINGS = frozenset({"fight", "fight.ended", "round", "scenario"})
_QUIET_ANSWERS = frozenset({"none", "accept", "parry", "dodge", "resist", "roll"})


def entry(row: Entry, view: TableView) -> Piece | None:
    """The piece of a row; None for facts that are told elsewhere."""
    data = row.data
    if row.kind in QUIET or (
        row.kind == "answered" and data.get("answer") in _QUIET_ANSWERS and not data.get("outcome")
    ):
        return None
    text = both(data.get("text"), view.lang)
    if not text:
        return None
    if row.kind in HEADINGS:
        return Piece("sessions/entries/scene.html", {"title": text})
    stage = Stage(view)
    outcome = data.get("outcome")
    facts: dict[str, Any] = {
        "who": stage_name(stage, data.get("actor")) or row.by,
        "target": stage_name(stage, data.get("target")),
        "text": text,
        "note": note if (note := str(data.get("note") or "")) and note not in text else "",
        "what": "",
        "secret": _secret(row),
        "changes": list(_changes(stage, outcome)) if outcome else [],
        "why": _why(stage, outcome) if outcome else None,
        "roll": None,
    }
    if outcome and (outcome["dice"] or outcome["total"] is not None):
        facts["roll"] = made = roll(stage, outcome, told=bool(data.get("told")))
        facts["what"] = "" if made["short"] else made["title"]
        return Piece("edo/session/entry_roll.html", facts)
    return Piece("edo/session/entry_line.html", facts)


def line(row: Entry, view: TableView) -> str:
    """The row as plain text: what happened, the dice, the total."""
    text = both(row.data.get("text"), view.lang)
    outcome = row.data.get("outcome")
    if row.kind in QUIET or not text:
        return ""
    if not outcome or not outcome["dice"]:
        return text
    faces = ",".join(str(die["face"]) for die in outcome["dice"])
    total = "" if outcome["total"] is None else f" → {outcome['total']}"
    degree = both(outcome["degree_label"], view.lang) if outcome["degree_label"] else ""
    return f"{text} [{faces}]{total} {degree}".rstrip()


def stage_name(stage: Stage, actor: Any) -> str:
    """The name as the viewer knows it now; "" for nobody."""
    return stage.name(str(actor)) if actor and str(actor) in {**stage.actors, **stage.groups} else ""


def _secret(row: Entry) -> str:
    """Who reads a roll that is not for all, in a word of the rules: `private`, `blind`."""
    secrecy = row.data.get("secrecy")
    return str(secrecy) if secrecy in ("private", "blind") else ("gm" if row.kind in ("kp.npc", "hidden") else "")


# ---------------------------------------------------------------- changes and reasons


def _changes(stage: Stage, outcome: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for part in outcome["parts"]:
        yield from _changes(stage, part)
    for change in outcome["changes"]:
        yield {
            "name": stage_name(stage, change["subject"]),
            "label": _label(stage, change["key"]),
            "before": _value(stage, change["key"], change["before"]),
            "after": _value(stage, change["key"], change["after"]),
        }


def _label(stage: Stage, key: str) -> str:
    """What a change is of: 耐久点, 活劇点, 疲労 …"""
    own = {"endurance": _("耐久点"), "kp": _("活劇点"), "health": _("様子"), "weapon": _("武器"), "life": _("命の様子")}
    tail = key.rpartition(".")[2]
    return own.get(key) or stage.label(f"choice.key.{tail}") or stage.label(f"field.{tail}") or stage.label(key) or tail


def _value(stage: Stage, key: str, value: Any) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return _("はい") if value else _("いいえ")
    tail = key.rpartition(".")[2]
    for prefix in (tail, f"choice.{tail}"):
        word = stage.label(f"{prefix}.{value}")
        if word:
            return word
    return str(value)


def _why(stage: Stage, outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    """The summands and reasons of an outcome; None when there are none."""
    facts = {
        "dice": list(dict.fromkeys(stage.words(die["reason"]["text"]) for die in outcome["dice"])),
        "own": _sum(stage, outcome, "total", "damage"),
        "target": _sum(stage, outcome, "target"),
        "difficulty": outcome["target"],
        "margin": outcome["margin"],
        "notes": [stage.words(note["text"]) for note in outcome["notes"]],
        "reasons": [stage.words(change["reason"]["text"]) for change in outcome["changes"]],
        "rule": str(outcome["title"]["rule"]).removeprefix("§"),
    }
    told = facts["own"] or facts["target"] or facts["notes"] or facts["reasons"] or facts["dice"]
    return facts if told else None


def _sum(stage: Stage, outcome: Mapping[str, Any], *to: str) -> list[dict[str, Any]]:
    return [
        {
            "label": stage.words(part["reason"]["text"]),
            "value": part["value"],
            "guess": part["reason"]["inferred"],
            "rule": str(part["reason"]["rule"]).removeprefix("§"),
        }
        for part in outcome["modifiers"]
        if part["to"] in to and part["value"]
    ]
