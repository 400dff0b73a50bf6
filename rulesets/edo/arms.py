"""Weapon lines of a sheet: effective skill, dice, damage, reach, parry (rules §4.6, §7.6, §7.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulesets.edo.costs import with_level
from rulesets.edo.rows import AbilityId, Ranged, Skill, Weapon
from rulesets.edo.sheet import Sheet, SkillEntry
from rulesets.engine.problems import Derived, Part
from rulesets.engine.tables import inferred
from rulesets.engine.text import Text

Arm = Weapon | Ranged
LEARNED, UNTRAINED = "3dk2", "2d"
REACH = {1: "½", 2: "1", 4: "2"}


@dataclass(frozen=True, slots=True)
class Wielding:
    """The skill an arm is used with: the best one learned, else the first one's ability alone (two dice)."""

    skill: Skill
    base: AbilityId
    entry: SkillEntry | None
    effective: int | None

    @property
    def dice(self) -> str:
        """`3dk2`, or `2d` without the skill; "" where it cannot be tried without (E12)."""
        if self.entry is not None:
            return LEARNED
        return "" if self.skill.untrained == "no" else UNTRAINED

    @property
    def lacking(self) -> str:
        """The label that says what it means not to have the skill; "" with it."""
        return "" if self.entry is not None else f"untrained_{self.skill.untrained}"


def carried(sheet: Sheet) -> dict[str, Arm]:
    """What can be fought with, by the key of its line: possessions by number, then bare hands once learned."""
    tables = sheet.tables
    found: dict[str, Arm] = {}
    for item in sheet.possessions:
        arm = tables.weapons.get(str(item.id)) or tables.ranged.get(str(item.id))
        if arm is not None:
            found[str(item.number)] = arm
    for weapon in tables.weapons.values():
        if weapon.unarmed and any(sheet.level(skill) for skill in weapon.skills):
            found[weapon.id] = weapon
    return found


def wielding(sheet: Sheet, arm: Arm) -> Wielding:
    learned = [entry for entry in sheet.skills if entry.skill.id in arm.skills and entry.level]
    if learned:
        best = max(learned, key=lambda entry: sheet.effective(entry) or 0)
        return Wielding(best.skill, best.base, best, sheet.effective(best))
    skill = sheet.tables.skills[arm.skills[0]]
    return Wielding(skill, skill.base, None, sheet.abilities.get(skill.base))


def weapon_values(sheet: Sheet) -> Iterator[Derived]:
    """One line and its details for each arm; lines whose ability is open are left out."""
    for key, arm in carried(sheet).items():
        used = wielding(sheet, arm)
        if used.effective is None:
            continue
        details = tuple(_details(sheet, key, arm, used))
        yield _line(sheet, key, arm, used, {detail.key.rpartition(".")[2]: detail for detail in details})
        yield from details


def _line(sheet: Sheet, key: str, arm: Arm, used: Wielding, details: dict[str, Derived]) -> Derived:
    ability = sheet.tables.abilities[used.base].name
    parts = [Part(ability, sheet.abilities[used.base])]
    if used.entry is not None:
        parts.append(Part(with_level(sheet, used.entry), used.entry.level))
    else:
        parts.append(Part(sheet.tables.label("not_learned").format(skill=used.skill.name), 0))
    return Derived(
        f"weapon.{key}",
        arm.name,
        used.effective or 0,
        tuple(parts),
        "§7.6" if isinstance(arm, Weapon) else "§7.7",
        None,
        _summary(sheet, arm, used, details),
        "weapon",
        inferred(arm.source_of("skill")) or used.skill.inferred_in("base"),
    )


def _summary(sheet: Sheet, arm: Arm, used: Wielding, details: dict[str, Derived]) -> Text:
    label = sheet.tables.label
    if isinstance(arm, Weapon):
        words = label("weapon_note").format(
            damage=details["damage"].note or details["damage"].value,
            reach=details["reach"].value,
            parry=details["parry"].note,
            crit=label("crit" if arm.can_crit else "no_crit"),
        )
        extra = [arm.note] if arm.note.ja else []
        if arm.remark:
            extra.append(Text(arm.remark, arm.remark))
    else:
        near, far = details.get("near"), details.get("far")
        words = label("ranged_note").format(
            near=near.value if near else "?",
            far=far.value if far else "?",
            at_near=sheet.tables.number("near"),
            at_far=sheet.tables.number("far"),
            damage=details["damage"].value,
        )
        extra = [arm.note] if arm.note.ja else []
    if used.lacking:
        extra.append(label(used.lacking))
    return Text("。".join([words.ja, *(e.ja for e in extra)]), "; ".join([words.en, *(e.en for e in extra)]))


