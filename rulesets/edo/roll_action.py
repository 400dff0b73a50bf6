"""行為判定 and 対抗ロール as chat commands: `E12>=15`, `2E5>=15`, `E12vsE10` (rules/edo.md §5, §6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulesets.edo.roll_words import REASONS, ROLE_MARKS, ROLES, SIDES, Role, refused
from rulesets.engine import odds
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.results import FAILURE, SUCCESS, Result, RollSet, listed, steps
from rulesets.engine.expression import Expr, whole
from rulesets.engine.odds import Chance, Dist, Odds
from rulesets.engine.outcome import Die, Modifier, Outcome, keep_marks
from rulesets.engine.text import Text

KEEP = 2

# ---------------------------------------------------------------- 行為判定 (§5)


@dataclass(frozen=True, slots=True)
class TestSet(RollSet):
    """One 行為判定. `kp` is the 活劇点 gained; without a role `kp_if_lead` says what a 主役 would gain."""

    kind = "test"
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    value: int
    total: int
    difficulty: int | None
    margin: int | None
    role: Role | None
    kp: int
    kp_if_lead: int
    marks: tuple[dict[str, Any], ...]
    tree: Outcome


@dataclass(frozen=True, slots=True)
class Test:
    """A roll of 3 dice (2 without the skill) and a value, against a difficulty if there is one."""

    dice: int
    value: Expr
    marks: tuple[str, ...] = ()
    comparison: str | None = None
    difficulty: Expr | None = None

    @property
    def kind(self) -> str:
        return "test"

    @property
    def role(self) -> Role | None:
        return next((ROLES[mark] for mark in self.marks if mark in ROLES), None)

    def check(self) -> int:
        if self.dice not in (2, 3):
            raise refused("edo_dice", had=self.dice)
        if self.comparison not in (None, ">="):
            raise refused("edo_comparison")
        for mark in self.marks:
            if mark not in ROLES:
                raise refused("edo_mark", mark=mark, known=ROLE_MARKS)
        whole(self.value)
        if self.difficulty is not None:
            whole(self.difficulty)
        return self.dice

    def echo(self) -> str:
        head = "E" if self.dice == 3 else f"{self.dice}E"
        marks = f"[{self.marks[0]}]" if self.marks else ""
        target = f">={self.difficulty.echo()}" if self.difficulty is not None else ""
        return f"{head}{self.value.echo()}{marks}{target}"

    def thrown(self, faces: Faces) -> TestSet:
        """The dice of this test and all that follows from them."""
        shown = tuple(faces.many(self.dice, SIDES))
        counting = keep_marks(shown, KEEP)
        kept = tuple(face for face, counts in zip(shown, counting, strict=True) if counts)
        value = whole(self.value)
        total = sum(kept) + value
        difficulty = whole(self.difficulty) if self.difficulty is not None else None
        margin = total - difficulty if difficulty is not None else None
        sixes, fives = shown.count(6) >= 2, shown.count(5) >= 2
        kp = 0 if self.role == "npc" else int(sixes or (fives and self.role == "lead"))
        if_lead = int(self.role is None and not kp and fives)
        marks = [{"kind": "kp", "needed": [6, 6], "met": sixes, "faces": [face for face in shown if face == 6]}]
        if self.role in (None, "lead"):
            marks.append({"kind": "kp_lead", "needed": [5, 5], "met": fives, "faces": [f for f in shown if f == 5]})
        reason = REASONS["skill" if self.dice == 3 else "unlearned"]
        tree = Outcome(
            kind="skill_roll",
            title=reason,
            degree="" if margin is None else "success" if margin >= 0 else "failure",
            degree_label=None if margin is None else SUCCESS if margin >= 0 else FAILURE,
            total=total,
            target=difficulty,
            dice=tuple(Die(SIDES, face, reason, counts) for face, counts in zip(shown, counting, strict=True)),
            modifiers=(Modifier("value", value, "total", REASONS["value"]),),
            notes=(REASONS["kp"],) if kp else (),
            margin=margin,
        )
        return TestSet(shown, kept, value, total, difficulty, margin, self.role, kp, if_lead, tuple(marks), tree)

    def roll(self, faces: Faces) -> Result:
        found = self.thrown(faces)
        parts: list[Text | str] = [f"({self.echo()})", _sum_shown(found), str(found.total)]
        if found.margin is not None:
            word = SUCCESS if found.margin >= 0 else FAILURE
            parts.append(Text(f"{word.ja}(成功度{found.margin})", f"{word.en} (degree {found.margin})"))
        return Result(
            text=steps(*parts, *_kp_words(found)),
            sets=(found,),
            degree=found.tree.degree,
            total=found.total,
            margin=found.margin,
        )

    def dist(self) -> Dist[int]:
        """The distribution of the total."""
        kept = odds.keep_highest(3, KEEP, SIDES) if self.dice == 3 else odds.sum_of(2, SIDES)
        return odds.shifted(kept, whole(self.value))

    def chances(self) -> Odds:
        self.check()
        dist = self.dist()
        outcomes: tuple[Chance, ...] = ()
        if self.difficulty is not None:
            success = odds.at_least(dist, whole(self.difficulty))
            outcomes = (Chance("success", SUCCESS, success), Chance("failure", FAILURE, 1 - success))
        pairs = odds.faces_of(self.dice, SIDES)
        six = pairs.where(lambda shown: shown.count(6) >= 2)
        lead = pairs.where(lambda shown: shown.count(6) >= 2 or shown.count(5) >= 2)
        gain = Text("活劇点+1", "Drama point +1")
        also: tuple[Chance, ...] = ()
        if self.role is None:
            also = (
                Chance("kp", gain, six),
                Chance("kp_lead", Text("主役なら活劇点+1", "As a lead: drama point +1"), lead),
            )
        elif self.role != "npc":
            also = (Chance("kp", gain, lead if self.role == "lead" else six),)
        return Odds(outcomes, also, dist)


def _sum_shown(found: TestSet) -> str:
    return f"{sum(found.kept)}[{listed(found.faces)}]{found.value:+d}"


def _kp_words(found: TestSet) -> list[Text]:
    if found.kp:
        return [Text("活劇点+1", "Drama point +1")]
    return [Text("主役なら活劇点+1", "As a lead: drama point +1")] if found.kp_if_lead else []


# ---------------------------------------------------------------- 対抗ロール (§5.5)


@dataclass(frozen=True, slots=True)
class OpposedSet(RollSet):
    """Who won. `lead` is by how much the left side is ahead; `deed` whether the winner's deed succeeds."""

    kind = "opposed"
    winner: str
    lead: int
    deed: bool
    tree: Outcome


