"""Damage as a chat command: `E1D6+2`, critical on a natural 6 (rules/edo.md §7.9)."""

from __future__ import annotations

from dataclasses import dataclass

from rulesets.edo.roll_words import DAMAGE_MARKS, MINEJUCHI, REASONS, SIDES, refused
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.results import Result, RollSet, steps
from rulesets.engine.expression import Binary, Dice, Expr, whole
from rulesets.engine.odds import Chance, Dist, Odds
from rulesets.engine.outcome import Die, Modifier, Outcome
from rulesets.engine.text import Text


@dataclass(frozen=True, slots=True)
class DamageSet(RollSet):
    """Damage of a hit. `second` is the extra die of a critical; `armour` what was subtracted."""

    kind = "damage"
    faces: tuple[int, ...]
    die: int
    second: int | None
    modifier: int
    critical: bool
    minejuchi: bool
    armour: int
    total: int
    tree: Outcome


@dataclass(frozen=True, slots=True)
class Damage:
    """1D6 and modifiers; a natural 6 (with `3` also a 3) is critical and adds one plain die, unless `X` or `M`."""

    dice: int
    formula: Expr
    marks: tuple[str, ...] = ()
    armour: Expr | None = None
    comparison: str | None = None

    @property
    def kind(self) -> str:
        return "damage"

    def check(self) -> int:
        if self.dice != 3 or self.comparison is not None or _modifier(self.formula) is None:
            raise refused("edo_damage")
        for mark in self.marks:
            if mark not in ("3", "X", MINEJUCHI):
                raise refused("edo_mark", mark=mark, known=DAMAGE_MARKS)
        self.formula.check()
        if self.armour is not None:
            whole(self.armour)
        return 1

    def _minejuchi(self) -> bool:
        return MINEJUCHI in self.marks

    def _criticals(self) -> frozenset[int]:
        if self._minejuchi() or "X" in self.marks:
            return frozenset()
        return frozenset({3, 6}) if "3" in self.marks else frozenset({6})

    def _armour(self) -> int:
        return max(0, whole(self.armour)) if self.armour is not None else 0

    def after(self, die: int, second: int | None) -> int:
        """The damage that these dice do."""
        raw = max(0, die + (second or 0) + (_modifier(self.formula) or 0))
        if self._minejuchi():
            raw //= 2
        return max(0, raw - (0 if second is not None and die == 6 else self._armour()))

    def echo(self) -> str:
        marks = f"[{''.join(self.marks)}]" if self.marks else ""
        armour = f":{self.armour.echo()}" if self.armour is not None else ""
        return f"(E{self.formula.echo()}{marks}{armour})"

    def roll(self, faces: Faces) -> Result:
        die = faces.one(SIDES)
        critical = die in self._criticals()
        second = faces.one(SIDES) if critical else None
        modifier = _modifier(self.formula) or 0
        raw, total = max(0, die + (second or 0) + modifier), self.after(die, second)
        void = critical and die == 6
        armour = 0 if void else self._armour()
        shown = f"{die}[{die}]" + (f"+{second}[{second}]" if second is not None else "")
        shown += f"{modifier:+d}" if modifier else ""
        parts: list[Text | str] = [self.echo(), shown]
        if self._minejuchi() or armour:
            parts.append(f"{raw}{'/2' if self._minejuchi() else ''}{f'-{armour}' if armour else ''}")
        parts.append(str(total))
        if critical:
            label = Text("致命的命中", "Critical hit")
            if void and self._armour():
                label = Text("致命的命中(防御点無効)", "Critical hit (armour void)")
            parts.append(label)
        result = DamageSet(
            faces=(die,) if second is None else (die, second),
            die=die,
            second=second,
            modifier=modifier,
            critical=critical,
            minejuchi=self._minejuchi(),
            armour=armour,
            total=total,
            tree=self._tree(die, second, modifier, armour, total),
        )
        return Result(steps(*parts), (result,), degree="critical" if critical else "", total=total)

    def _tree(self, die: int, second: int | None, modifier: int, armour: int, total: int) -> Outcome:
        dice = [Die(SIDES, die, REASONS["damage"], mark="critical" if second is not None else "")]
        if second is not None:
            dice.append(Die(SIDES, second, REASONS["critical"]))
        modifiers = [Modifier("modifier", modifier, "damage", REASONS["modifier"])] if modifier else []
        if armour:
            modifiers.append(Modifier("armour", -armour, "damage", REASONS["armour"]))
        notes = [REASONS["minejuchi"]] if self._minejuchi() else []
        if second is not None and die == 6 and self._armour():
            notes.append(REASONS["void"])
        return Outcome(
            kind="damage",
            title=REASONS["damage"],
            degree="critical" if second is not None else "",
            total=total,
            dice=tuple(dice),
            modifiers=tuple(modifiers),
            notes=tuple(notes),
        )

    def chances(self) -> Odds:
        self.check()
        criticals = self._criticals()
        # Every first face with every second one, so that all pairs are equally likely.
        pairs = Dist({(a, b): 1 for a in range(1, SIDES + 1) for b in range(1, SIDES + 1)})
        dist = pairs.map(lambda pair: self.after(pair[0], pair[1] if pair[0] in criticals else None))
        critical = pairs.where(lambda pair: pair[0] in criticals)
        return Odds(
            (
                Chance("critical", Text("致命的命中", "Critical hit"), critical),
                Chance("normal", Text("普通の命中", "Plain hit"), 1 - critical),
            ),
            dist=dist.reduced(),
        )


def _modifier(formula: Expr) -> int | None:
    """The sum beside exactly one 1D6, or None when the formula is anything else."""
    if isinstance(formula, Dice):
        plain = formula.keep is None and not formula.d66
        return 0 if plain and formula.count() == 1 and formula.size() == SIDES else None
    if isinstance(formula, Binary) and formula.op in ("+", "-"):
        sides = (formula.left, formula.right)
        with_dice = [side for side in sides if side.has_dice]
        if len(with_dice) != 1 or (with_dice[0] is formula.right and formula.op == "-"):
            return None
        inner = _modifier(with_dice[0])
        other = whole(next(side for side in sides if not side.has_dice))
        return None if inner is None else inner + (other if formula.op == "+" else -other)
    return None
