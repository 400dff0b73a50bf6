"""What the GM sets in motion or puts right, each with its form."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sessions.present.alice.acts import of
from sessions.present.alice.form_parts import Given, anyone, register, suits, title
from sessions.present.alice.stage import Row, Stage
from sessions.present.forms import Choice, CommandForm, Control, Sheet, hidden


@register("acts")
def acts(stage: Stage, given: Given) -> Sheet | None:
    """Everything one actor can begin, for the GM's tile."""
    row = anyone(stage, given)
    return Sheet("acts", str(row["name"]), links=list(of(stage, row))) if row is not None else None


@register("race")
def race(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"], checked=one["kind"] == "pc") for one in stage.on_stage]
    controls = [
        Control("boxes", "field.actors", _("競う人"), choices=people),
        Control("text", "field.text", _("何を競うか"), required=True, placeholder=_("教室まで走る")),
        suits(stage, "field.suit", _("能力"), "S"),
        Control("number", "field.cards", _("難易度の枚数"), value=1, min=1, max=3, required=True),
    ]
    about = _("みな札を伏せて出し、同時に開く。達成値の高い順に並ぶ。")
    return Sheet("race", _("競争"), [CommandForm("race.declare", _("始める"), controls, about=about, tone="mark")])


@register("fight")
def fight(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"], checked=True) for one in stage.on_stage]
    controls = [Control("boxes", "field.actors", _("戦う人"), choices=people, many=True)]
    about = _("肉体の高い順に行動する。")
    return Sheet(
        "fight", _("戦いを始める"), [CommandForm("fight.start", _("始める"), controls, about=about, tone="mark")]
    )


@register("morning")
def morning(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"]) for one in stage.pcs if one["status"] == "active"]
    controls = [Control("boxes", "field.sleepless", _("眠らなかった人（リフレッシュできない）"), choices=people)]
    return Sheet("morning", _("朝を迎える"), [CommandForm("morning.begin", _("朝にする"), controls, tone="mark")])


@register("hurt")
def hurt(stage: Stage, given: Given) -> Sheet | None:
    row = anyone(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        suits(stage, "field.suit", _("どの能力に"), "S"),
        Control("text", "field.reason", _("わけ"), required=True, placeholder=_("高い所から落ちた")),
    ]
    return Sheet(
        "hurt", title(row, _("傷を負わせる")), [CommandForm("actor.hurt", _("一段傷つける"), controls, tone="danger")]
    )


@register("set")
def set_by_hand(stage: Stage, given: Given) -> Sheet | None:
    """Values put right by hand, each with its reason in the log."""
    row = anyone(stage, given)
    if row is None:
        return None
    why = Control("text", "field.reason", _("わけ"), required=True)
    who = hidden("field.actor", row["id"])
    stages = [
        CommandForm(
            "actor.set",
            _("直す"),
            [
                who,
                hidden("field.key", f"stage_{one['suit']}"),
                Control(
                    "number", "field.number", _("傷の段階（0〜3）"), value=one["stage"], min=0, max=3, required=True
                ),
                why,
            ],
            title=_("%(suit)sの傷") % {"suit": stage.words(one["label"])},
        )
        for one in row["abilities"] or ()
    ]
    extra = Control("number", "field.number", _("増やす枚数"), value=0, min=-2, max=4, required=True)
    more = [
        CommandForm(
            "actor.set", _("直す"), [who, hidden("field.key", "hand_delta"), extra, why], title=_("手札の枚数")
        ),
        CommandForm(
            "actor.set",
            _("直す"),
            [
                who,
                hidden("field.key", "belongings"),
                Control("area", "field.word", _("持ち物"), value=row["belongings"]),
                why,
            ],
            title=_("持ち物"),
        ),
    ]
    return Sheet("set", title(row, _("値を直す")), [*stages, *(more if row["kind"] == "pc" else [])])


@register("state")
def state(stage: Stage, given: Given) -> Sheet | None:
    """Small switches about one actor: seen or not, numbers, care, holding, pacts."""
    row = anyone(stage, given)
    if row is None:
        return None
    who, whom = hidden("field.actor", row["id"]), hidden("field.actors", row["id"])
    forms = []
    if row["kind"] == "npc":
        shown = row["numbers_shown"]
        off = [hidden("field.off", "1")] if shown else []
        label = _("能力を隠す") if shown else _("能力を見せる")
        forms.append(CommandForm("numbers.show", label, [who, *off], title=_("能力値"), tone=""))
        forms.append(
            CommandForm("actor.hide", _("隠す"), [whom], title=_("姿"), about=_("皆の画面から消える"), tone="")
        )
    for word, label in _care(row):
        forms.append(
            CommandForm("care", label, [whom, hidden("field.state", word)], title=_("養生"), about=label, tone="")
        )
    if row["kind"] == "pc":
        kinds = [Choice("coexistence_pact", _("共存の契約"), checked=True), Choice("healing_vow", _("癒しの誓約"))]
        controls = [
            who,
            Control("seg", "field.kind", _("契約"), choices=kinds),
            Control("text", "field.alice", _("相手のアリス"), required=True),
        ]
        forms.append(CommandForm("pact.start", _("結ぶ"), controls, title=_("アリスとの契約"), tone=""))
        forms += [
            CommandForm("pact.end", _("終える"), [who, hidden("field.pact", one["id"])], title=one["alice"], tone="")
            for one in row["pacts"]
        ]
    if row["incapacitated"]:
        forms.append(
            CommandForm(
                "actor.kill", _("死を確かめる"), [hidden("field.target", row["id"])], title=_("とどめ"), tone="danger"
            )
        )
    return Sheet("state", title(row, _("状態")), forms, rows=True)


def _care(row: Row) -> list[tuple[str, str]]:
    day = row["day"]
    rest = ("no_rest", _("安静をやめる")) if day["resting_since"] is not None else ("rest", _("安静にする"))
    place = ("exposed", _("ひとりで野外にいる")) if day["sheltered"] else ("shelter", _("屋根の下にいる"))
    return [rest, place]


@register("classes")
def classes(stage: Stage, given: Given) -> Sheet | None:
    """Putting right a class that was settled (§7.2): only with a reason."""
    ruling = next((one for one in stage.part("registry") or () if one["id"] == given.get("ruling")), None)
    if not stage.gm or ruling is None:
        return None
    choices = [
        Choice(cls, stage.class_name(cls), checked=cls == ruling["cls"]) for cls in ("expert", "related", "outsider")
    ]
    controls = [
        hidden("field.ruling", ruling["id"]),
        Control("seg", "field.cls", _("クラス"), choices=choices),
        Control("text", "field.reason", _("わけ"), required=True),
    ]
    what = stage.words(ruling["action_label"])
    heading = _("%(trade)s：%(action)s") % {"trade": ruling["occupation"], "action": what}
    return Sheet("classes", heading, [CommandForm("registry.set", _("直す"), controls)])
