"""Chat commands of ウィッチクエスト: challenges and encounters (rules/witch.md §5.6, §9.6; interop/bcdice.md §6–§8).

Texts have the shape of BCDice's bot `WitchQuest`. Described for players in docs/commands/witch-rolls.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Token, v_args

from rulesets.engine.commands import common
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.grammar import CommonTree, Grammar
from rulesets.engine.commands.language import Language
from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.commands.results import FAILURE, SUCCESS, Result, RollSet, steps
from rulesets.engine.expression import Expr, whole
from rulesets.engine.odds import Odds
from rulesets.engine.outcome import Die, Outcome, Reason
from rulesets.engine.suggest import Example
from rulesets.engine.text import Text
from rulesets.witch import chances
from rulesets.witch.encounters import MOST_DICE, NOBODY, encounter
from rulesets.witch.rows import SIDES
from rulesets.witch.tables import TABLES

# Slug and BCDice id whose lines these commands read.
NAMES = ("witch", "WitchQuest")
THROWS_MAX = 5_000
ODDS_MAX = 200
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")

_REFUSALS = {
    "witch_throws": Text("回数は1以上です（{had}回）。", "The number of throws must be 1 or more, not {had}."),
    "witch_too_many": Text("回数は{limit}回までです（{had}回）。", "At most {limit} throws, not {had}."),
    "witch_level": Text(
        "必要なレベルは >= と1〜6で書きます（WQ5>=2）。", "Write the needed level as >= and 1 to 6 (WQ5>=2)."
    ),
    "witch_place": Text(
        "ストラクチャーカードは1〜{most}です（{had}）。", "Structure cards are numbered 1 to {most}, not {had}."
    ),
}
_CHALLENGE = Reason(Text("チャレンジ：ゾロ目の数がレベル", "Challenge: each double is one level"), "§5.2")
_THROW = Reason(Text("2個ひと組の一投", "One throw of two dice"), "§5.1")
_NEEDED = Text("必要{needed}レベル：{word}", "level {needed} needed: {word}")


def refused(code: str, **params: object) -> RollRefused:
    return RollRefused(code, _REFUSALS[code].format(**params), **params)


# ---------------------------------------------------------------- challenges


@dataclass(frozen=True, slots=True)
class ChallengeSet(RollSet):
    """The throws of a challenge, how many are doubles, and the level they make."""

    kind = "challenge"
    throws: tuple[tuple[int, int], ...]
    doubles: int
    level: int
    degree: str
    needed: int | None
    tree: Outcome


@dataclass(frozen=True, slots=True)
class Challenge:
    """`WQn`: n throws of two dice; each double is a level, six and more are the highest."""

    throws: Expr
    comparison: str | None = None
    needed: Expr | None = None

    @property
    def kind(self) -> str:
        return "challenge"

    def check(self) -> int:
        count = whole(self.throws)
        if count < 1:
            raise refused("witch_throws", had=count)
        if count > THROWS_MAX:
            raise refused("witch_too_many", limit=THROWS_MAX, had=count)
        if self.comparison is not None:
            top = len(TABLES.base.levels) - 1
            if self.comparison != ">=" or self.needed is None or not 1 <= whole(self.needed) <= top:
                raise refused("witch_level")
        return 2 * count

    def roll(self, faces: Faces) -> Result:
        throws = tuple((faces.one(SIDES), faces.one(SIDES)) for _ in range(whole(self.throws)))
        doubles = sum(a == b for a, b in throws)
        row = TABLES.base.level(doubles)
        level = int(row.id)
        needed = whole(self.needed) if self.needed is not None else None
        reached = level >= (needed or 1)
        shown = " / ".join(f"{a},{b}" for a, b in throws)
        words: list[Text | str] = [f"({shown})", _level_words(level)]
        if needed is not None:
            words.append(_NEEDED.format(needed=str(needed).translate(_WIDE), word=SUCCESS if reached else FAILURE))
        tree = Outcome(
            kind="challenge",
            title=_CHALLENGE,
            degree=row.word,
            degree_label=row.name,
            total=doubles,
            target=needed,
            margin=level - needed if needed is not None else None,
            dice=tuple(
                Die(SIDES, face, _THROW, kept=a == b, mark="double" if a == b else "")
                for a, b in throws
                for face in (a, b)
            ),
        )
        found = ChallengeSet(throws, doubles, level, row.word, needed, tree)
        return Result(
            text=steps(*words),
            sets=(found,),
            degree="success" if reached else "failure",
            total=level,
            margin=tree.margin,
        )

    def chances(self) -> Odds:
        self.check()
        count = whole(self.throws)
        if count > ODDS_MAX:
            raise RollRefused("odds_too_large", read=f"WQ{self.throws.echo()}")
        return chances.challenge(TABLES.base, count, whole(self.needed) if self.needed is not None else 1)


def _level_words(level: int) -> Text:
    """`２レベル成功(大成功)`, as BCDice prints it."""
    row = TABLES.base.levels[str(level)]
    if not level:
        return row.name
    return Text(f"{row.counted.ja}({row.name.ja})", f"{row.counted.en} ({row.name.en})")


# ---------------------------------------------------------------- encounters


@dataclass(frozen=True, slots=True)
class EncounterSet(RollSet):
    """An encounter: the place's card, the phrase's number, and every person roll with its table."""

    kind = "encounter"
    place: int
    name: Text
    phrase: int
    rolls: tuple[dict[str, int], ...]
    result: Text


@dataclass(frozen=True, slots=True)
class EncounterCommand:
    """`SETn`: somebody met at the structure card n."""

    place: Expr

    @property
    def kind(self) -> str:
        return "encounter"

    def check(self) -> int:
        most, had = len(TABLES.base.encounters), whole(self.place)
        if not 1 <= had <= most:
            raise refused("witch_place", most=most, had=had)
        return MOST_DICE

    def roll(self, faces: Faces) -> Result:
        number = whole(self.place)
        found = encounter(TABLES.base, number, faces.one)
        phrase = NOBODY if found.nobody else found.phrase
        words: list[Text | str] = [f"SET{number}", Text(f"{found.face}:{phrase.ja}", f"{found.face}: {phrase.en}")]
        for met in found.met:
            name = met.name
            if met.leads:
                name = Text(f"表{str(met.leads).translate(_WIDE)}へ", f"go to table {met.leads}")
            words.append(Text(f"{met.value}:{name.ja}", f"{met.value}: {name.en}"))
        rolls = tuple({"table": met.table, "value": met.value} for met in found.met)
        shown = EncounterSet(number, TABLES.base.structure[str(number)].name, found.face, rolls, found.text)
        return Result(text=steps(*words), sets=(shown,))

    def chances(self) -> Odds:
        raise RollRefused("odds_none", read=f"SET{self.place.echo()}")


# ---------------------------------------------------------------- the language


@v_args(inline=True)
class WitchTree(CommonTree):
    """Nodes of `rolls.lark`."""

    def witch_throws(self, _wq: Token, throws: Expr) -> Challenge:
        return Challenge(throws)

    def witch_needed(self, _wq: Token, throws: Expr, compare: Any, needed: Expr) -> Challenge:
        return Challenge(throws, str(compare), needed)

    def witch_place(self, _set: Token, place: Expr) -> EncounterCommand:
        return EncounterCommand(place)


WORDS = {"WQ": ("WQ", "WQ"), "SET": ("SET", "SET")}
EXAMPLES = tuple(Example(text) for text in ("WQ3", "WQ3>=2", "WQ3+1", "SET1", "?WQ3", "x2 WQ3"))


@lru_cache(maxsize=2)
def language(name: str = NAMES[0]) -> Language:
    """The commands of this game and the common ones; built once for each name."""
    own = (Path(__file__).parent / "rolls.lark").read_text(encoding="utf-8")
    grammar = Grammar(own, WORDS, WitchTree())
    return Language(name, grammar, (*EXAMPLES, *common.EXAMPLES))
