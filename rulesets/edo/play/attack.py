"""Declaring an attack: everything that is checked before anything is paid or thrown (rules §7.2, §7.3, §7.4, §7.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulesets.edo.play import budget, reading, strikes
from rulesets.edo.play.acting import able, free_of_exchange, on_turn, reveal, target_of
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.exchange import advance
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.kp import cost, must, unselfish
from rulesets.edo.play.modes import MODES, mode_of
from rulesets.edo.play.options import iai_works, weapon_bar
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import command, event
from rulesets.edo.play.special import lets_up
from rulesets.edo.play.state import ActorState, ArmState, Exchange, Mode, Shot, Strike
from rulesets.edo.play.words import words
from rulesets.edo.rows import Ranged, Weapon
from rulesets.engine.outcome import Outcome, Reason

event("attack", shows=("exchange", "arm", "mode", "distance", "queue"))
event("attack.dropped")

MODE_WORDS = ("minejuchi", "grapple", "throw", "choke_faint", "choke_kill", "lock", "atemi")
_FIELDS = (
    reading.actor(),
    reading.actor("target"),
    reading.text("arm", required=True),
    reading.choice("mode", *MODE_WORDS, required=False),
    reading.number("distance", 0, 999, required=False),
    reading.number("modifier", -20, 20, required=False),
    reading.flag("auto"),
    reading.flag("auto_riding"),
    reading.flag("buy"),
    reading.flag("selfish"),
    reading.flag("aim"),
    reading.flag("target_moving"),
    reading.flag("shooter_moving"),
    reading.flag("small"),
    reading.flag("half_cover"),
    reading.flag("unaware"),
    reading.FACES,
)
_CODES = (
    *("P01", "P02", "P03", "P04", "P06", "P08", "P09", "P10", "P12", "P14", "P15", "P19", "P24", "P26", "P27", "P28"),
    *("P29", "P35", "P38", "P42", "P43", "P45", "P46", "P47", "P48", "P53", "P74", "P80"),
)


@dataclass(frozen=True)
class Declared:
    """An attack that may be made: the strike, how it is paid, the weapon afterwards."""

    strike: Strike
    way: budget.Way | None
    arm_after: ArmState | None
    unaware: bool


@command("attack", *_FIELDS, codes=_CODES, rule="§7.4")
def attack(desk: Desk, asked: Asked) -> None:
    """One attacker, or every able member of a mob one after the other. A shift of the difficulty is the GM's (§5.3)."""
    attackers = desk.state.group(asked.text("actor"))
    if not attackers:
        raise refused("P18")
    for actor in attackers:
        desk.check_own(desk.seen(actor.id))
    if asked.number("modifier") and not desk.actor.is_gm:
        raise refused("P80")
    queue = [actor.id for actor in attackers]
    if len(queue) > 1:
        queue = [actor.id for actor in attackers if _fresh(desk, actor)] or queue[:1]
    first, rest = queue[0], tuple(queue[1:])
    open_exchange(desk, asked, first, declared(desk, asked, first), rest)


def _fresh(desk: Desk, actor: ActorState) -> bool:
    """A member of a mob who can still attack in this round."""
    return actor.on_stage and actor.life.able and not actor.round.attacks


def declared(desk: Desk, asked: Asked, attacker: str) -> Declared:
    """Check an attack. Refuses before anything happened."""
    actor = desk.state.actors[attacker]
    able(desk, actor)
    free_of_exchange(desk)
    if desk.state.fight is None:
        desk.refuse("P26")
    on_turn(desk, actor)
    target = target_of(desk, asked.text("target"), actor)
    person = Person(desk.tables, actor)
    arm, mode = _arm(person, asked), _mode(person, asked)
    entry = MODES[mode]
    if not entry.fits(person.arms[arm]):
        raise refused("P23", label=words("field.mode"), value=mode or "-")
    drawn, after = _in_hand(desk, person, arm)
    shot = _shot(desk, asked, person, arm, target)
    closed = entry.bar(person, Person(desk.tables, target))
    if closed is not None:
        desk.refuse(closed.code, **closed.params)
    unaware = target.off_guard or (asked.flag("unaware") and desk.actor.is_gm)
    strike = Strike(
        attacker,
        target.id,
        arm,
        mode,
        shot=shot,
        modifier=asked.number("modifier") or 0,
        drawn=drawn,
        auto=asked.flag("auto"),
        auto_riding=asked.flag("auto_riding"),
        riposte=target.id in actor.round.parried,
    )
    way = _pays(desk, person, arm, strike, buy=asked.flag("buy"), selfish=asked.flag("selfish"))
    return Declared(strike, way, after, unaware)


