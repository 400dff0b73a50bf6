"""Live play of ウィッチクエスト: pure, driven by commands and events (rules/witch.md §5–§10).

`state` what is tracked · `registry` commands and events by name · `desk` what handlers work with · `person` a
character's numbers · `engine` the object itself. Importing the package registers every command and event.
"""

from rulesets.witch.play import (
    body,
    cards,
    casting,
    cat_magic,
    challenge,
    days,
    fighting,
    growing,
    helping,
    naming,
    scenario,
    shopping,
    spell_odds,
    stage,
    targets,
    view_people,
    view_table,
    wishing,
)
from rulesets.witch.play.engine import PLAY, WitchPlay

__all__ = [
    "PLAY",
    "WitchPlay",
    "body",
    "cards",
    "casting",
    "cat_magic",
    "challenge",
    "days",
    "fighting",
    "growing",
    "helping",
    "naming",
    "scenario",
    "shopping",
    "spell_odds",
    "stage",
    "targets",
    "view_people",
    "view_table",
    "wishing",
]
