"""The rows of Edo's tables: what one line of a file in `data/` holds.

Section numbers are those of rules/edo.md. Reach is counted in half ken throughout (1 = ½間, 2 = 1間, 4 = 2間).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.tables import Record, Row
from rulesets.engine.text import Text

NO_TEXT = Text("", "")

AbilityId = Literal["mind", "gi", "body"]
ABILITIES: tuple[AbilityId, ...] = ("mind", "gi", "body")
EffectKind = Literal[
    "own_attack",
    "own_parry",
    "own_dodge",
    "opp_defence",
    "opp_parry",
    "damage_times",
    "crit_face",
    "target_armour_half",
    "own_armour_penalty",
    "iai_attack",
    "iai_parry",
    "damage_through_parry",
    "weapon_break",
    "free_action",
    "two_blades",
]
When = Literal["always", "first_strike", "drawing_cut", "riposte"]
OWN_SCHOOLS: tuple[str, ...] = ("own_1", "own_2", "own_3", "own_4")


@dataclass(frozen=True, slots=True, kw_only=True)
class Role(Row):
    """役格 (§4.1). An NPC's 活劇点 are `npc_kp_dice` D6 + `npc_kp_add` (§6.6)."""

    name: Text
    note: Text
    cost: int
    kp_initial: int
    kp_limit: int
    gain_pairs: tuple[int, ...]
    rank: int
    npc_only: bool = False
    npc_kp_dice: int
    npc_kp_add: int
    typical_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability(Row):
    name: Text
    note: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Row):
    """A skill of §4.4. `untrained`: may it be tried with two dice and the ability alone."""

    name: Text
    note: Text
    kana: str
    group: str
    base: AbilityId
    untrained: Literal["yes", "no", "gm"]
    speciality: bool = False
    foreign_entries: bool = False
    base_by_gm: bool = False
    resist_needs_skill: bool = False
    aliases: tuple[str, ...] = ()
    search: tuple[str, ...] = ()

    @property
    def many(self) -> bool:
        """Whether it may be taken several times, each with a speciality of its own."""
        return self.speciality or self.foreign_entries


