"""Exact chances of commands before they are given, from what the viewer may know (rules §12)."""

from __future__ import annotations

from fractions import Fraction

from rulesets.engine.dice import ScriptedDice
from rulesets.engine.odds import Odds
from rulesets.engine.play import Actor, Command, Viewer
from rulesets.ninja import chances, ladder, odds
from rulesets.ninja.play.aiming import declare
from rulesets.ninja.play.answering import evasion
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.moving import rolled
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import plan, quick
from rulesets.ninja.play.reading import Asked
from rulesets.ninja.play.registry import odds_of
from rulesets.ninja.play.slayer import highest_dkk
from rulesets.ninja.play.state import State
from rulesets.ninja.play.tests import DEFAULT, level_of, planned
from rulesets.ninja.play.views import numbers, visible
from rulesets.ninja.play.words import reason


def _desk(state: State, viewer: Viewer) -> Desk:
    """A desk that throws nothing: what a declaration would roll is worked out as for the command itself."""
    return Desk(state, Command("odds", {}, ""), Actor(viewer.seat, viewer.role), ScriptedDice([]))


def _own(desk: Desk, asked: Asked, viewer: Viewer, name: str = "actor") -> Person | None:
    """The actor asked about, if the viewer may know the numbers."""
    person = desk.met(asked.text(name))
    return person if numbers(person.actor, viewer) else None


@odds_of("test")
def _test(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    desk = _desk(state, viewer)
    person = _own(desk, asked, viewer)
    if person is None:
        return None
    made = planned(desk, person, asked, asked.text("test"), asked.text("difficulty"))
    return odds.test(min(made.dice, chances.MOST_DICE), made.rank)


@odds_of("contest")
def _contest(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    desk = _desk(state, viewer)
    one, other = _own(desk, asked, viewer), _own(desk, asked, viewer, "target")
    if one is None or other is None:
        return None
    mine = planned(desk, one, asked, asked.text("test"), asked.text("difficulty"))
    row = desk.tables.tests[asked.text("target_test") or asked.text("test")]
    base = level_of(desk, asked.text("target_difficulty"), row.difficulty or DEFAULT)
    theirs = plan(other, row.dice, base, reason("title.contest", "§4.4"))
    return odds.contest(chances.successes(mine.dice, mine.rank), chances.successes(theirs.dice, theirs.rank))


@odds_of("attack")
def _attack(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    return _declared(state, asked, viewer, "melee")


@odds_of("shoot")
def _shoot(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    return _declared(state, asked, viewer, "shoot")


def _declared(state: State, asked: Asked, viewer: Viewer, kind: str) -> Odds | None:
    """One attack: success and criticals; a split: all, some, none."""
    desk = _desk(state, viewer)
    person = _own(desk, asked, viewer)
    if person is None:
        return None
    found = declare(desk, asked, person, kind, quick(desk, person, asked.count("quick")))
    if not all(visible(aim.target.actor, viewer) for aim in found.aims):
        return None
    if len(found.aims) == 1:
        return odds.test(min(found.aims[0].dice, chances.MOST_DICE), found.aims[0].rank, found.style.sixes)
    every = none = Fraction(1)
    for aim in found.aims:
        hit = chances.success(aim.dice, aim.rank)
        every, none = every * hit, none * (1 - hit)
    return odds.parts(every, none)


@odds_of("volley")
def _volley(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Hits of a mob before it rolls, for the GM (§12)."""
    desk = _desk(state, viewer)
    members = [actor for actor in desk.several([asked.text("mob")]) if not actor.out and actor.on_stage]
    people = [Person(state.tables, actor) for actor in members]
    able = [person for person in people if person.able]
    if not able or not numbers(able[0].actor, viewer):
        return None
    key = "attack_dice" if asked.text("how") == "melee" else "shoot_dice"
    rank = ladder.shifted(ladder.NORMAL, (asked.count("shift"),), ladder.floor_of(state.tables))
    return odds.mobs(len(able), min(20, able[0].number(key)), rank)


@odds_of("evade")
def _evade(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Evading with so many dice, and the counter (§12)."""
    attack = state.attack
    if attack is None or attack.about != "evade":
        return None
    desk = _desk(state, viewer)
    person = _own(desk, asked, viewer)
    if person is None or person.id != attack.asked:
        return None
    dice, emergency, spare = (asked.count(name) for name in ("dice", "emergency", "quick"))
    found = evasion(desk, attack, person, dice, emergency, spare)
    rank = found.rank - 1 if asked.flag("adrenaline") and not person.actor.adrenaline else found.rank
    rank = max(rank, ladder.floor_of(state.tables))
    beat = attack.group.successes if attack.group.can_counter else found.dice
    return odds.evade(min(found.dice, chances.MOST_DICE), rank, beat)


@odds_of("cartwheel")
def _cartwheel(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    desk = _desk(state, viewer)
    person = _own(desk, asked, viewer)
    if person is None:
        return None
    made = rolled(desk, person, asked.count("quick"))
    return odds.test(min(made.dice, chances.MOST_DICE), made.rank)


@odds_of("wasshoi")
def _wasshoi(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    return odds.wasshoi(highest_dkk(state))
