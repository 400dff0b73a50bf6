"""What is tracked of one actor (rules §10): body, dice, this turn, states, belongings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from rulesets.engine.problems import Value
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Kind

Life = Literal["alive", "fainted", "exploded", "dead", "incapacitated"]
# when a state ends: `own_turn` (before the bearer's next turn), `turn_end`, `combat`, `open` (when somebody says so),
# `caster:<id>` (before the next turn of whoever caused it)
Until = str
CASTER = "caster:"
Phase = Literal["start", "move", "attack", "end"]


class Plain:
    """Refuses unknown keys when read back."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Cast(Plain):
    """Who an actor is. `seat` "" = the GM's own. Members of a mob share `group` and are counted by `number`."""

    id: str
    name: str
    seat: str
    kind: Kind
    fields: Mapping[str, Value]
    group: str = ""
    number: int = 0

    @cached_property
    def _sheets(self) -> dict[int, Sheet]:
        return {}

    def sheet(self, tables: Ninja) -> Sheet:
        """The build under these tables; made once."""
        found = self._sheets.get(id(tables))
        if found is None or found.tables is not tables:
            found = self._sheets[id(tables)] = Sheet(self.fields, tables)
        return found


@dataclass(frozen=True)
class TurnUse(Plain):
    """What was done in this 手番 (§5.4).

    `allowance`: squares left once the movement began, None before; `instants`: phases whose 瞬時行動 is used.
    """

    move_style: str = ""
    move_action: bool = False
    allowance: int | None = None
    no_move: bool = False
    style: str = ""
    attack_action: bool = False
    instants: tuple[Phase, ...] = ()


@dataclass(frozen=True)
class Effect(Plain):
    """A continuing effect: what it changes, for how many of the bearer's turns (None: until the fight ends)."""

    id: str
    turns: int | None = None
    karate: int = 0
    legs: int = 0
    reduction: int = 0
    death_resist: bool = False
    no_evade: bool = False
    unarmed: bool = False


@dataclass(frozen=True)
class ActorState(Plain):
    """One actor: a character, or one member of a mob.

    `evade`, `guard`: 回避ダイス left, and those a guard gave; `hurt`: ability damage; `shock`: what the reaper's entry
    adds to cartwheels, through turn `shock_until`; `last_used`: turn in which an ability was used last.
    """

    cast: Cast
    on_stage: bool = True
    hidden: bool = False
    numbers_shown: bool = False
    ally: bool = False
    hp: int = 0
    mp: int = 0
    hurt: Mapping[str, int] = field(default_factory=dict)
    legs_damage: int = 0
    evade: int = 0
    guard: int = 0
    emergency: int = 0
    quick: int = 0
    adrenaline_used: int = 0
    adrenaline: bool = False
    focus: Literal["", "turn", "phase"] = ""
    cartwheel_penalty: bool = False
    states: Mapping[str, Until] = field(default_factory=dict)
    injuries: Mapping[str, int] = field(default_factory=dict)
    weapon: str = "unarmed"
    turn: TurnUse = TurnUse()
    effects: tuple[Effect, ...] = ()
    last_used: Mapping[str, int] = field(default_factory=dict)
    shock: int = 0
    shock_until: int = 0
    life: Life = "alive"
    away: int = 0
    no_turn: bool = False
    items: Mapping[str, int] = field(default_factory=dict)
    money: int = 0
    fame: int = 0
    dkk: int = 0
    loan: int = 0
    place: str = ""
    brought: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.cast.id

    @property
    def name(self) -> str:
        return self.cast.name

    @property
    def seat(self) -> str:
        return self.cast.seat

    @property
    def npc(self) -> bool:
        return self.cast.kind == "npc"

    @property
    def out(self) -> bool:
        """Gone for good: not to be struck again."""
        return self.life in ("exploded", "dead")
