"""Name, skills, slots, body parts, implants (rules §3.2, §3.5.3, §3.6–§3.8, §3.10), and the blanks of NPCs (§8)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.engine.checking import Finding, Repair
from rulesets.engine.problems import Level
from rulesets.ninja.derived import owned_limit
from rulesets.ninja.subject import Subject

# What an NPC needs in a fight: field, and the derived value that may stand for it.
_NEEDED = (("npc.hp", "hp_max"), ("npc.initiative", "initiative"), ("npc.attack", "attack_dice"))


def find(subject: Subject) -> Iterator[Finding]:
    if not subject.sheet.text("name"):
        yield Finding("B01", "name", repairs=(subject.goto("name"),))
    yield from _copies(subject)
    yield from _in_hand(subject)
    if subject.npc:
        yield from _blanks(subject)
        return
    yield from _auto(subject)
    yield from _slots(subject)
    yield from _parts(subject)
    yield from _kill9(subject)


def _blanks(subject: Subject) -> Iterator[Finding]:
    if subject.sheet.text("npc.kind") == "civilian":
        return
    for field, key in _NEEDED:
        if field not in subject.sheet.fields and subject.values.parts(key) is None:
            label = subject.label(field)
            yield Finding("B34", field, {"label": label}, repairs=(subject.goto(field),))


def _copies(subject: Subject) -> Iterator[Finding]:
    seen: set[str] = set()
    for held in subject.sheet.skills:
        if held.skill.id in seen and not held.skill.stackable:
            yield Finding("B28", held.path, {"skill": held.skill.name}, repairs=(subject.remove(held.path),))
        seen.add(held.skill.id)


def _in_hand(subject: Subject) -> Iterator[Finding]:
    chosen = subject.sheet.text("equipped")
    item = subject.tables.items.get(chosen)
    if item is not None and chosen not in subject.sheet.weapons:
        yield Finding("B36", "equipped", {"item": item.name}, repairs=(subject.remove("equipped"),))


def _auto(subject: Subject) -> Iterator[Finding]:
    have = subject.sheet.permanent
    for row in subject.tables.auto_skills.values():
        path = f"auto.{row.id}"
        if subject.sheet.flag(path) and have.get(row.ability, 0) < row.least:
            params = {"skill": row.name, "ability": subject.ability(row.ability), "n": row.least}
            fix = subject.remove(path)
            yield Finding("B20", path, params, row.least, have.get(row.ability, 0), repairs=(fix,))


def _slots(subject: Subject) -> Iterator[Finding]:
    sheet, tables, values = subject.sheet, subject.tables, subject.values
    rule = tables.rule
    if values.slots > rule.weapon_slots:
        over = values.slots - rule.weapon_slots
        heavy = [thing for thing in sheet.things if thing.slots >= over]
        fixes = tuple(_drop(subject, thing.path) for thing in heavy)
        params = {"n": over, "used": values.slots, "max": rule.weapon_slots}
        path = sheet.things[-1].path
        yield Finding("B14", path, params, rule.weapon_slots, values.slots, repairs=fixes)
    owned = [held for held in sheet.skills if held.place == "owned"]
    memory = [held for held in sheet.skills if held.place == "memory"]
    used = sum(held.skill.marks for held in owned)
    limit = owned_limit(sheet)
    if limit is not None and used > limit:
        why, params = {"most": rule.skill_slots_most}, {"used": used, "max": limit}
        moved = tuple(
            Repair(subject.words.set(subject.label(held.path), tables.label("memory")), {held.path: "memory"})
            for held in owned
            if held.path != "start_skill"
        )
        gone = tuple(subject.remove(held.path) for held in owned if held.path != "start_skill")
        yield Finding("B17", owned[-1].path, params, limit, used, why, repairs=(*moved, *gone))
    used = sum(held.skill.marks for held in memory) + len(sheet.lore)
    neuron = sheet.permanent.get("neuron")
    if neuron is not None and used > neuron:
        fixes = tuple(subject.remove(key) for key, _ in (*sheet.lore[::-1], *((h.path, h) for h in memory)))
        path = memory[-1].path if memory else sheet.lore[-1][0]
        yield Finding("B18", path, {"used": used, "max": neuron}, neuron, used, repairs=fixes)
    if values.load > rule.load_limit:
        fixes = tuple(_drop(subject, piece.path) for piece in sheet.pieces)
        params = {"max": rule.load_limit, "n": values.load}
        yield Finding("B22", sheet.pieces[-1].path, params, rule.load_limit, values.load, repairs=fixes)


def _drop(subject: Subject, path: str) -> Repair:
    """Takes a thing away with everything its row holds."""
    if path == "start_item":
        return subject.remove(path)
    head = path.rpartition(".")[0]
    gone = {key: None for key in subject.sheet.fields if key.startswith(f"{head}.")}
    return Repair(subject.words.remove(subject.label(path)), gone)


def _parts(subject: Subject) -> Iterator[Finding]:
    mode = subject.tables.rule.part_conflict
    if mode == "off":
        return
    for thing in subject.sheet.things:
        clash = [p for p in subject.sheet.pieces if thing.part is not None and thing.part in p.parts]
        if clash:
            part = subject.tables.label(f"part_{thing.part}")
            level: Level | None = "error" if mode == "error" else None
            fixes = (_drop(subject, thing.path), _drop(subject, clash[0].path))
            yield Finding("B15", thing.path, {"part": part}, level=level, repairs=fixes)


def _kill9(subject: Subject) -> Iterator[Finding]:
    neuron = subject.sheet.permanent.get("neuron", 0)
    for held in subject.sheet.skills:
        least = held.skill.lan_or_neuron
        if least is not None and neuron < least and not subject.sheet.has_lan:
            yield Finding("B16", held.path, {"n": least}, least, neuron, repairs=(subject.remove(held.path),))
