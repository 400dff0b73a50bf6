"""Single switches and numbers of the game, each with its row of rules §1.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.tables import Record
from rulesets.ninja.rows import DifficultyId

When = Literal["scenario", "combat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Record):
    difficulty_floor: DifficultyId
    evade_includes_jitsu: bool
    scratch_points: int
    scratch_max: int
    scratch_max_jitsu: int
    scratch_must_spend_all: bool
    skill_mode: Literal["any", "roll"]
    cyber_mode: Literal["any", "roll", "choose", "none"]
    background_enabled: bool
    dice_strict: bool
    quick_dice_most: int
    quick_dice_on_evade: bool
    emergency_mix: bool
    adrenaline_limit: int
    shuriken_multi_target: bool
    focus_shift: int
    focus_costs_move: bool
    namu_evade_shift: int
    contest_tie: Literal["none", "active", "passive"]
    zero_pool_fails: bool
    ability_floor: int
    damage_lowers_max: bool
    absorb_automatic: bool
    faint_can_evade: bool
    kaishaku_needs_helpless: bool
    knockback_squares: int
    knockback_damage: int
    atmosphere_auto: bool
    atmosphere_hard_turn: int
    atmosphere_u_hard_turn: int
    atmosphere_pc_attacks: bool
    wasshoi_when: Literal["button", "boss", "explore"]
    wasshoi_tie: Literal["roll", "gm"]
    duel_enabled: bool
    duel_rounding: Literal["down", "up"]
    satsubatsu_roll: Literal["after_evasion", "with_attack"]
    precise_death: bool
    split_min_dice: int
    knowledge_bonus: int
    weapon_slots: int
    part_conflict: Literal["warn", "error", "off"]
    load_limit: int
    skill_slots_most: int
    damage_order: Literal["absorb_first", "effects_first"]
    ranged_adjacent_forbidden: bool
    group_difficulty: Literal["highest", "lowest"]
    counter_evade: DifficultyId
    counter_damage: int
    mob_ability_damage: bool
    loan_principal: int
    loan_repay: int
    brutality_bonus: int
    guard_dice: int
    guard_until: Literal["used", "turn_end"]
    mercy: bool
    photo_capped: bool
    pattern_hardest_only: bool
    pattern_needs_success: bool
    merge_attackers: bool
    merge_for_non_ninja: bool
    area_each: bool
    hp_zero: Literal["faint", "death"]
    shooting_criticals: bool
    cast_cost_on_failure: bool
    restore_hp: bool
    restore_mp: bool
    restore_legs: bool
    dice_refill: When
    faint_end_mp0: Literal["faint", "revive"]
    death_ignores_endurance: bool
    bio_quick_minus: bool
    side_effects_on_zero: bool
    legs_least: int
    move_most: int
    cartwheel_evade: int
    cartwheel_penalty: int
    snap_shift: int
    start_fame: int
