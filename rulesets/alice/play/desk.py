"""The desk a handler works at: the state as it becomes, the checks every command shares, shuffles, the events made.

A handler first refuses what has to be refused, then shuffles and emits. `emit` applies each event at once, so later
steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulesets.alice.play.evolving import evolve
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.reading import Asked
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import ActorState, State
from rulesets.alice.play.words import words
from rulesets.alice.rows import Rules
from rulesets.alice.tables import Tables
from rulesets.alice.words import refused, rule_of
from rulesets.engine.dice import DiceSource, lay_out
from rulesets.engine.outcome import Outcome
from rulesets.engine.play import ALL, GM, Actor, Audience, Command, Event, Viewer, seat_token
from rulesets.engine.playing.facts import encoded, told_of_table
from rulesets.engine.text import Text

# What the GM may set aside with a reason: the rules of the game, not the sense of a command.
SOFT = frozenset(
    {
        *("E_ABILITIES_MISSING", "E_NOT_YOUR_TURN", "E_ALREADY_ACTED", "E_BUSY", "E_INCAPACITATED"),
        *("E_CLASS_ALREADY_FIXED", "E_EMPATHY_LOCK", "E_ACQUIRE_LOCK", "E_REASON_TRIED", "E_REASON_NOT_READY"),
        *("E_REST_REQUIRED", "E_BOOST_USED", "E_BAD_DIFFICULTY", "E_INCONSISTENT", "E_HOLDING", "E_NOT_HELPLESS"),
        *("E_SLEEPLESS", "E_ALREADY_REFRESHED", "E_NOT_MORNING", "E_LUCK_STORY_REQUIRED", "E_SUPPORT_REQUIRED"),
    }
)


def _show_override(data: Mapping[str, Any], viewer: Viewer) -> Mapping[str, Any]:
    """The ruling; the words of the rules set aside may name the hidden, so they are the GM's."""
    if viewer.role in ("gm", "co_gm"):
        return {key: data[key] for key in ("text", "reason", "rules")}
    rules = [{"code": rule["code"], "rule": rule_of(rule["code"])} for rule in data["rules"]]
    return {"text": data["text"], "reason": data["reason"], "rules": rules}


event("overridden", show=_show_override)
event("warned", shows=("code", "n"))


