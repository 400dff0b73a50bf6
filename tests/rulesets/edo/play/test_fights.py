"""Whole fights played at random: every answer that is offered works, every closed one is refused as it says."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from rulesets import services
from rulesets.engine.play import Actor, Command, Event, Refused, Viewer, replay

PLAY = services.play("edo")
GM, PLAYER = Actor("9", "gm"), Actor("1", "player")
GM_EYES = Viewer(frozenset({"all", "gm", "seat:9"}), "gm", "9")
EYES = (GM_EYES, Viewer(frozenset({"all", "seat:1"}), "player", "1"), Viewer(frozenset({"all"}), "spectator"))
STYLES = ("kashima", "jigen", "ono_itto", "yagyu", "hayashizaki", "niten")
PERKS = ("iai", "damage_through_parry", "weapon_break", "opp_defence_harder")
RULES: tuple[dict[str, Any], ...] = (
    {},
    {"tie_counter": "both", "mook_morale": True, "serious_wound_rule": True, "crit_chain": True},
    {"first_strike_scope": "combat", "npc_may_turn_failure": True, "dodge_vs_guns": True},
    {"opp_bonus_stacking": "add_up", "style_scope": "all_skills", "unarmed_parry_vs_weapon": True, "sheathing": "free"},
)


class Faces:
    def __init__(self, chance: Random) -> None:
        self.chance, self.thrown = chance, 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return self.chance.randint(1, sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


def fighter(chance: Random, name: str, role: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "role": role,
        "abilities.mind": chance.randint(4, 7),
        "abilities.gi": chance.randint(5, 8),
        "abilities.body": chance.randint(5, 8),
        "endurance_bought": chance.randint(0, 5),
        "skills.kenjutsu.level": chance.randint(4, 6),
        "skills.taisabaki.level": chance.randint(0, 4),
        "skills.jujutsu.level": chance.randint(0, 4),
        "skills.kenpo.level": chance.randint(0, 4),
        "skills.shurikenjutsu.level": chance.randint(0, 4),
        "possessions.1.id": "daito",
        "possessions.2.id": "wakizashi",
        "possessions.3.id": chance.choice(("bo_shuriken", "hankyu", "teppo", "teyari")),
        "possessions.4.id": "gusoku",
        "names.given": name,
        f"schools.{chance.choice(STYLES)}": True,
        f"perks.{chance.choice(PERKS)}": True,
    }
    return {key: value for key, value in fields.items() if value != 0}


class Fight:
    """One fight, driven by the GM for everybody; checks what must hold after every command."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        mook = {"role": "mook", "abilities.mind": 5, "abilities.gi": 6, "abilities.body": 5, "skills.kenjutsu.level": 3}
        mook |= {"possessions.1.id": "daito", "names.given": "侍"}
        cast = [
            {"id": "A", "name": "新八", "kind": "pc", "seat": "1", "fields": fighter(self.chance, "新八", "lead")},
            {"id": "B", "name": "佐吉", "kind": "pc", "seat": "1", "fields": fighter(self.chance, "佐吉", "co_lead")},
            {"id": "C", "name": "左内", "kind": "npc", "fields": fighter(self.chance, "左内", "co_lead")},
            {"id": "D", "name": "子分", "kind": "npc", "fields": fighter(self.chance, "子分", "support")},
            {"id": "M", "name": "侍", "kind": "npc", "count": 3, "fields": mook},
        ]
        self.setup = {"house_rules": RULES[seed % len(RULES)], "cast": cast}
        self.state = self.first = PLAY.start(self.setup)
        self.log: list[Event] = []
        self.done: Counter[str] = Counter()

    def do(self, name: str, *, step: int | None = None, override: str = "", **data: Any) -> Refused | None:
        given = {key: value for key, value in data.items() if value is not None}
        command, dice = Command(name, given, "2026-05-09T12:00:00Z", step, override), Faces(self.chance)
        for viewer in EYES:
            PLAY.odds(self.state, command, viewer)
        decided = PLAY.decide(self.state, command, GM, dice)
        if isinstance(decided, Refused):
            assert dice.thrown == 0
            return decided
        self.log += decided
        self.state = replay(PLAY, self.state, decided)
        self.done[name] += 1
        return None

    # ------------------------------------------------------------ answering

    def answer_all(self) -> None:
        """Answer until nobody is asked; every option is tried, one of the open ones is taken."""
        for _ in range(80):
            asked = self.question()
            if asked is None:
                return
            options = asked["options"]
            assert options and any(option["open"] for option in options)
            for option in options:
                self.try_out(option)
            option = self.chance.choice([option for option in options if option["open"]])
            self.done[f"answer.{option['answer']}"] += 1
            assert self.do("answer", **self.taking(option)) is None
        raise AssertionError("the exchange never ends")

    def question(self) -> dict[str, Any] | None:
        view = PLAY.project_state(self.state, GM_EYES)
        found: dict[str, Any] | None = view["exchange"] or view["contest"]
        return found if found is not None and found["asked"] else None

    def taking(self, option: dict[str, Any]) -> dict[str, Any]:
        arm = option.get("arm") or None
        return {"answer": option["answer"], "arm": arm, "buy": option.get("way") == "buy", "step": self.state.step}

    def try_out(self, option: dict[str, Any]) -> None:
        """An open option is accepted, a closed one refused with the code that it shows."""
        data = self.taking(option)
        step = data.pop("step")
        given = {key: value for key, value in data.items() if value is not None}
        command = Command("answer", given, "2026-05-09T12:00:00Z", step)
        decided = PLAY.decide(self.state, command, GM, Faces(Random(1)))
        if option["open"]:
            assert not isinstance(decided, Refused), (option, decided)
        else:
            assert isinstance(decided, Refused) and decided.code == option["closed"]["code"], (option, decided)
        odds = option.get("odds")
        if odds and odds["outcomes"]:
            assert sum(_fraction(one["chance"]) for one in odds["outcomes"].values()) == pytest.approx(1)

    # ------------------------------------------------------------ acting

    def act(self) -> None:
        """One thing whoever's turn it is might do."""
        fight = self.state.fight
        assert fight is not None
        entry = fight.order[fight.index]
        actor = self.chance.choice(self.state.group(entry)).id
        arm = self.chance.choice(("1", "1", "1", "2", "3", "punch", "kick", "grapple"))
        others = [one.id for one in self.state.actors.values() if one.id != actor]
        buy = self.chance.random() < 0.3
        what = self.chance.choices(
            ("attack", "move", "draw", "ready", "posture", "sheathe", "kp.extra", "turn.end"),
            (10, 2, 4, 2, 1, 1, 1, 5),
        )[0]
        if what == "attack":
            mode = self.chance.choice((None, None, None, "minejuchi", "throw", "choke_faint", "choke_kill", "atemi"))
            auto = self.chance.random() < 0.1
            target = self.chance.choice(others)
            self.do(what, actor=actor, target=target, arm=arm, mode=mode, distance=0, buy=buy, auto=auto)
        elif what == "move":
            self.do(what, actor=actor, ken=self.chance.randint(0, 6), buy=buy)
        elif what == "posture":
            self.do(what, actor=actor, posture=self.chance.choice(("standing", "crouching", "prone")), buy=buy)
        elif what == "kp.extra":
            self.do(what, actor=actor, action=self.chance.choice(("move", "attack", "defence")))
        elif what == "turn.end":
            self.do(what)
        else:
            self.do(what, actor=actor, arm=arm, buy=buy, pay=self.chance.choice(("attack", "move")))

    def check(self) -> None:
        """Bounds, grips, and the fold."""
        views = {one["id"]: one for one in PLAY.project_state(self.state, GM_EYES)["actors"]}
        for actor in self.state.actors.values():
            view = views[actor.id]
            assert 0 <= actor.kp <= max(10, view["numbers"]["kp_limit"])
            assert actor.wounds >= 0
            assert not actor.holds or self.state.actors[actor.holds].held_by == actor.id
            assert not actor.held_by or self.state.actors[actor.held_by].holds == actor.id
            if view["numbers"]["endurance"] == 0:
                assert not actor.life.able
        for viewer in EYES:
            json.dumps(PLAY.project_state(self.state, viewer))
        assert PLAY.load(json.loads(json.dumps(PLAY.dump(self.state))), self.setup) == self.state


