"""Names, status, possessions, starting cash, and the texts themselves (rules §4.8): V23, V24, V30, V31, B01–B06."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from rulesets.edo.fields import field_label
from rulesets.edo.findings import Finding, Repair, Subject, Words, shown
from rulesets.edo.sheet import NAME_PARTS, Possession, sort_of, text_limit, whole
from rulesets.engine.problems import Value
from rulesets.engine.text import Text


def find(subject: Subject) -> Iterator[Finding]:
    yield from _texts(subject)
    yield from _names(subject)
    for item in subject.sheet.possessions:
        yield from _possession(subject, item)
    yield from _money(subject)


# ---------------------------------------------------------------- texts


def _texts(subject: Subject) -> Iterator[Finding]:
    """Unknown fields, wrong kinds of value, texts too long or with characters that no page can show."""
    for key, value in subject.fields.items():
        sort = sort_of(key)
        if sort is None:
            yield Finding("B06", key, {"key": shown(key)}, repairs=(_cleared(subject, key),))
        elif sort in ("text", "choice") and not isinstance(value, str):
            label = field_label(key, subject.tables)
            yield Finding("B04", key, {"label": label}, repairs=(_cleared(subject, key),))
        elif isinstance(value, str) and sort in ("text", "choice"):
            yield from _text(subject, key, value)


def _text(subject: Subject, key: str, text: str) -> Iterator[Finding]:
    label = field_label(key, subject.tables)
    most = text_limit(key)
    goto = Words(subject.tables).goto(key)
    if len(text) > most:
        params = {"label": label, "max": most, "length": len(text)}
        yield Finding("B03", key, params, most, len(text), repairs=(goto,))
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        yield Finding("B05", key, {"label": label}, repairs=(goto,))


def _cleared(subject: Subject, key: str) -> Repair:
    label = subject.tables.label("fix_clear").format(label=field_label(key, subject.tables))
    return Repair(label, {key: None})


# ---------------------------------------------------------------- names


def _names(subject: Subject) -> Iterator[Finding]:
    sheet = subject.sheet
    given = [part for part in NAME_PARTS if sheet.text(f"names.{part}")]
    if not given:
        yield Finding("V24", "names.given", repairs=(Words(subject.tables).goto("names.given"),))
    status = subject.tables.statuses.get(sheet.text("status"))
    if "family" in given and status is not None and not status.surname:
        away = Repair(subject.tables.label("fix_no_surname"), {"names.family": None})
        label = subject.tables.label("status")
        ronin = subject.tables.statuses["ronin"]
        other = Repair(Words(subject.tables).change(label, status.name, ronin.name), {"status": ronin.id}, weight=2)
        yield Finding("V23", "names.family", why={"status": status.name}, repairs=(away, other))


# ---------------------------------------------------------------- possessions


def thing_name(subject: Subject, item: Possession) -> Text | None:
    """The name of a listed weapon or armour; None for anything that is not carried as a possession."""
    tables = subject.tables
    weapon = tables.weapons.get(str(item.id))
    if weapon is not None:
        return None if weapon.unarmed else weapon.name
    row = tables.ranged.get(str(item.id)) or tables.armour.get(str(item.id))
    return row.name if row is not None else None


def _possession(subject: Subject, item: Possession) -> Iterator[Finding]:
    if item.id is not None and thing_name(subject, item) is None:
        if isinstance(item.id, str):
            yield _not_listed(subject, item)
        return
    if subject.npc or item.path in subject.context.confirmed:
        return
    name = thing_name(subject, item)
    words = item.text.strip() if isinstance(item.text, str) else ""
    if name is None:
        told: Text = shown(words)
    else:
        told = Text(f"{name.ja} {words}".strip(), f"{name.en} {words}".strip())
    yield Finding("V30", item.path, {"item": told})


def _not_listed(subject: Subject, item: Possession) -> Finding:
    id_key, text_key = item.keys()
    words = " ".join(str(part).strip() for part in (item.id, item.text) if isinstance(part, str))
    free: dict[str, Value] = {id_key: None, text_key: words[: text_limit(text_key)]}
    away: dict[str, Value] = {key: None for key in (id_key, text_key) if key in subject.fields}
    label = subject.tables.label("possession").format(n=item.number)
    repairs = (
        Repair(subject.tables.label("fix_as_text"), free),
        Repair(Words(subject.tables).remove(label), away),
    )
    return Finding("V31", id_key, {"item": shown(item.id)}, repairs=repairs)


# ---------------------------------------------------------------- cash


def _money(subject: Subject) -> Iterator[Finding]:
    """Dice in the draft must be those of the status: changing the status afterwards asks for a new roll."""
    dice = subject.sheet.money_dice
    if not dice:
        return
    typed = subject.sheet.text("status")
    status = subject.tables.statuses.get(typed)
    count = status.money_dice if status is not None else 0
    faces = [whole(face) for face in dice.values()]
    if len(faces) == count and all(face is not None and 1 <= face <= 6 for face in faces):
        return
    away: dict[str, Value] = dict.fromkeys(dice)
    repairs = (Repair(subject.tables.label("fix_clear_dice"), away),)
    name = status.name if status is not None else shown(typed) if typed else subject.tables.label("none")
    why = {"status": name}
    message = None if count else subject.tables.label("no_dice")
    yield Finding("B02", next(iter(dice)), {"dice": count}, count, len(faces), why, repairs=repairs, message=message)
