"""Who holds whom: what changes when somebody is out of every grip (rules §7.10, E31)."""

from __future__ import annotations

from typing import Any

from rulesets.edo.play.state import State

FREE: dict[str, Any] = {"holds": "", "held_by": "", "choke": None}


def freed(state: State, who: str, **values: Any) -> dict[str, dict[str, Any]]:
    """New values by actor once somebody is thrown, out cold, dead or gone; `values` are their own beside that."""
    actor = state.actors[who]
    found: dict[str, dict[str, Any]] = {}
    if actor.holds:
        found[actor.holds] = {"held_by": ""}
    if actor.held_by:
        found[actor.held_by] = {**found.get(actor.held_by, {}), "holds": "", "choke": None}
    return {**found, who: {**FREE, **values}}
