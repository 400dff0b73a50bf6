"""A witch's name, skills, HP, cards and 29 columns (rules §3.1, §3.4–§3.7, §3.10)."""

from __future__ import annotations

from collections import Counter

from rulesets.witch.dice_text import dice
from rulesets.witch.fields import column_text
from rulesets.witch.findings import Findings, shown
from rulesets.witch.power import columns_from
from rulesets.witch.rows import COLUMNS, SIDES, STAR
from rulesets.witch.sheet import SkillRow, faces_of, faces_text, whole

CARDS = ("sign_card", "shadow_card")
STORED_MAX = 32767


def find(book: Findings) -> None:
    if not book.sheet.text("common_name"):
        book.add("W01", "common_name")
    _skills(book)
    pool(book, "hp", book.tables.rule.witch_hp, "W11")
    _cards(book)
    _columns(book)
    if not book.npc:
        _power_evidence(book)


# ---------------------------------------------------------------- skills


def _skills(book: Findings) -> None:
    rows = book.sheet.skills
    seen: set[str] = set()
    for row in rows:
        _skill(book, row)
        if row.name and row.name in seen:
            book.add("W08", f"{row.path}.name", name=shown(row.name))
        seen.add(row.name)
    if book.tables.rule.skills_per_factor:
        _under_factors(book)
    if not book.npc:
        _dice_spread(book)


def _skill(book: Findings, row: SkillRow) -> None:
    rule = book.tables.rule
    if not row.name:
        book.add("B12", f"{row.path}.name")
    factor = row.factor
    if isinstance(factor, str) and factor and factor not in book.tables.factors:
        book.add("B01", f"{row.path}.factor", book.clear(f"{row.path}.factor"), value=shown(factor))
    value = whole(row.value)
    if value is None or not 1 <= value <= rule.skill_cap:
        book.add("W07", f"{row.path}.value", name=shown(row.name), max=rule.skill_cap, needed=rule.skill_cap, had=value)
    elif not book.npc:
        _skill_dice(book, row, value)


def _skill_dice(book: Findings, row: SkillRow, value: int) -> None:
    """The value of a skill comes of its dice, one or two of them."""
    count = whole(row.dice)
    if count is None or not 1 <= count <= book.tables.rule.skill_dice_each:
        return  # told by `_dice_spread`
    if not count <= value <= count * SIDES:
        name = shown(row.name)
        book.add("B16", f"{row.path}.value", name=name, value=value, roll=f"{count}d6", needed=count * SIDES, had=value)
        return
    faces = faces_of(row.rolled)
    if faces is None:
        book.add("B08", f"{row.path}.value", label=shown(row.name))
    elif sum(faces) != value or len(faces) != count or not all(1 <= face <= SIDES for face in faces):
        total = sum(faces)
        fixes = [book.set(f"{row.path}.value", total)] if len(faces) == count and total != value else []
        book.add("B02", f"{row.path}.value", *fixes, dice=shown(faces_text(faces)))


def _dice_spread(book: Findings) -> None:
    """Six dice over the skills, one or two each, used up exactly (W09, W10)."""
    rule = book.tables.rule
    used = 0
    for row in book.sheet.skills:
        count = whole(row.dice)
        if count is None or not 1 <= count <= rule.skill_dice_each:
            fix = book.set(f"{row.path}.dice", 1)
            book.add("W09", f"{row.path}.dice", fix, max=rule.skill_dice_each, needed=rule.skill_dice_each, had=count)
        used += max(0, min(count or 0, SIDES**4))
    left = rule.skill_dice - used
    path = f"{book.sheet.skills[0].path}.dice" if book.sheet.skills else "skills.1.name"
    if left > 0:
        book.add("W10", path, n=left, needed=rule.skill_dice, had=used)
    elif left < 0:
        book.add("B10", path, n=-left, needed=rule.skill_dice, had=used)