class Desk:
    def __init__(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> None:
        self.state = state
        self.command = command
        self.actor = actor
        self.events: list[Event] = []
        self.overridden: dict[str, Text] = {}
        self._dice = dice
        self._next = state.next_id

    # ------------------------------------------------------------ reading the state

    @property
    def tables(self) -> Tables:
        return self.state.tables

    @property
    def rule(self) -> Rules:
        return self.state.rule

    def of(self, actor_id: str) -> ActorState:
        """Somebody as they are now."""
        return self.state.actors[actor_id]

    def own(self, asked: Asked, name: str = "actor") -> ActorState:
        """The character a command acts with. Refuses E_UNKNOWN_ACTOR, E_NOT_YOUR_PC."""
        found = self.seen(asked.text(name))
        if not self.owns(found):
            raise refused("E_NOT_YOUR_PC", name=found.name)
        return found

    def owns(self, found: ActorState) -> bool:
        return self.actor.is_gm or (not found.npc and found.seat == self.actor.seat)

    def seen(self, actor_id: str) -> ActorState:
        """Anybody the issuer may know of. Somebody hidden does not exist for players (E_UNKNOWN_ACTOR)."""
        found = self.state.actors.get(actor_id)
        if found is None or (not self.actor.is_gm and (found.hidden or not found.on_stage)):
            raise refused("E_UNKNOWN_ACTOR")
        return found

    def several(self, ids: Iterable[str]) -> list[ActorState]:
        """Characters by ids of characters or of entries of several, each once. Refuses E_UNKNOWN_ACTOR."""
        found: dict[str, ActorState] = {}
        for actor_id in ids:
            members = self.state.group(actor_id)
            if not members:
                raise refused("E_UNKNOWN_ACTOR")
            found |= {member.id: self.seen(member.id) for member in members}
        return list(found.values())

    # ------------------------------------------------------------ refusing

    def refuse(self, code: str, **params: object) -> None:
        """Leave with a refusal, unless it is a soft one and the GM gave a reason to set it aside."""
        found = refused(code, overridable=code in SOFT, **params)
        if code not in SOFT or not self.actor.is_gm or not self.command.override:
            raise found
        self.overridden[code] = found.refused.message

    def in_play(self) -> None:
        if self.state.phase != "play":
            raise refused("E_WRONG_PHASE")

    def op(self) -> Op:
        """The open operation that a command answers. Refuses E_STALE_VERSION, E_WRONG_STATE."""
        if self.command.expected_step != self.state.step:
            raise refused("E_STALE_VERSION")
        if self.state.op is None:
            raise refused("E_WRONG_STATE")
        return self.state.op

    # ------------------------------------------------------------ making

    def new_id(self, prefix: str) -> str:
        found = f"{prefix}{self._next}"
        self._next += 1
        return found

    def order(self, cards: Sequence[str]) -> tuple[int, ...]:
        """A fresh order of these cards."""
        return lay_out(self._dice, cards)

    def audience(self, *actors: str) -> Audience:
        """Everybody, unless somebody hidden is concerned."""
        found = (self.state.actors[actor_id] for actor_id in actors if actor_id in self.state.actors)
        return GM if any(actor.hidden for actor in found) else ALL

    def eyes_on(self, *actors: str) -> Audience:
        """Who may see the faces in these hands (§6.6): their owners, the GM of a GM character and where the group says
        so."""
        seats = {seat_token(self.of(who).seat) for who in actors if not self.of(who).npc}
        gm = set(GM) if self.rule.gm_sees_hands or any(self.of(who).npc for who in actors) else set()
        return tuple(sorted(seats | gm))

    def emit(
        self,
        kind: str,
        text: Text | None = None,
        /,
        *,
        actor: str = "",
        target: str = "",
        outcome: Outcome | None = None,
        actors: Mapping[str, Mapping[str, Any]] | None = None,
        world: Mapping[str, Any] | None = None,
        moves: Sequence[Sequence[Any]] = (),
        audience: Audience | None = None,
        **data: Any,
    ) -> Event:
        """Make an event and apply it.

        `actors`: new values by character and field; `world`: new values of the table; `moves`: see `evolving`; `data`:
        what else the kind shows.
        """
        told: dict[str, Any] = {key: value for key, value in (("actor", actor), ("target", target)) if value}
        if text is not None:
            told["text"] = {"ja": text.ja, "en": text.en}
        if outcome is not None:
            told["outcome"] = outcome.as_json()
        told |= data
        changed = {who: encoded(ActorState, values) for who, values in (actors or {}).items() if values}
        if changed:
            told["set"] = changed
        table = dict(world or {})
        if self._next != self.state.next_id:
            table["next_id"] = self._next
        told |= told_of_table(State, self.state, table)
        if moves:
            told["moves"] = [[list(what) if isinstance(what, tuple) else what, *rest] for what, *rest in moves]
        made = Event(kind, told, audience or self.audience(actor, target, *changed))
        self.events.append(made)
        self.state = evolve(self.state, made)
        return made

    def set_op(self, op: Op | None, *, answered: bool = True) -> dict[str, Any]:
        """New values of the table with this operation; `answered`: what was asked before is settled."""
        return {"op": op, **({"step": self.state.step + 1} if answered else {})}

    def warn(self, code: str, n: int = 0) -> None:
        """A remark of the rules that stops nothing."""
        row = self.tables.messages[code]
        self.emit("warned", row.text.format(n=n), code=code, n=n)

    def emit_overrides(self) -> None:
        """The GM's reason for what was set aside, in the log before what followed."""
        if not self.overridden:
            return
        actor, target = str(self.command.data.get("actor", "")), str(self.command.data.get("target", ""))
        rules = [{"code": code, "text": {"ja": t.ja, "en": t.en}} for code, t in self.overridden.items()]
        text = words("log.overridden", reason=self.command.override)
        data = {"text": {"ja": text.ja, "en": text.en}, "reason": self.command.override, "rules": rules}
        self.events.insert(0, Event("overridden", data, self.audience(actor, target)))


def with_try(op: Op, at: int, **values: Any) -> Op:
    """The operation with one attempt changed."""
    tries = list(op.tries)
    tries[at] = replace(tries[at], **values)
    return replace(op, tries=tuple(tries))


def attempt_of(op: Op, who: str) -> Attempt | None:
    at = op.of(who)
    return None if at is None else op.tries[at]
