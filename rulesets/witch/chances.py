"""Exact chances of challenges and spells as distributions (rules §5.2, §7.8, §12)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rulesets.engine.odds import Chance, Dist, Odds, constant, die, pool, shifted, sum_of
from rulesets.engine.text import Text
from rulesets.witch.rows import COLUMNS, SIDES, Target
from rulesets.witch.tables import Witch

SUCCESS, FAILURE = Text("成功", "success"), Text("失敗", "failure")
CHALLENGE_HELP, MAGIC_HELP = (1, 2, 3), (1, 2)
_HELP = {
    1: Text("猫の助け1", "with help 1"),
    2: Text("猫の助け2", "with help 2"),
    3: Text("猫の助け3", "with help 3"),
}
_REACHED = Text("{level}以上", "{level} or better")


# ---------------------------------------------------------------- challenges


@lru_cache(maxsize=256)
def doubles(throws: int) -> Dist[int]:
    """How many of some throws of two dice are doubles: one in six each."""
    return pool(throws, SIDES, 1)


def reached(throws: int, required: int) -> Fraction:
    return doubles(throws).where(lambda count: count >= required)


def challenge(tables: Witch, throws: int, required: int = 1, *, helped: tuple[int, ...] = ()) -> Odds:
    """Levels of so many throws; beside them `reached` (the level asked for) and what each further help would make."""
    levels = doubles(throws).map(lambda count: min(count, len(tables.levels) - 1))
    outcomes = tuple(Chance(row.word, row.name, levels.chance(int(row.id))) for row in tables.levels.values())
    label = _REACHED.format(level=tables.level(required).name)
    also = [Chance("reached", label, reached(throws, required))]
    also += [Chance(f"help_{k}", _HELP[k], reached(throws + k, required)) for k in helped]
    return Odds(outcomes, tuple(also), doubles(throws))


# ---------------------------------------------------------------- spells


@lru_cache(maxsize=64)
def _winning(rate: int) -> int:
    """Pairs of dice, of 36, whose product is at most the rate; 6-6 never counts."""
    pairs = ((a, b) for a in range(1, SIDES + 1) for b in range(1, SIDES + 1))
    return sum(a * b <= rate and (a, b) != (SIDES, SIDES) for a, b in pairs)


def spell_chance(rate: Dist[int], help_dice: int = 0) -> Fraction:
    """The chance of a spell whose rate is not quite known, with so many dice of the cat on top."""
    whole = rate.with_(sum_of(help_dice, SIDES), lambda left, right: left + right)
    bounded = whole.map(lambda found: max(0, min(found, SIDES * SIDES)))
    won = sum(ways * _winning(found) for found, ways in bounded.items())
    return Fraction(won, bounded.total * SIDES * SIDES)


def spell(rate: Dist[int], *, granted: int = 0, helped: tuple[int, ...] = ()) -> Odds:
    """`success` and `failure`; beside them what each number of help dice would make of it."""
    won = spell_chance(rate, granted)
    outcomes = (Chance("success", SUCCESS, won), Chance("failure", FAILURE, 1 - won))
    also = tuple(Chance(f"help_{k}", _HELP[k], spell_chance(rate, k)) for k in helped if k != granted)
    return Odds(outcomes, also, rate)


def belief(row: Target) -> Dist[int]:
    """The belief of a target of this row before it is rolled."""
    return shifted(sum_of(row.dice, SIDES), row.add)


def rolled_difficulty() -> Dist[int]:
    return sum_of(2, SIDES)


def trickster_power(today: int, star: int, *, draws: bool) -> Dist[int]:
    """The power of a casting: today's column, or ＊ once in 29 for a witch of the トリックスター (§6.6)."""
    if not draws:
        return constant(today)
    return die(len(COLUMNS)).map(lambda face: star if face == 1 else today)
