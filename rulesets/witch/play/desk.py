"""The desk a handler works at: the state as it becomes, the checks every command shares, dice, and the events made.

A handler first refuses what has to be refused, then throws dice and emits. `emit` applies each event at once, so later
steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.engine.dice import DiceSource
from rulesets.engine.outcome import Die, Outcome, Reason
from rulesets.engine.play import ALL, GM, Actor, Audience, Command, Event, Viewer
from rulesets.engine.playing.facts import encoded
from rulesets.engine.playing.showing import is_gm
from rulesets.engine.text import Text
from rulesets.witch.play.evolving import encoded_entries, evolve
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked, refused
from rulesets.witch.play.registry import event
from rulesets.witch.play.state import ActorState, Attempt, State
from rulesets.witch.play.words import rule_of, words
from rulesets.witch.rows import SIDES
from rulesets.witch.tables import Witch

# What the GM may set aside with a reason: the rules of the game, not the sense of a command.
SOFT = frozenset({"L01", "L05", "L11", "L16", "L21", "L22", "L26", "L27", "L32", "L33", "L42", "L46", "C15"})


def _show_override(data: Mapping[str, Any], viewer: Viewer) -> Mapping[str, Any]:
    """The ruling; the words of the rules set aside may name the hidden, so they are the GM's."""
    if is_gm(viewer):
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
    def tables(self) -> Witch:
        return self.state.tables

    def person(self, actor_id: str) -> Person:
        """A character with everything that follows from the build."""
        return Person(self.state.tables, self.state.actors[actor_id])

    def seen(self, actor_id: str) -> ActorState:
        """Any character the issuer may know of. Somebody hidden does not exist for players (P18)."""
        found = self.state.actors.get(actor_id)
        if found is None or (not self.actor.is_gm and found.hidden):
            raise refused("P18")
        return found

    def owns(self, found: ActorState) -> bool:
        return self.actor.is_gm or (not found.npc and bool(found.seat) and found.seat == self.actor.seat)

    def own(self, asked: Asked, name: str = "actor") -> Person:
        """The character a command acts with. Refuses P18 (unknown or unseen), P17 (somebody else's)."""
        found = self.seen(asked.text(name))
        if not self.owns(found):
            raise refused("P17", name=found.name)
        return self.person(found.id)

    def own_witch(self, asked: Asked) -> Person:
        """As `own`, and a witch (L36)."""
        found = self.own(asked)
        if found.actor.is_cat:
            raise refused("L36", name=found.name)
        return found

    def own_cat(self, asked: Asked) -> Person:
        """As `own`, and a cat (L37)."""
        found = self.own(asked)
        if not found.actor.is_cat:
            raise refused("L37", name=found.name)
        return found

    def attempt(self, asked: Asked) -> Attempt:
        """An attempt of somebody the issuer may know of. Refuses L18 for one that is not there."""
        found = self.state.attempts.get(asked.text("attempt"))
        if found is None:
            raise refused("L18")
        self.seen(found.actor)
        return found

    def awake(self, found: ActorState) -> None:
        """Refuse L26 for whoever is out cold."""
        if found.out:
            self.refuse("L26", name=found.name)

    # ------------------------------------------------------------ refusing

    def refuse(self, code: str, **params: object) -> None:
        """Leave with a refusal, unless it is a soft one and the GM gave a reason to set it aside."""
        found = refused(code, overridable=code in SOFT, **params)
        if code not in SOFT or not self.actor.is_gm or not self.command.override:
            raise found
        self.overridden[code] = found.refused.message

    # ------------------------------------------------------------ dice

    def tell(self, faces: tuple[int, ...] | None) -> None:
        """Use the dice of the real table for this command."""
        self._told = list(faces) if faces is not None else None

    @property
    def told(self) -> bool:
        return self._told is not None

    def die(self, why: Reason, sides: int = SIDES) -> Die:
        """One die, thrown here or told; `sides` 0 marks a told one."""
        if self._told is None:
            return Die(sides, self._dice.roll(sides), why)
        if not self._told or self._told[0] > sides:
            raise refused("P42")
        return Die(0, self._told.pop(0), why)

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
        put: Mapping[str, Mapping[str, Any]] | None = None,
        audience: Audience | None = None,
        **data: Any,
    ) -> Event:
        """Make an event and apply it.

        `actors`: new values by actor and field; `world`: new values of the table; `put`: entries of its mappings;
        `public`: the outcome as those see it who are no GM (None: the same for all); `data`: what else the kind shows.
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
        entries = encoded_entries(put or {})
        if entries:
            told["put"] = entries
        table = dict(world or {})
        if self._next != self.state.next_id:
            table["next_id"] = self._next
        if table:
            told["world"] = encoded(State, table)
        made = Event(kind, told, audience or self.audience(actor, target, *changed))
        self.events.append(made)
        self.state = evolve(self.state, made)
        return made

    def emit_overrides(self) -> None:
        """The GM's reason for what was set aside, in the log before what followed."""
        if not self.overridden:
            return
        rules = [{"code": code, "text": {"ja": t.ja, "en": t.en}} for code, t in self.overridden.items()]
        text = words("log.overridden", reason=self.command.override)
        audience = self.audience(str(self.command.data.get("actor", "")))
        data = {"text": {"ja": text.ja, "en": text.en}, "reason": self.command.override, "rules": rules}
        self.events.insert(0, Event("overridden", data, audience))
