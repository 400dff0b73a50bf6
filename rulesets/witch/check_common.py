"""What witches and cats share: the kind, readable fields, age, birthday, factors (rules §3.2, §3.3, §4.2, §4.4)."""

from __future__ import annotations

import unicodedata

from rulesets.engine.problems import Fix
from rulesets.witch.dice_text import Dice, dice
from rulesets.witch.fields import CAT_AGE, WITCH_AGE, field_label
from rulesets.witch.findings import Findings, shown
from rulesets.witch.rows import SIDES
from rulesets.witch.sheet import belongs_to, faces_of, faces_text, sort_of, text_limit, whole

MONTHS, MONTH_DAYS = 12, 31


def find(book: Findings) -> None:
    """Everything that does not depend on being a witch or a cat, and the values of their factors."""
    kind = book.sheet.kind
    for key in book.sheet.fields:
        _field(book, key, kind)
    if kind is None:
        book.add("B07", "kind")
        return
    _age(book, kind)
    _birthday(book)
    _factors(book, kind)


# ---------------------------------------------------------------- fields by themselves


def _field(book: Findings, key: str, kind: str | None) -> None:
    value = book.sheet.fields[key]
    sort = sort_of(key)
    if value is None or (value == "" and sort is not None):
        return
    if sort is None:
        book.add("B06", key, _cleared(book, key), key=shown(key))
        return
    if kind is not None and not belongs_to(key, kind):
        _foreign(book, key, kind)
    elif sort in ("text", "dice") or (sort == "choice" and key != "kind"):
        _text(book, key, value)
    elif sort == "flag" and value not in (True, False):
        book.add("B04", key, book.clear(key), label=book.label(key))


def _foreign(book: Findings, key: str, kind: str) -> None:
    """A field of the other kind: a cat's skill has a message of its own (C11)."""
    if key.startswith("skills."):
        if not any(problem.code == "C11" for problem in book.problems):
            skills = [one for one in book.sheet.fields if one.startswith("skills.") and sort_of(one)]
            book.add("C11", key, book.clear(key, *skills))
    else:
        book.add("B13", key, book.clear(key), label=book.label(key), kind=book.tables.label(f"kind.{kind}"))


def _cleared(book: Findings, key: str) -> Fix:
    words = book.tables.label("fix_clear").format(label=field_label(key, book.tables))
    return Fix(words, changes={key: None}, target=key)


def _text(book: Findings, key: str, value: object) -> None:
    label = book.label(key)
    if not isinstance(value, str) or (sort_of(key) == "dice" and faces_of(value) is None):
        book.add("B04", key, book.clear(key), label=label)
        return
    if len(value) > text_limit(key):
        book.add(
            "B03",
            key,
            needed=text_limit(key),
            had=len(value),
            label=label,
            max=text_limit(key),
            length=len(value),
        )
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in value):
        book.add("B05", key, label=label)


# ---------------------------------------------------------------- age and birthday


def _age(book: Findings, kind: str) -> None:
    wanted = CAT_AGE if kind == "cat" else WITCH_AGE
    age = book.sheet.fields.get("age")
    if book.npc:
        if age is not None and (whole(age) is None or not 0 <= (whole(age) or 0) <= 32767):
            book.add("B04", "age", book.clear("age"), label=book.label("age"))
    elif whole(age) != wanted:
        book.add("C03" if kind == "cat" else "W02", "age", book.set("age", wanted), needed=wanted, had=whole(age))


def _birthday(book: Findings) -> None:
    month, day = book.sheet.fields.get("birthday.month"), book.sheet.fields.get("birthday.day")
    if month is None and day is None:
        if not book.npc:
            book.add("W03", "birthday.month")
        return
    rule = book.tables.rule
    most = max(rule.month_length, MONTH_DAYS) if rule.moon_mode == "astronomical" else rule.month_length
    months = MONTHS if rule.moon_mode == "astronomical" else rule.months
    if not 1 <= (whole(month) or 0) <= months or not 1 <= (whole(day) or 0) <= most:
        book.add("B14", "birthday.day" if 1 <= (whole(month) or 0) <= months else "birthday.month")


# ---------------------------------------------------------------- factors


def factor_dice(book: Findings, kind: str) -> Dice | None:
    """The dice of one factor at creation; None when they are bought or entered."""
    rule = book.tables.rule
    way = rule.cat_factor_roll if kind == "cat" else rule.factor_roll
    return dice(way) if way in ("1d6", "2d6") else None


