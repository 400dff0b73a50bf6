"""True names and tail names: given, told to somebody, found out; never in the log (rules §3.1, §4.1)."""

from __future__ import annotations

from rulesets.engine.outcome import CardShown, Outcome
from rulesets.engine.play import GM, Audience, seat_token
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import FACES, Asked, actor, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import ActorState
from rulesets.witch.play.words import reason, words
from rulesets.witch.power import spelled
from rulesets.witch.rows import COLUMNS

event("true_name.given")
event("true_name.told")
event("true_name.forgotten")
event("letters", shows=("letters",))
event("tail_name.set")
event("tail_name.found")

NAME_MAX = 60


def _knowing(desk: Desk, witch: ActorState) -> Audience:
    """The witch's player, and the GM where the group lets them know."""
    own = (seat_token(witch.seat),) if witch.seat else ()
    gm = GM if desk.tables.rule.gm_sees_true_name or witch.npc or not own else ()
    return (*own, *gm)


@command("true_name.give", actor(), text("name", required=True), codes=("L36", "P25", "P46", "W19"), rule="§3.1")
def give(desk: Desk, asked: Asked) -> None:
    """The name given at her first sabbath, or another one. A GM who may not know it cannot give it (W19)."""
    witch = desk.own_witch(asked)
    name = asked.text("name")
    if len(name) > NAME_MAX:
        raise refused("P25", label=words("field.name"), max=NAME_MAX)
    if not _may_know(desk, witch):
        raise refused("W19")
    if name == witch.true_name:
        raise refused("P46")
    said = words("log.true_name_given", name=witch.name)
    desk.emit(
        "true_name.given",
        said,
        actor=witch.id,
        actors={witch.id: {"true_name": name}},
        audience=_knowing(desk, witch.actor),
    )


def _may_know(desk: Desk, witch: Person) -> bool:
    one = witch.actor
    if desk.actor.is_gm:
        return desk.tables.rule.gm_sees_true_name or one.npc or one.seat == desk.actor.seat
    return True


@command("true_name.tell", actor(), actor("target"), codes=("L36", "L40", "P46"), rule="§3.1")
def tell(desk: Desk, asked: Asked) -> None:
    """Only her own player may tell somebody her true name; the log says that, never the name."""
    witch, other = desk.own_witch(asked), desk.seen(asked.text("target"))
    if witch.actor.seat and witch.actor.seat != desk.actor.seat:
        raise refused("P17", name=witch.name)
    if not witch.true_name:
        raise refused("L40", name=witch.name)
    if other.id == witch.id or other.id in witch.actor.trusted:
        raise refused("P46")
    said = words("log.true_name_told", name=witch.name, other=other.name)
    trusted = (*witch.actor.trusted, other.id)
    desk.emit("true_name.told", said, actor=witch.id, target=other.id, actors={witch.id: {"trusted": trusted}})


@command("true_name.forget", actor(), actor("target"), roles=GM_ONLY, codes=("L36", "P46"), rule="§3.1")
def forget(desk: Desk, asked: Asked) -> None:
    """The GM takes a mistaken telling back."""
    witch, other = desk.own_witch(asked), desk.seen(asked.text("target"))
    if other.id not in witch.actor.trusted:
        raise refused("P46")
    trusted = tuple(one for one in witch.actor.trusted if one != other.id)
    said = words("log.true_name_forgotten", name=witch.name, other=other.name)
    desk.emit("true_name.forgotten", said, actor=witch.id, target=other.id, actors={witch.id: {"trusted": trusted}})


# ---------------------------------------------------------------- tail names


@command("tail_name.set", actor(), text("name", required=True), roles=GM_ONLY, codes=("L37", "P25", "P46"), rule="§4.1")
def set_tail(desk: Desk, asked: Asked) -> None:
    """The GM prepares a cat's tail name; its player does not know it yet."""
    cat = desk.own_cat(asked)
    name = asked.text("name")
    if len(name) > NAME_MAX:
        raise refused("P25", label=words("field.name"), max=NAME_MAX)
    if name == cat.actor.tail_name:
        raise refused("P46")
    said = words("log.tail_set", name=cat.name)
    values = {"tail_name": name, "tail_revealed": False}
    desk.emit("tail_name.set", said, actor=cat.id, actors={cat.id: values}, audience=GM)


@command("tail_name.reveal", actor(), roles=GM_ONLY, codes=("L37", "L41", "P46"), rule="§4.1")
def reveal_tail(desk: Desk, asked: Asked) -> None:
    """The cat has found its tail name."""
    cat = desk.own_cat(asked)
    if not cat.actor.tail_name:
        raise refused("L41")
    if cat.actor.tail_revealed:
        raise refused("P46")
    said = words("log.tail_found", name=cat.name)
    desk.emit("tail_name.found", said, actor=cat.id, actors={cat.id: {"tail_revealed": True}})


# ---------------------------------------------------------------- letters from cards

LETTER_DICE = 3


@command(
    "true_name.spell",
    actor(),
    number("count", 1, LETTER_DICE, required=False),
    FACES,
    codes=("L36", "W19"),
    rule="§9.4",
)
def spell(desk: Desk, asked: Asked) -> None:
    """Letters for a true name from cards; only who may know the name sees them."""
    witch = desk.own_witch(asked)
    if not _may_know(desk, witch):
        raise refused("W19")
    count = asked.number("count") or 1
    dice = list(desk.throw(count, reason("dice.letters", "§9.4")))
    length = sum(die.face for die in dice) + (1 if count == 1 else 0)
    left, cards = list(COLUMNS), []
    for _ in range(length):
        die = desk.die(reason("dice.letter", "§9.4"), len(left))
        dice.append(die)
        cards.append(left.pop(die.face - 1))
    letters = spelled(desk.tables, cards)
    shown = tuple(CardShown(str(card), reason("dice.letter", "§9.4")) for card in cards)
    outcome = Outcome("letters", reason("title.letters", "§9.4"), dice=tuple(dice), cards=shown)
    said = words("log.letters", name=witch.name, letters=letters)
    desk.emit("letters", said, actor=witch.id, outcome=outcome, audience=_knowing(desk, witch.actor), letters=letters)
