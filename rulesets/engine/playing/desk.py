"""The desk a handler works at: the state as it becomes, the checks every command shares, the events made.

A handler first refuses what has to be refused, then throws or shuffles and emits. `emit` applies each event at once, so
later steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from rulesets.engine.dice import DiceSource
from rulesets.engine.outcome import Die, Outcome, Reason
from rulesets.engine.play import ALL, GM, Actor, Audience, Command, Event, Viewer
from rulesets.engine.playing.facts import encoded, told_of_table
from rulesets.engine.playing.reading import Fields, Refuse
from rulesets.engine.playing.registry import Show
from rulesets.engine.text import Text


class Somebody(Protocol):
    """What a desk asks of a character."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def seat(self) -> str: ...
    @property
    def npc(self) -> bool: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def on_stage(self) -> bool: ...


A = TypeVar("A", bound=Somebody)


class Anything(Protocol):
    """What a desk asks of a state."""

    @property
    def actors(self) -> Mapping[str, Any]: ...
    @property
    def next_id(self) -> int: ...
    def group(self, group_id: str, /) -> tuple[Any, ...]: ...


S = TypeVar("S", bound=Anything)


@dataclass(frozen=True)
class Game:
    """What one game gives its desk.

    `soft` are the refusals its GM may set aside; `unknown` and `foreign` the codes for somebody who is not there, and
    for somebody else's character. The row `log.overridden` of its words tells that something was set aside.
    """

    state: type[Any]
    actor: type[Any]
    evolve: Callable[[Any, Event], Any]
    refused: Callable[..., Refuse]
    words: Callable[..., Text]
    soft: Callable[[str], bool]
    unknown: str
    foreign: str


class Desk(Generic[S, A]):
    game: ClassVar[Game]

    def __init__(self, state: S, command: Command, actor: Actor, dice: DiceSource) -> None:
        self.state = state
        self.command = command
        self.actor = actor
        self.events: list[Event] = []
        self.overridden: dict[str, Text] = {}
        self._dice = dice
        self._next = state.next_id

    # ------------------------------------------------------------ reading the state

    def seen(self, actor_id: str) -> A:
        """Anybody the issuer may know of. Somebody hidden does not exist for players (`unknown`)."""
        found: A | None = self.state.actors.get(actor_id)
        if found is None or (not self.actor.is_gm and (found.hidden or not found.on_stage)):
            raise self.game.refused(self.game.unknown)
        return found

    def owns(self, found: Somebody) -> bool:
        return self.actor.is_gm or (not found.npc and found.seat == self.actor.seat)

    def own(self, asked: Fields, name: str = "actor") -> A:
        """The character a command acts with. Refuses `unknown`, `foreign`."""
        return self.check_own(self.seen(asked.text(name)))

    def check_own(self, found: A) -> A:
        if not self.owns(found):
            raise self.game.refused(self.game.foreign, name=found.name)
        return found

    def several(self, ids: Iterable[str]) -> list[A]:
        """Characters by ids of characters or groups, each once. Refuses `unknown`."""
        found: dict[str, A] = {}
        for actor_id in ids:
            members = self.state.group(actor_id)
            if not members:
                raise self.game.refused(self.game.unknown)
            found |= {member.id: self.seen(member.id) for member in members}
        return list(found.values())

    # ------------------------------------------------------------ refusing

    def refuse(self, code: str, **params: object) -> None:
        """Leave with a refusal, unless it is a soft one and the GM gave a reason to set it aside."""
        soft = self.game.soft(code)
        found = self.game.refused(code, overridable=soft, **params)
        if not soft or not self.actor.is_gm or not self.command.override:
            raise found
        self.overridden[code] = found.refused.message

    # ------------------------------------------------------------ emitting

    @property
    def told(self) -> bool:
        """Whether the faces come from the real table."""
        return False

    def new_id(self, prefix: str) -> str:
        found = f"{prefix}{self._next}"
        self._next += 1
        return found

    def audience(self, *actors: str) -> Audience:
        """Everybody, unless somebody hidden is concerned."""
        found = (self.state.actors[actor_id] for actor_id in actors if actor_id in self.state.actors)
        return GM if any(actor.hidden for actor in found) else ALL

    def emit(
        self,
        kind: str,
        text: Text | None = None,
        /,
        *,
        actor: str = "",
        target: str = "",
        outcome: Outcome | None = None,
        public: Outcome | None = None,
        actors: Mapping[str, Mapping[str, Any]] | None = None,
        world: Mapping[str, Any] | None = None,
        audience: Audience | None = None,
        throw: str = "",
        **data: Any,
    ) -> Event:
        """Make an event and apply it.

        `actors`: new values by actor and field; `world`: new values of the table; `public`: the outcome as those see it
        who may not know an NPC's numbers (None: the same for all); `throw`: the game's name of the throw; `data`: what
        else the kind shows.
        """
        told: dict[str, Any] = {key: value for key, value in (("actor", actor), ("target", target)) if value}
        if text is not None:
            told["text"] = {"ja": text.ja, "en": text.en}
        if outcome is not None:
            told["outcome"] = outcome.as_json()
        if public is not None:
            told["public"] = public.as_json()
        if self.told:
            told["told"] = True
        told |= data
        changed = {who: encoded(self.game.actor, values) for who, values in (actors or {}).items() if values}
        if changed:
            told["set"] = changed
        table = dict(world or {})
        if self._next != self.state.next_id:
            table["next_id"] = self._next
        told |= told_of_table(self.game.state, self.state, table)
        made = Event(kind, told, audience or self.audience(actor, target, *changed), throw=throw)
        self.events.append(made)
        self.state = self.game.evolve(self.state, made)
        return made

    def emit_overrides(self) -> None:
        """The GM's reason for what was set aside, in the log before what followed."""
        if not self.overridden:
            return
        named = [str(self.command.data.get(name, "")) for name in ("actor", "target")]
        rules = [{"code": code, "text": {"ja": t.ja, "en": t.en}} for code, t in self.overridden.items()]
        text = self.game.words("log.overridden", reason=self.command.override)
        data = {"text": {"ja": text.ja, "en": text.en}, "reason": self.command.override, "rules": rules}
        self.events.insert(0, Event("overridden", data, self.audience(*named)))


