"""Rows of the log that the game tells: cards played with what they added up to, lines for the rest."""

from __future__ import annotations

from typing import Any

from sessions.present import Piece
from sessions.present.rows import both
from sessions.selectors.log import Entry
from sessions.selectors.table import TableView

# Told by a panel or by the row that follows; the fact itself is no news.
QUIET = frozenset({"asked", "turn", "drawn", "laid", "pile.laid", "scene", "evening", "stage", "sheet", "owed"})
HEADINGS = frozenset({"morning", "fight", "round", "fight.over", "game.over"})
GOOD = ("success", "made")


def entry(row: Entry, view: TableView) -> Piece | None:
    """The piece of a row; None for facts that are told elsewhere."""
    text = both(row.data.get("text"), view.lang)
    if row.kind in QUIET or not text:
        return None
    if row.kind in HEADINGS:
        return Piece("sessions/entries/scene.html", {"title": text})
    return Piece("alice/session/entry.html", {"who": row.by, "text": text, **_cards(row), **_outcome(row, view)})


def line(row: Entry, view: TableView) -> str:
    return "" if row.kind in QUIET else both(row.data.get("text"), view.lang)


def _cards(row: Entry) -> dict[str, Any]:
    """What lies open in this row: one card or several."""
    data = row.data
    found = [data["card"]] if isinstance(data.get("card"), str) and data["card"] else []
    more = data.get("cards")
    if not found and isinstance(more, list | tuple):
        found = [card for card in more if isinstance(card, str)]
    return {"cards": found[:6], "more": max(0, len(found) - 6)}


def _outcome(row: Entry, view: TableView) -> dict[str, Any]:
    """The sum of a test, in numbers, with the reasons the game gives."""
    outcome = row.data.get("outcome")
    if not isinstance(outcome, dict):
        return {"total": None, "why": [], "good": None, "secret": ""}
    parts = [
        {"label": both(part["reason"]["text"], view.lang), "value": part["value"]}
        for part in outcome.get("modifiers", ())
        if part.get("reason")
    ]
    notes = [both(note["text"], view.lang) for note in outcome.get("notes", ())]
    title = outcome.get("title") or {}
    return {
        "total": outcome.get("total"),
        "target": outcome.get("target"),
        "degree": both(outcome.get("degree_label"), view.lang) if outcome.get("degree_label") else "",
        "good": str(outcome.get("degree", "")).startswith(GOOD),
        "why": parts,
        "notes": notes,
        "rule": str(title.get("rule", "")).removeprefix("§"),
        "secret": "",
    }
