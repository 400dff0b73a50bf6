"""What every kind of command is."""

from __future__ import annotations

from typing import Protocol

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.results import Result
from rulesets.engine.odds import Odds


class Command(Protocol):
    """A command that was read. `kind` names it in results."""

    @property
    def kind(self) -> str: ...

    def check(self) -> int:
        """Look at the whole command before any die is thrown; the number of dice it throws at first.

        Raises `RollRefused` for whatever must not be rolled.
        """
        ...

    def roll(self, faces: Faces) -> Result:
        """Throw. Only after `check`; never fails."""
        ...

    def chances(self) -> Odds:
        """Exact odds. Raises `RollRefused` (`odds_none`, `odds_too_large`)."""
        ...


class Incomplete(Exception):
    """A tree that is a formula but no command (`1+2`)."""
