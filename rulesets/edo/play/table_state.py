"""What is open at the table (rules §5.1, §6.3, §7): rolls, requests, wishes, fight, exchange, opposed roll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rulesets.edo.play.actor_state import Plain

Mode = Literal["", "minejuchi", "grapple", "throw", "choke_faint", "choke_kill", "lock", "atemi"]
Defence = Literal["", "none", "parry", "dodge", "resist"]


# ---------------------------------------------------------------- rolls, requests, wishes


@dataclass(frozen=True)
class Check(Plain):
    """A 行為判定 that was or will be made: what is rolled, against what, what came of it.

    `outcome` is the JSON of its `Outcome` tree so far. `hides`: the difficulty is the GM's
    alone. `settled`: the result stands (no 活劇点 can change it any more);
    what follows from it is registered by `kind` in `followups`. `target`: whom it is about, if not `who`.
    """

    id: str
    who: str
    kind: str
    what: str
    dice: int
    value: int
    difficulty: int | None
    total: int | None = None
    success: bool | None = None
    faces: tuple[int, ...] = ()
    auto: bool = False
    turned: bool = False
    rerolls: int = 0
    gained: int = 0
    settled: bool = False
    audience: tuple[str, ...] = ("all",)
    hides: bool = False
    told: bool = False
    target: str = ""
    outcome: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply(Plain):
    """One actor's part of a request. `check` is the roll's id; `result` is "" while open."""

    result: Literal["", "success", "failure", "rolled", "excused"] = ""
    check: str = ""
    total: int | None = None


@dataclass(frozen=True)
class Request(Plain):
    """The GM asks for rolls (§5.1). `what` is a skill row, an ability or `endurance`."""

    id: str
    what: str
    difficulty: int | None
    show_difficulty: bool
    secrecy: str
    text: str
    replies: Mapping[str, Reply]
    open: bool = True
    at: str = ""


@dataclass(frozen=True)
class Wish(Plain):
    """A player asks: a coincidence (§6.3) or to be allowed a roll. `points`: the GM's price."""

    id: str
    kind: Literal["coincidence", "roll"]
    who: str
    text: str
    what: str = ""
    selfish: bool = False
    points: int | None = None
    status: Literal["open", "priced", "done", "refused", "withdrawn"] = "open"
    request: str = ""
    at: str = ""


# ---------------------------------------------------------------- fight and exchange


@dataclass(frozen=True)
class Fight(Plain):
    """Turn order (§7.1): ids of actors, or of mobs as one entry; `ties` are the tie-break dice by id."""

    order: tuple[str, ...]
    index: int = 0
    round: int = 1
    ties: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Shot(Plain):
    """A ranged strike: distance in ken and what was agreed about it."""

    distance: int
    far: bool
    target_moving: bool = False
    shooter_moving: bool = False
    aimed: bool = False
    small: bool = False
    half_cover: bool = False


@dataclass(frozen=True)
class Strike(Plain):
    """One blow of an exchange, declared or counter. `modifier` is the GM's own shift of the difficulty.

    `auto_riding`: the riding roll is bought too; `demand`: the roll a hit asks of its target, `after` what came of it.
    """

    attacker: str
    target: str
    arm: str
    mode: Mode = ""
    counter: bool = False
    shot: Shot | None = None
    auto: bool = False
    auto_riding: bool = False
    modifier: int = 0
    first: bool = False
    drawn: bool = False
    riposte: bool = False
    hit: Check | None = None
    riding: Check | None = None
    defence: Defence = ""
    defence_arm: str = ""
    defended: Check | None = None
    demand: str = ""
    after: Check | None = None
    damage: int | None = None
    result: Literal["", "missed", "void", "dodged", "parried", "resisted", "landed"] = ""

    @property
    def landed_roll(self) -> bool:
        """Whether the to-hit roll (and the riding roll, if any) succeeded."""
        return all(check.success for check in (self.hit, self.riding) if check is not None) and self.hit is not None


Phase = Literal[
    "counter", "to_hit", "hit_window", "order", "defence", "defence_window", "damage", "survive", "after_window", "end"
]


@dataclass(frozen=True)
class Exchange(Plain):
    """The exchange under way (§7.4). `asked` is who must answer now; `current` counts within `strikes`."""

    id: str
    strikes: tuple[Strike, ...]
    phase: Phase = "counter"
    current: int = 0
    asked: str = ""
    about: str = ""
    unaware: bool = False
    since: str = ""
    queue: tuple[str, ...] = ()

    @property
    def strike(self) -> Strike:
        return self.strikes[self.current]

    def with_strike(self, strike: Strike) -> Exchange:
        strikes = (*self.strikes[: self.current], strike, *self.strikes[self.current + 1 :])
        return replace(self, strikes=strikes)


@dataclass(frozen=True)
class Contest(Plain):
    """An opposed roll under way (§5.5): the first side wants a change, the second resists.

    `kind`: what follows when it ends (see `contest.ends`), "" = nothing but the result.
    """

    id: str
    sides: tuple[Check, Check]
    kind: str = ""
    phase: Literal["answer", "window"] = "answer"
    asked: str = ""
    since: str = ""