def _arm(person: Person, asked: Asked) -> str:
    arm = asked.text("arm")
    if arm not in person.arms:
        raise refused("P35", why=words("why.no_weapon"))
    return arm


def _mode(person: Person, asked: Asked) -> Mode:
    mode = mode_of(person.arms[asked.text("arm")], asked.text("mode"))
    if mode is None:
        raise refused("P23", label=words("field.mode"), value=asked.text("mode"))
    return mode


def _in_hand(desk: Desk, person: Person, key: str) -> tuple[bool, ArmState | None]:
    """Whether the blow is the drawing cut, and the weapon afterwards. Refuses P08, P10, P35, P45."""
    arm, state = person.arms[key], person.actor.arms.get(key)
    if isinstance(arm, Ranged):
        return False, _loaded(desk, person, key, arm)
    closed = weapon_bar(person, key, "iai_attack")
    if closed is not None:
        why = {"why": words(f"why.{closed.params['why']}")} if "why" in closed.params else closed.params
        desk.refuse(closed.code, **why)
    if state is None or state.ready:
        return False, None
    return iai_works(person, key, "iai_attack"), replace(state, ready=True)


def _loaded(desk: Desk, person: Person, key: str, arm: Ranged) -> ArmState:
    """A missile in the hand, an arrow on the string, a gun that is loaded; what is left afterwards."""
    state = person.actor.arms.get(key, ArmState())
    if person.actor.holds or person.actor.held_by:
        desk.refuse("P45")
    if state.broken:
        raise refused("P35", why=words("why.broken"))
    if state.ammo is not None and state.ammo < 1:
        raise refused("P35", why=words("why.no_ammo"))
    thrown = arm.ready_actions == 1
    if not state.ready:
        desk.refuse("P10", n=1) if thrown and state.taken else desk.refuse("P08")
    needed = arm.ready_rounds or (arm.ready_actions if not thrown else 0)
    if state.progress < needed:
        desk.refuse("P10", n=needed - state.progress)
    ammo = state.ammo - 1 if state.ammo is not None else None
    return replace(state, ready=not thrown, progress=0, taken=True, ammo=ammo)


def _shot(desk: Desk, asked: Asked, person: Person, key: str, target: ActorState) -> Shot | None:
    """Distance against reach or range. Refuses P06, P09, P48, P53."""
    arm = person.arms[key]
    distance = desk.state.distance(person.id, target.id, asked.number("distance"))
    if isinstance(arm, Weapon):
        if distance is not None and not strikes.within(arm.reach, distance):
            desk.refuse("P06", d=distance, r=strikes.reach_text(arm.reach))
        return None
    if distance is None:
        raise refused("P48")
    near, far = person.ranges(arm)
    if distance > far:
        desk.refuse("P09", n=far)
    if asked.flag("aim") and strikes.moved(desk.state, person):
        desk.refuse("P53")
    return Shot(
        distance,
        distance > near,
        target_moving=asked.flag("target_moving"),
        shooter_moving=strikes.moving(desk.state, person, asked.values.get("shooter_moving")),
        aimed=asked.flag("aim"),
        small=asked.flag("small"),
        half_cover=asked.flag("half_cover"),
    )


