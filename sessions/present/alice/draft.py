"""The draft of abilities as people see it: who sits where, the card on the table, who is asked, what is left.

Everything comes from the projected state; the piles are counts, never an order (rules/alice.md §4, §6.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from rulesets import services
from sessions.present import Piece, generic
from sessions.present.rows import both
from sessions.selectors.log import Entry
from sessions.selectors.table import TableView

__all__ = ["entry", "forecast", "form", "line", "panels", "places"]

SUITS = ("S", "C", "H", "D")
# Told by the row before or after; the fact itself is no news.
QUIET = frozenset({"janken.hand", "card.asked"})

form, forecast = generic.form, generic.forecast


def places() -> Mapping[str, str]:
    return {"phases": "band", "offer": "now", "setup": "now", "table": "now", "piles": "side", "record": "side"}


def panels(view: TableView) -> Mapping[str, Piece]:
    """Phases, the table with everybody's cards, what is asked of whom, piles, and the record of finished cards."""
    if not view.state:
        return {}
    stage = DraftStage(view)
    found = {
        "phases": Piece("alice/draft/phases.html", {"phases": stage.phases}),
        "table": _table(stage),
        "offer": _offer(stage),
        "setup": _setup(stage),
        "piles": _piles(stage),
        "record": _record(stage),
    }
    where = places()
    return {name: replace(piece, place=where[name]) for name, piece in found.items() if piece is not None}


class DraftStage:
    """The projected state with names."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.state = view.state
        self.tables = services.tables(view.system, view.house_rules)
        self.names = {row["seat"]: row["name"] for row in (*self.state["seats"], *self.state["others"])}

    @property
    def me(self) -> str:
        """The viewer's own seat in the draft; "" for those who take no part."""
        own = str(self.view.viewer.seat_id or "")
        return own if own in {row["seat"] for row in self.state["seats"]} else ""

    @property
    def gm(self) -> bool:
        return self.view.is_gm and self.view.is_open

    @property
    def phase(self) -> str:
        return str(self.state["phase"])

    def name(self, seat: str) -> str:
        return str(self.names.get(seat, seat))

    def suit_name(self, suit: str) -> str:
        return str(self.tables.suits[suit].ability.pick(self.view.lang))

    @property
    def phases(self) -> list[dict[str, str]]:
        steps = [
            ("SEATING", _("席")),
            ("PARENT_SELECT", _("親決め")),
            ("OFFERING", _("札 %(n)s／%(of)s") % {"n": self._done, "of": self.state["offer"]["of"]}),
            ("COMPLETE", _("役に写す")),
        ]
        order = {"SEATING": 0, "PARENT_SELECT": 1, "AWAIT_REVEAL": 2, "OFFERING": 2, "COMPLETE": 3}
        now = order.get(self.phase, 0)
        return [
            {"label": label, "state": "done" if n < now else "now" if n == now else ""}
            for n, (_key, label) in enumerate(steps)
        ]

    @property
    def _done(self) -> int:
        return len(self.state["log"])


# ---------------------------------------------------------------- the table


def _table(stage: DraftStage) -> Piece:
    """Everybody's place, one's own at the foot of the page."""
    rows = [_seat(stage, row) for row in stage.state["seats"]]
    own = next((n for n, row in enumerate(rows) if row["me"]), None)
    if own is not None and len(rows) > 1:
        rows = [*rows[own + 1 :], *rows[: own + 1]]
    offer = stage.state["offer"]
    card = {"id": offer["card"], "n": offer["n"], "of": offer["of"], "text": _reading(stage, offer["card"])}
    going_on = [
        {"name": one["name"], "cards": [{"suit": suit, "card": f"{suit}{rank}"} for suit, rank in one["cards"].items()]}
        for one in stage.state["continuing"]
    ]
    return Piece("alice/draft/table.html", {"seats": rows, "card": card, "phase": stage.phase, "going_on": going_on})


