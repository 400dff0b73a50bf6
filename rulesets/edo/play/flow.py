"""An exchange under way, as the steps of a command work on it (rules §7.4).

A `Flow` holds the exchange while it moves; every event it emits stores the exchange as it then is. `ask` stops it with
a question; `advance` in `exchange.py` carries it on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.arms import Arm
from rulesets.edo.play.checks import Made, Plan, throw
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.masks import public
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Check, Exchange, Strike
from rulesets.edo.play.words import words
from rulesets.edo.rows import Ranged
from rulesets.engine.outcome import Outcome
from rulesets.engine.play import Event
from rulesets.engine.text import Text


class Flow:
    def __init__(self, desk: Desk, exchange: Exchange) -> None:
        self.desk = desk
        self.ex = exchange

    # ------------------------------------------------------------ reading

    @property
    def strike(self) -> Strike:
        """The strike being resolved."""
        return self.ex.strike

    @property
    def attacker(self) -> Person:
        return self.desk.person(self.strike.attacker)

    @property
    def target(self) -> Person:
        return self.desk.person(self.strike.target)

    @property
    def arm(self) -> Arm:
        return self.attacker.arms[self.strike.arm]

    @property
    def ranged(self) -> bool:
        return isinstance(self.arm, Ranged)

    # ------------------------------------------------------------ changing

    def put(self, **values: Any) -> Strike:
        """Set fields of the strike being resolved."""
        strike = replace(self.strike, **values)
        self.ex = self.ex.with_strike(strike)
        return strike

    def move(self, **values: Any) -> None:
        """Set fields of the exchange."""
        self.ex = replace(self.ex, **values)

    def emit(
        self,
        kind: str,
        text: Text | None = None,
        *,
        outcome: Outcome | None = None,
        of: str = "",
        actors: Mapping[str, Mapping[str, Any]] | None = None,
        world: Mapping[str, Any] | None = None,
        **data: Any,
    ) -> Event:
        """An event of this exchange. `of`: whose numbers the difficulty gives away (see `masks.public`)."""
        masked = public(self.desk.state, outcome, of=of) if outcome is not None else None
        return self.desk.emit(
            kind,
            text,
            outcome=outcome,
            public=masked,
            actors=actors,
            world={"exchange": self.ex, **(world or {})},
            exchange=self.ex.id,
            **data,
        )

    def ask(self, who: str, about: str) -> None:
        """Stop with a question to an actor; the step grows, so older answers are stale."""
        self.move(asked=who, about=about)
        step = self.desk.state.step + 1
        name = self.desk.state.actors[who].name
        self.emit("asked", words(f"ask.{about}", name=name), actor=who, world={"step": step}, about=about, step=step)

    def throw(self, planned: Plan) -> Made:
        """Throw a plan; the caller stores the check and emits."""
        return throw(self.desk, planned)

    def keep(self, check: Check) -> None:
        """Put a check back where it belongs (to-hit, riding, defence, after)."""
        slots = {"to_hit": "hit", "riding": "riding", "parry": "defended", "dodge": "defended", "resist": "defended"}
        self.put(**{slots.get(check.kind, "after"): check})

    def pending(self) -> tuple[Check, ...]:
        """Checks of the strike being resolved, in the order they are made."""
        strike = self.strike
        return tuple(c for c in (strike.hit, strike.riding, strike.defended, strike.after) if c is not None)
