"""The four PCs of 「大川端捕物控」 as flat fields, each with the versions it went through."""

from __future__ import annotations

from rulesets.engine.problems import Value

Fields = dict[str, Value]


def _skills(**levels: int) -> Fields:
    return {f"skills.{skill}.level": level for skill, level in levels.items()}


# 主役, 350 points.
SHINPACHIRO: Fields = {
    "role": "lead",
    "abilities.mind": 6,
    "abilities.gi": 8,
    "abilities.body": 7,
    **_skills(kenjutsu=5, taisabaki=3, chikaku=2, bukeshakai=2, yomikaki=3, benzetsu=3, sanjutsu=1, bajutsu=1),
    "style_skill": "kenjutsu",
    "schools.hayashizaki": True,
    "endurance_bought": 7,
    "names.family": "桐生",
    "names.given": "新八郎",
    "status": "ronin",
    "occupation": "kenkaku",
    "possessions.1.id": "daito",
    "possessions.2.id": "wakizashi",
    "possessions.3.text": "破れ傘",
}
SHINPACHIRO_VERSIONS: tuple[tuple[str, Fields], ...] = (
    ("はじめの版", {"abilities.gi": 7, "skills.taisabaki.level": 2, "endurance_bought": 5, "possessions.3.text": None}),
    ("体さばきを足す", {"abilities.gi": 7, "endurance_bought": 5, "possessions.3.text": None}),
    ("技を8に", {"endurance_bought": 5, "possessions.3.text": None}),
    ("耐久点と傘", {}),
)

# 準主役; the draft as it stands is 4 points too many and has three more things to repair.
UMEKICHI: Fields = {
    "role": "co_lead",
    "abilities.mind": 7,
    "abilities.gi": 8,
    "abilities.body": 5,
    **_skills(shurikenjutsu=4, taisabaki=4, onmitsu=3, undo=2, chikaku=3, gisho=2, yomikaki=3, edomachi=3, benzetsu=2),
    "skills.geino~1.level": 4,
    "skills.geino~1.speciality": "三味線",
    "skills.geino~1.base": "gi",
    "style_skill": "shurikenjutsu",
    "perks.attack_easier": True,
    "endurance_bought": 4,
    "names.given": "お梅",
    "names.stage": "梅吉",
    "status": "townsman",
    "occupation": "geisha",
    "possessions.1.id": "bo_shuriken",
}
UMEKICHI_VERSIONS: tuple[tuple[str, Fields], ...] = (
    ("はじめの版", {"skills.taisabaki.level": 3, "skills.benzetsu.level": None, "endurance_bought": 2}),
    ("弁舌を足す", {"skills.taisabaki.level": 3, "endurance_bought": 3}),
    ("体さばき4", {}),
)
UMEKICHI_REWRITE: Fields = {
    "skills.shurikenjutsu.level": 3,
    "skills.taisabaki.level": 5,
    "skills.geino~1.speciality": None,
    "skills.geino~1.base": None,
    "endurance_bought": 5,
    "possessions.1.text": "棒手裏剣 六本",
}

# 準主役, 249 points.
SAKICHI: Fields = {
    "role": "co_lead",
    "abilities.mind": 6,
    "abilities.gi": 7,
    "abilities.body": 6,
    **_skills(bojutsu=4, taisabaki=3, onmitsu=3, undo=3, chikaku=4, soko=3),
    **_skills(yomikaki=2, edomachi=4, urashakai=2, tobaku=1),
    "endurance_bought": 3,
    "names.given": "佐吉",
    "status": "townsman",
    "occupation": "meakashi",
    "possessions.1.id": "jitte",
    "possessions.2.text": "捕り縄",
}
SAKICHI_VERSIONS: tuple[tuple[str, Fields], ...] = (
    ("はじめの版", {"skills.soko.level": 2, "skills.tobaku.level": None}),
    ("走行を足す", {}),
)

# 脇役, 199 points.
GENAN: Fields = {
    "role": "support",
    "abilities.mind": 8,
    "abilities.gi": 6,
    "abilities.body": 5,
    **_skills(kenjutsu=1, taisabaki=2, chikaku=3, yomikaki=4, ijutsu=5, rangaku=3, edomachi=2, benzetsu=2),
    "skills.yomikaki~1.level": 3,
    "skills.yomikaki~1.speciality": "蘭語",
    "endurance_bought": 3,
    "names.given": "玄庵",
    "status": "townsman",
    "occupation": "isha",
    "possessions.1.text": "薬箱",
    "possessions.2.id": "tanto",
}
GENAN_VERSIONS: tuple[tuple[str, Fields], ...] = (("はじめの版", {}),)
