"""Forms of the GM alone: wounds, points, states, who is on stage, places, time (rules §6.4, §7.13, §8, §10)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from sessions.present.edo import acts
from sessions.present.edo.forms.base import Given, any_actor, everybody, faces, form, hidden, party, reason, whom
from sessions.present.edo.stage import Row, Stage, mob_name
from sessions.present.forms import Choice, CommandForm, Control, Sheet

_SWITCHES = ("fatigued", "short_sleep", "unaware", "ally", "cared_today", "serious", "kp_rolled")
_LIVES = ("alive", "unconscious", "incapacitated", "helpless", "seeming_dead", "dead")
_NUMBERS = (
    *("wounds", "hunger_loss", "hours_awake", "meal_miss_days", "no_food_days", "no_water_days"),
    *("nurse_level", "medicine", "money_mon"),
)
_ARMS = ("arm_ready", "arm_broken", "arm_progress", "arm_ammo")


def _amount(label: str, most: int) -> list[Control]:
    choices = [Choice(f"field.amount={n}", str(n), checked=n == 1) for n in range(1, 7)]
    return [
        Control("seg", "pick-amount", label, choices=choices),
        Control("number", "field.amount", _("ほかの点数"), min=1, max=most, placeholder="—"),
    ]


@form("hurt")
def hurt(stage: Stage, given: Given) -> Sheet | None:
    row = any_actor(stage, given)
    if row is None:
        return None
    numbers = row["numbers"]
    who = _members(stage, row, given)
    about = _("残り耐久点 %(n)s／%(m)s。0以下で死亡。活劇点があれば本人に尋ねます。") % {
        "n": numbers["endurance"],
        "m": numbers["endurance_max"],
    }
    controls = [who, *_amount(_("傷（防具を引いたあと）"), 99), reason(_("例：高い所から落ちた、火に巻かれた"))]
    made = CommandForm("actor.hurt", _("傷を与える"), controls, tone="danger")
    return Sheet("hurt", _("%(name)sへの打撃") % {"name": _name(stage, row, given)}, [made], about)


def _name(stage: Stage, row: Row, given: Given) -> str:
    group = given.get("actor", "")
    return mob_name(stage.groups[group]) if group in stage.groups else str(row["name"])


def _members(stage: Stage, row: Row, given: Given) -> Control:
    """Whom: the actor, or one of a mob."""
    members = stage.groups.get(given.get("actor", ""))
    if not members:
        return hidden("field.actor", row["id"])
    alive = [one for one in members if one["life"]["id"] != "dead"] or members
    choices = [
        Choice(one["id"], one["name"], _("耐久点%(n)s") % {"n": one["numbers"]["endurance"]}, checked=one is alive[0])
        for one in members
    ]
    return Control("pick", "field.actor", _("だれが"), choices=choices, required=True)


@form("heal")
def heal(stage: Stage, given: Given) -> Sheet | None:
    row = any_actor(stage, given)
    if row is None:
        return None
    about = _("いまの傷 %(n)s点") % {"n": row["numbers"]["wounds"]}
    controls = [_members(stage, row, given), *_amount(_("癒えた点"), 99), reason()]
    return Sheet(
        "heal",
        _("%(name)sの回復") % {"name": _name(stage, row, given)},
        [CommandForm("actor.heal", _("癒やす"), controls)],
        about,
    )


@form("kp")
def kp(stage: Stage, given: Given) -> Sheet | None:
    row = any_actor(stage, given)
    if row is None:
        return None
    actor = hidden("field.actor", row["id"])
    numbers = row["numbers"]
    controls = [
        actor,
        hidden("field.key", "kp"),
        Control("number", "field.number", _("活劇点"), value=numbers["kp"], min=0, max=99, required=True),
        reason(),
    ]
    forms = [CommandForm("actor.set", _("決める"), controls, _("点を直す"))]
    if row["role"]["id"] == "lead":
        open_ones = [Choice("", _("判定に関わらない"), checked=True)]
        open_ones += [
            Choice(request["id"], stage.words(request["label"]))
            for request in stage.part("requests") or ()
            if request["open"] and row["id"] in request["replies"] and not request["replies"][row["id"]]["result"]
        ]
        forced = [
            actor,
            Control("number", "field.points", _("使わせる点"), value=2, min=1, max=20, required=True),
            Control("select", "field.request", _("成功にする頼み"), choices=open_ones),
            reason(_("主役らしく振る舞うため")),
        ]
        forms.append(
            CommandForm(
                "kp.force",
                _("使わせる"),
                forced,
                _("GM強制（主役だけ）"),
                _("断れません。記録に「GM強制」と残ります。"),
                "danger",
            )
        )
        allowed = bool(row.get("permitted"))
        leave = [actor, *([hidden("field.refuse", "1")] if allowed else [])]
        forms.append(
            CommandForm(
                "kp.permit", _("許しを取り下げる") if allowed else _("許す"), leave, _("利己的な使い方"), tone=""
            )
        )
    about = _("いま%(n)s点（限度%(m)s）") % {"n": numbers["kp"], "m": numbers["kp_limit"]}
    return Sheet("kp", _("%(name)sの活劇点") % {"name": row["name"]}, forms, about)


@form("state")
def state(stage: Stage, given: Given) -> Sheet | None:
    """Whatever else the GM sets by hand."""
    row = any_actor(stage, given)
    if row is None:
        return None
    forms = list(_state_forms(stage, row, _members(stage, row, given)))
    return Sheet(
        "state",
        _("%(name)sの状態") % {"name": _name(stage, row, given)},
        forms,
        _("どれも理由が記録に残り、取り消せます。"),
    )


def _state_forms(stage: Stage, row: Row, who: Control) -> Iterator[CommandForm]:
    lives = [Choice(life, stage.label(f"life.{life}"), checked=life == row["life"]["id"]) for life in _LIVES]
    word = Control("select", "field.word", _("命の様子"), choices=lives, required=True)
    yield CommandForm("actor.set", _("決める"), [who, hidden("field.key", "life"), word, reason()], _("命の様子"))
    postures = [
        Choice(p, stage.label(f"choice.posture.{p}"), checked=p == row["posture"]["id"])
        for p in ("standing", "crouching", "prone")
    ]
    word = Control("seg", "field.word", _("姿勢"), choices=postures)
    yield CommandForm("actor.set", _("決める"), [who, hidden("field.key", "posture"), word, reason()], _("姿勢"))
    keys = [Choice(key, stage.label(f"choice.key.{key}"), checked=key == "fatigued") for key in _SWITCHES]
    on = Control(
        "seg", "field.on", _("どちらに"), choices=[Choice("1", _("はい"), checked=True), Choice("0", _("いいえ"))]
    )
    yield CommandForm(
        "actor.set",
        _("決める"),
        [who, Control("select", "field.key", _("項目"), choices=keys), on, reason()],
        _("疲れ・寝不足・手当て・気づき"),
    )
    aids = [Choice(aid, stage.label(f"first_aid.{aid}"), checked=aid == "ok") for aid in ("none", "ok", "bad")]
    word = Control("seg", "field.word", _("手当て"), choices=aids)
    yield CommandForm(
        "actor.set", _("決める"), [who, hidden("field.key", "first_aid"), word, reason()], _("手当ての結果")
    )
    keys = [Choice(key, stage.label(f"choice.key.{key}"), checked=key == "wounds") for key in _NUMBERS]
    number = Control("number", "field.number", _("数"), min=-20, max=99_999_999, required=True)
    yield CommandForm(
        "actor.set",
        _("決める"),
        [who, Control("select", "field.key", _("項目"), choices=keys), number, reason()],
        _("数を直す"),
    )
    yield from _arm_form(stage, row, who)
    points = Control("number", "field.points", _("弱る点"), min=1, max=99, value=1, required=True)
    yield CommandForm("illness", _("病を得る"), [who, points, reason()], _("病"))
    yield CommandForm("wake", _("目を覚まさせる"), [who], _("気絶・眠りから起こす"))
    off = [hidden("field.off", "1")] if row["mounted"] else [Control("check", "field.untrained", _("戦に慣れない馬"))]
    yield CommandForm("mount", _("馬を降りる") if row["mounted"] else _("馬に乗る"), [who, *off], _("馬"))
    if row["kind"] == "npc":
        yield from _npc_forms(row, given_id=row["group"] or row["id"])


def _arm_form(stage: Stage, row: Row, who: Control) -> Iterator[CommandForm]:
    arms = [Choice(arm["key"], stage.words(arm["name"])) for arm in row["numbers"]["arms"] if not arm.get("unarmed")]
    if not arms:
        return
    keys = [Choice(key, stage.label(f"choice.key.{key}")) for key in _ARMS]
    number = Control(
        "number", "field.number", _("数（手にしている・壊れている：1か0）"), min=-1, max=999, value=1, required=True
    )
    controls = [
        who,
        Control("select", "field.arm", _("武器"), choices=arms),
        Control("select", "field.key", _("項目"), choices=keys),
        number,
        reason(),
    ]
    yield CommandForm("actor.set", _("決める"), controls, _("武器"))


def _npc_forms(row: Row, *, given_id: str) -> Iterator[CommandForm]:
    actor = hidden("field.actor", given_id)
    shown = bool(row.get("numbers_shown"))
    off = [hidden("field.off", "1")] if shown else []
    yield CommandForm(
        "numbers.show", _("数値を伏せる") if shown else _("数値を皆に見せる"), [actor, *off], _("見せ方"), tone=""
    )
    who = hidden("field.actors", given_id)
    if row.get("hidden"):
        yield CommandForm("actor.show", _("姿を見せる"), [who], _("伏せている"))
    else:
        yield CommandForm("actor.hide", _("姿を隠す"), [who], _("皆から隠す"), tone="")
    yield CommandForm("actor.leave", _("退場させる"), [who], _("舞台を去る"), tone="")


# ---------------------------------------------------------------- the acts of an NPC


@form("acts")
def npc_acts(stage: Stage, given: Given) -> Sheet | None:
    """Every act of somebody the GM plays, as links to its form."""
    row = any_actor(stage, given)
    if row is None:
        return None
    return Sheet("acts", _("%(name)sの行い") % {"name": _name(stage, row, given)}, links=acts.of(stage, row))


# ---------------------------------------------------------------- on and off the stage, mobs


@form("enter")
def enter(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    ids = given.get("actor", "")
    controls = [
        hidden("field.actors", ids),
        Control(
            "check",
            "field.hidden",
            _("伏せて登場させる"),
            value=given.get("hidden") == "1",
            hint=_("GMの画面にだけ現れます"),
        ),
        Control("check", "field.drawn", _("武器を抜いている")),
        Control("text", "field.place", _("どこに"), placeholder=_("橋の下")),
        faces(),
    ]
    names = stage.names(
        dict.fromkeys(stage.actors[one]["group"] or one for one in ids.split(",") if one in stage.actors)
    )
    if not names:
        return None
    made = CommandForm("actor.enter", _("登場させる"), controls, tone="mark")
    return Sheet(
        "enter", _("%(names)sを舞台へ") % {"names": names}, [made], _("NPCの活劇点は、はじめて登場するときに振ります。")
    )


@form("mob")
def mob(stage: Stage, given: Given) -> Sheet | None:
    """More of a mob, or fewer."""
    group = given.get("actor", "")
    members = stage.groups.get(group) if stage.gm else None
    if not members:
        return None
    here = [row for row in members if row["on_stage"]]
    boxes = [Choice(row["id"], row["name"], checked=row["life"]["id"] != "alive") for row in here]
    forms = [
        CommandForm(
            "mob.add",
            _("増やす"),
            [
                hidden("field.group", group),
                Control("number", "field.count", _("人数"), value=1, min=1, max=50, required=True),
            ],
            _("増やす"),
        ),
        CommandForm(
            "actor.leave",
            _("退かせる"),
            [Control("boxes", "field.actors", _("だれを"), choices=boxes, required=True)],
            _("退かせる"),
            tone="",
        ),
    ]
    return Sheet("mob", _("%(name)sの頭数") % {"name": mob_name(members)}, forms)


@form("promote")
def promote(stage: Stage, given: Given) -> Sheet | None:
    members = stage.groups.get(given.get("actor", "")) if stage.gm else None
    if not members:
        return None
    alive = [row for row in members if row["life"]["id"] == "alive" and row["on_stage"]] or members
    choices = [Choice(row["id"], row["name"], checked=row is alive[0]) for row in alive]
    roles = [
        Choice(role, stage.label(f"choice.role.{role}"), checked=role == "co_lead")
        for role in ("support", "co_lead", "lead")
    ]
    controls = [
        Control("pick", "field.actor", _("だれを"), choices=choices, required=True),
        Control("seg", "field.role", _("役格"), choices=roles),
        Control("text", "field.title", _("名"), placeholder=_("名無しの侍にも名がある")),
    ]
    return Sheet("promote", _("一人を取り立てる"), [CommandForm("mob.promote", _("取り立てる"), controls)])


@form("stop")
def stop(stage: Stage, given: Given) -> Sheet | None:
    """Break off what is under way."""
    if not stage.gm or not (stage.exchange or stage.contest):
        return None
    made = CommandForm("exchange.stop", _("止める"), [reason()], tone="danger")
    about = _("使った行動や活劇点は戻りません。起きたことを取り消すなら、記録の「取り消す」を使います。")
    return Sheet("stop", _("やりとりを止める"), [made], about)


# ---------------------------------------------------------------- places and time


@form("where")
def where(stage: Stage, given: Given) -> Sheet | None:
    """Places and distances."""
    if not stage.gm or not stage.on_stage:
        return None
    boxes = [Choice(row["id"], row["name"], checked=row["id"] == given.get("actor")) for row in stage.on_stage]
    first = [
        Control("boxes", "field.actors", _("だれを"), choices=boxes, required=True),
        Control("text", "field.place", _("どこに"), required=True, placeholder=_("橋のたもと、または 3,4")),
    ]
    rows = everybody(stage)
    second = [
        whom(stage, None, "field.actor", _("だれと"), rows, given.get("actor", "")),
        whom(stage, None, "field.target", _("だれの間"), list(reversed(rows))),
        Control(
            "number", "field.ken", _("間合い（間）"), min=0, max=999, value=1, required=True, hint=_("0は同じ升目")
        ),
    ]
    return Sheet(
        "where",
        _("居場所と間合い"),
        [
            CommandForm("place.set", _("置く"), first, _("居場所")),
            CommandForm("distance.set", _("決める"), second, _("間合い")),
        ],
    )


@form("time")
def time(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    hours = [Choice(f"field.hours={n}", _("%(n)s時間") % {"n": n}, checked=n == 1) for n in (1, 2, 4, 8)]
    passing = [
        Control("seg", "pick-hours", _("どれだけ"), choices=hours),
        Control("number", "field.hours", _("ほかの時間"), min=1, max=240, placeholder="—"),
    ]
    rows = party(stage) + [row for row in stage.on_stage if row.get("ally")]
    boxes = [Choice(row["id"], row["name"]) for row in rows]
    morning = [
        Control("number", "field.hour", _("目覚めの時刻（時）"), min=0, max=23, placeholder="6"),
        Control("number", "field.slept", _("眠った時間（書きとめていない人）"), min=0, max=24, placeholder="8"),
        Control("number", "field.meals", _("食事の回数（書きとめていない人）"), min=0, max=9, placeholder="2"),
        Control("check", "field.no_water", _("水も飲めなかった")),
        Control("boxes", "field.actors", _("だれの朝か（選ばなければ一座）"), choices=boxes),
        Control("check", "field.roll_now", _("回復の判定もここで振る")),
        faces(),
    ]
    return Sheet(
        "time",
        _("時を進める"),
        [
            CommandForm("time.pass", _("進める"), passing, _("時間が過ぎる")),
            CommandForm("day.tick", _("朝を迎える"), morning, _("次の朝")),
        ],
    )
