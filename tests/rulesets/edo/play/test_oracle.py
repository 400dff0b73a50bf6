"""One attack and one defence, played through the engine and worked out once more by hand (`oracle.py`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.edo.play.state import State
from rulesets.engine.dice import DiceSource, ScriptedDice
from rulesets.engine.play import Actor, Command, Event, Refused, replay
from tests.rulesets.edo.play.oracle import CONTAINED, MELEE, RANGED, SWORDS, Fight, Fighter

PLAY = services.play("edo")
GM = Actor("1", "gm")
AT = "2026-05-09T12:03:44Z"
FACE = st.sampled_from((6, 3, 5, 4, 2, 1, 6, 3, 5))  # criticals and hits more often than by chance
LEVEL = st.sampled_from((5, 4, 6, 0, 1, 3, 5, 4))
PERKS = (
    *("own_parry_harder", "iai", "first_strike_x2", "first_strike_x3", "crit_on_three", "attack_easier"),
    *("parry_easier", "opp_defence_harder", "damage_through_parry", "weapon_break"),
)
WOUNDS = 40  # endurance beyond any blow, so that nobody dies of it


@st.composite
def fighters(draw: st.DrawFn, weapons: tuple[str, ...]) -> Fighter:
    weapon = draw(st.sampled_from(weapons))
    skills = {skill: draw(LEVEL) for skill in (MELEE | RANGED)[weapon][0]}
    skills |= {"taisabaki": draw(LEVEL), "bajutsu": draw(LEVEL)}
    able = [skill for skill, level in skills.items() if level >= 4 and skill not in ("taisabaki", "bajutsu", "ningu")]
    styled = bool(able) and draw(st.integers(0, 4)) > 0
    school = draw(st.sampled_from(tuple(CONTAINED))) if styled else ""
    perks = draw(st.frozensets(st.sampled_from(PERKS), max_size=3)) - CONTAINED[school] if styled else frozenset()
    if "first_strike_x3" in perks or school == "jigen":
        perks -= {"first_strike_x2"}
    draws = weapon in SWORDS and ("iai" in perks or school == "hayashizaki")
    return Fighter(
        gi=draw(st.integers(4, 10)),
        body=draw(st.integers(4, 10)),
        skills=skills,
        weapon=weapon,
        school=school,
        perks=perks,
        style_skill=draw(st.sampled_from(able)) if styled else "",
        armour=draw(st.sampled_from(("", "kusari", "gusoku"))),
        mounted=draw(st.booleans()),
        sheathed=draws and draw(st.booleans()),
        posture=draw(st.sampled_from(("standing", "crouching", "prone"))),
        conditions=draw(st.sampled_from((0, 0, 1, 2))),
    )


def entry(actor: str, one: Fighter) -> dict[str, Any]:
    bare = one.weapon in ("punch", "kick")
    needs = {"fatigued": one.conditions > 0, "short_sleep": one.conditions > 1}
    arms = {} if bare else {"1": {"ready": not one.sheathed, "progress": 10}}
    return {
        "id": actor,
        "kind": "npc",
        "name": actor,
        "on_stage": True,
        "fields": {
            "role": "co_lead",
            "abilities.mind": 5,
            "abilities.gi": one.gi,
            "abilities.body": one.body,
            "endurance_bought": WOUNDS,
            **{f"skills.{skill}.level": level for skill, level in one.skills.items() if level},
            **({"style_skill": one.style_skill} if one.style_skill else {}),
            **({f"schools.{one.school}": True} if one.school else {}),
            **{f"perks.{perk}": True for perk in one.perks},
            **({} if bare else {"possessions.1.id": one.weapon}),
        },
        "play": {"armour": one.armour, "mounted": one.mounted, "arms": arms, "needs": needs},
    }


class Table:
    """Two fighters of the GM's and their fight; commands are decided with given dice."""

    def __init__(self, a: Fighter, b: Fighter) -> None:
        self.state: State = PLAY.start({"cast": [entry("A", a), entry("B", b)]})
        for actor, one in (("A", a), ("B", b)):
            if one.posture != "standing":
                self.do(Command("actor.set", self.by_hand(actor, one.posture), AT), ScriptedDice([]))
        self.do(Command("fight.start", {}, AT), Ties())
        self.do(Command("turn.to", {"actor": "A"}, AT), ScriptedDice([]))

    @staticmethod
    def by_hand(actor: str, posture: str) -> dict[str, Any]:
        return {"actor": actor, "key": "posture", "word": posture, "reason": "故あって"}

    def do(self, command: Command, dice: DiceSource) -> list[Event]:
        decided = PLAY.decide(self.state, command, GM, dice)
        assert not isinstance(decided, Refused), f"{command}: {decided.code} {decided.message.en}"
        self.state = replay(PLAY, self.state, decided)
        return list(decided)

    def answer(self, word: str, arm: str, dice: DiceSource) -> list[Event]:
        return self.do(Command("answer", {"answer": word, "arm": arm}, AT, self.state.step), dice)

    @property
    def asked(self) -> str:
        return self.state.exchange.about if self.state.exchange is not None else ""


class Ties:
    def __init__(self) -> None:
        self.next = 6

    def roll(self, sides: int) -> int:
        self.next -= 1
        return self.next + 1

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