def _fraction(text: str) -> float:
    one, other = text.split("/")
    return int(one) / int(other)


def play(seed: int, turns: int) -> Fight:
    fight = Fight(seed)
    assert fight.do("actor.enter", actors="C,D,M", drawn=True) is None
    assert fight.do("fight.start") is None
    for _ in range(turns):
        before = len(fight.log)
        while len(fight.log) == before:
            fight.act()
        fight.answer_all()
        fight.check()
    assert replay(PLAY, fight.first, fight.log) == fight.state
    return fight


def test_fights_at_random() -> None:
    """Every kind of answer comes up in these fights."""
    done: Counter[str] = Counter()
    for seed in range(20):
        done += play(seed, 25).done
    shape = next(shape for shape in PLAY.commands() if shape.name == "answer")
    answers = {value for field in shape.fields if field.name == "answer" for value, _label in field.choices}
    assert not answers - {name.removeprefix("answer.") for name in done}, done


# ---------------------------------------------------------------- the forecast against the engine


def _rolls() -> dict[int, tuple[tuple[int, int, int], int]]:
    """For each sum of 3dk2 some dice that show it, and in how many of 216 ways it comes up."""
    found: dict[int, tuple[tuple[int, int, int], int]] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                kept = sum(sorted((a, b, c))[1:])
                dice, ways = found.get(kept, ((a, b, c), 0))
                found[kept] = dice, ways + 1
    return found


