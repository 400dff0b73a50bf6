"""The exchange as a state machine (rules §7.4): each step goes on until somebody has to be asked.

DECLARED (counter) → TO_HIT → window → ORDER → for each strike: CHECK → DEFENCE → window → DAMAGE → window survive →
MORALE → next strike → end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading, strikes
from rulesets.edo.play.checks import Made, Plan, bought
from rulesets.edo.play.damage import tests_morale
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.kp import rescues
from rulesets.edo.play.modes import AFTER, DEMANDS, MODES, PARRIED
from rulesets.edo.play.options import before_roll, counters, defences, demanded
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import Check, Strike
from rulesets.edo.play.words import words

event("asked", shows=("exchange", "about", "step"))
event("rolled", shows=("exchange", "check"))
event("damage", shows=("exchange",))
event("died", shows=("exchange",))
event("survived", shows=("exchange",))
event("life", shows=("exchange", "life"))
event("broken", shows=("exchange",))
event("strike", shows=("exchange", "result"))
event("exchange.ended", shows=("exchange", "result"))
event("exchange.stopped", shows=("reason",))


def advance(flow: Flow) -> None:
    """Go on until somebody is asked or the exchange is over."""
    while not flow.ex.asked and flow.ex.phase != "end":
        _PHASES[flow.ex.phase](flow)
    if flow.ex.phase == "end":
        _end(flow)


# ---------------------------------------------------------------- declared


def _counter(flow: Flow) -> None:
    """Ask the target whether to strike back, if that is possible at all."""
    flow.move(phase="to_hit")
    if any(option.open and option.answer == "counter" for option in counters(flow.desk.state, flow.ex)):
        flow.move(phase="counter")
        flow.ask(flow.strike.target, "counter")


# ---------------------------------------------------------------- to hit


def _to_hit(flow: Flow) -> None:
    """Every strike that was declared is rolled; bought successes throw nothing.

    Against a counter the attacker may think again about succeeding without a roll.
    """
    if len(flow.ex.strikes) > 1 and flow.ex.about != "to_hit" and not flow.ex.strikes[0].auto:
        flow.move(current=0)
        if any(option.open and option.answer == "auto" for option in before_roll(flow.desk.state, flow.ex)):
            flow.ask(flow.strike.attacker, "to_hit")
            return
    for index, strike in enumerate(flow.ex.strikes):
        flow.move(current=index)
        if strike.hit is None:
            _roll_to_hit(flow, strike)
    flow.move(current=0, phase="hit_window")


def _roll_to_hit(flow: Flow, strike: Strike) -> None:
    actor = flow.desk.state.actors[strike.attacker]
    flow.put(first=not actor.first_strike_used)
    planned = strikes.to_hit(flow.desk.state, flow.strike)
    made = _made(flow, planned, auto=strike.auto)
    flow.put(hit=made.check)
    said = words("log.to_hit", name=actor.name, target=flow.target.name)
    values = {**made.values, "first_strike_used": True}
    _say_roll(flow, said, made, of="" if strike.shot is not None else strike.target, values=values)
    rider = strikes.riding(flow.desk.state, flow.strike)
    if rider is not None:
        ridden = _made(flow, rider, auto=strike.auto_riding)
        flow.put(riding=ridden.check)
        _say_roll(flow, words("log.riding", name=actor.name), ridden)


def _made(flow: Flow, planned: Plan, *, auto: bool) -> Made:
    """Bought if that was said and the points are still there (others may have gone for something else), or thrown."""
    price = flow.desk.tables.kp_uses["auto_success"].cost or 0
    if auto and flow.desk.person(planned.who).actor.kp >= price:
        return bought(flow.desk, planned, price)
    return flow.throw(planned)


def _say_roll(flow: Flow, said: Any, made: Made, *, of: str = "", values: dict[str, Any] | None = None) -> None:
    who = made.check.who
    found = dict(made.values) if values is None else values
    target = flow.strike.target if who == flow.strike.attacker else flow.strike.attacker
    flow.emit(
        "rolled", said, outcome=made.outcome, of=of, actor=who, target=target, actors={who: found}, check=made.check.id
    )


def _hit_window(flow: Flow) -> None:
    """After a failed roll its owner may throw again or pay for success (§6.3)."""
    for index, strike in enumerate(flow.ex.strikes):
        flow.move(current=index)
        for about, check in (("hit", strike.hit), ("riding", strike.riding)):
            if check is not None and _ask_window(flow, about, check):
                return
    flow.move(current=0, phase="order")


def _ask_window(flow: Flow, about: str, check: Check) -> bool:
    if rescues(flow.desk.person(check.who), check):
        flow.ask(check.who, about)
        return True
    return False


# ---------------------------------------------------------------- order


def _order(flow: Flow) -> None:
    """Larger totals first, equal ones in the order of declaration (E21); missed strikes are dropped."""
    found = [strike if strike.landed_roll else replace(strike, result="missed") for strike in flow.ex.strikes]
    found.sort(key=lambda strike: -(strike.hit.total or 0) if strike.hit is not None else 0)
    flow.move(strikes=tuple(found), current=0, phase="defence")
    for index, strike in enumerate(found):
        if strike.result == "missed":
            flow.move(current=index)
            said = words("log.missed", name=flow.attacker.name, target=flow.target.name)
            flow.emit("strike", said, actor=strike.attacker, target=strike.target, result="missed")
            MODES[strike.mode].missed(flow)
    flow.move(current=0)


# ---------------------------------------------------------------- defence


def _defence(flow: Flow) -> None:
    strike = flow.strike
    if strike.result:
        _next(flow)
    elif flow.target.actor.life.gone or not _still_strikes(flow):
        _void(flow)
    elif strike.defence:
        flow.move(phase="defence_window")
    else:
        _see_riposte(flow)
        if any(option.open and option.answer != "none" for option in defences(flow.desk.state, flow.ex)):
            flow.ask(flow.strike.target, "defence")
        else:
            flow.put(defence="none")
            flow.move(phase="damage")


def _still_strikes(flow: Flow) -> bool:
    """A striker who was killed or put out of the fight strikes no more; at a tie both may (E21)."""
    if flow.attacker.actor.life.able:
        return True
    if flow.desk.tables.rule.tie_counter != "both" or flow.ex.current == 0:
        return False
    totals = [strike.hit.total for strike in flow.ex.strikes if strike.hit is not None]
    return len(totals) > 1 and totals[0] == totals[1]


def _void(flow: Flow) -> None:
    flow.put(result="void")
    said = words("log.void", name=flow.attacker.name)
    flow.emit("strike", said, actor=flow.strike.attacker, target=flow.strike.target, result="void")
    _next(flow)


def _see_riposte(flow: Flow) -> None:
    """小野派: a counter that comes after the parry of that enemy's strike."""
    attacker = flow.attacker.actor
    if not flow.strike.counter or flow.strike.target not in attacker.round.parried:
        return
    left = tuple(who for who in attacker.round.parried if who != flow.strike.target)
    flow.put(riposte=True)
    said = words("log.riposte", name=attacker.name)
    values = {attacker.id: {"round": replace(attacker.round, parried=left)}}
    flow.emit("strike", said, actor=attacker.id, target=flow.strike.target, actors=values, result="riposte")


