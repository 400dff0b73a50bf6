"""Words of the chat rolls: what may stand in brackets, why a number is there, why a line is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.commands.results import Result
from rulesets.engine.odds import Odds
from rulesets.engine.outcome import Reason
from rulesets.engine.text import Text

Role = Literal["lead", "co_lead", "support", "npc"]
SIDES = 6

ROLES: dict[str, Role] = {"主役": "lead", "準主役": "co_lead", "脇役": "support", "NPC": "npc"}
MINEJUCHI = "峰打ち"
_TYPED_MARKS = {
    "主役": ("L", "主"),
    "準主役": ("C", "準"),
    "脇役": ("S", "脇"),
    "NPC": ("N", "敵", "雑魚"),
    MINEJUCHI: ("M", "峰"),
    "X": ("X", "致命なし"),
}
# Letters are tokens anyway; what they mean is looked up in `edo_mark`.
MARKS = {typed: mark for mark, others in _TYPED_MARKS.items() for typed in (mark, *others)}
WORDS = {typed: ("MARK", typed) for typed in MARKS if len(typed) > 1 or not typed.isascii()}
WORDS |= {"EDO": ("E", "EDO"), "VS": ("VS", " vs "), "対": ("VS", " vs ")}

REASONS = {
    "skill": Reason(
        Text(
            "技能（または能力値）ロール：3個を振り、大きい2個を使う",
            "Skill or ability roll: the two highest of three dice",
        ),
        "§5.2",
    ),
    "unlearned": Reason(
        Text("技能がないとき：2個と基本能力値", "Skill not learned: two dice and the base ability"), "§5.2"
    ),
    "value": Reason(Text("実効値・能力値", "Effective value or ability"), "§5.2"),
    "difficulty": Reason(Text("難易度", "Difficulty"), "§5.3"),
    "opposed": Reason(Text("対抗ロール", "Opposed roll"), "§5.5"),
    "kp": Reason(
        Text("振った目に同じ6が2つ（主役は5が2つでも）", "Two sixes among all dice (a lead: two fives as well)"), "§6.2"
    ),
    "damage": Reason(Text("打撃力", "Weapon damage"), "§7.9"),
    "critical": Reason(Text("致命的命中：もう1個加える", "Critical hit: one more die"), "§7.9"),
    "modifier": Reason(Text("修正", "Modifier"), "§7.9"),
    "armour": Reason(Text("防御点", "Armour"), "§7.9"),
    "void": Reason(Text("6の致命的命中には防御点が効かない", "Armour does not count against a critical of 6"), "§7.9"),
    "minejuchi": Reason(Text("峰打ち：半分、致命なし", "Back of the blade: half, no critical"), "§7.9"),
}

_REFUSALS = {
    "edo_dice": Text(
        "ダイスは3個（技能ロール）か2個（技能がないとき）です（{had}個）。",
        "Three dice for a skill roll, two without the skill, not {had}.",
    ),
    "edo_comparison": Text("難易度は >= で書きます（E12>=15）。", "The difficulty is written with >= (E12>=15)."),
    "edo_opposed": Text(
        "対抗ロールは、両方に難易度を書くか、どちらにも書かないかです。",
        "In an opposed roll both sides have a difficulty or neither has.",
    ),
    "edo_damage": Text(
        "ダメージは E1D6+2 のように、1D6と修正だけで書きます。", "Damage is 1D6 and modifiers only, as in E1D6+2."
    ),
    "edo_mark": Text("「[{mark}]」はここでは使えません（{known}）。", "“[{mark}]” has no meaning here ({known})."),
    "edo_armour": Text(
        "防御点（:）はダメージ（E1D6+2:4）にだけ書きます。", "Armour (:) belongs to damage only (E1D6+2:4)."
    ),
}
ROLE_MARKS = Text("主役 L・準主役 C・脇役 S・NPC N", "lead L, co-lead C, support S, NPC N")
DAMAGE_MARKS = Text("3も致命 3・致命なし X・峰打ち M", "3 critical too: 3, no critical: X, back of the blade: M")


def refused(code: str, **params: object) -> RollRefused:
    return RollRefused(code, _REFUSALS[code].format(**params), **params)


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Something that can be read but makes no sense; refused with its own sentence."""

    code: str

    @property
    def kind(self) -> str:
        return "refused"

    def check(self) -> int:
        raise refused(self.code)

    def roll(self, faces: Faces) -> Result:
        raise refused(self.code)

    def chances(self) -> Odds:
        raise refused(self.code)
