"""「大川端捕物控」: a party of four on the way to its third evening."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from characters.actions import builds, campaigns, drafts, members, notes, pool, review
from characters.actions import characters as whole
from characters.demo import edo_builds as sheets
from characters.demo.desk import Desk
from characters.demo.people import GUEST
from characters.models import Campaign, Character, Visibility
from rulesets.engine.problems import Value

NAME = "大川端捕物控"
COMMAND = "demo:edo:1"  # the press that made the campaign: the same again finds it
STORY = "天保の江戸、大川端。橋の番小屋に集まる4人が、町の揉めごとを引き受ける。"


def existing(gm: User) -> Campaign | None:
    """The demo campaign, if it is there."""
    return Campaign.objects.filter(made_by=gm, made_command=COMMAND).first()


@transaction.atomic
def build(people: Mapping[str, User]) -> Campaign:
    """Make the whole campaign; all of it or nothing."""
    gm = people["雪村"]
    campaign = campaigns.create_campaign(
        user=gm, system="edo", name=NAME, gm_name="雪村", description=STORY, command_id=COMMAND
    )
    desk = Desk(campaign, people)
    _seat(desk)
    _share_points(desk)
    _shinpachiro(desk)
    umekichi = _umekichi(desk)
    _sakichi(desk)
    _genan(desk)
    campaigns.set_house_rules(access=desk["雪村"], overrides={"first_strike_scope": "combat"})
    _npcs(desk)
    _rewrite(desk, umekichi)
    return campaign


def _seat(desk: Desk) -> None:
    _invitation, token = members.create_invitation(access=desk["雪村"], uses=6, days=30)
    for name in ("なぎさ", "千秋", "灯", GUEST):
        members.join_campaign(user=desk.people[name], token=token, name=name)
    members.create_invitation(access=desk["雪村"], role="spectator", uses=5, days=30)


def _share_points(desk: Desk) -> None:
    wishes = (
        ("なぎさ", 350, "主役をやりたい"),
        ("千秋", 300, "手裏剣と三味線"),
        ("灯", 250, ""),
        (GUEST, 200, "脇役で"),
    )
    for name, points, note in wishes:
        pool.set_wish(access=desk[name], points=points, note=note)
        pool.allocate(access=desk["雪村"], seat=desk[name].seat, points=points)
    for name, _points, _note in wishes:
        pool.set_agreed(access=desk[name], agreed=True)


def _versions(
    desk: Desk, name: str, final: Mapping[str, Value], versions: tuple[tuple[str, sheets.Fields], ...]
) -> Character:
    """A character saved once per version and cleared by the GM after the last."""
    character = None
    for note, before in versions:
        fields = {key: value for key, value in {**final, **before}.items() if value is not None}
        if character is None:
            character = drafts.create_character(access=desk[name], fields=fields)
        else:
            drafts.replace_draft(access=desk.at(name, character), fields=fields)
        builds.save_build(access=desk.at(name, character), note=note)
    if character is None:
        raise ValueError("a character needs a version")
    _confirm_things(desk, character)
    builds.ask_review(access=desk.at(name, character))
    builds.clear_character(access=desk.at("雪村", character))
    return character


def _confirm_things(desk: Desk, character: Character) -> None:
    access = desk.at("雪村", character)
    for key in access.character.draft.fields:
        if key.startswith("possessions.") or key.endswith(".base"):
            review.confirm_field(access=access, field=key)


def _shinpachiro(desk: Desk) -> None:
    character = _versions(desk, "なぎさ", sheets.SHINPACHIRO, sheets.SHINPACHIRO_VERSIONS)
    mine = desk.at("なぎさ", character)
    notes.save_note(
        access=mine,
        title="見た目",
        text="色あせた黒羽織に破れ傘。上背があり、歩くと音がしない。",
        visibility=Visibility.LISTED,
    )
    notes.save_note(
        access=mine,
        title="番小屋にいるわけ",
        text="橋番の甚兵衛に三両の借りがある。返すまで用心棒がわり。",
        visibility=Visibility.GROUP,
    )
    notes.save_note(
        access=mine,
        title="捨てた名",
        text="もとは西国の藩の剣術指南。上意討ちを果たせず国を出た。",
        visibility=Visibility.GM,
    )
    notes.save_note(
        access=desk.at("雪村", character),
        title="GMの控え",
        text="討ち漏らした相手が第三話の黒幕。本人にはまだ言わない。",
        visibility=Visibility.GM,
    )
    whole.make_share_link(access=mine)


def _umekichi(desk: Desk) -> Character:
    character = _versions(desk, "千秋", sheets.UMEKICHI, sheets.UMEKICHI_VERSIONS)
    mine = desk.at("千秋", character)
    notes.save_note(
        access=mine,
        title="お座敷での顔",
        text="深川の辰巳芸者。三味線は小気味よく、口は悪い。",
        visibility=Visibility.GROUP,
    )
    notes.save_note(access=mine, title="覚え", text="次の話までに手裏剣の替えを頼むこと。", visibility=Visibility.OWNER)
    return character


def _sakichi(desk: Desk) -> None:
    character = _versions(desk, "灯", sheets.SAKICHI, sheets.SAKICHI_VERSIONS)
    notes.save_note(
        access=desk.at("灯", character),
        title="縄張り",
        text="両国橋の西詰めから柳橋まで。",
        visibility=Visibility.GROUP,
    )


def _genan(desk: Desk) -> None:
    character = _versions(desk, GUEST, sheets.GENAN, sheets.GENAN_VERSIONS)
    notes.save_note(
        access=desk.at(GUEST, character),
        title="長崎のこと",
        text="蘭方を学んだのは本当。免状は持っていない。",
        visibility=Visibility.GM,
    )


def _npcs(desk: Desk) -> None:
    def npc(preset: str, count: int = 1, **names: Value) -> Character:
        character = drafts.create_character(access=desk["雪村"], kind="npc", preset=preset, count=count)
        if names:
            changes = {f"names.{part}": value for part, value in names.items()}
            desk.edit("雪村", character, changes)
            builds.save_build(access=desk.at("雪村", character), note="名前を付ける")
        return character

    npc("N03", 6)
    npc("N10", family="有村", given="左内")
    merchant = npc("N16", given="近江屋 藤兵衛")
    yoriki = npc("N08", family="大道寺", given="主馬")
    whole.set_visibility(access=desk.at("雪村", yoriki), visibility=Visibility.GROUP)
    notes.save_note(
        access=desk.at("雪村", merchant),
        title="正体",
        text="抜け荷の元締め。有村を雇ったのはこの男。",
        visibility=Visibility.OWNER,
    )


def _rewrite(desk: Desk, umekichi: Character) -> None:
    """梅吉 is being rewritten, the GM has said a word about it, and 海斗 offers the point he does not need."""
    desk.edit("千秋", umekichi, sheets.UMEKICHI_REWRITE)
    review.add_remark(
        access=desk.at("雪村", umekichi),
        field="skills.geino~1.base",
        text="三味線なら技、義太夫なら心で。決まったら確認します。",
    )
    pool.make_offer(
        access=desk[GUEST], receiver=desk["千秋"].seat, points=1, note="玄庵は1点余っている。割り当てを1点譲るよ"
    )
