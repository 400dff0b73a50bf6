"""Exact chances of the game's rolls (rules §4, §6, §12). Counted, never estimated.

Questions are plain tables; unknown keys are refused. `difficulty` is `KIDS` … `U_HARD`, `UH2` …; `shift` moves it.

    {kind: "test", dice: 6, difficulty: "NORMAL", shift: 0, sixes: 2}
        `success`, `failure`; beside it `satsubatsu` and `namuamidabutsu` (`sixes` and one more), `one_more` = success
        with one more die; the distribution is that of the successes
    {kind: "split", parts: [4, 3], difficulty: "NORMAL"}           `all`, `some` (but not all), `none`
    {kind: "evade", dice: 6, difficulty: "NORMAL", successes: 3}     `counter`, `evaded`, `hit`
    {kind: "contest", dice: 5, other: 4, difficulty: …, other_difficulty: …}      `win`, `tie`, `lose`
    {kind: "pattern", dice: 4, pattern: [6, 5]}                     `met`, `missed`
    {kind: "mobs", count: 8, dice: 1, difficulty: "NORMAL"}           `some`, `none`; the distribution of hits
    {kind: "plan", dice: 6, groups: ["NORMAL", "HARD"]}             `all`, `not_all`, under the best split of evade dice
    {kind: "wasshoi", dkk: 5}                                      `appears`, `stays`
    {kind: "nrs", dice: 4, difficulty: "EASY"}                      `success`, `failure`
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from rulesets.engine.odds import Chance, Dist, Odds, TooLarge, opposed, repeated, sum_of
from rulesets.engine.text import Text
from rulesets.ninja import chances, ladder
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Refusal

Count = Annotated[int, Field(ge=0, le=chances.MOST_DICE)]
SUCCESS, FAILURE = Text("成功", "success"), Text("失敗", "failure")
SATSUBATSU, NAMU = Text("サツバツ！", "Satsubatsu!"), Text("ナムアミダブツ！", "Namuamidabutsu!")
COUNTER, EVADED, HIT = Text("回避してカウンター", "evaded with a counter"), Text("回避", "evaded"), Text("命中", "hit")
ONE_MORE = Text("もう1個振るなら成功", "success with one more die")
WIN, TIE, LOSE = Text("勝ち", "win"), Text("引き分け", "tie"), Text("負け", "lose")
ALL, SOME, NONE = Text("すべて命中", "all hit"), Text("一部が命中", "some hit"), Text("すべて失敗", "none hits")
APPEARS, STAYS = Text("現れる", "he appears"), Text("現れない", "he stays away")


def _rank(value: object) -> int:
    found = ladder.parse(value) if isinstance(value, str) else None
    if found is None or found.rank > ladder.U_HARD + chances.MOST_DICE:
        raise ValueError("no difficulty")
    return found.rank


Rank = Annotated[int, BeforeValidator(_rank)]


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TestQuestion(_Question):
    kind: Literal["test"]
    dice: Count
    difficulty: Rank = ladder.NORMAL
    shift: Annotated[int, Field(ge=-20, le=20)] = 0
    sixes: Literal[2, 3] = 2


class SplitQuestion(_Question):
    kind: Literal["split"]
    parts: Annotated[list[Count], Field(min_length=1, max_length=20)]
    difficulty: Rank = ladder.NORMAL


class EvadeQuestion(_Question):
    kind: Literal["evade"]
    dice: Count
    difficulty: Rank = ladder.NORMAL
    successes: Annotated[int, Field(ge=0, le=999)] = 0


class ContestQuestion(_Question):
    kind: Literal["contest"]
    dice: Count
    other: Count
    difficulty: Rank = ladder.NORMAL
    other_difficulty: Rank = ladder.NORMAL


class PatternQuestion(_Question):
    kind: Literal["pattern"]
    dice: Count
    pattern: Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=1, max_length=20)]


class MobsQuestion(_Question):
    kind: Literal["mobs"]
    count: Annotated[int, Field(ge=1, le=99)]
    dice: Annotated[int, Field(ge=0, le=20)] = 1
    difficulty: Rank = ladder.NORMAL


class PlanQuestion(_Question):
    kind: Literal["plan"]
    dice: Annotated[int, Field(ge=0, le=60)]
    groups: Annotated[list[Rank], Field(min_length=1, max_length=chances.MOST_GROUPS)]


class WasshoiQuestion(_Question):
    kind: Literal["wasshoi"]
    dkk: Annotated[int, Field(ge=0, le=99)]


class NrsQuestion(_Question):
    kind: Literal["nrs"]
    dice: Count
    difficulty: Rank


Asked = (
    TestQuestion
    | SplitQuestion
    | EvadeQuestion
    | ContestQuestion
    | PatternQuestion
    | MobsQuestion
    | PlanQuestion
    | WasshoiQuestion
    | NrsQuestion
)
_READ: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="kind")])


def answer(question: Mapping[str, Any], tables: Ninja) -> Odds:
    """Exact chances. Raises `Refusal` O01 for anything that is no question."""
    try:
        asked = _READ.validate_python(dict(question))
        return _answer(asked, tables)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise _refusal(tables, ".".join(str(part) for part in first["loc"]) or first["type"]) from error
    except TooLarge as error:
        raise _refusal(tables, "dice") from error


def _refusal(tables: Ninja, where: str) -> Refusal:
    return Refusal("O01", tables.messages["O01"].text.format(where=where), where=where)


def _answer(asked: Asked, tables: Ninja) -> Odds:
    if isinstance(asked, TestQuestion):
        rank = ladder.shifted(asked.difficulty, (asked.shift,), ladder.floor_of(tables))
        return test(asked.dice, rank, asked.sixes)
    if isinstance(asked, SplitQuestion):
        return split(asked.parts, asked.difficulty)
    if isinstance(asked, EvadeQuestion):
        return evade(asked.dice, asked.difficulty, asked.successes)
    if isinstance(asked, ContestQuestion):
        one = chances.successes(asked.dice, asked.difficulty)
        return contest(one, chances.successes(asked.other, asked.other_difficulty))
    if isinstance(asked, PatternQuestion):
        met = chances.pattern(asked.dice, tuple(sorted(asked.pattern)))
        words = Text("出目条件を満たす", "pattern met"), Text("満たさない", "not met")
        return Odds((Chance("met", words[0], met), Chance("missed", words[1], 1 - met)))
    if isinstance(asked, MobsQuestion):
        return mobs(asked.count, asked.dice, asked.difficulty)
    if isinstance(asked, PlanQuestion):
        return plan(asked.dice, asked.groups)
    return wasshoi(asked.dkk) if isinstance(asked, WasshoiQuestion) else nrs(asked.dice, asked.difficulty)


# ---------------------------------------------------------------- answers, also of live play


def test(dice: int, rank: int, sixes: int = 2) -> Odds:
    found = chances.successes(dice, rank)
    good = chances.success(dice, rank)
    also = (
        Chance("satsubatsu", SATSUBATSU, chances.sixes(dice, sixes)),
        Chance("namuamidabutsu", NAMU, chances.sixes(dice, sixes + 1)),
        Chance("one_more", ONE_MORE, chances.success(dice + 1, rank)),
    )
    return Odds((Chance("success", SUCCESS, good), Chance("failure", FAILURE, 1 - good)), also, found)


def split(dice: list[int], rank: int) -> Odds:
    return parts(*chances.split(dice, rank))


def parts(every: Fraction, none: Fraction) -> Odds:
    """The answer about a split attack: the chance that all parts hit, and that none does."""
    some = 1 - every - none
    return Odds((Chance("all", ALL, every), Chance("some", SOME, some), Chance("none", NONE, none)))


def evade(dice: int, rank: int, successes: int) -> Odds:
    evaded, counter = chances.evades(dice, rank, successes)
    outcomes = (
        Chance("counter", COUNTER, counter),
        Chance("evaded", EVADED, evaded - counter),
        Chance("hit", HIT, 1 - evaded),
    )
    return Odds(outcomes, dist=chances.successes(dice, rank))


def contest(one: Dist[int], other: Dist[int]) -> Odds:
    found = opposed(one, other)
    return Odds((Chance("win", WIN, found.win), Chance("tie", TIE, found.tie), Chance("lose", LOSE, found.lose)))


def mobs(count: int, dice: int, rank: int) -> Odds:
    """Hits of a volley: each mob hits once or not at all (§6.3)."""
    one = chances.successes(dice, rank).map(lambda found: min(1, found))
    hits = repeated(one, count)
    none = hits.chance(0)
    words = Text("少なくとも1人が命中", "at least one hits")
    return Odds((Chance("some", words, 1 - none), Chance("none", NONE, none)), dist=hits.reduced())


def plan(dice: int, ranks: list[int]) -> Odds:
    chance, parts = chances.best_plan(dice, ranks)
    shown = "+".join(map(str, parts))
    words = Text(f"すべて回避（{shown}）", f"all evaded ({shown})"), Text("どれかを受ける", "something gets through")
    return Odds((Chance("all", words[0], chance), Chance("not_all", words[1], 1 - chance)))


def wasshoi(dkk: int) -> Odds:
    thrown = sum_of(2, ladder.SIDES)
    appears = thrown.where(lambda total: total <= dkk)
    return Odds((Chance("appears", APPEARS, appears), Chance("stays", STAYS, 1 - appears)), dist=thrown)


def nrs(dice: int, rank: int) -> Odds:
    """NRS (§4.12): on a failure D3 at EASY, D6 at NORMAL, D6+1 from HARD on."""
    good = chances.success(dice, rank)
    return Odds((Chance("success", SUCCESS, good), Chance("failure", FAILURE, 1 - good)))
