"""Flat build fields read as a sheet: typed where they can be typed, raw where a person still has to repair them.

Keys (rules §3; documents: `document.py`):

    name · method · abilities.<a> · growth.<a> · walls.<a> · jitsu_kind · start_skill · start_item · background ·
    background_skills.<n> · skills.<row> (owned | memory) · knowledge.<n> · knowledge_note.<n> ·
    equipment.<n>.{id,text,slots,part,target,value} · cyberware.<n>.{id,text,part,load,target,value,origin} · equipped ·
    affiliation · karma_good · money · fame · dkk · loan · auto.<skill> · dice.<n> · rolls.<step> · npc.<what>

`<row>` is a skill's id, or `id~n` for a further copy of a skill that can be held more than once. A thing of no list
has a `text`, and may change one value (`target`, `value`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rulesets.engine.problems import Part as Summand
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.ninja.rows import (
    ABILITIES,
    PARTS,
    TARGETS,
    AbilityId,
    Background,
    Cyberware,
    Effect,
    Item,
    Jitsu,
    Part,
    Skill,
)
from rulesets.ninja.tables import TABLES, Ninja
from rulesets.protocol import Fields

Sort = Literal["number", "flag", "choice", "text"]

METHODS = ("scratch", "random", "npc")
PLACES = ("owned", "memory")
ORIGINS = ("start", "background", "bought")
STEPS = ("jitsu", "start_skill", "knowledge", "start_item", "cyberware", "background")
COUNTS = ("money", "fame", "dkk", "loan")
NPC_NUMBERS = (
    *("hp", "mp", "legs", "attack", "shoot", "initiative", "hack", "evade", "precise", "cartwheel", "cast"),
    *("emergency", "reduction", "multi_attack", "multi_shot", "damage", "shoot_damage", "level"),
)
NPC_FLAGS = ("mob", "death_resist", "six_heavy", "staggered", "multi_target", "sixth_sense")
NPC_KINDS = ("ninja", "mortal", "clone", "machine", "beast", "civilian")
MAX_ROWS = 60
TEXT_MAX = {"name": 100, "affiliation": 100, "knowledge_note": 100, "equipment": 200, "cyberware": 200}

_NUMBERED = r"(?:~[1-9][0-9]?)?"
_ROW = r"([1-9]|[1-5][0-9]|60)"
_SKILL_KEY = re.compile(rf"skills\.([a-z0-9_]+)({_NUMBERED})")
_LIST_KEY = re.compile(rf"(knowledge|knowledge_note|background_skills)\.{_ROW}")
_THING_KEY = re.compile(rf"(equipment|cyberware)\.{_ROW}\.([a-z]+)")
_AUTO_KEY = re.compile(r"auto\.([a-z0-9_]+)")
_THING_SORTS: Mapping[str, Mapping[str, Sort]] = {
    "equipment": {
        **{"id": "choice", "text": "text", "slots": "number", "part": "choice"},
        **{"target": "choice", "value": "number"},
    },
    "cyberware": {
        **{"id": "choice", "text": "text", "part": "choice", "load": "number"},
        **{"target": "choice", "value": "number", "origin": "choice"},
    },
}
_PLAIN: Mapping[str, Sort] = {
    **dict.fromkeys(("name", "affiliation"), "text"),
    **dict.fromkeys(("method", "jitsu_kind", "start_skill", "start_item", "background", "equipped"), "choice"),
    **dict.fromkeys(COUNTS, "number"),
    **{f"{head}.{ability}": "number" for head in ("abilities", "growth", "walls") for ability in ABILITIES},
    **{f"dice.{n}": "number" for n in range(1, 5)},
    **{f"rolls.{step}": "number" for step in STEPS},
    **{f"npc.{name}": "number" for name in NPC_NUMBERS},
    **{f"npc.{name}": "flag" for name in NPC_FLAGS},
    **dict.fromkeys(("npc.kind", "npc.preset"), "choice"),
    "karma_good": "flag",
}


def sort_of(key: str) -> Sort | None:
    """What kind of value a field holds; None for a key that no draft of this game has."""
    if key in _PLAIN:
        return _PLAIN[key]
    if match := _SKILL_KEY.fullmatch(key):
        return "choice" if match[1] in TABLES.base.skills else None
    if match := _LIST_KEY.fullmatch(key):
        return "text" if match[1] == "knowledge_note" else "choice"
    if match := _THING_KEY.fullmatch(key):
        return _THING_SORTS[match[1]].get(match[3])
    if match := _AUTO_KEY.fullmatch(key):
        return "flag" if match[1] in TABLES.base.auto_skills else None
    return None


def text_limit(key: str) -> int:
    return TEXT_MAX.get(key.partition(".")[0], 100)


def row_parts(row: str) -> tuple[str, int]:
    """Skill id and number of a row: `soul_darkness~2` -> ("soul_darkness", 2); a plain row has number 1."""
    skill, _, number = row.partition("~")
    return skill, int(number) if number.isdecimal() else 1


def whole(value: Value) -> int | None:
    """A whole number, and no truth value, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing carried: a row of the lists, or one of the group's own with a name and one modifier."""

    path: str
    name: Text
    row: Item | None
    slots: int
    part: Part | None
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of cyberware. `origin`: bought on the loan at the start, given by a 生い立ち, or bought later."""

    path: str
    name: Text
    row: Cyberware | None
    parts: tuple[Part, ...]
    load: int
    effects: tuple[Effect, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class Held:
    """A skill and where it is kept. `path` is the field that holds it."""

    path: str
    skill: Skill
    place: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where modifiers come from. `weapon`: the thing's id when some count only while it is in hand."""

    name: Text
    effects: tuple[Effect, ...]
    weapon: str = ""


