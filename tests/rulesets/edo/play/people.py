"""A table with something of everything: schools, guns, bows, horses, grapplers, doctors, mobs, and people in hiding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.play import GM, Actor, Viewer, seat_token

CANARIES = {"c4": "鳴禽", "c6": "夜鷹"}  # stand in the names of those who are in hiding
CANARY = "白鷺"  # stands in every text that players may never see
GMS = Actor("1", "gm")
PLAYERS = {"2": Actor("2", "player"), "3": Actor("3", "player")}
SPECTATOR = Actor("4", "spectator")
SEATS = [
    {"seat": "1", "role": "gm", "name": "GM"},
    {"seat": "2", "role": "player", "name": "夏"},
    {"seat": "3", "role": "player", "name": "冬"},
    {"seat": "4", "role": "spectator", "name": "客"},
]
VIEWERS = {
    "gm": Viewer(frozenset({"all", *GM, seat_token("1")}), "gm", "1"),
    "夏": Viewer(frozenset({"all", seat_token("2")}), "player", "2"),
    "冬": Viewer(frozenset({"all", seat_token("3")}), "player", "3"),
    "spectator": Viewer(frozenset({"all"}), "spectator"),
}
# house rules that change how play runs, each a table of its own
HOUSE_RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {"track_money": True, "serious_wound_rule": True},
    {"first_strike_scope": "combat", "tie_opposed": "reroll", "turn_order_details": "reroll_each_round"},
    {"tie_counter": "both", "crit_chain": True, "fist_on_blade": "half_with_crit", "mook_morale": True},
    {"npc_may_turn_failure": True, "keep_point_from_discarded_roll": False, "conditions_in_opposed": "ignore"},
    {"illness": "gm", "bad_first_aid_duration": "one_day", "healers": "best", "sheathing": "free"},
)


def build(role: str, abilities: str, skills: str, items: str = "", **more: Any) -> dict[str, Any]:
    """A build written short: `6 8 7` for mind, gi, body; `kenjutsu 5, taisabaki 3`; `daito wakizashi`."""
    mind, gi, body = map(int, abilities.split())
    levels = [skill.split() for skill in skills.split(",")]
    return {
        "role": role,
        "abilities": {"mind": mind, "gi": gi, "body": body},
        "skills": [{"id": skill, "level": int(level)} for skill, level in levels],
        "possessions": [{"id": item} for item in items.split()],
        "names": {"given": "名"},
        **more,
    }


SWORDSMAN = build(
    "lead",
    "6 8 7",
    "kenjutsu 5, taisabaki 3, jujutsu 2, bajutsu 1, yomikaki 2",
    "daito wakizashi kusari",
    school="niten",
    style_skill="kenjutsu",
    endurance_bought=3,
)
DOCTOR = build(
    "co_lead",
    "7 6 5",
    "ijutsu 4, shurikenjutsu 4, kenpo 3, benzetsu 4, gisho 3",
    "bo_shuriken teppo hankyu",
    perks=["iai", "weapon_break"],
    style_skill="shurikenjutsu",
)
WRESTLER = build(
    "support", "4 5 6", "jujutsu 5, kenjutsu 4, soko 4", "daito gusoku", school="ono_itto", style_skill="kenjutsu"
)
ASSASSIN = build(
    "lead",
    "5 7 7",
    "kenjutsu 5",
    "daito tanto",
    school="jigen",
    style_skill="kenjutsu",
    perks=["opp_defence_harder"],
)
MOOK = build("mook", "4 4 4", "kenjutsu 1, jujutsu 1", "daito")
SPY = build("co_lead", "5 6 5", "onmitsu 4", "kunai")
# The doctor comes wounded and nursed, with a gun and a bow to be loaded and a horse to ride.
CARRIED = {
    "wounds": 2,
    "care": {"first_aid": "ok", "due": True, "nurse_level": 3},
    "arms": {"1": {}, "2": {"ready": True}, "3": {"ready": True}},
    "mounted": True,
    "money_mon": 300,
    "needs": {"hours_awake": 21},
}


def _pc(actor: str, name: str, seat: str, made: dict[str, Any], **play: Any) -> dict[str, Any]:
    entry = {"id": actor, "kind": "pc", "name": name, "seat": seat, "count": 1, "hidden": False}
    return {**entry, "build": made, "play": play}


def _npc(actor: str, name: str, made: dict[str, Any], **more: Any) -> dict[str, Any]:
    entry = {"id": actor, "kind": "npc", "name": name, "seat": "", "count": 1, "hidden": False, "play": {}}
    return {**entry, "build": made, **more}


CAST = (
    _pc("c1", "桐生", "2", SWORDSMAN),
    _pc("c2", "お七", "3", DOCTOR, **CARRIED),
    _npc("c3", "権三", WRESTLER, on_stage=True),
    _npc("c4", f"刺客{CANARIES['c4']}", ASSASSIN, hidden=True, on_stage=True),
    _npc("c5", "手先", MOOK, count=3, on_stage=True),
    _npc("c6", f"影{CANARIES['c6']}", SPY, hidden=True),
)


# A newer sheet of the swordsman with a weaker body: whoever was hurt before must still live with it.
WEAKER = _pc("c1", "桐生", "2", build("co_lead", "6 8 4", "kenjutsu 5, taisabaki 3", "daito wakizashi kusari"))


def setup(house_rules: Mapping[str, Any]) -> dict[str, Any]:
    return {"house_rules": dict(house_rules), "seats": SEATS, "cast": [dict(entry) for entry in CAST]}
