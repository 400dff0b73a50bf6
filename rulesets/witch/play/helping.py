"""The cat's help: asked by the witch, granted, cut or declined on the cat's own screen (rules §5.3, §5.5, §7.9)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.witch.play import points
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import Asked, choice, number, refused, text
from rulesets.witch.play.registry import command, event
from rulesets.witch.play.state import Attempt, Help
from rulesets.witch.play.words import words

event("help.asked", shows=("attempt", "request", "k", "of"))
event("help.answered", shows=("attempt", "request", "answer", "k"))
event("help.withdrawn", shows=("attempt", "request"))

MOST = {"challenge": 3, "spell": 2}


@command(
    "help.ask",
    text("attempt", required=True),
    number("k", 1, 3),
    codes=("L01", "L02", "L03", "L05", "L18", "L34", "L35", "L36", "L42", "W18"),
    rule="§5.3",
)
def ask(desk: Desk, asked: Asked) -> None:
    """Ask the partner cat for so many throws (a challenge) or dice (a spell). Its consent is needed."""
    attempt = desk.attempt(asked)
    witch = desk.state.actors[attempt.actor]
    if not desk.owns(witch):
        raise refused("P17", name=witch.name)
    if witch.is_cat:
        raise refused("L36", name=witch.name)
    _in_time(desk, attempt)
    if attempt.help.state in ("asked", "accepted"):
        raise refused("L02" if attempt.help.state == "asked" else "L18")
    k = asked.needed("k")
    if k > MOST[attempt.kind]:
        raise refused("L03")
    cat = points.partner(desk, witch.id)
    points.affordable(desk, witch.id, k)
    if attempt.help.state == "declined":
        desk.refuse("L05")
    help_ = Help(desk.new_id("h"), "asked", k)
    said = words(f"log.help_asked_{attempt.kind}", name=witch.name, cat=desk.state.actors[cat].name, n=k)
    desk.emit(
        "help.asked",
        said,
        actor=witch.id,
        target=cat,
        put={"attempts": {attempt.id: replace(attempt, help=help_)}},
        attempt=attempt.id,
        request=help_.id,
        k=k,
        of=attempt.kind,
    )


def _in_time(desk: Desk, attempt: Attempt) -> None:
    """Before the dice; after them only where the group allows it, for a challenge that failed (§13-8)."""
    if not attempt.done:
        return
    if desk.tables.rule.help_timing == "before":
        raise refused("L34")
    if attempt.kind != "challenge" or attempt.success is not False:
        raise refused("L35")


def _open(desk: Desk, asked: Asked) -> tuple[Attempt, Help]:
    """The request a command answers. Refuses L39 for one that is no longer open."""
    attempt = desk.attempt(asked)
    if attempt.help.state != "asked" or attempt.help.id != asked.text("request"):
        raise refused("L39")
    return attempt, attempt.help


@command(
    "help.answer",
    text("attempt", required=True),
    text("request", required=True),
    choice("answer", "accept", "decline"),
    number("k", 1, 3, required=False),
    codes=("L03", "L04", "L18", "L26", "L39", "L46"),
    rule="§5.5",
)
def answer(desk: Desk, asked: Asked) -> None:
    """The partner's cat agrees, to all of it or to less, or declines. Nobody else may answer (L04)."""
    attempt, help_ = _open(desk, asked)
    cat = desk.state.actors[points.partner(desk, attempt.actor)]
    if not desk.owns(cat):
        raise refused("L04")
    granted = 0
    if asked.text("answer") == "accept":
        desk.awake(cat)
        given = asked.number("k")
        granted = help_.asked if given is None else given
        if granted > help_.asked:
            raise refused("L03")
        if granted < help_.asked and not desk.tables.rule.cat_may_reduce:
            desk.refuse("L46")
    after = replace(help_, state="accepted" if granted else "declined", granted=granted)
    said = words("log.help_accepted" if granted else "log.help_declined", cat=cat.name, n=granted)
    desk.emit(
        "help.answered",
        said,
        actor=cat.id,
        target=attempt.actor,
        put={"attempts": {attempt.id: replace(attempt, help=after)}},
        attempt=attempt.id,
        request=help_.id,
        answer=asked.text("answer"),
        k=granted,
    )


@command(
    "help.withdraw",
    text("attempt", required=True),
    text("request", required=True),
    codes=("L18", "L39"),
    rule="§5.5",
    retractable=True,
)
def withdraw(desk: Desk, asked: Asked) -> None:
    """The witch takes her request back and may roll."""
    attempt, help_ = _open(desk, asked)
    witch = desk.state.actors[attempt.actor]
    if not desk.owns(witch):
        raise refused("P17", name=witch.name)
    after = replace(attempt, help=replace(help_, state="withdrawn"))
    said = words("log.help_withdrawn", name=witch.name)
    desk.emit(
        "help.withdrawn",
        said,
        actor=witch.id,
        put={"attempts": {attempt.id: after}},
        attempt=attempt.id,
        request=help_.id,
    )
