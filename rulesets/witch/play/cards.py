"""Encounters, the place cards and tarot readings at the table (rules §9.2, §9.3, §9.6)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.engine.outcome import CardShown, Die, Outcome
from rulesets.engine.play import ALL, GM
from rulesets.engine.text import Text
from rulesets.witch.encounters import encounter
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import FACES, Asked, choice, flag, number, refused
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.setup import READING, STRUCTURE
from rulesets.witch.play.state import Deck
from rulesets.witch.play.words import reason, words
from rulesets.witch.rows import COLUMNS

event("encounter", shows=("place", "met"))
event("cards", shows=("deck", "drawn", "left"))
event("shuffled", shows=("deck",))

PLACES = 48
DRAW_MAX = 12
UPRIGHT = 1


@command("encounter", number("place", 1, PLACES), flag("secret"), FACES, rule="§9.6")
def meet(desk: Desk, asked: Asked) -> None:
    """Who is met at a place card."""
    place = asked.needed("place")
    dice: list[Die] = []

    def roll(sides: int) -> int:
        dice.append(desk.die(reason("dice.encounter", "§9.6"), sides))
        return dice[-1].face

    found = encounter(desk.tables, place, roll)
    outcome = Outcome("encounter", reason("title.encounter", "§9.6"), dice=tuple(dice))
    said = words("log.encounter", place=desk.tables.structure[str(place)].name, met=found.text)
    met = {"ja": found.text.ja, "en": found.text.en}
    audience = GM if asked.flag("secret") and desk.actor.is_gm else ALL
    desk.emit("encounter", said, outcome=outcome, audience=audience, place=place, met=met)


@command(
    "cards.draw",
    choice("deck", STRUCTURE, READING),
    number("count", 1, DRAW_MAX, required=False),
    flag("secret"),
    FACES,
    roles=GM_ONLY,
    codes=("L31",),
    rule="§9.2",
)
def draw(desk: Desk, asked: Asked) -> None:
    """Draw cards from the table's deck without putting them back; tarot cards fall upright or reversed."""
    name, count = asked.text("deck"), asked.number("count") or 1
    deck = desk.state.decks[name]
    if count > len(deck.left):
        raise refused("L31", n=len(deck.left))
    dice: list[Die] = []
    left, drawn = list(deck.left), []
    for _ in range(count):
        dice.append(desk.die(reason("dice.card", "§9.2"), len(left)))
        card = left.pop(dice[-1].face - 1)
        turned = False
        if name == READING:
            dice.append(desk.die(reason("dice.turned", "§9.2"), 2))
            turned = dice[-1].face != UPRIGHT
        drawn.append(f"{card}r" if turned else str(card))
    secret = asked.flag("secret")
    after = replace(deck, left=tuple(left), **{"secret" if secret else "shown": (*_lying(deck, secret), *drawn)})
    shown = tuple(
        CardShown(card, reason("dice.card", "§9.2"), mark="reversed" if card[-1] == "r" else "") for card in drawn
    )
    outcome = Outcome("cards", reason(f"title.{name}", "§9.2"), dice=tuple(dice), cards=shown)
    said = words("log.cards", deck=words(f"title.{name}"), cards=_names(desk, name, drawn))
    audience = GM if secret else ALL
    desk.emit(
        "cards",
        said,
        outcome=outcome,
        put={"decks": {name: after}},
        audience=audience,
        deck=name,
        drawn=drawn,
        left=len(left),
    )


def _lying(deck: Deck, secret: bool) -> tuple[str, ...]:
    return deck.secret if secret else deck.shown


def _names(desk: Desk, deck: str, drawn: list[str]) -> Text:
    found = []
    for card in drawn:
        rows = desk.tables.tarot if deck == READING else desk.tables.structure
        name: Text = rows[card.removesuffix("r")].name
        found.append(words("card.reversed", card=name) if card.endswith("r") else name)
    return Text("・".join(one.ja for one in found), ", ".join(one.en for one in found))


@command("cards.shuffle", choice("deck", STRUCTURE, READING), roles=GM_ONLY, codes=("P46",), rule="§9.2")
def shuffle(desk: Desk, asked: Asked) -> None:
    """Put every card back."""
    name = asked.text("deck")
    if not desk.state.decks[name].shown and not desk.state.decks[name].secret:
        raise refused("P46")
    whole = COLUMNS if name == READING else tuple(range(1, len(desk.tables.structure) + 1))
    said = words("log.shuffled", deck=words(f"title.{name}"))
    desk.emit("shuffled", said, put={"decks": {name: Deck(whole)}}, audience=ALL, deck=name)
