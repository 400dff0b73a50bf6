"""Forms of wounds, care, nights, gear and money (rules §4.8, §7.11, §8)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sessions.present.edo.forms.base import Given, auto, everybody, faces, form, hidden, own_actor, reason, whom
from sessions.present.edo.stage import Row, Stage
from sessions.present.forms import Choice, CommandForm, Control, Sheet


def _hurt(stage: Stage) -> list[Row]:
    return [row for row in stage.on_stage if row["health"]["id"] != "unhurt" and row["life"]["id"] != "dead"]


@form("first_aid")
def first_aid(stage: Stage, given: Given) -> Sheet | None:
    row, patients = own_actor(stage, given), _hurt(stage)
    if row is None or not patients:
        return None
    wanted = given.get("target") or patients[0]["id"]
    controls = [
        hidden("field.actor", row["id"]),
        whom(stage, row, "field.target", _("だれの傷を"), patients, wanted),
        *auto(stage, row),
        faces(),
    ]
    about = _("医術、難易度10＋傷の合計。成功すれば次の朝からふつうに治ります。失敗すると回復の難易度＋3。")
    made = CommandForm("first_aid", _("手当てする"), controls, tone="mark", forecast=True)
    return Sheet("first_aid", _("%(name)sの手当て") % {"name": row["name"]}, [made], about)


@form("care")
def care(stage: Stage, given: Given) -> Sheet | None:
    row, patients = own_actor(stage, given), _hurt(stage)
    if row is None or not patients:
        return None
    words = ("none", "ointment", *(("other",) if stage.gm else ()))
    medicine = [Choice(word, stage.label(f"choice.medicine.{word}"), checked=word == "none") for word in words]
    controls = [
        hidden("field.actor", row["id"]),
        whom(stage, row, "field.target", _("だれを"), patients, given.get("target", "")),
        Control("seg", "field.medicine", _("薬"), choices=medicine),
    ]
    if stage.gm:
        controls.append(Control("number", "field.points", _("ほかの薬の効き目（点）"), min=0, max=9, placeholder="—"))
    made = CommandForm("care.give", _("看病する"), controls)
    return Sheet("care", _("%(name)sの看病") % {"name": row["name"]}, [made], _("道具と場所があれば判定は要りません。"))


@form("recovery")
def recovery(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [hidden("field.actor", row["id"]), *auto(stage, row), faces()]
    made = CommandForm("recovery.roll", _("振る"), controls, tone="mark", forecast=True)
    return Sheet(
        "recovery",
        _("%(name)sの朝の回復") % {"name": row["name"]},
        [made],
        _("成功で傷が1点治り、5点以上足りないと1点悪くなります。"),
    )


@form("awake")
def awake(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [hidden("field.actor", row["id"]), *auto(stage, row), faces()]
    made = CommandForm("awake.roll", _("振る"), controls, tone="mark", forecast=True)
    return Sheet("awake", _("%(name)sが眠気に耐える") % {"name": row["name"]}, [made], _("失敗すると眠り込みます。"))


@form("caltrops")
def caltrops(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [hidden("field.actor", row["id"]), *auto(stage, row), faces()]
    made = CommandForm("caltrops", _("踏み越える"), controls, tone="mark", forecast=True)
    title = _("%(name)sがマキビシを踏み越える") % {"name": row["name"]}
    return Sheet("caltrops", title, [made], _("運動の判定。失敗するとそこで足が止まります。"))


@form("day")
def day(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control("number", "field.slept", _("眠った時間"), min=0, max=24, placeholder="8"),
        Control("number", "field.meals", _("食事の回数"), min=0, max=9, placeholder="2"),
        Control(
            "select",
            "field.drank",
            _("水"),
            choices=[Choice("", "—", checked=True), Choice("1", _("飲んだ")), Choice("0", _("飲めなかった"))],
        ),
    ]
    about = _("書かなければ、次の朝は「8時間眠り、2食とり、水を飲んだ」と数えます。")
    return Sheet(
        "day", _("%(name)sの寝食") % {"name": row["name"]}, [CommandForm("day.note", _("書きとめる"), controls)], about
    )


@form("wear")
def wear(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    choices = [Choice("", _("着けない"), checked=not row["armour"])]
    choices += [
        Choice(
            armour.id,
            stage.words(armour.name),
            _("打撃−%(value)s、技−%(penalty)s") % {"value": armour.value, "penalty": armour.gi_penalty},
            checked=armour.id == row["armour"],
        )
        for armour in stage.tables.armour.values()
    ]
    controls = [hidden("field.actor", row["id"]), Control("pick", "field.armour", _("防具"), choices=choices)]
    about = _("持っている防具だけ着られます。") if not stage.gm else ""
    return Sheet(
        "wear", _("%(name)sの防具") % {"name": row["name"]}, [CommandForm("wear", _("替える"), controls)], about
    )


@form("money")
def money(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    mon = Control("number", "field.mon", _("文（払うときは−）"), min=-40_000_000, max=40_000_000, required=True)
    give = Control("number", "field.mon", _("文"), min=1, max=40_000_000, required=True)
    forms = [
        CommandForm(
            "money.change", _("書き入れる"), [hidden("field.actor", row["id"]), mon, reason()], _("得た・払った")
        ),
        CommandForm(
            "money.give",
            _("渡す"),
            [
                hidden("field.actor", row["id"]),
                whom(stage, row, "field.target", _("だれに"), everybody(stage, row)),
                give,
            ],
            _("手渡す"),
        ),
    ]
    about = _("所持金 %(n)s文") % {"n": row["numbers"]["money_mon"]}
    return Sheet("money", _("%(name)sの金") % {"name": row["name"]}, forms, about)
