"""The small facade that web code calls. Everything about a game goes through here, by slug.

Web code uses this module and the types of `rulesets.protocol`, `rulesets.engine.text` and `rulesets.engine.problems`.
Every function raises `UnknownSystem` for a slug no game has, and those that take house rules raise
`HouseRulesInvalid` when these do not fit (except `house_rules` and `check_house_rules`, which show what is wrong).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from rulesets import registry
from rulesets.engine import command_list
from rulesets.engine import script as scripts
from rulesets.engine.commands import common
from rulesets.engine.commands.language import Language
from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.commands.results import Roll
from rulesets.engine.dice import DiceSource
from rulesets.engine.house_forms import parse_form
from rulesets.engine.house_rules import HouseRulesInvalid, normalise
from rulesets.engine.odds import Odds
from rulesets.engine.play import Play
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.script import ScriptRefused, WrongFaces
from rulesets.engine.suggest import near_names
from rulesets.engine.text import Text
from rulesets.protocol import Context, Created, Fields, HouseRule, Kind, Preset, Refusal, System
from rulesets.registry import UnknownSystem

__all__ = [
    "HouseRulesInvalid",
    "Refusal",
    "Roll",
    "RollRefused",
    "ScriptRefused",
    "UnknownSystem",
    "WrongFaces",
    "blank",
    "check",
    "check_document",
    "check_house_rules",
    "commands",
    "create",
    "display_name",
    "field_label",
    "field_text",
    "from_build",
    "get",
    "has_pool",
    "house_rules",
    "known_field",
    "message",
    "normalise_house_rules",
    "odds",
    "parse_field",
    "parse_house_rule",
    "part_name",
    "parts",
    "play",
    "pool_total",
    "presets",
    "private_fields",
    "reference",
    "refusable_fields",
    "roll",
    "ruleset_hash",
    "script",
    "systems",
    "tables",
    "text_max",
    "to_build",
]

HouseRules = Mapping[str, Any]
# What some games play live around a table of their own: the draft of abilities.
PARTS = ("draft",)
TEXT_MAX = 200
_ALONE = Context()
_NO_PLAY = Text("「{game}」はまだ卓で遊べません。", "{game} cannot be played here.")
_NO_SUCH_GAME = Text("知らないゲームです（あるのは{known}）。", "no such game (there are {known}).")
_NO_REFERENCE = Text("「{game}」に早見の道具はありません。", "{game} has no reference tools.")


def systems() -> list[System]:
    """Every game, in the order of the registry."""
    return [registry.load(slug) for slug in registry.SLUGS]


def get(slug: str) -> System:
    """The game of a slug. Raises `UnknownSystem`."""
    return registry.load(slug)


# ---------------------------------------------------------------- rules data and house rules


def tables(slug: str, house_rules: HouseRules) -> Any:
    """The typed tables under these house rules; cached by the game."""
    return get(slug).tables(house_rules)


def house_rules(slug: str, overrides: HouseRules) -> list[HouseRule]:
    """Every row a group may edit, with its default and what applies now."""
    return list(get(slug).house_rules(overrides))


def check_house_rules(slug: str, overrides: HouseRules) -> list[Problem]:
    """Everything wrong with an override; `path` is the row's key, `params` name row and column of a table."""
    return list(get(slug).check_house_rules(overrides))


def parse_house_rule(slug: str, key: str, typed: Mapping[str, str]) -> Any:
    """The value of one house rule from form controls (names: see `rulesets.engine.house_forms.parse_form`).

    Raises `KeyError` for a key that is no house rule. Unreadable text stays text for `check_house_rules` to report.
    """
    for rule in get(slug).house_rules({}):
        if rule.key == key:
            return parse_form(rule, typed)
    raise KeyError(key)


def normalise_house_rules(slug: str, overrides: HouseRules) -> dict[str, Any]:
    """The override without the rows and cells that equal the defaults: what is worth storing."""
    return normalise(get(slug).house_rules({}), overrides)


