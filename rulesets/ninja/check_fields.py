"""Whatever a draft may hold that no rule speaks about: strange keys, unreadable values, unknown choices, long texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from rulesets.engine.checking import Finding, Repair, shown
from rulesets.engine.problems import Value
from rulesets.ninja import fields as labels
from rulesets.ninja.rows import PARTS, TARGETS
from rulesets.ninja.sheet import COUNTS, METHODS, NPC_KINDS, ORIGINS, PLACES, sort_of, text_limit, whole
from rulesets.ninja.subject import Subject

# lowest and highest of numbers that no rule of their own bounds
_BOUNDS = {"growth": (0, 60), "walls": (0, 9), "npc": (0, 999), "dice": (1, 6), "rolls": (1, 66)}
_THING_BOUNDS = {"slots": (0, 20), "load": (0, 99), "value": (-99, 99)}
MOST = 32767


def find(subject: Subject) -> Iterator[Finding]:
    for key, value in subject.sheet.fields.items():
        yield from _look(subject, str(key), value)


def _look(subject: Subject, key: str, value: Value) -> Iterator[Finding]:
    sort = sort_of(key)
    label = labels.field_label(key, subject.tables)
    gone = (subject.remove(key),)
    if sort is None:
        yield Finding("S05", key, {"key": key[:60]}, repairs=gone)
    elif sort == "flag":
        if not isinstance(value, bool):
            yield Finding("S03", key, {"label": label}, repairs=gone)
    elif sort == "number":
        yield from _number(subject, key, value)
    elif not isinstance(value, str):
        yield Finding("S03", key, {"label": label}, repairs=gone)
    elif any(unicodedata.category(char) in ("Cc", "Cs") and char != "\n" for char in value):
        yield Finding("S04", key, {"label": label}, repairs=gone)
    elif sort == "choice":
        if value.strip() and value not in choices(subject, key):
            yield Finding("S01", key, {"value": shown(value)}, repairs=gone)
    elif len(value) > text_limit(key):
        most = text_limit(key)
        cut = Repair(subject.words.set(label, f"{value[:12]}…"), {key: value[:most].strip()})
        params = {"label": label, "max": most, "length": len(value)}
        yield Finding("S02", key, params, most, len(value), repairs=(cut,))


def _number(subject: Subject, key: str, value: Value) -> Iterator[Finding]:
    label = labels.field_label(key, subject.tables)
    number = whole(value)
    if number is None:
        yield Finding("S03", key, {"label": label}, repairs=(subject.remove(key),))
        return
    head, _, rest = key.partition(".")
    if key in COUNTS and number < 0:
        zero = Repair(subject.words.change(label, number, 0), {key: 0})
        yield Finding("B24", key, {"field": label}, 0, number, repairs=(zero,))
    low, high = _BOUNDS.get(head) or _THING_BOUNDS.get(rest.rpartition(".")[2]) or (-MOST, MOST)
    if not low <= number <= high:
        nearest = min(max(number, low), high)
        fix = Repair(subject.words.change(label, number, nearest), {key: nearest})
        params = {"label": label, "min": low, "max": high}
        yield Finding("B37", key, params, nearest, number, repairs=(fix,))


def choices(subject: Subject, key: str) -> Iterable[str]:
    """Ids a choice may hold."""
    tables, (head, _, rest) = subject.tables, key.partition(".")
    part = rest.rpartition(".")[2]
    if head in ("knowledge", "background_skills"):
        return tables.lore
    if head == "skills":
        return PLACES
    if head in ("equipment", "cyberware"):
        rows: Iterable[str] = tables.items if head == "equipment" else tables.cyberware
        return {"id": rows, "part": PARTS, "target": TARGETS, "origin": ORIGINS}[part]
    plain: dict[str, Iterable[str]] = {
        "method": METHODS,
        "jitsu_kind": tables.jitsu,
        "start_skill": [row.id for row in tables.start_skills.values()],
        "start_item": [row.id for row in tables.start_items.values()],
        "background": tables.backgrounds,
        "equipped": tables.items,
        "npc.kind": NPC_KINDS,
        "npc.preset": tables.presets,
    }
    return plain[key]
