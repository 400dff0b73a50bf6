"""「月長石の森」: three who have drafted their abilities, on the first day of their story."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import User
from characters.actions import builds, campaigns, drafts, members, notes, review
from characters.demo.desk import Desk
from characters.models import Campaign, Character, Visibility
from rulesets.engine.problems import Value

NAME = "月長石の森"
COMMAND = "demo:alice:1"  # the press that made the campaign: the same again finds it
STORY = "森のはずれの村。月長石が光る夜ごとに、だれも出していない手紙が届く。"
PLAYERS = ("灯", "なぎさ", "千秋")
SHEETS: Mapping[str, Mapping[str, Value]] = {
    "灯": {
        "name": "ミレーヌ",
        "occupation": "書士",
        "age": 19,
        "sex": "女",
        "belongings": "筆記具、拡大鏡、旅費",
        "background": "都の写字室から、叔母の家に移ってきた。",
    },
    "なぎさ": {"name": "ガレス", "occupation": "戦士", "age": 27, "sex": "男", "belongings": "剣、革の胴着"},
    "千秋": {
        "name": "ロザ",
        "occupation": "吟遊詩人",
        "age": 24,
        "sex": "女",
        "current_job": "宿屋の手伝い",
        "job_visibility": "gm",
        "belongings": "竪琴、派手な外套",
    },
}


def existing(gm: User) -> Campaign | None:
    """The demo campaign, if it is there."""
    return Campaign.objects.filter(made_by=gm, made_command=COMMAND).first()


def build(people: Mapping[str, User]) -> Campaign:
    """Make the campaign and seat its people. The cards come from the draft (`sessions.demo.alice`)."""
    gm = people["雪村"]
    campaign = campaigns.create_campaign(
        user=gm, system="alice", name=NAME, gm_name="雪村", description=STORY, command_id=COMMAND
    )
    desk = Desk(campaign, people)
    _invitation, token = members.create_invitation(access=desk["雪村"], uses=6, days=30)
    for name in PLAYERS:
        members.join_campaign(user=people[name], token=token, name=name)
    return campaign


def finish(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Give everybody who drafted a name and a trade, and let the GM agree; two whom they will meet."""
    desk = Desk(campaign, people)
    for name, fields in SHEETS.items():
        character = Character.objects.get(campaign=campaign, owner=desk[name].seat, kind="pc", deleted_at=None)
        desk.edit(name, character, fields)
        builds.save_build(access=desk.at(name, character))
        review.confirm_field(access=desk.at("雪村", character), field="occupation")
        builds.ask_review(access=desk.at(name, character))
        builds.clear_character(access=desk.at("雪村", character))
    drafts.create_character(access=desk["雪村"], kind="npc", preset="wolf", count=2)
    elder = drafts.create_character(access=desk["雪村"], kind="npc", preset="elder")
    notes.save_note(
        access=desk.at("雪村", elder),
        title="手紙のこと",
        text="手紙を書いているのはこの老人。自分では覚えていない。",
        visibility=Visibility.OWNER,
    )
