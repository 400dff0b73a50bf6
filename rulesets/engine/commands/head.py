"""Where a command ends and its comment begins.

Blanks: they are dropped where the command needs what follows (`2D6 >= 8`, `S 2D6`, `6R6 [5]`) and end it where it is
complete (`2D6 8`). Text directly behind a complete command is comment too, with a notice, unless it looks like more of
the command (`2D6.5`, `4D6MAX2`): that is refused, because dropping it would change what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulesets.engine.commands.grammar import Grammar, Reader
from rulesets.engine.commands.lexer import OPEN_ENDED, OPERAND_START, OPERATORS, OTHER, Lexeme, spelled
from rulesets.engine.commands.refusals import MAX_DEPTH, MAX_DIGITS, MAX_TOKENS, RollRefused
from rulesets.engine.commands.results import Notice
from rulesets.engine.normalise import fold
from rulesets.engine.text import Text

SEPARATORS = ",、;"
_PURE = re.compile(r"[-+*/][-0-9DKHLMAXIN()+*/<>=!]*(?=[ \n]|$)")
_SPOKEN = re.compile(r"[A-Z]{3,}(?![A-Z0-9+\-*/<>=!\[(@^])")
_SUFFIX = ("KH", "KL", "DH", "DL", "MAX", "MIN")
_MARKS = ("#", "//", '"', "'", "%")
_WORD = re.compile(r"[^\W_]|[ \n]")
# A comment behind a blank that begins like more of the command deserves a notice.
_DOUBTFUL = re.compile(r"[ \n]*[-+*/<>=!\[(@0-9]")
_FORMULA = OPERATORS | {"NUMBER", "LPAR", "RPAR", "CARET", "U", "C", "R", "F"}
SHOWN = 40

Rest = Literal["end", "blank", "comma", "attached"]


@dataclass(frozen=True, slots=True)
class Line:
    """A text as typed and folded, character by character the same length."""

    typed: str
    folded: str

    @classmethod
    def of(cls, typed: str) -> Line:
        return cls(typed, fold(typed))


@dataclass(frozen=True, slots=True)
class Head:
    """A command at the start of a text: its tree, its standard spelling, where it ends and how the text goes on."""

    tree: Any
    read_as: str
    end: int
    rest: Rest
    notices: tuple[Notice, ...] = ()


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def read_command(grammar: Grammar, line: Line, start: int) -> Head:
    """The longest command at `start`. Raises `RollRefused` when there is none or it is too large to read."""
    reader = grammar.reader()
    at, depth = start, 0
    joined: list[int] = []
    while True:
        lexeme = grammar.lexer.next(line.folded, at)
        if lexeme is None:
            return _ended(reader.fed, reader.whole(), line, start, "end", None)
        if lexeme.spaced and reader.fed:
            if not _joined(grammar, reader, line.folded, lexeme):
                return _ended(reader.fed, reader.whole(), line, start, "blank", lexeme)
            if reader.fed[-1].type not in OPEN_ENDED:
                joined.append(len(reader.fed))
        _small_enough(reader, lexeme, depth)
        if lexeme.type == OTHER or not reader.feed(lexeme):
            # The failed attempt may have closed rules that the end of the line would not close.
            tree = grammar.read_again(reader.fed)
            if tree is None and joined and not any(behind.type == "NUMBER" for behind in reader.fed[joined[-1] :]):
                # Nothing that counts came behind the blank after all: `2D6 >= Dawn`.
                before = reader.fed[: joined[-1]]
                return _ended(before, grammar.read_again(before), line, start, "blank", lexeme)
            return _ended(reader.fed, tree, line, start, "attached", lexeme)
        depth += {"LPAR": 1, "RPAR": -1}.get(lexeme.type, 0)
        at = lexeme.end


def _small_enough(reader: Reader, lexeme: Lexeme, depth: int) -> None:
    if lexeme.type == "NUMBER" and len(lexeme.text) > MAX_DIGITS:
        raise RollRefused("number_too_long", limit=MAX_DIGITS)
    if lexeme.type == "LPAR" and depth >= MAX_DEPTH:
        raise RollRefused("too_deep", limit=MAX_DEPTH)
    if len(reader.fed) >= MAX_TOKENS:
        raise RollRefused("too_many_parts", limit=MAX_TOKENS)


def _joined(grammar: Grammar, reader: Reader, folded: str, lexeme: Lexeme) -> bool:
    """Whether a token behind a blank still belongs to the command."""
    if reader.fed[-1].type in OPEN_ENDED:
        return True
    following = folded[lexeme.end :].lstrip(" \n")[:1]
    if lexeme.type == "CMP":
        return bool(OPERAND_START.match(following)) and reader.accepts(lexeme)
    if lexeme.type in OPERATORS:
        apart = folded[lexeme.end : lexeme.end + 1] in (" ", "\n") and bool(OPERAND_START.match(following))
        return (apart or bool(_PURE.match(folded, lexeme.start) and following)) and reader.accepts(lexeme)
    if lexeme.type in grammar.joining:
        return following in grammar.joining[lexeme.type] and reader.accepts(lexeme)
    if lexeme.type in ("LBRA", "RBRA", "RPAR", "AT"):
        return reader.accepts(lexeme)
    return reader.whole() is None and lexeme.type != OTHER


def _ended(fed: Sequence[Lexeme], tree: Any, line: Line, start: int, rest: Rest, stop: Lexeme | None) -> Head:
    """The command that the tokens make. Raises `RollRefused` when they make none."""
    if tree is None:
        raise _unreadable(fed, line.typed, start, stop)
    end, read_as = fed[-1].end, spelled(fed)
    if rest == "attached" and stop is not None and not stop.spaced:
        if line.folded[end] in SEPARATORS:
            return Head(tree, read_as, end, "comma")
        return Head(tree, read_as, end, rest, (comment_behind(line, end, read_as),))
    notices = (as_comment(line.typed[end:].strip()),) if _DOUBTFUL.match(line.folded, end) else ()
    return Head(tree, read_as, end, "end" if stop is None else "blank", notices)


def comment_behind(line: Line, end: int, read_as: str) -> Notice:
    """The notice that text directly behind a command is comment; `RollRefused` if it looks like more of the command."""
    rest = line.folded[end:]
    if read_as.endswith("D") and rest[0].isascii():  # `1D%`: the sides were meant
        raise RollRefused("leftover", read=read_as, rest=shorten(line.typed[end:]))
    if rest[0].isascii():
        first = _WORD.search(rest)
        word = rest[first.start() :] if first is not None and not rest.startswith(_MARKS) else ""
        more = word[:1].isdecimal() or (word[:1].isascii() and word[:1].isalpha() and not _spoken(word))
        if more:
            raise RollRefused("leftover", read=read_as, rest=shorten(line.typed[end:]))
    return as_comment(line.typed[end:])


def _spoken(word: str) -> bool:
    return bool(_SPOKEN.match(word)) and not word.startswith(_SUFFIX)


def as_comment(rest: str) -> Notice:
    short = shorten(rest)
    return Notice("comment", Text(f"「{short}」はコメントとして扱いました。", f"“{short}” was taken as a comment."))


def _unreadable(fed: Sequence[Lexeme], text: str, start: int, stop: Lexeme | None) -> RollRefused:
    typed = shorten(text[start:])
    numbers = any(lexeme.type == "NUMBER" for lexeme in fed)
    opened = sum({"LPAR": 1, "RPAR": -1, "LBRA": 1, "RBRA": -1}.get(lexeme.type, 0) for lexeme in fed)
    if numbers and fed and (fed[-1].type in OPEN_ENDED or opened > 0):
        if fed[-1].type == "CMP":
            missing = Text(f"「{fed[-1].text}」のあとに数がありません", f"no number after “{fed[-1].text}”")
        elif fed[-1].type in OPEN_ENDED - {"LPAR", "LBRA"}:
            missing = Text(f"「{fed[-1].text}」のあとがありません", f"nothing after “{fed[-1].text}”")
        else:
            missing = Text("かっこが閉じていません", "a bracket is not closed")
        return RollRefused("incomplete", typed=typed, missing=missing)
    if stop is None and numbers and all(lexeme.type in _FORMULA for lexeme in fed):
        return RollRefused("no_dice", typed=spelled(fed))
    return RollRefused("not_a_command", typed=typed)
