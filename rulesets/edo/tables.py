"""Edo's tables: what the files in `data/` hold together, and what must fit across them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulesets.edo.rows import (
    Ability,
    Armour,
    Bell,
    Coin,
    Effect,
    KpUse,
    Measure,
    Mounted,
    Number,
    Occupation,
    OwnSchool,
    Perk,
    PresetRow,
    Ranged,
    Role,
    Rules,
    School,
    Season,
    Skill,
    Speciality,
    Status,
    Weapon,
)
from rulesets.engine.house_rules import HouseRuleRow, HouseRules
from rulesets.engine.tables import Fault, Message, Rows, Scale, Settings, TableSet, Wording
from rulesets.engine.text import Text, same


@dataclass(frozen=True)
class Edo:
    """All tables of the game under one campaign's house rules."""

    pool: Scale
    roles: Rows[Role]
    abilities: Rows[Ability]
    ability_cost: Scale
    skill_cost_literal: Scale
    skill_cost_n_n_plus_1: Scale
    skill_cost_own: Scale
    extra_damage: Scale
    skill_groups: Rows[Wording]
    skills: Rows[Skill]
    specialities: Rows[Speciality]
    effects: Rows[Effect]
    schools: Rows[School]
    own_schools: Rows[OwnSchool]
    perks: Rows[Perk]
    weapons: Rows[Weapon]
    ranged: Rows[Ranged]
    armour: Rows[Armour]
    mounted: Rows[Mounted]
    rules: Settings[Rules]
    numbers: Rows[Number]
    kp_uses: Rows[KpUse]
    statuses: Rows[Status]
    occupation_groups: Rows[Wording]
    occupations: Rows[Occupation]
    name_parts: Rows[Wording]
    name_hints: Rows[Wording]
    coins: Rows[Coin]
    measures: Rows[Measure]
    bells: Rows[Bell]
    seasons: Rows[Season]
    presets: Rows[PresetRow]
    messages: Rows[Message]
    reasons: Rows[Wording]
    labels: Rows[Wording]
    play_labels: Rows[Wording]
    care_labels: Rows[Wording]
    house_rules: Rows[HouseRuleRow]
    house_groups: Rows[Wording]

    @property
    def rule(self) -> Rules:
        return self.rules.values

    @property
    def skill_cost(self) -> Scale:
        """The table of skill costs the group plays with (E03)."""
        tables = {
            "literal": self.skill_cost_literal,
            "n_n_plus_1": self.skill_cost_n_n_plus_1,
            "own": self.skill_cost_own,
        }
        return tables[self.rule.skill_cost]

    @cached_property
    def kinds(self) -> Mapping[tuple[str, str], Speciality]:
        """Known specialities by skill and every word that means them."""
        rows = self.specialities.values()
        return {(row.skill, word): row for row in rows for word in (row.name.ja, row.name.en, *row.aliases)}

    @cached_property
    def martial(self) -> tuple[str, ...]:
        """The nine 武芸技能, in printed order."""
        return tuple(skill.id for skill in self.skills.values() if skill.group == "martial")

    @cached_property
    def all_schools(self) -> dict[str, School]:
        """Printed schools and those the group made (§4.7): one with a name, its effects and the perks they equal."""
        return dict(self.schools) | {own.id: self._made(own) for own in self.own_schools.values() if own.name}

    def _made(self, own: OwnSchool) -> School:
        effects = tuple(effect.id for effect in self.effects.values() if effect.in_own_school(own.id))
        contains = tuple(perk.id for perk in self.perks.values() if set(perk.effects) & set(effects))
        words = (self.effects[effect].name for effect in effects)
        note = list(words)
        return School(
            id=own.id,
            source="house",
            name=same(own.name),
            note=Text("、".join(text.ja for text in note), "; ".join(text.en for text in note)),
            cost=own.cost,
            contains=contains,
            effects=effects,
            sword=own.sword,
            two_swords="two_blades" in effects,
        )

    def number(self, number_id: str) -> int:
        return self.numbers[number_id].value

    def label(self, label_id: str) -> Text:
        return self.labels[label_id].text

    def ability_range(self, kind: str) -> tuple[int, int]:
        """Lowest and highest ability value for a PC or NPC (§4.2, E36)."""
        low = 1 if kind == "npc" and self.rule.npc_abilities == "1-10" else self.ability_cost.first
        return low, self.ability_cost.last


# ---------------------------------------------------------------- what must fit together


