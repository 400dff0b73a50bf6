"""八百八町浮世草子 as the registry loads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.edo import build, creation, document, fields, odds, reference
from rulesets.edo.play import PLAY
from rulesets.edo.presets import presets
from rulesets.edo.tables import HOUSE_RULES, Edo
from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.text import Text
from rulesets.protocol import Context, Created, Credits, Fields, HouseRule, Kind, Preset

_ALONE = Context()


class EdoSystem:
    """The game as its rules file describes it; section numbers in its answers are that file's."""

    slug = "edo"
    names = Text("八百八町浮世草子", "Happyaku-yacho Ukiyo-zoshi")
    credits = Credits(
        title=Text("八百八町浮世草子", "Happyaku-yacho Ukiyo-zoshi"),
        author="",
        publisher="",
        edition="",
        url="http://www.titan-heart.com/",
    )
    ruleset = "2026.1"
    bcdice_ids: tuple[str, ...] = ()
    play = PLAY
    capabilities = frozenset({"pool", "allocations", "npc_presets", "creation_dice", "reference", "play"})

    def tables(self, house_rules: Mapping[str, Any]) -> Edo:
        return HOUSE_RULES.tables(house_rules)

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        return HOUSE_RULES.rows(overrides)

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        return HOUSE_RULES.check(overrides)

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        return HOUSE_RULES.digest(house_rules)

    def pool_total(self, players: int, tables: Edo) -> int:
        """Build points by number of players; beyond the table so much for each further one (§3.1)."""
        scale = tables.pool
        if players < scale.first:
            return 0
        extra = max(0, players - scale.last) * tables.rule.pool_per_extra
        return scale[min(players, scale.last)] + extra

    def blank(self, kind: Kind, tables: Edo) -> Fields:
        return fields.blank(kind)

    def known_field(self, key: str) -> bool:
        return fields.known_field(key)

    def parse_field(self, key: str, typed: str) -> Value:
        return fields.parse_field(key, typed)

    def field_label(self, key: str, tables: Edo) -> Text:
        return fields.field_label(key, tables)

    def field_text(self, key: str, value: Value, tables: Edo) -> Text:
        return fields.field_text(key, value, tables)

    def from_build(self, build_document: Mapping[str, Any]) -> Fields:
        return document.from_build(build_document)

    def to_build(self, flat: Fields) -> dict[str, Any]:
        return document.to_build(flat)

    def check_document(self, build_document: Mapping[str, Any]) -> Sequence[Problem]:
        return document.check_document(build_document)

    def check(self, flat: Fields, tables: Edo, context: Context = _ALONE) -> Report:
        return build.check(flat, tables, context)

    def display_name(self, flat: Fields) -> str:
        return fields.display_name(flat)

    def presets(self, tables: Edo) -> Sequence[Preset]:
        return presets(tables)

    def create(self, step: str, flat: Fields, tables: Edo, dice: DiceSource) -> Created:
        return creation.create(step, flat, tables, dice)

    def odds(self, question: Mapping[str, Any], tables: Edo) -> Odds:
        return odds.answer(question, tables)

    def message(self, code: str, tables: Edo, **params: object) -> Text:
        return build.message(code, tables, **params)

    def reference(self, tool: str, question: Mapping[str, Any], tables: Edo) -> reference.Answer:
        return reference.answer(tool, question, tables)


SYSTEM = EdoSystem()
