"""The draft's commands and events by name; see `rulesets.engine.playing.registry`. `PHASES`: when a command is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulesets.alice.draft.state import Phase
from rulesets.alice.draft.words import known, words
from rulesets.alice.words import reading_codes
from rulesets.engine.play import CommandField, Role
from rulesets.engine.playing.reading import Fields
from rulesets.engine.playing.registry import GM_ONLY, TABLE, Registry

if TYPE_CHECKING:
    from rulesets.alice.draft.desk import Desk
    from rulesets.alice.draft.state import Draft

__all__ = ["COMMANDS", "EVENTS", "GM_ONLY", "PHASES", "TABLE", "command", "event"]

Handler = Callable[["Desk", Fields], None]
COMMON = ("E_NOT_AT_TABLE", "E_PAUSED", "E_DRAFT_COMPLETE", "E_WRONG_PHASE", "E_GM_ONLY")
PHASES: dict[str, frozenset[Phase]] = {}

REGISTRY: Registry[Desk, Fields, Draft] = Registry(words, known, COMMON, reading_codes, ("E_STALE_VERSION",))
COMMANDS, EVENTS = REGISTRY.commands, REGISTRY.events
event = REGISTRY.event


def command(
    name: str,
    *fields: CommandField,
    phases: tuple[Phase, ...],
    roles: frozenset[Role] = GM_ONLY,
    codes: tuple[str, ...] = (),
    rule: str = "§4.4",
    answers: bool = False,
    retractable: bool = False,
) -> Callable[[Handler], Handler]:
    """Register a command of the draft for the phases it belongs to."""
    PHASES[name] = frozenset(phases)
    return REGISTRY.command(
        name, *fields, roles=roles, codes=codes, rule=rule, answers=answers, retractable=retractable
    )