def _falls(table: str, scale: Scale, words: Text) -> Iterator[Fault]:
    for at in scale:
        if at > scale.first and scale[at] < scale[at - 1]:
            yield Fault(table, str(at), "", f"falls from {scale[at - 1]} to {scale[at]}", message=words)


_COST_FALLS = Text("費用は上の段ほど高いか同じにしてください。", "Costs must not fall from one step to the next.")
_BONUS_FALLS = Text("追加打撃は体が高いほど大きいか同じにしてください。", "The bonus must not fall with a higher Body.")
_POOL_FALLS = Text("人数が増えて総点が減ることはありません。", "More players never get fewer points.")
_SAME_NAME = Text("「{name}」という流派はもうあります。", "There is a school “{name}” already.")
_NO_EFFECT = Text("流派「{name}」の働きを選んでください。", "Tick what the school “{name}” does.")


def cross_check(tables: Edo) -> Iterator[Fault]:
    """Ids that name nothing, numbers that fall, schools of the group that cannot be told apart."""
    yield from _falls("pool", tables.pool, _POOL_FALLS)
    yield from _falls("ability_cost", tables.ability_cost, _COST_FALLS)
    yield from _falls("skill_cost_literal", tables.skill_cost_literal, _COST_FALLS)
    yield from _falls("skill_cost_n_n_plus_1", tables.skill_cost_n_n_plus_1, _COST_FALLS)
    yield from _falls("skill_cost_own", tables.skill_cost_own, _COST_FALLS)
    yield from _falls("extra_damage", tables.extra_damage, _BONUS_FALLS)
    yield from _unknown_ids(tables)
    yield from _own_schools(tables)


def _unknown_ids(tables: Edo) -> Iterator[Fault]:
    effects, skills, perks = set(tables.effects), set(tables.skills), set(tables.perks)
    arms = set(tables.weapons) | set(tables.ranged) | set(tables.armour)

    def missing(table: str, row: str, cell: str, ids: tuple[str, ...], known: set[str]) -> Iterator[Fault]:
        for wrong in set(ids) - known:
            yield Fault(table, row, cell, f"{wrong!r} names nothing")

    for perk in tables.perks.values():
        yield from missing("perks", perk.id, "effects", perk.effects, effects)
    for school in tables.schools.values():
        yield from missing("schools", school.id, "effects", school.effects, effects)
        yield from missing("schools", school.id, "contains", school.contains, perks)
    for weapon in tables.weapons.values():
        yield from missing("weapons", weapon.id, "skill", weapon.skills, skills)
    for ranged in tables.ranged.values():
        yield from missing("ranged", ranged.id, "skill", ranged.skills, skills)
    for skill in tables.skills.values():
        yield from missing("skills", skill.id, "group", (skill.group,), set(tables.skill_groups))
    for speciality in tables.specialities.values():
        yield from missing("specialities", speciality.id, "skill", (speciality.skill,), skills)
    for job in tables.occupations.values():
        yield from missing("occupations", job.id, "status", (job.status,), set(tables.statuses))
        yield from missing("occupations", job.id, "group", (job.group,), set(tables.occupation_groups))
        yield from missing("occupations", job.id, "skills", tuple(hint.skill for hint in job.skills), skills)
        named = tuple(hint.speciality for hint in job.skills if hint.speciality)
        yield from missing("occupations", job.id, "skills", named, set(tables.specialities))
    for preset in tables.presets.values():
        yield from missing("presets", preset.id, "role", (preset.role,), set(tables.roles))
        yield from missing("presets", preset.id, "skills", tuple(row.skill for row in preset.skills), skills)
        yield from missing("presets", preset.id, "items", preset.items, arms)
        yield from missing("presets", preset.id, "perks", preset.perks, perks)


def _own_schools(tables: Edo) -> Iterator[Fault]:
    taken = {school.name.ja for school in tables.schools.values()}
    for own in tables.own_schools.values():
        if not own.name:
            continue
        if own.name in taken:
            words = _SAME_NAME.format(name=own.name)
            yield Fault("own_schools", own.id, "name", "this name is taken", message=words)
        taken.add(own.name)
        if not any(effect.in_own_school(own.id) for effect in tables.effects.values()):
            words = _NO_EFFECT.format(name=own.name)
            yield Fault("own_schools", own.id, "name", "a school without effects", message=words)


TABLES: TableSet[Edo] = TableSet(Path(__file__).parent / "data", Edo, cross_check)
HOUSE_RULES: HouseRules[Edo] = HouseRules(TABLES)
