"""A made-up game, small enough to see through, for the tests of tables and house rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from rulesets.engine.house_rules import HouseRuleRow, HouseRules
from rulesets.engine.tables import Fault, Message, Record, Row, Rows, Scale, Settings, TableSet, Wording
from rulesets.engine.text import Text

DATA = """
[[arts]]
id = "cut"
source = "seed"
name = { ja = "斬り", en = "Cut" }
cost = 10
tags = ["blade"]

[[arts]]
id = "throw"
source = "E07"
sources = { cost = "C02" }
name = { ja = "投げ", en = "Throw" }
cost = 15

[level_cost]
1 = { value = 1, source = "E03" }
2 = { value = 3, source = "E03" }
3 = { value = 7, source = "seed" }

[rules]
max_arts = { value = 1, source = "E15" }
ties = { value = "nobody", source = "E20" }

[messages]
T10 = { ja = "もう{n}点です。", en = "That is {n} points already." }
T11 = { ja = "その命令はありません。", en = "There is no such command." }
T12 = { ja = "もう進んでいます。", en = "That has moved on." }
T13 = { ja = "あなたにはできません。", en = "That is not for you." }
T14 = { ja = "数は0〜99です。", en = "A number from 0 to 99." }

[house_groups]
build = { ja = "作成", en = "Building" }

[[house_rules]]
id = "E03"
key = "level_cost"
source = "E03"
firmness = "B"
section = "§4.3"
group = "build"
type = "table"
label = { ja = "レベルの費用", en = "Cost of levels" }
help = { ja = "段ごとの費用です。", en = "The cost of each step." }
row_label = { ja = "{row}レベル", en = "Level {row}" }
columns = [
  { id = "value", target = "level_cost.*", type = "int", min = 0, max = 99, label = { ja = "費用", en = "cost" } },
]
alternatives = [{ label = { ja = "倍", en = "Double" }, value = { 1 = 2, 2 = 6, 3 = 14 } }]

[[house_rules]]
id = "E07"
key = "arts"
source = "E07"
section = "§4.7"
group = "build"
type = "table"
label = { ja = "技", en = "Arts" }
help = { ja = "", en = "" }
only = ["throw"]
columns = [
  { id = "cost", target = "arts.*.cost", type = "int", min = -50, max = 99, label = { ja = "費用", en = "cost" } },
  { id = "reach", target = "arts.*.reach", type = "int", optional = true, label = { ja = "間合い", en = "reach" } },
]

[[house_rules]]
id = "E15"
key = "rules.max_arts"
source = "E15"
section = "§4.7"
group = "build"
type = "int"
min = 0
max = 9
label = { ja = "技の数", en = "Number of arts" }
help = { ja = "", en = "" }

[[house_rules]]
id = "E20"
key = "rules.ties"
source = "E20"
section = "§5.5"
group = "build"
type = "choice"
label = { ja = "引き分け", en = "Ties" }
help = { ja = "", en = "" }
choices = [
  { value = "nobody", label = { ja = "変化なし", en = "No change" } },
  { value = "again", label = { ja = "振り直し", en = "Roll again" } },
]
"""


MESSAGES = {code: Text(row["ja"], row["en"]) for code, row in tomllib.loads(DATA)["messages"].items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Art(Row):
    name: Text
    cost: int
    reach: int | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Record):
    max_arts: int
    ties: Literal["nobody", "again"]


@dataclass(frozen=True, slots=True)
class Tables:
    arts: Rows[Art]
    level_cost: Scale
    rules: Settings[Rules]
    messages: Rows[Message]
    house_rules: Rows[HouseRuleRow]
    house_groups: Rows[Wording]


FALLS = Text("費用は段とともに下がってはいけません。", "Costs must not fall with the level.")


def costs_rise(tables: Tables) -> Iterable[Fault]:
    levels = list(tables.level_cost)
    for low, high in pairwise(levels):
        if tables.level_cost[high] < tables.level_cost[low]:
            yield Fault("level_cost", str(high), "value", "falls", message=FALLS)


def table_set(folder: Path, data: str = DATA) -> TableSet[Tables]:
    (folder / "toy.toml").write_text(data, encoding="utf-8")
    return TableSet(folder, Tables, costs_rise)


def house_rules(folder: Path, data: str = DATA) -> HouseRules[Tables]:
    return HouseRules(table_set(folder, data))
