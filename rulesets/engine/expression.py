"""Formulas with dice: the tree that `expression.lark` gives, its limits, its throw and its words.

Every node is checked before a die is thrown (`check`), so that throwing cannot fail: counts and sizes of dice,
division by zero, the size of results. Division rounds down; `U`/`C` up, `R` to the nearest (halves away from 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.refusals import MAX_DICE, MAX_EXPONENT, MAX_SIDES, MAX_VALUE, RollRefused
from rulesets.engine.commands.results import listed

Rounding = Literal["down", "floor", "up", "nearest"]
KeepKind = Literal["KH", "KL", "DH", "DL"]
Bounds = tuple[int, int]
DEFAULT_SIDES = 6
SUPPORT_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Throw:
    """One dice term of a formula: its faces in throwing order, those that count, and their sum."""

    dice: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    value: int

    def as_json(self) -> dict[str, object]:
        return {"dice": self.dice, "faces": list(self.faces), "kept": list(self.kept), "value": self.value}


@dataclass(frozen=True, slots=True)
class Value:
    """A rolled (part of a) formula: its number and its text such as `9[4,5]+1`."""

    number: int
    shown: str
    throws: tuple[Throw, ...] = ()


class Expr(Protocol):
    """A node of a formula."""

    @property
    def has_dice(self) -> bool: ...

    def check(self) -> Bounds:
        """Smallest and largest possible value. Raises `RollRefused` for whatever must not be rolled."""
        ...

    def constant(self) -> int:
        """The value of a formula without dice; `RollRefused` when it has dice or cannot be computed."""
        ...

    def roll(self, faces: Faces) -> Value: ...

    def echo(self, up: str = "U") -> str:
        """The formula in BCDice's spelling; `up` is the letter for rounding up."""
        ...

    def dice_count(self) -> int:
        """How many random numbers it throws."""
        ...


def whole(expr: Expr) -> int:
    """The value of a formula that must not have dice (counts, sides, targets)."""
    if expr.has_dice:
        raise RollRefused("dice_in_number", part=expr.echo())
    return expr.constant()


@dataclass(frozen=True, slots=True)
class Number:
    value: int

    @property
    def has_dice(self) -> bool:
        return False

    def check(self) -> Bounds:
        return self.value, self.value

    def constant(self) -> int:
        return self.value

    def roll(self, faces: Faces) -> Value:
        return Value(self.value, str(self.value))

    def echo(self, up: str = "U") -> str:
        return str(self.value)

    def dice_count(self) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Negative:
    body: Expr

    @property
    def has_dice(self) -> bool:
        return self.body.has_dice

    def check(self) -> Bounds:
        low, high = self.body.check()
        return -high, -low

    def constant(self) -> int:
        return -self.body.constant()

    def roll(self, faces: Faces) -> Value:
        body = self.body.roll(faces)
        return Value(-body.number, f"-{body.shown}", body.throws)

    def echo(self, up: str = "U") -> str:
        return f"-{self.body.echo(up)}"

    def dice_count(self) -> int:
        return self.body.dice_count()


