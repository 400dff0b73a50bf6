"""The class of an attempt (rules §7.2, §7.9): proposed, bettered by 道理, settled for the game; then cards turn."""

from __future__ import annotations

from dataclasses import replace

from rulesets.alice.cards import diff_value, improve, rank_of
from rulesets.alice.play import reading
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.people import action_key
from rulesets.alice.play.reading import CLASS, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.ruling import one_less, waiting
from rulesets.alice.play.settling import enter_card
from rulesets.alice.play.state import DIFFICULTY, Ruling, Token
from rulesets.alice.play.words import action_words, card_names, class_name, words
from rulesets.alice.rulings import difficulty_after
from rulesets.alice.words import refused

event("proposed", shows=("cls", "why"))
event("reason.chosen", shows=("token", "bonus"))
event("ruled.class", shows=("cls", "base", "action"))
event("turned", shows=("cards", "n"))


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
        after = one_less(desk, after)
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