def ruleset_hash(slug: str, house_rules: HouseRules) -> str:
    """`sha256:…` of the rules data a build is checked against, house rules included, words left out."""
    return get(slug).ruleset_hash(house_rules)


def pool_total(slug: str, players: int, house_rules: HouseRules) -> int | None:
    """Build points of a party of so many players; None when the game has no pool."""
    system = get(slug)
    return system.pool_total(players, system.tables(house_rules))


def has_pool(slug: str) -> bool:
    """Whether characters of this game cost points of a party's pool."""
    return pool_total(slug, 1, {}) is not None


# ---------------------------------------------------------------- building


def blank(slug: str, kind: Kind, house_rules: HouseRules) -> Fields:
    """The fields a new character starts with."""
    system = get(slug)
    return system.blank(kind, system.tables(house_rules))


def known_field(slug: str, key: str) -> bool:
    """Whether a draft of this game may hold the key."""
    return get(slug).known_field(key)


def parse_field(slug: str, key: str, typed: str) -> Value:
    """The value of what a person typed; unreadable text comes back as text for `check` to report."""
    return get(slug).parse_field(key, typed)


def private_fields(slug: str, fields: Fields) -> frozenset[str]:
    """Keys that only the character's player and the GMs may read; a game says so with `private_fields(fields)`."""
    own = getattr(get(slug), "private_fields", None)
    return frozenset(own(fields)) if own is not None else frozenset()


def refusable_fields(slug: str) -> frozenset[str]:
    """Fields whose value a GM may turn down for the whole campaign; a game lists them in `refusable`."""
    found: frozenset[str] = getattr(get(slug), "refusable", frozenset())
    return found


def text_max(slug: str, key: str) -> int:
    """Most characters a field may hold while it is written; a game says so with `text_max(key)`."""
    own = getattr(get(slug), "text_max", None)
    return own(key) if own is not None else TEXT_MAX


def field_label(slug: str, key: str, house_rules: HouseRules) -> Text:
    system = get(slug)
    return system.field_label(key, system.tables(house_rules))


def field_text(slug: str, key: str, value: Value, house_rules: HouseRules) -> Text:
    """A value in words, for differences and conflicts."""
    system = get(slug)
    return system.field_text(key, value, system.tables(house_rules))


def display_name(slug: str, fields: Fields) -> str:
    """The character's name as its fields give it; "" while there is none."""
    return get(slug).display_name(fields)


def from_build(slug: str, build: Mapping[str, Any]) -> Fields:
    """Fields of a build document (`interop/json-api.md` §4.4) that `check_document` found sound."""
    return get(slug).from_build(build)


def to_build(slug: str, fields: Fields) -> dict[str, Any]:
    """The build document of legal fields."""
    return get(slug).to_build(fields)