@dataclass(frozen=True, slots=True)
class Opposed:
    """Two tests: the larger total wins; with difficulties on both sides, the larger degree of success."""

    left: Test
    right: Test

    @property
    def kind(self) -> str:
        return "opposed"

    def check(self) -> int:
        if (self.left.difficulty is None) != (self.right.difficulty is None):
            raise refused("edo_opposed")
        return self.left.check() + self.right.check()

    def roll(self, faces: Faces) -> Result:
        left, right = self.left.thrown(faces), self.right.thrown(faces)
        judged = left.margin is not None and right.margin is not None
        mine = left.margin if left.margin is not None else left.total
        theirs = right.margin if right.margin is not None else right.total
        lead = mine - theirs
        winner = "left" if lead > 0 else "right" if lead < 0 else "tie"
        deed = not judged or max(mine, theirs) >= 0
        degree = {"left": "win", "right": "loss", "tie": "tie"}[winner]
        word = {
            "left": Text(f"左の勝ち(差{lead})", f"Left wins (by {lead})"),
            "right": Text(f"右の勝ち(差{-lead})", f"Right wins (by {-lead})"),
            "tie": Text("引き分け", "Tie"),
        }[winner]
        if not deed:
            word = Text(f"{word.ja}・行為は失敗", f"{word.en}, but the deed fails")
        tree = Outcome(
            kind="opposed_roll",
            title=REASONS["opposed"],
            degree=degree,
            degree_label=word,
            parts=(left.tree, right.tree),
            margin=lead,
        )
        sides = [self._side(found) for found in (left, right)]
        both = Text(f"{sides[0].ja} 対 {sides[1].ja}", f"{sides[0].en} vs {sides[1].en}")
        echo = f"({self.left.echo()} vs {self.right.echo()})"
        gains = [
            Text(f"{side.ja}{words.ja}", f"{side.en}{words.en}")
            for found, side in ((left, Text("左：", "Left: ")), (right, Text("右：", "Right: ")))
            for words in _kp_words(found)
        ]
        return Result(
            text=steps(echo, both, word, *gains),
            sets=(left, right, OpposedSet(winner, lead, deed, tree)),
            degree=degree,
            margin=lead,
        )

    @staticmethod
    def _side(found: TestSet) -> Text:
        shown = f"{_sum_shown(found)}={found.total}"
        if found.margin is None:
            return Text(shown, shown)
        return Text(f"{shown}(成功度{found.margin})", f"{shown} (degree {found.margin})")

    def chances(self) -> Odds:
        self.check()
        sides = []
        for test in (self.left, self.right):
            difficulty = whole(test.difficulty) if test.difficulty is not None else 0
            sides.append(odds.shifted(test.dist(), -difficulty))
        found = odds.opposed(*sides)
        return Odds(
            (
                Chance("win", Text("左の勝ち", "Left wins"), found.win),
                Chance("tie", Text("引き分け", "Tie"), found.tie),
                Chance("loss", Text("右の勝ち", "Right wins"), found.lose),
            )
        )
