"""A witch and her cat as a pair: born on the same day, one cat for one witch (rules §4.2, §4.6)."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.engine.problems import Fix
from rulesets.protocol import Fields
from rulesets.witch.findings import Findings
from rulesets.witch.sheet import Sheet

_BIRTHDAY = ("birthday.month", "birthday.day")


def birthday(fields: Fields) -> tuple[object, object]:
    return fields.get(_BIRTHDAY[0]), fields.get(_BIRTHDAY[1])


def find(book: Findings) -> None:
    """What is wrong between a sheet and its partner's, when that is known."""
    partner = book.context.partner
    if partner is None or book.sheet.kind is None:
        return
    other = Sheet(partner, book.tables)
    if other.kind == book.sheet.kind:
        book.add("L36" if book.sheet.kind == "cat" else "L37", "partner", name=other.name)
    elif None not in birthday(partner) and birthday(partner) != birthday(book.sheet.fields):
        words = book.tables.label("fix_set")
        told = "/".join(str(part) for part in birthday(partner))
        label = words.format(label=book.label("birthday.day"), value=told)
        changes = {key: partner[key] for key in _BIRTHDAY}
        book.add("C04", "birthday.month", Fix(label, changes=changes, target="birthday.month"))


def bonds(sheets: Mapping[str, Fields]) -> dict[str, str]:
    """Who is whose partner among characters by id: witch -> cat, one each.

    A sheet names its partner by id or by name. Both must agree, or one of them be silent; whoever is named by two keeps
    the one it names itself, else the first.
    """
    kinds = {who: fields.get("kind") for who, fields in sheets.items()}
    named = {who: _named(str(fields.get("partner") or ""), who, sheets) for who, fields in sheets.items()}
    found: dict[str, str] = {}
    for mutual in (True, False):
        for witch in (who for who, kind in kinds.items() if kind == "witch" and who not in found):
            for cat in (who for who, kind in kinds.items() if kind == "cat" and who not in found.values()):
                says = (named[witch] == cat, named[cat] == witch)
                silent = (not named[witch], not named[cat])
                if all(says) or (not mutual and ((says[0] and silent[1]) or (says[1] and silent[0]))):
                    found[witch] = cat
                    break
    return found


def _named(partner: str, who: str, sheets: Mapping[str, Fields]) -> str:
    """The id that a sheet's partner means; "" for nobody here."""
    if not partner:
        return ""
    if partner in sheets and partner != who:
        return partner
    kind = "whisker_name" if sheets[who].get("kind") == "witch" else "common_name"
    return next((other for other, fields in sheets.items() if other != who and fields.get(kind) == partner), "")