def _factors(book: Findings, kind: str) -> None:
    for row, factor in book.sheet.factor_rows.items():
        _factor(book, kind, row, factor.label)
    unused = [
        key
        for key, value in book.sheet.fields.items()
        if value not in (None, "")
        and key.startswith("factors.")
        and belongs_to(key, kind)
        and key.split(".")[1] not in book.sheet.factor_rows
    ]
    for key in unused:
        book.add("B06", key, book.clear(key), key=book.label(key))
    if not book.npc:
        _made(book, kind)


def _factor(book: Findings, kind: str, row: str, name: object) -> None:
    key = f"factors.{row}"
    value = whole(book.sheet.fields.get(key))
    rule = book.tables.rule
    if kind == "cat":
        cap = rule.cat_factor_cap
        if value is None or value < 1:
            book.add("C07", key, name=name, needed=1, had=value)
        elif cap and value > cap:
            book.add("W05", key, book.set(key, cap), name=name, min=1, max=cap, value=value, needed=cap, had=value)
    elif value is None:
        book.add("W04", key, name=name)
    elif not rule.factor_min <= value <= rule.factor_cap:
        near = min(max(value, rule.factor_min), rule.factor_cap)
        book.add(
            "W05",
            key,
            book.set(key, near),
            name=name,
            min=rule.factor_min,
            max=rule.factor_cap,
            value=shown(value),
            needed=near,
            had=value,
        )


def _made(book: Findings, kind: str) -> None:
    """Whether the factors are what creation gave: dice with one swap, or points spent exactly."""
    sheet, thrown = book.sheet, factor_dice(book, kind)
    if thrown is not None:
        for row, value in sheet.factors.items():
            if 1 <= value <= book.tables.rule.factor_cap and not thrown.least <= value <= thrown.most:
                name = sheet.factor_rows[row].label
                code = "B15" if kind == "cat" else "W06"
                book.add(code, f"factors.{row}", name=name, value=value, roll=str(thrown))
        if len(sheet.factors) == len(sheet.factor_rows):
            _evidence(book, thrown)
    elif kind == "witch" and book.tables.rule.factor_roll == "point_buy":
        _bought(book)


def _evidence(book: Findings, thrown: Dice) -> None:
    faces = book.sheet.faces("factors")
    if faces is None:
        book.add("B08", "rolled.factors", label=book.tables.label("what.factors"))
        return
    sums = [sum(faces[at : at + thrown.count]) for at in range(0, len(faces), thrown.count)]
    values = list(book.sheet.factors.values())
    moved = [at for at, value in enumerate(values) if at >= len(sums) or value != sums[at]]
    real = all(1 <= face <= SIDES for face in faces) and len(sums) == len(values)
    swapped = len(moved) == 2 and values[moved[0]] == sums[moved[1]] and values[moved[1]] == sums[moved[0]]
    if not real or (moved and not swapped):
        first = list(book.sheet.factors)[moved[0]] if moved else ""
        path = f"factors.{first}" if first else "rolled.factors"
        fixes = [_as_rolled(book, sums)] if real else []
        book.add("B02", path, *fixes, dice=shown(faces_text(faces)))


def _as_rolled(book: Findings, sums: list[int]) -> Fix:
    """The repair that lays the dice back in their order."""
    rows = list(book.sheet.factors)
    changes = {f"factors.{row}": value for row, value in zip(rows, sums, strict=True)}
    words = book.tables.label("fix_set")
    told = faces_text(sums)
    return Fix(words.format(label=book.tables.label("what.factors"), value=told), changes=changes, target="factors")


def _bought(book: Findings) -> None:
    rule, values = book.tables.rule, book.sheet.factors
    for row, value in values.items():
        if rule.point_buy_max < value <= rule.factor_cap:
            name = book.sheet.factor_rows[row].label
            roll = f"{max(1, rule.factor_min)}–{rule.point_buy_max}"
            book.add("W06", f"factors.{row}", name=name, value=value, roll=roll)
    if len(values) == len(book.sheet.factor_rows) and sum(values.values()) != rule.point_buy_total:
        spent = sum(values.values())
        first = next(iter(values))
        total = rule.point_buy_total
        book.add("B09", f"factors.{first}", total=total, value=shown(spent), needed=total, had=spent)
