"""What a player declares, each with its form (rules/alice.md §6.4, §7, §9)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sessions.present.alice.form_parts import Given, deed_text, own, register, suits, title, whom
from sessions.present.alice.stage import Stage
from sessions.present.forms import Choice, CommandForm, Control, Sheet, hidden


@register("test")
def test(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        deed_text(stage, row, _("何をするか"), _("この封蝋が本物か見分ける")),
        suits(stage, "field.suit", _("使えそうな能力（決めるのはGM）"), free=_("GMに任せる")),
        Control("check", "field.luck", _("幸運で代わりに判定する"), hint=_("門外になり、ダイヤだけが出せる")),
        Control(
            "text", "field.story", _("どんな幸運が働くか（幸運で代わるとき）"), placeholder=_("手ごろな蔓が垂れている")
        ),
    ]
    return Sheet(
        "test", title(row, _("判定を宣言する")), [CommandForm("test.declare", _("宣言する"), controls, tone="mark")]
    )


@register("reason")
def reason(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        deed_text(stage, row, _("どの行動の道理か"), _("狼と戦う")),
        Control("check", "field.known", _("相手にも聞こえる"), hint=_("知られると効かない")),
    ]
    about = _("頭脳の判定。成功すると、その行動のクラスが次から一段よくなる。")
    made = CommandForm("reason.declare", _("思い出す"), controls, about=about, tone="mark")
    return Sheet("reason", title(row, _("道理判定")), [made])


@register("empathy")
def empathy(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control("text", "field.whom", _("だれに"), required=True, placeholder=_("橋番の老人")),
        Control("check", "field.touching", _("ふれている")),
        Control("number", "field.distance", _("離れている（メートル）"), min=0, max=100000, placeholder="0"),
        Control("check", "field.in_sight", _("見えている"), value=True),
        Control("check", "field.thoughts", _("気持ちだけでなく考えを伝える、読む")),
        Control("check", "field.unwilling", _("相手は望んでいない")),
    ]
    about = _("心の判定。条件が悪いほど難易度の枚数が増える（1〜6枚）。")
    made = CommandForm("empathy.declare", _("交感する"), controls, about=about, tone="mark")
    return Sheet("empathy", title(row, _("交感判定")), [made])


@register("acquire")
def acquire(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        deed_text(stage, row, _("何を、だれを"), _("丈夫な縄")),
        Control("text", "field.story", _("どうして手元にあるか"), placeholder=_("荷車に積んだままだった")),
    ]
    about = _("幸運の判定。失敗すると、同じ物は一日たつまで試せない。")
    made = CommandForm("acquire.declare", _("獲得を試みる"), controls, about=about, tone="mark")
    return Sheet("acquire", title(row, _("獲得判定")), [made])


@register("recovery")
def recovery(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    hurt = [one for one in stage.on_stage if any(a["stage"] for a in one["abilities"] or ())]
    if not hurt:
        return None
    patients = [Choice(one["id"], one["name"]) for one in hurt]
    controls = [
        hidden("field.actor", row["id"]),
        Control("select", "field.patient", _("だれの"), choices=patients, required=True),
        suits(stage, "field.suit", _("どの傷"), "S"),
    ]
    about = _("難易度は2枚。成功すると一段よくなる。幸運は治せない。")
    made = CommandForm("recovery.declare", _("手当てする"), controls, about=about, tone="mark")
    return Sheet("recovery", title(row, _("回復判定")), [made])


@register("contest")
def contest(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    others = [one for one in stage.on_stage if row is not None and one["id"] != row["id"]]
    if row is None or not others:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control(
            "boxes", "field.targets", _("相手（受動側）"), choices=[Choice(one["id"], one["name"]) for one in others]
        ),
        deed_text(stage, row, _("何をするか"), _("罠を仕掛ける")),
        Control("text", "field.target_text", _("相手は何をするか"), placeholder=_("罠に気づく")),
    ]
    about = _("能力と難易度はGMが決める。達成値が同じなら受ける側の勝ち。")
    made = CommandForm("contest.declare", _("仕掛ける"), controls, about=about, tone="mark")
    return Sheet("contest", title(row, _("対抗判定")), [made])


@register("attack")
def attack(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None or not stage.fight:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        whom(stage, row, "field.target", _("だれを")),
        Control("text", "field.text", _("どう攻めるか"), placeholder=_("杖で打つ")),
    ]
    made = CommandForm("attack.declare", _("攻撃する"), controls, tone="mark")
    return Sheet("attack", title(row, _("攻撃判定")), [made])


@register("flee")
def flee(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None or not stage.fight:
        return None
    pursued = CommandForm(
        "flee.declare",
        _("逃げる"),
        [hidden("field.actor", row["id"]), whom(stage, row, "field.target", _("追ってくる人"))],
        title=_("追われながら逃げる"),
        about=_("肉体の対抗判定。追う人より高ければ逃げ切る。"),
        tone="mark",
    )
    free = CommandForm(
        "flee.escape",
        _("そのまま逃げる"),
        [hidden("field.actor", row["id"])],
        title=_("だれかが押さえている"),
        about=_("仲間が相手を押さえているなら、判定はいらない。"),
    )
    return Sheet("flee", title(row, _("逃げる")), [pursued, free])


@register("act")
def act(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    if row is None:
        return None
    controls = [hidden("field.actor", row["id"]), deed_text(stage, row, _("何をするか"), _("扉に閂をかける"))]
    return Sheet(
        "act", title(row, _("判定のいらない行動")), [CommandForm("turn.act", _("する"), controls, tone="mark")]
    )


@register("teach")
def teach(stage: Stage, given: Given) -> Sheet | None:
    row = own(stage, given)
    tokens = stage.reasons(row) if row is not None else []
    if row is None or not tokens:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control("select", "field.token", _("どの道理を"), choices=[Choice(one["id"], one["action"]) for one in tokens]),
        whom(stage, row, "field.target", _("だれに")),
    ]
    made = CommandForm("reason.teach", _("教える"), controls, tone="mark")
    return Sheet("teach", title(row, _("道理を教える")), [made])


@register("give")
def give(stage: Stage, given: Given) -> Sheet | None:
    """A card for somebody whom one supports: one declared deed a card (§6.4)."""
    row = own(stage, given)
    cards = row["hand"]["cards"] if row is not None and row["hand"] else None
    if row is None or not cards or len(stage.pcs) < 2:
        return None
    from characters.templatetags.cards import card_name

    controls = [
        hidden("field.actor", row["id"]),
        whom(stage, row, "field.target", _("だれに"), pcs=True),
        Control("seg", "field.card", _("どの札を"), choices=[Choice(card, card_name(card)) for card in cards]),
        Control("text", "field.text", _("どう助けるか"), required=True, placeholder=_("肩を貸して塀を越えさせる")),
    ]
    about = _("GMが認めると渡る。渡した人はすぐ1枚引き、受けた人は余った1枚を捨てる。")
    made = CommandForm("transfer.ask", _("申し出る"), controls, about=about, tone="mark")
    return Sheet("give", title(row, _("札を譲って助ける")), [made])