def _defence_window(flow: Flow) -> None:
    check = flow.strike.defended
    if check is not None and check.success is False and _ask_window(flow, "defended", check):
        return
    if check is None or not check.success:
        flow.move(phase="damage")
        return
    _stopped(flow)


def _stopped(flow: Flow) -> None:
    result = {"parry": "parried", "dodge": "dodged", "resist": "resisted"}[flow.strike.defence]
    flow.put(result=result)
    target = flow.target.actor
    values: dict[str, dict[str, Any]] = {}
    if result == "parried":
        parried = (*target.round.parried, flow.strike.attacker)
        values[target.id] = {"round": replace(target.round, parried=parried)}
    said = words(f"log.{result}", name=target.name, target=flow.attacker.name)
    flow.emit("strike", said, actor=target.id, target=flow.strike.attacker, actors=values, result=result)
    flow.move(phase="after_window")
    if result == "parried":
        for hook in PARRIED:
            hook(flow)


# ---------------------------------------------------------------- damage and after


def _damage(flow: Flow) -> None:
    flow.move(phase="after_window")
    flow.put(result="landed")
    MODES[flow.strike.mode].landed(flow)


def _after(flow: Flow) -> None:
    """Morale of minor NPCs, or whatever else the hit demanded; then the next strike."""
    demand = flow.strike.demand
    if not demand and tests_morale(flow.target, flow.strike.damage or 0):
        demand = flow.put(demand="morale").demand
    if demand and flow.strike.after is None:
        if any(option.open and option.answer == "auto" for option in demanded(flow.desk.state, flow.ex)):
            flow.ask(flow.strike.target, "demand")
            return
        meet_demand(flow, auto=False)
    check = flow.strike.after
    if check is not None and not check.settled:
        if check.success is False and _ask_window(flow, "after", check):
            return
        flow.put(after=replace(check, settled=True))
        follow = AFTER.get(check.kind)
        if follow is not None:
            follow(flow)
    if not flow.ex.asked and flow.ex.phase == "after_window":
        _next(flow)


