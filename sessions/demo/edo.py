"""The demo's evenings: two that are over, and one in the middle of an exchange on the bridge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from characters.models import Campaign, Character
from characters.selectors.access import CampaignAccess, active_seat
from sessions.actions import closing, counters, notes, sessions, talk
from sessions.demo.table import Table
from sessions.models import GameSession

OVER = (
    ("大川端の忘れ傘", "橋の番小屋", "傘の持ち主は、とうに大川へ沈んでいた。"),
    ("蔵屋敷の空き俵", "近江屋の蔵", "俵の中身は米ではなく、古い起請文だった。"),
)
NOW = "両国橋、辻斬りの夕"
CLOCKS = (("橋番が駆けつける", 6, 3, True), ("蔵屋敷に火が回る", 4, 1, False))  # title, steps, done, shown to all


def build(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Play the demo's evenings, unless there are some already."""
    if GameSession.objects.filter(campaign=campaign).exists():
        return
    with transaction.atomic():
        for title, scene, line in OVER:
            _over(campaign, people, title, scene, line)
        _bridge(_begin(campaign, people, NOW))


def _begin(campaign: Campaign, people: Mapping[str, User], title: str) -> Table:
    gm = active_seat(people["雪村"], campaign)
    if gm is None:
        raise LookupError("雪村")
    session = sessions.plan_session(access=CampaignAccess(campaign, gm), title=title)
    table = Table(session, people)
    rows = Character.objects.filter(campaign=campaign, deleted_at=None).exclude(cleared=None)
    pcs = list(rows.filter(kind="pc"))
    npcs = [row for row in rows.filter(kind="npc") if title == NOW]
    cast = [row.pk for row in (*pcs, *npcs)]
    counts = {row.pk: 5 for row in npcs if row.count > 1}
    sessions.start_session(access=table.at("雪村"), cast=cast, counts=counts)
    sessions.start_evening(access=table.at("雪村"))
    return table


def _over(campaign: Campaign, people: Mapping[str, User], title: str, scene: str, line: str) -> None:
    table = _begin(campaign, people, title)
    gm = table.at("雪村")
    sessions.set_scene(access=gm, title=scene)
    talk.say(access=gm, text=line, mode="say")
    table.do("灯", "roll", actor=table.actor("佐吉"), what="chikaku")
    table.do("海斗", "roll", actor=table.actor("玄庵"), what="edomachi")
    closing.ask_closing(access=table.at("雪村"))
    closing.close_session(access=table.at("雪村"))


def _bridge(table: Table) -> None:
    """両国橋: rolls, a fight, and 有村's first blow on its way to 佐吉."""
    gm = table.at("雪村")
    arimura, samurai, sakichi = table.actor("有村"), table.actor("侍"), table.actor("佐吉")
    shinpachiro = table.actor("新八郎")
    sessions.set_scene(access=gm, title="両国橋の上、霧雨", text="暮れ六ツの鐘。橋の真ん中に、刀袋を抱いた侍が一人。")
    notes.save_note(
        access=gm,
        text="有村は辻斬りの下手人ではない。刀袋の偽の起請文を新八郎に渡すのが目的。耐久点が5以下になったら退こうとする。",
    )
    table.do("雪村", "time.pass", hours=10)
    for title, size, filled, shown in CLOCKS:
        clock = counters.start_counter(access=gm, title=title, size=size, shown=shown).first
        for _step in range(filled):
            counters.turn_counter(access=gm, counter=clock, turn="step")
    table.do("雪村", "request", what="chikaku", difficulty=15, text="橋の下の気配")
    request = next(iter(table.state("雪村")["requests"]))["id"]
    table.do("灯", "request.answer", request=request, actor=sakichi)
    table.do("なぎさ", "request.answer", request=request, actor=shinpachiro)
    table.do("雪村", "actor.enter", actors=f"{arimura},{samurai}", drawn=True)
    for name in ("なぎさ", "灯"):
        who = shinpachiro if name == "なぎさ" else sakichi
        arm = next(arm for arm in _arms(table, who) if not arm["unarmed"])
        table.do(name, "draw", actor=who, arm=arm["key"])
    talk.say(access=table.at("雪村"), text="邪魔立ていたすか。……よかろう。", speaker=arimura, mode="say")
    table.do("雪村", "fight.start")
    table.do("千秋", "coincidence.propose", actor=table.actor("梅吉"), text="欄干の提灯が落ち、侍たちの目がくらむ")
    table.do("雪村", "turn.to", actor=arimura)
    sword = next(arm for arm in _arms(table, arimura) if arm["ready"] and not arm["unarmed"])
    table.do(
        "雪村",
        "attack",
        actor=arimura,
        target=sakichi,
        arm=sword["key"],
        distance=1,
        faces="4,3,1",
    )


def _arms(table: Table, actor: str) -> list[Mapping[str, Any]]:
    found = next(row for row in table.state("雪村")["actors"] if row["id"] == actor)
    return [arm for arm in found["numbers"]["arms"] if arm["kind"] == "melee"]
