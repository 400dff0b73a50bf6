"""Computed values of a sheet, each with everything it is made of (rules §3.2, §3.7, §3.9, §3.10)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rulesets.engine.problems import Derived, Part
from rulesets.engine.text import Text, same
from rulesets.ninja import ladder
from rulesets.ninja.rows import AbilityId, AutoSkill
from rulesets.ninja.sheet import Sheet, Source

Dice = tuple[tuple[str, AbilityId, str], ...]
# key, ability it starts from, further kind of dice that is added to it
_TESTS: Dice = (
    ("karate_test_dice", "karate", ""),
    ("neuron_test_dice", "neuron", ""),
    ("wazamae_test_dice", "wazamae", ""),
    ("attack_dice", "karate", "karate_test_dice"),
    ("shoot_dice", "wazamae", "wazamae_test_dice"),
    ("precise_dice", "wazamae", "wazamae_test_dice"),
    ("cartwheel_dice", "wazamae", "wazamae_test_dice"),
    ("hack_dice", "neuron", "neuron_test_dice"),
    ("negotiate_dice", "neuron", "neuron_test_dice"),
)
# derived value -> the number of an NPC that replaces it
_NPC = {
    "hp_max": "hp",
    "mp_max": "mp",
    "legs": "legs",
    "attack_dice": "attack",
    "shoot_dice": "shoot",
    "initiative": "initiative",
    "hack_dice": "hack",
    "evade_dice": "evade",
    "precise_dice": "precise",
    "cartwheel_dice": "cartwheel",
    "cast_dice": "cast",
    "emergency_dice": "emergency",
    "damage_reduction": "reduction",
    "multi_attack": "multi_attack",
    "multi_shot": "multi_shot",
}
_LAN_OR_TOUCH = "lan_or_touch"


class Values:
    """Every computed value of a sheet. `abilities` are those that count now: in play, damaged or raised ones."""

    def __init__(self, sheet: Sheet, abilities: Mapping[AbilityId, int] | None = None, weapon: str = "") -> None:
        self.sheet = sheet
        self.now = dict(sheet.permanent if abilities is None else abilities)
        self.weapon = weapon or sheet.in_hand

    # ------------------------------------------------------------ numbers

    def number(self, key: str) -> int:
        """A value as a number; 0 while its ability is open."""
        found = self.parts(key)
        return 0 if found is None else max(0, sum(part.value for part in found if isinstance(part.value, int)))

    def rank(self, weapon: str = "") -> int:
        """The rank of 連続側転難易度 with a weapon in hand (§3.2)."""
        values = Values(self.sheet, self.now, weapon) if weapon else self
        shifts = [part.value for part in values.modifiers("cartwheel_difficulty") if isinstance(part.value, int)]
        return ladder.shifted(ladder.NORMAL, shifts, ladder.floor_of(self.sheet.tables))

    @cached_property
    def auto_skills(self) -> tuple[AutoSkill, ...]:
        """● skills that the permanent abilities give, and those a GM ticked (§3.7)."""
        have = self.sheet.permanent
        rows = self.sheet.tables.auto_skills.values()
        return tuple(row for row in rows if have.get(row.ability, 0) >= row.least or self.sheet.flag(f"auto.{row.id}"))

    def gift(self, gives: str) -> int:
        """The best value of a kind of ● skill: 連続攻撃 and 連射 at least 1, the others 0 or 1."""
        if self.sheet.flag(f"npc.{gives}"):
            return 1
        least = 1 if gives in ("multi_attack", "multi_shot") else 0
        return max((row.value for row in self.auto_skills if row.gives == gives), default=least)

    # ------------------------------------------------------------ parts

    def parts(self, key: str) -> tuple[Part, ...] | None:
        """The summands of a value; None while an ability it needs is open."""
        given = self.sheet.number(f"npc.{_NPC[key]}") if key in _NPC else None
        if given is not None:
            return (self._part("base_value", given),)
        if key in ("hp_max", "mp_max"):
            return self._body(key)
        if key == "legs":
            return self._legs()
        if key == "evade_dice":
            return self._evade()
        if key == "initiative":
            return self._of("neuron", "initiative")
        if key == "cast_dice":
            return self._cast()
        if key in ("multi_attack", "multi_shot"):
            return (self._part("auto_skills", self.gift(key)),)
        if key == "quick_dice":
            return self._quick()
        for name, ability, also in _TESTS:
            if key == name:
                return self._of(ability, *filter(None, (also, key)))
        return self.modifiers(key)

    def modifiers(self, target: str) -> tuple[Part, ...]:
        """What things and skills change of a value, source by source."""
        known, key = self.sheet.modifiers, (target, self.weapon)
        if key not in known:
            counted = (
                (source.name, sum(effect.value for effect in source.effects if self._counts(source, effect, target)))
                for source in self.sheet.sources
            )
            known[key] = tuple(Part(name, value) for name, value in counted if value)
        return known[key]

    def _counts(self, source: Source, effect: object, target: str) -> bool:
        if getattr(effect, "target", "") != target:
            return False
        if getattr(effect, "group", "") == _LAN_OR_TOUCH and self.sheet.has_lan:
            return False
        return not getattr(effect, "equipped", False) or source.weapon == self.weapon

    def _part(self, label: str, value: int) -> Part:
        return Part(self.sheet.tables.label(label), value)

    def _ability(self, ability: AbilityId) -> Part | None:
        if ability not in self.now:
            return None
        return Part(self.sheet.tables.abilities[ability].name, self.now[ability])

    def _of(self, ability: AbilityId, *targets: str) -> tuple[Part, ...] | None:
        base = self._ability(ability)
        if base is None:
            return None
        return (base, *(part for target in targets for part in self.modifiers(target)))

    def _body(self, key: str) -> tuple[Part, ...] | None:
        """体力 and 精神力 follow the permanent abilities; cyber load lowers 精神力 (§3.10, E20)."""
        sheet = self.sheet
        ability: AbilityId = "karate" if key == "hp_max" else "neuron"
        lowers = sheet.tables.rule.damage_lowers_max
        value = (self.now if lowers else sheet.permanent).get(ability)
        if value is None:
            return None
        load: tuple[Part, ...] = ()
        if key == "mp_max":
            step = sheet.tables.load_step(self.load)
            if step is not None and step.mp:
                load = (self._part("load_part", step.mp),)
        return (Part(sheet.tables.abilities[ability].name, value), *self.modifiers(key), *load)

    @property
    def load(self) -> int:
        return sum(piece.load for piece in self.sheet.pieces)

    def _legs(self) -> tuple[Part, ...] | None:
        """Half of the higher of カラテ and ワザマエ, rounded up, at least 2 for ninjas (§3.2).

        Of the permanent values: boosts and damage of 脚力 are told apart from those of abilities (§3.5.2, §6.7).
        """
        have = self.sheet.permanent
        if "karate" not in have or "wazamae" not in have:
            return None
        half = ladder.half_up(max(have["karate"], have["wazamae"]))
        background = self.sheet.background
        least = 0 if background is not None and background.no_least_legs else self.sheet.tables.rule.legs_least
        base = self._part("half", half) if half >= least else self._part("least", least)
        return (base, *self.modifiers("legs"))

    def _evade(self) -> tuple[Part, ...] | None:
        names: tuple[AbilityId, ...] = ("karate", "neuron", "wazamae")
        if self.sheet.tables.rule.evade_includes_jitsu:
            names = (*names, "jitsu")
        found = [part for part in (self._ability(name) for name in names) if part is not None]
        if not found:
            return None
        best = max(found, key=lambda part: part.value if isinstance(part.value, int) else 0)
        return (best, *self.modifiers("evade_dice"))

    def _cast(self) -> tuple[Part, ...] | None:
        neuron, jitsu = self._ability("neuron"), self._ability("jitsu")
        if neuron is None or jitsu is None:
            return None
        return (neuron, jitsu, *self.modifiers("cast_dice"))

    def _quick(self) -> tuple[Part, ...]:
        tables = self.sheet.tables
        free = self._part("empty_slots", max(0, tables.rule.weapon_slots - self.slots))
        minus: tuple[Part, ...] = ()
        if tables.rule.bio_quick_minus and self.sheet.gave_up_gifts:
            minus = (Part(tables.cyberware["battle_bio"].name, -1),)
        return (free, *minus, *self.modifiers("quick_dice"))

    @property
    def slots(self) -> int:
        """Weapon slots in use."""
        return sum(thing.slots for thing in self.sheet.things)


# ---------------------------------------------------------------- all of them, for the report

_MAIN = ("hp_max", "mp_max", "legs", "evade_dice", "initiative")
_DICE = ("attack_dice", "shoot_dice", "precise_dice", "cartwheel_dice", "hack_dice", "cast_dice", "negotiate_dice")
_ABILITY_DICE = ("karate_test_dice", "neuron_test_dice", "wazamae_test_dice")
_OTHER = ("emergency_dice", "damage_melee", "negotiate_difficulty", "damage_reduction", "multi_attack", "multi_shot")
_RULES = {
    "quick_dice": "§4.6",
    "emergency_dice": "§4.7",
    "damage_reduction": "§6.6",
    "multi_attack": "§3.7",
    "multi_shot": "§3.7",
}


def derived_values(sheet: Sheet) -> dict[str, Derived]:
    """Every derived value that can be computed, in the order of the sheet."""
    values, tables = Values(sheet), sheet.tables
    found: dict[str, Derived] = {}

    def put(key: str, value: int | str, parts: tuple[Part, ...], rule: str = "§3.2", **more: object) -> None:
        found[key] = Derived(key, tables.label(key), value, parts, rule, **more)  # type: ignore[arg-type]

    for group, keys in (("main", _MAIN), ("dice", _DICE), ("tests", _ABILITY_DICE), ("other", _OTHER)):
        for key in keys:
            parts = values.parts(key)
            if parts is not None:
                least = -99 if key == "negotiate_difficulty" else 0
                total = max(least, sum(part.value for part in parts if isinstance(part.value, int)))
                put(key, total, parts, _RULES.get(key, "§3.2"), group=group)
    for key, weapon in (("cartwheel_difficulty", sheet.in_hand), ("cartwheel_unarmed", "unarmed")):
        level = ladder.Level(values.rank(weapon))
        start = Part(same("NORMAL"), "")
        put(key, level.id, (start, *Values(sheet, None, weapon).modifiers("cartwheel_difficulty")), group="main")
    quick = values.parts("quick_dice") or ()
    put("quick_dice", values.number("quick_dice"), quick, "§4.6", group="other")
    _counts(sheet, values, put)
    names = [row.name for row in values.auto_skills]
    if names:
        put("auto_skills", "、".join(name.ja for name in names), tuple(Part(name, "") for name in names), "§3.7")
    if {"hp_max", "mp_max", "legs", "cast_dice"} <= found.keys():
        put("stat_block", stat_block(sheet, found), (), group="text")
    return found


def _counts(sheet: Sheet, values: Values, put: object) -> None:
    rule, permanent = sheet.tables.rule, sheet.permanent
    owned = [held for held in sheet.skills if held.place == "owned"]
    memory = [held for held in sheet.skills if held.place == "memory"]
    lore = [Part(sheet.tables.lore.get(row, same(row)), 1) for _, row in sheet.lore]
    counted: list[tuple[str, list[Part], int | None, str]] = [
        ("weapon_slots", [Part(t.name, t.slots) for t in sheet.things if t.slots], rule.weapon_slots, "§3.6"),
        ("skill_slots", [Part(h.skill.name, h.skill.marks) for h in owned], owned_limit(sheet), "§3.8"),
        ("memory_slots", lore + [Part(h.skill.name, h.skill.marks) for h in memory], permanent.get("neuron"), "§3.8"),
        ("cyber_load", [Part(piece.name, piece.load) for piece in sheet.pieces], rule.load_limit, "§3.10"),
    ]
    for key, parts, limit, section in counted:
        used = sum(part.value for part in parts if isinstance(part.value, int))
        note = None if limit is None else sheet.tables.label("count_as").format(n=used, max=limit)
        put(key, used, tuple(parts), section, group="limits", note=note)  # type: ignore[operator]


def owned_limit(sheet: Sheet) -> int | None:
    """Slots for owned skills: ワザマエ, at most eight (E40)."""
    wazamae = sheet.permanent.get("wazamae")
    return None if wazamae is None else min(wazamae, sheet.tables.rule.skill_slots_most)


def stat_block(sheet: Sheet, found: Mapping[str, Derived]) -> str:
    """The official layout of a character (§3.2)."""

    def of(key: str) -> object:
        return found[key].value if key in found else "–"

    a = {ability: sheet.permanent.get(ability, "–") for ability in ("karate", "neuron", "wazamae", "jitsu")}
    kind = sheet.tables.label(f"kind_{sheet.kind}").ja
    letter = ladder.level(str(of("cartwheel_unarmed"))).letter
    gear: list[Text] = [held.skill.name for held in sheet.skills]
    gear += [t.name for t in sheet.things] + [piece.name for piece in sheet.pieces]
    gear += [] if sheet.jitsu is None else [Text(f"{sheet.jitsu.name.ja}LV{a['jitsu']}", "")]
    gear += [sheet.tables.lore.get(row, same(row)) for _, row in sheet.lore]
    lines = [
        f"◆{sheet.text('name') or '—'} (種別:{kind})",
        f"カラテ {a['karate']}   体力 {of('hp_max')}",
        f"ニューロン {a['neuron']}  精神力 {of('mp_max')}",
        f"ワザマエ {a['wazamae']}  脚力 {of('legs')}/{letter}",
        f"ジツ {a['jitsu']}   万札 {sheet.count('money')}",
        f"攻撃/射撃/機先/電脳  {of('attack_dice')}/{of('shoot_dice')}/{of('initiative')}/{of('hack_dice')}",
        f"回避/精密/側転/発動  {of('evade_dice')}/{of('precise_dice')}/{of('cartwheel_dice')}/{of('cast_dice')}",
        "◇" + "、".join(name.ja for name in gear if name.ja),
    ]
    return "\n".join(lines)
