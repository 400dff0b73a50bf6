"""Small readings of an Edo build that several panels share: rows of skills, prices of a step, arms, money."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present.board import Board, signed
from characters.present.systems import Around
from characters.present.words import bracketed
from rulesets.engine.problems import Derived, Report, Value

Fields = Mapping[str, Value]

# Attacks of the body are always at hand and never possessions (§7.6, §7.7).
UNARMED = frozenset({"punch", "kick", "grapple", "throw", "stone"})


# ---------------------------------------------------------------- points and steps


def spent_on(report: Report, *groups: str) -> int:
    """Points of the cost lines of these groups."""
    return sum(line.points for line in report.costs if line.group in groups)


def bought(fields: Fields) -> int:
    """Endurance bought; 0 while the field cannot be read."""
    value = fields.get("endurance_bought")
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def figure(points: int) -> str:
    """A price as it is printed: `15`, `−10`."""
    return f"−{-points}" if points < 0 else str(points)


def neighbours(now: int | None, low: int, high: int) -> tuple[int | None, int | None]:
    """The next higher and the next lower value a button may go to; an unreadable value starts at the lowest."""
    if now is None:
        return low, None
    up = None if now >= high else max(now + 1, low)
    down = None if now <= low else min(now - 1, high)
    return up, down


def with_number(name: str, n: int | str) -> str:
    """`技8`."""
    return (_("%(ability)s%(n)s") % {"ability": name, "n": n}).strip()


def price(cost: Mapping[Any, int], now: int | None, to: int | None) -> str:
    """What going from one value to another costs: `＋21点`, `−17点`; "" where there is nowhere to go."""
    if to is None or to not in cost:
        return ""
    return _("%(n)s点") % {"n": signed(cost[to] - cost.get(now, 0))}


# ---------------------------------------------------------------- rows of skills


def skill_rows(fields: Fields) -> list[str]:
    """Row keys in the build (`kenjutsu`, `geino~1`), in the order of the fields."""
    found: dict[str, None] = {}
    for key in fields:
        parts = key.split(".")
        if len(parts) == 3 and parts[0] == "skills":
            found[parts[1]] = None
    return list(found)


def rows_of(fields: Fields, skill: Any) -> list[str]:
    """The lines of one skill: its own, further ones by number, and an empty one where another may be taken."""
    held = [row for row in skill_rows(fields) if row.partition("~")[0] == skill.id]
    numbered = sorted((row for row in held if "~" in row), key=_number)
    plain = [skill.id] if not skill.speciality or skill.id in held else []
    fresh = [free_row(fields, skill)] if skill.many else []
    return plain + numbered + [row for row in fresh if row not in held and row not in plain]


def free_row(fields: Fields, skill: Any) -> str:
    """The key of a new line of this skill."""
    held = [row for row in skill_rows(fields) if row.partition("~")[0] == skill.id]
    if not skill.speciality and skill.id not in held and not skill.many:
        return str(skill.id)
    numbers = [_number(row) for row in held if "~" in row]
    return f"{skill.id}~{max(numbers, default=0) + 1}"


def row_with(fields: Fields, skill: Any, speciality: str) -> str | None:
    """The line of a skill with this speciality ("" = the plain one); None when it is not there."""
    for row in skill_rows(fields):
        if row.partition("~")[0] != skill.id:
            continue
        if str(fields.get(f"skills.{row}.speciality") or "") == speciality:
            return row
    if not speciality and not skill.speciality:
        return str(skill.id)
    return None


def _number(row: str) -> int:
    tail = row.partition("~")[2]
    return int(tail) if tail.isdecimal() else 0


def row_name(board: Board, tables: Any, row: str) -> str:
    skill = tables.skills.get(row.partition("~")[0])
    name = board.pick(skill.name) if skill else row
    kind = board.value(f"skills.{row}.speciality")
    return bracketed(name, str(kind)) if kind else name


def martial_rows(fields: Fields, tables: Any) -> list[tuple[str, int]]:
    """Martial skills in the build with their level, best first as the tables order them."""
    found = []
    for skill_id in tables.martial:
        level = fields.get(f"skills.{skill_id}.level")
        if isinstance(level, int) and not isinstance(level, bool):
            found.append((skill_id, level))
    return found


def effective(report: Report, row: str) -> Derived | None:
    """The effective value of a line, with its parts."""
    return report.derived.get(f"effective.{row}")


def base_text(board: Board, tables: Any, skill: Any, row: str) -> str:
    """The ability a line builds on: `技8`."""
    ability = tables.abilities.get(base_of(board.fields, tables, skill, row))
    if ability is None:
        return ""
    value = board.number(f"abilities.{ability.id}")
    return with_number(board.pick(ability.name), "" if value is None else value)


def base_of(fields: Fields, tables: Any, skill: Any, row: str) -> str:
    """The id of the ability: the one chosen for this line, the speciality's own, or the skill's."""
    chosen = fields.get(f"skills.{row}.base")
    if isinstance(chosen, str) and chosen in tables.abilities:
        return chosen
    kind = fields.get(f"skills.{row}.speciality")
    if isinstance(kind, str):
        for one in tables.specialities.values():
            if one.skill == skill.id and one.means(kind):
                return str(one.base)
    return str(skill.base)


def untrained(board: Board, tables: Any, skill: Any) -> str:
    """What somebody without the skill has: `2個＋7`, by the GM's leave, or nothing."""
    if skill.untrained == "no":
        return "—"
    value = board.number(f"abilities.{skill.base}")
    text = _("2個＋%(n)s") % {"n": value} if value is not None else _("2個")
    return _("%(text)s（GM次第）") % {"text": text} if skill.untrained == "gm" else text


