"""Creation steps that roll or draw (rules §3.3–§3.7, §4.2–§4.4, §9.4). The dice stay with the sheet as evidence.

`factors`, `skills`, `hp`, `power` of a witch; `factors`, `hp`, `mp`, `color`, `sex` of a cat; `name_letters` (or
`name_letters.2`, `.3` for two or three dice) spells a name from cards. A step that has its dice is not rolled again
unless they are taken away first.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.engine.dice import DiceSource
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Created, Fields, Refusal
from rulesets.witch.dice_text import Dice, dice
from rulesets.witch.power import column_dice, draw, spelled
from rulesets.witch.rows import COLUMNS, SIDES
from rulesets.witch.sheet import ROLLED, Sheet, faces_text, whole
from rulesets.witch.tables import Witch

LETTER_DICE_MAX = 3
_STEPS = {
    "witch": ("factors", "skills", "hp", "power", "name_letters"),
    "cat": ("factors", "hp", "mp", "color", "sex"),
}


def create(step: str, fields: Fields, tables: Witch, source: DiceSource) -> Created:
    """Roll a step. Raises `Refusal` M01 (no such step), M02 (rolled already), M03 (by hand here), M04, M05."""
    sheet = Sheet(fields, tables)
    name, _, count = step.partition(".")
    kind = sheet.kind
    if kind is None or name not in _STEPS[kind] or (count and name != "name_letters"):
        raise _refusal("M01", tables, step=same(step[:40]))
    if name in ROLLED[kind] and fields.get(f"rolled.{name}"):
        raise _refusal("M02", tables, label=tables.label(f"what.{name}"))
    if name == "factors":
        return _factors(sheet, source)
    if name == "skills":
        return _skills(sheet, source)
    if name == "power":
        return _power(sheet, source)
    if name == "color":
        return _colour(sheet, source)
    if name == "sex":
        return _sex(sheet, source)
    if name == "name_letters":
        return _letters(sheet, count, source)
    rule = tables.rule
    return _pool(sheet, name, rule.cat_mp if name == "mp" else rule.cat_hp if kind == "cat" else rule.witch_hp, source)


def _refusal(code: str, tables: Witch, **params: object) -> Refusal:
    return Refusal(code, tables.messages[code].text.format(**params), **params)


def _by_hand(tables: Witch, what: str) -> Refusal:
    return _refusal("M03", tables, label=tables.label(f"what.{what}"))


def _roll(source: DiceSource, count: int) -> tuple[int, ...]:
    return tuple(source.roll(SIDES) for _ in range(count))


def _record(step: str, thrown: str, faces: tuple[int, ...], **more: object) -> Mapping[str, object]:
    return {"step": step, "dice": thrown, "faces": list(faces), **more}


# ---------------------------------------------------------------- factors, HP, MP


def _factors(sheet: Sheet, source: DiceSource) -> Created:
    tables = sheet.tables
    way = tables.rule.cat_factor_roll if sheet.kind == "cat" else tables.rule.factor_roll
    if way not in ("1d6", "2d6"):
        raise _by_hand(tables, "factors")
    each = dice(way)
    faces = _roll(source, each.count * len(sheet.factor_rows))
    sums = [sum(faces[at : at + each.count]) for at in range(0, len(faces), each.count)]
    changes: dict[str, Value] = {f"factors.{row}": value for row, value in zip(sheet.factor_rows, sums, strict=True)}
    names = [factor.label for factor in sheet.factor_rows.values()]
    told = Text(
        "・".join(f"{name.ja}{value}" for name, value in zip(names, sums, strict=True)),
        ", ".join(f"{name.en} {value}" for name, value in zip(names, sums, strict=True)),
    )
    words = tables.label("made.factors").format(dice=way, told=told)
    return Created(changes | {"rolled.factors": faces_text(faces)}, faces, words, _record("factors", way, faces))


def _pool(sheet: Sheet, what: str, text: str, source: DiceSource) -> Created:
    thrown: Dice = dice(text)
    faces = _roll(source, thrown.count)
    total = sum(faces) + thrown.add
    words = sheet.tables.label("made.sum").format(
        what=sheet.tables.label(f"what.{what}"), dice=text, faces="＋".join(map(str, faces)), total=total
    )
    changes: dict[str, Value] = {what: total, f"rolled.{what}": faces_text(faces) or None}
    return Created(changes, faces, words, _record(what, text, faces, total=total))


# ---------------------------------------------------------------- skills


def _skills(sheet: Sheet, source: DiceSource) -> Created:
    """Every skill that has dice and was not rolled yet, in the order of the rows."""
    tables = sheet.tables
    rows = [row for row in sheet.skills if not row.rolled]
    if sheet.skills and not rows:
        raise _refusal("M02", tables, label=tables.label("what.skills"))
    counts = {row.number: whole(row.dice) or 0 for row in rows}
    used = sum(whole(row.dice) or 0 for row in sheet.skills)
    each = tables.rule.skill_dice_each
    if not rows or used != tables.rule.skill_dice or not all(1 <= count <= each for count in counts.values()):
        raise _refusal("M04", tables)
    changes: dict[str, Value] = {}
    faces: tuple[int, ...] = ()
    told = []
    for row in rows:
        thrown = _roll(source, counts[row.number])
        faces += thrown
        changes |= {f"{row.path}.value": sum(thrown), f"{row.path}.rolled": faces_text(thrown)}
        told.append(f"{row.name} {sum(thrown)}")
    words = tables.label("made.skills").format(told=Text("・".join(told), ", ".join(told)))
    return Created(changes, faces, words, _record("skills", f"{len(faces)}d6", faces))


# ---------------------------------------------------------------- cards


def _power(sheet: Sheet, source: DiceSource) -> Created:
    """Sign and shadow from a shuffled deck and dice for the columns, or dice for all and the extremes as cards."""
    tables = sheet.tables
    if tables.rule.power_method == "manual":
        raise _by_hand(tables, "power")
    drawn: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    if tables.rule.power_method == "card_first":
        first, sign = draw(source)
        second, shadow = draw(source, [card for card in COLUMNS if card != sign])
        drawn, cards = (first, second), (sign, shadow)
    thrown = column_dice(tables, cards)
    faces = _roll(source, sum(one.count for one in thrown.values()))
    left = list(faces)
    power: dict[int, int] = {}
    for column, one in thrown.items():
        power[column] = sum(left[: one.count]) + one.add
        del left[: one.count]
    changes: dict[str, Value] = {f"power.{column}": value for column, value in power.items()}
    changes["rolled.power"] = faces_text(faces)
    if cards:
        changes["rolled.cards"] = faces_text(cards)
    else:
        cards = _extremes(sheet, power)
    changes |= {"sign_card": cards[0], "shadow_card": cards[1]}
    words = tables.label("made.power").format(sign=tables.card(cards[0]), shadow=tables.card(cards[1]))
    record = _record("power", tables.rule.power_method, faces, cards=list(cards))
    return Created(changes, (*drawn, *faces), words, record)


def _extremes(sheet: Sheet, power: Mapping[int, int]) -> tuple[int, int]:
    """The first of the strongest columns and the first of the weakest other ones; the player may pick among ties."""
    sign = max(sheet.compared, key=lambda column: (power[column], -column))
    shadow = min((column for column in COLUMNS if column != sign), key=lambda column: (power[column], column))
    return sign, shadow


def _letters(sheet: Sheet, count: str, source: DiceSource) -> Created:
    """A die and one (or the sum of two or three dice) says how many cards spell a name (§9.4)."""
    tables = sheet.tables
    if count not in ("", "1", "2", "3"):
        raise _refusal("M05", tables)
    dice_count = int(count or 1)
    faces = _roll(source, dice_count)
    length = sum(faces) + (1 if dice_count == 1 else 0)
    left = list(COLUMNS)
    cards: list[int] = []
    drawn: list[int] = []
    for _ in range(length):
        face, card = draw(source, left)
        drawn.append(face)
        cards.append(card)
        left.remove(card)
    letters = spelled(tables, cards)
    names = Text("・".join(tables.card(c).ja for c in cards), ", ".join(tables.card(c).en for c in cards))
    words = tables.label("made.letters").format(cards=names, letters=letters)
    record = _record("name_letters", f"{dice_count}d6", faces, cards=cards, letters=letters)
    return Created({"name_letters": letters}, (*faces, *drawn), words, record)


# ---------------------------------------------------------------- cats


def _colour(sheet: Sheet, source: DiceSource) -> Created:
    tables = sheet.tables
    faces = _roll(source, 2)
    colour = next(row for row in tables.colours.values() if row.roll == sum(faces))
    changes: dict[str, Value] = {"color": colour.id, "rolled.color": faces_text(faces), "pattern": None}
    words = tables.label("made.color").format(faces="＋".join(map(str, faces)), total=sum(faces), colour=colour.name)
    return Created(changes, faces, words, _record("color", "2d6", faces, color=colour.id))


def _sex(sheet: Sheet, source: DiceSource) -> Created:
    """1–3 male, 4–6 female: for a cat that the GM runs (§4.2)."""
    tables = sheet.tables
    faces = _roll(source, 1)
    sex = "male" if faces[0] <= SIDES // 2 else "female"
    words = tables.label("made.sex").format(faces=faces[0], sex=tables.sexes[sex].text)
    changes: dict[str, Value] = {"sex": sex, "rolled.sex": faces_text(faces)}
    return Created(changes, faces, words, _record("sex", "1d6", faces, sex=sex))