def check_document(slug: str, build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a foreign document from being read: unknown keys, wrong types."""
    return list(get(slug).check_document(build))


def check(slug: str, fields: Fields, house_rules: HouseRules, context: Context = _ALONE) -> Report:
    """Every problem at once, the costs, the derived values. Never raises over what the fields hold."""
    system = get(slug)
    return system.check(fields, system.tables(house_rules), context)


def presets(slug: str, house_rules: HouseRules) -> Sequence[Preset]:
    system = get(slug)
    return system.presets(system.tables(house_rules))


def create(slug: str, step: str, fields: Fields, house_rules: HouseRules, dice: DiceSource) -> Created:
    """A creation step that rolls. Raises `Refusal` when it does not apply."""
    system = get(slug)
    return system.create(step, fields, system.tables(house_rules), dice)


def odds(slug: str, question: Mapping[str, Any], house_rules: HouseRules) -> Odds:
    """Exact chances for a question of this game; see the game's `odds.py`. Raises `Refusal` for no question."""
    system = get(slug)
    return system.odds(question, system.tables(house_rules))


def message(slug: str, code: str, /, **params: object) -> Text:
    """The words of a problem that something else than `check` finds (edo: V03a, V04, P01 …). Raises `KeyError`."""
    system = get(slug)
    return system.message(code, system.tables({}), **params)


def reference(slug: str, tool: str, /, **typed: str) -> Any:
    """Ask a reference tool of the game, see its `reference.py`. Faults of what was typed are problems in the answer.

    Raises `Refusal` when the game has no tools.
    """
    system = get(slug)
    if "reference" not in system.capabilities:
        raise Refusal("no_reference", _NO_REFERENCE.format(game=system.names))
    return system.reference(tool, typed, system.tables({}))


# ---------------------------------------------------------------- live play


def play(name: str) -> Play[Any]:
    """Live play of a game (`edo`), or what else it plays live before its tables open (`alice.draft`: the attribute
    `draft` of the system). Raises `Refusal` when the game has no such play, `UnknownSystem`."""
    slug, _, part = name.partition(".")
    system = get(slug)
    found: Play[Any] | None = getattr(system, part or "play", None) if part in ("", *PARTS) else None
    if found is None:
        raise Refusal("no_play", _NO_PLAY.format(game=system.names))
    return found


def part_name(slug: str, part: str) -> Text:
    """What the game calls such a part (`part_names` of the system). Raises `KeyError`."""
    found: Text = get(slug).part_names[part]  # type: ignore[attr-defined]
    return found


def parts(slug: str) -> tuple[str, ...]:
    """What a game plays live before its tables open: names of `PARTS`."""
    return tuple(part for part in PARTS if getattr(get(slug), part, None) is not None)


def commands(name: str) -> list[dict[str, Any]]:
    """Every command of a live play (see `play`) as plain data: words, fields, refusals.

    Raises `Refusal`, `UnknownSystem`.
    """
    messages = tables(_slug(name), {}).messages
    return command_list.shapes(play(name), lambda code: messages[code].text)


def _slug(name: str) -> str:
    """The game of a live play's name: `alice` of `alice.draft`."""
    return name.partition(".")[0]


def script(data: object) -> dict[str, Any]:
    """Play a scripted session to its end; see `rulesets.engine.script`.

    Raises `ScriptRefused` for a script that cannot be read, `WrongFaces` for faces missing or left over.
    """
    read = scripts.read(data)
    try:
        game = play(read.system)
    except UnknownSystem:
        raise ScriptRefused("system", _NO_SUCH_GAME.format(known=", ".join(registry.SLUGS))) from None
    except Refusal as refusal:
        raise ScriptRefused("system", refusal.message) from None
    slug = _slug(read.system)
    for problem in check_house_rules(slug, read.house_rules):
        raise ScriptRefused(f"house_rules.{problem.path}", problem.message)
    for at, entry in enumerate(read.cast):
        for problem in check_document(slug, entry.build) if entry.build is not None else ():
            raise ScriptRefused(f"cast.{at}.build{problem.path}", problem.message)
    return scripts.run(game, read)


# ---------------------------------------------------------------- chat commands


def roll(system: str, line: str, dice: DiceSource) -> Roll:
    """Roll a chat line; `system` is a slug or a BCDice id (`DiceBot`: the common commands alone).

    A line that begins with `?` gives the odds and throws nothing. Raises `RollRefused`, always before a die is
    thrown, with a code, a sentence in both languages and suggestions; `unknown_system` for a system without dice.
    """
    return _language(system).roll(line, dice)


@lru_cache(maxsize=64)
def _language(name: str) -> Language:
    typed = name.strip().lower()
    for found, module in _dice().items():
        if found.lower() == typed:
            language: Language = module.language(found)
            return language
    names = list(_dice())
    refused = RollRefused("unknown_system", system=name[:40], known=", ".join(names))
    raise refused.offering(lambda: near_names(name, names))


@lru_cache(maxsize=1)
def _dice() -> dict[str, Any]:
    """The modules that know the commands, by slug and BCDice id. They do not need the tables of a game."""
    games = [import_module(f"rulesets.{slug}.rolls") for slug in registry.SLUGS]
    return {name: module for module in (common, *games) for name in module.NAMES}
