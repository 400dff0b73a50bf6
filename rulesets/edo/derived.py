"""Derived values with the parts they are made of (rules §4.6), plain and in each armour owned (§7.11, E28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rulesets.edo.arms import carried, weapon_values, wielding
from rulesets.edo.costs import with_level
from rulesets.edo.rows import AbilityId, Armour
from rulesets.edo.sheet import Sheet, SkillEntry
from rulesets.edo.style import armour_relief, style_values
from rulesets.engine.problems import Derived, Part
from rulesets.engine.text import Text
from rulesets.protocol import Context


def derived_values(sheet: Sheet, context: Context) -> dict[str, Derived]:
    """Everything that follows from the sheet, by key. Values whose ability is open are left out.

    Groups: `main`; `skill` (`effective.<row>`); `weapon` (`weapon.<n>` for possession n, `weapon.punch` … for unarmed
    attacks; the value is the effective skill) and `weapon_detail` (`weapon.<n>.damage|dice|reach|parry|near|far`);
    `style`; `armour.<id>` (the same keys with `@<id>`: what changes while that armour is worn).
    """
    plain = [*_main(sheet, context), *_skills(sheet), *weapon_values(sheet), *style_values(sheet)]
    found = {value.key: value for value in plain}
    for worn in worn_armour(sheet):
        found |= {value.key: value for value in _in_armour(sheet, worn, found)}
    return found


# ---------------------------------------------------------------- §4.6


def _main(sheet: Sheet, context: Context) -> Iterator[Derived]:
    yield from _endurance(sheet)
    yield from _evasion(sheet)
    yield from _body_values(sheet)
    yield from _kp(sheet, context)
    yield from _money(sheet)


def _ability_part(sheet: Sheet, ability: AbilityId) -> Part:
    return Part(sheet.tables.abilities[ability].name, sheet.abilities[ability])


def _level_part(sheet: Sheet, skill_id: str) -> Iterator[Part]:
    entry = next((entry for entry in sheet.skills if entry.skill.id == skill_id and entry.level), None)
    if entry is not None:
        yield Part(with_level(sheet, entry), entry.level)


def _endurance(sheet: Sheet) -> Iterator[Derived]:
    if "body" not in sheet.abilities:
        return
    parts = (_ability_part(sheet, "body"), Part(sheet.tables.label("bought"), sheet.bought))
    label, note = sheet.tables.label("endurance_max"), sheet.tables.label("endurance_note")
    yield Derived("endurance_max", label, sheet.abilities["body"] + sheet.bought, parts, "§4.6", None, note)


def _evasion(sheet: Sheet) -> Iterator[Derived]:
    if "gi" not in sheet.abilities:
        return
    base = sheet.tables.number("evasion_base")
    dodge = sheet.level("taisabaki")
    basic = Part(sheet.tables.label("basic"), base)
    parts = (_ability_part(sheet, "gi"), basic, *_level_part(sheet, "taisabaki"))
    yield Derived("evasion", sheet.tables.label("evasion"), sheet.abilities["gi"] + base + dodge, parts, "§4.6")


def _body_values(sheet: Sheet) -> Iterator[Derived]:
    tables = sheet.tables
    body = sheet.abilities.get("body")
    if body is not None:
        scale = tables.extra_damage
        at = min(max(body, scale.first), scale.last)
        name = tables.abilities["body"].name
        parts = (Part(Text(f"{name.ja}{body}", f"{name.en} {body}"), scale[at]),)
        label = tables.label("extra_damage")
        yield Derived("extra_damage", label, scale[at], parts, "§4.6", inferred=scale.inferred_at(at))
    yield _move(sheet)
    if body is not None:
        base, level = tables.number("stone_base"), sheet.level("tenage")
        words = tables.label("stone_part").format(body=body, base=base, level=level)
        yield Derived(
            "stone_range",
            tables.label("stone_range"),
            body * (base + level),
            (Part(words, body * (base + level)),),
            "§4.6",
            tables.label("ken"),
        )


def _move(sheet: Sheet) -> Derived:
    """Only whoever has learned running moves farther: the rule hangs on the skill (§4.4)."""
    tables = sheet.tables
    move = tables.number("move")
    parts = [Part(tables.label("basic"), move)]
    running = next((entry for entry in sheet.skills if entry.skill.id == "soko" and entry.level), None)
    effective = sheet.effective(running) if running is not None else None
    guess = False
    if running is not None and effective is not None and effective >= tables.number("runner_effective"):
        move = tables.number("move_runner")
        parts.append(Part(tables.label("runner").format(n=effective), move - tables.number("move")))
        guess = running.skill.inferred_in("base")
    return Derived("move", tables.label("move"), move, tuple(parts), "§4.6", tables.label("ken"), inferred=guess)


def _kp(sheet: Sheet, context: Context) -> Iterator[Derived]:
    role, tables = sheet.role, sheet.tables
    if role is None:
        return
    label, limit = tables.label("kp_initial"), tables.label("kp_limit")
    if role.npc_only:
        yield Derived("kp_initial", label, 0, (Part(role.name, 0),), "§6.6", None, tables.label("mook_kp_note"))
    elif context.kind == "npc":
        dice = f"{role.npc_kp_dice}D6" + (f"{role.npc_kp_add:+d}" if role.npc_kp_add else "")
        yield Derived("kp_initial", label, dice, (Part(role.name, dice),), "§6.6", None, tables.label("npc_kp_note"))
    else:
        note = tables.label("limit_note").format(n=role.kp_limit)
        yield Derived("kp_initial", label, role.kp_initial, (Part(role.name, role.kp_initial),), "§6.1", None, note)
    yield Derived("kp_limit", limit, role.kp_limit, (Part(role.name, role.kp_limit),), "§6.1")


def _money(sheet: Sheet) -> Iterator[Derived]:
    status = sheet.tables.statuses.get(sheet.text("status"))
    faces = [face for face in sheet.money_dice.values() if isinstance(face, int) and not isinstance(face, bool)]
    if status is None or not faces or len(faces) != status.money_dice:
        return
    times = Part(Text(f"×{status.money_times}", f"×{status.money_times}"), "×" + str(status.money_times))
    dice = (Part(sheet.tables.label("money_dice").format(n=n), face) for n, face in enumerate(faces, 1))
    label, unit = sheet.tables.label("money"), sheet.tables.label("mon")
    yield Derived("money", label, sum(faces) * status.money_times, (*dice, times), "§4.8", unit)


def _skills(sheet: Sheet) -> Iterator[Derived]:
    for entry in sheet.skills:
        effective = sheet.effective(entry)
        if entry.level and effective is not None:
            parts = (_ability_part(sheet, entry.base), Part(with_level(sheet, entry), entry.level))
            yield Derived(
                f"effective.{entry.row}",
                entry.label,
                effective,
                parts,
                "§4.3",
                group="skill",
                inferred=base_inferred(entry),
            )


def base_inferred(entry: SkillEntry) -> bool:
    """Whether nobody wrote down which ability the skill builds on."""
    if entry.known is not None and entry.base == entry.known.base:
        return entry.known.inferred_in("base")
    return entry.skill.inferred_in("base")


# ---------------------------------------------------------------- §7.11


@dataclass(frozen=True, slots=True)
class Worn:
    """Armour as worn: points it takes off damage, and the parts of what it takes off 技 (a school may relieve)."""

    id: str
    name: Text
    value: int
    parts: tuple[Part, ...]

    @property
    def penalty(self) -> int:
        return -sum(int(part.value) for part in self.parts)


def worn_armour(sheet: Sheet) -> list[Worn]:
    """Each armour among the possessions; both together only where the group adds them up (E45)."""
    rows = sheet.tables.armour
    ids = dict.fromkeys(str(item.id) for item in sheet.possessions if str(item.id) in rows)
    owned = [rows[armour_id] for armour_id in ids]
    relief, name = armour_relief(sheet)
    found = [_worn(armour.id, armour.name, (armour,), relief, name) for armour in owned]
    if len(owned) > 1 and sheet.tables.rule.armour_stacking == "add":
        words = Text("＋".join(a.name.ja for a in owned), " + ".join(a.name.en for a in owned))
        found.append(_worn("both", words, tuple(owned), relief, name))
    return found


def as_worn(sheet: Sheet, armour: Armour) -> Worn:
    """A row of armour on this character, owned or not."""
    relief, name = armour_relief(sheet)
    return _worn(armour.id, armour.name, (armour,), relief, name)


def _worn(key: str, name: Text, armour: tuple[Armour, ...], relief: int, thanks: Text | None) -> Worn:
    penalty = sum(row.gi_penalty for row in armour)
    parts = [Part(name, -penalty)]
    if thanks is not None and min(relief, penalty):
        parts.append(Part(thanks, min(relief, penalty)))
    return Worn(key, name, sum(row.value for row in armour), tuple(parts))


def _in_armour(sheet: Sheet, worn: Worn, plain: Mapping[str, Derived]) -> Iterator[Derived]:
    tables = sheet.tables
    value = tables.label("armour_value_of").format(armour=worn.name)
    group = f"armour.{worn.id}"
    yield Derived(f"armour_value@{worn.id}", value, worn.value, (Part(worn.name, worn.value),), "§7.11", group=group)
    for key, found in plain.items():
        if not worn.penalty or not isinstance(found.value, int) or not _lowered(sheet, key):
            continue
        label = tables.label("in_armour").format(label=found.label, armour=worn.name)
        yield replace(
            found,
            key=f"{key}@{worn.id}",
            label=label,
            value=found.value - worn.penalty,
            parts=(*found.parts, *worn.parts),
            group=group,
            rule="§7.11",
            inferred=found.inferred or (key == "evasion" and tables.rules.inferred_in("armour_lowers_evasion")),
        )


def _lowered(sheet: Sheet, key: str) -> bool:
    """Whether armour lowers a value: evasion (E28) and whatever builds on 技."""
    head, _, rest = key.partition(".")
    if key == "evasion":
        return sheet.tables.rule.armour_lowers_evasion
    if head == "effective":
        entry = sheet.entry(rest)
        return entry is not None and entry.base == "gi"
    return head == "weapon" and rest.count(".") == 0 and _weapon_on_gi(sheet, rest)


def _weapon_on_gi(sheet: Sheet, key: str) -> bool:
    arm = carried(sheet).get(key)
    return arm is not None and wielding(sheet, arm).base == "gi"
