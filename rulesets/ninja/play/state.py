"""The live state of a table (rules §10): frozen, plain data inside, JSON there and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from pydantic import TypeAdapter

from rulesets.ninja.play.actor_state import ActorState, Cast, Effect, Life, Phase, Plain, TurnUse, Until
from rulesets.ninja.tables import HOUSE_RULES, Ninja

__all__ = [
    "PHASES",
    "ActorState",
    "Atmosphere",
    "Attack",
    "AttackKind",
    "Cast",
    "Effect",
    "Fight",
    "Group",
    "Hit",
    "Life",
    "Phase",
    "Scene",
    "State",
    "TurnUse",
    "Until",
    "from_json",
    "to_json",
]

Atmosphere = Literal["normal", "hard", "u_hard"]
AttackKind = Literal["melee", "shuriken", "gun", "jitsu", "hack", "counter"]
PHASES: tuple[Phase, ...] = ("start", "move", "attack", "end")


@dataclass(frozen=True)
class Scene(Plain):
    number: int = 0
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class Fight(Plain):
    """Turns of a fight (§5). `slots` are ids of actors, of mobs as one, and `id~2` for the second turn of a duel.

    `now` is the slot whose 手番 runs, "" once all have acted (ターン終了フェイズ); `ties`: ranks settled once.
    """

    turn: int = 1
    now: str = ""
    phase: Phase = "start"
    acted: tuple[str, ...] = ()
    ties: Mapping[str, int] = field(default_factory=dict)
    atmosphere: Atmosphere = "normal"
    duel: bool = False


@dataclass(frozen=True)
class Hit(Plain):
    """One sub-attack that hit (§6.1). `critical`: "" | satsubatsu | namuamidabutsu; `face`: its table die, if thrown.

    `pierce` None ignores reduction altogether; `rank`: base evasion difficulty; `mp`: 精神力 damage instead of 体力;
    `after`: a state for whom it strikes.
    """

    attacker: str
    target: str
    damage: int
    rank: int
    successes: int
    blow: int = 0
    critical: str = ""
    face: int | None = None
    row: int | None = None
    pierce: int | None = 0
    mp: int = 0
    after: str = ""
    no_blow: bool = False


@dataclass(frozen=True)
class Group(Plain):
    """Hits that are evaded together (§6.3)."""

    target: str
    hits: tuple[Hit, ...]
    rank: int
    successes: int
    can_counter: bool = False
    cannot_evade: bool = False
    result: Literal["", "evaded", "struck"] = ""
    next_hit: int = 0


@dataclass(frozen=True)
class Attack(Plain):
    """An attack under way: its groups in order, the one being resolved, and who is asked about what.

    `sure_counter`: a counter against it cannot be evaded (ランスキック); `mercy`: the dying faint instead.
    """

    id: str
    kind: AttackKind
    groups: tuple[Group, ...]
    current: int = 0
    asked: str = ""
    about: Literal["", "evade", "endure"] = ""
    sure_counter: bool = False
    mercy: bool = False
    countered: bool = False
    since: str = ""

    @property
    def group(self) -> Group:
        return self.groups[self.current]

    def with_group(self, **values: Any) -> Attack:
        changed = replace(self.group, **values)
        return replace(self, groups=(*self.groups[: self.current], changed, *self.groups[self.current + 1 :]))


@dataclass(frozen=True)
class State(Plain):
    """Everything at one table. `step` counts the questions of attacks; `next_id` names what comes next."""

    house_rules: Mapping[str, Any]
    actors: Mapping[str, ActorState]
    scene: Scene = Scene()
    evening: int = 1
    scenario_open: bool = True
    fight: Fight | None = None
    attack: Attack | None = None
    step: int = 0
    ties: Mapping[str, int] = field(default_factory=dict)
    slayer_target: str = ""
    next_id: int = 1

    @cached_property
    def tables(self) -> Ninja:
        return HOUSE_RULES.tables(self.house_rules)

    def group(self, group_id: str) -> tuple[ActorState, ...]:
        """The members of a mob, or the one actor of that id; () for an unknown id."""
        if group_id in self.actors:
            return (self.actors[group_id],)
        return tuple(actor for actor in self.actors.values() if actor.cast.group == group_id)


_STATE: TypeAdapter[State] = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. Raises `pydantic.ValidationError` for what `to_json` did not write."""
    return _STATE.validate_python(data)
