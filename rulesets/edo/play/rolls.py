"""Ability, skill and endurance rolls outside an exchange: open, private or blind, opened later (rules §5, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able
from rulesets.edo.play.asking import known_skill, tried
from rulesets.edo.play.checks import Made, Plan, again, against, bought, plan, throw, turned
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.followups import FOLLOW, gives_away, stands
from rulesets.edo.play.kp import Use, bar, cost, must, possible, rescues, unselfish
from rulesets.edo.play.masks import public
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, Check, Reply
from rulesets.edo.play.words import words
from rulesets.engine.outcome import Outcome
from rulesets.engine.play import ALL, GM, Audience, seat_token
from rulesets.engine.text import Text

event("roll", shows=("roll", "what", "request", "secrecy", "note", "rescues"))
event("roll.opened", shows=("roll", "what"))
event("roll.settled", shows=("roll",))

KEPT = 40  # rolls the state remembers
SECRECIES = ("open", "private", "blind")
SECRECY = reading.choice("secrecy", *SECRECIES, required=False)
DIFFICULTY = reading.number("difficulty", 0, 60, required=False)


def audience_of(desk: Desk, actor: ActorState, secrecy: str) -> Audience:
    """Who sees a roll: all; the roller and the GM; the GM alone. Rolls of the hidden are the GM's."""
    if secrecy == "blind" or actor.hidden or (actor.npc and secrecy == "private"):
        return GM
    if secrecy == "private":
        return (seat_token(actor.seat), *GM)
    return ALL


@dataclass(frozen=True, slots=True)
class Said:
    """What a roll is for: words, the request it answers; `hides`: its difficulty is the GM's alone."""

    what: str
    secrecy: str
    note: str = ""
    request: str = ""
    auto: bool = False
    selfish: bool = False
    hides: bool = False


@command(
    "roll",
    reading.actor(),
    reading.text("what", required=True),
    DIFFICULTY,
    reading.flag("no_difficulty"),
    reading.number("modifier", -20, 20, required=False),
    reading.text("text"),
    SECRECY,
    reading.flag("auto"),
    reading.flag("selfish"),
    reading.FACES,
    codes=("P01", "P02", "P03", "P14", "P24", "P27", "P33", "P34", "P42", "P43", "P51", "P54"),
    rule="§5.2",
)
def roll(desk: Desk, asked: Asked) -> None:
    """Roll on a skill, ability or endurance against 15, a given difficulty, or none."""
    actor = desk.own(asked)
    able(desk, actor)
    person = desk.person(actor.id)
    what = known_skill(desk, person, asked.text("what"))
    tried(desk, person, what)
    if asked.flag("auto") and asked.flag("no_difficulty"):
        raise refused("P54")
    given = None if asked.flag("no_difficulty") else _difficulty(desk, asked)
    planned = planned_roll(person, what, given, asked.number("modifier") or 0)
    said = Said(
        what, asked.text("secrecy") or "open", asked.text("text"), "", asked.flag("auto"), asked.flag("selfish")
    )
    make(desk, person, planned, said)


def _difficulty(desk: Desk, asked: Asked) -> int:
    """15 unless something else was said (§5.3)."""
    given = asked.number("difficulty")
    return desk.tables.number("base_difficulty") if given is None else given


def planned_roll(person: Person, what: str, difficulty: int | None, modifier: int = 0) -> Plan:
    """The plan of an ordinary roll."""
    if difficulty is None:
        return plan(person, "roll", person.means(what), None)
    parts = [against("difficulty", difficulty, words("part.difficulty"), "§5.3")]
    if modifier:
        parts.append(against("gm", modifier, words("part.gm"), "§5.3"))
    return plan(person, "roll", person.means(what), parts)


def make(desk: Desk, person: Person, planned: Plan, said: Said, world: Mapping[str, Any] | None = None) -> Check:
    """Throw or buy a planned roll, keep it, tell it to those who may know; returns what was kept.

    `world(check)` of a request is added by the caller through `world`.
    """
    audience = audience_of(desk, person.actor, said.secrecy)
    if said.auto:
        points = must(desk, person, "auto_success", possible=planned.possible, selfish=said.selfish)
        made = bought(desk, planned, points, audience=audience)
    else:
        made = throw(desk, planned, audience=audience)
    made = replace(made, check=replace(made.check, hides=said.hides))
    return tell(desk, made, said, "log.roll_auto" if said.auto else "log.roll", world)


