"""Sections 5, 7.4–7.9, 7.11 and 7.12 of the rules once more, written straight from the text and from nothing of ours.

Slow, without reasons, without house rules: two fighters without 活劇点, one attack, one defence. Numbers of weapons and
armour are those of §7.6, §7.7 and §7.11; only what the tests use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

GI, BODY, MIND = "gi", "body", "mind"
BASE = {
    **dict.fromkeys(("kenjutsu", "sojutsu", "bojutsu", "kyujutsu", "shurikenjutsu", "hojutsu", "kenpo", "ningu"), GI),
    **dict.fromkeys(("taisabaki", "bajutsu"), GI),
    "tenage": BODY,
}
# id -> (skills, die modifier, critical, body counts, reach in ken, extra difficulty)
MELEE = {
    "daito": (("kenjutsu",), 2, True, True, 1, 0),
    "wakizashi": (("kenjutsu",), 1, True, True, 1, 0),
    "tanto": (("kenjutsu",), 0, True, False, 0.5, 0),
    "jitte": (("kenjutsu", "bojutsu"), 0, False, True, 0.5, 0),
    "teyari": (("sojutsu",), 1, True, True, 2, 0),
    "rokushakubo": (("bojutsu",), 0, False, True, 1, 0),
    "punch": (("kenpo",), -2, False, True, 0.5, 0),
    "kick": (("kenpo",), -1, False, True, 0.5, 3),
}
# id -> (skills, die modifier, range, parryable)
RANGED = {
    "daikyu": (("kyujutsu",), 3, 30, True),
    "hankyu": (("kyujutsu",), 1, 15, True),
    "bo_shuriken": (("shurikenjutsu",), 0, 5, True),
    "kunai": (("shurikenjutsu", "ningu"), 0, 5, True),
    "teppo": (("hojutsu",), 5, 30, False),
}
SWORDS = ("daito", "wakizashi")
ARMOUR = {"": (0, 0), "kusari": (2, 1), "gusoku": (4, 2)}
EXTRA = {4: 0, 5: 0, 6: 1, 7: 1, 8: 2, 9: 2, 10: 3}
CONTAINED = {"kashima": {"crit_on_three"}, "jigen": {"own_parry_harder", "first_strike_x3", "damage_through_parry"},
             "yagyu": {"attack_easier", "parry_easier"}, "hayashizaki": set(), "": set()}  # fmt: skip


@dataclass(frozen=True)
class Fighter:
    gi: int
    body: int
    skills: dict[str, int]
    weapon: str
    school: str = ""
    perks: frozenset[str] = frozenset()
    style_skill: str = ""
    armour: str = ""
    mounted: bool = False
    sheathed: bool = False
    posture: str = "standing"
    conditions: int = 0

    @property
    def penalty(self) -> int:
        return max(0, ARMOUR[self.armour][1] - (self.school == "kashima"))

    def ability(self, name: str) -> int:
        return {GI: self.gi - self.penalty, BODY: self.body}[name]

    def skill_of(self, weapon: str) -> str:
        """The best of the weapon's learned skills; the first when none was learned."""
        skills = MELEE[weapon][0] if weapon in MELEE else RANGED[weapon][0]
        known = [skill for skill in skills if self.skills.get(skill)]
        return max(known, key=lambda skill: self.ability(BASE[skill]) + self.skills[skill]) if known else skills[0]

    def roll(self, skill: str) -> tuple[int, int]:
        """How many dice, and what is added to the two highest (§5.2)."""
        level = self.skills.get(skill, 0)
        return (3 if level else 2), self.ability(BASE[skill]) + level

    def has(self, what: str, skill: str) -> bool:
        """A perk, or what a school holds, as far as it works with a skill (§4.7, E14)."""
        if self.style_skill != skill:
            return False
        return what in self.perks or what in CONTAINED[self.school] or what == self.school

    @property
    def evasion(self) -> int:
        return self.gi + 5 + self.skills.get("taisabaki", 0) - self.penalty


