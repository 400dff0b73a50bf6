"""Words of the chat rolls: why a die is there, why a line is refused, what is said of a result."""

from __future__ import annotations

from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.outcome import Reason
from rulesets.engine.text import Text

WORDS = {
    "UH": ("UH", "UH"),
    "NJ": ("NJ", "NJ"),
    "EV": ("EV", "EV"),
    "AT": ("ATK", "AT"),
    "EL": ("EL", "EL"),
    "SB": ("SB", "SB"),
    "WS": ("WS", "WS"),
    "WSE": ("WSE", "WSE"),
    "NRS": ("NRS", "NRS"),
    "NRS_": ("NRSU", "NRS_"),
    ",": ("COMMA", ","),
}
SATSUBATSU = Text("サツバツ！", "Satsubatsu!")
NAMU = Text("ナムアミダブツ！", "Namuamidabutsu!")
CRITICAL = Text("クリティカル！", "Critical!")
EXTRA = Text("追加判定", "Extra")
EXTRA_MET = Text("追加判定成功！", "Extra met!")
COUNTER = Text("カウンターカラテ!!", "Counter karate!!")
EVADED = Text("回避", "evaded")
HIT = Text("命中", "hit")

REASONS = {
    "pool": Reason(Text("判定のダイス", "Dice of the test"), "§4.2"),
    "evade": Reason(Text("回避ダイス", "Evade dice"), "§6.4"),
    "wasshoi": Reason(Text("Wasshoi!判定：2D6がDKK以下なら現れる", "Wasshoi!: he appears if 2D6 ≤ DKK"), "§4.11"),
    "shift": Reason(Text("難易度の修正", "Shift of the difficulty"), "§4.1"),
    "satsubatsu": Reason(Text("サツバツ表", "Satsubatsu table"), "§6.7"),
    "entry": Reason(Text("死神のエントリー", "The reaper's entry"), "§7.3"),
    "nrs": Reason(Text("ニンジャリアリティショック", "Ninja Reality Shock"), "§4.12"),
}

_REFUSALS = {
    "ninja_row": Text("表の行は1〜{most}です（{had}）。", "Rows of this table are 1 to {most}, not {had}."),
    "ninja_wasshoi": Text("DKKは1〜12で書きます（{had}）。", "DKK is written as 1 to 12, not {had}."),
    "ninja_difficulty": Text(
        "難易度は2〜6かK E N H UHです（{had}）。", "Difficulties are 2 to 6 or K E N H UH, not {had}."
    ),
    "ninja_nrs": Text("NRSの難易度はE N H U UHです。", "NRS knows the difficulties E N H U UH."),
    "ninja_face": Text("ダイスの目は1〜6です（{had}）。", "Faces are 1 to 6, not {had}."),
    "ninja_plus": Text("2つ以上の目を求めるときは [{form}+] と書きます。", "To ask for several faces write [{form}+]."),
    "ninja_ultra": Text("U-HARDの段は2〜99です（{had}）。", "Steps of U-HARD are 2 to 99, not {had}."),
    "ninja_sets": Text("回避（/）は1組のダイスだけです。", "Evasion (/) takes one set of dice."),
}


def refused(code: str, **params: object) -> RollRefused:
    return RollRefused(code, _REFUSALS[code].format(**params), **params)


def successes(count: int) -> Text:
    """`成功数:3`, as the dice bot of the second edition writes it."""
    return Text(f"成功数:{count}", f"successes: {count}")


def joined(parts: list[Text | str], by: str) -> Text:
    ja = by.join(part if isinstance(part, str) else part.ja for part in parts)
    return Text(ja, by.join(part if isinstance(part, str) else part.en for part in parts))