class Given:
    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)

    def roll(self, sides: int) -> int:
        return self.faces.pop(0)

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


@pytest.mark.parametrize(
    ("perks", "theirs", "level"),
    [((), (), 5), (("opp_defence_harder",), (), 5), (("attack_easier",), ("parry_easier",), 3), ((), (), 2)],
)
def test_the_forecast_is_what_the_engine_does(perks: tuple[str, ...], theirs: tuple[str, ...], level: int) -> None:
    """Hit, stopped, missed: counted over every throw of both sides."""
    base = {"role": "support", "abilities.mind": 5, "abilities.gi": 7, "abilities.body": 6, "possessions.1.id": "daito"}
    one = {**base, "skills.kenjutsu.level": level, "names.given": "甲", **{f"perks.{perk}": True for perk in perks}}
    if level < 4:
        one["style_skill"] = "kenjutsu"
    two = {**base, "skills.kenjutsu.level": 4, "skills.taisabaki.level": 2, "names.given": "乙"}
    two |= {f"perks.{perk}": True for perk in theirs}
    cast = [{"id": "A", "name": "甲", "kind": "pc", "seat": "1", "fields": one, "play": {"kp": 0}}]
    cast += [{"id": "B", "name": "乙", "kind": "npc", "fields": two}]
    state = PLAY.start({"cast": cast})
    for name, data, faces in (
        ("draw", {"actor": "A", "arm": "1"}, ()),
        ("actor.enter", {"actors": "B", "drawn": True}, (1,)),
        ("fight.start", {}, ()),
    ):
        state = _after(state, name, data, faces)
    declared = {"actor": "A", "target": "B", "arm": "1"}
    odds = PLAY.odds(state, Command("attack", declared, ""), GM_EYES)
    assert odds is not None
    state = _after(state, "attack", declared)
    counted: Counter[str] = Counter()
    for dice, ways in _rolls().values():
        after = _after(state, "answer", {"answer": "none"}, dice)
        if after.exchange is None:
            counted["missed"] += ways * 216
            continue
        for parry, more in _rolls().values():
            end = _after(after, "answer", {"answer": "parry", "arm": "1"}, (*parry, 1, 6, 6, 6))
            counted["hit" if end.actors["B"].wounds else "stopped"] += ways * more
    total = 216 * 216
    assert {key: counted[key] for key in ("hit", "stopped", "missed")} == {
        one.key: one.chance * total for one in odds.outcomes
    }


def _after(state: Any, name: str, data: dict[str, Any], faces: tuple[int, ...] = ()) -> Any:
    decided = PLAY.decide(state, Command(name, data, "", state.step), GM, Given(faces))
    assert not isinstance(decided, Refused), decided
    return replay(PLAY, state, decided)
