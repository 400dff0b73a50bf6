"""What somebody can do now, each with its price or why not: links to the forms of these acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo.stage import Row, Stage, percent


@dataclass(frozen=True)
class Act:
    """One row. `form` opens with `given`; `closed` says why it cannot be done now; `command` acts at one press."""

    form: str
    icon: str
    label: str
    about: str
    cost: str = ""
    closed: str = ""
    percent: str = ""
    command: str = ""
    given: dict[str, Any] = field(default_factory=dict)


def acts(stage: Stage) -> Piece | None:
    """The acts of the viewer's own characters. GMs find those of NPCs on their tiles."""
    if not stage.view.is_open:
        return None
    groups = [
        {
            "actor": row["id"],
            "name": row["name"],
            "fight": _gathered(_fight(stage, row)),
            "rest": _gathered(_rest(stage, row)),
        }
        for row in stage.mine
        if row["numbers"]
    ]
    if not groups:
        return None
    return Piece("edo/session/acts.html", {"groups": groups, "several": len(groups) > 1})


MANY = 3


def _gathered(acts: Iterable[Act]) -> dict[str, Any] | None:
    """Acts as they are listed: many that are closed for one reason share a line; None without any."""
    rows = list(acts)
    reasons = Counter(act.closed for act in rows if act.closed)
    shared = [why for why, count in reasons.items() if count >= MANY]
    waits = [{"why": why, "acts": _("、").join(act.label for act in rows if act.closed == why)} for why in shared]
    return {"waits": waits, "acts": [act for act in rows if act.closed not in shared]} if rows else None


def of(stage: Stage, row: Row) -> list[Act]:
    """Everything one actor can do, for the menu of a GM's tile."""
    return [*_fight(stage, row), *_rest(stage, row)]


def _fight(stage: Stage, row: Row) -> Iterator[Act]:
    """Acts of a round (§7.2)."""
    if not stage.fight:
        return
    given = {"actor": row["id"]}
    closed = why_not(stage, row)
    left = row["tokens"] or {}
    point = _("活劇点 1点")
    attack = "" if left.get("attacks") or left.get("free") else point
    yield Act(
        "attack",
        "sword",
        _("攻撃"),
        _("武器と相手を選ぶ。命中の見込みが出る") if not attack else _("このラウンドの攻撃は使い切り。1点で足せる"),
        attack,
        closed,
        _best_attack(stage, row) if not closed else "",
        given=given,
    )
    moves = "" if left.get("moves") or left.get("ken") else point
    ken = left.get("ken") or row["numbers"]["move"]
    yield Act("move", "right", _("移動"), _("あと%(n)s間まで") % {"n": ken}, moves, closed, given=given)
    yield Act("arm", "swap", _("抜く・納める・構える"), _("攻撃1回か、移動3間ぶん"), "", closed, given=given)
    yield Act("posture", "down", _("姿勢を変える"), stage.words(row["posture"]["label"]), "", closed, given=given)
    yield Act("act", "gear", _("ほかのことをする"), _("道具・探し物など、攻撃の代わりに"), attack, closed, given=given)
    if row["held_by"]:
        yield Act("escape", "out", _("振りほどく"), _("柔術の対抗判定。攻撃1回ぶん"), attack, closed, given=given)
    if row["holds"]:
        yield Act("", "hand", _("放す"), stage.name(row["holds"]), "", closed, command="grapple.release", given=given)
    yield Act("extra", "flag", _("行動を足す"), _("移動・攻撃・防御のどれか"), point, _alive(stage, row), given=given)


def why_not(stage: Stage, row: Row) -> str:
    """Why somebody cannot act now; "" when they can."""
    dead = _alive(stage, row)
    if dead:
        return dead
    if stage.asked:
        return _("%(name)sの返答待ち") % {"name": stage.name(stage.asked)}
    if stage.fight and stage.turn not in (row["id"], row["group"]):
        return _("いまは%(name)sの手番") % {"name": stage.name(stage.turn)} if stage.turn else _("まだ手番ではない")
    return ""


def _alive(stage: Stage, row: Row) -> str:
    if not row["on_stage"]:
        return _("舞台にいない")
    return "" if row["life"]["id"] == "alive" else stage.words(row["life"]["label"])


