"""What one viewer knows of the cards (rules §6.6, §12.4): which faces, and which are left for anything hidden to be.

Never looks at the order of the pile or at hands that are not the viewer's; odds and views ask here.
"""

from __future__ import annotations

from rulesets.alice import chances
from rulesets.alice.play.state import (
    ALICES,
    DIFFICULTY,
    DISCARD,
    DRAW,
    GM_HAND,
    PLAYED,
    ActorState,
    State,
    ability_of,
    hand_of,
    sealed_of,
)
from rulesets.engine.play import Viewer


def sees_all(viewer: Viewer) -> bool:
    """The GM and their helpers; not the hands, which they do not see either."""
    return viewer.role in ("gm", "co_gm")


def visible(actor: ActorState, viewer: Viewer) -> bool:
    """Whether somebody exists for this viewer."""
    return sees_all(viewer) or not actor.npc or (actor.on_stage and not actor.hidden)


def numbers(actor: ActorState, viewer: Viewer) -> bool:
    """Whether this viewer may read somebody's abilities: a PC's lie before everybody."""
    return visible(actor, viewer) and (sees_all(viewer) or not actor.npc or actor.numbers_shown)


def owner(actor: ActorState, viewer: Viewer) -> bool:
    """Whether the character is this player's own."""
    return viewer.role == "player" and not actor.npc and bool(viewer.seat) and actor.seat == viewer.seat


def acts_for(actor: ActorState, viewer: Viewer) -> bool:
    return sees_all(viewer) or owner(actor, viewer)


def sees_hand(state: State, actor: ActorState, viewer: Viewer) -> bool:
    """Whether the faces of a hand are open to this viewer."""
    if viewer.role not in ("gm", "co_gm", "player", "spectator"):
        return False
    if state.phase == "ended" or owner(actor, viewer):
        return True
    return sees_all(viewer) and (actor.npc or state.rule.gm_sees_hands)


def seen(state: State, viewer: Viewer) -> set[str]:
    """Every face this viewer knows."""
    zones = [ability_of(who) for who in state.actors] + [PLAYED]
    op = state.op
    if op is not None and op.turned:
        zones.append(DIFFICULTY)
    if state.rule.discards_public or state.phase == "ended":
        zones.append(DISCARD)
    for actor in state.pcs:
        if sees_hand(state, actor, viewer):
            zones += [hand_of(actor.id), sealed_of(actor.id)]
    if sees_all(viewer) or state.phase == "ended":
        zones += [GM_HAND, ALICES, *(sealed_of(who) for who, one in state.actors.items() if one.npc)]
    return {card for zone in zones for card in state.zone(zone)}


def unseen(state: State, viewer: Viewer) -> list[str]:
    """The cards that any hidden one may be, each equally likely (§12.4)."""
    return chances.unseen(state.decks, seen(state, viewer))


def next_card(state: State, viewer: Viewer) -> list[str]:
    """What the next card of the pile may be: after a pile has run out, one of the open discards."""
    if not state.zone(DRAW) and state.rule.discards_public and state.zone(DISCARD):
        return list(state.zone(DISCARD))
    return unseen(state, viewer)
