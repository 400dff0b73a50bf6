"""What the GM rules between declaration and card (rules §7.2, §7.3): ability, difficulty, favour, class.

The class is settled while the difficulty cards lie face down; settling it turns them up.
"""

from __future__ import annotations

from dataclasses import replace

from rulesets.alice.cards import diff_value, improve, rank_of
from rulesets.alice.play import reading
from rulesets.alice.play.declaring import CONDITIONS, RECOVERY_CARDS, conditions, luckless
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.op_state import SINGLE, Attempt, Op
from rulesets.alice.play.people import action_key
from rulesets.alice.play.piles import after_discards, lay_difficulty
from rulesets.alice.play.reading import CLASS, SUIT, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.rounds import settle_turn
from rulesets.alice.play.settling import close, enter_card
from rulesets.alice.play.state import DIFFICULTY, DISCARD, DRAW, PLAYED, Ruling, Token, hand_of, sealed_of
from rulesets.alice.play.words import action_words, card_names, class_name, suit_name, words
from rulesets.alice.rulings import difficulty_after
from rulesets.alice.words import refused

event("ruled.suit", shows=("suit",))
event("ruled.difficulty", shows=("cards", "favourable"))
event("ruled.conditions", shows=("about",))
event("proposed", shows=("cls", "why"))
event("reason.chosen", shows=("token", "bonus"))
event("ruled.class", shows=("cls", "base", "action"))
event("turned", shows=("cards", "n"))
event("cancelled")

ALLOWED = {"test": (1, 3), "acquire": (1, 3), "reason": (1, 2), "empathy": (1, 6), "recovery": (2, 2)}


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
    _one_less(desk, replace(op, favourable=True))


def _one_less(desk: Desk, op: Op) -> Op:
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


# ---------------------------------------------------------------- class


def settling(desk: Desk, asked: Asked) -> tuple[Op, int]:
    """The attempt whose class is to be settled: in a race that of `actor`, else the one whose turn it is."""
    op = waiting(desk, "class")
    at = op.at
    who = asked.text("actor")
    if op.kind == "race":
        found = op.of(who or op.now.who)
        if found is None:
            raise refused("E_NOT_ACTOR")
        at = found
    elif who and who != op.now.who:
        raise refused("E_NOT_ACTOR")
    if op.tries[at].base:
        raise refused("E_WRONG_STATE")
    return op, at


def _own_try(desk: Desk, attempt: Attempt) -> None:
    if not desk.owns(desk.of(attempt.who)):
        raise refused("E_NOT_ACTOR")


@command(
    "test.propose",
    reading.actor(required=False),
    CLASS,
    reading.text("why"),
    answers=True,
    codes=("E_NOT_ACTOR",),
    rule="§7.2",
    retractable=True,
)
def propose(desk: Desk, asked: Asked) -> None:
    """Say which class would fit, and why; the GM decides."""
    op, at = settling(desk, asked)
    attempt = op.tries[at]
    _own_try(desk, attempt)
    after = with_try(op, at, wish=asked.text("cls"), wish_reason=asked.text("why"))
    name, cls = desk.of(attempt.who).name, class_name(asked.text("cls"))
    said = words("log.proposed", name=name, cls=cls)
    world = desk.set_op(after, answered=False)
    desk.emit("proposed", said, actor=attempt.who, world=world, cls=asked.text("cls"), why=asked.text("why"))


@command(
    "test.reason",
    reading.actor(required=False),
    reading.text("token"),
    reading.choice("bonus", "class", "favourable", required=False),
    answers=True,
    codes=("E_NOT_ACTOR", "E_NOT_FOUND", "E_REASON_NOT_READY"),
    rule="§7.9",
    retractable=True,
)
def use_reason(desk: Desk, asked: Asked) -> None:
    """Use the 道理 of this action, or (without one named) keep it."""
    op, at = settling(desk, asked)
    attempt = op.tries[at]
    _own_try(desk, attempt)
    token = asked.text("token")
    bonus = ""
    if token:
        found = desk.state.tokens.get(token)
        if found is None or found.holder != attempt.who:
            raise refused("E_NOT_FOUND")
        check_reason(desk, attempt, found)
        bonus = bonus_of(desk, op, asked.text("bonus"))
    after = with_try(op, at, token=token, bonus=bonus)
    key = "log.reason_chosen" if token else "log.reason_kept"
    said = words(key, name=desk.of(attempt.who).name)
    world = desk.set_op(after, answered=False)
    desk.emit("reason.chosen", said, actor=attempt.who, world=world, token=token, bonus=bonus)