def _best_attack(stage: Stage, row: Row) -> str:
    """The best chance among ready weapons and enemies on stage."""
    found = [chance for _pick, chance in targets(stage, row, limit=6)]
    return max(found, key=float, default="")


def targets(stage: Stage, row: Row, *, limit: int = 12) -> Iterator[tuple[tuple[str, str], str]]:
    """Pairs of weapon and enemy with the chance to hit and not be stopped, where it may be known."""
    arms = [arm for arm in row["numbers"]["arms"] if arm["ready"] and not arm.get("unarmed") and not arm["broken"]]
    foes = [one for one in stage.on_stage if one["kind"] != row["kind"] and one["life"]["id"] == "alive"]
    seen: set[str] = set()
    for foe in foes:
        name = foe["group"] or foe["id"]
        if name in seen or len(seen) >= limit:
            continue
        seen.add(name)
        for arm in arms[:2]:
            odds = stage.view.odds("attack", {"actor": row["id"], "target": foe["id"], "arm": arm["key"]})
            if odds is not None and (chance := percent(odds.as_json(), "hit")):
                yield (arm["key"], foe["id"]), chance


def _rest(stage: Stage, row: Row) -> Iterator[Act]:
    """Acts that are no part of a round."""
    given = {"actor": row["id"]}
    closed = _alive(stage, row)
    yield Act("roll", "dice", _("判定する"), _("技能か能力値。難易度15が基本"), "", closed, given=given)
    if not stage.gm:
        yield Act(
            "ask", "hand", _("判定を願い出る"), _("したいことを書き、難易度をGMに決めてもらう"), "", closed, given=given
        )
    yield Act(
        "opposed", "target", _("対抗して判定する"), _("相手も振り、達成値の大きいほうが勝つ"), "", closed, given=given
    )
    if row["role"]["id"] != "mook":
        price = _("活劇点 GM次第")
        about = _("「たまたま」を書いてGMに点を決めてもらう")
        yield Act("coincidence", "star", _("偶然を願い出る"), about, price, given=given)
    yield from _care(stage, row)
    if not stage.fight:
        yield Act("move", "right", _("移動・居場所"), row["place"] or _("どこにいるかを言う"), "", closed, given=given)
        yield Act("arm", "swap", _("抜く・納める・構える"), _("戦いの外では数えない"), "", closed, given=given)
    yield Act(
        "caltrops",
        "alert",
        _("マキビシを踏み越える"),
        _("撒かれた所に踏み込んだとき。運動の判定"),
        "",
        closed,
        given=given,
    )
    if stage.tables.armour:
        yield Act("wear", "shield", _("防具を替える"), _("着る・脱ぐ"), "", closed, given=given)
    if stage.tables.rule.track_money:
        about = _("所持金%(n)s文") % {"n": row["numbers"]["money_mon"]}
        yield Act("money", "out", _("金の出し入れ"), about, given=given)


def _care(stage: Stage, row: Row) -> Iterator[Act]:
    given = {"actor": row["id"]}
    care, closed = row["numbers"]["care"], _alive(stage, row)
    hurt = [one for one in stage.on_stage if one["health"]["id"] != "unhurt" and one["life"]["id"] != "dead"]
    fight = _("戦いのあとで") if stage.fight else ""
    if hurt:
        about = _("医術。難易度10＋傷")
        yield Act("first_aid", "heart", _("手当て"), about, "", closed or fight, given=given)
        yield Act("care", "heart", _("看病する"), _("判定なし。次の朝の回復に効く"), "", closed or fight, given=given)
    if care.get("due"):
        yield Act("recovery", "sun", _("朝の回復"), _("耐久点の判定"), given=given)
    if care["hours_awake"] > stage.tables.number("hours_awake"):
        yield Act("awake", "night", _("眠気に耐える"), _("心の判定"), given=given)
    if row["life"]["id"] in ("dead",) and row["role"]["id"] != "mook":
        price = stage.tables.kp_uses["survive"].cost
        yield Act(
            "",
            "heart",
            _("じつは生きていた"),
            _("倒れたが死んではいなかった"),
            _("活劇点 %(n)s点") % {"n": price},
            command="survive",
            given=given,
        )
    if not stage.fight:
        yield Act("day", "sun", _("寝食を書きとめる"), _("眠った時間・食事・水"), given=given)
