"""The live state of a table (rules §10): frozen, plain data inside, JSON there and back.

Distances are in whole ken (0 = same square), reach in half ken as in the tables. Everything an event may set is a field
of `ActorState` or `State`; `decode` reads one such field from JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_type_hints

from pydantic import ConfigDict, TypeAdapter

from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import HOUSE_RULES, Edo
from rulesets.engine.problems import Value
from rulesets.protocol import Kind

LifeState = Literal["alive", "unconscious", "incapacitated", "helpless", "seeming_dead", "dead"]
Posture = Literal["standing", "crouching", "prone"]
FirstAid = Literal["none", "ok", "bad"]
Mode = Literal["", "minejuchi", "grapple", "throw", "choke_faint", "choke_kill", "lock", "atemi"]
Defence = Literal["", "none", "parry", "dodge", "resist"]


class _Plain:
    """Refuses unknown keys when read back."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


# ---------------------------------------------------------------- an actor


@dataclass(frozen=True)
class Cast(_Plain):
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
class Life(_Plain):
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
class RoundUse(_Plain):
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
        """Nothing done yet that takes an action."""
        return not (self.moves or self.attacks or self.parries or self.dodges)


@dataclass(frozen=True)
class ArmState(_Plain):
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
class Needs(_Plain):
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
class Care(_Plain):
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
class Choke(_Plain):
    """Successes in a row; `round` is that of the last one, in a fight."""

    mode: Literal["faint", "kill", "lock"]
    count: int = 0
    round: int = 0


@dataclass(frozen=True)
class ActorState(_Plain):
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
    def npc(self) -> bool:
        return self.cast.kind == "npc"


# ---------------------------------------------------------------- rolls, requests, wishes


@dataclass(frozen=True)
class Check(_Plain):
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
class Reply(_Plain):
    """One actor's part of a request. `check` is the roll's id; `result` is "" while open."""

    result: Literal["", "success", "failure", "rolled", "excused"] = ""
    check: str = ""
    total: int | None = None


@dataclass(frozen=True)
class Request(_Plain):
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
class Wish(_Plain):
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
class Fight(_Plain):
    """Turn order (§7.1): ids of actors, or of mobs as one entry; `ties` are the tie-break dice by id."""

    order: tuple[str, ...]
    index: int = 0
    round: int = 1
    ties: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Shot(_Plain):
    """A ranged strike: distance in ken and what was agreed about it."""

    distance: int
    far: bool
    target_moving: bool = False
    shooter_moving: bool = False
    aimed: bool = False
    small: bool = False
    half_cover: bool = False


@dataclass(frozen=True)
class Strike(_Plain):
    """One blow of an exchange, declared or counter. `modifier` is the GM's own shift of the difficulty."""

    attacker: str
    target: str
    arm: str
    mode: Mode = ""
    counter: bool = False
    shot: Shot | None = None
    auto: bool = False
    modifier: int = 0
    first: bool = False
    drawn: bool = False
    riposte: bool = False
    hit: Check | None = None
    riding: Check | None = None
    defence: Defence = ""
    defence_arm: str = ""
    defended: Check | None = None
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
class Exchange(_Plain):
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
class Contest(_Plain):
    """An opposed roll under way (§5.5): the first side wants a change, the second resists.

    `kind`: what follows when it ends (see `contest.ends`), "" = nothing but the result.
    """

    id: str
    sides: tuple[Check, Check]
    kind: str = ""
    phase: Literal["answer", "window"] = "answer"
    asked: str = ""
    since: str = ""


@dataclass(frozen=True)
class Scene(_Plain):
    number: int = 0
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class Clock(_Plain):
    """The story's time: day from 1, hour 0–23 of that day."""

    day: int = 1
    hour: int = 8

    @property
    def hours(self) -> int:
        """Hours since the start of day 1."""
        return (self.day - 1) * 24 + self.hour


@dataclass(frozen=True)
class State(_Plain):
    """Everything at one table. `step` counts the answers of open operations; `next_id` names what comes next."""

    house_rules: Mapping[str, Any]
    actors: Mapping[str, ActorState]
    scene: Scene = Scene()
    clock: Clock = Clock()
    evening: int = 1
    scenario_open: bool = True
    fight: Fight | None = None
    exchange: Exchange | None = None
    contest: Contest | None = None
    step: int = 0
    distances: Mapping[str, int] = field(default_factory=dict)
    requests: Mapping[str, Request] = field(default_factory=dict)
    wishes: Mapping[str, Wish] = field(default_factory=dict)
    rolls: Mapping[str, Check] = field(default_factory=dict)
    next_id: int = 1

    @cached_property
    def tables(self) -> Edo:
        return HOUSE_RULES.tables(self.house_rules)

    def group(self, group_id: str) -> tuple[ActorState, ...]:
        """The members of a mob, or the one actor of that id; () for an unknown id."""
        if group_id in self.actors:
            return (self.actors[group_id],)
        return tuple(actor for actor in self.actors.values() if actor.cast.group == group_id)

    def distance(self, one: str, other: str) -> int | None:
        """Ken between two actors: from squares (`3,4`, diagonals count 1: C29), else as told; None = not agreed."""
        squares = square(self.actors[one].place), square(self.actors[other].place)
        if squares[0] is not None and squares[1] is not None:
            return max(abs(squares[0][0] - squares[1][0]), abs(squares[0][1] - squares[1][1]))
        return self.distances.get(pair(one, other))


def pair(one: str, other: str) -> str:
    """The key of a distance."""
    return "|".join(sorted((one, other)))


def square(place: str) -> tuple[int, int] | None:
    """A place typed as a square of the grid, `3,4`; None for words."""
    left, comma, right = place.partition(",")
    if not comma:
        return None
    try:
        found = int(left.strip()), int(right.strip())
    except ValueError:
        return None
    return found if all(-999 <= value <= 999 for value in found) else None


# ---------------------------------------------------------------- JSON


_STATE: TypeAdapter[State] = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. Raises `pydantic.ValidationError` for what `to_json` did not write."""
    return _STATE.validate_python(data)


_ADAPTERS: dict[tuple[str, str], TypeAdapter[Any]] = {}


def _field(owner: type[Any], name: str) -> TypeAdapter[Any]:
    key = owner.__name__, name
    if key not in _ADAPTERS:
        hints = get_type_hints(owner)
        if name not in hints or name.startswith("_"):
            raise KeyError(name)
        _ADAPTERS[key] = TypeAdapter(hints[name])
    return _ADAPTERS[key]


def encode(owner: type[Any], name: str, value: Any) -> Any:
    """One field's value as JSON. Raises `KeyError` for a field that does not exist."""
    return _field(owner, name).dump_python(value, mode="json")


def decode(owner: type[Any], name: str, value: Any) -> Any:
    """One field's value from JSON."""
    return _field(owner, name).validate_python(value)
