"""ウィッチクエスト as the registry loads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.text import Text
from rulesets.protocol import Context, Created, Credits, Fields, HouseRule, Kind, Preset, Refusal
from rulesets.witch import build, creation, document, fields, odds
from rulesets.witch.play import PLAY
from rulesets.witch.presets import presets
from rulesets.witch.tables import HOUSE_RULES, Witch

_ALONE = Context()


class WitchSystem:
    """The game as its rules file describes it; section numbers in its answers are that file's."""

    slug = "witch"
    names = Text("ウィッチクエスト", "Witch Quest")
    credits = Credits(
        title=Text("ウィッチクエスト", "Witch Quest"),
        author="",
        publisher="",
        edition="",
        url="http://www.incl.ne.jp/south/WQ/",
    )
    ruleset = "2026.1"
    bcdice_ids: tuple[str, ...] = ("WitchQuest",)
    play = PLAY
    # fields that only the owner and whom the rules name may read (§3.1, §4.1)
    secret_fields = frozenset({"true_name", "tail_name", "name_letters"})
    capabilities = frozenset({"npc_presets", "creation_dice", "play"})

    def tables(self, house_rules: Mapping[str, Any]) -> Witch:
        return HOUSE_RULES.tables(house_rules)

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        return HOUSE_RULES.rows(overrides)

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        return HOUSE_RULES.check(overrides)

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        return HOUSE_RULES.digest(house_rules)

    def pool_total(self, players: int, tables: Witch) -> None:
        """Nothing is bought from a common pool of build points in this game."""
        return None

    def blank(self, kind: Kind, tables: Witch) -> Fields:
        return fields.blank(kind)

    def known_field(self, key: str) -> bool:
        return fields.known_field(key)

    def parse_field(self, key: str, typed: str) -> Value:
        return fields.parse_field(key, typed)

    def field_label(self, key: str, tables: Witch) -> Text:
        return fields.field_label(key, tables)

    def field_text(self, key: str, value: Value, tables: Witch) -> Text:
        return fields.field_text(key, value, tables)

    def from_build(self, build_document: Mapping[str, Any]) -> Fields:
        return document.from_build(build_document)

    def to_build(self, flat: Fields) -> dict[str, Any]:
        return document.to_build(flat)

    def check_document(self, build_document: Mapping[str, Any]) -> Sequence[Problem]:
        return document.check_document(build_document)

    def check(self, flat: Fields, tables: Witch, context: Context = _ALONE) -> Report:
        return build.check(flat, tables, context)

    def display_name(self, flat: Fields) -> str:
        return fields.display_name(flat)

    def presets(self, tables: Witch) -> Sequence[Preset]:
        return presets(tables)

    def create(self, step: str, flat: Fields, tables: Witch, dice: DiceSource) -> Created:
        return creation.create(step, flat, tables, dice)

    def odds(self, question: Mapping[str, Any], tables: Witch) -> Odds:
        return odds.answer(question, tables)

    def message(self, code: str, tables: Witch, **params: object) -> Text:
        return build.message(code, tables, **params)

    def reference(self, tool: str, typed: Mapping[str, Any], tables: Witch) -> Any:
        """Never asked: the game has no tools (capability `reference`). Raises `Refusal`."""
        raise Refusal("M01", tables.messages["M01"].text.format(step=tool[:40]), step=tool[:40])


SYSTEM = WitchSystem()
