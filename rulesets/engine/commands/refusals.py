"""Why a line was not rolled: a code, a sentence in both languages, and what may have been meant.

A refused line has drawn no die. `RollRefused.suggestions` is worked out when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesets.engine.text import Text
from rulesets.protocol import Refusal

MAX_LINE = 2_000
MAX_TOKENS = 400
MAX_DEPTH = 40
MAX_DIGITS = 12
MAX_VALUE = 10**15
MAX_DICE = 200
MAX_SIDES = 10_000
MAX_RANDOM = 10_000
MAX_REPEAT = 100
MAX_ROLLS = 20
MAX_ITEMS = 100
MAX_TALLY_SIDES = 20
MAX_EXPONENT = 50

# Refusals about reading a line, not about its size: something else may have been meant.
UNREADABLE = frozenset({"not_a_command", "incomplete", "leftover", "no_dice", "repeat_inner", "choice_open"})

_MESSAGES: dict[str, Text] = {
    "empty": Text("コマンドがありません。", "There is no command."),
    "not_a_command": Text("「{typed}」はダイスのコマンドとして読めません。", "“{typed}” is no dice command."),
    "incomplete": Text("「{typed}」は途中で終わっています（{missing}）。", "“{typed}” stops half-way ({missing})."),
    "leftover": Text(
        "「{read}」のあとの「{rest}」が読めません。コメントなら前に空白を入れてください。",
        "“{rest}” after “{read}” cannot be read. Put a blank before it if it is a comment.",
    ),
    "no_dice": Text(
        "「{typed}」にはダイスがありません。計算だけなら C({typed}) です。",
        "“{typed}” has no dice. For a calculation write C({typed}).",
    ),
    "line_too_long": Text("1行は{limit}文字までです。", "A line may have {limit} characters at most."),
    "too_many_parts": Text(
        "式が長すぎます（{limit}個の部品まで）。", "The formula is too long ({limit} parts at most)."
    ),
    "too_deep": Text("かっこが深すぎます（{limit}重まで）。", "Too many nested brackets ({limit} at most)."),
    "number_too_long": Text("数は{limit}桁までです。", "A number may have {limit} digits at most."),
    "value_too_large": Text(
        "計算の結果が大きすぎます（{limit}桁まで）。", "The result may become too large ({limit} digits at most)."
    ),
    "too_many_dice": Text(
        "ダイスは1つの項で{limit}個までです（{had}個）。", "One term may have {limit} dice at most, not {had}."
    ),
    "too_many_sides": Text(
        "ダイスの面は{limit}面までです（{had}面）。", "A die may have {limit} sides at most, not {had}."
    ),
    "too_few_sides": Text("ダイスの面は1以上です（{had}）。", "A die needs at least 1 side, not {had}."),
    "too_few_dice": Text(
        "ダイスの個数は{limit}以上です（{had}）。", "The number of dice must be at least {limit}, not {had}."
    ),
    "too_many_random": Text(
        "1つのコマンドで振れるダイスは{limit}個までです（{had}個になります）。",
        "One command may throw {limit} dice at most; this would be {had}.",
    ),
    "division_by_zero": Text("0で割れません。", "Division by 0."),
    "may_divide_by_zero": Text(
        "出目によっては0で割ることになります（{divisor}）。", "Some throws would divide by 0 ({divisor})."
    ),
    "dice_in_number": Text(
        "ここにはダイスを書けません：{part}（個数・面数・目標値は数だけ）。",
        "No dice are possible here: {part} (counts, sides and targets are numbers).",
    ),
    "keep_negative": Text("残す・除く個数は0以上です（{had}）。", "Dice to keep or drop: at least 0, not {had}."),
    "power_of_dice": Text("「^」は数だけに使えます。", "“^” works on numbers only."),
    "power_exponent": Text("「^」の右は0から{limit}までの数です。", "The exponent must be 0 to {limit}."),
    "reroll_condition": Text(
        "条件が間違っています。2R6>=5 あるいは 2R6[5] のように、振り足す目を指定してください。",
        "Wrong condition. Name the faces that are thrown again, as in 2R6>=5 or 2R6[5].",
    ),
    "rising_condition": Text(
        "無限ロールの条件がまちがっています。4U6[6] のように、2以上の振り足す目を指定してください。",
        "Wrong condition of the rising dice. Name a face of 2 or more that is thrown again, as in 4U6[6].",
    ),
    "endless": Text(
        "振り足しが終わりません（平均{had}個、{limit}個まで）。",
        "The extra throws would hardly end (about {had} dice, {limit} at most).",
    ),
    "tally_sides": Text(
        "個数を数えるダイスの面は1以上、{limit}以下です（{had}）。",
        "Dice of a tally have 1 to {limit} sides, not {had}.",
    ),
    "repeat_times": Text("繰り返し回数は1以上、{limit}以下です（{had}回）。", "Repeat 1 to {limit} times, not {had}."),
    "repeat_nested": Text("繰り返しの中に繰り返しは書けません。", "A repetition may not hold another one."),
    "repeat_inner": Text(
        "繰り返す内容「{typed}」が読めません：{why}", "What is to be repeated, “{typed}”, cannot be read: {why}"
    ),
    "too_many_rolls": Text("1度に{limit}回分までです。", "At most {limit} rolls at once."),
    "choice_empty": Text("choice の候補がありません。", "There is nothing to choose from."),
    "choice_open": Text("choice のかっこが閉じていません。", "The bracket of the choice is not closed."),
    "choice_items": Text("候補は{limit}個までです（{had}個）。", "At most {limit} items, not {had}."),
    "choice_draws": Text(
        "候補は{items}個なので、{had}個は選べません。", "{had} cannot be chosen out of {items} items."
    ),
    "unknown_system": Text(
        "「{system}」のダイスはありません。使えるのは {known} です。",
        "There are no dice for “{system}”. Available: {known}.",
    ),
    "odds_none": Text("「{read}」には確率を計算するダイスがありません。", "“{read}” has no dice to compute odds for."),
    "odds_too_large": Text(
        "「{read}」はダイスが多すぎるので、確率を計算しません。", "“{read}” has too many dice to compute its odds."
    ),
}


class RollRefused(Refusal):
    """A line that is not rolled. `code`, `message` (ja/en), `params`, and up to three `suggestions`."""

    def __init__(self, code: str, message: Text | None = None, **params: object) -> None:
        super().__init__(code, message if message is not None else _MESSAGES[code].format(**params), **params)
        self._suggest: Callable[[], tuple[str, ...]] | None = None
        self._suggestions: tuple[str, ...] | None = None

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Lines that can be read and are near to what was typed, best first, at most three."""
        if self._suggestions is None:
            self._suggestions = self._suggest() if self._suggest is not None else ()
        return self._suggestions

    def offering(self, suggest: Callable[[], tuple[str, ...]]) -> RollRefused:
        """This refusal, with a way to find suggestions."""
        self._suggest, self._suggestions = suggest, None
        return self

    def sentence(self, lang: str) -> str:
        """One line for a person: what is wrong and what may have been meant."""
        text = self.message.pick(lang)
        if not self.suggestions:
            return text
        lead = Text("もしかして: ", "Did you mean: ").pick(lang)
        return f"{text} {lead}{' / '.join(self.suggestions)}"
