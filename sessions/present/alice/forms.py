"""Forms of the table of アリス: what a player declares, what the GM sets in motion or puts right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present import forms as shared
from sessions.present.alice.acts import of
from sessions.present.alice.stage import SUITS, Row, Stage
from sessions.present.forms import Choice, CommandForm, Control, Sheet, hidden
from sessions.selectors.table import TableView

Given = Mapping[str, str]
Make = Callable[[Stage, Given], Sheet | None]
FORMS: dict[str, Make] = {}


def form(name: str, view: TableView, given: Given) -> Piece | None:
    """The form of that name for this viewer; None for one there is not, or that is not theirs."""
    make, stage = FORMS.get(name), Stage(view)
    if make is None or view.is_spectator or not stage.actors:
        return None
    sheet = make(stage, given)
    known = {shape.name for shape in view.commands}
    if sheet is None or not all(one.command in known for one in sheet.forms):
        return None
    return sheet.piece(view, given)


def forecast(name: str, view: TableView, given: Given) -> Piece | None:
    return shared.forecast(name, view, given)


def _form(name: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        FORMS[name] = make
        return make

    return register


# ---------------------------------------------------------------- who, which suit, how


def _own(stage: Stage, given: Given) -> Row | None:
    """Whoever a form acts for: named in the link, else the viewer's first; None for somebody else's."""
    named = given.get("actor") or given.get("field.actor") or ""
    row = stage.actors.get(named) if named else next(iter(stage.mine), None)
    return row if row is not None and (row["mine"] or stage.gm) else None


def _any(stage: Stage, given: Given) -> Row | None:
    named = given.get("actor") or given.get("field.actor") or ""
    return stage.actors.get(named) if stage.gm else None


def _suits(stage: Stage, name: str, label: str, first: str = "", *, free: str = "") -> Control:
    choices = [Choice(suit, stage.suit_name(suit), checked=suit == first) for suit in SUITS]
    if free:
        choices.insert(0, Choice("", free, checked=not first))
    return Control("seg", name, label, choices=choices)


def _whom(stage: Stage, row: Row, name: str, label: str, *, pcs: bool = False) -> Control:
    rows = [one for one in (stage.pcs if pcs else stage.on_stage) if one["id"] != row["id"]]
    return Control("select", name, label, choices=[Choice(one["id"], one["name"]) for one in rows], required=True)


def _title(row: Row, what: str) -> str:
    return _("%(name)s　%(what)s") % {"name": row["name"], "what": what}


def _words(stage: Stage, row: Row, label: str, placeholder: str) -> Control:
    return Control("text", "field.text", label, required=True, placeholder=placeholder)


# ---------------------------------------------------------------- what a player declares


@_form("test")
def test(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        _words(stage, row, _("何をするか"), _("この封蝋が本物か見分ける")),
        _suits(stage, "field.suit", _("使えそうな能力（決めるのはGM）"), free=_("GMに任せる")),
        Control("check", "field.luck", _("幸運で代わりに判定する"), hint=_("門外になり、ダイヤだけが出せる")),
        Control(
            "text", "field.story", _("どんな幸運が働くか（幸運で代わるとき）"), placeholder=_("手ごろな蔓が垂れている")
        ),
    ]
    return Sheet(
        "test", _title(row, _("判定を宣言する")), [CommandForm("test.declare", _("宣言する"), controls, tone="mark")]
    )


@_form("reason")
def reason(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        _words(stage, row, _("どの行動の道理か"), _("狼と戦う")),
        Control("check", "field.known", _("相手にも聞こえる"), hint=_("知られると効かない")),
    ]
    about = _("頭脳の判定。成功すると、その行動のクラスが次から一段よくなる。")
    made = CommandForm("reason.declare", _("思い出す"), controls, about=about, tone="mark")
    return Sheet("reason", _title(row, _("道理判定")), [made])


@_form("empathy")
def empathy(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
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
    return Sheet("empathy", _title(row, _("交感判定")), [made])


@_form("acquire")
def acquire(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        _words(stage, row, _("何を、だれを"), _("丈夫な縄")),
        Control("text", "field.story", _("どうして手元にあるか"), placeholder=_("荷車に積んだままだった")),
    ]
    about = _("幸運の判定。失敗すると、同じ物は一日たつまで試せない。")
    made = CommandForm("acquire.declare", _("獲得を試みる"), controls, about=about, tone="mark")
    return Sheet("acquire", _title(row, _("獲得判定")), [made])


@_form("recovery")
def recovery(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None:
        return None
    hurt = [one for one in stage.on_stage if any(a["stage"] for a in one["abilities"] or ())]
    if not hurt:
        return None
    patients = [Choice(one["id"], one["name"]) for one in hurt]
    controls = [
        hidden("field.actor", row["id"]),
        Control("select", "field.patient", _("だれの"), choices=patients, required=True),
        _suits(stage, "field.suit", _("どの傷"), "S"),
    ]
    about = _("難易度は2枚。成功すると一段よくなる。幸運は治せない。")
    made = CommandForm("recovery.declare", _("手当てする"), controls, about=about, tone="mark")
    return Sheet("recovery", _title(row, _("回復判定")), [made])


@_form("contest")
def contest(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    others = [one for one in stage.on_stage if row is not None and one["id"] != row["id"]]
    if row is None or not others:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control(
            "boxes", "field.targets", _("相手（受動側）"), choices=[Choice(one["id"], one["name"]) for one in others]
        ),
        _words(stage, row, _("何をするか"), _("罠を仕掛ける")),
        Control("text", "field.target_text", _("相手は何をするか"), placeholder=_("罠に気づく")),
    ]
    about = _("能力と難易度はGMが決める。達成値が同じなら受ける側の勝ち。")
    made = CommandForm("contest.declare", _("仕掛ける"), controls, about=about, tone="mark")
    return Sheet("contest", _title(row, _("対抗判定")), [made])


@_form("attack")
def attack(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None or not stage.fight:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        _whom(stage, row, "field.target", _("だれを")),
        Control("text", "field.text", _("どう攻めるか"), placeholder=_("杖で打つ")),
    ]
    made = CommandForm("attack.declare", _("攻撃する"), controls, tone="mark")
    return Sheet("attack", _title(row, _("攻撃判定")), [made])


@_form("flee")
def flee(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None or not stage.fight:
        return None
    pursued = CommandForm(
        "flee.declare",
        _("逃げる"),
        [hidden("field.actor", row["id"]), _whom(stage, row, "field.target", _("追ってくる人"))],
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
    return Sheet("flee", _title(row, _("逃げる")), [pursued, free])


@_form("act")
def act(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    if row is None:
        return None
    controls = [hidden("field.actor", row["id"]), _words(stage, row, _("何をするか"), _("扉に閂をかける"))]
    return Sheet(
        "act", _title(row, _("判定のいらない行動")), [CommandForm("turn.act", _("する"), controls, tone="mark")]
    )


@_form("teach")
def teach(stage: Stage, given: Given) -> Sheet | None:
    row = _own(stage, given)
    tokens = [one for one in stage.part("reasons") or () if row is not None and one["holder"] == row["id"]]
    if row is None or not tokens:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        Control("select", "field.token", _("どの道理を"), choices=[Choice(one["id"], one["action"]) for one in tokens]),
        _whom(stage, row, "field.target", _("だれに")),
    ]
    made = CommandForm("reason.teach", _("教える"), controls, tone="mark")
    return Sheet("teach", _title(row, _("道理を教える")), [made])


@_form("give")
def give(stage: Stage, given: Given) -> Sheet | None:
    """A card for somebody whom one supports: one declared deed a card (§6.4)."""
    row = _own(stage, given)
    cards = row["hand"]["cards"] if row is not None and row["hand"] else None
    if row is None or not cards or len(stage.pcs) < 2:
        return None
    from characters.templatetags.cards import card_name

    controls = [
        hidden("field.actor", row["id"]),
        _whom(stage, row, "field.target", _("だれに"), pcs=True),
        Control("seg", "field.card", _("どの札を"), choices=[Choice(card, card_name(card)) for card in cards]),
        Control("text", "field.text", _("どう助けるか"), required=True, placeholder=_("肩を貸して塀を越えさせる")),
    ]
    about = _("GMが認めると渡る。渡した人はすぐ1枚引き、受けた人は余った1枚を捨てる。")
    made = CommandForm("transfer.ask", _("申し出る"), controls, about=about, tone="mark")
    return Sheet("give", _title(row, _("札を譲って助ける")), [made])


# ---------------------------------------------------------------- the GM


@_form("acts")
def acts(stage: Stage, given: Given) -> Sheet | None:
    """Everything one actor can begin, for the GM's tile."""
    row = _any(stage, given)
    return Sheet("acts", str(row["name"]), links=list(of(stage, row))) if row is not None else None