def _seat(stage: DraftStage, row: Mapping[str, Any]) -> dict[str, Any]:
    suit = stage.state["offer"]["suit"]
    marks = []
    if row["passed"]:
        marks.append(_("見送った"))
    elif stage.phase == "OFFERING" and suit in row["abilities"] and not row["asked"]:
        marks.append(_("%(suit)sを持つ・飛ばす") % {"suit": stage.suit_name(suit)})
    elif row["seat"] == stage.state["offer"]["last"] and not row["asked"]:
        marks.append(_("残れば受け取る"))
    if row["late"]:
        marks.append(_("途中から"))
    return {
        "seat": row["seat"],
        "name": row["name"],
        "me": row["seat"] == stage.me,
        "parent": row["parent"],
        "asked": row["asked"],
        "absent": row["absent"],
        "marks": marks,
        "cards": [
            {"suit": one, "card": row["abilities"].get(one, {}).get("card", ""), "name": stage.suit_name(one)}
            for one in SUITS
        ],
    }


def _reading(stage: DraftStage, card: str) -> dict[str, Any] | None:
    """What an open card is worth as an ability: `心 7`, in words, and what a picture card reads once."""
    if not card:
        return None
    suit, rank = card[0], card[1:].partition("#")[0]
    picture = stage.tables.pictures.get(rank, None)
    value = picture.value if picture is not None else int(rank)
    rows = [row for row in stage.tables.strengths.values() if row.value <= value]
    word = max(rows, key=lambda row: row.value).text.pick(stage.view.lang)
    boost = picture.boost if picture is not None and picture.boost else None
    return {"suit": stage.suit_name(suit), "value": value, "word": word, "boost": boost}


# ---------------------------------------------------------------- what is asked


def _offer(stage: DraftStage) -> Piece | None:
    """The framed panel while something waits for an answer."""
    offer, phase = stage.state["offer"], stage.phase
    if phase not in ("PARENT_SELECT", "AWAIT_REVEAL", "OFFERING"):
        return None
    asked = offer["asked"]
    rest = offer["queue"][len(offer["passed"]) :]
    facts = {
        "phase": phase,
        "paused": stage.state["paused"],
        "step": stage.state["step"],
        "asked": stage.name(asked) if asked else "",
        "asked_seat": asked,
        "mine": bool(asked) and asked == stage.me,
        "gm": stage.gm,
        "parent": stage.name(offer["parent"]) if offer["parent"] else "",
        "suit": offer["suit"],
        "suit_name": stage.suit_name(offer["suit"]),
        "card": offer["card"],
        "next": stage.name(rest[1]) if len(rest) > 1 else "",
        "next_forced": len(rest) == 2,
        "last": stage.name(offer["last"]) if offer["last"] else "",
        "since": offer["since"],
        "deadline": offer["deadline_s"],
        "nudge": [int(asked)] if stage.gm and asked.isdecimal() else [],
        "queue": list(_queue(stage)),
        "janken": _janken(stage) if phase == "PARENT_SELECT" else None,
        "players": [(row["seat"], row["name"]) for row in stage.state["seats"]],
        "schedule": list(_schedule(stage)) if phase == "PARENT_SELECT" else [],
        "absent": [row["seat"] for row in stage.state["seats"] if row["absent"]],
    }
    return Piece("alice/draft/offer.html", facts)


def _queue(stage: DraftStage) -> Iterator[dict[str, str]]:
    """In what order the card is offered, and how far that has come."""
    offer = stage.state["offer"]
    for seat in offer["queue"]:
        state = "done" if seat in offer["passed"] else "now" if seat == offer["asked"] else ""
        words = [stage.name(seat)]
        if seat == offer["parent"]:
            words.append(_("（親）"))
        if state == "done":
            words.append(_("見送り"))
        elif seat == offer["last"] and seat != offer["asked"]:
            words.append(_("（残れば自動）"))
        yield {"state": state, "text": "".join(words)}


def _janken(stage: DraftStage) -> dict[str, Any]:
    found = stage.state["janken"]
    contenders = found["contenders"]
    return {
        "winner": stage.name(found["winner"]) if found["winner"] else "",
        "i_won": bool(found["winner"]) and found["winner"] == stage.me,
        "playing": stage.me in contenders and stage.me not in found["ready"] and not found["winner"],
        "own": {"rock": _("グー"), "paper": _("パー"), "scissors": _("チョキ")}.get(found["own"], ""),
        "waiting": [stage.name(seat) for seat in contenders if seat not in found["ready"]],
        "hands": [("rock", _("グー")), ("scissors", _("チョキ")), ("paper", _("パー"))],
    }


