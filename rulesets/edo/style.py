"""Schools and own-style perks: which skill they are tied to and what they shift (rules §4.7, §7.8, E13–E17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulesets.edo.rows import Effect, EffectKind, When
from rulesets.edo.sheet import Sheet, SkillEntry
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Derived, Part
from rulesets.engine.text import Text, same

Shift = Literal["own_attack", "own_parry", "own_dodge", "opp_parry", "opp_dodge"]

# Which shifts of difficulty an effect touches: "parry or dodge" is both.
_TOUCHES: dict[EffectKind, tuple[Shift, ...]] = {
    "own_attack": ("own_attack",),
    "own_parry": ("own_parry",),
    "own_dodge": ("own_dodge",),
    "opp_parry": ("opp_parry",),
    "opp_defence": ("opp_parry", "opp_dodge"),
}
KINDS_OF: dict[Shift, tuple[EffectKind, ...]] = {
    shift: tuple(kind for kind, touched in _TOUCHES.items() if shift in touched)
    for shift in ("own_attack", "own_parry", "own_dodge", "opp_parry", "opp_dodge")
}
_SHIFTS: tuple[Shift, ...] = ("own_attack", "own_parry", "own_dodge", "opp_parry", "opp_dodge")
_OPPONENT: tuple[Shift, ...] = ("opp_parry", "opp_dodge")
_CONDITIONS: tuple[When, ...] = ("first_strike", "drawing_cut", "riposte")
OPPONENT_CAP = 2


@dataclass(frozen=True, slots=True)
class Source:
    """An effect and the school or perk it comes from."""

    effect: Effect
    name: Text


def candidates(sheet: Sheet) -> tuple[SkillEntry, ...]:
    """Martial skills high enough to carry a style."""
    return tuple(entry for entry in sheet.martial if entry.level >= sheet.tables.rule.style_level)


def bound_skill(sheet: Sheet) -> SkillEntry | None:
    """The skill the style works with (E14): the chosen one, else swordsmanship, else the best. None without one."""
    able = candidates(sheet)
    chosen = sheet.text("style_skill")
    if chosen:
        return next((entry for entry in able if entry.row == chosen), None)
    swords = next((entry for entry in able if entry.skill.id == "kenjutsu"), None)
    return swords or max(able, key=lambda entry: entry.level, default=None)


def sources(sheet: Sheet) -> tuple[Source, ...]:
    """Every effect the character has, schools first; the same effect twice counts once."""
    found: dict[str, Source] = {}
    for school in sheet.schools:
        for effect in school.effects:
            found.setdefault(effect, Source(sheet.tables.effects[effect], school.name))
    for _, perk in sheet.perk_rows:
        for effect in perk.effects:
            found.setdefault(effect, Source(sheet.tables.effects[effect], perk.name))
    return tuple(found.values())


def armour_relief(sheet: Sheet) -> tuple[int, Text | None]:
    """How much smaller the armour penalty is, and thanks to whom (weaponless: always counts, E14)."""
    for source in sources(sheet):
        if source.effect.kind == "own_armour_penalty":
            return -source.effect.value, source.name
    return 0, None


def shift_parts(tables: Edo, found: tuple[Source, ...], shift: Shift, *whens: When) -> tuple[Part, ...]:
    """The summands of one shift of difficulty when `whens` apply, the cap on opponents' defence included (E17)."""
    parts = [
        Part(source.name, source.effect.value)
        for source in found
        if shift in _TOUCHES.get(source.effect.kind, ()) and source.effect.when in ("always", *whens)
    ]
    total = sum(int(part.value) for part in parts)
    if shift in _OPPONENT and tables.rule.opp_bonus_stacking == "cap_2" and total > OPPONENT_CAP:
        parts.append(Part(tables.label("cap"), OPPONENT_CAP - total))
    return tuple(parts)


def style_values(sheet: Sheet) -> Iterator[Derived]:
    """What the style does, in numbers: shifts of difficulty (plain and by condition), multiplier, critical faces."""
    found = sources(sheet)
    if not found:
        return
    note = _note(sheet)
    for shift in _SHIFTS:
        yield from _shifts(sheet.tables, found, shift, note)
    yield from _multiplier(sheet.tables, found, note)
    faces = sorted({6, *(source.effect.value for source in found if source.effect.kind == "crit_face")})
    if len(faces) > 1:
        parts = tuple(Part(source.name, source.effect.value) for source in found if source.effect.kind == "crit_face")
        label = sheet.tables.label("crit_faces")
        yield Derived("crit_faces", label, " ".join(map(str, faces)), parts, "§7.9", None, note, "style")


def _shifts(tables: Edo, found: tuple[Source, ...], shift: Shift, note: Text | None) -> Iterator[Derived]:
    plain = shift_parts(tables, found, shift, "always")
    label = tables.label(shift)
    if all(source.effect.weaponless for source in found if shift in _TOUCHES.get(source.effect.kind, ())):
        note = None  # 柳生's dodge involves no weapon and always counts (E14)
    if plain:
        yield Derived(shift, label, _sum(plain), plain, "§7.8", None, note, "style")
    for when in _CONDITIONS:
        parts = shift_parts(tables, found, shift, when)
        if parts != plain:
            words = tables.label(f"when_{when}").format(label=label)
            yield Derived(f"{shift}@{when}", words, _sum(parts), parts, "§7.8", None, note, "style")


def _multiplier(tables: Edo, found: tuple[Source, ...], note: Text | None) -> Iterator[Derived]:
    parts = tuple(Part(s.name, f"×{s.effect.value}") for s in found if s.effect.kind == "damage_times")
    if parts:
        times = 1
        for source in found:
            times *= source.effect.value if source.effect.kind == "damage_times" else 1
        yield Derived("damage_times", tables.label("damage_times"), f"×{times}", parts, "§7.8", None, note, "style")


def _note(sheet: Sheet) -> Text | None:
    bound = bound_skill(sheet)
    if bound is None or sheet.tables.rule.style_scope == "all_skills":
        return None
    return sheet.tables.label("style_bound").format(skill=bound.label)


def _sum(parts: tuple[Part, ...]) -> int:
    return sum(int(part.value) for part in parts)


def name_of(sheet: Sheet) -> Text | None:
    """What the style is called: the name somebody gave it, else the school."""
    typed = sheet.text("style_name")
    if typed:
        return same(typed)
    return sheet.schools[0].name if sheet.schools else None
