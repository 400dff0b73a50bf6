"""An actor with what follows from the build: abilities, skills, evasion, weapons, style (rules §4, §7.8, §7.11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from rulesets.edo import style
from rulesets.edo.arms import Arm, wielding
from rulesets.edo.derived import Worn, as_worn, worn_armour
from rulesets.edo.play.state import ActorState
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import ABILITIES, AbilityId, EffectKind, Ranged, Role, Weapon, When
from rulesets.edo.sheet import Sheet, SkillEntry, row_parts
from rulesets.edo.tables import Edo
from rulesets.engine.outcome import Modifier, Reason
from rulesets.engine.text import Text

T = TypeVar("T")
ENDURANCE = "endurance"
NO_ARMOUR = Worn("", Text("", ""), 0, ())


@dataclass(frozen=True, slots=True)
class Means:
    """What a roll is made with: dice (3 keep 2, or 2), the value and its summands; `learned`: not untrained."""

    what: str
    name: Text
    dice: int
    value: int
    parts: tuple[Modifier, ...]
    base: AbilityId | None = None
    learned: bool = True


class Person:
    """Read-only; made afresh whenever it is asked for."""

    def __init__(self, tables: Edo, actor: ActorState) -> None:
        self.tables = tables
        self.actor = actor

    @property
    def sheet(self) -> Sheet:
        return self.actor.cast.sheet(self.tables)

    @property
    def id(self) -> str:
        return self.actor.id

    @property
    def name(self) -> str:
        return self.actor.name

    # ------------------------------------------------------------ role and numbers

    @property
    def role(self) -> Role:
        """The role; one without a readable role counts as a supporting character."""
        return self.sheet.role or self.tables.roles["support"]

    @property
    def mook(self) -> bool:
        return self.role.npc_only

    @property
    def gains(self) -> bool:
        """Whether doubles earn 活劇点: PCs, and NPCs who are the party's companions (§6.2, §6.6)."""
        return not self.mook and (not self.actor.npc or self.actor.ally)

    @property
    def kp_limit(self) -> int:
        return self.role.kp_limit

    def ability(self, ability: AbilityId) -> int:
        """The bare value, armour left out."""
        return self.sheet.abilities.get(ability, self.tables.ability_cost.first)

    @property
    def body(self) -> int:
        return self.ability("body")

    @property
    def endurance_max(self) -> int:
        return self.body + self.sheet.bought

    @property
    def endurance(self) -> int:
        return self.endurance_max - self.actor.wounds - self.actor.hunger_loss

    @property
    def extra_damage(self) -> int:
        scale = self.tables.extra_damage
        return scale[min(max(self.body, scale.first), scale.last)]

    @property
    def move(self) -> int:
        """Ken of one move action: farther for whoever has learned running well enough (§4.6)."""
        running = self.skill("soko")
        if running.learned and running.value >= self.tables.number("runner_effective"):
            return self.tables.number("move_runner")
        return self.tables.number("move")

    # ------------------------------------------------------------ armour

    @property
    def owned_armour(self) -> list[Worn]:
        """Armour among the possessions, as it would be worn."""
        return worn_armour(self.sheet)

    @cached_property
    def worn(self) -> Worn:
        """The armour on the body; the better one, or both where the group adds them up (E45)."""
        if not self.actor.armour:
            return NO_ARMOUR
        found = next((worn for worn in self.owned_armour if worn.id == self.actor.armour), None)
        if found is not None:
            return found
        return as_worn(self.sheet, self.tables.armour[self.actor.armour])

    def _armour_parts(self, base: AbilityId | None) -> Iterator[Modifier]:
        """技 counts lower in armour (§7.11)."""
        if base == "gi" and self.worn.penalty:
            for part in self.worn.parts:
                yield Modifier("armour", int(part.value), "total", Reason(part.label, "§7.11"))

    # ------------------------------------------------------------ what is rolled

    def knows(self, what: str) -> bool:
        """Whether a word names a skill, an ability or endurance."""
        return what in ABILITIES or what == ENDURANCE or row_parts(what)[0] in self.tables.skills

    def means(self, what: str) -> Means:
        """How somebody rolls on a skill row, an ability or endurance (§5.2)."""
        if what == ENDURANCE:
            parts = (Modifier("endurance", self.endurance, "total", Reason(words("what.endurance"), "§5.2")),)
            return Means(what, words("what.endurance"), 3, self.endurance, parts)
        for ability in ABILITIES:
            if what == ability:
                return self._ability(ability)
        return self.skill(what)

    def _ability(self, ability: AbilityId) -> Means:
        name = self.tables.abilities[ability].name
        parts = (self._ability_part(ability), *self._armour_parts(ability))
        return Means(ability, name, 3, sum(part.value for part in parts), parts, ability)

    def _ability_part(self, ability: AbilityId) -> Modifier:
        return Modifier(ability, self.ability(ability), "total", Reason(self.tables.abilities[ability].name, "§5.2"))

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Something that follows from the build (and the armour, if it is part of the key): worked out once."""
        memo = self.actor.cast.memo(self.tables)
        if key not in memo:
            memo[key] = make()
        found: T = memo[key]
        return found

    def skill(self, what: str) -> Means:
        """A skill by row or id: learned with three dice, else the base ability with two."""
        return self.once(("skill", what, self.actor.armour), lambda: self._skill(what))

    def _skill(self, what: str) -> Means:
        entry = self._entry(what)
        if entry is not None:
            return self._learned(entry)
        skill = self.tables.skills[row_parts(what)[0]]
        parts = (self._ability_part(skill.base), *self._armour_parts(skill.base))
        return Means(what, skill.name, 2, sum(part.value for part in parts), parts, skill.base, learned=False)

    def _learned(self, entry: SkillEntry) -> Means:
        level = Modifier("level", entry.level, "total", reason("part.level", "§4.3", skill=entry.label, n=entry.level))
        parts = (self._ability_part(entry.base), level, *self._armour_parts(entry.base))
        return Means(entry.row, entry.label, 3, sum(part.value for part in parts), parts, entry.base)

    def _entry(self, what: str) -> SkillEntry | None:
        found = self.sheet.entry(what)
        if found is None:
            found = next((entry for entry in self.sheet.skills if entry.skill.id == what and not entry.foreign), None)
        return found if found is not None and found.level else None

    def level(self, skill_id: str) -> int:
        return self.sheet.level(skill_id)

    def conditions(self) -> tuple[Modifier, ...]:
        """What fatigue, sleep and hunger add to every difficulty (§5.4)."""
        needs, number = self.actor.needs, self.tables.number
        flags = {
            "fatigue": needs.fatigued,
            "awake_too_long": needs.hours_awake > number("hours_awake"),
            "short_sleep": needs.short_sleep,
            "missed_meals": needs.meal_miss_days >= 2,
        }
        rows = self.tables.numbers
        return tuple(
            Modifier(key, rows[key].value, "target", Reason(rows[key].name, rows[key].section))
            for key, holds in flags.items()
            if holds
        )

    # ------------------------------------------------------------ evasion and weapons

    @property
    def evasion_parts(self) -> tuple[Modifier, ...]:
        """技 + 5 + level of dodging, less for armour (§4.6, E28)."""
        gi = self.tables.abilities["gi"].name
        parts = [
            Modifier("gi", self.ability("gi"), "target", Reason(gi, "§4.6")),
            Modifier("base", self.tables.number("evasion_base"), "target", reason("part.base", "§4.6")),
        ]
        level = self.level("taisabaki")
        if level:
            name = self.tables.skills["taisabaki"].name
            why = reason("part.level", "§4.6", skill=name, n=level)
            parts.append(Modifier("taisabaki", level, "target", why))
        if self.tables.rule.armour_lowers_evasion:
            parts += [replace(part, to="target") for part in self._armour_parts("gi")]
        return tuple(parts)

    @property
    def evasion(self) -> int:
        return sum(part.value for part in self.evasion_parts)

    @property
    def arms(self) -> Mapping[str, Arm]:
        """What can be fought with by key: possessions by number, then every unarmed attack (§7.10)."""
        return self.once(("arms",), self._arms)

    def _arms(self) -> Mapping[str, Arm]:
        found: dict[str, Arm] = {}
        for item in self.sheet.possessions:
            arm = self.tables.weapons.get(str(item.id)) or self.tables.ranged.get(str(item.id))
            if arm is not None:
                found[str(item.number)] = arm
        found |= {weapon.id: weapon for weapon in self.tables.weapons.values() if weapon.unarmed}
        return found

    def arm_means(self, key: str) -> Means:
        """The roll with a weapon: the best of its skills that was learned, else the first with two dice."""
        return self.once(("arm", key, self.actor.armour), lambda: self._arm_means(key))

    def _arm_means(self, key: str) -> Means:
        used = wielding(self.sheet, self.arms[key])
        return self.skill(used.entry.row if used.entry is not None else used.skill.id)

    def ready(self, key: str) -> bool:
        """Drawn or in the hand and not broken; bare hands always are."""
        if isinstance(arm := self.arms.get(key), Weapon) and arm.unarmed:
            return True
        state = self.actor.arms.get(key)
        return state is not None and state.ready and not state.broken

    def broken(self, key: str) -> bool:
        state = self.actor.arms.get(key)
        return state is not None and state.broken

    @property
    def blades(self) -> tuple[str, ...]:
        """Swords in the hands."""
        arms = self.arms.items()
        return tuple(key for key, arm in arms if isinstance(arm, Weapon) and arm.sword and self.ready(key))

    def ranges(self, arm: Ranged) -> tuple[int, int]:
        """Near and far limit in ken; a pebble's follow from the thrower (§7.7, E47)."""
        if not arm.stone_range:
            return arm.near, 2 * arm.near
        most = self.body * (self.tables.number("stone_base") + self.level("tenage"))
        return most // 2, most

    # ------------------------------------------------------------ style

    def effects(self, skill_row: str, *kinds: EffectKind) -> tuple[style.Source, ...]:
        """Effects of some kinds that work with a skill: the bound one, or weaponless ones (§7.8, E14)."""
        return self.once(("effects", skill_row, kinds), lambda: tuple(self._effects(skill_row, kinds)))

    def _effects(self, skill_row: str, kinds: tuple[EffectKind, ...]) -> Iterator[style.Source]:
        for source in style.sources(self.sheet):
            if source.effect.kind in kinds and (source.effect.weaponless or self.bound(skill_row)):
                yield source

    def bound(self, skill_row: str) -> bool:
        """Whether the style works with this skill."""
        if self.tables.rule.style_scope == "all_skills":
            return True
        bound = style.bound_skill(self.sheet)
        return bound is not None and bound.row == skill_row

    def has(self, skill_row: str, kind: EffectKind) -> bool:
        return bool(self.effects(skill_row, kind))

    def shift(self, skill_row: str, shift: style.Shift, whens: Iterable[When], to: str) -> tuple[Modifier, ...]:
        """Shifts of a difficulty by the style in this situation, cap on opponents' defence included (E17)."""
        found = self.effects(skill_row, *style.KINDS_OF[shift])
        parts = style.shift_parts(self.tables, found, shift, *whens)
        return tuple(Modifier(shift, int(part.value), to, Reason(part.label, "§7.8")) for part in parts)
