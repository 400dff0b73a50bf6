"""Forms of a fight: attack, move, weapons in and out of the hand, posture, bought actions (rules §7.2, §7.4, §7.7)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from sessions.present.edo.acts import targets
from sessions.present.edo.forms.base import Given, auto, buy, everybody, faces, form, hidden, own_actor, selfish, whom
from sessions.present.edo.people import arm_words
from sessions.present.edo.stage import Row, Stage, mob_name
from sessions.present.forms import Choice, CommandForm, Control, Sheet

_MODES = ("minejuchi", "atemi", "choke_faint", "choke_kill", "lock")


@form("attack")
def attack(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    mob = stage.groups.get(given.get("actor", ""))
    name = mob_name(mob) if mob else row["name"]
    chances = dict(targets(stage, row))
    left = bool((row["tokens"] or {}).get("attacks") or (row["tokens"] or {}).get("free")) or bool(mob)
    controls = [
        hidden("field.actor", given["actor"] if mob else row["id"]),
        _weapons(stage, row, chances, given),
        _foes(stage, row, chances, given),
        _mode(stage),
        Control(
            "number",
            "field.distance",
            _("間合い（間）"),
            min=0,
            max=999,
            hint=_("空なら、いま決まっている間合い"),
            placeholder="—",
        ),
        *_shot(),
        *buy(stage, row, left=left),
        *auto(stage, row),
        *selfish(stage, row),
        *_gm_shift(stage),
        faces(),
    ]
    about = _("動ける者が順に同じ攻めをします。") if mob else ""
    made = CommandForm("attack", _("攻める"), controls, tone="mark", forecast=True)
    return Sheet("attack", _("%(name)sの攻撃") % {"name": name}, [made], about)


def _weapons(stage: Stage, row: Row, chances: dict[tuple[str, str], str], given: Given) -> Control:
    arms = row["numbers"]["arms"]
    wanted = given.get("field.arm") or next((arm["key"] for arm in arms if arm["ready"]), "")
    return Control("pick", "field.arm", _("武器"), choices=[_weapon(stage, arm, wanted) for arm in arms], required=True)


def _weapon(stage: Stage, arm: Row, wanted: str) -> Choice:
    closed = _("壊れている") if arm["broken"] else ""
    about = arm_words(stage, arm)
    if not arm["learned"]:
        about = _("%(about)s・習っていない（2個）") % {"about": about}
    return Choice(
        arm["key"],
        f"{stage.words(arm['name'])} {arm['value']}",
        about,
        closed=closed,
        checked=arm["key"] == wanted and not closed,
        icon="target" if arm["kind"] == "ranged" else "hand" if arm.get("unarmed") else "sword",
        mark="shot" if arm["kind"] == "ranged" else "melee",
        rare=bool(arm.get("unarmed")) and not arm["learned"],
    )


def _foes(stage: Stage, row: Row, chances: dict[tuple[str, str], str], given: Given) -> Control:
    alive = [one for one in everybody(stage, row) if one["life"]["id"] not in ("dead",)]
    wanted = given.get("target") or given.get("field.target") or next((one["id"] for one in alive), "")
    choices = []
    for one in alive:
        found = [chance for (_arm, foe), chance in chances.items() if foe == one["id"]]
        numbers = one["numbers"]
        about = stage.words(one["health"]["label"])
        if numbers:
            about = _("耐久点%(n)s・回避%(e)s") % {"n": numbers["endurance"], "e": numbers["evasion"]["value"]}
        if one["life"]["id"] != "alive":
            about += _("・%(life)s") % {"life": stage.words(one["life"]["label"])}
        choices.append(
            Choice(
                one["id"],
                one["name"],
                about,
                max(found, key=float, default=""),
                checked=one["id"] == wanted,
                icon="users",
            )
        )
    return Control("pick", "field.target", _("相手"), choices=choices, required=True)


def _mode(stage: Stage) -> Control:
    choices = [Choice("", _("ふつうに"), checked=True)]
    choices += [Choice(mode, stage.label(f"choice.mode.{mode}")) for mode in _MODES]
    return Control("select", "field.mode", _("攻め方"), choices=choices, hint=_("組みつき・投げは武器の欄から選ぶ"))


def _shot() -> Iterator[Control]:
    yield Control("check", "field.aim", _("じっと狙う"), hint=_("−2。このラウンドは動けない"), follows="shot")
    yield Control("check", "field.target_moving", _("的が動いている"), hint=_("＋3"), follows="shot")
    yield Control("check", "field.shooter_moving", _("動きながら射る"), hint=_("＋5"), follows="shot")
    yield Control("check", "field.small", _("的が小さい"), hint=_("＋2"), follows="shot")
    yield Control("check", "field.half_cover", _("半ば隠れている"), hint=_("＋3"), follows="shot")


def _gm_shift(stage: Stage) -> Iterator[Control]:
    if stage.gm:
        yield Control("number", "field.modifier", _("難易度の修正"), min=-20, max=20, placeholder="±0")
        yield Control("check", "field.unaware", _("相手は気づいていない"), hint=_("受けも体さばきもできない"))


# ---------------------------------------------------------------- moving, posture, other acts


@form("move")
def move(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    left = row["tokens"] or {}
    most = left.get("ken") or row["numbers"]["move"]
    others = [Choice("", _("決めない"), checked=True)] + [
        Choice(one["id"], one["name"]) for one in everybody(stage, row)
    ]
    controls = [
        hidden("field.actor", row["id"]),
        Control(
            "number",
            "field.ken",
            _("動く距離（間）"),
            value=most,
            min=0,
            max=99,
            required=True,
            hint=_("1回で%(n)s間まで") % {"n": row["numbers"]["move"]},
        ),
        Control("text", "field.place", _("どこへ"), placeholder=_("橋のたもと、または 3,4"), value=row["place"]),
        Control("select", "field.target", _("だれとの間合い"), choices=others),
        Control("number", "field.distance", _("その間合い（間）"), min=0, max=999, placeholder="—"),
        Control("check", "field.door", _("戸を開けて通る"), hint=_("2間ぶん")),
        *buy(stage, row, left=bool(left.get("moves") or left.get("ken"))),
        *selfish(stage, row),
    ]
    return Sheet("move", _("%(name)sの移動") % {"name": row["name"]}, [CommandForm("move", _("動く"), controls)])


@form("posture")
def posture(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    words = ("standing", "crouching", "prone")
    choices = [
        Choice(word, stage.label(f"choice.posture.{word}"), closed=_("いま") if word == row["posture"]["id"] else "")
        for word in words
    ]
    controls = [
        hidden("field.actor", row["id"]),
        Control("pick", "field.posture", _("姿勢"), choices=choices, required=True),
        _pay(),
        *buy(stage, row, left=_has(row)),
        *selfish(stage, row),
    ]
    return Sheet(
        "posture", _("%(name)sの姿勢") % {"name": row["name"]}, [CommandForm("posture", _("変える"), controls)]
    )


def _pay() -> Control:
    choices = [Choice("move", _("移動で"), checked=True), Choice("attack", _("攻撃1回で"))]
    return Control("seg", "field.pay", _("何で払うか"), choices=choices, hint=_("戦いの外では数えない"))


def _has(row: Row) -> bool:
    left = row["tokens"] or {}
    return bool(left.get("moves") or left.get("attacks") or left.get("ken"))


@form("act")
def act(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    left = row["tokens"] or {}
    controls = [
        hidden("field.actor", row["id"]),
        Control("text", "field.text", _("何をするか"), required=True, placeholder=_("縄をほどく、など")),
        *buy(stage, row, left=bool(left.get("attacks") or left.get("free"))),
        *selfish(stage, row),
    ]
    return Sheet("act", _("%(name)sの行い") % {"name": row["name"]}, [CommandForm("act", _("する"), controls)])


@form("extra")
def extra(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    kinds = ("attack", "defence", "move")
    choices = [Choice(kind, stage.label(f"choice.action.{kind}"), checked=kind == "attack") for kind in kinds]
    about = _("活劇点1点。残り%(n)s点") % {"n": row["numbers"]["kp"]}
    controls = [
        hidden("field.actor", row["id"]),
        Control("pick", "field.action", _("何を足すか"), choices=choices, required=True),
        *selfish(stage, row),
    ]
    made = CommandForm("kp.extra", _("1点で足す"), controls, tone="mark")
    return Sheet("extra", _("%(name)sの行動を足す") % {"name": row["name"]}, [made], about)


@form("escape")
def escape(stage: Stage, given: Given) -> Sheet | None:
    row = own_actor(stage, given)
    if row is None:
        return None
    left = row["tokens"] or {}
    controls = [hidden("field.actor", row["id"]), *buy(stage, row, left=bool(left.get("attacks"))), faces()]
    made = CommandForm("grapple.escape", _("振りほどく"), controls, tone="mark")
    return Sheet("escape", _("%(name)sが振りほどく") % {"name": row["name"]}, [made])


# ---------------------------------------------------------------- weapons


@form("arm")
def arm(stage: Stage, given: Given) -> Sheet | None:
    """A row for each weapon, with what can be done with it now."""
    row = own_actor(stage, given)
    if row is None:
        return None
    actor = given["actor"] if given.get("actor", "") in stage.groups else row["id"]
    forms = [made for one in row["numbers"]["arms"] for made in _arm_forms(stage, row, one, actor)]
    about = _("抜く・納める：攻撃1回か移動3間。次の手裏剣：攻撃1回か移動1回。矢：2回。鉄砲：10ラウンド。")
    return Sheet("arm", _("%(name)sの武器") % {"name": row["name"]}, forms, about, rows=True)


def _arm_forms(stage: Stage, row: Row, one: Row, actor: str) -> Iterator[CommandForm]:
    if one.get("unarmed") or one["broken"]:
        return
    shared = [hidden("field.actor", actor), hidden("field.arm", one["key"])]
    pays = [_pay(), *buy(stage, row, left=_has(row))] if stage.fight else []
    title, about = stage.words(one["name"]), arm_words(stage, one)
    if one["kind"] == "ranged" and one["ready"] and one["needed"] > 1 and one.get("progress", 0) < one["needed"]:
        yield CommandForm("ready", _("用意する"), [*shared, *pays], title, about)
    elif one["kind"] == "ranged" and one["needed"] == 1 and not one["ready"] and one.get("taken"):
        yield CommandForm("ready", _("次を構える"), [*shared, *pays], title, about)
    if not one["ready"]:
        yield CommandForm("draw", _("抜く・取り出す"), [*shared, *pays], title, about)
    else:
        yield CommandForm("sheathe", _("納める"), [*shared, *pays], title, about, tone="")


__all__ = ["Sheet", "whom"]
