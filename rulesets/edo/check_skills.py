"""Role, abilities, skills, endurance (rules §4.1–§4.6): V05–V13, V26, V29."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesets.edo.findings import Finding, Repair, Subject, Words, shown
from rulesets.edo.rows import ABILITIES, AbilityId
from rulesets.edo.sheet import Sheet, SkillEntry, whole
from rulesets.engine.problems import Value
from rulesets.engine.text import Text


def find(subject: Subject) -> Iterator[Finding]:
    yield from _role(subject)
    for ability in ABILITIES:
        yield from _ability(subject, ability)
    for entry in subject.sheet.skills:
        yield from _level(subject, entry)
        yield from _kind(subject, entry)
        yield from _base(subject, entry)
    yield from _twice(subject)
    yield from _dutch_learning(subject)
    yield from _endurance(subject)
    yield from _literacy(subject)


def row_removed(sheet: Sheet, row: str) -> dict[str, Value]:
    """The change that takes a whole row of a skill away."""
    return {key: None for key in sheet.fields if key.startswith(f"skills.{row}.")}


# ---------------------------------------------------------------- role and abilities


def _role(subject: Subject) -> Iterator[Finding]:
    role = subject.sheet.role
    if role is not None and (subject.npc or not role.npc_only):
        return
    words = Words(subject.tables)
    label = subject.tables.label("role")
    open_to = (row for row in subject.tables.roles.values() if subject.npc or not row.npc_only)
    repairs = tuple(Repair(words.set(label, row.name), {"role": row.id}) for row in open_to)
    yield Finding("V05", "role", repairs=repairs)


def _ability(subject: Subject, ability: AbilityId) -> Iterator[Finding]:
    key = f"abilities.{ability}"
    typed = subject.fields.get(key)
    value = whole(typed)
    low, high = subject.tables.ability_range(subject.context.kind)
    if value is not None and low <= value <= high:
        return
    name = subject.tables.abilities[ability].name
    words = Words(subject.tables)
    nearest = low if value is None else min(max(value, low), high)
    label = words.set(name, nearest) if value is None else words.change(name, value, nearest)
    params = {"ability": name, "min": low, "max": high}
    why = {"had": subject.tables.label("none") if typed is None else shown(typed)}
    yield Finding("V06", key, params, nearest, value, why, repairs=(Repair(label, {key: nearest}), words.goto(key)))


# ---------------------------------------------------------------- skills


def _level(subject: Subject, entry: SkillEntry) -> Iterator[Finding]:
    top = subject.tables.rule.skill_level_max
    value = whole(entry.typed)
    if value is not None and 1 <= value <= top:
        return
    words = Words(subject.tables)
    nearest = 1 if value is None else min(max(value, 1), top)
    label = words.set(entry.label, nearest) if value is None else words.change(entry.label, value, nearest)
    repairs = (
        Repair(label, {entry.path: nearest}),
        Repair(words.remove(entry.label), row_removed(subject.sheet, entry.row)),
    )
    why = {"had": subject.tables.label("none") if entry.typed is None else shown(entry.typed)}
    yield Finding("V07", entry.path, {"skill": entry.label, "max": top}, nearest, value, why, repairs=repairs)


def _kind(subject: Subject, entry: SkillEntry) -> Iterator[Finding]:
    if entry.needs_kind and not entry.speciality:
        path = f"skills.{entry.row}.speciality"
        words = Words(subject.tables)
        away = Repair(words.remove(entry.label), row_removed(subject.sheet, entry.row))
        yield Finding("V09", path, {"skill": entry.skill.name}, repairs=(away, words.goto(path)))


def _base(subject: Subject, entry: SkillEntry) -> Iterator[Finding]:
    """Who decides the ability of a craft or art is the GM; an NPC's GM has decided by writing it."""
    path = f"skills.{entry.row}.base"
    if entry.base_typed is not None and entry.base_typed not in ABILITIES:
        words = Words(subject.tables)
        clear = Repair(words.set(entry.label, subject.tables.abilities[entry.base].name), {path: entry.base})
        yield Finding("B01", path, {"value": shown(entry.base_typed)}, repairs=(clear,))
    elif entry.skill.base_by_gm and not subject.npc and path not in subject.context.confirmed:
        base = subject.tables.abilities[entry.base].name
        yield Finding("V10", path, {"skill": entry.label}, why={"base": base})


def _twice(subject: Subject) -> Iterator[Finding]:
    """The first entry stands, each further one is a repeat; another kind is another skill."""
    seen: dict[tuple[str, str], SkillEntry] = {}
    for entry in subject.sheet.skills:
        once = entry.once_key
        if once is not None and (first := seen.setdefault(once, entry)) is not entry:
            yield Finding("V08", entry.path, {"skill": entry.label}, repairs=_once(subject, first, entry))


def _once(subject: Subject, first: SkillEntry, again: SkillEntry) -> tuple[Repair, ...]:
    """Without the repeat, or with its level in the first entry; a style tied to the repeat is tied to what stays."""
    words = Words(subject.tables)
    gone = row_removed(subject.sheet, again.row)
    if subject.sheet.text("style_skill") == again.row:
        gone["style_skill"] = first.row
    away = Repair(words.remove(again.label), gone)
    if again.level <= first.level:
        return (away,)
    label = words.change(first.label, first.level, again.level)
    return away, Repair(label, {first.path: again.level, **gone}, weight=2)


