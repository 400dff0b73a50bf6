"""アリス・ザ・フェアリーワールド as the registry loads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulesets.alice import build, creation, document, fields, odds
from rulesets.alice.draft import DRAFT
from rulesets.alice.play import PLAY
from rulesets.alice.presets import presets
from rulesets.alice.sheet import TEXT_MAX, Sheet, sort_of
from rulesets.alice.tables import HOUSE_RULES, Tables
from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.text import Text
from rulesets.protocol import Context, Created, Credits, Fields, HouseRule, Kind, Preset, Refusal

_ALONE = Context()


class AliceSystem:
    """The game as its rules file describes it; section numbers in its answers are that file's."""

    slug = "alice"
    names = Text("アリス・ザ・フェアリーワールド", "Alice the Fairy World")
    credits = Credits(
        title=Text("アリス・ザ・フェアリーワールド", "Alice the Fairy World"),
        author="",
        publisher="",
        edition="",
        url="",
    )
    ruleset = "2026.1"
    bcdice_ids: tuple[str, ...] = ()
    draft = DRAFT
    play = PLAY
    refusable = frozenset({"occupation"})
    part_names: Mapping[str, Text] = {"draft": Text("能力の札を配る", "Ability draft")}
    capabilities = frozenset({"npc_presets", "draft", "play"})

    def tables(self, house_rules: Mapping[str, Any]) -> Tables:
        return HOUSE_RULES.tables(house_rules)

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        return HOUSE_RULES.rows(overrides)

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        return HOUSE_RULES.check(overrides)

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        return HOUSE_RULES.digest(house_rules)

    def pool_total(self, players: int, tables: Tables) -> None:
        """Characters cost nothing: their abilities are dealt."""
        return None

    def blank(self, kind: Kind, tables: Tables) -> Fields:
        return fields.blank(kind)

    def known_field(self, key: str) -> bool:
        return sort_of(key) is not None

    def private_fields(self, flat: Fields) -> frozenset[str]:
        """A present job that is for the GM alone (§5.3), and the GM's notes."""
        own = {"notes"}
        return frozenset(own if flat.get("job_visibility") == "group" else own | {"current_job", "job_visibility"})

    def text_max(self, key: str) -> int:
        return TEXT_MAX.get(key, 200)

    def parse_field(self, key: str, typed: str) -> Value:
        return fields.parse_field(key, typed)

    def field_label(self, key: str, tables: Tables) -> Text:
        return fields.field_label(key, tables)

    def field_text(self, key: str, value: Value, tables: Tables) -> Text:
        return fields.field_text(key, value, tables)

    def from_build(self, build_document: Mapping[str, Any]) -> Fields:
        return document.from_build(build_document)

    def to_build(self, flat: Fields) -> dict[str, Any]:
        return document.to_build(flat)

    def check_document(self, build_document: Mapping[str, Any]) -> Sequence[Problem]:
        return document.check_document(build_document)

    def check(self, flat: Fields, tables: Tables, context: Context = _ALONE) -> Report:
        return build.check(flat, tables, context)

    def display_name(self, flat: Fields) -> str:
        return Sheet(flat, HOUSE_RULES.tables({})).text("name")

    def presets(self, tables: Tables) -> Sequence[Preset]:
        return presets(tables)

    def create(self, step: str, flat: Fields, tables: Tables, dice: DiceSource) -> Created:
        return creation.create(step, flat, tables, dice)

    def odds(self, question: Mapping[str, Any], tables: Tables) -> Odds:
        return odds.answer(question, tables)

    def message(self, code: str, tables: Tables, **params: object) -> Text:
        return tables.messages[code].text.format(**params)

    def reference(self, tool: str, question: Mapping[str, Any], tables: Tables) -> Any:
        """The game has no reference tools (capability `reference`)."""
        raise Refusal("E_NO_STEP", tables.messages["E_NO_STEP"].text.format(step=tool[:40]), step=tool[:40])


SYSTEM = AliceSystem()
