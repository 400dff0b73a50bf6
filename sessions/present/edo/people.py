"""The people of the table: a tile for each, a row for each member of a mob, and one's own values that unfold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo.stage import Row, Stage, gone, mob_name

# Skills worth a figure on a tile beside the first weapon.
_NOTED = ("taisabaki", "chikaku", "ijutsu")


def tiles(stage: Stage) -> Iterator[tuple[str, Piece]]:
    """A tile for everybody on stage; for players their own are in the panel of their values."""
    mine = {row["id"] for row in stage.mine}
    for row in stage.on_stage:
        if row["group"]:
            if stage.groups[row["group"]][0]["id"] == row["id"] or not _first_is_here(stage, row):
                yield from _mob(stage, row["group"])
        elif row["id"] not in mine:
            yield f"tile-{row['id']}", Piece("edo/session/tile.html", {"p": person(stage, row)}, "people")


def _first_is_here(stage: Stage, row: Row) -> bool:
    """Whether an earlier member of the mob stands for all of it."""
    here = [one for one in stage.groups[row["group"]] if one["on_stage"]]
    return bool(here[0]["id"] != row["id"])


def _mob(stage: Stage, group: str) -> Iterator[tuple[str, Piece]]:
    members = [row for row in stage.groups[group] if row["on_stage"]]
    first = person(stage, members[0])
    rows = [_member(stage, row) for row in members]
    facts = {
        "p": first,
        "group": group,
        "mob_name": mob_name(members),
        "members": rows,
        "count": len(rows),
        "left": sum(not row["out"] for row in rows),
        "current": stage.turn == group,
        "asked": any(row["id"] == stage.asked for row in members),
    }
    yield f"tile-{group}", Piece("edo/session/mob.html", facts, "people")


def _member(stage: Stage, row: Row) -> dict[str, Any]:
    numbers = row["numbers"]
    return {
        "id": row["id"],
        "n": row["number"],
        "hp": (numbers["endurance"], numbers["endurance_max"]) if numbers else None,
        "health": stage.words(row["health"]["label"]),
        "life": "" if row["life"]["id"] == "alive" else stage.words(row["life"]["label"]),
        "out": row["life"]["id"] != "alive",
    }


# ---------------------------------------------------------------- one person


def person(stage: Stage, row: Row) -> dict[str, Any]:
    """What a tile says of somebody."""
    numbers = row["numbers"]
    owner = stage.owner(row)
    return {
        "id": row["id"],
        "name": row["name"],
        "face": str(row["name"])[:1],
        "sub": _("・").join(filter(None, (stage.words(row["role"]["label"]), "NPC" if row["kind"] == "npc" else ""))),
        "owner": owner,
        "npc": row["kind"] == "npc",
        "numbers": numbers is not None,
        "hp": (numbers["endurance"], numbers["endurance_max"]) if numbers else None,
        "low": bool(numbers) and 3 * numbers["endurance"] <= numbers["endurance_max"],
        "kp": (numbers["kp"], numbers["kp_limit"]) if numbers and row["role"]["id"] != "mook" else None,
        "health": stage.words(row["health"]["label"]),
        "hurt": row["health"]["id"],
        "figures": list(_figures(stage, numbers)) if numbers else [],
        "chips": list(_chips(stage, row)),
        "tokens": tokens(stage, row),
        "current": stage.turn == row["id"],
        "asked": stage.asked == row["id"],
        "hidden": bool(row.get("hidden")),
        "shown": bool(row.get("numbers_shown")),
        "gone": gone(row),
        "out": row["life"]["id"] != "alive",
    }


def _figures(stage: Stage, numbers: Row) -> Iterator[tuple[str, int]]:
    yield _("回避"), numbers["evasion"]["value"]
    arm = next((arm for arm in numbers["arms"] if not arm.get("unarmed") and arm["learned"]), None)
    if arm is not None:
        yield stage.words(arm["name"]), arm["value"]
    for skill in numbers["skills"]:
        if skill["id"] in _NOTED and (skill["learned"] or skill["id"] == "taisabaki"):
            yield stage.words(skill["name"]), skill["value"]


def _chips(stage: Stage, row: Row) -> Iterator[tuple[str, str]]:
    """State in words: (tone, text); tones are ok, warn, danger, mark, secret and "" for plain."""
    if stage.asked == row["id"]:
        yield "mark", _("返答待ち")
    if row["life"]["id"] != "alive":
        yield "danger", stage.words(row["life"]["label"])
    if row["posture"]["id"] != "standing":
        yield "warn", stage.words(row["posture"]["label"])
    if row["holds"]:
        yield "warn", _("%(name)sに組み付いている") % {"name": stage.name(row["holds"])}
    if row["held_by"]:
        yield "danger", _("%(name)sに組み付かれている") % {"name": stage.name(row["held_by"])}
    if row["mounted"]:
        yield "", _("馬上")
    hands = [stage.words(arm) for arm in row["in_hand"]]
    if hands:
        yield "", _("手に%(arms)s") % {"arms": _("・").join(hands)}
    if row["armour"]:
        yield "", stage.words(stage.tables.armour[row["armour"]].name)
    if row["place"]:
        yield "", row["place"]
    yield from _numbered_chips(stage, row)
    yield from _gm_chips(row)


def _numbered_chips(stage: Stage, row: Row) -> Iterator[tuple[str, str]]:
    numbers = row["numbers"]
    if not numbers:
        return
    for part in numbers["conditions"]:
        yield "warn", _("%(what)s 難易度＋%(n)s") % {"what": stage.words(part["label"]), "n": part["value"]}
    if numbers["wounds"] and not stage.fight:
        aid = numbers["care"]["first_aid"]
        yield "warn" if aid != "ok" else "ok", _("手当て：%(state)s") % {"state": stage.label(f"first_aid.{aid}")}
    if numbers["care"]["serious"]:
        yield "danger", _("重傷")


def _gm_chips(row: Row) -> Iterator[tuple[str, str]]:
    if row.get("hidden"):
        yield "secret", _("伏せている")
    if row.get("unaware"):
        yield "secret", _("気づいていない")
    if row.get("ally"):
        yield "", _("一座の味方")
    if row.get("permitted"):
        yield "", _("利己的にも使える")
    if row["kind"] == "npc" and row.get("numbers_shown"):
        yield "", _("数値を公開中")


def tokens(stage: Stage, row: Row) -> list[dict[str, Any]]:
    """Actions left in this round; [] outside a fight."""
    left = row["tokens"]
    if left is None:
        return []
    if left["reloading"]:
        return [{"k": _("装"), "label": _("装填のラウンド"), "left": 0}]
    kinds = (("moves", _("移"), _("移動")), ("attacks", _("攻"), _("攻撃")), ("defences", _("防"), _("防御")))
    return [{"k": short, "label": label, "left": left[key]} for key, short, label in kinds]


# ---------------------------------------------------------------- one's own values


def own(stage: Stage) -> Piece | None:
    """The values of the viewer's own characters; each figure unfolds into its parts."""
    sheets = [_sheet(stage, row) for row in stage.mine if row["numbers"]]
    return Piece("edo/session/own.html", {"sheets": sheets}, "side") if sheets else None


