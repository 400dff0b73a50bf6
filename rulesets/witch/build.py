"""Checking a witch or a cat: every problem at once, derived values, open choices (rules §3.10, §4.8)."""

from __future__ import annotations

from rulesets.engine.problems import Derived, OpenChoice, Part, Report
from rulesets.engine.text import Text
from rulesets.protocol import Context, Fields
from rulesets.witch import check_cat, check_common, check_witch, pair
from rulesets.witch.fields import column_text
from rulesets.witch.findings import Findings
from rulesets.witch.rows import COLUMNS, TRICKSTER
from rulesets.witch.sheet import Sheet, whole
from rulesets.witch.tables import Witch


def check(fields: Fields, tables: Witch, context: Context) -> Report:
    """Never raises, whatever the fields hold. There are no costs in this game."""
    book = Findings(Sheet(fields, tables), context)
    check_common.find(book)
    if book.sheet.kind == "witch":
        check_witch.find(book)
    elif book.sheet.kind == "cat":
        check_cat.find(book)
    pair.find(book)
    derived = {one.key: one for one in _derived(book)}
    return Report(tuple(book.problems), (), 0, derived, tuple(_open(book)))


def message(code: str, tables: Witch, **params: object) -> Text:
    """The words of a code for whoever finds it outside a check. Raises `KeyError`."""
    return tables.messages[code].text.format(**params)


# ---------------------------------------------------------------- derived values


def _derived(book: Findings) -> list[Derived]:
    if book.sheet.kind == "witch":
        return _of_witch(book)
    return _of_cat(book) if book.sheet.kind == "cat" else []


def _of_witch(book: Findings) -> list[Derived]:
    sheet, tables, rule = book.sheet, book.tables, book.tables.rule
    used = sum(max(0, min(whole(row.dice) or 0, 99)) for row in sheet.skills)
    found = [
        _one(book, "skill_dice", rule.skill_dice - used, "§3.4", [("pool", rule.skill_dice), ("used", -used)], "E04"),
    ]
    if rule.factor_roll == "point_buy":
        spent = sum(value for value in sheet.factors.values() if abs(value) < 10**6)
        parts = [("points", rule.point_buy_total), ("spent", -spent)]
        found.append(_one(book, "points", rule.point_buy_total - spent, "§3.3", parts, "E02"))
    if len(sheet.power) == len(COLUMNS):
        for key, columns in (("strongest", sheet.strongest), ("weakest", sheet.weakest)):
            told = "・".join(column_text(column, tables).ja for column in columns)
            best = sheet.power[columns[0]]
            part = Part(tables.label("part.sign" if key == "strongest" else "part.shadow"), best)
            label = tables.label(f"derived.{key}")
            found.append(Derived(key, label, told, (part,), "§3.6", inferred=key == "weakest"))
    cards = {key: sheet.number(key) for key in ("sign_card", "shadow_card")}
    if None not in cards.values():
        yes = TRICKSTER in cards.values()
        told = tables.label("trickster.yes" if yes else "trickster.no").ja
        parts_of = tuple(Part(book.label(key), value or 0) for key, value in cards.items())
        found.append(Derived("trickster", tables.label("derived.trickster"), told, parts_of, "§6.6"))
    return found


def _of_cat(book: Findings) -> list[Derived]:
    spells = [(book.label(f"spells.{row}"), book.tables.cat_spells[row].mp) for row in book.sheet.spells]
    parts = tuple(Part(label, mp) for label, mp in spells)
    label = book.tables.label("derived.mp_needed")
    return [Derived("mp_needed", label, sum(mp for _, mp in spells), parts, "§4.5", inferred=True)]


def _one(book: Findings, key: str, value: int, rule: str, parts: list[tuple[str, int]], source: str) -> Derived:
    labelled = tuple(Part(book.tables.label(f"part.{name}"), number) for name, number in parts)
    label = book.tables.label(f"derived.{key}")
    return Derived(key, label, value, labelled, rule, inferred=source.startswith("E"))


# ---------------------------------------------------------------- what is still open


def _open(book: Findings) -> list[OpenChoice]:
    sheet, tables = book.sheet, book.tables
    found: list[OpenChoice] = []
    if sheet.kind == "witch" and not sheet.text("true_name"):
        found.append(OpenChoice("true_name", tables.label("true_name"), tables.label("hint.true_name")))
    if sheet.kind is not None and not sheet.text("partner") and not book.npc:
        hint = tables.label("hint.partner" if sheet.kind == "witch" else "hint.partner_witch")
        found.append(OpenChoice("partner", tables.label("partner"), hint))
    if sheet.kind == "cat" and not sheet.text("sex"):
        found.append(OpenChoice("sex", tables.label("sex")))
    return found