@dataclass(frozen=True, slots=True)
class Group:
    """A pair of brackets, kept because the text shows it."""

    body: Expr

    @property
    def has_dice(self) -> bool:
        return self.body.has_dice

    def check(self) -> Bounds:
        return self.body.check()

    def constant(self) -> int:
        return self.body.constant()

    def roll(self, faces: Faces) -> Value:
        body = self.body.roll(faces)
        return Value(body.number, f"({body.shown})", body.throws)

    def echo(self, up: str = "U") -> str:
        return f"({self.body.echo(up)})"

    def dice_count(self) -> int:
        return self.body.dice_count()


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right` with + − ×."""

    op: Literal["+", "-", "*"]
    left: Expr
    right: Expr

    @property
    def has_dice(self) -> bool:
        return self.left.has_dice or self.right.has_dice

    def check(self) -> Bounds:
        a, b = self.left.check(), self.right.check()
        corners = [self.apply(x, y) for x in a for y in b]
        return within(min(corners), max(corners))

    def constant(self) -> int:
        return within(*[self.apply(self.left.constant(), self.right.constant())] * 2)[0]

    def apply(self, left: int, right: int) -> int:
        """The operation on two numbers."""
        if self.op == "+":
            return left + right
        return left - right if self.op == "-" else left * right

    def roll(self, faces: Faces) -> Value:
        left, right = self.left.roll(faces), self.right.roll(faces)
        number = self.apply(left.number, right.number)
        return Value(number, f"{left.shown}{self.op}{right.shown}", left.throws + right.throws)

    def echo(self, up: str = "U") -> str:
        return f"{self.left.echo(up)}{self.op}{self.right.echo(up)}"

    def dice_count(self) -> int:
        return self.left.dice_count() + self.right.dice_count()


@dataclass(frozen=True, slots=True)
class Divide:
    left: Expr
    right: Expr
    rounding: Rounding

    @property
    def has_dice(self) -> bool:
        return self.left.has_dice or self.right.has_dice

    def check(self) -> Bounds:
        a, (low, high) = self.left.check(), self.right.check()
        if low == high == 0:
            raise RollRefused("division_by_zero")
        if low <= 0 <= high:
            values = support(self.right)
            if values is None or 0 in values:
                raise RollRefused("may_divide_by_zero", divisor=self.right.echo())
        # The extreme quotients lie at the ends or beside zero, whatever the rounding.
        divisors = {d for d in (low, high, -1, 1) if low <= d <= high and d}
        corners = [divide(x, d, self.rounding) for x in a for d in divisors]
        return within(min(corners), max(corners))

    def constant(self) -> int:
        right = self.right.constant()
        if right == 0:
            raise RollRefused("division_by_zero")
        return divide(self.left.constant(), right, self.rounding)

    def roll(self, faces: Faces) -> Value:
        left, right = self.left.roll(faces), self.right.roll(faces)
        number = divide(left.number, right.number, self.rounding)
        return Value(number, f"{left.shown}/{right.shown}{self._letter('U')}", left.throws + right.throws)

    def echo(self, up: str = "U") -> str:
        return f"{self.left.echo(up)}/{self.right.echo(up)}{self._letter(up)}"

    def _letter(self, up: str) -> str:
        return {"down": "", "floor": "F", "up": up, "nearest": "R"}[self.rounding]

    def dice_count(self) -> int:
        return self.left.dice_count() + self.right.dice_count()


@dataclass(frozen=True, slots=True)
class Power:
    """`base ^ exponent`, numbers only."""

    base: Expr
    exponent: Expr

    @property
    def has_dice(self) -> bool:
        return self.base.has_dice or self.exponent.has_dice

    def check(self) -> Bounds:
        value = self.constant()
        return value, value

    def constant(self) -> int:
        if self.has_dice:
            raise RollRefused("power_of_dice")
        base, exponent = self.base.constant(), self.exponent.constant()
        if not 0 <= exponent <= MAX_EXPONENT:
            raise RollRefused("power_exponent", limit=MAX_EXPONENT)
        return within(*[base**exponent] * 2)[0]

    def roll(self, faces: Faces) -> Value:
        return Value(self.constant(), self.echo())

    def echo(self, up: str = "U") -> str:
        return f"{self.base.echo(up)}^{self.exponent.echo(up)}"

    def dice_count(self) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Keep:
    """Which dice of a term count: the highest or lowest `count` kept (`KH`, `KL`) or dropped (`DH`, `DL`)."""

    kind: KeepKind
    count: Expr

    def of(self, ordered: list[int], count: int) -> list[int]:
        """The counting ones of faces in ascending order."""
        if self.kind == "KH":
            return ordered[max(0, len(ordered) - count) :]
        if self.kind == "KL":
            return ordered[:count]
        return ordered[: max(0, len(ordered) - count)] if self.kind == "DH" else ordered[count:]


@dataclass(frozen=True, slots=True)
class Dice:
    """`times` dice of `sides` (None: the game's usual die). `d66`: each is two dice read as tens and ones."""

    times: Expr | None
    sides: Expr | None
    keep: Keep | None = None
    d66: bool = False

    @property
    def has_dice(self) -> bool:
        return True

    def count(self) -> int:
        return whole(self.times) if self.times is not None else 1

    def size(self) -> int:
        return whole(self.sides) if self.sides is not None else DEFAULT_SIDES

    def kept(self) -> int:
        """How many dice count at most."""
        if self.keep is None:
            return self.count()
        number = whole(self.keep.count)
        return number if self.keep.kind in ("KH", "KL") else self.count() - number

    def check(self) -> Bounds:
        times = check_dice(self.count(), 6 if self.d66 else self.size())
        if self.keep is not None and whole(self.keep.count) < 0:
            raise RollRefused("keep_negative", had=whole(self.keep.count))
        counting = max(0, min(times, self.kept()))
        return within(counting * (11 if self.d66 else 1), counting * (66 if self.d66 else self.size()))

    def constant(self) -> int:
        raise RollRefused("dice_in_number", part=self.echo())

    def roll(self, faces: Faces) -> Value:
        times = self.count()
        thrown = faces.d66(times) if self.d66 else faces.many(times, self.size())
        shown, kept = thrown, thrown
        if self.keep is not None:
            shown = sorted(thrown)
            kept = self.keep.of(shown, whole(self.keep.count))
        total = sum(kept)
        throw = Throw(self.echo(), tuple(thrown), tuple(kept), total)
        return Value(total, f"{total}[{listed(shown)}]", (throw,))

    def echo(self, up: str = "U") -> str:
        keep = f"{self.keep.kind}{whole(self.keep.count)}" if self.keep is not None else ""
        return f"{self.count()}D{'66' if self.d66 else self.size()}{keep}"

    def dice_count(self) -> int:
        return self.count() * (2 if self.d66 else 1)


def check_dice(times: int, sides: int) -> int:
    """The number of dice of a term, if it is within the limits (at most 200 dice of at most 10,000 sides)."""
    if times < 0:
        raise RollRefused("too_few_dice", limit=0, had=times)
    if times > MAX_DICE:
        raise RollRefused("too_many_dice", limit=MAX_DICE, had=times)
    if sides < 1:
        raise RollRefused("too_few_sides", had=sides)
    if sides > MAX_SIDES:
        raise RollRefused("too_many_sides", limit=MAX_SIDES, had=sides)
    return times


def within(low: int, high: int) -> Bounds:
    """Bounds that are small enough to compute and print everywhere."""
    if low < -MAX_VALUE or high > MAX_VALUE:
        raise RollRefused("value_too_large", limit=len(str(MAX_VALUE)) - 1)
    return low, high


def divide(left: int, right: int, rounding: Rounding) -> int:
    """`left / right` for `right` ≠ 0; nearest rounds halves away from 0."""
    if rounding == "up":
        return -(-left // right)
    if rounding == "nearest":
        half = (2 * abs(left) + abs(right)) // (2 * abs(right))
        return half if (left < 0) == (right < 0) else -half
    return left // right


def support(expr: Expr) -> set[int] | None:
    """Every value a formula can have, or None when there are too many to list."""
    if isinstance(expr, Number):
        return {expr.value}
    if isinstance(expr, Group):
        return support(expr.body)
    if isinstance(expr, Negative):
        body = support(expr.body)
        return None if body is None else {-value for value in body}
    if isinstance(expr, Dice):
        low, high = expr.check()
        if expr.d66:
            return None if expr.count() > 1 else {10 * a + b for a in range(1, 7) for b in range(1, 7)}
        return set(range(low, high + 1)) if high - low <= SUPPORT_LIMIT else None
    if isinstance(expr, (Binary, Divide)):
        left, right = support(expr.left), support(expr.right)
        if left is None or right is None or len(left) * len(right) > SUPPORT_LIMIT:
            return None
        if isinstance(expr, Divide):
            return {divide(a, b, expr.rounding) for a in left for b in right if b}
        return {expr.apply(a, b) for a in left for b in right}
    return {expr.constant()} if not expr.has_dice else None


def tidy_signs(expr: Expr) -> Expr:
    """Signs as sum dice print them: `2D6+-1` is `2D6-1`, `2D6--1` is `2D6+1`, `--1D6` is `1D6`."""
    if isinstance(expr, Negative):
        body = tidy_signs(expr.body)
        return body.body if isinstance(body, Negative) else Negative(body)
    if isinstance(expr, Group):
        return Group(tidy_signs(expr.body))
    if isinstance(expr, Divide):
        return Divide(tidy_signs(expr.left), tidy_signs(expr.right), expr.rounding)
    if isinstance(expr, Binary):
        left, right = tidy_signs(expr.left), tidy_signs(expr.right)
        if isinstance(right, Negative) and expr.op != "*":
            return Binary("-" if expr.op == "+" else "+", left, right.body)
        return Binary(expr.op, left, right)
    return expr
