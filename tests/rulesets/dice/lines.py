"""Generated chat lines: nearly right, spoiled, and anything at all. Seeded, so that a failure can be repeated."""

from __future__ import annotations

import random
from collections.abc import Iterator

COMPARISONS = (">=", "<=", ">", "<", "=", "<>", "!=", "=>", "=<", "==", "≧", "≦", "≠", "＞＝")
BEHIND = (
    "",
    "",
    "",
    "",
    " 攻撃",
    "攻撃",
    "　いくぞ",
    " 3",
    "%",
    "!",
    ".",
    ",",
    "、",
    " >= 8",
    "\n2D6",
    ";1D6",
    "attack",
)
SALT = "+-*/()[]<>=!@?:,.;%&#\"'\\ 　\n\t0123456789DdBbRrUuTtYyZzSsCcKkHhLlXxEe×÷−ー≧≦≠【】「」、，。攻撃６Ｄ😀é\x00٣"


def number(r: random.Random) -> str:
    return str(r.choice((0, 1, 2, 2, 3, 6, 6, 8, 10, 20, 66, 100, 200, 201, 10_000, 99_999, r.randint(0, 40))))


def formula(r: random.Random, depth: int, dice: bool) -> str:
    kind = r.random()
    if depth <= 0 or kind < 0.45:
        return die(r) if dice and r.random() < 0.6 else number(r)
    if kind < 0.8:
        rounding = r.choice("URFC") if r.random() < 0.1 else ""
        return f"{formula(r, depth - 1, dice)}{r.choice('++--*/')}{formula(r, depth - 1, dice)}{rounding}"
    return f"({formula(r, depth - 1, dice)})" if kind < 0.92 else f"-{formula(r, depth - 1, dice)}"


def die(r: random.Random) -> str:
    keep = r.choice(("KH", "KL", "DH", "DL", "MAX", "MIN")) + r.choice(("", "1", "2")) if r.random() < 0.2 else ""
    return f"{number(r) if r.random() < 0.8 else ''}{r.choice('DDd')}{r.choice(('6', '6', '66', '100', ''))}{keep}"


def target(r: random.Random) -> str:
    return r.choice(COMPARISONS) + formula(r, 1, False) if r.random() < 0.6 else ""


def command(r: random.Random, edo: bool) -> str:
    kind = r.randrange(14 if edo else 11)
    if kind < 5:
        return formula(r, 2, True) + target(r)
    if kind == 5:
        return f"{number(r)}B{number(r)}{target(r)}"
    if kind == 6:
        return f"{number(r)}R{r.choice(('6', '10'))}{r.choice(('', '[5]', '[>4]', '@6'))}{target(r)}"
    if kind == 7:
        return (
            f"{number(r)}U{r.choice(('6', '10'))}{r.choice(('', '[6]', '[2]'))}{r.choice(('', '+1', '-2'))}{target(r)}"
        )
    if kind == 8:
        return r.choice(
            (f"{number(r)}TY6", f"{number(r)}TZ{number(r)}", "D66" + r.choice("ASDN"), f"C({formula(r, 2, False)})")
        )
    if kind == 9:
        return "choice" + r.choice(
            ("[A,B]", "[A、B]", "(A,B,C)", " A B", "2[1-6]", "[A", "[]", "「あ、い」", "", "9[A,B]")
        )
    if kind == 10:
        return f"{r.choice(('x', 'rep', 'repeat'))}{number(r)} {command(r, edo) if r.random() < 0.9 else ''}"
    head = r.choice(("E", "EDO", "2E", "4E"))
    if kind == 11:
        return f"{head}{formula(r, 1, False)}{r.choice(('', '[主役]', '[S]', '[X]'))}{target(r)}"
    if kind == 12:
        return f"{head}{number(r)}{r.choice(('vs', ' vs ', '対'))}{head}{number(r)}"
    return f"E1D6{r.choice(('', '+2', '-1+3'))}{r.choice(('', '[3]', '[峰]', '[Z]'))}{r.choice(('', ':4'))}"


def spoiled(r: random.Random, line: str) -> str:
    letters = list(line)
    for _ in range(r.randint(1, 3)):
        place = r.randrange(len(letters) + 1)
        act = r.randrange(4)
        if act == 0:
            letters.insert(place, r.choice(SALT))
        elif act == 1 and letters:
            letters.pop(place - 1)
        elif act == 2 and letters:
            letters[place - 1] = r.choice(SALT)
        elif len(letters) > 1:
            other = r.randrange(len(letters))
            letters[place - 1], letters[other] = letters[other], letters[place - 1]
    return "".join(letters)


def wide(line: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in line)


def anything(r: random.Random) -> str:
    if r.random() < 0.5:
        return "".join(r.choice(SALT) for _ in range(r.randint(0, 30)))
    return "".join(
        chr(r.choice((r.randrange(32, 127), r.randrange(0x3040, 0x9FFF), r.randrange(0x10FFFF)))) for _ in range(9)
    )


def lines(seed: int, count: int, *, edo: bool) -> Iterator[str]:
    r = random.Random(seed)
    for _ in range(count):
        kind = r.random()
        line = ("S" if r.random() < 0.1 else "") + command(r, edo) + r.choice(BEHIND)
        if kind < 0.25:
            line = spoiled(r, line)
        elif kind < 0.35:
            line = wide(line)
        elif kind < 0.4:
            line = "?" + line
        elif kind < 0.5:
            line = anything(r)
        yield line
