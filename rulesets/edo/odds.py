"""Exact chances of Edo's rolls (rules §5, §6.2, §7, §12). Counted, never estimated.

Questions are plain tables; unknown keys are refused.

    {kind: "test", dice: 3, value: 12, difficulty: 15, role: "lead", npc: false}
        a roll (3 dice keep 2, or 2 dice for a skill that is not learned): `success`, `failure`; beside it `point`, the
        chance of a 活劇点; the distribution is that of the total
    {kind: "point", dice: 3, role: "lead", npc: false, ally: false}       `point`, `none`
    {kind: "opposed", value: 12, other: 10, dice: 3, other_dice: 3}      `win`, `tie`, `lose` of the first
    {kind: "attack", attack: 12, evasion: 15, parry: 12, attack_dice: 3, parry_dice: 3, attack_shift: -2,
     parry_shift: 2, defence: 25}
        `hit` (and not stopped), `stopped`, `missed`. Shifts move the difficulties (perks, §7.8); `parry` left out = no
        defence; `defence` is the fixed difficulty of stopping a shot instead of the attack's total
    {kind: "damage", weapon: "daito", body: 6, kenpo: 3, crit_on_three: true}
        the distribution of the weapon's damage before armour; without `body` before any extra damage
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rulesets.edo.rows import Ranged, Weapon
from rulesets.edo.tables import Edo
from rulesets.engine.odds import (
    Chance,
    Dist,
    Odds,
    at_least,
    constant,
    die,
    faces_of,
    keep_highest,
    opposed,
    shifted,
    sum_of,
)
from rulesets.engine.text import Text
from rulesets.protocol import Refusal

Number = Annotated[int, Field(ge=-200, le=200)]
Dice = Literal[2, 3]
RoleId = Literal["lead", "co_lead", "support", "mook"]

SUCCESS, FAILURE = Text("成功", "success"), Text("失敗", "failure")
POINT, NO_POINT = Text("活劇点1点", "a drama point"), Text("活劇点なし", "no drama point")
WIN, TIE, LOSE = Text("勝ち", "win"), Text("引き分け", "tie"), Text("負け", "lose")
HIT, STOPPED, MISSED = (
    Text("当たる", "hit"),
    Text("当たるが止められる", "hit but stopped"),
    Text("外れる", "missed"),
)


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RollQuestion(_Question):
    kind: Literal["test"]
    dice: Dice = 3
    value: Number = 0
    difficulty: Number
    role: RoleId = "support"
    npc: bool = False
    ally: bool = False


class PointQuestion(_Question):
    kind: Literal["point"]
    dice: Dice = 3
    role: RoleId = "support"
    npc: bool = False
    ally: bool = False


class OpposedQuestion(_Question):
    kind: Literal["opposed"]
    value: Number
    other: Number = 0
    dice: Dice = 3
    other_dice: Dice = 3


class AttackQuestion(_Question):
    kind: Literal["attack"]
    attack: Number
    evasion: Number
    parry: Number | None = None
    attack_dice: Dice = 3
    parry_dice: Dice = 3
    attack_shift: Number = 0
    parry_shift: Number = 0
    defence: Number | None = None


class DamageQuestion(_Question):
    kind: Literal["damage"]
    weapon: str
    body: Annotated[int, Field(ge=0, le=99)] | None = None
    kenpo: Annotated[int, Field(ge=0, le=99)] = 0
    crit_on_three: bool = False


Asked = RollQuestion | PointQuestion | OpposedQuestion | AttackQuestion | DamageQuestion
_READ: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="kind")])


def answer(question: Mapping[str, Any], tables: Edo) -> Odds:
    """Exact chances. Raises `Refusal` O01 for anything that is no question."""
    try:
        asked = _READ.validate_python(dict(question))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise refusal(tables, ".".join(str(part) for part in first["loc"]) or first["type"]) from error
    if isinstance(asked, RollQuestion):
        return _test(asked, tables)
    if isinstance(asked, PointQuestion):
        gain = point_chance(asked.dice, asked.role, tables, npc=asked.npc, ally=asked.ally)
        return Odds((Chance("point", POINT, gain), Chance("none", NO_POINT, 1 - gain)))
    if isinstance(asked, OpposedQuestion):
        return _opposed(asked)
    return _attack(asked) if isinstance(asked, AttackQuestion) else _damage(asked, tables)


def refusal(tables: Edo, where: str) -> Refusal:
    return Refusal("O01", tables.messages["O01"].text.format(where=where), where=where)


def roll(dice: int) -> Dist[int]:
    """Three dice of which the two highest count, or two dice (§5.2)."""
    return keep_highest(3, 2, 6) if dice == 3 else sum_of(2, 6)


def point_chance(dice: int, role: str, tables: Edo, *, npc: bool = False, ally: bool = False) -> Fraction:
    """The chance that all dice rolled, dropped ones included, show a pair that gives a 活劇点 (§6.2)."""
    pairs = tables.roles[role].gain_pairs
    if npc and not ally:
        return Fraction(0)
    return faces_of(dice, 6).where(lambda faces: any(faces.count(face) >= 2 for face in pairs))


def _test(asked: RollQuestion, tables: Edo) -> Odds:
    total = shifted(roll(asked.dice), asked.value)
    success = at_least(total, asked.difficulty)
    gain = point_chance(asked.dice, asked.role, tables, npc=asked.npc, ally=asked.ally)
    outcomes = (Chance("success", SUCCESS, success), Chance("failure", FAILURE, 1 - success))
    return Odds(outcomes, (Chance("point", POINT, gain),), total)


def _opposed(asked: OpposedQuestion) -> Odds:
    found = opposed(shifted(roll(asked.dice), asked.value), shifted(roll(asked.other_dice), asked.other))
    return Odds((Chance("win", WIN, found.win), Chance("tie", TIE, found.tie), Chance("lose", LOSE, found.lose)))


def _attack(asked: AttackQuestion) -> Odds:
    """Each attack total that hits meets a defence of its own: the better the attack, the harder the parry (§7.4)."""
    attack = shifted(roll(asked.attack_dice), asked.attack)
    hits = hit = Fraction(0)
    for total, ways in attack.items():
        if total < asked.evasion + asked.attack_shift:
            continue
        chance = Fraction(ways, attack.total)
        hits += chance
        target = (total if asked.defence is None else asked.defence) + asked.parry_shift
        hit += chance * (1 - _stops(asked, target))
    return Odds(
        (Chance("hit", HIT, hit), Chance("stopped", STOPPED, hits - hit), Chance("missed", MISSED, 1 - hits)),
        dist=attack,
    )


def _stops(asked: AttackQuestion, target: int) -> Fraction:
    if asked.parry is None:
        return Fraction(0)
    return at_least(shifted(roll(asked.parry_dice), asked.parry), target)


def _damage(asked: DamageQuestion, tables: Edo) -> Odds:
    """One die, a critical adds one more (E24), the bonus of body and fists, never below 0 (§7.9)."""
    arm = tables.weapons.get(asked.weapon) or tables.ranged.get(asked.weapon)
    if arm is None:
        raise refusal(tables, f"weapon: {asked.weapon}")
    if not arm.dice:
        return Odds((), dist=constant(0))
    faces = {6, 3} if asked.crit_on_three else {6}
    add = arm.add + _bonus(arm, asked, tables)

    def more(face: int) -> Dist[int]:
        if not arm.can_crit or face not in faces:
            return constant(face)
        extra = _chained(faces) if tables.rule.crit_chain else die(6)
        return shifted(extra, face)

    damage = die(6).then(more).map(lambda total: max(0, total + add))
    critical = Fraction(len(faces), 6) if arm.can_crit else Fraction(0)
    return Odds((), (Chance("critical", Text("致命", "critical"), critical),), damage)


CHAIN_DEPTH = 6  # a chain of criticals longer than this happens less than once in 46,000 times


def _chained(faces: set[int], depth: int = CHAIN_DEPTH) -> Dist[int]:
    if depth == 0:
        return die(6)
    return die(6).then(lambda face: shifted(_chained(faces, depth - 1), face) if face in faces else constant(face))


def _bonus(arm: Weapon | Ranged, asked: DamageQuestion, tables: Edo) -> int:
    if isinstance(arm, Ranged):
        return 0
    bonus = asked.kenpo // 2 if arm.kenpo_half else 0
    if arm.uses_body and asked.body is not None:
        scale = tables.extra_damage
        bonus += scale[min(max(asked.body, scale.first), scale.last)]
    return bonus
