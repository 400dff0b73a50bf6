"""Live play of 八百八町浮世草子: pure, driven by commands and events (rules/edo.md §5–§8, §10).

`state` what is tracked · `registry` commands and events by name · `desk` what handlers work with · `person` an actor's
numbers · `engine` the object itself. Importing the package registers every command and event.
"""

from rulesets.edo.play import (
    answering,
    attack,
    caltrops,
    care_odds,
    carry,
    contest,
    days,
    gear,
    grips,
    hand,
    joining,
    mobs,
    money,
    moves,
    odds,
    points,
    requests,
    rolls,
    special,
    stage,
    turns,
    view_people,
    view_table,
    wounds,
)
from rulesets.edo.play.engine import PLAY, EdoPlay

__all__ = [
    "PLAY",
    "EdoPlay",
    "answering",
    "attack",
    "caltrops",
    "care_odds",
    "carry",
    "contest",
    "days",
    "gear",
    "grips",
    "hand",
    "joining",
    "mobs",
    "money",
    "moves",
    "odds",
    "points",
    "requests",
    "rolls",
    "special",
    "stage",
    "turns",
    "view_people",
    "view_table",
    "wounds",
]