def example(tables: Any, skill_id: str, lang: str) -> str:
    """A known speciality of the skill, for a placeholder."""
    found = [one.name.pick(lang) for one in tables.specialities.values() if one.skill == skill_id]
    return found[0] if found else ""


def school_names(board: Board, tables: Any, ids: Iterable[str]) -> str:
    schools = tables.all_schools
    return _("・").join(board.pick(schools[one].name) if one in schools else one for one in ids)


# ---------------------------------------------------------------- people and things


def occupation(fields: Fields, tables: Any) -> Any | None:
    """The row of 人別帳 whose name was chosen or typed."""
    typed = fields.get("occupation")
    for job in tables.occupations.values():
        if typed in (job.id, job.name.ja, job.name.en):
            return job
    return None


def numbers_of(fields: Fields, group: str) -> list[int]:
    """The numbers n of keys `<group>.<n>` or `<group>.<n>.…`, in order."""
    found = {int(match[1]) for key in fields if (match := re.match(rf"{group}\.(\d+)(?:\.|$)", key))}
    return sorted(found)


def arm(tables: Any, item: str) -> Any | None:
    """The weapon or armour of an id."""
    for table in (tables.weapons, tables.ranged, tables.armour):
        if item in table:
            return table[item]
    return None


def arm_note(board: Board, tables: Any, row: Any) -> str:
    """Damage, reach and the like of a weapon or armour, in one line."""
    if row.id in tables.armour:
        return _("防御点%(value)s・技−%(penalty)s") % {"value": row.value, "penalty": row.gi_penalty}
    skills = _("・").join(board.pick(tables.skills[one].name) for one in row.skills)
    if row.id in tables.ranged:
        return _("%(skills)s・打撃%(damage)s・近間%(near)s間") % {
            "skills": skills,
            "damage": damage_text(row),
            "near": row.near,
        }
    return _("%(skills)s・打撃%(damage)s・間合い%(reach)s") % {
        "skills": skills,
        "damage": damage_text(row),
        "reach": reach_text(row.reach),
    }


def damage_text(row: Any, extra: int = 0) -> str:
    """`1D6＋2`; an em dash for attacks without damage."""
    if not row.dice:
        return "—"
    add = row.add + extra
    return f"{row.dice}D6{signed(add) if add else ''}"


def reach_text(half_ken: int) -> str:
    """Reach in ken; half a ken is `½間`."""
    whole, half = divmod(half_ken, 2)
    return _("%(n)s間") % {"n": f"{whole or ''}{'½' if half else ''}"}


# ---------------------------------------------------------------- money


@dataclass(frozen=True, slots=True)
class MoneyView:
    """Starting cash: the dice as they lie, what they are worth, where they came from. `refused`: why not to roll."""

    faces: tuple[int, ...]
    amount: str
    spoken: str
    evidence: str
    rule: str
    told_hint: str
    refused: str
    told: str
    told_error: str


def money(board: Board, around: Around, tables: Any) -> MoneyView | None:
    """None when the group does not track money and nothing was rolled (E40)."""
    faces = tuple(_faces(board.fields))
    derived = board.report.derived.get("money")
    if not tables.rule.track_money and not faces:
        return None
    station = status(board.fields, tables)
    dice = station.money_dice if station else 0
    rolled = "money" in around.rolled_steps
    refused = ""
    if station is None:
        refused = _("身分を決めると振れます。")
    elif not dice:
        refused = _("この身分の所持金は振りません。暮らし向きのとおりに持っています。")
    elif rolled and not around.is_gm:
        refused = _("もう振ってあります。振り直せるのはGMだけです。")
    return MoneyView(
        faces=faces,
        amount=f"{derived.value}{board.pick(derived.unit)}" if derived else "",
        spoken=_("出た目 %(faces)s") % {"faces": "、".join(map(str, faces))},
        evidence=_evidence(around),
        rule=_worth(station) if station and dice else "",
        told_hint="3 5" if dice > 1 else "4",
        refused=refused,
        told=around.told,
        told_error=around.told_error,
    )


def _worth(station: Any) -> str:
    return _("%(dice)s個のダイス×%(times)s文") % {"dice": station.money_dice, "times": station.money_times}


def _faces(fields: Fields) -> Iterator[int]:
    for number in numbers_of(fields, "money_dice"):
        value = fields.get(f"money_dice.{number}")
        if isinstance(value, int) and 1 <= value <= 6:
            yield value


def status(fields: Fields, tables: Any) -> Any | None:
    """The row of the status that was chosen or typed."""
    typed = fields.get("status")
    for row in tables.statuses.values():
        if typed in (row.id, row.name.ja, row.name.en, *row.aliases):
            return row
    return None


def _evidence(around: Around) -> str:
    record = next((row for key, row in around.rolled.items() if key.startswith("money_dice")), None)
    if record is None:
        return ""
    if record.told:
        return _("卓で振った目")
    return _("サーバーのダイス #%(n)s") % {"n": record.draw} if record.draw is not None else _("サーバーのダイス")
