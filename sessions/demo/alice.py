"""The demo of アリス: a finished draft, and a table in the middle of a test."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from characters.demo import alice as people_of
from characters.models import Campaign, Character
from characters.selectors.access import CampaignAccess, active_seat
from sessions.actions import closing, parts, sessions
from sessions.demo.table import Table
from sessions.models import GameSession

TITLE = "封蝋の手紙"
WORTH_TAKING = frozenset({"6", "7", "8", "9", "10"})  # ranks everybody of the demo says yes to


def build(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Play the draft and the first day, unless there is something already."""
    if GameSession.objects.filter(campaign=campaign).exists():
        return
    with transaction.atomic():
        _draft(campaign, people)
        people_of.finish(campaign, people)
        _letter(_begin(campaign, people))


def _gm(campaign: Campaign, people: Mapping[str, User]) -> CampaignAccess:
    seat = active_seat(people["雪村"], campaign)
    if seat is None:
        raise LookupError("雪村")
    return CampaignAccess(campaign, seat)


def _draft(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Twelve cards: whoever is offered a good one takes it, the others pass."""
    table = Table(parts.open_part(access=_gm(campaign, people), part="draft"), people)
    names = {str(table.at(name).seat.pk): name for name in people_of.PLAYERS}
    table.do("雪村", "story.set", story_setting=people_of.STORY)
    table.do("雪村", "start_draft")
    table.do("雪村", "set_janken_winner", player="千秋")
    table.answer("千秋", "choose_parent", parent="灯")
    while table.state("雪村")["phase"] != "COMPLETE":
        offer = table.state("雪村")["offer"]
        who = names[offer["asked"]]
        if not offer["card"]:
            table.answer(who, "reveal")
        else:
            table.answer(who, "claim" if offer["card"][1:] in WORTH_TAKING else "pass")
    closing.close_session(access=table.at("雪村"))


def _begin(campaign: Campaign, people: Mapping[str, User]) -> Table:
    session = sessions.plan_session(access=_gm(campaign, people), title=TITLE)
    table = Table(session, people)
    rows = Character.objects.filter(campaign=campaign, deleted_at=None).exclude(cleared=None)
    npcs = [row.pk for row in rows.filter(kind="npc")]
    sessions.start_session(access=table.at("雪村"), cast=[row.pk for row in rows], hidden=npcs)
    sessions.start_evening(access=table.at("雪村"))
    return table


def _letter(table: Table) -> None:
    """ガレス has searched the post office; now ミレーヌ looks at the seal, and the cards lie face down."""
    table.do("雪村", "story.set", story=people_of.STORY)
    sessions.set_scene(access=table.at("雪村"), title="村の役場、昼すぎ", text="卓の上に、封を切っていない手紙が一通。")
    table.do("雪村", "deal")
    gareth, mylene = table.actor("ガレス"), table.actor("ミレーヌ")
    table.do("なぎさ", "test.declare", actor=gareth, text="戸棚を動かす", suit="S")
    table.answer("雪村", "test.suit", suit="S")
    table.answer("雪村", "test.difficulty", cards=1)
    table.answer("なぎさ", "test.propose", actor=gareth, cls="related", why="力仕事に近い")
    table.answer("雪村", "test.class", actor=gareth, cls="related")
    table.answer("なぎさ", "play.flip", actor=gareth)
    if (open_one := table.state("雪村")["op"]) is not None and open_one["phase"] == "ace":
        table.answer("なぎさ", "play.ace", actor=gareth, ace="twentyone")
    table.do("灯", "test.declare", actor=mylene, text="この封蝋は本物か", suit="C")
    table.answer("雪村", "test.suit", suit="C")
    table.answer("雪村", "test.difficulty", cards=2)
