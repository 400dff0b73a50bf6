"""Live play of アリス・ザ・フェアリーワールド: pure, driven by commands and events (rules/alice.md §6–§10, §13).

`state` what is tracked · `registry` commands and events by name · `desk` what handlers work at · `piles` every draw ·
`settling` from card to card · `knowing` what a viewer knows of the cards · `engine` the object itself. Importing the
package registers every command and event.
"""

from rulesets.alice.play import (
    classes,
    contests,
    correcting,
    damage,
    days,
    declaring,
    fights,
    forecasts,
    hands,
    joining,
    opening,
    pacts,
    playing,
    reasons,
    ruling,
    view_op,
    view_people,
    views,
)
from rulesets.alice.play.engine import PLAY, AlicePlay

__all__ = [
    "PLAY",
    "AlicePlay",
    "classes",
    "contests",
    "correcting",
    "damage",
    "days",
    "declaring",
    "fights",
    "forecasts",
    "hands",
    "joining",
    "opening",
    "pacts",
    "playing",
    "reasons",
    "ruling",
    "view_op",
    "view_people",
    "views",
]