def _languages(subject: Subject) -> list[SkillEntry]:
    return [entry for entry in subject.sheet.skills if entry.foreign and entry.level and entry.speciality]


def _called_western(subject: Subject, entry: SkillEntry) -> bool:
    return f"skills.{entry.row}.speciality" in subject.context.confirmed


def western_entries(subject: Subject) -> list[SkillEntry]:
    """Learned western languages; one that is not in our list counts once the GM confirms it."""
    return [
        entry
        for entry in _languages(subject)
        if (entry.known.western if entry.known is not None else _called_western(subject, entry))
    ]


def unknown_languages(subject: Subject) -> list[SkillEntry]:
    """Learned languages that are not in our list, and that the GM has not called western."""
    return [entry for entry in _languages(subject) if entry.known is None and not _called_western(subject, entry)]


def _dutch_learning(subject: Subject) -> Iterator[Finding]:
    learned = next((entry for entry in subject.sheet.skills if entry.skill.id == "rangaku" and entry.level), None)
    if learned is None:
        return
    western = western_entries(subject)
    if not western:
        yield _no_language(subject, learned)
        return
    best = max(western, key=lambda entry: entry.level)
    free = subject.tables.rule.style_level  # the text names level 4 here too
    if best.level < free and learned.level > best.level:
        yield _beyond_language(subject, learned, best, min(learned.level, free))


def _no_language(subject: Subject, learned: SkillEntry) -> Finding:
    words, sheet = Words(subject.tables), subject.sheet
    dutch = subject.tables.specialities["rango"]
    row = next(f"yomikaki~{n}" for n in range(1, 100) if sheet.entry(f"yomikaki~{n}") is None)
    level = min(learned.level, subject.tables.rule.style_level)
    language = Text(f"読み書き({dutch.name.ja}) {level}", f"Literacy ({dutch.name.en}) {level}")
    learn: dict[str, Value] = {f"skills.{row}.level": level, f"skills.{row}.speciality": dutch.name.ja}
    repairs = (
        Repair(words.add(language), learn),
        Repair(words.remove(learned.label), row_removed(sheet, learned.row)),
    )
    return Finding("V11", learned.path, repairs=repairs)


def _beyond_language(subject: Subject, learned: SkillEntry, best: SkillEntry, enough: int) -> Finding:
    words = Words(subject.tables)
    language = best.known.name if best.known is not None else Text(best.speciality, best.speciality)
    repairs = (
        Repair(words.change(learned.label, learned.level, best.level), {learned.path: best.level}),
        Repair(words.change(best.label, best.level, enough), {best.path: enough}),
    )
    params = {"lang": language, "n": best.level}
    return Finding("V12", learned.path, params, best.level, learned.level, {"had": learned.level}, repairs=repairs)


def _literacy(subject: Subject) -> Iterator[Finding]:
    role = subject.sheet.role
    if subject.sheet.level("yomikaki") or (role is not None and role.npc_only):
        return
    key = "skills.yomikaki.level"
    name = subject.tables.skills["yomikaki"].name
    yield Finding("V29", key, repairs=(Repair(Words(subject.tables).set(name, 1), {key: 1}),))


# ---------------------------------------------------------------- endurance


def _endurance(subject: Subject) -> Iterator[Finding]:
    key = "endurance_bought"
    typed = subject.fields.get(key)
    if typed is None:
        return
    value, body = whole(typed), subject.sheet.abilities.get("body")
    if value is not None and value >= 0 and (body is None or value <= body):
        return
    words, label = Words(subject.tables), subject.tables.label("endurance")
    most = max(0, body) if body is not None else 0
    repairs: list[Repair] = []
    if value is not None and value > most:
        repairs.append(Repair(words.change(label, value, most), {key: most or None}))
        repairs += _more_body(subject, value)
    else:
        repairs.append(Repair(words.remove(subject.tables.label("endurance_bought")), {key: None}))
    params: Mapping[str, object] = {"body": body if body is not None else "—"}
    why = {"had": shown(typed), "body": params["body"]}
    if _body_lowered(subject, value, body):
        params = {"n": (value or 0) - most}
        yield Finding("V26", "abilities.body", params, value, body, why, repairs=tuple(repairs))
    else:
        yield Finding("V13", key, params, most, value, why, repairs=tuple(repairs))


def _more_body(subject: Subject, bought: int) -> Iterator[Repair]:
    body = subject.sheet.abilities.get("body")
    low, high = subject.tables.ability_range(subject.context.kind)
    if body is not None and low <= bought <= high:
        name = subject.tables.abilities["body"].name
        yield Repair(Words(subject.tables).change(name, body, bought), {"abilities.body": bought})


def _body_lowered(subject: Subject, bought: int | None, body: int | None) -> bool:
    """Whether the endurance was fine in the newest revision and only 体 went down since (V26)."""
    before = subject.context.previous
    if before is None or bought is None or body is None or bought <= body:
        return False
    old_body = whole(before.get("abilities.body"))
    return old_body is not None and old_body > body and bought <= old_body
