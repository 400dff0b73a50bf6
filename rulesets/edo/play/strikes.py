"""What the rolls of a strike are made against: to hit, riding, parry, dodge (rules §5.4, §7.4, §7.7, §7.12)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.edo.play.checks import Plan, against, plan
from rulesets.edo.play.modes import MODES
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Shot, State, Strike
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Ranged, When
from rulesets.engine.outcome import Modifier, Reason


def attacker(state: State, strike: Strike) -> Person:
    return Person(state.tables, state.actors[strike.attacker])


def target(state: State, strike: Strike) -> Person:
    return Person(state.tables, state.actors[strike.target])


# ---------------------------------------------------------------- to hit


def to_hit(state: State, strike: Strike) -> Plan:
    """The to-hit roll: evasion in melee, distance for a shot; style, the GM's shift, the attacker's conditions."""
    x, y = attacker(state, strike), target(state, strike)
    arm, means = x.arms[strike.arm], x.arm_means(strike.arm)
    parts = list(_shot(x, y, strike.shot) if strike.shot is not None else MODES[strike.mode].base(x, y, arm))
    parts += x.shift(means.what, "own_attack", (), "target")
    if strike.modifier:
        parts.append(against("gm", strike.modifier, words("part.gm"), "§5.3"))
    title = Reason(words("title.to_hit", weapon=arm.name, skill=means.name), "§7.4")
    return plan(x, "to_hit", means, parts, title=title)


def _shot(x: Person, y: Person, shot: Shot) -> Iterator[Modifier]:
    """15 near or 20 far, and what makes a shot harder or easier (§5.4, §7.7)."""
    rows = x.tables.numbers
    flags = {
        "far" if shot.far else "near": True,
        "target_moving": shot.target_moving,
        "shooter_moving": shot.shooter_moving,
        "target_prone": y.actor.posture == "prone",
        "target_crouching": y.actor.posture == "crouching",
        "small_target": shot.small,
        "half_cover": shot.half_cover,
        "aim": shot.aimed,
    }
    for key, holds in flags.items():
        if holds:
            row = rows[key]
            yield against(key, row.value, row.name, row.section, inferred=row.inferred_in("value"))


def moved(state: State, person: Person) -> bool:
    """Whether somebody has moved in this round of a fight."""
    return state.fight is not None and bool(person.actor.round.moves)


def moving(state: State, person: Person, said: object = None) -> bool:
    """Whether a shooter shoots on the move: as said, else whoever has moved in this round (§5.4)."""
    return moved(state, person) if said is None else bool(said)


def riding(state: State, strike: Strike) -> Plan | None:
    """The riding roll of an attack from horseback; None on foot (§7.12, E30)."""
    x = attacker(state, strike)
    if not x.actor.mounted:
        return None
    row = x.tables.numbers["rider_roll" if x.actor.horse_trained else "untrained_horse"]
    base = against(row.id, row.value, row.name, row.section, inferred=row.inferred_in("value"))
    return plan(x, "riding", x.means("bajutsu"), (base,), title=reason("title.riding", "§7.12"))


# ---------------------------------------------------------------- defence


def base_of_defence(state: State, strike: Strike) -> Modifier:
    """The attack's total, or the fixed number against a shot (§7.4, §7.7)."""
    if strike.shot is not None:
        row = state.tables.numbers["defence_far" if strike.shot.far else "defence_near"]
        return against(row.id, row.value, row.name, row.section)
    total = strike.hit.total if strike.hit is not None else None
    return against("attack_total", total or 0, words("part.attack_total"), "§7.4")


def whens(strike: Strike) -> tuple[When, ...]:
    """The situations a strike is in, for effects that hang on them (§7.8)."""
    found: dict[When, bool] = {"first_strike": strike.first, "drawing_cut": strike.drawn, "riposte": strike.riposte}
    return tuple(when for when, holds in found.items() if holds)


def parry(state: State, strike: Strike, arm: str) -> Plan:
    x, y = attacker(state, strike), target(state, strike)
    means = y.arm_means(arm)
    parts = (
        base_of_defence(state, strike),
        *x.shift(x.arm_means(strike.arm).what, "opp_parry", whens(strike), "target"),
        *y.shift(means.what, "own_parry", (), "target"),
    )
    title = Reason(words("title.parry", weapon=y.arms[arm].name), "§7.4")
    return plan(y, "parry", means, parts, title=title)


def dodge(state: State, strike: Strike) -> Plan:
    x, y = attacker(state, strike), target(state, strike)
    means = y.means("taisabaki")
    parts = (
        base_of_defence(state, strike),
        *x.shift(x.arm_means(strike.arm).what, "opp_dodge", whens(strike), "target"),
        *y.shift(means.what, "own_dodge", (), "target"),
    )
    return plan(y, "dodge", means, parts, title=reason("title.dodge", "§7.4"))


def resist(state: State, strike: Strike, skill: str) -> Plan:
    """Free resistance with a learned skill against the attacker's total (§7.10, C07)."""
    y = target(state, strike)
    means = y.means(skill)
    title = Reason(words("title.resist", skill=means.name), "§7.10")
    return plan(y, "resist", means, (base_of_defence(state, strike),), title=title)


# ---------------------------------------------------------------- reach


def reach_text(half_ken: int) -> str:
    """Reach in ken as people write it: ½, 1, 2."""
    whole, half = divmod(half_ken, 2)
    return ("½" if half and not whole else f"{whole}½") if half else str(whole)


def within(half_ken: int, ken: int) -> bool:
    """Whether a reach covers a distance: ½ ken = the same square only (§7.2, C29)."""
    return 2 * ken <= half_ken if half_ken > 1 else ken == 0


def is_shot(person: Person, arm: str) -> bool:
    return isinstance(person.arms.get(arm), Ranged)
