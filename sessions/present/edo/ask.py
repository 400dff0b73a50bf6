"""What needs an answer now: the open question of an exchange or opposed roll, failed rolls, requests, priced wishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from sessions.present import Piece
from sessions.present.edo import duel
from sessions.present.edo.people import tokens
from sessions.present.edo.stage import Row, Stage, numbered, percent

BEST = 12  # two sixes: what a roll can add at most (§6.3)
_ICONS = {"parry": "shield", "dodge": "dodge", "none": "x", "counter": "sword", "resist": "hand", "roll": "dice"}
_ICONS |= {"auto": "star", "reroll": "dice", "turn": "check", "accept": "x", "survive": "heart", "die": "x"}


def pieces(stage: Stage) -> dict[str, Piece]:
    """The framed panel, `ask`: for players what they have to answer, else whom the table waits for; GMs see every
    exchange and answer for NPCs, or for somebody who is away. Beside it, `others`, what else waits for somebody: it
    stays as it is while an exchange goes on, so it is not sent with every step of one."""
    questions = list(_questions(stage))
    waits = [question for question in questions if not question["own"] and question["kind"] != "answer"]
    found = {"ask": _ask(stage, [question for question in questions if question not in waits], bool(waits))}
    return found | ({"others": Piece("edo/session/others.html", {"behalf": waits})} if waits else {})


def _ask(stage: Stage, questions: list[dict[str, Any]], others: bool) -> Piece:
    mine = [question for question in questions if question["own"]]
    facts = {
        "questions": mine,
        "behalf": [question for question in questions if not question["own"]],
        "others": others,
        "duel": _duel(stage, questions),
        "title": _title(stage, mine),
        "turn": _turn(stage),
        "nudge": stage.waited_for([stage.asked or stage.turn]),
        "step": stage.part("step"),
    }
    return Piece("edo/session/ask.html", facts)


def _duel(stage: Stage, questions: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Both sides; among what the other may choose also success without a roll."""
    found = duel.of_exchange(stage) or duel.of_contest(stage)
    auto = next((question["auto"] for question in questions if question["kind"] == "answer" and question["auto"]), None)
    if found is None or auto is None or auto["why"]:
        return found
    bought = {"label": _("自動成功"), "points": auto["points"], "percent": "100", "difficulty": None}
    return {**found, "options": [*found["options"], bought]}


def _title(stage: Stage, mine: list[dict[str, Any]]) -> str:
    if not stage.view.is_open:
        return _("いま")
    if mine and not stage.gm:
        return _("いま、あなたの番です")
    if stage.asked:
        return _("%(name)sの返答待ち") % {"name": stage.name(stage.asked)}
    if stage.turn:
        own = any(stage.turn in (row["id"], row["group"]) for row in stage.mine)
        return _("あなたの手番です") if own else _("%(name)sの手番") % {"name": stage.name(stage.turn)}
    return _("いま")


def _turn(stage: Stage) -> dict[str, Any] | None:
    """Of the viewer's own turn what is left; None when it is not. A GM's turn is that of an NPC or a mob."""
    own = [row for row in stage.on_stage if row["kind"] == "npc"] if stage.gm else stage.mine
    row = next((row for row in own if stage.fight and stage.acts_now(row)), None)
    if row is None:
        return None
    return {
        "actor": row["group"] or row["id"] if stage.gm else row["id"],
        "name": stage.name(row["group"]) if stage.gm and row["group"] else row["name"],
        "tokens": tokens(stage, row),
        "mob": bool(row["group"]),
        "npc": stage.gm,
    }


def _questions(stage: Stage) -> Iterator[dict[str, Any]]:
    """Everything this viewer may answer. `own`: theirs to answer, not only in somebody's place."""
    if not stage.view.is_open:
        return
    if stage.exchange and stage.exchange["options"]:
        yield _open_question(stage, stage.exchange, stage.exchange["about"])
    if stage.contest and stage.contest["options"]:
        yield _open_question(stage, stage.contest, "contest")
    for check in stage.part("rolls") or ():
        if check["rescues"]:
            yield _rescue(stage, check)
    for request in stage.part("requests") or ():
        for who in request["to_answer"]:
            yield _request(stage, request, who)
    for wish in stage.part("wishes") or ():
        if wish["status"] == "priced" and wish["mine"] and wish["who"] in stage.actors:
            yield _priced(stage, wish)


def _own(stage: Stage, who: str) -> bool:
    row = stage.actors.get(who)
    return row is not None and (row["kind"] == "npc" if stage.gm else bool(row["mine"]))


def _base(stage: Stage, kind: str, key: str, who: str) -> dict[str, Any]:
    row = stage.actors.get(who)
    numbers = row["numbers"] if row is not None else None
    return {
        "kind": kind,
        "key": f"{kind}-{key}",
        "who": who,
        "name": stage.name(who),
        "own": _own(stage, who),
        "kp": numbers["kp"] if numbers else None,
        "kp_limit": numbers["kp_limit"] if numbers else None,
        "lead": row is not None and row["role"]["id"] == "lead",
        "icon": _ICONS,
    }


