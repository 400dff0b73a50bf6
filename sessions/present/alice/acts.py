"""What a player can begin now, each leading to its form or saying why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.alice.stage import Row, Stage


@dataclass(frozen=True)
class Act:
    """One row: `form` opens with `given`, `command` acts at one press, `closed` says why it cannot be done now."""

    form: str
    icon: str
    label: str
    about: str
    closed: str = ""
    command: str = ""
    cost: str = ""
    percent: str = ""
    given: dict[str, Any] = field(default_factory=dict)


def acts(stage: Stage) -> Piece | None:
    groups = [{"name": row["name"], **_gathered(list(of(stage, row)))} for row in stage.mine]
    if not groups or stage.phase != "play" or not stage.view.is_open:
        return None
    return Piece("alice/session/acts.html", {"groups": groups, "several": len(groups) > 1})


def _gathered(rows: list[Act]) -> dict[str, Any]:
    """The acts that are open; when one reason closes all the others, it is said once."""
    reasons = {act.closed for act in rows if act.closed}
    if len(reasons) == 1:
        return {"acts": [act for act in rows if not act.closed], "closed": reasons.pop()}
    return {"acts": rows, "closed": ""}


def of(stage: Stage, row: Row) -> Iterator[Act]:
    """Everything one character can begin (§7, §9)."""
    given = {"actor": row["id"]}
    closed = why_not(stage, row)
    if stage.fight is not None:
        yield from _fight(stage, row, closed)
    yield Act("test", "cards", _("判定する"), _("したいことを宣言する。能力と難易度はGMが決める"), closed, given=given)
    yield Act(
        "reason",
        "info",
        _("道理を思い出す"),
        _("行動の前に、その理を知る。次からクラスが一段よくなる"),
        closed,
        given=given,
    )
    yield Act("empathy", "heart", _("交感する"), _("言葉なしに気持ちや考えを送る、読む"), closed, given=given)
    yield Act(
        "acquire", "search", _("獲得する"), _("持っていた、知り合いがいた、と言う。幸運の判定"), closed, given=given
    )
    hurt = [one for one in stage.on_stage if any(a["stage"] and a["suit"] != "D" for a in one["abilities"] or ())]
    if hurt:
        yield Act("recovery", "heart", _("手当てする"), _("一日休んだ人の傷を一段よくする"), closed, given=given)
    yield Act(
        "contest", "target", _("だれかと競う"), _("仕掛ける側が能動側。同じなら受ける側の勝ち"), closed, given=given
    )
    yield from _reasons(stage, row)


def _fight(stage: Stage, row: Row, closed: str) -> Iterator[Act]:
    given = {"actor": row["id"]}
    yield Act("attack", "sword", _("攻撃する"), _("肉体どうしの対抗。当たれば一段の傷"), closed, given=given)
    yield Act("act", "gear", _("判定のいらない行動"), _("この番を使う"), closed, given=given)
    yield Act("", "right", _("何もしない"), _("番を渡す"), closed, command="turn.pass", given=given)
    if stage.fight and stage.fight["fleeing"]:
        yield Act("flee", "out", _("逃げる"), _("ラウンドの終わりに。追う人より高ければ逃げ切る"), "", given=given)


def _reasons(stage: Stage, row: Row) -> Iterator[Act]:
    if stage.reasons(row):
        yield Act("teach", "bubble", _("道理を教える"), _("知っている理を仲間に伝える"), given={"actor": row["id"]})


def why_not(stage: Stage, row: Row) -> str:
    """Why somebody cannot begin anything now; "" when they can."""
    if row["status"] != "active" or row["incapacitated"]:
        return stage.words(row["state_label"])
    if not row["on_stage"]:
        return _("舞台にいない")
    if stage.op is not None:
        return _("いまの判定が終わってから")
    if row["hand"] and row["hand"]["surplus"]:
        return _("先に余分な手札を捨てる")
    fight = stage.fight
    if fight is not None and row["id"] in fight["members"]:
        if row["busy"]:
            return _("集中していて動けない")
        if fight["now"] != row["id"]:
            return _("いまは%(name)sの番") % {"name": stage.name(fight["now"])} if fight["now"] else _("まだ番ではない")
    return ""