@dataclass
class Fight:
    """What came of one attack. `used` are the dice in the order of throwing."""

    a: Fighter
    b: Fighter
    dice: Sequence[int]
    distance: int = 0
    minejuchi: bool = False
    defence: str = "none"
    first: bool = True
    moving: bool = False
    used: int = 0
    hit: bool = False
    stopped: bool = False
    hurt_a: int = 0
    hurt_b: int = 0
    broken: bool = False
    totals: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def ranged(self) -> bool:
        return self.a.weapon in RANGED

    @property
    def far(self) -> bool:
        return self.ranged and self.distance > RANGED[self.a.weapon][2]

    def face(self) -> int:
        self.used += 1
        return self.dice[self.used - 1]

    def throw(self, who: Fighter, skill: str, difficulty: int, name: str) -> tuple[int, bool]:
        number, value = who.roll(skill)
        faces = sorted((self.face() for _ in range(number)), reverse=True)
        total = value + faces[0] + faces[1]
        self.totals[name] = (total, difficulty + who.conditions)
        return total, total >= difficulty + who.conditions

    # ------------------------------------------------------------ §7.4

    def resolve(self) -> Fight:
        skill = self.a.skill_of(self.a.weapon)
        total, ok = self.throw(self.a, skill, self.to_hit(skill), "hit")
        if self.a.mounted:
            ok = self.throw(self.a, "bajutsu", 15, "riding")[1] and ok
        self.hit = ok
        if not ok:
            return self
        self.stopped = self.defend(total)
        if not self.stopped:
            self.hurt_b = self.damage(parried=False)[0]
        elif self.defence == "parry":
            self.parried()
        return self

    def to_hit(self, skill: str) -> int:
        easier = -2 if self.a.has("attack_easier", skill) else 0
        if self.ranged:
            shifts = 3 * self.moving + {"standing": 0, "crouching": 2, "prone": 3}[self.b.posture]
            return (20 if self.far else 15) + shifts + easier
        reach, extra = MELEE[self.a.weapon][4:]
        mounted = {0.5: 5, 1: 2, 2: 0}[reach] if self.b.mounted else 0
        return self.b.evasion + extra + mounted + easier

    def defend(self, total: int) -> bool:
        if self.defence == "none" or (self.ranged and not RANGED[self.a.weapon][3]):
            return False
        base = (20 if self.far else 25) if self.ranged else total
        if self.defence == "dodge":
            easier = -2 if self.b.school == "yagyu" else 0
            return self.throw(self.b, "taisabaki", base + self.opponent() + easier, "dodge")[1]
        skill = self.b.skill_of(self.b.weapon)
        own = -2 * self.b.has("parry_easier", skill) + 2 * self.b.has("own_parry_harder", skill)
        return self.throw(self.b, skill, base + self.opponent() + own, "parry")[1]

    def opponent(self) -> int:
        """The attacker's +2 on the defence, from whatever source, never more (E17)."""
        skill = self.a.skill_of(self.a.weapon)
        drawn = self.a.sheathed and self.a.has("hayashizaki", skill)
        jigen = self.first and self.a.has("jigen", skill)
        return 2 if self.a.has("opp_defence_harder", skill) or drawn or jigen else 0

    def parried(self) -> None:
        skill = self.a.skill_of(self.a.weapon)
        through = self.a.has("damage_through_parry", skill)
        breaks = self.a.has("weapon_break", skill)
        if through or breaks:
            dealt, critical = self.damage(parried=True)
            self.hurt_b = dealt if through else 0
            self.broken = breaks and critical
        if self.a.weapon in ("punch", "kick"):
            die = self.face()
            self.hurt_a = max(0, max(0, die + MELEE[self.b.weapon][1]) // 2 - ARMOUR[self.a.armour][0])

    # ------------------------------------------------------------ §7.9

    def damage(self, *, parried: bool) -> tuple[int, bool]:
        x, y, skill = self.a, self.b, self.a.skill_of(self.a.weapon)
        row = RANGED[x.weapon] if self.ranged else MELEE[x.weapon]
        faces = {6} | ({3} if x.has("crit_on_three", skill) else set())
        die = self.face()
        crit = (self.ranged or bool(row[2])) and not self.minejuchi and die in faces
        d = die + (self.face() if crit else 0) + int(row[1])
        if not self.ranged and row[3]:
            d += EXTRA[x.body]
        if x.weapon in ("punch", "kick"):
            d += x.skills.get("kenpo", 0) // 2
        d = max(0, d)
        if self.first:
            d *= 3 if x.has("first_strike_x3", skill) else 2 if x.has("first_strike_x2", skill) else 1
        if self.far:
            d -= 1
        if y.mounted and not self.ranged and row[4] == 0.5:
            d //= 2
        if y.mounted and not self.ranged and row[4] == 1:
            d -= 1
        if self.minejuchi:
            d //= 2
        d = max(0, d)
        if parried:
            d = max(0, d - y.body)
        armour = ARMOUR[y.armour][0] * (2 if self.far else 1)
        if x.has("kashima", skill):
            armour //= 2
        if crit and die == 6:
            armour = 0
        return max(0, d - armour), crit
