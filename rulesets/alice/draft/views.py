"""What a viewer may know of the draft (§6.6): counts of the piles, never their order; アリス for the GMs alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.alice.cards import SUITS, ability_value, rank_of
from rulesets.alice.draft.order import schedule
from rulesets.alice.draft.starting import plan
from rulesets.alice.draft.state import ACES, ALICE, SECOND, Draft, pile_of
from rulesets.alice.rows import SuitId
from rulesets.alice.words import message
from rulesets.engine.play import GM, Viewer
from rulesets.engine.playing.showing import Parts
from rulesets.engine.text import Text

PARTS: Parts[Draft] = Parts()
part = PARTS.part


def project_state(state: Draft, viewer: Viewer) -> Mapping[str, Any]:
    return PARTS.view(state, viewer)


def _text(text: Text) -> dict[str, str]:
    return {"ja": text.ja, "en": text.en}


@part("step")
def _step(state: Draft, viewer: Viewer) -> int | None:
    return state.open_step


@part("phase")
def _phase(state: Draft, viewer: Viewer) -> str:
    return state.phase


@part("paused")
def _paused(state: Draft, viewer: Viewer) -> bool:
    return state.paused


@part("seats")
def _seats(state: Draft, viewer: Viewer) -> list[dict[str, Any]]:
    """Everybody who drafts, clockwise, then those who came late."""
    return [
        {
            "seat": seat,
            "name": state.name(seat),
            "absent": seat in state.absent,
            "late": seat in state.late,
            "parent": seat == state.parent_seat,
            "asked": seat == state.asked,
            "passed": seat in state.passed,
            "waits": seat in state.queue[len(state.passed) + 1 :],
            "abilities": {
                suit: {"card": card, "value": ability_value(rank_of(card), 0, tables=state.tables)}
                for suit, card in state.abilities(seat).items()
            },
        }
        for seat in (*state.seats, *state.late)
    ]


@part("others")
def _others(state: Draft, viewer: Viewer) -> list[dict[str, str]]:
    """Players whom the draft knows and who do not take part."""
    drafting = {*state.seats, *state.late}
    return [{"seat": seat, "name": name} for seat, name in state.names.items() if seat not in drafting]


@part("continuing")
def _continuing(state: Draft, viewer: Viewer) -> list[dict[str, Any]]:
    return [{"actor": one.actor, "name": one.name, "cards": dict(one.ranks)} for one in state.continuing]


@part("piles")
def _piles(state: Draft, viewer: Viewer) -> dict[str, Any]:
    found: dict[str, Any] = {suit: len(state.zones[pile_of(suit)]) for suit in SUITS}
    return {**found, "aces": len(state.zones[ACES]), "second_deck": len(state.zones[SECOND]), "decks": state.decks}


@part("offer")
def _offer(state: Draft, viewer: Viewer) -> dict[str, Any]:
    """The card and whose answer is awaited: `last` takes it without a question when everybody before passes."""
    rule = state.tables.rule
    return {
        "n": min(state.k + 1, 4 * len(state.seats)),
        "of": 4 * len(state.seats),
        "suit": state.suit,
        "card": state.card,
        "parent": state.parent_seat,
        "asked": state.asked,
        "queue": list(state.queue),
        "passed": list(state.passed),
        "last": state.queue[-1] if state.queue else "",
        "since": state.asked_at,
        "deadline_s": rule.offer_deadline_s if state.phase == "OFFERING" and not state.paused else 0,
    }


@part("janken")
def _janken(state: Draft, viewer: Viewer) -> dict[str, Any]:
    """Who is in, who has shown a hand; of the hands only one's own."""
    own = state.hands.get(viewer.seat, "") if viewer.role == "player" else ""
    return {
        "contenders": list(state.contenders),
        "ready": list(state.hands),
        "own": own,
        "winner": state.winner,
    }


@part("schedule")
def _schedule(state: Draft, viewer: Viewer) -> Mapping[SuitId, list[int]]:
    """Who will be 親 of which suit, as places counted from the first 親 (§4.7)."""
    if not state.seats:
        return {}
    return schedule(len(state.seats), state.tables.rule.parent_rotation)


@part("plan")
def _plan(state: Draft, viewer: Viewer) -> dict[str, Any]:
    """What a start would need now: number of decks, draw pile after the deal, what bars it, what to mind."""
    if state.phase != "SEATING":
        return {}
    found = plan(state)
    low = not found.refusal and found.left < state.tables.rule.deck_low_warning
    return {
        "decks": found.decks,
        "left": found.left,
        "refusal": found.refusal,
        "reason": _text(message(found.refusal, **found.params)) if found.refusal else None,
        "warning": _text(message("W_DECK_LOW", n=found.left)) if low else None,
    }


@part("log")
def _log(state: Draft, viewer: Viewer) -> list[dict[str, Any]]:
    return [
        {
            "n": row.n,
            "parent": row.parent,
            "card": row.card,
            "queue": list(row.queue),
            "passed": list(row.passed),
            "to": row.to,
            "how": row.how,
        }
        for row in state.log
    ]


@part("story")
def _story(state: Draft, viewer: Viewer) -> dict[str, str]:
    return {"story_setting": state.story_setting, "party_group": state.party_group}


@part("alice")
def _alice(state: Draft, viewer: Viewer) -> dict[str, Any] | None:
    """The アリス of the scenario and their cards, for the GMs; nothing for anybody else."""
    if viewer.role not in ("gm", "co_gm") or not viewer.sees(GM):
        return None
    return {
        "faces": list(state.alices),
        "cards": list(state.zones[ALICE]),
        "known": [
            {"id": row.id, "name": _text(row.title), "face": row.face}
            for row in state.tables.alices.values()
            if row.offered
        ],
        "virtual": {actor: list(suits) for actor, suits in state.virtual.items() if suits},
    }