def _under_factors(book: Findings) -> None:
    counted = Counter(row.factor for row in book.sheet.skills if isinstance(row.factor, str) and row.factor)
    for factor, count in counted.items():
        most = book.sheet.factors.get(factor)
        if most is not None and count > most:
            name = book.sheet.factor_rows[factor].label
            path = next(f"{row.path}.factor" for row in book.sheet.skills if row.factor == factor)
            book.add("B11", path, factor=name, max=shown(most), value=count, needed=most, had=count)


# ---------------------------------------------------------------- HP (and MP of cats)


def pool(book: Findings, key: str, text: str, code: str) -> None:
    """A maximum that dice give: at least 1, within the dice, and as they fell."""
    value = whole(book.sheet.fields.get(key))
    label = book.label(key)
    if value is None or not 1 <= value <= STORED_MAX:
        book.add(code, key, stat=label, needed=1, had=value)
        return
    if book.npc:
        return
    thrown = dice(text)
    if not thrown.least <= value <= thrown.most:
        book.add("B16", key, name=label, value=value, roll=text, had=value)
        return
    faces = book.sheet.faces(key)
    if faces is None:
        if thrown.count:
            book.add("B08", key, label=label)
    elif len(faces) != thrown.count or sum(faces) + thrown.add != value or not all(1 <= f <= SIDES for f in faces):
        real = len(faces) == thrown.count and all(1 <= face <= SIDES for face in faces)
        total = sum(faces) + thrown.add
        fixes = [book.set(key, total)] if real else []
        book.add("B02", key, *fixes, dice=shown(faces_text(faces)))


# ---------------------------------------------------------------- cards and columns


def _cards(book: Findings) -> None:
    sheet = book.sheet
    numbers = {key: sheet.number(key) for key in CARDS}
    for key, number in numbers.items():
        if number not in COLUMNS:
            book.add("W14", key)
    sign, shadow = numbers["sign_card"], numbers["shadow_card"]
    if sign is not None and sign == shadow:
        book.add("W15", "shadow_card")
    if len(sheet.power) < len(COLUMNS):
        return
    if sign in sheet.compared and sign not in sheet.strongest:
        strongest = column_text(sheet.strongest[0], book.tables)
        book.add("W16", "sign_card", book.set("sign_card", sheet.strongest[0]), day=strongest)
    if not book.npc and shadow in COLUMNS and shadow != sign and shadow not in sheet.weakest:
        weakest = next((column for column in sheet.weakest if column != sign), None)
        fixes = [book.set("shadow_card", weakest)] if weakest is not None else []
        book.add("W17", "shadow_card", *fixes)


def _columns(book: Findings) -> None:
    fields = book.sheet.fields
    given = [column for column in COLUMNS if fields.get(f"power.{column}") not in (None, "")]
    if len(given) < len(COLUMNS):
        missing = next(column for column in COLUMNS if column not in given)
        book.add("W12", f"power.{missing}", n=len(given), needed=len(COLUMNS), had=len(given))
    for column in given:
        value = whole(fields[f"power.{column}"])
        if value is None or not 0 <= value <= STORED_MAX:
            book.add("W13", f"power.{column}", day=column_text(column, book.tables), had=value)


def _power_evidence(book: Findings) -> None:
    """The columns are those that the dice gave, with the cards drawn (§3.7)."""
    sheet = book.sheet
    if book.tables.rule.power_method == "manual" or len(sheet.power) < len(COLUMNS):
        return
    faces, cards = sheet.faces("power"), sheet.faces("cards")
    if faces is None:
        book.add("B08", f"power.{STAR}", label=book.tables.label("what.power"))
        return
    made = columns_from(book.tables, faces, cards or ())
    if made is None:
        book.add("B02", "rolled.power", book.clear("rolled.power"), dice=shown(faces_text(faces)))
        return
    for column in COLUMNS:
        if sheet.power[column] != made[column]:
            fix = book.set(f"power.{column}", made[column])
            book.add("B02", f"power.{column}", fix, dice=shown(faces_text(faces)))
    if cards is not None and len(cards) == len(CARDS):
        for key, drawn in zip(CARDS, cards, strict=True):
            if sheet.number(key) != drawn:
                book.add("B02", key, book.set(key, drawn), dice=shown(faces_text(cards)))