def _sheet(stage: Stage, row: Row) -> dict[str, Any]:
    numbers = row["numbers"]
    abilities = numbers["abilities"]
    member = next((m for m in stage.view.facts.cast if m.actor == row["id"]), None)
    skills = [_skill(stage, skill) for skill in numbers["skills"]]
    learned = [skill for skill in skills if skill["learned"]]
    return {
        **person(stage, row),
        "slug": member.character.slug if member is not None else "",
        "abilities": _("心%(mind)s 技%(gi)s 体%(body)s") % dict(abilities),
        "style": stage.words(numbers["style"]) if numbers["style"] else "",
        "evasion": {"value": numbers["evasion"]["value"], "parts": _parts(stage, numbers["evasion"]["parts"])},
        "arms": [_arm(stage, arm) for arm in numbers["arms"] if not arm.get("unarmed")],
        "bare": [_arm(stage, arm) for arm in numbers["arms"] if arm.get("unarmed") and arm["learned"]],
        "skills": learned[:8],
        "more": learned[8:] + [skill for skill in skills if not skill["learned"]],
        "extra_damage": numbers["extra_damage"],
        "body": abilities["body"],
        "move": numbers["move"],
        "armour_value": numbers["armour_value"],
        "wounds": numbers["wounds"],
        "hunger_loss": numbers["hunger_loss"],
        "money": numbers["money_mon"],
        "care": _care(stage, numbers),
    }


def _parts(stage: Stage, parts: Any) -> list[tuple[str, int]]:
    return [(stage.words(part["label"]), part["value"]) for part in parts]


def _skill(stage: Stage, skill: Row) -> dict[str, Any]:
    return {
        "id": skill["id"],
        "name": stage.words(skill["name"]),
        "value": skill["value"],
        "learned": skill["learned"],
        "dice": skill["dice"],
        "parts": _parts(stage, skill["parts"]),
    }


def _arm(stage: Stage, arm: Row) -> dict[str, Any]:
    return {
        "name": stage.words(arm["name"]),
        "value": arm["value"],
        "skill": stage.words(arm["skill"]),
        "about": arm_words(stage, arm),
        "ready": arm["ready"],
        "broken": arm["broken"],
    }


def arm_words(stage: Stage, arm: Mapping[str, Any]) -> str:
    """「1D6＋2・間合い1間・手にしている」."""
    row = stage.tables.weapons.get(arm["id"]) or stage.tables.ranged.get(arm["id"])
    words = []
    if row is not None and row.dice:
        words.append(_("打撃 %(dice)s") % {"dice": _damage(row)})
    if arm["kind"] == "melee":
        words.append(_("間合い%(n)s間") % {"n": arm["reach"]})
    else:
        words.append(_("近間%(near)s・遠間%(far)s間") % {"near": arm["near"], "far": arm["far"]})
        if arm.get("progress", 0) and arm["needed"] > 1:
            words.append(_("用意%(n)s／%(m)s") % {"n": arm["progress"], "m": arm["needed"]})
        if arm.get("ammo") is not None:
            words.append(_("残り%(n)s") % {"n": arm["ammo"]})
    if arm["broken"]:
        words.append(_("壊れている"))
    elif not arm.get("unarmed"):
        words.append(_("手にしている") if arm["ready"] else _("納めている"))
    return _("・").join(words)


def _damage(row: Any) -> str:
    if not row.add:
        return f"{row.dice}D6"
    return f"{row.dice}D6{_('＋') if row.add > 0 else '−'}{abs(row.add)}"


def _care(stage: Stage, numbers: Row) -> list[str]:
    care = numbers["care"]
    words = []
    if numbers["wounds"]:
        aid = stage.label(f"first_aid.{care['first_aid']}")
        words.append(_("傷%(n)s点（手当て：%(aid)s）") % {"n": numbers["wounds"], "aid": aid})
    if numbers["hunger_loss"]:
        words.append(_("飢えで−%(n)s") % {"n": numbers["hunger_loss"]})
    if care["hours_awake"]:
        words.append(_("起きて%(n)s時間") % {"n": care["hours_awake"]})
    if care["meal_miss_days"]:
        words.append(_("食事を欠いて%(n)s日") % {"n": care["meal_miss_days"]})
    return words
