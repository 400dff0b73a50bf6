"""The desk a handler works at: the state as it becomes, the checks every command shares, shuffles, the events made.

A handler first refuses what has to be refused, then shuffles and emits. `emit` applies each event at once, so later
steps of the same command see what happened. Nothing is kept when the handler leaves with `Refuse`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulesets.alice.play.evolving import evolve
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import ActorState, State
from rulesets.alice.play.words import words
from rulesets.alice.rows import Rules
from rulesets.alice.tables import Tables
from rulesets.alice.words import refused, rule_of
from rulesets.engine.dice import lay_out
from rulesets.engine.play import GM, Audience, Event, seat_token
from rulesets.engine.playing import desk as playing
from rulesets.engine.playing.desk import show_overrides
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


event("overridden", show=show_overrides(rule_of))
event("warned", shows=("code", "n"))


class Desk(playing.Desk[State, ActorState]):
    game = playing.Game(
        State,
        ActorState,
        evolve,
        refused,
        words,
        soft=SOFT.__contains__,
        unknown="E_UNKNOWN_ACTOR",
        foreign="E_NOT_YOUR_PC",
    )

    @property
    def tables(self) -> Tables:
        return self.state.tables

    @property
    def rule(self) -> Rules:
        return self.state.rule

    def of(self, actor_id: str) -> ActorState:
        """Somebody as they are now."""
        return self.state.actors[actor_id]

    # ------------------------------------------------------------ refusing

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

    def order(self, cards: Sequence[str]) -> tuple[int, ...]:
        """A fresh order of these cards."""
        return lay_out(self._dice, cards)

    def eyes_on(self, *actors: str) -> Audience:
        """Who may see the faces in these hands (§6.6): their owners, the GM of a GM character and where the group says
        so."""
        seats = {seat_token(self.of(who).seat) for who in actors if not self.of(who).npc}
        gm = set(GM) if self.rule.gm_sees_hands or any(self.of(who).npc for who in actors) else set()
        return tuple(sorted(seats | gm))

    def emit(
        self, kind: str, text: Text | None = None, /, *, moves: Sequence[Sequence[Any]] = (), **values: Any
    ) -> Event:
        """Make an event and apply it; `moves` of cards: see `evolving`."""
        if moves:
            values["moves"] = [[list(what) if isinstance(what, tuple) else what, *rest] for what, *rest in moves]
        return super().emit(kind, text, **values)

    def set_op(self, op: Op | None, *, answered: bool = True) -> dict[str, Any]:
        """New values of the table with this operation; `answered`: what was asked before is settled."""
        return {"op": op, **({"step": self.state.step + 1} if answered else {})}

    def warn(self, code: str, n: int = 0) -> None:
        """A remark of the rules that stops nothing."""
        row = self.tables.messages[code]
        self.emit("warned", row.text.format(n=n), code=code, n=n)


def with_try(op: Op, at: int, **values: Any) -> Op:
    """The operation with one attempt changed."""
    tries = list(op.tries)
    tries[at] = replace(tries[at], **values)
    return replace(op, tries=tuple(tries))


def attempt_of(op: Op, who: str) -> Attempt | None:
    at = op.of(who)
    return None if at is None else op.tries[at]