class Sheet:
    """Fields under one campaign's tables. Never raises, whatever the fields hold."""

    def __init__(self, fields: Fields, tables: Ninja) -> None:
        self.fields = {key: value for key, value in fields.items() if value is not None}
        self.tables = tables
        # modifiers by what they change and the weapon in hand: worked out once only (`derived.Values`)
        self.modifiers: dict[tuple[str, str], tuple[Summand, ...]] = {}

    def text(self, key: str) -> str:
        """A text field, trimmed; "" when it is empty or no text."""
        value = self.fields.get(key)
        return value.strip() if isinstance(value, str) else ""

    def number(self, key: str) -> int | None:
        return whole(self.fields.get(key))

    def count(self, key: str) -> int:
        """A number of things: 0 while it cannot be read or is negative."""
        return max(0, self.number(key) or 0)

    def flag(self, key: str) -> bool:
        return self.fields.get(key) is True

    # ------------------------------------------------------------ who

    @property
    def method(self) -> str:
        return self.text("method")

    @cached_property
    def base(self) -> dict[AbilityId, int]:
        """Abilities as created, those that are whole numbers."""
        found = {ability: self.number(f"abilities.{ability}") for ability in ABILITIES}
        return {ability: value for ability, value in found.items() if value is not None}

    @cached_property
    def permanent(self) -> dict[AbilityId, int]:
        """Abilities with growth and lasting changes: what automatic skills look at (§3.1, §3.7)."""
        lasting = {ability: self._lasting(f"ability.{ability}") for ability in ABILITIES}
        return {a: max(0, value + self.count(f"growth.{a}") + lasting[a]) for a, value in self.base.items()}

    def _lasting(self, target: str) -> int:
        return sum(effect.value for source in self.sources for effect in source.effects if effect.target == target)

    @cached_property
    def jitsu(self) -> Jitsu | None:
        return self.tables.jitsu.get(self.text("jitsu_kind"))

    @cached_property
    def background(self) -> Background | None:
        return self.tables.backgrounds.get(self.text("background"))

    @property
    def kind(self) -> str:
        """種別 (§8): a ninja unless an NPC says otherwise."""
        typed = self.text("npc.kind")
        return typed if typed in NPC_KINDS else "ninja"

    @property
    def start_skill(self) -> Skill | None:
        return self.tables.skills.get(self.text("start_skill"))

    @property
    def start_item(self) -> Item | None:
        return self.tables.items.get(self.text("start_item"))

    # ------------------------------------------------------------ what is there

    @cached_property
    def skills(self) -> tuple[Held, ...]:
        """The start skill, then the others in the order of the lists."""
        found = [] if self.start_skill is None else [Held("start_skill", self.start_skill, "owned")]
        rows = {key: match for key in self.fields if (match := _SKILL_KEY.fullmatch(key))}
        order = {skill: place for place, skill in enumerate(self.tables.skills)}
        known = [(order[match[1]], match[2], key) for key, match in rows.items() if match[1] in order]
        for _, _, key in sorted(known):
            skill = self.tables.skills[row_parts(key.removeprefix("skills."))[0]]
            found.append(Held(key, skill, "memory" if self.fields[key] == "memory" else "owned"))
        return tuple(found)

    def copies(self, skill: str) -> int:
        """How many copies of a skill are held."""
        return sum(held.skill.id == skill for held in self.skills)

    @cached_property
    def lore(self) -> tuple[tuple[str, str], ...]:
        """Field and id of every knowledge skill, known ids or not."""
        return tuple((key, str(self.fields[key])) for key in self._listed("knowledge"))

    @cached_property
    def background_lore(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, str(self.fields[key])) for key in self._listed("background_skills"))

    def _listed(self, head: str) -> list[str]:
        keys = [key for key in self.fields if (match := _LIST_KEY.fullmatch(key)) and match[1] == head]
        return sorted(keys, key=lambda key: int(key.rpartition(".")[2]))

    def rows(self, head: str) -> list[int]:
        """Numbers of the rows of `equipment` or `cyberware` that hold anything."""
        found = {int(match[2]) for key in self.fields if (match := _THING_KEY.fullmatch(key)) and match[1] == head}
        return sorted(found)

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        start = self.start_item
        found = [] if start is None else [_listed_thing("start_item", start)]
        for n in self.rows("equipment"):
            row = self.tables.items.get(self.text(f"equipment.{n}.id"))
            if row is not None:
                found.append(_listed_thing(f"equipment.{n}.id", row))
            else:
                found.append(self._own_thing(n))
        return tuple(found)

    def _own_thing(self, n: int) -> Thing:
        head = f"equipment.{n}"
        part = next((part for part in PARTS if part == self.text(f"{head}.part")), None)
        name = same(self.text(f"{head}.text"))
        return Thing(f"{head}.text", name, None, self.count(f"{head}.slots"), part, tuple(self._own_effect(head)))

    def _own_effect(self, head: str) -> Iterator[Effect]:
        target = next((target for target in TARGETS if target == self.text(f"{head}.target")), None)
        value = self.number(f"{head}.value")
        if target is not None and value:
            yield Effect(target=target, value=value)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(self._piece(n) for n in self.rows("cyberware"))

    def _piece(self, n: int) -> Piece:
        head = f"cyberware.{n}"
        row = self.tables.cyberware.get(self.text(f"{head}.id"))
        origin = self.text(f"{head}.origin") or "start"
        if row is not None:
            return Piece(f"{head}.id", row.name, row, row.parts, row.load, row.effects, origin)
        parts = tuple(part for part in PARTS if part == self.text(f"{head}.part"))
        name, load = same(self.text(f"{head}.text")), self.count(f"{head}.load")
        return Piece(f"{head}.text", name, None, parts, load, tuple(self._own_effect(head)), origin)

    @cached_property
    def has_lan(self) -> bool:
        return any(piece.row is not None and piece.row.lan for piece in self.pieces)

    @cached_property
    def gave_up_gifts(self) -> bool:
        """Whether 戦闘用バイオサイバネ stands in for start item and start skill (§3.3)."""
        return any(piece.row is not None and piece.row.takes_start_gifts for piece in self.pieces)

    @cached_property
    def weapons(self) -> tuple[str, ...]:
        """Ids of melee weapons and guns carried, each once; 素手 and スリケン are always there."""
        carried = (thing.row for thing in self.things if thing.row is not None and thing.row.kind)
        return tuple(dict.fromkeys(("unarmed", "shuriken", *(row.id for row in carried))))

    @cached_property
    def in_hand(self) -> str:
        """The weapon in hand: the one chosen, else the first that is carried, else 素手."""
        chosen = self.text("equipped")
        carried = [weapon for weapon in self.weapons if weapon not in ("unarmed", "shuriken")]
        return chosen if chosen in self.weapons else carried[0] if carried else "unarmed"

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Everything that modifies values, in the order of the sheet."""
        found = [] if self.background is None else [Source(self.background.name, self.background.effects)]
        found += [Source(held.skill.name, held.skill.effects) for held in self.skills]
        found += [Source(t.name, t.effects, t.row.id if t.row is not None else "") for t in self.things]
        found += [Source(piece.name, piece.effects) for piece in self.pieces]
        return tuple(source for source in found if source.effects)


def _listed_thing(path: str, row: Item) -> Thing:
    return Thing(path, row.name, row, row.slots, row.part, row.effects)