@dataclass(frozen=True, slots=True, kw_only=True)
class Speciality(Row):
    """A known trade, art or language; any other may be typed."""

    skill: str
    name: Text
    base: AbilityId
    aliases: tuple[str, ...] = ()
    western: bool = False

    def means(self, typed: str) -> bool:
        return typed in (self.name.ja, self.name.en, *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Row):
    """What a perk or school does at one step of an exchange (§7.8). `own_*` = a group's school has it."""

    name: Text
    kind: EffectKind
    value: int = 0
    when: When = "always"
    weaponless: bool = False
    own_1: bool = False
    own_2: bool = False
    own_3: bool = False
    own_4: bool = False

    def in_own_school(self, school_id: str) -> bool:
        return school_id in OWN_SCHOOLS and bool(getattr(self, school_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class School(Row):
    """既製流派 (§4.7). `contains` bans perks (C28), `effects` is what it does."""

    name: Text
    note: Text
    cost: int
    contains: tuple[str, ...]
    effects: tuple[str, ...]
    sword: bool = True
    satsuma: bool = False
    two_swords: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSchool(Row):
    """A school made by the group; it exists once it has a name."""

    label: Text
    name: str
    cost: int
    sword: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Perk(Row):
    name: Text
    note: Text
    cost: int
    effects: tuple[str, ...]
    drawback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon(Row):
    """A melee weapon or unarmed attack (§7.6). Damage: `dice` D6 + `add`; `reach` in half ken."""

    name: Text
    note: Text = NO_TEXT
    remark: str = ""
    skill: str
    skill_2: str = ""
    dice: int = 1
    add: int
    can_crit: bool
    uses_body: bool
    reach: int
    parry: Literal["with", "unarmed", "no"] = "with"
    sword: bool = False
    unarmed: bool = False
    kenpo_half: bool = False
    difficulty: int = 0
    requires: str = ""

    @property
    def skills(self) -> tuple[str, ...]:
        return (self.skill, self.skill_2) if self.skill_2 else (self.skill,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranged(Row):
    """A ranged weapon (§7.7). `near` in ken; far ends at twice that. `stone_range`: near follows from the thrower."""

    name: Text
    note: Text = NO_TEXT
    skill: str
    skill_2: str = ""
    dice: int = 1
    add: int
    can_crit: bool
    near: int
    ready_actions: int = 0
    ready_rounds: int = 0
    parryable: bool = True
    stone_range: bool = False

    @property
    def skills(self) -> tuple[str, ...]:
        return (self.skill, self.skill_2) if self.skill_2 else (self.skill,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour(Row):
    name: Text
    value: int
    gi_penalty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounted(Row):
    """Melee against a rider, by reach (§7.12)."""

    name: Text
    reach: int
    to_hit: int
    damage_half: bool
    damage_add: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Row):
    """A named difficulty, modifier, distance or duration."""

    name: Text
    section: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KpUse(Row):
    """A use of 活劇点 (§6.3); no cost = the GM names it."""

    name: Text
    cost: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Record):
    """Single switches; each is explained by its row in `data/house_rules.toml`."""

    pool_per_extra: int
    allocations: bool
    skill_cost: Literal["literal", "n_n_plus_1", "own"]
    skill_level_max: int
    endurance_cost: int
    style_level: int
    first_strike_scope: Literal["round", "combat"]
    style_scope: Literal["one_martial_skill", "all_skills"]
    max_schools: int | None
    x2_x3_exclusive: bool
    opp_bonus_stacking: Literal["cap_2", "add_up"]
    auto_success_total: Literal["difficulty", "difficulty_plus_2"]
    npc_may_turn_failure: bool
    tie_opposed: Literal["no_change", "reroll"]
    tie_counter: Literal["attacker_first", "both"]
    rounding: Literal["down"]
    damage_order: Literal["spec"]
    crit_chain: bool
    crit_on_three_ignores_armour: bool
    dodge_vs_guns: bool
    unarmed_parry_vs_weapon: bool
    armour_lowers_evasion: bool
    mook_morale: bool
    grapple_escape_costs_attack: bool
    grapple_half_ken_weapons_only: bool
    throw_ends_grapple: bool
    bad_first_aid_duration: Literal["until_healed_or_retreated", "one_day", "stays_valid"]
    stay_awake_ignores_conditions: bool
    keep_point_from_discarded_roll: bool
    forced_spend_shortage: Literal["skip", "spend_left"]
    npc_abilities: Literal["4-10", "1-10"]
    npc_kp_floor: int
    sheathing: Literal["as_drawing", "free"]
    serious_wound_rule: bool
    track_money: bool
    sword_school_requires_kenjutsu: Literal["warn", "block"]
    npc_kp_roll_when: Literal["once_per_scenario", "every_scene"]
    turn_order_details: Literal["unarmoured_dice_once", "reroll_each_round"]
    armour_stacking: Literal["best", "add"]
    healers: Literal["one", "best"]
    stone_near_range: Literal["half", "gm"]
    fist_on_blade: Literal["half_no_crit", "half_with_crit"]
    conditions_in_opposed: Literal["subtract_from_total", "ignore"]
    counter_needs_reach: bool
    illness: Literal["as_wounds", "gm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Row):
    """身分 (§4.8). Starting cash: `money_dice` D6 × `money_times` 文; no dice = not rolled."""

    name: Text
    aliases: tuple[str, ...] = ()
    surname: bool
    warrior: bool = False
    money_dice: int = 0
    money_times: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHint(Record):
    """A skill suggested for an occupation; `speciality` is an id of `specialities`."""

    skill: str
    speciality: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupation(Row):
    """An idea of 人別帳, not a class."""

    group: str
    name: Text
    note: Text
    status: str
    skills: tuple[SkillHint, ...]
    stage_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fraction(Row):
    """A unit: `numerator / denominator` of the base unit (文, m, g, m²)."""

    name: Text
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coin(Fraction):
    change: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(Fraction):
    kind: Literal["length", "weight", "area"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bell(Row):
    name: Text
    animal: Text
    strokes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Season(Row):
    """One of the 24 points of the solar year; `value` is the sun's longitude in degrees."""

    name: Text
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetSkill(Record):
    skill: str
    level: int
    speciality: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetRow(Row):
    """A ready-made NPC (§13)."""

    name: Text
    note: Text
    role: str
    mind: int
    gi: int
    body: int
    endurance_bought: int
    skills: tuple[PresetSkill, ...]
    school: str = ""
    perks: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    status: str = ""
    occupation: str = ""
    typical_count: int = 1
