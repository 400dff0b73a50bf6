"""Optional combat (rules §5.7): two dice each, a 1 hits, a 6 is a blow taken, a 1 may cancel a 6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine.odds import Chance, Odds, pool
from rulesets.engine.outcome import Change, Outcome
from rulesets.engine.play import ALL, Viewer
from rulesets.witch.play.body import wounded
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import FACES, Asked, actor, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event, odds_of
from rulesets.witch.play.state import Fight, State
from rulesets.witch.play.words import reason, words
from rulesets.witch.rows import SIDES

event("fight.started", shows=("enemy",))
event("fight.thrown", shows=("round",))
event("fight.round", shows=("round", "hits", "blows", "cancelled"))
event("fight.ended")

HIT, BLOW = 1, SIDES
HP_MAX = 999
STRENGTH = "strength"


def _fight(desk: Desk) -> Fight:
    """The fight under way. Refuses L28."""
    if desk.state.fight is None:
        raise refused("L28")
    return desk.state.fight


@command(
    "fight.start",
    text("name", required=True),
    number("hp", 1, HP_MAX),
    number("damage", 0, 99, required=False),
    roles=GM_ONLY,
    codes=("L27", "P46"),
    rule="§5.7",
)
def start(desk: Desk, asked: Asked) -> None:
    """An enemy appears. A group may play without combat (L27)."""
    if not desk.tables.rule.combat:
        desk.refuse("L27")
    if desk.state.fight is not None:
        raise refused("P46")
    hp, damage = asked.needed("hp"), asked.number("damage")
    fight = Fight(asked.text("name"), hp, hp, desk.tables.rule.enemy_damage if damage is None else damage)
    said = words("log.fight_started", name=fight.name)
    desk.emit("fight.started", said, world={"fight": fight}, audience=ALL, enemy=fight.name)


@command("fight.throw", actor(), FACES, codes=("L26", "L28", "L29"), rule="§5.7")
def throw(desk: Desk, asked: Asked) -> None:
    """One fighter's two dice of the round; what they do is decided when all have thrown."""
    fight = _fight(desk)
    person = desk.own_person(asked)
    desk.awake(person.actor)
    if person.id in fight.thrown:
        raise refused("L29")
    dice = desk.throw(2, reason("dice.fight", "§5.7"))
    pair = (dice[0].face, dice[1].face)
    marked = tuple(replace(die, mark={HIT: "hit", BLOW: "blow"}.get(die.face, "")) for die in dice)
    after = replace(fight, thrown={**fight.thrown, person.id: pair})
    outcome = Outcome("fight_throw", reason("title.fight_throw", "§5.7"), dice=marked)
    said = words("log.fight_thrown", name=person.name, a=pair[0], b=pair[1])
    desk.emit("fight.thrown", said, actor=person.id, outcome=outcome, world={"fight": after}, round=fight.round)


@command("fight.resolve", text("cancel"), roles=GM_ONLY, codes=("L28", "L30"), rule="§5.7")
def resolve(desk: Desk, asked: Asked) -> None:
    """The round's end. `cancel` names who gives up a 1 for whose 6, `id>id,id>id`; `-` for none, left out for all
    that is possible."""
    fight = _fight(desk)
    dice = _Dice(fight.thrown)
    pairs = _cancellations(dice, asked.text("cancel"))
    ones, sixes = Counter(dice.of(HIT)), Counter(dice.of(BLOW))
    ones.subtract(giver for giver, _ in pairs)
    sixes.subtract(owner for _, owner in pairs)
    if any(count < 0 for count in (*ones.values(), *sixes.values())):
        raise refused("L30")
    hits = list(ones.elements())
    damage = sum(_damage(desk.person(who)) for who in hits)
    hp = max(0, fight.hp - damage)
    changes = [Change("enemy", "hp", fight.hp, hp, reason("why.hit", "§5.7", n=len(hits)))] if damage else []
    values: dict[str, dict[str, Any]] = {}
    for who, blows in sixes.items():
        if blows:
            found, told = wounded(desk.state, desk.person(who), fight.damage * blows)
            for one, cells in found.items():
                values.setdefault(one, {}).update(cells)
            changes += told
    after = replace(fight, hp=hp, round=fight.round + 1, thrown={})
    blows_taken = sum(sixes.values())
    outcome = Outcome("fight_round", reason("title.fight_round", "§5.7"), changes=tuple(changes))
    said = words("log.fight_round", n=fight.round, hits=len(hits), blows=blows_taken, name=fight.name)
    desk.emit(
        "fight.round",
        said,
        outcome=outcome,
        public=_without_enemy(outcome, desk.state),
        actors=values,
        world={"fight": after},
        audience=ALL,
        round=fight.round,
        hits=len(hits),
        blows=blows_taken,
        cancelled=[list(pair) for pair in pairs],
    )


def _without_enemy(outcome: Outcome, state: State) -> Outcome:
    """The round without the enemy's HP and without numbers of NPCs that are the GM's."""
    secret = {one.id for one in state.actors.values() if one.npc and not one.numbers_shown} | {"enemy"}
    return replace(outcome, changes=tuple(change for change in outcome.changes if change.subject not in secret))


@dataclass(frozen=True, slots=True)
class _Dice:
    """The dice of a round by their throwers."""

    thrown: Mapping[str, tuple[int, int]]

    def of(self, face: int) -> list[str]:
        """Who shows a face, once for each die, in the order of throwing."""
        return [who for who, pair in self.thrown.items() for die in pair if die == face]


def _cancellations(dice: _Dice, typed: str) -> list[tuple[str, str]]:
    """Who gives up a 1 for whose 6: as named, or all that is possible, one's own first."""
    if typed.strip() == "-":
        return []
    if typed.strip():
        pairs = [tuple(part.strip() for part in one.split(">")) for one in typed.split(",")]
        if any(len(pair) != 2 or not all(pair) for pair in pairs):
            raise refused("L30")
        return [(pair[0], pair[1]) for pair in pairs]
    ones, sixes = dice.of(HIT), dice.of(BLOW)
    found: list[tuple[str, str]] = []
    for own in (True, False):
        for victim in list(sixes):
            giver = next((one for one in ones if (one == victim) == own), None)
            if giver is not None:
                ones.remove(giver)
                sixes.remove(victim)
                found.append((giver, victim))
    return found


def _damage(person: Person) -> int:
    """What a hit does: the thrower's 強さ, or 1 where the group plays so or has no 強さ."""
    if person.tables.rule.hit_damage == "one":
        return 1
    return person.factors.get(STRENGTH, 1)


@command("fight.end", roles=GM_ONLY, codes=("L28",), rule="§5.7", retractable=True)
def end(desk: Desk, asked: Asked) -> None:
    fight = _fight(desk)
    desk.emit("fight.ended", words("log.fight_ended", name=fight.name), world={"fight": None}, audience=ALL)


@odds_of("fight.throw")
def throw_odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """`hit`: at least one 1, `blow`: at least one 6."""
    if state.fight is None:
        return None
    ones = pool(2, SIDES, 1)
    some = 1 - ones.chance(0)
    hit, blow = words("odds.hit"), words("odds.blow")
    return Odds(
        (Chance("hit", hit, some), Chance("none", words("odds.none"), 1 - some)), (Chance("blow", blow, some),), ones
    )
