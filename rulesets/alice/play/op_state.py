"""The open operation (rules §7, §9): one test, contest, race, attack or flight at a time, with everybody's attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rulesets.alice.play.actor_state import Plain, Way

OpKind = Literal["test", "reason", "empathy", "acquire", "recovery", "contest", "race", "attack", "flee"]
# declared: suit to be ruled · suit: difficulty to be set · class: classes to be settled, difficulty cards face down ·
# card: a card to be played · ace: how a flipped card reads · verdict: the GM decides · damage: the attacker chooses
OpPhase = Literal["declared", "suit", "class", "card", "ace", "verdict", "damage"]
SINGLE: tuple[OpKind, ...] = ("test", "reason", "empathy", "acquire", "recovery")
OPPOSED: tuple[OpKind, ...] = ("contest", "attack", "flee")
# tests that fill the round (§9.5)
BUSY: tuple[OpKind, ...] = ("reason", "empathy", "acquire")
SUCCESSES = ("success", "made", "success_trivial")


@dataclass(frozen=True)
class Attempt(Plain):
    """One side's part. `base` is the class as ruled, `cls` with 道理; `token` the 道理 chosen, `bonus` what it gives.

    `value`: the ability as it counted; `outcome`: §7.2's words in lower case, `made` where there is no target.
    """

    who: str
    action: str = ""
    suit: str = ""
    wish: str = ""
    wish_reason: str = ""
    base: str = ""
    cls: str = ""
    luck: bool = False
    story: str = ""
    token: str = ""
    bonus: Literal["", "class", "favourable"] = ""
    way: Way = ""
    card: str = ""
    boosted: bool = False
    ace: str = ""
    value: int | None = None
    achievement: int | None = None
    outcome: str = ""
    committed: bool = False
    rank: int = 0

    @property
    def done(self) -> bool:
        return bool(self.outcome)


@dataclass(frozen=True)
class Op(Plain):
    """`tries`: of a contest the active side first; `at` is whose turn it is. `cards`: difficulty cards laid.

    `about` holds what only one kind has: the target of an 交感, the item of a 獲得, patient and suit of a recovery …
    """

    id: str
    kind: OpKind
    phase: OpPhase
    tries: tuple[Attempt, ...]
    at: int = 0
    cards: int = 0
    turned: bool = False
    favourable: bool = False
    target: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    since: str = ""
    flips: tuple[str, ...] = ()

    @property
    def now(self) -> Attempt:
        return self.tries[self.at]

    @property
    def active(self) -> Attempt:
        return self.tries[0]

    def of(self, who: str) -> int | None:
        """Which attempt is somebody's."""
        return next((n for n, one in enumerate(self.tries) if one.who == who), None)
