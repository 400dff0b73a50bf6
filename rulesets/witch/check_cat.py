"""A cat's names, colour, HP, MP and spells, and the birthday it shares (rules §4)."""

from __future__ import annotations

from rulesets.witch.check_witch import pool
from rulesets.witch.findings import Findings, shown
from rulesets.witch.rows import SIDES
from rulesets.witch.sheet import faces_text

COMMON = "common"


def find(book: Findings) -> None:
    sheet = book.sheet
    if not sheet.text("whisker_name"):
        book.add("C01", "whisker_name")
    if sheet.text("tail_name") and not book.npc and "tail_name" not in book.context.confirmed:
        book.add("C02", "tail_name", book.clear("tail_name"))
    sex = sheet.text("sex")
    if sex and sex not in book.tables.sexes:
        book.add("B01", "sex", book.clear("sex"), value=shown(sex))
    _colour(book)
    pool(book, "hp", book.tables.rule.cat_hp, "C08")
    pool(book, "mp", book.tables.rule.cat_mp, "C08")
    _spells(book)


def _colour(book: Findings) -> None:
    sheet, tables = book.sheet, book.tables
    colour, pattern = sheet.text("color"), sheet.text("pattern")
    if colour not in tables.colours:
        book.add("C05", "color")
        return
    wrong_pattern = pattern not in tables.patterns if colour == COMMON else bool(pattern)
    if wrong_pattern:
        fixes = [book.clear("pattern")] if colour != COMMON else []
        book.add("C06", "pattern", *fixes)
    if book.npc or tables.rule.cat_colour == "choose":
        return
    faces = sheet.faces("color")
    if faces is None:
        book.add("B08", "color", label=tables.label("what.color"))
        return
    rolled = [row.id for row in tables.colours.values() if row.roll == sum(faces)]
    real = len(faces) == 2 and all(1 <= face <= SIDES for face in faces)
    if not real or rolled != [colour]:
        fixes = [book.set("color", rolled[0])] if real else []
        book.add("B02", "color", *fixes, dice=shown(faces_text(faces)))


def _spells(book: Findings) -> None:
    sheet, tables = book.sheet, book.tables
    for spell in sheet.spells:
        if spell not in tables.spells:
            book.add("B01", f"spells.{spell}", book.clear(f"spells.{spell}"), value=book.label(f"spells.{spell}"))
    wanted = min(tables.rule.cat_start_spells, len(tables.spells))
    if not book.npc and len(sheet.spells) != wanted:
        book.add("C09", f"spells.{next(iter(tables.cat_spells))}", n=wanted, needed=wanted, had=len(sheet.spells))