def _pays(desk: Desk, person: Person, arm: str, strike: Strike, *, buy: bool, selfish: bool) -> budget.Way | None:
    """How the attack is paid; points for it and for a bought success must be there together."""
    way: budget.Way | None = None
    if desk.state.fight is not None:
        way = budget.attack_way(person, arm)
        if person.actor.round.reloading:
            desk.refuse("P47")
            way = "own"
        elif way is None or (way == "buy" and not buy):
            desk.refuse("P01", n=1, m=person.actor.kp) if buy and not person.mook else desk.refuse("P04")
            way = "own"
    points = cost(desk.tables, "extra_action") if way == "buy" else 0
    points += auto_points(desk, strike, selfish=selfish)
    if points > person.actor.kp:
        desk.refuse("P01", n=points, m=person.actor.kp)
    if points:
        unselfish(desk, person, selfish)
    return way


def auto_points(desk: Desk, strike: Strike, *, selfish: bool) -> int:
    """活劇点 for success without rolling: to hit, and from horseback to ride. Refuses P01, P02, P03, P14."""
    person = desk.person(strike.attacker)
    rider = strikes.riding(desk.state, strike)
    plans = [strikes.to_hit(desk.state, strike)] if strike.auto else []
    plans += [rider] if strike.auto_riding and rider is not None else []
    return sum(must(desk, person, "auto_success", possible=one.possible, selfish=selfish) for one in plans)


# ---------------------------------------------------------------- made


def open_exchange(desk: Desk, asked: Asked, attacker: str, found: Declared, queue: tuple[str, ...]) -> None:
    """Declare the attack and go on until somebody is asked."""
    strike = found.strike
    reveal(desk, attacker, strike.target)
    person = desk.person(attacker)
    exchange = Exchange(
        desk.new_id("x"),
        (strike,),
        unaware=found.unaware,
        since=desk.command.at,
        queue=queue,
    )
    flow = Flow(desk, exchange)
    paid = budget.pay_attack(person, strike.arm, found.way) if found.way is not None else None
    values: dict[str, Any] = paid.values(person) if paid is not None else {}
    values |= lets_up(person, strike.mode)
    if strike.riposte:
        use = values.get("round", person.actor.round)
        values["round"] = replace(use, parried=tuple(who for who in use.parried if who != strike.target))
    if strike.shot is not None and strike.shot.aimed and "round" in values:
        values["round"] = replace(values["round"], moves=1 + values["round"].bought_moves, stretch=0)
    if found.arm_after is not None:
        values["arms"] = {**person.actor.arms, strike.arm: found.arm_after}
    world: dict[str, Any] = {"step": desk.state.step + 1}
    if (ken := asked.number("distance")) is not None:
        world["distances"] = desk.with_distance(attacker, strike.target, ken)
    flow.emit(
        "attack",
        _said(person, desk.person(strike.target), strike),
        outcome=Outcome("attack", Reason(person.arms[strike.arm].name, "§7.4"), changes=paid.changes) if paid else None,
        actor=attacker,
        target=strike.target,
        actors={attacker: values},
        world=world,
        arm=strike.arm,
        mode=strike.mode,
        distance=ken,
        queue=len(queue),
    )
    advance(flow)
    next_of_mob(desk, asked, queue)


def _said(person: Person, target: Person, strike: Strike) -> Any:
    key = "log.attack_drawn" if strike.drawn else "log.attack"
    found = words(key, name=person.name, target=target.name, weapon=person.arms[strike.arm].name)
    return found


def next_of_mob(desk: Desk, asked: Asked, queue: tuple[str, ...]) -> None:
    """The next member attacks as the first did, unless an answer is awaited; who cannot is left out."""
    if not queue or desk.state.exchange is not None:
        return
    first, rest = queue[0], queue[1:]
    try:
        found = declared(desk, asked, first)
    except reading.Refuse as closed:
        name = desk.state.actors[first].name
        said = words("log.dropped", name=name, why=closed.refused.message)
        desk.emit("attack.dropped", said, actor=first, audience=desk.audience(first, asked.text("target")))
        next_of_mob(desk, asked, rest)
        return
    open_exchange(desk, asked, first, found, rest)