def arm_of(one: Fighter) -> str:
    return one.weapon if one.weapon in ("punch", "kick") else "1"


def compare(fight: Fight) -> None:
    """Play it and compare every roll, the wounds, and that the engine threw exactly the same dice."""
    table = Table(fight.a, fight.b)
    data: dict[str, Any] = {"actor": "A", "target": "B", "arm": arm_of(fight.a), "distance": fight.distance}
    data |= {"mode": "minejuchi"} if fight.minejuchi else {}
    data |= {"target_moving": True} if fight.moving else {}
    if fight.b.sheathed and "iai" not in fight.b.perks and fight.defence == "parry":
        fight.defence = "none"  # 林崎 draws to strike, not to parry (C28)
    fight.resolve()
    dice = ScriptedDice(fight.dice[: fight.used])
    events = table.do(Command("attack", data, AT), dice)
    if table.asked == "counter":
        events += table.answer("none", "", dice)
    if table.asked == "defence":
        arm = arm_of(fight.b) if fight.defence == "parry" else ""
        events += table.answer(fight.defence, arm, dice)
    assert table.state.exchange is None
    dice.finish()
    rolls = {roll["kind"]: (roll["total"], roll["target"]) for roll in outcomes(events, "rolled")}
    names = {"to_hit": "hit", "riding": "riding", "parry": "parry", "dodge": "dodge"}
    assert {names[kind]: told for kind, told in rolls.items()} == fight.totals
    a, b = table.state.actors["A"], table.state.actors["B"]
    assert (a.wounds, b.wounds) == (fight.hurt_a, fight.hurt_b)
    assert b.arms.get("1") is None or b.arms["1"].broken == fight.broken
    assert a.first_strike_used
    event(f"hit {fight.hit}, {fight.defence} {fight.stopped}, hurt {bool(fight.hurt_b)}")


def outcomes(events: list[Event], kind: str) -> list[Any]:
    return [event.data["outcome"] for event in events if event.kind == kind]


SETTINGS = settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
DICE = st.lists(FACE, min_size=16, max_size=16)
PARRYING = ("daito", "wakizashi", "jitte", "teyari", "rokushakubo")


@SETTINGS
@given(fighters(tuple(MELEE)), fighters(PARRYING), DICE, st.booleans(), st.sampled_from(("none", "parry", "dodge")))
def test_a_blow(a: Fighter, b: Fighter, dice: list[int], minejuchi: bool, defence: str) -> None:
    minejuchi = minejuchi and a.weapon not in ("punch", "kick")
    compare(Fight(a, b, dice, 0, minejuchi, defence))


@SETTINGS
@given(
    fighters(tuple(RANGED)),
    fighters(PARRYING),
    DICE,
    st.integers(0, 60),
    st.booleans(),
    st.sampled_from(("none", "parry", "dodge")),
)
def test_a_shot(a: Fighter, b: Fighter, dice: list[int], distance: int, moving: bool, defence: str) -> None:
    distance = min(distance, 2 * RANGED[a.weapon][2])
    compare(Fight(a, b, dice, distance, False, defence, moving=moving))


STYLES = (
    ("jigen", frozenset[str]()),
    ("jigen", frozenset({"weapon_break"})),
    ("", frozenset({"damage_through_parry", "first_strike_x2", "crit_on_three"})),
    ("kashima", frozenset({"weapon_break", "damage_through_parry"})),
    ("", frozenset({"weapon_break", "opp_defence_harder"})),
)


@SETTINGS
@given(fighters(("daito", "wakizashi")), fighters(PARRYING), DICE, st.sampled_from(STYLES), st.booleans())
def test_a_parried_blow(a: Fighter, b: Fighter, dice: list[int], style: Any, minejuchi: bool) -> None:
    """Styles that reach through a parry, against somebody who parries well."""
    school, perks = style
    a = replace(
        a, skills={**a.skills, "kenjutsu": 4}, style_skill="kenjutsu", school=school, perks=perks, sheathed=False
    )
    skill = b.skill_of(b.weapon)
    b = replace(b, gi=10, skills={**b.skills, skill: 6, "taisabaki": 0}, style_skill="", school="", perks=frozenset())
    compare(Fight(a, replace(b, sheathed=False), dice, 0, minejuchi, "parry"))


@SETTINGS
@given(
    fighters(("daito", "wakizashi")),
    fighters(("daito", "wakizashi")),
    DICE,
    st.sampled_from(("hayashizaki", "jigen", "yagyu", "kashima")),
    st.sampled_from(("yagyu", "jigen", "hayashizaki", "kashima")),
    st.sampled_from(("parry", "dodge")),
)
def test_school_against_school(a: Fighter, b: Fighter, dice: list[int], one: str, other: str, defence: str) -> None:
    """Every school's attack, drawn from the scabbard where it can be, against every school's defence."""
    skills = {"kenjutsu": 5, "bajutsu": 6, "taisabaki": 0}
    a = replace(a, gi=10, skills=skills, style_skill="kenjutsu", school=one, perks=frozenset(), posture="standing")
    b = replace(b, skills={**b.skills, "kenjutsu": 5}, style_skill="kenjutsu", school=other, perks=frozenset())
    compare(Fight(replace(a, sheathed=one == "hayashizaki"), replace(b, sheathed=False), dice, defence=defence))