@_form("race")
def race(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"], checked=one["kind"] == "pc") for one in stage.on_stage]
    controls = [
        Control("boxes", "field.actors", _("競う人"), choices=people),
        Control("text", "field.text", _("何を競うか"), required=True, placeholder=_("教室まで走る")),
        _suits(stage, "field.suit", _("能力"), "S"),
        Control("number", "field.cards", _("難易度の枚数"), value=1, min=1, max=3, required=True),
    ]
    about = _("みな札を伏せて出し、同時に開く。達成値の高い順に並ぶ。")
    return Sheet("race", _("競争"), [CommandForm("race.declare", _("始める"), controls, about=about, tone="mark")])


@_form("fight")
def fight(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"], checked=True) for one in stage.on_stage]
    controls = [Control("boxes", "field.actors", _("戦う人"), choices=people, many=True)]
    about = _("肉体の高い順に行動する。")
    return Sheet(
        "fight", _("戦いを始める"), [CommandForm("fight.start", _("始める"), controls, about=about, tone="mark")]
    )


@_form("morning")
def morning(stage: Stage, given: Given) -> Sheet | None:
    if not stage.gm:
        return None
    people = [Choice(one["id"], one["name"]) for one in stage.pcs if one["status"] == "active"]
    controls = [Control("boxes", "field.sleepless", _("眠らなかった人（リフレッシュできない）"), choices=people)]
    return Sheet("morning", _("朝を迎える"), [CommandForm("morning.begin", _("朝にする"), controls, tone="mark")])


@_form("hurt")
def hurt(stage: Stage, given: Given) -> Sheet | None:
    row = _any(stage, given)
    if row is None:
        return None
    controls = [
        hidden("field.actor", row["id"]),
        _suits(stage, "field.suit", _("どの能力に"), "S"),
        Control("text", "field.reason", _("わけ"), required=True, placeholder=_("高い所から落ちた")),
    ]
    return Sheet(
        "hurt", _title(row, _("傷を負わせる")), [CommandForm("actor.hurt", _("一段傷つける"), controls, tone="danger")]
    )


@_form("set")
def set_by_hand(stage: Stage, given: Given) -> Sheet | None:
    """Values put right by hand, each with its reason in the log."""
    row = _any(stage, given)
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
    return Sheet("set", _title(row, _("値を直す")), [*stages, *(more if row["kind"] == "pc" else [])])


@_form("state")
def state(stage: Stage, given: Given) -> Sheet | None:
    """Small switches about one actor: seen or not, numbers, care, holding, pacts."""
    row = _any(stage, given)
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
    return Sheet("state", _title(row, _("状態")), forms, rows=True)


def _care(row: Row) -> list[tuple[str, str]]:
    day = row["day"]
    rest = ("no_rest", _("安静をやめる")) if day["resting_since"] is not None else ("rest", _("安静にする"))
    place = ("exposed", _("ひとりで野外にいる")) if day["sheltered"] else ("shelter", _("屋根の下にいる"))
    return [rest, place]


@_form("classes")
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
    title = _("%(trade)s：%(action)s") % {"trade": ruling["occupation"], "action": ruling["action"]}
    return Sheet("classes", title, [CommandForm("registry.set", _("直す"), controls)])
