"""Tokens of a chat line. A line is read token by token only as far as its command goes; the rest is comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulesets.engine.commands.results import Comparison
from rulesets.engine.normalise import LONG_VOWEL

# Words of the common commands; every other letter is a token of its own.
WORDS = ("TY", "TZ", "KH", "KL", "DH", "DL", "MAX", "MIN")
_SIGNS = {
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "^": "CARET",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LBRA",
    "【": "LBRA",
    "「": "LBRA",
    "〔": "LBRA",
    "]": "RBRA",
    "】": "RBRA",
    "」": "RBRA",
    "〕": "RBRA",
    "@": "AT",
    "?": "QMARK",
    ":": "COLON",
}
_CANON = {"LBRA": "[", "RBRA": "]"}
_UNEQUAL = {"≧": ">=", "≥": ">=", "≦": "<=", "≤": "<=", "≠": "<>"}
OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
# After these something must follow.
OPEN_ENDED = OPERATORS | {"CARET", "LPAR", "LBRA", "AT", "COLON", "CMP"}
OPERAND_START = re.compile(r"[0-9(D?+\-]")
OTHER = "OTHER"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One token: its terminal, its standard spelling, its place in the line, and whether a blank stands before it."""

    type: str
    text: str
    start: int
    end: int
    spaced: bool


class Lexer:
    """Cuts tokens from a folded line. `words` are the game's own (longest first wins)."""

    def __init__(self, words: Mapping[str, tuple[str, str]]) -> None:
        """`words`: what may be typed (folded) -> terminal of the game's grammar and standard spelling."""
        known = {word: (word, word) for word in WORDS} | dict(words)
        spelled = "|".join(re.escape(word) for word in sorted(known, key=len, reverse=True))
        self._words = known
        self._pattern = re.compile(
            r"(?P<blank>[ \n]+)"
            r"|(?P<number>[0-9]+)"
            r"|(?P<d66>D66(?![0-9]))"
            rf"|(?P<word>{spelled})"
            r"|(?P<letter>[A-Z])"
            r"|(?P<compare>[<>!=]*[<>=][<>!=]*|[≧≥≦≤≠]=?)"
            r"|(?P<sign>[-+*/^()\[\]【】「」〔〕@?:])"
        )

    def next(self, folded: str, at: int) -> Lexeme | None:
        """The token at `at` or after blanks there; None at the end. What is no token has type `OTHER`."""
        found = self._pattern.match(folded, at)
        spaced = False
        if found is not None and found.lastgroup == "blank":
            spaced, at = True, found.end()
            found = self._pattern.match(folded, at)
        if at >= len(folded):
            return None
        if found is None:
            if folded[at] == LONG_VOWEL and _between_numbers(folded, at):
                return Lexeme("MINUS", "-", at, at + 1, spaced)
            return Lexeme(OTHER, folded[at], at, at + 1, spaced)
        text, kind = found[0], found.lastgroup
        if kind == "number":
            return Lexeme("NUMBER", text.lstrip("0") or "0", at, found.end(), spaced)
        if kind == "d66":
            return Lexeme("D66", text, at, found.end(), spaced)
        if kind == "word":
            return Lexeme(*self._words[text], at, found.end(), spaced)
        if kind == "letter":
            return Lexeme(text, text, at, found.end(), spaced)
        if kind == "compare":
            return Lexeme("CMP", comparison(text), at, found.end(), spaced)
        sign = _SIGNS[text]
        return Lexeme(sign, _CANON.get(sign, text), at, found.end(), spaced)


def _between_numbers(folded: str, at: int) -> bool:
    before, after = folded[at - 1 : at], folded[at + 1 : at + 2]
    return before in set("0123456789)") and after in set("0123456789(D")


def comparison(text: str) -> Comparison:
    """The comparison that a run of signs stands for; the same reading as BCDice (`=>` is `>=`, `!=` is `<>`)."""
    text = _UNEQUAL.get(text[0], text)
    if "<=" in text or "=<" in text:
        return "<="
    if ">=" in text or "=>" in text:
        return ">="
    if "<>" in text or "!=" in text or "=!" in text:
        return "<>"
    if "<" in text:
        return "<"
    return ">" if ">" in text else "="


def spelled(lexemes: Iterable[Lexeme]) -> str:
    return "".join(lexeme.text for lexeme in lexemes)
