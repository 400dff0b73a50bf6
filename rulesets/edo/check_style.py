"""Schools and own-style perks (rules §4.7): V14–V22, V25."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.edo.costs import lost_refund
from rulesets.edo.findings import Finding, Repair, Subject, Words, shown
from rulesets.edo.rows import OWN_SCHOOLS, Perk, School
from rulesets.edo.sheet import row_parts, whole
from rulesets.edo.style import candidates
from rulesets.engine.problems import Value
from rulesets.engine.text import Text


def find(subject: Subject) -> Iterator[Finding]:
    yield from _unknown(subject)
    if subject.sheet.has_style:
        yield from _carried(subject)
        yield from _schools(subject)
        yield from _perks(subject)
        yield from _sword_schools(subject)


def style_removed(subject: Subject, *, perks_only: bool = False) -> dict[str, Value]:
    """The change that takes school, perks and their tie away; the name for show may stay."""
    heads = ("perks.",) if perks_only else ("perks.", "schools.")
    away: dict[str, Value] = {key: None for key in subject.fields if key.startswith(heads)}
    if "style_skill" in subject.fields and not perks_only:
        away["style_skill"] = None
    return away


def _unknown(subject: Subject) -> Iterator[Finding]:
    """Ticks that are no ticks, and a school that the group has taken back."""
    known = subject.tables.all_schools
    words = Words(subject.tables)
    for key, value in subject.fields.items():
        head, _, rest = key.partition(".")
        if head not in ("schools", "perks"):
            continue
        if value is not True:
            label = subject.tables.label("school" if head == "schools" else "own_style")
            away = Repair(words.remove(label), {key: None})
            yield Finding("B04", key, {"label": label}, repairs=(away,))
        elif head == "schools" and rest not in known:
            away = Repair(words.remove(subject.tables.label("school")), {key: None})
            gone = subject.tables.label("school_gone") if rest in OWN_SCHOOLS else None
            yield Finding("B01", key, {"value": shown(rest)}, repairs=(away,), message=gone)


# ---------------------------------------------------------------- who may carry a style


def _carried(subject: Subject) -> Iterator[Finding]:
    able = candidates(subject.sheet)
    chosen = subject.sheet.text("style_skill")
    if not able:
        if chosen and _was_high(subject, chosen):
            yield _dropped(subject, chosen)
        else:
            yield _none_high(subject)
        return
    if not chosen or subject.tables.rule.style_scope == "all_skills" or any(entry.row == chosen for entry in able):
        return
    skill_id = row_parts(chosen)[0]
    if skill_id in subject.tables.martial:
        yield _dropped(subject, chosen)
        return
    words = subject.tables.label("fix_bind")
    binds = tuple(Repair(words.format(skill=entry.label), {"style_skill": entry.row}) for entry in able)
    skill = subject.tables.skills.get(skill_id)
    name = skill.name if skill is not None else shown(chosen)
    yield Finding("B07", "style_skill", {"skill": name}, level="error", repairs=binds)


def _none_high(subject: Subject) -> Finding:
    need = subject.tables.rule.style_level
    sheet = subject.sheet
    rows = sorted((entry for entry in sheet.martial if entry.level), key=lambda entry: -entry.level)
    repairs = [_raised(subject, entry.row, entry.label, entry.level) for entry in rows[:2]]
    if not rows:
        sword = subject.tables.skills["kenjutsu"]
        repairs.append(_raised(subject, "kenjutsu", sword.name, 0))
    label = subject.tables.label("fix_own_style" if not sheet.chosen_schools else "fix_style")
    repairs.append(Repair(label, style_removed(subject)))
    best = rows[0].level if rows else 0
    named = [Text(f"{entry.label.ja}{entry.level}", f"{entry.label.en} {entry.level}") for entry in rows[:3]]
    told = (
        Text("・".join(t.ja for t in named), ", ".join(t.en for t in named)) if named else subject.tables.label("none")
    )
    taken = [*(f"schools.{school.id}" for school in sheet.schools), *(key for key, _ in sheet.perk_rows)]
    return Finding("V14", taken[0], {}, need, best, {"best": told}, repairs=tuple(repairs))


def _raised(subject: Subject, row: str, name: Text, level: int) -> Repair:
    need = subject.tables.rule.style_level
    changes: dict[str, Value] = {f"skills.{row}.level": need}
    if "style_skill" in subject.fields:
        changes["style_skill"] = row
    words = Words(subject.tables)
    return Repair(words.change(name, level, need) if level else words.set(name, need), changes)


def _was_high(subject: Subject, row: str) -> bool:
    before = subject.context.previous
    level = whole(before.get(f"skills.{row}.level")) if before is not None else None
    return level is not None and level >= subject.tables.rule.style_level


def _dropped(subject: Subject, row: str) -> Finding:
    """The skill the style is tied to is too low (V25)."""
    skill_id = row_parts(row)[0]
    entry = subject.sheet.entry(row)
    name = entry.label if entry is not None else subject.tables.skills[skill_id].name
    level = entry.level if entry is not None else 0
    bind = subject.tables.label("fix_bind")
    repairs = [
        *(Repair(bind.format(skill=other.label), {"style_skill": other.row}) for other in candidates(subject.sheet)),
        _raised(subject, row, name, level),
        Repair(subject.tables.label("fix_style"), style_removed(subject)),
    ]
    params = {"skill": name}
    why = {"skill": name, "had": level}
    path = f"skills.{row}.level"
    return Finding("V25", path, params, subject.tables.rule.style_level, level, why, repairs=tuple(repairs))


# ---------------------------------------------------------------- schools


def _schools(subject: Subject) -> Iterator[Finding]:
    sheet, rule = subject.sheet, subject.tables.rule
    words = Words(subject.tables)
    most = rule.max_schools
    if most is not None and len(sheet.schools) > most:
        repairs = tuple(
            Repair(words.remove(school.name), {f"schools.{school.id}": None}) for school in reversed(sheet.schools)
        )
        path = f"schools.{sheet.schools[most].id}"
        message = None if most == 1 else subject.tables.label("too_many_schools").format(max=most)
        yield Finding("V18", path, {"max": most}, most, len(sheet.schools), repairs=repairs, message=message)
    for school in sheet.schools:
        key = f"schools.{school.id}"
        if school.satsuma and not subject.npc and key not in subject.context.confirmed:
            yield Finding("V19", key)
        if school.two_swords:
            yield from _two_swords(subject, school)


def _two_swords(subject: Subject, school: School) -> Iterator[Finding]:
    weapons = subject.tables.weapons
    items = [weapons[str(item.id)] for item in subject.sheet.possessions if str(item.id) in weapons]
    swords = sum(1 for weapon in items if weapon.sword)
    if swords >= 2:
        return
    taken = {item.number for item in subject.sheet.possessions}
    free = iter(n for n in range(1, 100) if n not in taken)
    missing = [sword for sword in ("daito", "wakizashi") if sword not in {weapon.id for weapon in items}]
    adds: dict[str, Value] = {f"possessions.{next(free)}.id": sword for sword in missing[: 2 - swords]}
    names = [weapons[sword].name for sword in missing[: 2 - swords]]
    label = Text("・".join(n.ja for n in names), ", ".join(n.en for n in names))
    repair = Repair(Words(subject.tables).add(label), adds)
    params = {"school": school.name}
    yield Finding("V20", f"schools.{school.id}", params, 2, swords, {"had": swords}, repairs=(repair,))


def _sword_schools(subject: Subject) -> Iterator[Finding]:
    """A school of swordsmanship carried by another skill; without any skill V14 has said it already."""
    need, rule = subject.tables.rule.style_level, subject.tables.rule
    had = subject.sheet.level("kenjutsu")
    if had >= need or not candidates(subject.sheet):
        return
    sword = subject.tables.skills["kenjutsu"].name
    for school in subject.sheet.schools:
        if not school.sword:
            continue
        key = f"schools.{school.id}"
        words = Words(subject.tables)
        raised = words.change(sword, had, need) if had else words.set(sword, need)
        repairs = (
            Repair(raised, {"skills.kenjutsu.level": need}),
            Repair(words.remove(school.name), {key: None}),
        )
        level = "error" if rule.sword_school_requires_kenjutsu == "block" else "warning"
        params = {"school": school.name}
        yield Finding("V22", key, params, need, had, {"had": had}, level=level, repairs=repairs)  # type: ignore[arg-type]


# ---------------------------------------------------------------- perks


def _perks(subject: Subject) -> Iterator[Finding]:
    yield from _repeated(subject)
    yield from _contained(subject)
    yield from _double_and_triple(subject)
    lost = lost_refund(subject.sheet)
    if lost:
        key, perk = next((key, perk) for key, perk in subject.sheet.perk_rows if perk.cost < 0)
        away = Repair(Words(subject.tables).remove(perk.name), {key: None})
        yield Finding("V21", key, {"n": lost}, 0, lost, repairs=(away,))


def _repeated(subject: Subject) -> Iterator[Finding]:
    seen: set[str] = set()
    for key, perk in subject.sheet.perk_rows:
        if perk.id in seen:
            away = Repair(Words(subject.tables).remove(perk.name), {key: None})
            yield Finding("V15", key, {"perk": perk.name}, repairs=(away,))
        seen.add(perk.id)


def _contained(subject: Subject) -> Iterator[Finding]:
    words = Words(subject.tables)
    for key, perk in subject.sheet.perk_rows:
        school = next((school for school in subject.sheet.schools if perk.id in school.contains), None)
        if school is not None:
            repairs = (
                Repair(words.remove(perk.name), {key: None}),
                Repair(words.remove(school.name), {f"schools.{school.id}": None}),
            )
            params = {"perk": perk.name, "school": school.name}
            yield Finding("V16", key, params, why={"school": school.name}, repairs=repairs)


def _double_and_triple(subject: Subject) -> Iterator[Finding]:
    """×2 and ×3 of the same strike, whether bought or part of a school (E16)."""
    if not subject.tables.rule.x2_x3_exclusive:
        return
    double = _who_has(subject, "first_strike_x2")
    triple = _who_has(subject, "first_strike_x3")
    if double is None or triple is None:
        return
    words = Words(subject.tables)
    repairs = tuple(Repair(words.remove(name), {key: None}) for key, name in (double, triple))
    yield Finding("V17", double[0], repairs=repairs)


def _who_has(subject: Subject, effect: str) -> tuple[str, Text] | None:
    bought: list[tuple[str, Perk]] = list(subject.sheet.perk_rows)
    found = next(((key, perk.name) for key, perk in bought if effect in perk.effects), None)
    if found is not None:
        return found
    schools = subject.sheet.schools
    return next(((f"schools.{s.id}", s.name) for s in schools if effect in s.effects), None)
