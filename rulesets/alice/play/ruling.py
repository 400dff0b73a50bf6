"""What the GM rules between declaration and card (rules §7.2, §7.3): ability, difficulty, favour, class.

The class is settled while the difficulty cards lie face down; settling it turns them up.
"""

from __future__ import annotations

from dataclasses import replace

from rulesets.alice.play import reading
from rulesets.alice.play.declaring import CONDITIONS, RECOVERY_CARDS, conditions, luckless
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.op_state import SINGLE, Op
from rulesets.alice.play.piles import after_discards, lay_difficulty
from rulesets.alice.play.reading import SUIT, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.rounds import settle_turn
from rulesets.alice.play.settling import close
from rulesets.alice.play.state import DIFFICULTY, DISCARD, DRAW, PLAYED, hand_of, sealed_of
from rulesets.alice.play.words import suit_name, words
from rulesets.alice.rulings import difficulty_after
from rulesets.alice.words import refused

event("ruled.suit", shows=("suit",))
event("ruled.difficulty", shows=("cards", "favourable"))
event("ruled.conditions", shows=("about",))
event("cancelled")

ALLOWED = {"test": (1, 3), "acquire": (1, 3), "reason": (1, 2), "empathy": (1, 6), "recovery": (2, 2)}


def difficulties(kind: str) -> list[int]:
    """The numbers of difficulty cards a GM may choose for a kind of test (§7.2); none where they are counted."""
    low, high = ALLOWED.get(kind, ALLOWED["test"])
    return [] if kind == "empathy" else list(range(low, high + 1))


def waiting(desk: Desk, *phases: str) -> Op:
    """The open operation in one of these phases. Refuses E_STALE_VERSION, E_WRONG_STATE."""
    op = desk.op()
    if op.phase not in phases:
        raise refused("E_WRONG_STATE")
    return op


# ---------------------------------------------------------------- ability and difficulty


@command("test.impossible", roles=GM_ONLY, answers=True, rule="§7.2")
def impossible(desk: Desk, asked: Asked) -> None:
    """It cannot be done: no cards."""
    waiting(desk, "declared", "suit")
    close(desk, "fail_impossible")


@command("test.trivial", roles=GM_ONLY, answers=True, rule="§7.2")
def trivial(desk: Desk, asked: Asked) -> None:
    """Nobody fails at this: no cards."""
    waiting(desk, "declared", "suit")
    close(desk, "success_trivial")


@command("test.suit", SUIT, roles=GM_ONLY, answers=True, rule="§7.2")
def rule_suit(desk: Desk, asked: Asked) -> None:
    """The ability that is tested."""
    op, suit = waiting(desk, "declared", "suit"), asked.text("suit")
    if op.kind != "test" or op.now.luck:
        raise refused("E_WRONG_STATE")
    after = replace(with_try(op, 0, suit=suit), phase="suit")
    said = words("log.suit", suit=suit_name(suit))
    desk.emit("ruled.suit", said, actor=op.now.who, world=desk.set_op(after), suit=suit)
    if luckless(desk, desk.of(op.now.who), suit):
        close(desk, "fail_stage3")


@command("empathy.conditions", *CONDITIONS, roles=GM_ONLY, answers=True, codes=("E_INCONSISTENT",), rule="§7.10")
def rule_conditions(desk: Desk, asked: Asked) -> None:
    """The conditions of an 交感 as they are."""
    op = waiting(desk, "suit")
    if op.kind != "empathy":
        raise refused("E_WRONG_STATE")
    about = {**op.about, **conditions(desk, asked)}
    said = words("log.conditions", n=about["cards"])
    shown = {key: value for key, value in about.items() if key != "key"}
    desk.emit("ruled.conditions", said, world=desk.set_op(replace(op, about=about)), about=shown)


