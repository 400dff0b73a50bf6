"""What is tracked of one actor (rules §10): body, round, weapons, needs, care."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Value
from rulesets.protocol import Kind

LifeState = Literal["alive", "unconscious", "incapacitated", "helpless", "seeming_dead", "dead"]
Posture = Literal["standing", "crouching", "prone"]
FirstAid = Literal["none", "ok", "bad"]


class Plain:
    """Refuses unknown keys when read back."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Cast(Plain):
    """Who an actor is: changes only when the GM takes over a newer sheet. `seat` "" = the GM's own (NPC).

    Members of a mob share `group` (its id) and are counted by `number`, from 1.
    """

    id: str
    name: str
    seat: str
    kind: Kind
    fields: Mapping[str, Value]
    group: str = ""
    number: int = 0

    @cached_property
    def _known(self) -> dict[int, tuple[Sheet, dict[Any, Any]]]:
        return {}

    def sheet(self, tables: Edo) -> Sheet:
        """The build under these tables; made once."""
        return self._under(tables)[0]

    def memo(self, tables: Edo) -> dict[Any, Any]:
        """What was worked out about this build under these tables, to be worked out once only."""
        return self._under(tables)[1]

    def _under(self, tables: Edo) -> tuple[Sheet, dict[Any, Any]]:
        found = self._known.get(id(tables))
        if found is None or found[0].tables is not tables:
            found = self._known[id(tables)] = Sheet(self.fields, tables), {}
        return found


@dataclass(frozen=True)
class Life(Plain):
    """Whether somebody can act.

    `minutes`: how long unconscious; `days`: day n of helplessness (§8.5); `open`: dead outside a fight, and
    実は生きていた may still be said (§6.3).
    """

    state: LifeState = "alive"
    minutes: int | None = None
    days: int = 0
    open: bool = False

    @property
    def able(self) -> bool:
        return self.state == "alive"

    @property
    def gone(self) -> bool:
        return self.state in ("dead", "seeming_dead")


@dataclass(frozen=True)
class RoundUse(Plain):
    """What was done in this round (§7.2); a fresh one at the start of each round.

    `moves`: move actions begun; `stretch`: ken left of the one under way; `blade_*`: uses by weapon key (二天一流);
    `parried`: whom this actor parried and has not struck back at yet (小野派); `reloading`: the round goes to a gun.
    """

    moves: int = 0
    stretch: int = 0
    attacks: int = 0
    parries: int = 0
    dodges: int = 0
    blade_attacks: Mapping[str, int] = field(default_factory=dict)
    blade_parries: Mapping[str, int] = field(default_factory=dict)
    bought_moves: int = 0
    bought_attacks: int = 0
    bought_defences: int = 0
    free_used: bool = False
    parried: tuple[str, ...] = ()
    reloading: bool = False

    @property
    def idle(self) -> bool:
        """Nothing done yet that a round of loading forbids: bought moves and dodges do no harm (§7.2)."""
        others = self.attacks or self.parries or self.free_used
        return not others and self.moves <= self.bought_moves and self.dodges <= self.bought_defences


@dataclass(frozen=True)
class ArmState(Plain):
    """A weapon, by the number of the possession (or `punch` … for bare hands).

    `ready`: drawn or in the hand; `progress`: steps of readying a shot, enough = loaded; `taken`: a missile of this
    kind was taken out before in this fight (C25); `ammo`: None = not counted.
    """

    ready: bool = False
    broken: bool = False
    progress: int = 0
    taken: bool = False
    ammo: int | None = None


@dataclass(frozen=True)
class Needs(Plain):
    """Sleep, food and fatigue (§8.4, §8.5).

    `awake_rolled`: the last hour awake for which the 心 roll was made; `slept`, `meals`, `drank`: what was noted since
    the last morning, None = nothing yet.
    """

    fatigued: bool = False
    hours_awake: int = 0
    awake_rolled: int = 0
    asleep: bool = False
    short_sleep: bool = False
    meal_miss_days: int = 0
    no_food_days: int = 0
    no_water_days: int = 0
    slept: int | None = None
    meals: int | None = None
    drank: bool | None = None


@dataclass(frozen=True)
class Care(Plain):
    """Treatment of wounds (§8.1–§8.3). `medicine` is taken off the recovery difficulty; hours are of `Clock`.

    `due`: the recovery roll of this morning is still to be made, with `nurse_level` and `medicine` as they stand.
    """

    first_aid: FirstAid = "none"
    cared_today: bool = False
    due: bool = False
    nurse_level: int = 0
    medicine: int = 0
    serious: bool = False
    serious_deadline: int | None = None


@dataclass(frozen=True)
class Choke(Plain):
    """Successes in a row; `round` is that of the last one, in a fight."""

    mode: Literal["faint", "kill", "lock"]
    count: int = 0
    round: int = 0


@dataclass(frozen=True)
class ActorState(Plain):
    """One actor: a character, or one member of a mob."""

    cast: Cast
    on_stage: bool = True
    hidden: bool = False
    numbers_shown: bool = False
    ally: bool = False
    unaware: bool = False
    kp: int = 0
    kp_rolled: bool = False
    permitted: bool = False
    wounds: int = 0
    hunger_loss: int = 0
    life: Life = Life()
    round: RoundUse = RoundUse()
    first_strike_used: bool = False
    arms: Mapping[str, ArmState] = field(default_factory=dict)
    posture: Posture = "standing"
    mounted: bool = False
    horse_trained: bool = True
    holds: str = ""
    held_by: str = ""
    choke: Choke | None = None
    armour: str = ""
    place: str = ""
    needs: Needs = Needs()
    care: Care = Care()
    money_mon: int = 0
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
    def off_guard(self) -> bool:
        """Taken unawares, or asleep: no counterattack and no defence (§7.4)."""
        return self.unaware or self.needs.asleep

    @property
    def recovers(self) -> bool:
        """Whether the recovery roll of this morning is still to be made; the dead and the healed make none (§8.2)."""
        return self.care.due and self.wounds > 0 and not self.life.gone

    @property
    def npc(self) -> bool:
        return self.cast.kind == "npc"
