"""The rows of the tables of ウィッチクエスト: what one line of a file in `data/` holds.

Section numbers are those of rules/witch.md. All dice have six sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.tables import Record, Row
from rulesets.engine.text import Text, same

NO_TEXT = Text("", "")
COLUMNS = tuple(range(29))  # 0 is the ＊ column, 1 … 28 are moon days (§3.7)
STAR = 0
TRICKSTER = 0
SIDES = 6

FactorRoll = Literal["1d6", "2d6", "point_buy", "manual"]
PowerMethod = Literal["card_first", "roll_all", "manual"]
Recovery = Literal["none", "1d6", "2d6", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Row):
    """A row that a group may rename; `own_*` rows have no name until it does."""

    name: Text
    own_name: str = ""

    @property
    def label(self) -> Text:
        return same(self.own_name) if self.own_name else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor(Named):
    """An ability value of a witch (§3.3) or a cat (§4.4). `used`: the group plays with it."""

    note: Text
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Named):
    """A skill that the builder offers (Appendix A.1). `factor` is its governing factor, for display."""

    factor: str
    offered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour(Row):
    """A cat's colour by the sum of two dice (§4.3)."""

    roll: int
    name: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class CatSpell(Named):
    """A cat's spell: it costs `mp` and always works (§4.5). `heals` is a number of dice of HP."""

    effect: Text
    mp: int
    offered: bool = True
    heals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Row):
    """What cats buy at their gathering (§8.4): price in points, what it adds for good."""

    name: Text
    price: int
    whisker: bool = False
    strength: int = 0
    beauty: int = 0
    hp: int = 0
    mp: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Level(Row):
    """A degree of success (§5.2); `word` is its key in outcomes, `counted` what BCDice prints before the name."""

    word: str
    name: Text
    counted: Text = NO_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Band(Row):
    """A label of difficulties or beliefs from `low` to `high`; None is open."""

    name: Text
    note: Text = NO_TEXT
    low: int | None = None
    high: int | None = None

    def holds(self, number: int) -> bool:
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Row):
    """What a spell may be cast on: its belief is `dice` dice plus `add` (§7.5–§7.7)."""

    name: Text
    group: Literal["being", "place", "thing"]
    dice: int
    add: int
    note: Text = NO_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(Row):
    """An example of witch magic with its difficulty (Appendix A.3)."""

    name: Text
    difficulty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tarot(Row):
    """A card of the ウィッチ・タロー (§9.1); the id is its number, `title` spells names (§9.4)."""

    name: Text
    title: str
    keyword: Text
    upright: Text
    reversed: Text

    @property
    def letters(self) -> str:
        """The title as names are spelled from it: without THE and every sign that is no letter."""
        return "".join(c for c in self.title.removeprefix("THE ") if c.isascii() and c.isalpha())


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure(Row):
    """A place card (§9.5)."""

    name: Text
    keyword: Text
    strength: Text
    weakness: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter(Row):
    """Six phrases of a place (Appendix B.2); an empty one means that nobody is there. `own_*` are a group's words."""

    p1: Text
    p2: Text
    p3: Text
    p4: Text
    p5: Text
    p6: Text
    own_1: str = ""
    own_2: str = ""
    own_3: str = ""
    own_4: str = ""
    own_5: str = ""
    own_6: str = ""

    def phrase(self, face: int) -> Text:
        own: str = getattr(self, f"own_{face}")
        found: Text = getattr(self, f"p{face}")
        return same(own) if own else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Person(Row):
    """Somebody met (Appendix B.1): id `table.d66`, smaller die first. `leads`: roll on that table instead."""

    name: Text
    leads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillValue(Record):
    name: str
    value: int
    factor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetRow(Row):
    """A ready-made witch or cat. `power` are the 29 columns, ＊ first; factors in the order of their table."""

    kind: Literal["witch", "cat"]
    name: Text
    note: Text
    age: int
    birthday: tuple[int, int]
    factors: tuple[int, ...]
    hp: int
    mp: int = 0
    skills: tuple[SkillValue, ...] = ()
    power: tuple[int, ...] = ()
    sign: int = 0
    shadow: int = 0
    sex: str = ""
    color: str = ""
    pattern: str = ""
    spells: tuple[str, ...] = ()
    typical_count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Record):
    """Single numbers and switches, each explained by its row in `house_rules.toml`."""

    factor_roll: FactorRoll
    factor_min: int
    factor_cap: int
    point_buy_total: int
    point_buy_max: int
    skill_dice: int
    skill_dice_each: int
    skill_cap: int
    skills_per_factor: bool
    witch_hp: str
    power_method: PowerMethod
    column_roll: str
    all_columns_roll: str
    card_column_roll: str
    shadow_column: str
    growth_die: Literal["roll_1d6", "plus_1"]
    many_per_sabbath: bool
    compare_columns: Literal["all29", "days28"]
    xp_per_growth: int
    cat_factor_roll: Literal["1d6", "2d6", "manual"]
    cat_factor_cap: int
    cat_hp: str
    cat_mp: str
    cat_colour: Literal["roll", "choose"]
    cat_start_spells: int
    mp_recovery: Recovery
    hp_recovery: Recovery
    pool_scope: Literal["pair", "party"]
    points_initial: int
    shortfall: Literal["clip", "refuse_if_pool_lt_max"]
    help_at_zero: bool
    help_timing: Literal["before", "after_failure_too"]
    cat_may_reduce: bool
    difficulty_visible: bool
    belief_memory: Literal["scenario", "scene", "never"]
    retry: Literal["free", "gm", "once_per_scene"]
    moon_mode: Literal["campaign", "astronomical"]
    moon_mapping: Literal["proportional28", "old_calendar"]
    moon_hour: int
    moon_zone: str
    month_length: int
    months: int
    event_basis: Literal["by_mode", "moon_day", "date"]
    sabbath_day: int
    gathering_day: int
    whisker_limit: int
    same_whisker_twice: bool
    combat: bool
    hit_damage: Literal["strength", "one"]
    enemy_damage: int
    zero_hp: Literal["out_till_morning", "carries_on"]
    label_20: Literal["15_20", "21_up"]
    label_minus_5: Literal["to_minus_5", "minus_4"]
    gm_sees_true_name: bool