@command(
    "test.difficulty",
    reading.number("cards", 1, 6, required=False),
    reading.flag("favourable"),
    roles=GM_ONLY,
    answers=True,
    codes=("E_BAD_DIFFICULTY",),
    rule="§7.2",
)
def rule_difficulty(desk: Desk, asked: Asked) -> None:
    """Lay the difficulty face down: so many cards, one less when the situation is favourable."""
    op = waiting(desk, "suit")
    if op.kind not in SINGLE:
        raise refused("E_WRONG_STATE")
    cards = asked.number("cards") or usual(op)
    if cards is None:
        raise refused("E_FIELD_REQUIRED", field=words("field.cards"))
    low, high = ALLOWED[op.kind]
    if not low <= cards <= high:
        desk.refuse("E_BAD_DIFFICULTY")
    lay(desk, op, cards, asked.flag("favourable"))


def usual(op: Op) -> int | None:
    """The number of difficulty cards that follows from the kind of test."""
    if op.kind == "reason":
        return 1 if op.about.get("known") else 2
    if op.kind == "empathy":
        return int(op.about["cards"])
    return RECOVERY_CARDS if op.kind == "recovery" else None


def lay(desk: Desk, op: Op, cards: int, favourable: bool) -> None:
    """Lay so many cards, and let the classes be settled."""
    wanted = difficulty_after(cards, favourable, tables=desk.tables) if cards else 0
    said = words("log.difficulty_favourable" if favourable else "log.difficulty", n=wanted)
    after = replace(op, phase="class", favourable=favourable, cards=wanted)
    desk.emit("ruled.difficulty", said, world=desk.set_op(after), cards=wanted, favourable=favourable)
    if cards and not wanted:
        close(desk, "success_trivial")
        return
    laid = lay_difficulty(desk, wanted)
    if laid != wanted:
        desk.emit("ruled.difficulty", world={"op": replace(after, cards=laid)}, cards=laid, favourable=favourable)


@command("test.favourable", roles=GM_ONLY, answers=True, codes=("E_BAD_DIFFICULTY",), rule="§7.3")
def grant(desk: Desk, asked: Asked) -> None:
    """A clever idea, before the cards are turned: the card laid last goes back unseen."""
    op = waiting(desk, "class")
    if op.turned or not op.cards:
        raise refused("E_WRONG_STATE")
    if op.favourable or difficulty_after(op.cards, True, tables=desk.tables) == op.cards:
        raise refused("E_BAD_DIFFICULTY")
    one_less(desk, replace(op, favourable=True))


def one_less(desk: Desk, op: Op) -> Op:
    """The card laid last goes back on top, unseen."""
    after = replace(op, cards=op.cards - 1)
    said = words("log.difficulty_favourable", n=after.cards)
    desk.emit(
        "ruled.difficulty",
        said,
        world={"op": after},
        moves=[(-1, DIFFICULTY, DRAW, "top")],
        cards=after.cards,
        favourable=True,
    )
    if not after.cards:
        close(desk, "success_trivial")
    return after


# ---------------------------------------------------------------- cancelling


@command("test.cancel", roles=GM_ONLY, answers=True, rule="§7.2")
def cancel(desk: Desk, asked: Asked) -> None:
    """Break off: unseen difficulty cards go back on top as they lay, seen ones and played ones to the discards."""
    op = desk.op()
    difficulty, played = desk.state.zone(DIFFICULTY), desk.state.zone(PLAYED)
    moves: list[tuple[object, str, str, str]] = []
    if op.turned:
        moves.append((difficulty, DIFFICULTY, DISCARD, "bottom"))
    elif difficulty:
        moves.append((len(difficulty), DIFFICULTY, DRAW, "top"))
    if played:
        moves.append((played, PLAYED, DISCARD, "bottom"))
    back = [one.who for one in op.tries if desk.state.zone(sealed_of(one.who))]
    moves += [(1, sealed_of(who), hand_of(who), "bottom") for who in back]
    said = words("log.cancelled", name=desk.of(op.active.who).name)
    actors = {one.who: {"sealed": None} for one in op.tries if desk.of(one.who).sealed is not None}
    desk.emit("cancelled", said, actor=op.active.who, actors=actors, world=desk.set_op(None), moves=moves)
    after_discards(desk)
    settle_turn(desk, op)