def check_reason(desk: Desk, attempt: Attempt, token: Token) -> None:
    """Refuses E_REASON_NOT_READY: used up, not yet, another action, or luck stands in."""
    combat = desk.state.combat
    early = combat is not None and token.ready_from > combat.round
    barred = attempt.luck and not desk.rule.luck_substitution_takes_reason_bonus
    other = action_key(token.action) != action_key(attempt.action)
    if token.state != "ready":
        raise refused("E_REASON_NOT_READY")
    if early or barred or other:
        desk.refuse("E_REASON_NOT_READY")


def bonus_of(desk: Desk, op: Op, wish: str) -> str:
    """What a 道理 gives (C1): the class, or one difficulty card less where there are some."""
    mode = desk.rule.reason_bonus_mode
    if not op.cards or mode == "submit":
        return "class"
    return "favourable" if mode == "favourable" else wish or "class"


@command(
    "test.class",
    reading.actor(required=False),
    reading.choice("cls", "expert", "related", "outsider", required=False),
    roles=GM_ONLY,
    answers=True,
    codes=("E_CLASS_ALREADY_FIXED", "E_NOT_ACTOR"),
    rule="§7.2",
)
def rule_class(desk: Desk, asked: Asked) -> None:
    """Settle the class; when all are settled the difficulty cards are turned up."""
    op, at = settling(desk, asked)
    attempt = op.tries[at]
    base = "outsider" if attempt.luck else asked.text("cls")
    if not base:
        raise refused("E_FIELD_REQUIRED", field=words("field.cls"))
    registry = _registered(desk, attempt, base)
    cls = improve(base) if attempt.bonus == "class" else base
    after = with_try(op, at, base=base, cls=cls)
    world = {**desk.set_op(after), **registry}
    if attempt.token:
        used = replace(desk.state.tokens[attempt.token], state="used")
        world["tokens"] = {**desk.state.tokens, used.id: used}
    said = words("log.class", name=desk.of(attempt.who).name, action=action_words(attempt.action), cls=class_name(cls))
    desk.emit("ruled.class", said, actor=attempt.who, world=world, cls=cls, base=base, action=attempt.action)
    if attempt.bonus == "favourable" and op.cards > difficulty_after(op.cards, True, tables=desk.tables):
        after = _one_less(desk, after)
        if desk.state.op is None:
            return
    if op.kind != "race" or all(one.base for one in after.tries):
        _turn_up(desk, after)


def registered_class(desk: Desk, attempt: Attempt) -> Ruling | None:
    """The class this game has decided for the action (§7.2)."""
    return desk.state.registry.get(_key(desk, attempt))


def _key(desk: Desk, attempt: Attempt) -> str:
    return f"{desk.of(attempt.who).character.occupation}|{action_key(attempt.action)}"


def _registered(desk: Desk, attempt: Attempt, base: str) -> dict[str, object]:
    """The registry with this class. Refuses E_CLASS_ALREADY_FIXED unless the GM corrects it with a reason."""
    actor = desk.of(attempt.who)
    if actor.npc or attempt.luck or not attempt.action:
        return {}
    known = registered_class(desk, attempt)
    if known is not None and known.cls == base:
        return {}
    if known is not None and desk.rule.submit_registry_lock:
        desk.refuse("E_CLASS_ALREADY_FIXED", action=action_words(known.action), cls=class_name(known.cls))
    ruling = Ruling(actor.character.occupation, attempt.action, base)
    return {"registry": {**desk.state.registry, _key(desk, attempt): ruling}}


def _turn_up(desk: Desk, op: Op) -> None:
    """Turn the difficulty cards up, if some lie there, and ask for a card."""
    if op.cards and not op.turned:
        cards = desk.state.zone(DIFFICULTY)
        target = sum(diff_value(rank_of(one)) for one in cards)
        op = replace(op, turned=True, target=target)
        said = words("log.turned", cards=card_names(cards), n=target)
        desk.emit("turned", said, world={"op": op}, cards=list(cards), n=target)
    enter_card(desk, replace(op, phase="card"))


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