def meet_demand(flow: Flow, *, auto: bool) -> None:
    """The target makes the roll that the hit demands, or succeeds with points."""
    plan_of, said = DEMANDS[flow.strike.demand]
    made = _made(flow, plan_of(flow.desk.state, flow.strike), auto=auto)
    flow.put(after=made.check)
    person = flow.target
    text, values = words(said, name=person.name), {person.id: made.values}
    flow.emit("rolled", text, outcome=made.outcome, of=person.id, actor=person.id, actors=values, check=made.check.id)


def _after_survive(flow: Flow) -> None:
    """Whether somebody lives is settled; without a strike there is nothing left."""
    flow.move(phase="after_window" if flow.ex.strikes else "end")


def _next(flow: Flow) -> None:
    if flow.ex.current + 1 < len(flow.ex.strikes):
        flow.move(current=flow.ex.current + 1, phase="defence")
    else:
        flow.move(phase="end")


def _end(flow: Flow) -> None:
    """Close; whoever was taken unawares is aware now; the rest of a mob follows."""
    desk, ex = flow.desk, flow.ex
    if not ex.strikes:
        if desk.state.exchange is not None:
            desk.emit(
                "exchange.ended", world={"exchange": None, "step": desk.state.step + 1}, exchange=ex.id, result=[]
            )
        return
    target = ex.strikes[0].target if not ex.strikes[0].counter else ex.strikes[0].attacker
    values = {target: {"unaware": False}} if desk.state.actors[target].unaware else {}
    results = [{"attacker": s.attacker, "target": s.target, "result": s.result} for s in ex.strikes]
    desk.emit(
        "exchange.ended",
        words("log.exchange_ended"),
        actors=values,
        world={"exchange": None, "step": desk.state.step + 1},
        audience=desk.audience(*(strike.attacker for strike in ex.strikes), *(strike.target for strike in ex.strikes)),
        exchange=ex.id,
        result=results,
    )


_PHASES: dict[str, Callable[[Flow], None]] = {
    "counter": _counter,
    "to_hit": _to_hit,
    "hit_window": _hit_window,
    "order": _order,
    "defence": _defence,
    "defence_window": _defence_window,
    "damage": _damage,
    "survive": _after_survive,
    "after_window": _after,
}


@command("exchange.stop", reading.text("reason", required=True), roles=GM_ONLY, codes=("P29", "P30"), rule="§7.4")
def stop(desk: Desk, asked: Asked) -> None:
    """The GM breaks off an exchange or an opposed roll; what was spent stays spent. Not while a life hangs on it."""
    exchange, contest = desk.state.exchange, desk.state.contest
    if exchange is None and contest is None:
        raise refused("P30")
    if exchange is not None and exchange.about == "survive" and exchange.asked:
        raise refused("P29", name=desk.state.actors[exchange.asked].name)
    concerned = {side.who for side in contest.sides} if contest is not None else set()
    if exchange is not None:
        concerned |= {who for strike in exchange.strikes for who in (strike.attacker, strike.target)} | {exchange.asked}
    desk.emit(
        "exchange.stopped",
        words("log.stopped", reason=asked.text("reason")),
        world={"exchange": None, "contest": None, "step": desk.state.step + 1},
        audience=desk.audience(*concerned),
        reason=asked.text("reason"),
    )
