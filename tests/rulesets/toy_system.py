"""A made-up game behind the real facade, so that the tools which test games are tested themselves."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulesets.engine import odds
from rulesets.engine.dice import DiceSource
from rulesets.engine.house_rules import HouseRules
from rulesets.engine.problems import CostLine, Derived, Fix, OpenChoice, Part, Problem, Report, Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Context, Created, Credits, Fields, HouseRule, Kind, Preset, Refusal
from tests.rulesets.engine import toy
from tests.rulesets.toy_play import ToyPlay

LABELS = {
    "name": Text("名前", "Name"),
    "level": Text("レベル", "Level"),
    "luck": Text("運", "Luck"),
    "boss": Text("親分", "Boss"),
}
NO_NAME = Text("名前を入れてください。", "Give a name.")
BAD_LEVEL = Text("レベルは1〜{max}です。", "The level is 1 to {max}.")
OVER = Text("{over}点多く使っています。", "{over} points too many.")


class ToySystem:
    slug = "toy"
    names = Text("お試し", "Toy")
    credits = Credits(Text("お試し", "Toy"), "nobody", "nobody", "1", "https://example.org/")
    ruleset = "1"
    bcdice_ids: tuple[str, ...] = ()
    capabilities = frozenset({"pool", "reference", "play"})
    play: Any = ToyPlay()  # None in a game that cannot be played here

    def __init__(self, data: str = toy.DATA) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._tables = toy.table_set(Path(folder), data)
            _ = self._tables.base
        self._rules: HouseRules[toy.Tables] = HouseRules(self._tables)

    def tables(self, house_rules: Mapping[str, Any]) -> toy.Tables:
        return self._rules.tables(house_rules)

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        return self._rules.rows(overrides)

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        return self._rules.check(overrides)

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        return self._rules.digest(house_rules)

    def pool_total(self, players: int, tables: toy.Tables) -> int | None:
        return 100 * players * tables.rules.values.max_arts

    def blank(self, kind: Kind, tables: toy.Tables) -> Fields:
        return {"boss": False} if kind == "npc" else {}

    def known_field(self, key: str) -> bool:
        return key in LABELS

    def parse_field(self, key: str, typed: str) -> Value:
        return int(typed) if key in ("level", "luck") and typed.isdecimal() and len(typed) < 9 else typed

    def field_label(self, key: str, tables: toy.Tables) -> Text:
        return LABELS[key]

    def field_text(self, key: str, value: Value, tables: toy.Tables) -> Text:
        return Text(f"{value}段", f"level {value}") if key == "level" else same(str(value))

    def from_build(self, build: Mapping[str, Any]) -> Fields:
        return {key: value for key, value in build.items() if value is not None}

    def to_build(self, fields: Fields) -> dict[str, Any]:
        return {key: fields.get(key) for key in LABELS}

    def check_document(self, build: Mapping[str, Any]) -> Sequence[Problem]:
        return [Problem("D01", "error", str(key), same("?"), "") for key in build if key not in LABELS]

    def check(self, fields: Fields, tables: toy.Tables, context: Context = Context()) -> Report:
        problems = []
        level = fields.get("level")
        if not isinstance(fields.get("name"), str) or not fields["name"]:
            problems.append(
                Problem("T01", "error", "name", NO_NAME, "§1", fixes=(Fix(NO_NAME, "goto", target="name"),))
            )
        good = isinstance(level, int) and not isinstance(level, bool) and level in tables.level_cost
        if not good:
            top = tables.level_cost.last
            repair = Fix(same("1"), changes={"level": 1}, cost_delta=tables.level_cost[1])
            problems.append(
                Problem(
                    "T02", "error", "level", BAD_LEVEL.format(max=top), "§2", {"max": top}, top, None, None, (repair,)
                )
            )
        spent = tables.level_cost[level] if good and isinstance(level, int) else 0
        party = context.party
        if party is not None and party.others_spent + spent > party.pool:
            over = party.others_spent + spent - party.pool
            level_of = "warning" if context.saved else "error"
            problems.append(Problem("T03", level_of, "", OVER.format(over=over), "§3", {"over": over}))
        if "luck" not in fields:
            problems.append(Problem("T04", "warning", "luck", same("luck"), "§4"))
        problems += [Problem("T06", "warning", key, same("?"), "") for key in fields if key not in LABELS]
        before = (context.previous or {}).get("level")
        if isinstance(before, int) and isinstance(level, int) and level < before:
            problems.append(Problem("T05", "warning", "level", same("lowered"), "§6", {}, before, level))
        derived = Derived("power", LABELS["level"], spent * 2, (Part(LABELS["level"], spent),) * 2, "§5", inferred=True)
        costs = (CostLine("level", "levels", LABELS["level"], spent),)
        choices = () if "boss" in fields else (OpenChoice("boss", LABELS["boss"]),)
        return Report(tuple(problems), costs, spent, {"power": derived}, choices)

    def display_name(self, fields: Fields) -> str:
        return str(fields.get("name", ""))

    def presets(self, tables: toy.Tables) -> Sequence[Preset]:
        fields: Fields = {"name": "手下", "level": 2, "luck": 3, "boss": False}
        return [Preset("N01", Text("手下", "Minion"), same(""), fields, 6)]

    def create(self, step: str, fields: Fields, tables: toy.Tables, dice: DiceSource) -> Created:
        if step != "luck":
            raise Refusal("no_step", Text("その段階はありません。", "There is no such step."))
        face = dice.roll(6)
        return Created({"luck": face}, (face,), Text(f"運は{face}です。", f"Your luck is {face}."), {"die": 6})

    def odds(self, question: Mapping[str, Any], tables: toy.Tables) -> odds.Odds:
        if question.get("kind") != "reach":
            raise Refusal("no_question", Text("その質問はありません。", "There is no such question."))
        dist = odds.sum_of(question["dice"], 6)
        reached = odds.at_least(dist, question["target"])
        return odds.Odds(
            (
                odds.Chance("success", Text("成功", "Success"), reached),
                odds.Chance("failure", Text("失敗", "Failure"), 1 - reached),
            ),
            dist=dist,
        )

    def message(self, code: str, tables: toy.Tables, **params: object) -> Text:
        return {"T01": NO_NAME, "T02": BAD_LEVEL, "T03": OVER}[code].format(**params)

    def reference(self, tool: str, question: Mapping[str, Any], tables: toy.Tables) -> Counted:
        return Counted(len(question))


class Counted:
    """A reference tool's answer: how much was asked."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def as_json(self) -> dict[str, Any]:
        return {"amount": self.amount, "problems": []}
