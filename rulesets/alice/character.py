"""A character as play uses it: the build document made typed (§5, §13.1). Damage and hands are play's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.alice.cards import FATAL, SUITS, ability_value, base_value, boost_value
from rulesets.alice.document import from_build
from rulesets.alice.rows import SuitId
from rulesets.alice.sheet import Sheet, tags, whole
from rulesets.alice.tables import TABLES, Tables
from rulesets.protocol import Kind


@dataclass(frozen=True)
class Character:
    """What does not change in play. `cards` are ranks by suit (a GM character's also `0`, `1`).

    `expert` and `related` are a GM character's tags, `out_at` the stage of ♠♣♥ from which one is out; `luck_spend` and
    `boost` tell whether a GM character may do that (a PC may).
    """

    name: str
    kind: Kind
    cards: Mapping[SuitId, str]
    source: str = "manual"
    occupation: str = ""
    current_job: str = ""
    job_visibility: str = "gm"
    age: int | None = None
    sex: str = ""
    background: str = ""
    belongings: str = ""
    expert: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    out_at: int = FATAL
    luck_spend: bool = True
    boost: bool = True
    notes: str = ""

    @property
    def npc(self) -> bool:
        return self.kind == "npc"

    @property
    def complete(self) -> bool:
        """Whether all four abilities are there."""
        return all(suit in self.cards for suit in SUITS)

    def base(self, suit: SuitId, tables: Tables | None = None) -> int:
        """The undamaged reading of an ability."""
        return base_value(self.cards[suit], tables)

    def value(self, suit: SuitId, stage: int, boosted: bool = False, tables: Tables | None = None) -> int | None:
        """The ability at a damage stage, None at 3."""
        return ability_value(self.cards[suit], stage, boosted, tables=tables)

    def boost_of(self, suit: SuitId, tables: Tables | None = None) -> int | None:
        """What the ability reads with its boost; None where there is none."""
        return boost_value(self.cards[suit], tables) if self.boost else None


def character_of(build: Mapping[str, Any], kind: Kind = "pc") -> Character:
    """The character of a build document. Never raises: what cannot be read is left out (`complete` tells)."""
    sheet = Sheet(from_build(build), TABLES.base, kind)
    npc = kind == "npc"
    return Character(
        name=sheet.text("name"),
        kind=kind,
        cards=sheet.cards,
        source=sheet.source or "manual",
        occupation=sheet.text("occupation"),
        current_job=sheet.text("current_job"),
        job_visibility=sheet.text("job_visibility") or "gm",
        age=whole(sheet.fields.get("age")),
        sex=sheet.text("sex"),
        background=sheet.text("background"),
        belongings=sheet.text("belongings"),
        expert=tags(sheet.text("expert")),
        related=tags(sheet.text("related")),
        out_at=whole(sheet.fields.get("out_at")) or FATAL,
        luck_spend=not npc or sheet.fields.get("luck_spend") is True,
        boost=not npc or sheet.fields.get("boost") is True,
        notes=sheet.text("notes"),
    )
