"""Answers to what an exchange asks: counter, roll, defence, points after a failure, survive (rules §6.3, §7.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulesets.edo.play import budget, contest, reading
from rulesets.edo.play.acting import name_of
from rulesets.edo.play.attack import MODE_WORDS, auto_points, next_of_mob
from rulesets.edo.play.checks import Made, again, bought, turned
from rulesets.edo.play.damage import die_now, survives
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.exchange import advance, meet_demand
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.kp import cost, must, unselfish
from rulesets.edo.play.options import Option, asked_check, options
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import COMMANDS, command, event
from rulesets.edo.play.special import lets_up
from rulesets.edo.play.state import Check, Strike
from rulesets.edo.play.words import known, words
from rulesets.engine.outcome import Outcome, Reason

event("answered", shows=("exchange", "answer", "arm"))

ANSWERS = (
    *("none", "counter", "roll", "auto", "accept", "reroll", "turn"),
    *("parry", "dodge", "resist", "survive", "die"),
)
_CODES = (
    *("P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P11", "P14", "P24", "P30", "P31", "P32", "P35"),
    *("P42", "P43", "P44", "P45", "P47"),
)


@command(
    "answer",
    reading.choice("answer", *ANSWERS),
    reading.text("arm"),
    reading.choice("mode", *MODE_WORDS, required=False),
    reading.flag("buy"),
    reading.flag("auto"),
    reading.flag("auto_riding"),
    reading.flag("selfish"),
    reading.FACES,
    codes=_CODES,
    rule="§7.4",
    answers=True,
)
def answer(desk: Desk, asked: Asked) -> None:
    """Answer the open question, as whoever is asked or as the GM on their behalf."""
    waiting = desk.state.exchange or desk.state.contest
    desk.step(waiting.asked if waiting is not None else "")
    if waiting is None:
        raise refused("P30")
    actor = desk.state.actors[waiting.asked]
    if not desk.actor.is_gm and (actor.npc or actor.seat != desk.actor.seat):
        raise refused("P31", name=name_of(desk, actor.id))
    if desk.state.exchange is None:
        contest.answered(desk, asked)
        return
    option = chosen(desk, asked)
    flow = Flow(desk, desk.state.exchange)
    about = flow.ex.about
    flow.move(asked="")
    _HANDLERS[about](flow, asked, option)
    advance(flow)
    queue = flow.ex.queue
    if queue and desk.state.exchange is None:
        next_of_mob(desk, _as_declared(flow), queue)


def chosen(desk: Desk, asked: Asked) -> Option:
    """The option that was taken. Refuses P32 for what is no answer, and whatever closes it."""
    found = [option for option in options(desk.state) if option.answer == asked.text("answer")]
    if asked.text("arm") or any(option.arm for option in found):
        found = [option for option in found if option.arm == asked.text("arm")] or _only(found, asked)
    if asked.text("mode"):
        found = [option for option in found if option.mode == asked.text("mode")]
    if not found:
        _not_for_mooks(desk, asked.text("answer"))
        raise refused("P32", answer=words(f"choice.answer.{asked.text('answer')}"))
    option = found[0]
    if option.bar is not None:
        desk.refuse(option.bar.code, **_said(option.bar.params))
    if option.way == "buy" and not asked.flag("buy"):
        desk.refuse("P04" if option.answer == "counter" else "P05")
    return option


def _not_for_mooks(desk: Desk, word: str) -> None:
    """What a mook may never answer (§7.13), whatever it is asked."""
    asked = desk.state.exchange.asked if desk.state.exchange is not None else ""
    if asked and desk.person(asked).mook and word in ("counter", "parry", "dodge"):
        raise refused("P07")


def _only(found: list[Option], asked: Asked) -> list[Option]:
    """Without a weapon named: the one that is open, if there is only one."""
    opened = [option for option in found if option.open]
    return opened if not asked.text("arm") and len(opened) == 1 else []


def _said(params: dict[str, object]) -> dict[str, object]:
    """Parameters of a refusal in words."""
    found = dict(params)
    for name, prefix in (("why", "why"), ("how", "how"), ("answer", "choice.answer")):
        key = f"{prefix}.{found.get(name)}"
        if name in found and known(key):
            found[name] = words(key)
    return found


# ---------------------------------------------------------------- counter and roll


def _counter(flow: Flow, asked: Asked, option: Option) -> None:
    defender = flow.desk.person(flow.ex.strikes[0].target)
    flow.move(phase="to_hit")
    if option.answer == "none":
        said = words("log.no_counter", name=defender.name)
        flow.emit("answered", said, actor=defender.id, target=flow.strike.attacker, answer="none")
        return
    points = option.points
    against = flow.ex.strikes[0].attacker
    counter = Strike(defender.id, against, option.arm, option.mode, counter=True, auto=asked.flag("auto"))
    counter = replace(counter, auto_riding=asked.flag("auto_riding"))
    state = defender.actor.arms.get(option.arm)
    drawn = state is not None and not state.ready
    counter = replace(counter, drawn=drawn)
    points += auto_points(flow.desk, counter, selfish=asked.flag("selfish"))
    _points(flow.desk, defender, points, asked)
    paid = budget.pay_attack(defender, option.arm, option.way or "own")
    values = _paid(flow.desk, defender, paid) | lets_up(defender, option.mode)
    if drawn and state is not None:
        values["arms"] = {**defender.actor.arms, option.arm: replace(state, ready=True)}
    flow.move(strikes=(*flow.ex.strikes, counter))
    said = words("log.counter", name=defender.name, weapon=defender.arms[option.arm].name)
    _answered(flow, said, "counter", option, defender, values, paid)


def _before_roll(flow: Flow, asked: Asked, option: Option) -> None:
    if option.answer == "auto":
        unselfish(flow.desk, flow.attacker, asked.flag("selfish"))
        flow.put(auto=True)
    said = words(f"log.did_{option.answer}", name=flow.attacker.name)
    flow.emit("answered", said, actor=flow.strike.attacker, target=flow.strike.target, answer=option.answer)


# ---------------------------------------------------------------- defence


def _defence(flow: Flow, asked: Asked, option: Option) -> None:
    person = flow.target
    if option.answer == "none":
        flow.put(defence="none")
        flow.move(phase="damage")
        said = words("log.no_defence", name=person.name)
        flow.emit("answered", said, actor=person.id, target=flow.strike.attacker, answer="none")
        return
    planned = option.plan
    if planned is None:
        raise refused("P32", answer=words(f"choice.answer.{option.answer}"))
    points = option.points
    if asked.flag("auto"):
        points += must(flow.desk, person, "auto_success", possible=planned.possible, selfish=asked.flag("selfish"))
    _points(flow.desk, person, points, asked)
    flow.put(defence=option.answer, defence_arm=option.arm)
    flow.move(phase="defence_window")
    _pay_defence(flow, person, option)
    if asked.flag("auto"):
        made = bought(flow.desk, planned, cost(flow.desk.tables, "auto_success"))
    else:
        made = flow.throw(planned)
    flow.put(defended=made.check)
    _rolled(flow, made, f"log.{option.answer}_roll")


def _pay_defence(flow: Flow, person: Person, option: Option) -> None:
    paid: budget.Paid | None = None
    if option.answer == "parry":
        paid = budget.pay_parry(person, option.arm, option.way or "own")
    elif option.answer == "dodge":
        paid = budget.pay_dodge(person, option.way or "own")
    values = _paid(flow.desk, person, paid) if paid is not None else {}
    state = person.actor.arms.get(option.arm)
    if option.answer == "parry" and state is not None and not state.ready:
        values["arms"] = {**person.actor.arms, option.arm: replace(state, ready=True)}
    said = words(f"log.tries_{option.answer}", name=person.name)
    _answered(flow, said, option.answer, option, person, values, paid)


def _demand(flow: Flow, asked: Asked, option: Option) -> None:
    if option.answer == "auto":
        unselfish(flow.desk, flow.target, asked.flag("selfish"))
    meet_demand(flow, auto=option.answer == "auto")


# ---------------------------------------------------------------- after a failed roll


def _window(flow: Flow, asked: Asked, option: Option) -> None:
    """Accept a failure, or spend points on it."""
    check = asked_check(flow.ex)
    if check is None:
        raise refused("P30")
    made = use_points(flow.desk, check, option.answer, selfish=asked.flag("selfish"))
    if made is None:
        flow.keep(replace(check, settled=True))
        said = words("log.did_accept", name=flow.desk.person(check.who).name)
        flow.emit("answered", said, actor=check.who, answer="accept")
        return
    flow.keep(made.check)
    _rolled(flow, made, f"log.did_{option.answer}")


def use_points(desk: Desk, check: Check, answer: str, *, selfish: bool, difficulty: int | None = None) -> Made | None:
    """A reroll or a turned failure; None when the failure stands."""
    person = desk.person(check.who)
    if answer == "accept":
        return None
    unselfish(desk, person, selfish)
    if answer == "reroll":
        return again(desk, check, cost(desk.tables, "reroll"))
    return turned(desk, check, cost(desk.tables, "turn_failure"), difficulty)


# ---------------------------------------------------------------- dying


def _survive(flow: Flow, asked: Asked, option: Option) -> None:
    who = flow.desk.state.exchange.asked if flow.desk.state.exchange is not None else ""
    if option.answer == "survive":
        unselfish(flow.desk, flow.desk.person(who), asked.flag("selfish"))
        survives(flow, who)
    else:
        die_now(flow, who)


# ---------------------------------------------------------------- shared


def _points(desk: Desk, person: Person, points: int, asked: Asked) -> None:
    if points > person.actor.kp:
        desk.refuse("P01", n=points, m=person.actor.kp)
    if points:
        unselfish(desk, person, asked.flag("selfish"))


def _paid(desk: Desk, person: Person, paid: budget.Paid) -> dict[str, Any]:
    """What an action takes from the round; nothing is counted outside a fight but points."""
    values = paid.values(person)
    if desk.state.fight is None:
        values.pop("round")
    return values


def _answered(
    flow: Flow,
    said: Any,
    word: str,
    option: Option,
    person: Person,
    values: dict[str, Any],
    paid: budget.Paid | None,
) -> None:
    outcome = None
    if paid is not None and paid.changes:
        outcome = Outcome("paid", Reason(words("use.extra_action"), "§6.3"), changes=paid.changes)
    other = flow.strike.attacker if person.id == flow.strike.target else flow.strike.target
    flow.emit(
        "answered",
        said,
        outcome=outcome,
        actor=person.id,
        target=other,
        actors={person.id: values},
        answer=word,
        arm=option.arm,
    )


def _rolled(flow: Flow, made: Made, said: str) -> None:
    who = made.check.who
    person = flow.desk.person(who)
    other = flow.strike.attacker if who == flow.strike.target else flow.strike.target
    of = flow.strike.target if made.check.kind == "to_hit" and flow.strike.shot is None else ""
    flow.emit(
        "rolled",
        words(said, name=person.name),
        outcome=made.outcome,
        of=of,
        actor=who,
        target=other,
        actors={who: made.values},
        check=made.check.id,
    )


def _as_declared(flow: Flow) -> Asked:
    """The attack of a mob's next member, as the one before declared it."""
    strike = next(strike for strike in flow.ex.strikes if not strike.counter)
    shot = strike.shot
    values: dict[str, Any] = {"target": strike.target, "arm": strike.arm, "mode": strike.mode or None}
    if shot is not None:
        values |= {"distance": shot.distance, "target_moving": shot.target_moving, "small": shot.small}
        values |= {"half_cover": shot.half_cover}
    if strike.modifier:
        values["modifier"] = strike.modifier
    return Asked(COMMANDS["attack"].shape, values)


_HANDLERS: dict[str, Callable[[Flow, Asked, Option], None]] = {
    "counter": _counter,
    "to_hit": _before_roll,
    "hit": _window,
    "riding": _window,
    "defence": _defence,
    "defended": _window,
    "demand": _demand,
    "after": _window,
    "survive": _survive,
}