def show_overrides(rule_of: Callable[[str], str]) -> Show:
    """How the event `overridden` is shown: the ruling; the words of the rules set aside may name the hidden, so they
    are the GM's."""

    def show(data: Mapping[str, Any], viewer: Viewer) -> Mapping[str, Any]:
        if viewer.role in ("gm", "co_gm"):
            return {key: data[key] for key in ("text", "reason", "rules")}
        rules = [{"code": rule["code"], "rule": rule_of(rule["code"])} for rule in data["rules"]]
        return {"text": data["text"], "reason": data["reason"], "rules": rules}

    return show


class DiceDesk(Desk[S, A]):
    """A desk with dice, thrown here or told from the real table.

    `short` and `over` are the game's codes for too few and too many told dice; `sides` of a die that is not named.
    """

    sides: ClassVar[int] = 6
    short: ClassVar[str] = "P42"
    over: ClassVar[str] = "P43"

    def __init__(self, state: S, command: Command, actor: Actor, dice: DiceSource) -> None:
        super().__init__(state, command, actor, dice)
        self._told: list[int] | None = None

    def tell(self, faces: tuple[int, ...] | None) -> None:
        """Use the dice of the real table for this command."""
        self._told = list(faces) if faces is not None else None

    @property
    def told(self) -> bool:
        return self._told is not None

    def die(self, why: Reason, sides: int = 0, mark: str = "") -> Die:
        """One die, thrown here or told; `sides` 0 of the result marks a told one."""
        most = sides or self.sides
        if self._told is None:
            return Die(most, self._dice.roll(most), why, mark=mark)
        if not self._told or self._told[0] > most:
            raise self.game.refused(self.short)
        return Die(0, self._told.pop(0), why, mark=mark)

    def throw(self, count: int, why: Reason) -> tuple[Die, ...]:
        return tuple(self.die(why) for _ in range(count))

    def finish(self) -> None:
        """After the handler: told dice must be used up."""
        if self._told:
            raise self.game.refused(self.over, n=len(self._told))
