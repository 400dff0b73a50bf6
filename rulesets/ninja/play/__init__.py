"""Live play of ニンジャスレイヤーTRPG: pure, driven by commands and events (rules §4–§10).

`state` what is tracked · `registry` commands and events by name · `desk` what handlers work with · `person` an actor's
numbers · `engine` the object itself. Importing the package registers every command and event.
"""

from rulesets.ninja.play import (
    answering,
    attack,
    carry,
    casting,
    correcting,
    evading,
    fight,
    items,
    joining,
    moving,
    odds,
    slayer,
    stage,
    tests,
    views,
    volley,
)
from rulesets.ninja.play.engine import PLAY, NinjaPlay

__all__ = [
    "PLAY",
    "NinjaPlay",
    "answering",
    "attack",
    "carry",
    "casting",
    "correcting",
    "evading",
    "fight",
    "items",
    "joining",
    "moving",
    "odds",
    "slayer",
    "stage",
    "tests",
    "views",
    "volley",
]