# ---------------------------------------------------------------- exchange and opposed roll


def _open_question(stage: Stage, waiting: Row, about: str) -> dict[str, Any]:
    who = str(waiting["asked"])
    base = _base(stage, "answer", about, who)
    worth = list(_worth(stage, waiting, who))
    against = _against(stage, worth) if about == "defence" else ""
    options = sorted((_option(stage, option, about, bare=bool(against)) for option in worth), key=_rank)
    _choose(options)
    return {
        **base,
        "about": about,
        "question": stage.words(waiting["question"]),
        "since": waiting["since"],
        "step": stage.part("step"),
        "options": options,
        "against": against,
        "auto": _auto(stage, base, waiting["options"]) if about in ("defence", "counter") else None,
        "submit": _("これでしのぐ") if about == "defence" else _("これで決める"),
        "damage": next((option["damage"] for option in waiting["options"] if option.get("damage")), None),
    }


def _worth(stage: Stage, waiting: Row, who: str) -> Iterator[Row]:
    """The options without bare hands that cannot be used anyway."""
    row = stage.actors.get(who)
    arms = row["numbers"]["arms"] if row is not None and row["numbers"] else ()
    bare = {arm["key"] for arm in arms if arm.get("unarmed")}
    return (option for option in waiting["options"] if option["open"] or option.get("arm") not in bare)


def _against(stage: Stage, options: list[Row]) -> str:
    """What each way to ward a blow off has to reach, said once: 「しのぐ難易度 21（示現流＋2）」; "" if it differs."""
    rolled = [option for option in options if option.get("value") is not None and option.get("difficulty") is not None]
    found = {(option["difficulty"], _parts(stage, option)) for option in rolled}
    if len(rolled) < 2 or len(found) != 1:
        return ""
    difficulty, parts = found.pop()
    text = _("しのぐ難易度 %(n)s") % {"n": difficulty}
    return _("%(name)s（%(kind)s）") % {"name": text, "kind": parts} if parts else text


def _parts(stage: Stage, option: Row) -> str:
    """What changes a difficulty beside its base."""
    return _("、").join(
        numbered(stage.words(part["label"]), f"{part['value']:+d}") for part in option.get("parts", ())[1:]
    )


def _rank(option: Mapping[str, Any]) -> tuple[bool, bool]:
    """Deeds first, then doing nothing; closed ones last."""
    return not option["open"], not option["counts"]


def _option(stage: Stage, option: Row, about: str, *, bare: bool = False) -> dict[str, Any]:
    fields: dict[str, Any] = {"field.answer": option["answer"]}
    if option.get("arm"):
        fields["field.arm"] = option["arm"]
    if option.get("mode"):
        fields["field.mode"] = option["mode"]
    if option.get("way") == "buy":
        fields["field.buy"] = 1
    arm = stage.words(option["arm_label"]) if option.get("arm_label") else ""
    key = "hit" if option["answer"] == "counter" else "success"
    return {
        "pick": urlencode(fields),
        "answer": option["answer"],
        "icon": _ICONS.get(option["answer"], "dice"),
        "label": _label(stage, option, about),
        "arm": arm,
        "value": option.get("value"),
        "about": _option_words(stage, option, about, bare=bare),
        "points": option["points"],
        "open": option["open"],
        "closed": stage.words(option["closed"]["text"]) if option["closed"] else "",
        "percent": percent(option.get("odds"), key) or percent(option.get("odds"), "to_hit"),
        "counts": option["answer"] not in ("none", "accept", "die"),
        "chosen": False,
    }


def _label(stage: Stage, option: Row, about: str) -> str:
    if option["answer"] == "none":
        return _("反撃しない") if about == "counter" else _("しのがない")
    return stage.words(option["label"])


def _option_words(stage: Stage, option: Row, about: str, *, bare: bool = False) -> str:
    if option["answer"] == "none" and about == "defence":
        damage = option.get("damage")
        if damage:
            return _("防御を取っておく。打撃 %(min)s〜%(max)s") % {"min": damage["min"], "max": damage["max"]}
        return _("防御を取っておく。")
    if option["answer"] == "none" and about == "counter":
        return _("攻撃を取っておく。受け・体さばきはあとで選べる")
    if option.get("value") is not None and option.get("difficulty") is not None:
        parts = "" if bare else _parts(stage, option)
        sum_ = _("%(value)s＋2個 ≧ %(difficulty)s") % option
        return _("%(name)s（%(kind)s）") % {"name": sum_, "kind": parts} if parts else sum_
    return _words_of(str(option["answer"]))


