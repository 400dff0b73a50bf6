"""ニンジャスレイヤーTRPG (2版) as the registry loads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.text import Text
from rulesets.ninja import build, creation, document, fields, odds
from rulesets.ninja.play import PLAY
from rulesets.ninja.presets import presets
from rulesets.ninja.sheet import text_limit
from rulesets.ninja.tables import HOUSE_RULES, Ninja
from rulesets.protocol import Context, Created, Credits, Fields, HouseRule, Kind, Preset, Refusal

_ALONE = Context()
_NO_TOOLS = Text("このゲームに早見の道具はありません。", "This game has no reference tools.")


class NinjaSystem:
    """The game as its rules file describes it; section numbers in its answers are that file's."""

    slug = "ninja"
    names = Text("ニンジャスレイヤーTRPG", "Ninja Slayer TRPG")
    credits = Credits(
        title=Text("ニンジャスレイヤーTRPG 2版 コア・ルール", "Ninja Slayer TRPG, 2nd edition, core rules"),
        author="ダイハードテイルズ",
        publisher="ダイハードテイルズ",
        edition="2版",
        url="https://diehardtales.com/",
    )
    ruleset = "2026.1"
    bcdice_ids: tuple[str, ...] = ("NinjaSlayer2", "NinjaSlayer")
    play = PLAY
    capabilities = frozenset({"npc_presets", "creation_dice", "play"})

    def tables(self, house_rules: Mapping[str, Any]) -> Ninja:
        return HOUSE_RULES.tables(house_rules)

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        return HOUSE_RULES.rows(overrides)

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        return HOUSE_RULES.check(overrides)

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        return HOUSE_RULES.digest(house_rules)

    def pool_total(self, players: int, tables: Ninja) -> None:
        """Every ninja has a budget of its own (§3.4)."""

    def blank(self, kind: Kind, tables: Ninja) -> Fields:
        return fields.blank(kind, tables)

    def known_field(self, key: str) -> bool:
        return fields.known_field(key)

    def parse_field(self, key: str, typed: str) -> Value:
        return fields.parse_field(key, typed)

    def field_label(self, key: str, tables: Ninja) -> Text:
        return fields.field_label(key, tables)

    def field_text(self, key: str, value: Value, tables: Ninja) -> Text:
        return fields.field_text(key, value, tables)

    def from_build(self, build_document: Mapping[str, Any]) -> Fields:
        return document.from_build(build_document)

    def to_build(self, flat: Fields) -> dict[str, Any]:
        return document.to_build(flat)

    def text_max(self, key: str) -> int:
        return text_limit(key)

    def check_document(self, build_document: Mapping[str, Any]) -> Sequence[Problem]:
        return document.check_document(build_document)

    def check(self, flat: Fields, tables: Ninja, context: Context = _ALONE) -> Report:
        return build.check(flat, tables, context)

    def display_name(self, flat: Fields) -> str:
        return fields.display_name(flat)

    def presets(self, tables: Ninja) -> Sequence[Preset]:
        return presets(tables)

    def create(self, step: str, flat: Fields, tables: Ninja, dice: DiceSource) -> Created:
        return creation.create(step, flat, tables, dice)

    def odds(self, question: Mapping[str, Any], tables: Ninja) -> Odds:
        return odds.answer(question, tables)

    def message(self, code: str, tables: Ninja, **params: object) -> Text:
        return build.message(code, tables, **params)

    def reference(self, tool: str, typed: Mapping[str, Any], tables: Ninja) -> Any:
        """Never asked: the game has no tools. Raises `Refusal`."""
        raise Refusal("no_reference", _NO_TOOLS)


SYSTEM = NinjaSystem()
