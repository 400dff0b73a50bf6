"""An actor's numbers as they count now: the build, what was hurt, what continues (rules §3.1, §3.2, §4.3)."""

from __future__ import annotations

from functools import cached_property

from rulesets.engine.text import Text
from rulesets.ninja import ladder
from rulesets.ninja.derived import Values
from rulesets.ninja.play.state import ActorState
from rulesets.ninja.play.words import words
from rulesets.ninja.rows import AbilityId, Condition, Item
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.tables import Ninja

_DARKNESS = ("soul_darkness", "dark_karate")
# the ability behind an NPC's fixed dice
_ABILITY: dict[str, AbilityId] = {
    **{"attack_dice": "karate", "shoot_dice": "wazamae", "precise_dice": "wazamae", "cartwheel_dice": "wazamae"},
    **{"hack_dice": "neuron", "initiative": "neuron", "cast_dice": "neuron"},
}
_GIVEN = {
    **{"attack_dice": "attack", "shoot_dice": "shoot", "precise_dice": "precise", "cartwheel_dice": "cartwheel"},
    **{"hack_dice": "hack", "initiative": "initiative", "cast_dice": "cast"},
}


class Person:
    def __init__(self, tables: Ninja, actor: ActorState) -> None:
        self.tables = tables
        self.actor = actor
        self.sheet: Sheet = actor.cast.sheet(tables)

    @property
    def id(self) -> str:
        return self.actor.id

    @property
    def name(self) -> str:
        return self.actor.name

    @property
    def mob(self) -> bool:
        """Mobs never evade, cartwheel or score criticals (§8)."""
        return self.actor.npc and self.sheet.flag("npc.mob")

    @property
    def ninja(self) -> bool:
        return self.sheet.kind == "ninja"

    @property
    def pc_side(self) -> bool:
        return not self.actor.npc or self.actor.ally

    # ------------------------------------------------------------ abilities and what follows

    @cached_property
    def abilities(self) -> dict[AbilityId, int]:
        """Current values (§3.1): permanent + temporary − damage, never below the floor (E19)."""
        floor, found = self.tables.rule.ability_floor, {}
        for ability, value in self.sheet.permanent.items():
            more = sum(effect.karate for effect in self.actor.effects) if ability == "karate" else 0
            hurt = self.actor.hurt.get(ability, 0)
            found[ability] = value + more if not hurt else max(min(floor, value), value + more - hurt)
        return found

    @cached_property
    def values(self) -> Values:
        return Values(self.sheet, self.abilities, self.actor.weapon)

    def known(self, key: str) -> bool:
        """Whether a value can be told; NPCs may have blanks (E30)."""
        return self.values.parts(key) is not None

    def number(self, key: str) -> int:
        """A derived value as it counts now; an NPC's fixed dice follow its damage and boosts too."""
        value = self.values.number(key)
        ability = _ABILITY.get(key)
        if ability is not None and self.sheet.number(f"npc.{_GIVEN[key]}") is not None:
            value += self.abilities.get(ability, 0) - self.sheet.permanent.get(ability, 0)
        return max(0, value)

    @property
    def hp_max(self) -> int:
        return self.number("hp_max")

    @property
    def mp_max(self) -> int:
        return self.number("mp_max")

    @property
    def initiative(self) -> int:
        """The real value; at most 0 acts at 1 (§5.2)."""
        return self.values.number("initiative") if self.known("initiative") else 0

    @property
    def legs(self) -> int:
        more = sum(effect.legs for effect in self.actor.effects)
        return max(0, self.values.number("legs") + more - self.actor.legs_damage)

    @property
    def reduction(self) -> int:
        return self.values.number("damage_reduction") + sum(effect.reduction for effect in self.actor.effects)

    @property
    def death_resist(self) -> bool:
        """即死耐性: ムテキ gives it only while its reduction holds, which the hit decides."""
        return self.sheet.flag("npc.death_resist") or any(effect.death_resist for effect in self.actor.effects)

    @property
    def evade_each_turn(self) -> int:
        """回避ダイス of a turn; mobs have none (§8)."""
        return 0 if self.mob else self.values.number("evade_dice")

    def cartwheel_rank(self) -> int:
        shock = self.actor.shock if self.effective_dkk >= 1 else 0
        picked_up = 0
        if self.actor.weapon not in self.sheet.weapons and self.actor.weapon in self.tables.items:
            effects = self.tables.items[self.actor.weapon].effects
            picked_up = sum(effect.value for effect in effects if effect.target == "cartwheel_difficulty")
        return ladder.shifted(self.values.rank(), (shock, picked_up), ladder.floor_of(self.tables))

    def dice(self, key: str) -> int:
        """Dice of a test by the name of its derived value, `legs` or `best` (§4.3)."""
        if key == "best":
            return max(self.number("wazamae_test_dice"), self.number("neuron_test_dice"))
        return self.legs if key == "legs" else self.number(key)

    def gift(self, gives: str) -> int:
        """The value of a ● skill, or an NPC's own."""
        given = self.sheet.number(f"npc.{gives}") if gives in ("multi_attack", "multi_shot") else None
        return given if given is not None else self.values.gift(gives)

    # ------------------------------------------------------------ darkness

    @property
    def effective_dkk(self) -> int:
        """DKK, one higher for each copy of ◉ニンジャソウルの闇 (§4.11)."""
        return self.actor.dkk + self.sheet.copies("soul_darkness")

    @property
    def darkness_marks(self) -> int:
        """◉ of all copies of ニンジャソウルの闇 and of what needs it (§7.5)."""
        if not self.sheet.copies("soul_darkness"):
            return 0
        return sum(held.skill.marks for held in self.sheet.skills if held.skill.id in _DARKNESS)

    def has(self, skill: str) -> bool:
        return self.sheet.copies(skill) > 0

    # ------------------------------------------------------------ states

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        rows = [self.tables.conditions[state] for state in self.actor.states if state in self.tables.conditions]
        if self.actor.life in ("fainted", "incapacitated"):
            rows.append(self.tables.conditions[self.actor.life])
        return tuple(rows)

    @property
    def able(self) -> bool:
        """Whether this actor can act at all (L18)."""
        return self.actor.life == "alive" and all(row.can_act for row in self.conditions)

    @property
    def can_move(self) -> bool:
        return all(row.can_move for row in self.conditions)

    @property
    def attacked_shift(self) -> int:
        """The easiest of the states' shifts on attacks against this actor (§6.9)."""
        return min((row.shift for row in self.conditions), default=0)

    @property
    def helpless(self) -> bool:
        return self.actor.life == "fainted" or any(row.id in ("bound", "paralysed") for row in self.conditions)

    @property
    def can_evade(self) -> bool:
        """Whether evasion is possible at all: no mob, not fainted (E22), no ムテキ."""
        if self.mob or self.actor.out or self.actor.life == "incapacitated":
            return False
        if self.actor.life == "fainted" and not self.tables.rule.faint_can_evade:
            return False
        return not any(effect.no_evade for effect in self.actor.effects)

    # ------------------------------------------------------------ arms

    @property
    def weapon(self) -> Item:
        held = self.tables.items.get(self.actor.weapon)
        only_unarmed = any(effect.unarmed for effect in self.actor.effects)
        return self.tables.items["unarmed"] if held is None or only_unarmed else held

    def damage(self, weapon: Item) -> int:
        """Damage of a weapon in these hands (§3.6): an NPC's own number, else the weapon's and implants' (§6.6)."""
        given = self.sheet.number("npc.damage" if weapon.kind == "melee" else "npc.shoot_damage")
        if given is not None:
            return given
        more = self.values.number("damage_melee") if weapon.kind == "melee" else 0
        return (weapon.damage if weapon.damage is not None else 1) + more

    def health(self) -> Text:
        """How somebody looks, for those who may not know the numbers."""
        share = "fine" if self.actor.hp >= self.hp_max else "hurt" if 2 * self.actor.hp > self.hp_max else "bad"
        return words(f"health.{share}")