def tell(desk: Desk, made: Made, said: Said, key: str, world: Mapping[str, Any] | None = None) -> Check:
    """Keep a roll and tell it."""
    person = desk.person(made.check.who)
    after = replace(person.actor, **made.values)
    uses = () if said.secrecy == "blind" else rescues(Person(desk.tables, after), made.check)
    check = made.check if uses else replace(made.check, settled=True)
    rolls = kept(desk.state.rolls, check)
    text = words(key, name=person.name, what=person.means(said.what).name)
    desk.emit(
        "roll",
        text,
        actor=person.id,
        outcome=made.outcome,
        public=public(desk.state, made.outcome, of=gives_away(check), hides=check.hides),
        actors={person.id: made.values},
        world={"rolls": rolls, **(world or {})},
        audience=made.check.audience,
        roll=check.id,
        what=said.what,
        secrecy=said.secrecy,
        note=said.note,
        rescues=list(uses),
        **({"request": said.request} if said.request else {}),
    )
    if check.settled:
        stands(desk, check)
    return check


def kept(rolls: Mapping[str, Check], check: Check) -> dict[str, Check]:
    """The last rolls; a new roll of somebody settles their earlier ones, unless something is to follow from those."""
    found = {key: replace(old, settled=True) if _passes(old, check) else old for key, old in rolls.items()}
    found[check.id] = check
    for key in [key for key, old in found.items() if old.settled][: max(0, len(found) - KEPT)]:
        del found[key]
    return found


def _passes(old: Check, new: Check) -> bool:
    return old.who == new.who and old.id != new.id and old.kind not in FOLLOW


# ---------------------------------------------------------------- points after a failure, opening


@command(
    "roll.rescue",
    reading.text("roll", required=True),
    reading.choice("answer", "accept", "reroll", "turn"),
    reading.flag("selfish"),
    reading.FACES,
    codes=("P01", "P02", "P03", "P14", "P24", "P39", "P42", "P43"),
    rule="§6.3",
)
def rescue(desk: Desk, asked: Asked) -> None:
    """Throw a failed roll again, make it a success, or let it stand."""
    check = desk.state.rolls.get(asked.text("roll"))
    if check is None:
        raise refused("P39")
    desk.check_own(desk.seen(check.who))
    if check.settled or check.success is not False:
        raise refused("P39")
    person, word = desk.person(check.who), asked.text("answer")
    if word == "accept":
        _settle(desk, check)
        return
    use: Use = "reroll" if word == "reroll" else "turn_failure"
    closed = bar(person, use, possible=word == "reroll" or possible(check))
    if closed is not None:
        desk.refuse(closed.code, **closed.params)
    price = cost(desk.tables, use)
    if person.actor.kp < price:
        desk.refuse("P01", n=price, m=person.actor.kp)
    unselfish(desk, person, asked.flag("selfish"))
    made = again(desk, check, price) if word == "reroll" else turned(desk, check, price)
    request, world = answering(desk, made.check)
    tell(desk, made, Said(check.what, secrecy_of(check), request=request), f"log.did_{word}", world)


def result_of(check: Check) -> Literal["rolled", "success", "failure"]:
    """What a roll says to whoever asked for it."""
    return "rolled" if check.success is None else "success" if check.success else "failure"


def answering(desk: Desk, check: Check) -> tuple[str, dict[str, Any]]:
    """The request a roll answers, with that answer as it is now; "" and nothing for any other roll."""
    for key, request in desk.state.requests.items():
        for who, reply in request.replies.items():
            if reply.check == check.id:
                replies = {**request.replies, who: Reply(result_of(check), check.id, check.total)}
                return key, {"requests": {**desk.state.requests, key: replace(request, replies=replies)}}
    return "", {}


def secrecy_of(check: Check) -> str:
    if check.audience == ALL:
        return "open"
    return "blind" if check.audience == GM else "private"


def _settle(desk: Desk, check: Check) -> None:
    rolls = {**desk.state.rolls, check.id: replace(check, settled=True)}
    said = words("log.did_accept", name=desk.state.actors[check.who].name)
    desk.emit("roll.settled", said, actor=check.who, world={"rolls": rolls}, audience=check.audience, roll=check.id)
    stands(desk, check)


@command("roll.open", reading.text("roll", required=True), roles=GM_ONLY, codes=("P19", "P39", "P46"), rule="§5.6")
def open_roll(desk: Desk, asked: Asked) -> None:
    """Show a hidden roll to everybody."""
    check = desk.state.rolls.get(asked.text("roll"))
    if check is None:
        raise refused("P39")
    if check.audience == ALL:
        raise refused("P46")
    if desk.state.actors[check.who].hidden:
        raise refused("P19", name=desk.state.actors[check.who].name)
    outcome = Outcome.from_json(check.outcome)
    rolls = {**desk.state.rolls, check.id: replace(check, audience=ALL)}
    person = desk.person(check.who)
    desk.emit(
        "roll.opened",
        _opened(person, check),
        actor=check.who,
        outcome=outcome,
        public=public(desk.state, outcome),
        world={"rolls": rolls},
        audience=ALL,
        roll=check.id,
        what=check.what,
    )


def _opened(person: Person, check: Check) -> Text:
    return words("log.opened", name=person.name, what=person.means(check.what).name)