def _details(sheet: Sheet, key: str, arm: Arm, used: Wielding) -> Iterator[Derived]:
    label = sheet.tables.label
    name = arm.name

    def detail(part: str, value: int | str, parts: tuple[Part, ...], note: Text | None, guess: bool) -> Derived:
        words = label(part).format(weapon=name)
        unit = label("ken") if part in ("reach", "near", "far") else None
        rule = "§7.6" if isinstance(arm, Weapon) else "§7.7"
        return Derived(f"weapon.{key}.{part}", words, value, parts, rule, unit, note, "weapon_detail", guess)

    damage, parts, guess = damage_of(sheet, arm)
    yield detail("damage", damage, parts, None if damage else label("no_damage"), guess)
    lacking = label(used.lacking) if used.lacking else None
    guess = bool(lacking) and used.skill.inferred_in("untrained")
    yield detail("dice", used.dice, (Part(used.skill.name, used.dice),), lacking, guess)
    if isinstance(arm, Weapon):
        reach = REACH.get(arm.reach, f"{arm.reach}/2")
        yield detail("reach", reach, (Part(name, reach),), None, inferred(arm.source_of("reach")))
        note = label({"with": "can", "unarmed": "unarmed_only", "no": "cannot"}[_parry(sheet, arm)])
        yield detail("parry", _parry(sheet, arm), (), note, inferred(arm.source_of("parry")))
        return
    yield detail("parry", "no", (), label("cannot"), False)
    yield from _ranges(sheet, arm, detail)


def _parry(sheet: Sheet, arm: Weapon) -> str:
    """Bare hands parry bare hands; weapons only where the group says so (E27)."""
    return "with" if arm.parry == "unarmed" and sheet.tables.rule.unarmed_parry_vs_weapon else arm.parry


def damage_of(sheet: Sheet, arm: Arm) -> tuple[str, tuple[Part, ...], bool]:
    """Damage text such as `1D6+3`, its parts, and whether any of it is reconstructed; "" for none."""
    if not arm.dice:
        return "", (), False
    tables, body = sheet.tables, sheet.abilities.get("body")
    add = arm.add
    parts = [Part(tables.label("weapon_mod"), _dice_text(arm.dice, arm.add))]
    guess = inferred(arm.source_of("add"))
    if isinstance(arm, Weapon) and arm.uses_body and body is not None:
        scale = tables.extra_damage
        at = min(max(body, scale.first), scale.last)
        if scale[at]:
            add += scale[at]
            parts.append(Part(tables.label("extra_damage"), scale[at]))
            guess = guess or scale.inferred_at(at) or inferred(arm.source_of("uses_body"))
    if isinstance(arm, Weapon) and arm.kenpo_half:
        half = sheet.level("kenpo") // 2
        add += half
        parts.append(Part(tables.label("kenpo_half"), half))
    return _dice_text(arm.dice, add), tuple(parts), guess


def _dice_text(dice: int, add: int) -> str:
    return f"{dice}D6" + (f"{add:+d}" if add else "")


def _ranges(sheet: Sheet, arm: Ranged, detail) -> Iterator[Derived]:  # type: ignore[no-untyped-def]
    """近間 and 遠間; a pebble's follow from the thrower's maximum, half of it being near (E47)."""
    tables = sheet.tables
    guess = inferred(arm.source_of("near"))
    if not arm.stone_range:
        yield detail("near", arm.near, (Part(arm.name, arm.near),), None, guess)
        yield detail("far", 2 * arm.near, (Part(arm.name, 2 * arm.near),), None, guess)
        return
    body = sheet.abilities.get("body")
    if body is None:
        return
    base, level = tables.number("stone_base"), sheet.level("tenage")
    most = body * (base + level)
    words = tables.label("stone_part").format(body=body, base=base, level=level)
    if tables.rule.stone_near_range == "half":
        yield detail("near", most // 2, (Part(tables.label("half_part"), most // 2),), None, True)
    else:
        yield detail("near", "?", (), tables.label("gm_range"), False)
    yield detail("far", most, (Part(words, most),), None, False)
