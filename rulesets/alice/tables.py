"""Alice's tables: what the files in `data/` hold together, and what must fit across them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulesets.alice.rows import (
    Alice,
    Occupation,
    OwnOccupation,
    PartyGroup,
    Picture,
    PresetRow,
    Rules,
    Stage,
    Strength,
    SubmitClass,
    Suit,
)
from rulesets.engine.cards import RANKS
from rulesets.engine.house_rules import HouseRuleRow, HouseRules
from rulesets.engine.tables import Fault, Message, Rows, Settings, TableSet, Wording
from rulesets.engine.text import Text

# What may stand in an ability slot: a PC has a card of the draft, a GM character any value of the notation (§13.1).
ABILITY_RANKS: tuple[str, ...] = RANKS[1:]
GM_VALUES: tuple[str, ...] = ("0", "1", *ABILITY_RANKS)


@dataclass(frozen=True)
class Tables:
    """All tables of the game under one campaign's house rules."""

    suits: Rows[Suit]
    pictures: Rows[Picture]
    stages: Rows[Stage]
    strengths: Rows[Strength]
    classes: Rows[SubmitClass]
    alices: Rows[Alice]
    occupations: Rows[Occupation]
    own_occupations: Rows[OwnOccupation]
    party_groups: Rows[PartyGroup]
    presets: Rows[PresetRow]
    rules: Settings[Rules]
    messages: Rows[Message]
    labels: Rows[Wording]
    choices: Rows[Wording]
    draft_labels: Rows[Wording]
    play_labels: Rows[Wording]
    house_rules: Rows[HouseRuleRow]
    house_groups: Rows[Wording]

    @property
    def rule(self) -> Rules:
        """The single values: `cfg` of the rules file."""
        return self.rules.values

    def label(self, label_id: str) -> Text:
        return self.labels[label_id].text

    def decks_for(self, players: int) -> int:
        """Number of decks a table of so many players uses (§1.3 `deck_count`)."""
        if self.rule.deck_count == "auto":
            return 1 if players < self.rule.two_decks_from else 2
        return self.rule.deck_count

    @cached_property
    def known_occupations(self) -> dict[str, Occupation | OwnOccupation]:
        """The group's list of 生業 by the words that name a row."""
        rows = [row for row in self.occupations.values() if row.offered]
        found: dict[str, Occupation | OwnOccupation] = {
            word: row for row in rows for word in (row.name.ja, row.name.en)
        }
        return found | {row.name: row for row in self.own_occupations.values() if row.name}


_NO_CARD = Text("「{value}」というカードはありません。", "There is no card “{value}”.")
_SAME_CARD = Text("同じカードのアリスがもういます（{name}）。", "Another アリス has that card ({name}).")
_BAD_VALUE = Text("値は０〜10かJ・Q・Kです。", "A value is 0 to 10, J, Q or K.")


def cross_check(tables: Tables) -> Iterator[Fault]:
    """Ranks that are none, and two アリス on one card."""
    seen: dict[str, Alice] = {}
    for alice in tables.alices.values():
        if alice.rank not in RANKS:
            yield Fault("alices", alice.id, "rank", "no rank", message=_NO_CARD.format(value=alice.rank))
        if not alice.offered:
            continue
        other = seen.setdefault(alice.face, alice)
        if other is not alice:
            words = _SAME_CARD.format(name=other.title)
            yield Fault("alices", alice.id, "rank", "this card is taken", message=words)
    for preset in tables.presets.values():
        for suit in tables.suits:
            if getattr(preset, suit) not in GM_VALUES:
                yield Fault("presets", preset.id, suit, "no ability value", message=_BAD_VALUE)


TABLES: TableSet[Tables] = TableSet(Path(__file__).parent / "data", Tables, cross_check)
HOUSE_RULES: HouseRules[Tables] = HouseRules(TABLES)
