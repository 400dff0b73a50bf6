"""The desk a handler works at: the state as it becomes, the checks every command shares, dice, and the events made.

A handler first refuses what has to be refused, then throws dice and emits. `emit` applies each event at once, so later
steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulesets.engine.dice import DiceSource
from rulesets.engine.outcome import Die, Outcome, Reason
from rulesets.engine.play import ALL, GM, Actor, Audience, Command, Event, Viewer
from rulesets.engine.playing.facts import encoded, told_of_table
from rulesets.engine.text import Text
from rulesets.ninja.ladder import SIDES
from rulesets.ninja.play.evolving import evolve
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import event
from rulesets.ninja.play.state import ActorState, State
from rulesets.ninja.play.words import rule_of, words
from rulesets.ninja.tables import Ninja

# What the GM may set aside with a reason: every rule of §13 and the order of turns, not the sense of a command.
SOFT_PREFIX = "L"
SOFT = frozenset({"P52", "P53", "P54", "P57", "P58", "P59", "P61", "P62", "P64", "P67", "P68"})


def _show_override(data: Mapping[str, Any], viewer: Viewer) -> Mapping[str, Any]:
    """The ruling; the words of the rules set aside may name the hidden, so they are the GM's."""
    if viewer.role in ("gm", "co_gm"):
        return {key: data[key] for key in ("text", "reason", "rules")}
    rules = [{"code": rule["code"], "rule": rule_of(rule["code"])} for rule in data["rules"]]
    return {"text": data["text"], "reason": data["reason"], "rules": rules}


event("overridden", show=_show_override)


class Desk:
    def __init__(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> None:
        self.state = state
        self.command = command
        self.actor = actor
        self.events: list[Event] = []
        self.overridden: dict[str, Text] = {}
        self._dice = dice
        self._told: list[int] | None = None
        self._next = state.next_id

    # ------------------------------------------------------------ reading the state

    @property
    def tables(self) -> Ninja:
        return self.state.tables

    def person(self, actor_id: str) -> Person:
        return Person(self.state.tables, self.state.actors[actor_id])

    def own(self, asked: Asked, name: str = "actor") -> Person:
        """The actor a command acts with. Refuses P18 (unknown or unseen), P17 (somebody else's)."""
        found = self.seen(asked.text(name))
        if not self.actor.is_gm and (found.actor.npc or found.actor.seat != self.actor.seat):
            raise refused("P17", name=found.name)
        return found

    def seen(self, actor_id: str) -> Person:
        """Any actor the issuer may know of. Somebody hidden does not exist for players (P18)."""
        found = self.state.actors.get(actor_id)
        if found is None or (not self.actor.is_gm and (found.hidden or not found.on_stage)):
            raise refused("P18")
        return Person(self.tables, found)

    def several(self, ids: Iterable[str]) -> list[ActorState]:
        """Actors by ids of actors or mobs, each once. Refuses P18."""
        found: dict[str, ActorState] = {}
        for actor_id in ids:
            members = self.state.group(actor_id)
            if not members:
                raise refused("P18")
            found |= {member.id: self.seen(member.id).actor for member in members}
        if not found:
            raise refused("P18")
        return list(found.values())

    # ------------------------------------------------------------ refusing

    def refuse(self, code: str, **params: object) -> None:
        """Leave with a refusal, unless it is a soft one and the GM gave a reason to set it aside."""
        soft = code in SOFT or code.startswith(SOFT_PREFIX)
        found = refused(code, overridable=soft, **params)
        if not soft or not self.actor.is_gm or not self.command.override:
            raise found
        self.overridden[code] = found.refused.message

    def idle(self) -> None:
        """No attack may be waiting for an answer (P29)."""
        if self.state.attack is not None:
            raise refused("P29", name=self.state.actors[self.state.attack.asked].name)

    def step(self) -> None:
        """The command answers the open question: refuses P30 without one, P16 for a step that has passed."""
        if self.state.attack is None:
            raise refused("P30")
        if self.command.expected_step != self.state.step:
            raise refused("P16", now=self.state.step)

    # ------------------------------------------------------------ dice

    def tell(self, faces: tuple[int, ...] | None) -> None:
        """Use the dice of the real table for this command."""
        self._told = list(faces) if faces is not None else None

    @property
    def told(self) -> bool:
        return self._told is not None

    def die(self, why: Reason, mark: str = "") -> Die:
        """One die, thrown here or told; `sides` 0 marks a told one."""
        if self._told is None:
            return Die(SIDES, self._dice.roll(SIDES), why, mark=mark)
        if not self._told:
            raise refused("P42")
        return Die(0, self._told.pop(0), why, mark=mark)

    def throw(self, count: int, why: Reason) -> tuple[Die, ...]:
        return tuple(self.die(why) for _ in range(count))

    def finish(self) -> None:
        """After the handler: told dice must be used up."""
        if self._told:
            raise refused("P43", n=len(self._told))

    # ------------------------------------------------------------ emitting

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
        *,
        actor: str = "",
        target: str = "",
        outcome: Outcome | None = None,
        public: Outcome | None = None,
        actors: Mapping[str, Mapping[str, Any]] | None = None,
        world: Mapping[str, Any] | None = None,
        audience: Audience | None = None,
        **data: Any,
    ) -> Event:
        """Make an event and apply it.

        `actors`: new values by actor and field; `world`: new values of the table; `public`: the outcome as those see it
        who may not know an NPC's numbers (None: the same for all); `data`: what else the kind shows.
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
        changed = {who: encoded(ActorState, values) for who, values in (actors or {}).items() if values}
        if changed:
            told["set"] = changed
        table = dict(world or {})
        if self._next != self.state.next_id:
            table["next_id"] = self._next
        told |= told_of_table(State, self.state, table)
        made = Event(kind, told, audience or self.audience(actor, target, *changed))
        self.events.append(made)
        self.state = evolve(self.state, made)
        return made

    def emit_overrides(self) -> None:
        """The GM's reason for what was set aside, in the log before what followed."""
        if not self.overridden:
            return
        named = [str(self.command.data.get(name, "")) for name in ("actor", "target")]
        rules = [{"code": code, "text": {"ja": t.ja, "en": t.en}} for code, t in self.overridden.items()]
        text = words("log.overridden", reason=self.command.override)
        data = {"text": {"ja": text.ja, "en": text.en}, "reason": self.command.override, "rules": rules}
        self.events.insert(0, Event("overridden", data, self.audience(*named)))
