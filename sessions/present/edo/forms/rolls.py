"""Forms of rolls and points: by oneself, against somebody, asked for; coincidences (rules §5, §6.3)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sessions.present.edo.forms.base import (
    Given,
    auto,
    difficulty,
    every_skill,
    everybody,
    faces,
    form,
    hidden,
    own_actor,
    party,
    secrecy,
    selfish,
    skills_of,
    whom,
)
from sessions.present.edo.stage import Stage
from sessions.present.forms import Choice, CommandForm, Control, Sheet


@form("roll")
def roll(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    first = next((skill["id"] for skill in row["numbers"]["skills"] if skill["learned"]), "mind")
    controls = [
        hidden("field.actor", row["id"]),
        skills_of(stage, row, given.get("field.what") or first),
        *difficulty(),
        Control("check", "field.no_difficulty", _("難易度を決めずに達成値だけ出す")),
        Control("number", "field.modifier", _("難易度の修正"), min=-20, max=20, placeholder="±0"),
        Control("text", "field.text", _("何のための判定か"), placeholder=_("屋根に飛び移る、など")),
        secrecy(gm=stage.gm),
        *auto(stage, row),
        *selfish(stage, row),
        faces(),
    ]
    made = CommandForm("roll", _("振る"), controls, tone="mark", forecast=True)
    return Sheet("roll", _("%(name)sの判定") % {"name": row["name"]}, [made])


@form("opposed")
def opposed(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    others = everybody(stage, row)
    if row is None or not others:
        return None
    first = next((skill["id"] for skill in row["numbers"]["skills"] if skill["learned"]), "mind")
    target = every_skill(stage, "field.target_what")
    controls = [
        hidden("field.actor", row["id"]),
        skills_of(stage, row, first),
        whom(stage, row, "field.target", _("相手"), others),
        Control("select", "field.target_what", _("相手の技能・能力値"), choices=target.choices, required=True),
        Control(
            "number",
            "field.difficulty",
            _("自分の難易度"),
            min=0,
            max=60,
            placeholder="—",
            hint=_("条件が違うときだけ、両方に"),
        ),
        Control("number", "field.target_difficulty", _("相手の難易度"), min=0, max=60, placeholder="—"),
        Control("text", "field.text", _("何を争うか")),
        faces(),
    ]
    made = CommandForm("opposed", _("対抗する"), controls, tone="mark", forecast=True)
    return Sheet("opposed", _("%(name)sの対抗判定") % {"name": row["name"]}, [made], _("引き分けは何も変わりません。"))


@form("ask")
def ask(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control("area", "field.text", _("したいこと"), required=True, placeholder=_("佐吉の傷の深さを遠目に診る")),
        skills_of(stage, row),
    ]
    return Sheet(
        "ask",
        _("判定を願い出る"),
        [CommandForm("ask", _("願い出る"), controls)],
        _("GMが難易度を決めると、あなたの画面に判定が届きます。"),
    )


@form("coincidence")
def coincidence(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control(
            "area",
            "field.text",
            _("どんな「たまたま」か"),
            required=True,
            placeholder=_("欄干の提灯が落ち、侍たちの目がくらむ"),
        ),
        *selfish(stage, row),
    ]
    about = _("GMが点を決めます。払うのは、決まった点を見て承知したときだけ。残り%(n)s点") % {"n": row["numbers"]["kp"]}
    return Sheet(
        "coincidence", _("偶然を願い出る"), [CommandForm("coincidence.propose", _("願い出る"), controls)], about
    )


# ---------------------------------------------------------------- the GM asks


@form("request")
def request(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    rows = party(stage) + [row for row in stage.on_stage if row["kind"] == "npc" and not row["group"]]
    named = given.get("actor", "")
    boxes = [
        Choice(row["id"], row["name"], checked=row["id"] == named if named else row["kind"] == "pc") for row in rows
    ]
    against = [Choice("", _("数で決める"), checked=True)]
    against += [
        Choice(check["id"], _("%(name)sの達成値%(n)s") % {"name": stage.name(check["who"]), "n": check["total"]})
        for check in stage.part("rolls") or ()
        if check["hidden"] and check["total"] is not None
    ]
    controls = [
        Control("boxes", "field.actors", _("だれに"), choices=boxes, required=True),
        every_skill(stage),
        *difficulty(),
        Control("select", "field.against", _("だれかの判定に対して"), choices=against),
        Control("check", "field.hidden_difficulty", _("難易度を伏せる")),
        Control("text", "field.text", _("何の判定か"), placeholder=_("橋の下の気配")),
        secrecy(gm=True),
    ]
    about = _("頼まれた人の画面にボタンが出ます。返事はここに集まります。")
    return Sheet("request", _("判定を頼む"), [CommandForm("request", _("頼む"), controls, tone="mark")], about)
