"""An exchange or opposed roll as everybody may see it: its phases, both sides, what came of each roll so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from sessions.present.edo.stage import Row, Stage, numbered

# Steps of the bar by the phase that is under way.
_ORDER = ("counter", "to_hit", "defence", "damage", "after")
_STEP = {
    "counter": "counter",
    "to_hit": "to_hit",
    "hit_window": "to_hit",
    "order": "to_hit",
    "defence": "defence",
    "defence_window": "defence",
    "damage": "damage",
    "survive": "after",
    "after_window": "after",
    "end": "after",
}


def of_exchange(stage: Stage) -> dict[str, Any] | None:
    found = stage.exchange
    if not found:
        return None
    if not found["strikes"]:
        return _peril(stage, found)
    strike = found["strikes"][min(found["current"], len(found["strikes"]) - 1)]
    counter = len(found["strikes"]) > 1
    return {
        "kind": "exchange",
        "title": _("%(one)s → %(two)s") % {"one": stage.name(strike["attacker"]), "two": stage.name(strike["target"])},
        "phases": _phases(stage, found, strike, counter=counter),
        "sides": [_attacker(stage, strike, found), _defender(stage, strike, found)],
        "other": [_line(stage, one) for one in found["strikes"] if one is not strike],
        "options": _options(stage, found),
        "asked": stage.name(found["asked"]) if found["asked"] else "",
        "since": found["since"],
        "forecast": _forecast(stage, found, strike),
        "queue": found["queue"],
    }


def _peril(stage: Stage, found: Row) -> dict[str, Any]:
    """Somebody falls outside an exchange: only the question."""
    name = stage.name(found["asked"])
    return {
        "kind": "peril",
        "title": name,
        "asked": name,
        "since": found["since"],
        "sides": [],
        "phases": [],
        "other": [],
    }


def of_contest(stage: Stage) -> dict[str, Any] | None:
    found = stage.contest
    if not found:
        return None
    sides: list[dict[str, Any]] = []
    for word, side in zip((_("仕掛ける側"), _("受けて立つ側")), found["sides"], strict=False):
        if side is not None:
            sides.append(
                {"word": word, "name": stage.name(side["who"]), "about": "", "check": check(stage, side), "lines": []}
            )
    names = " → ".join(side["name"] for side in sides)
    return {
        "kind": "contest",
        "title": names,
        "phases": [],
        "sides": sides,
        "other": [],
        "options": [],
        "asked": stage.name(found["asked"]) if found["asked"] else "",
        "since": found["since"],
        "forecast": "",
        "queue": 0,
    }


# ---------------------------------------------------------------- phases


def _phases(stage: Stage, found: Row, strike: Row, *, counter: bool) -> list[dict[str, str]]:
    now = _ORDER.index(_STEP.get(found["phase"], "after"))
    hit = strike["hit"]
    words = (
        _("宣言"),
        _("反撃あり") if counter else _("反撃") if now == 0 else _("反撃なし"),
        _("命中 %(n)s") % {"n": hit["total"]} if hit else _("命中"),
        _defence_words().get(strike["defence"], _("受け・体さばき")),
        _("打撃 %(n)s") % {"n": strike["damage"]} if strike["damage"] is not None else _("打撃"),
        _("適用"),
    )
    states = ["done", *("done" if n < now else "now" if n == now else "" for n in range(len(_ORDER)))]
    return [{"word": word, "state": state} for word, state in zip(words, states, strict=True)]


def _defence_words() -> Mapping[str, str]:
    return {"none": _("しのがない"), "parry": _("受け"), "dodge": _("体さばき"), "resist": _("抵抗")}


# ---------------------------------------------------------------- sides


def _attacker(stage: Stage, strike: Row, found: Row) -> dict[str, Any]:
    about = [stage.words(strike["arm"])]
    if strike["mode"]:
        about.append(stage.label(f"choice.mode.{strike['mode']}"))
    if strike["first"] and strike["hit"]:
        about.append(_("初太刀"))
    if strike["drawn"]:
        about.append(_("抜き打ち"))
    if strike["distance"] is not None:
        about.append(
            _("遠間%(n)s間") % {"n": strike["distance"]}
            if strike["far"]
            else _("近間%(n)s間") % {"n": strike["distance"]}
        )
    return {
        "word": _("反撃") if strike["counter"] else _("攻め"),
        "name": stage.name(strike["attacker"]),
        "about": _("・").join(about),
        "check": check(stage, strike["hit"], hit=True),
        "lines": [check(stage, strike["riding"])] if strike["riding"] else [],
        "asked": found["asked"] == strike["attacker"],
    }


def _defender(stage: Stage, strike: Row, found: Row) -> dict[str, Any]:
    row = stage.actors.get(strike["target"])
    about = ""
    if row is not None and row["numbers"]:
        numbers = row["numbers"]
        about = _("回避%(evasion)s・残り耐久点%(hp)s") % {
            "evasion": numbers["evasion"]["value"],
            "hp": numbers["endurance"],
        }
    waiting = found["asked"] == strike["target"]
    against = {option.get("difficulty") for option in found["options"] if option.get("value") is not None}
    if waiting and found["about"] == "defence" and len(against) == 1 and about:
        about += _("・しのぐ難易度%(n)s") % {"n": against.pop()}
    return {
        "word": _("守り・返答待ち") if waiting else _("守り"),
        "name": stage.name(strike["target"]),
        "owner": stage.owner(row) if row is not None else "",
        "about": about,
        "check": check(stage, strike["defended"]),
        "lines": [check(stage, strike["after"])] if strike["after"] else [],
        "asked": waiting,
    }


def _line(stage: Stage, strike: Row) -> str:
    """The other strike of the exchange in a few words."""
    facts = {"name": stage.name(strike["attacker"]), "arm": stage.words(strike["arm"])}
    if strike["hit"] is None:
        return _("%(name)s（%(arm)s）はこれから") % facts
    return _("%(name)s（%(arm)s）の達成値 %(n)s") % {**facts, "n": strike["hit"]["total"]}


def _options(stage: Stage, found: Row) -> list[dict[str, Any]]:
    """What the other is choosing from, for the GM."""
    from sessions.present.edo.stage import percent

    rows = []
    for option in found["options"]:
        if option["open"] and option["answer"] not in ("none", "accept", "die"):
            arm = stage.words(option["arm_label"]) if option.get("arm_label") else ""
            value = option.get("value")
            rows.append(
                {
                    "label": " ".join(filter(None, (stage.words(option["label"]), numbered(arm, value or "")))),
                    "points": option["points"],
                    "percent": percent(option.get("odds")) or percent(option.get("odds"), "to_hit"),
                    "difficulty": option.get("difficulty"),
                }
            )
    return rows


def _forecast(stage: Stage, found: Row, strike: Row) -> str:
    """「通れば 4〜9。佐吉の残り7」, for whoever may know."""
    damage = next((option["damage"] for option in found["options"] if option.get("damage")), None)
    if not damage:
        return ""
    row = stage.actors.get(strike["target"])
    text: str = _("通れば打撃 %(min)s〜%(max)s。") % damage
    if row is not None and row["numbers"]:
        left = row["numbers"]["endurance"]
        text += _("%(name)sの残りは%(n)s。") % {"name": row["name"], "n": left}
        if damage["min"] >= left:
            text += _("必ず0以下になる。")
        elif damage["max"] >= left:
            text += _("0以下になることもある。")
    return text


# ---------------------------------------------------------------- a roll

SHORT = 7  # letters of a title that fit beside the dice


def check(stage: Stage, found: Row | None, *, hit: bool = False) -> dict[str, Any] | None:
    """A roll as a line of dice: faces, the value added, the total, a stamp."""
    if not found:
        return None
    return roll(stage, found["outcome"], told=bool(found.get("told")), hit=hit)


def roll(stage: Stage, outcome: Mapping[str, Any], *, told: bool = False, hit: bool = False) -> dict[str, Any]:
    """An outcome of the rules as what a line of dice needs."""
    dice = [{"face": die["face"], "kept": die["kept"], "crit": die["mark"] == "critical"} for die in outcome["dice"]]
    added = [part for part in outcome["modifiers"] if part["to"] in ("total", "damage")]
    value = sum(part["value"] for part in added)
    title = stage.words(outcome["title"]["text"])
    return {
        "title": title,
        "short": title if len(title) <= SHORT else "",
        "rule": str(outcome["title"]["rule"]).removeprefix("§"),
        "dice": dice,
        "said": _dice_words(dice),
        "value": value if added else None,
        "total": outcome["total"],
        "target": outcome["target"],
        "margin": outcome["margin"],
        "stamp": stamp(stage, outcome, hit=hit),
        "told": told,
    }


def _dice_words(dice: list[dict[str, Any]]) -> str:
    if not dice:
        return ""
    faces = _("・").join(str(die["face"]) for die in dice)
    if all(die["kept"] for die in dice):
        return _("出目 %(faces)s") % {"faces": faces}
    kept = _("・").join(str(die["face"]) for die in dice if die["kept"])
    return _("出目 %(faces)s、採用 %(kept)s") % {"faces": faces, "kept": kept}


def stamp(stage: Stage, outcome: Mapping[str, Any], *, hit: bool = False) -> tuple[str, str] | None:
    """The seal beside a roll: (tone, word)."""
    degree = outcome["degree"]
    if not degree:
        return None
    word = stage.words(outcome["degree_label"]) or stage.label(f"degree.{degree}")
    if outcome["kind"] == "to_hit" or hit:
        word = _("命中") if degree == "success" else _("外れ")
    tone = {"critical": "great", "success": "hit" if outcome["kind"] == "to_hit" else "ok"}.get(degree, "no")
    return tone, word
