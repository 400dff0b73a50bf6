"""The kinds of rows in `data/*.toml` (rules/ninja.md §3–§9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rulesets.engine.tables import Record, Row
from rulesets.engine.text import Text

AbilityId = Literal["karate", "neuron", "wazamae", "jitsu"]
ABILITIES: tuple[AbilityId, ...] = get_args(AbilityId)
Part = Literal["head", "torso", "arms", "legs", "lan"]
PARTS: tuple[Part, ...] = get_args(Part)
DifficultyId = Literal["KIDS", "EASY", "NORMAL", "HARD", "U_HARD"]

# What a modifier may change (§3.9).
Target = Literal[
    "hp_max",
    "mp_max",
    "legs",
    "evade_dice",
    "emergency_dice",
    "quick_dice",
    "initiative",
    "karate_test_dice",
    "neuron_test_dice",
    "wazamae_test_dice",
    "attack_dice",
    "shoot_dice",
    "precise_dice",
    "cartwheel_dice",
    "hack_dice",
    "cast_dice",
    "negotiate_dice",
    "negotiate_difficulty",
    "cartwheel_difficulty",
    "damage_melee",
    "damage_reduction",
    "ability.karate",
    "ability.neuron",
    "ability.wazamae",
    "ability.jitsu",
]
TARGETS: tuple[Target, ...] = get_args(Target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Record):
    """One modifier of a thing. `equipped`: only while the weapon is in use; `group`: the highest of a group counts."""

    target: Target
    value: int
    equipped: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability(Row):
    """`cost`: points in the scratch build; `least`: lowest start value; `random_most`: highest in random creation."""

    name: Text
    cost: int
    least: int
    random_most: int
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty(Row):
    """A step of the scale below UH2 (§4.1). `target`: a die of this face or more counts."""

    name: Text
    letter: str
    target: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TestKind(Row):
    """What a test rolls (§4.3). `dice`: the derived value; "best" = the higher of ワザマエ and ニューロン."""

    name: Text
    dice: str
    difficulty: DifficultyId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Jitsu(Row):
    roll: int | None
    name: Text
    note: Text
    handling: Literal["area", "orbs", "self", "guard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(Row):
    """`marks`: number of ◉, the slots it takes. `roll`: its face on the table of start skills."""

    name: Text
    note: Text
    marks: int
    roll: int | None = None
    effects: tuple[Effect, ...] = ()
    stackable: bool = False
    lan_or_neuron: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoSkill(Row):
    """A ● skill that comes with an ability (§3.7)."""

    name: Text
    note: Text
    ability: AbilityId
    least: int
    gives: Literal["multi_attack", "multi_shot", "multi_target", "staggered", "sixth_sense"]
    value: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge(Row):
    """A ◉知識 skill. `roll` is its D66."""

    name: Text
    group: str
    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Negotiation(Row):
    name: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Style(Row):
    """A way of attacking with a weapon (§3.6): which dice, the shift of the test, its damage, its criticals.

    `most`: highest number of attacks (None: as many as the ninja can make); `sixes`: how many sixes サツバツ needs,
    one more for ナムアミダブツ.
    """

    name: Text
    note: Text
    kind: Literal["melee", "shoot"]
    weapons: tuple[str, ...]
    dice: str
    shift: int = 0
    heavy_blow: int = 0
    most: int | None = None
    sixes: int = 2
    no_blow: bool = False
    needs_skill: str = ""
    auto_row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Row):
    """A thing, weapons included. `roll`: its face on the table of start items; `part`: what armour covers.

    A weapon has `kind`, `damage` and the base difficulty; `multi_shot` is a gun's own 連射.
    """

    name: Text
    note: Text
    roll: int | None = None
    slots: int = 0
    relic: bool = False
    part: Part | None = None
    effects: tuple[Effect, ...] = ()
    kind: Literal["", "melee", "shuriken", "gun"] = ""
    damage: int | None = None
    difficulty: DifficultyId = "NORMAL"
    multi_shot: int = 0
    multi_ok: bool = False
    staggered_ok: bool = False
    use: Literal["", "hp", "mp", "revive", "hack", "photo"] = ""
    amount: int = 0
    katana_rules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cyberware(Row):
    name: Text
    note: Text
    parts: tuple[Part, ...]
    load: int
    roll: int | None = None
    effects: tuple[Effect, ...] = ()
    takes_start_gifts: bool = False
    lan: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Background(Row):
    """A 生い立ち (§3.5.8). `skills`: ids of knowledge and negotiation skills of which `choose` are taken.

    `cyber`: free pieces it grants; `items` and `gains`: what it may bring beside the start item.
    """

    name: Text
    note: Text
    roll: int
    choose: int
    skills: tuple[str, ...]
    effects: tuple[Effect, ...] = ()
    money: int = 0
    dkk: int = 0
    fame: int = 0
    items: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    cyber: tuple[str, ...] = ()
    no_least_legs: bool = False
    replaces_item: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePart(Row):
    """One half of a ニンジャネーム by D66."""

    name: Text
    table: Literal["a", "b"]
    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadStep(Row):
    """Cyber load from `least` on (§3.10)."""

    least: int
    mp: int
    note: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall(Row):
    """What an ability may reach with `level` walls broken (§9.3)."""

    level: int
    cap: int
    cap_jitsu: int
    fame: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical(Row):
    """A row of the サツバツ table (§6.7): 痛打 and the side effects."""

    roll: int
    name: Text
    note: Text
    blow: int = 0
    karate: int = 0
    neuron: int = 0
    wazamae: int = 0
    mp: int = 0
    legs: int = 0
    injury: Part | None = None
    knockback: bool = False
    death: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Row):
    """How ニンジャスレイヤー comes (§7.3). `shift`: on everybody's cartwheels until the end of the next turn."""

    roll: int
    name: Text
    note: Text
    shift: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shock(Row):
    """A row of the NRS table (§4.12)."""

    roll: int
    name: Text
    note: Text
    hp: int = 0
    mp: int = 0
    condition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Row):
    """A state (§6.9). `shift`: on attacks against its bearer."""

    name: Text
    note: Text
    shift: int = 0
    can_act: bool = True
    can_move: bool = True
    blocks_doors: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat(Row):
    """What アトモスフィア adds to the evasion of one kind of attack (§6.8)."""

    name: Text
    normal: int
    hard: int
    u_hard: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DkkEvent(Row):
    """A deed that raises DKK (§7.1): `fixed`, or `dice` dice of `sides`."""

    name: Text
    fixed: int = 0
    dice: int = 0
    sides: int = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Downtime(Row):
    """Something done with 余暇スロット (§9.1). None: the group fills it in."""

    name: Text
    note: Text
    slots: int | None = None
    money: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetRow(Row):
    """A ready-made NPC (§8). None: not found in any source, to be filled in before it fights."""

    name: Text
    note: Text
    kind: Literal["ninja", "mortal", "clone", "machine", "beast", "civilian"]
    mob: bool = True
    typical_count: int = 1
    karate: int | None = None
    neuron: int | None = None
    wazamae: int | None = None
    jitsu: int | None = None
    hp: int | None = None
    mp: int | None = None
    legs: int | None = None
    attack: int | None = None
    shoot: int | None = None
    initiative: int | None = None
    hack: int | None = None
    evade: int | None = None
    precise: int | None = None
    cartwheel: int | None = None
    cast: int | None = None
    emergency: int | None = None
    reduction: int | None = None
    multi_attack: int | None = None
    multi_shot: int | None = None
    damage: int | None = None
    shoot_damage: int | None = None
    money: int | None = None
    death_resist: bool = False
    six_heavy: bool = False
    staggered: bool = False
    multi_target: bool = False
    sixth_sense: bool = False
    karma_good: bool = False
    skills: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
