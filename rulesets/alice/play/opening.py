"""Before and after the game (rules §3, §5.4, §10.3): アリス aside, story, the deal, the end with every card open."""

from __future__ import annotations

from typing import Any

from rulesets.alice.cards import SUITS
from rulesets.alice.deck import alice_cards
from rulesets.alice.play import reading
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.laying import late_abilities
from rulesets.alice.play.piles import lay_pile, take
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.state import ALICES, BOX, DRAW, AliceOut, Owed
from rulesets.alice.play.words import card_name, listed, words
from rulesets.alice.words import refused
from rulesets.engine.play import GM

event("story", shows=("story", "party_group"))
event("alice", shows=("alice", "name", "cards", "notes"))
event("dealt", shows=("decks", "left"))
event("game.over", shows=("hands", "pile", "alices"))


def in_setup(desk: Desk) -> None:
    if desk.state.phase != "setup":
        raise refused("E_WRONG_PHASE")


@command("story.set", reading.text("story"), reading.text("party_group"), roles=GM_ONLY, rule="§5.4")
def story(desk: Desk, asked: Asked) -> None:
    """The story setting and how the characters belong together: an outline everybody reads, no solution."""
    found = {"story": asked.text("story"), "party_group": asked.text("party_group")}
    desk.emit("story", words("log.story"), world=found, story=found["story"], party_group=found["party_group"])


@command(
    "alice.add",
    reading.card(),
    reading.text("alice", required=True),
    reading.text("note"),
    roles=GM_ONLY,
    codes=("E_BAD_ALICE", "E_CARD_TAKEN"),
    rule="§3.4",
)
def add_alice(desk: Desk, asked: Asked) -> None:
    """An アリス of this scenario: her card leaves the deck, and no player learns which."""
    in_setup(desk)
    face = asked.text("card").partition("#")[0]
    cards = tuple(alice_cards([face], desk.state.decks, all_copies=desk.rule.alice_remove_all_copies))
    if face.startswith("JK"):
        raise refused("E_BAD_ALICE", value=face)
    if not set(cards) <= set(desk.state.zone(BOX)):
        raise refused("E_CARD_TAKEN", card=card_name(face))
    found = AliceOut(desk.new_id("a"), asked.text("alice"), cards, asked.text("note"))
    said = words("log.alice_out", name=found.name, card=card_name(face))
    desk.emit(
        "alice",
        said,
        world={"alices": {**desk.state.alices, found.id: found}},
        moves=[(cards, BOX, ALICES, "bottom")],
        audience=GM,
        alice=found.id,
        name=found.name,
        cards=list(cards),
        notes=found.notes,
    )


@command("alice.remove", reading.text("alice", required=True), roles=GM_ONLY, codes=("E_NOT_FOUND",), rule="§3.4")
def remove_alice(desk: Desk, asked: Asked) -> None:
    """She does not appear after all: her card is in the deck again."""
    in_setup(desk)
    found = desk.state.alices.get(asked.text("alice"))
    if found is None:
        raise refused("E_NOT_FOUND")
    left = {key: one for key, one in desk.state.alices.items() if key != found.id}
    said = words("log.alice_back", name=found.name)
    moves = [(found.cards, ALICES, BOX, "bottom")]
    desk.emit("alice", said, world={"alices": left}, moves=moves, audience=GM, alice=found.id, name=found.name)


# ---------------------------------------------------------------- the deal


@command(
    "deal",
    reading.text("seats"),
    roles=GM_ONLY,
    codes=("E_ABILITIES_MISSING", "E_DECK_TOO_SMALL", "E_NO_PLAYERS", "E_UNKNOWN_ACTOR"),
    rule="§3.1",
)
def deal(desk: Desk, asked: Asked) -> None:
    """Shuffle the draw pile and deal the hands, card by card, clockwise from the first 親 (`seats`: that order)."""
    in_setup(desk)
    seats = _seats(desk, asked)
    players = [desk.of(who) for who in seats if not desk.of(who).dead]
    if not players:
        raise refused("E_NO_PLAYERS")
    short = [one.name for one in players if any(suit not in one.ranks for suit in SUITS)]
    if short:
        desk.refuse("E_ABILITIES_MISSING")
    need = sum(desk.state.hand_size(one.id) for one in players) + _gm_hand(desk)
    need += sum(suit not in one.ranks for one in players for suit in SUITS)
    box = desk.state.zone(BOX)
    if len(box) < need:
        raise refused("E_DECK_TOO_SMALL", n=need - len(box))
    said = words("log.dealt", who=listed(one.name for one in players))
    world: dict[str, Any] = {"phase": "play", "seats": seats}
    desk.emit(
        "dealt", said, world=world, moves=[(box, BOX, DRAW, "bottom")], decks=desk.state.decks, left=len(box) - need
    )
    for one in players:
        late_abilities(desk, one.id)
    lay_pile(desk, desk.state.zone(DRAW))
    _deal_round(desk, [one.id for one in players])
    if len(desk.state.zone(DRAW)) < desk.rule.deck_low_warning:
        desk.warn("W_DECK_LOW", len(desk.state.zone(DRAW)))


def _seats(desk: Desk, asked: Asked) -> tuple[str, ...]:
    """The PCs clockwise, as named, the others behind."""
    named = [one.id for one in desk.several(asked.listed("seats")) if not one.npc]
    return (*named, *(who for who in desk.state.seats if who not in named))


def _gm_hand(desk: Desk) -> int:
    return desk.rule.hand_size if desk.rule.gm_character_cards == "gm_hand" else 0


def _deal_round(desk: Desk, players: list[str]) -> None:
    for dealt in range(max(desk.state.hand_size(who) for who in players)):
        for who in players:
            if dealt < desk.state.hand_size(who):
                take(desk, Owed("refill", who))
    if _gm_hand(desk):
        take(desk, Owed("refill", "", _gm_hand(desk)))


# ---------------------------------------------------------------- the end


@command("game.end", roles=GM_ONLY, codes=("E_TEST_OPEN",), rule="§10.3")
def end(desk: Desk, asked: Asked) -> None:
    """The game is over: hands, the order of the pile and the アリス cards lie open."""
    desk.in_play()
    if desk.state.op is not None:
        raise refused("E_TEST_OPEN")
    hands = {one.id: list(desk.state.hand(one.id)) for one in desk.state.pcs}
    alices = [{"name": one.name, "cards": list(one.cards)} for one in desk.state.alices.values()]
    world = {"phase": "ended", "combat": None, "morning": False}
    desk.emit(
        "game.over", words("log.game_over"), world=world, hands=hands, pile=list(desk.state.zone(DRAW)), alices=alices
    )
