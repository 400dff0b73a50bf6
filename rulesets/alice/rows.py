"""Rows of Alice's tables: what one row of each file in `data/` holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.tables import Record, Row
from rulesets.engine.text import Text, same

SuitId = Literal["S", "C", "H", "D"]
# ♠ → ♣ → ♥ → ♦ everywhere (§3.2)
SUIT_IDS: tuple[SuitId, ...] = ("S", "C", "H", "D")
ClassId = Literal["outsider", "related", "expert"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suit(Row):
    """One suit and the ability it stands for (§2)."""

    name: Text
    ability: Text
    deity: Text
    note: Text
    symbol: str
    color: Literal["black", "red"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(Row):
    """A picture card as ability: what it reads, and once per game with its boost (None: no boost) (§5.1)."""

    value: int
    boost: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Row):
    """One damage stage: its name and how the card lies on the table (§8.1)."""

    name: Text
    face_up: bool
    upright: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength(Row):
    """What an ability reading means in words; the row of the highest `value` not above it counts (§5.1)."""

    value: int
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitClass(Row):
    """専門, 関連, 門外: which cards may be played (§2)."""

    name: Text
    accepts: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Alice(Row):
    """An アリス and her card (§3.4). `label`: the placeholder's name, `name`: the group's; a free slot has none."""

    label: Text
    name: str
    suit: SuitId
    rank: str
    placeholder: bool = False

    @property
    def offered(self) -> bool:
        return self.placeholder or bool(self.name)

    @property
    def title(self) -> Text:
        return same(self.name) if self.name else self.label

    @property
    def face(self) -> str:
        return f"{self.suit}{self.rank}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupation(Row):
    """A sample 生業 (§5.5) with the usual classes for combat, 道理, 交感 and 獲得. `offered`: the group lists it."""

    name: Text
    suits: tuple[SuitId, ...]
    expert: Text
    related: Text
    combat: ClassId
    reason: ClassId
    empathy: ClassId
    acquire: ClassId
    offered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnOccupation(Row):
    """A 生業 the group adds to the list; an empty name leaves the row free."""

    label: Text
    name: str
    combat: ClassId
    reason: ClassId
    empathy: ClassId
    acquire: ClassId


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyGroup(Row):
    """How the characters are related at the start (§5.4); `name` is the group's own wording, "" = `label` or free."""

    label: Text
    name: str
    printed: bool = False

    @property
    def offered(self) -> bool:
        return self.printed or bool(self.name)

    @property
    def title(self) -> Text:
        return same(self.name) if self.name else self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetRow(Row):
    """A GM character (§13.2). Values as in the notation: `0` … `10`, `J`, `Q`, `K`; tags with ・ between."""

    name: Text
    note: Text
    S: str
    C: str
    H: str
    D: str
    expert: str
    related: str
    typical_count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Record):
    """Single values of §1.3 and a few printed ones; each is explained by its row in `house_rules.toml`."""

    deck_count: Literal["auto", 1, 2]
    two_decks_from: int
    draft_decks: int
    alice_remove_all_copies: bool
    boost_scope: Literal["per_card", "per_pc"]
    boost_timing: Literal["before_card", "after_card"]
    boost_under_damage: Literal["apply", "ignore"]
    ace_when_flipped: Literal["same", "eleven_only"]
    hand_size: int
    pact_hand_delta: int
    reshuffle_timing: Literal["eager", "lazy"]
    deck_low_warning: int
    parent_rotation: Literal["per_reveal", "per_cycle"]
    offer_deadline_s: int
    on_offer_timeout: Literal["none", "pass"]
    favourable_floor: int
    reason_bonus_mode: Literal["submit", "favourable", "choose"]
    reason_ready: Literal["next_round", "immediately"]
    reason_retry: Literal["allowed", "once_per_action_per_day"]
    luck_substitution_takes_reason_bonus: bool
    luck_spend_for_damage: bool
    luck_spend_order: Literal["pay_first", "read_first"]
    contest_no_card: Literal["lose", "gm_decides"]
    race_commit: Literal["sealed", "seat_order"]
    race_tie: Literal["shared", "higher_ability", "replay"]
    initiative_tie: Literal["pc_first", "manual"]
    defences_per_round: int
    busy_until: Literal["end_of_round", "next_own_turn"]
    hit_on_busy_target: Literal["valid_achievement", "automatic"]
    damage_overflow: Literal["wasted", "attacker_redraws"]
    attacker_may_decline_damage: bool
    gm_character_cards: Literal["flip", "gm_hand", "fixed"]
    recovery_limit: Literal["per_patient", "per_patient_and_suit"]
    stage3_luck_blocks_recovery: bool
    survival_ace_heals: Literal["all", "one_chosen_by_gm"]
    carry_damage: Literal["persist", "full_heal"]
    acquire_retry_days: int
    empathy_retry_days: int
    gm_sees_hands: bool
    discards_public: bool
    submit_registry_lock: bool
    show_probabilities: bool
    age_min: int
    weak_reading: int