def _words_of(answer: str) -> str:
    return {
        "counter": _("打ち合い。達成値の大きいほうが先に届く"),
        "roll": _("賽を振る"),
        "accept": _("失敗のまま進む"),
        "reroll": _("前の賽は捨てて振り直す"),
        "turn": _("達成値は難易度ちょうどになる"),
        "survive": _("皆には死んだように見える。しばらくして耐久点1で目覚める"),
        "die": _("最期を語る"),
        "resist": _("抗うのは行動に数えない"),
        "auto": _("振らずに成功。達成値は難易度ちょうど"),
    }.get(answer, "")


def _choose(options: list[dict[str, Any]]) -> None:
    """The best open answer is chosen beforehand; one that costs points never is."""
    free = [option for option in options if option["open"] and not option["points"]]
    best = max(free, key=lambda option: float(option["percent"] or -1), default=None)
    for option in options:
        option["chosen"] = option is best


def _auto(stage: Stage, base: Mapping[str, Any], options: Any) -> dict[str, Any] | None:
    """Success without a roll beside a parry, dodge or counter; None where it is nobody's to use (§6.3)."""
    row = stage.actors.get(base["who"])
    if row is None or row["kind"] == "npc" or base["kp"] is None:
        return None
    price = stage.tables.kp_uses["auto_success"].cost or 0
    known = [option for option in options if option["open"] and option.get("value") is not None]
    possible = [option for option in known if option["value"] + BEST >= (option.get("difficulty") or 0)]
    why = ""
    if base["kp"] < price:
        why = _("活劇点が足りない")
    elif known and not possible:
        why = _("どう振っても届かないので使えない")
    elif not any(option["open"] and option["answer"] in ("parry", "dodge", "counter", "resist") for option in options):
        return None
    return {"points": price, "left": base["kp"] - price, "why": why}


# ---------------------------------------------------------------- failed rolls


def _rescue(stage: Stage, check: Row) -> dict[str, Any]:
    base = _base(stage, "rescue", check["id"], str(check["who"]))
    uses = stage.tables.kp_uses
    kp = base["kp"] or 0
    again = stage.view.odds("roll.rescue", {"roll": check["id"], "answer": "reroll"})
    options = [
        {"answer": "accept", "label": stage.label("choice.answer.accept"), "points": 0, "percent": "", "open": True},
        {
            "answer": "reroll",
            "label": stage.label("choice.answer.reroll"),
            "points": uses["reroll"].cost,
            "percent": percent(again.as_json()) if again is not None else "",
            "open": kp >= (uses["reroll"].cost or 0),
        },
    ]
    if check["difficulty"] is not None and check["outcome"]["total"] is not None:
        price = uses["turn_failure"].cost or 0
        open_ = kp >= price
        options.append(
            {
                "answer": "turn",
                "label": stage.label("choice.answer.turn"),
                "points": price,
                "percent": "100" if open_ else "",
                "open": open_,
            }
        )
    for option in options:
        option |= {"pick": urlencode({"field.answer": option["answer"]}), "icon": _ICONS[str(option["answer"])]}
        option |= {"about": _words_of(str(option["answer"])), "closed": "" if option["open"] else _("活劇点が足りない")}
        option["chosen"] = option["answer"] == "accept"
    return {
        **base,
        "roll": check["id"],
        "check": duel.check(stage, check),
        "options": options,
        "submit": _("これで決める"),
    }


# ---------------------------------------------------------------- requests and wishes


def _request(stage: Stage, request: Row, who: str) -> dict[str, Any]:
    base = _base(stage, "request", f"{request['id']}-{who}", who)
    data = {"request": request["id"], "actor": who}
    odds = stage.view.odds("request.answer", data)
    facts = odds.as_json() if odds is not None else {}
    row = stage.actors[who]
    numbers = row["numbers"]
    skill = next((skill for skill in numbers["skills"] if skill["id"] == request["what"]), None) if numbers else None
    price = stage.tables.kp_uses["auto_success"].cost or 0
    known = request["difficulty"] is not None
    return {
        **base,
        "request": request["id"],
        "what": stage.words(request["label"]),
        "difficulty": request["difficulty"],
        "text": request["text"],
        "secrecy": request["secrecy"],
        "secrecy_label": stage.label(f"choice.secrecy.{request['secrecy']}"),
        "since": request["at"],
        "value": skill["value"] if skill else None,
        "learned": skill["learned"] if skill else True,
        "percent": percent(facts),
        "reroll": percent(facts, "reroll"),
        "auto": {"points": price, "left": (base["kp"] or 0) - price}
        if known and row["kind"] == "pc" and (base["kp"] or 0) >= price
        else None,
    }


def _priced(stage: Stage, wish: Row) -> dict[str, Any]:
    base = _base(stage, "priced", str(wish["id"]), str(wish["who"]))
    return {**base, "wish": wish["id"], "text": wish["text"], "points": wish["points"], "since": wish["at"]}