def _schedule(stage: DraftStage) -> Iterator[dict[str, Any]]:
    """Who would be 親 of which suit, counted from the first 親 (§4.7)."""
    for suit, places_ in stage.state["schedule"].items():
        turns = [_("最初の親") if n == 0 else _("%(n)sつ右") % {"n": n} for n in places_]
        yield {"suit": suit, "name": stage.suit_name(suit), "turns": turns}


# ---------------------------------------------------------------- before, after, beside


def _setup(stage: DraftStage) -> Piece | None:
    """Before it begins: who sits where, the story, the アリス (GM); after it: writing the cards to the sheets."""
    if stage.phase not in ("SEATING", "COMPLETE"):
        return None
    plan = stage.state["plan"]
    alice = stage.state["alice"]
    seats = [row["name"] for row in stage.state["seats"]]
    groups = [row.title.pick(stage.view.lang) for row in stage.tables.party_groups.values()]
    facts = {
        "phase": stage.phase,
        "gm": stage.gm,
        "order": _("、").join(seats),
        "seats": seats,
        "others": [row["name"] for row in stage.state["others"]],
        "others_seats": [(row["seat"], row["name"]) for row in stage.state["others"]],
        "decks": plan.get("decks"),
        "left": plan.get("left"),
        "refusal": both(plan.get("reason"), stage.view.lang) if plan.get("refusal") else "",
        "warning": both(plan.get("warning"), stage.view.lang) if plan.get("warning") else "",
        "story": stage.state["story"]["story_setting"],
        "group": stage.state["story"]["party_group"],
        "groups": groups,
        "alice": _alice(stage, alice) if alice is not None and stage.gm else None,
    }
    return Piece("alice/draft/setup.html", facts)


def _alice(stage: DraftStage, alice: Mapping[str, Any]) -> dict[str, Any]:
    lang = stage.view.lang
    return {
        "faces": ",".join(alice["faces"]),
        "chosen": list(alice["faces"]),
        "known": [{"name": both(row["name"], lang), "face": row["face"]} for row in alice["known"]],
    }


def _piles(stage: DraftStage) -> Piece | None:
    piles = stage.state["piles"]
    if stage.phase == "SEATING":
        return None
    rows = [{"suit": suit, "name": stage.suit_name(suit), "count": piles[suit]} for suit in SUITS]
    return Piece(
        "alice/draft/piles.html",
        {
            "piles": rows,
            "aces": piles["aces"],
            "second": piles["second_deck"],
            "pictures": list(stage.tables.pictures.values()),
        },
    )


def _record(stage: DraftStage) -> Piece | None:
    rows = [_recorded(stage, row) for row in reversed(stage.state["log"])]
    return Piece("alice/draft/record.html", {"rows": rows}) if rows else None


def _recorded(stage: DraftStage, row: Mapping[str, Any]) -> dict[str, Any]:
    passed = _("・").join(stage.name(seat) for seat in row["passed"])
    if row["how"] == "forced":
        why = _("%(names)sが見送り") % {"names": passed} if passed else _("持たないのは一人だけ")
    elif row["to"] == row["parent"]:
        why = _("親が取った")
    else:
        why = _("%(names)sが見送り、取った") % {"names": passed} if passed else _("取った")
    return {
        "n": row["n"],
        "parent": stage.name(row["parent"]),
        "card": row["card"],
        "suit": row["card"][0],
        "rank": row["card"][1:].partition("#")[0],
        "to": stage.name(row["to"]),
        "why": why,
    }


# ---------------------------------------------------------------- the log


def entry(row: Entry, view: TableView) -> Piece | None:
    text = both(row.data.get("text"), view.lang)
    if row.kind in QUIET or not text:
        return None
    card = row.data.get("card") if row.kind == "card.revealed" else ""
    facts = {"who": row.by, "text": text, "card": card if isinstance(card, str) else ""}
    return Piece("alice/session/entry_line.html", facts)


def line(row: Entry, view: TableView) -> str:
    return "" if row.kind in QUIET else both(row.data.get("text"), view.lang)
