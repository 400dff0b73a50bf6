"""The case runner itself: what it accepts, what fails, and above all what it refuses to call a test."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rulesets import registry, services
from rulesets.engine.dice import DiceSource
from rulesets.engine.text import same
from rulesets.protocol import Refusal
from tests.rulesets import cases
from tests.rulesets.cases import CaseFailed, CaseRefused
from tests.rulesets.toy_system import ToySystem


class Rolled:
    """A result as `services.roll` gives it."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = faces

    def as_json(self) -> dict[str, Any]:
        return {"text": "＞".join(map(str, self.faces)), "outcome": {"total": sum(self.faces)}}


def roll(system: str, line: str, dice: DiceSource) -> Rolled:
    if "D" not in line:
        raise Refusal("not_a_command", same("?"))
    amount, _, sides = line.partition("D")
    return Rolled([dice.roll(int(sides)) for _ in range(int(amount))])


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = ToySystem()
    monkeypatch.setattr(registry, "load", lambda slug: {"toy": toy}[slug])
    monkeypatch.setattr(services, "roll", roll, raising=False)
    monkeypatch.setattr(services, "RollRefused", Refusal, raising=False)


def read(text: str) -> list[cases.Case]:
    return cases.read(tomllib.loads(text), "toy", "toy/cases.toml")


def run(text: str) -> None:
    for case in read(text):
        cases.run(case)


HEAD = '[[case]]\nid = "A"\nsource = "seed"\n'
MINION = HEAD + 'through = "validate"\ngiven.preset = "N01"\n'
LUCK = HEAD + 'through = "create"\ngiven = { blank = true, step = "luck" }\n'
ROLL = HEAD + 'through = "roll"\ngiven = { line = "2D6" }\n'
ODDS = HEAD + 'through = "odds"\n'
CAST = 'given.cast = [{name = "A", seat = "player", owner = "夏", fields = { name = "甲" }}]\n'
THROW = HEAD + "through = 'decide'\n" + CAST + "given.command = { actor = 'A', command = 'throw' }\n"


@pytest.mark.parametrize(
    "text",
    [
        MINION + "expected = { legal = true }",
        MINION + 'expected = { spent = 3, errors = [], warnings = [], name = "手下" }',
        MINION + "expected.costs.level = 3\nexpected.groups.levels = 3\nexpected.derived.power = 6",
        MINION + 'expected.parts.power = [3, 3]\nexpected.inferred.power = true\nexpected.shown.level = "2段"',
        MINION + 'expected.build = { name = "手下", level = 2 }\nexpected.label = { luck = "運" }',
        HEAD + 'through = "validate"\ngiven = { build = { name = "a", level = 3 } }\nexpected = { spent = 7 }',
        HEAD + 'through = "validate"\ngiven = { fields = { name = "a" } }\nexpected = { errors = ["T02"] }',
        HEAD + 'through = "validate"\ngiven = { blank = true, kind = "npc", set = { level = 1 } }\n'
        "expected = { open = [], errors = ['T01'] }",
        MINION + 'given.unset = ["luck"]\nexpected = { has = ["T04"], lacks = ["T01", "T02"], warnings = ["T04"] }',
        MINION + "given.set.level = 9\n[case.expected.problem.T02]\npath = 'level'\nneeded = 3\nparams.max = 3\n"
        "message = 'レベルは1〜3です。'\n[case.expected]\nerrors = ['T02']",
        MINION + "given.set.level = 9\ngiven.fix = 'T02'\nexpected = { spent = 1, legal = true }",
        MINION + "given.set.level = 9\nexpected.problem.T02.fixes = [{ changes = { level = 1 }, cost_delta = 1 }]\n"
        "expected.errors = ['T02']",
        MINION + "given.party = { pool = 100, others_spent = 98 }\nexpected.problem.T03.params.over = 1",
        MINION + "given.house_rules.level_cost.2 = 5\nexpected.spent = 5",
        MINION + "given.strange.zz = 3\nexpected.problem.T06.path = 'zz'",
        MINION + "given.previous.level = 3\nexpected.problem.T05 = { needed = 3, had = 2 }",
        MINION + "given.party = { pool = 0, others_spent = 0 }\ngiven.saved = true\nexpected.warnings = ['T03']",
        MINION + "given.house_rules.level_cost.2 = 500\nexpected.refused = 'H03'",
        LUCK + "faces = [4]\nexpected = { changes = { luck = 4 }, text = '運は4です。', record = { die = 6 } }",
        HEAD + "through = 'create'\ngiven = { blank = true, step = 'x' }\nexpected.refused = 'no_step'",
        ODDS + "given.question = { kind = 'reach', dice = 2, target = 7 }\nexpected.outcomes.success.chance = '21/36'",
        ODDS + "given.question = { kind = 'reach', dice = 1, target = 7 }\nexpected.outcomes.success.percent = '0'",
        ODDS
        + "given.question = { kind = 'x' }\nexpected = { refused = 'no_question', message = 'その質問はありません。' }",
        ROLL + "faces = [2, 5]\nexpected = { text = '2＞5', outcome = { total = 7 } }",
        HEAD + "through = 'roll'\ngiven = { line = 'hello' }\nexpected.refused = 'not_a_command'",
        HEAD + "through = 'pool'\ngiven = { players = 4 }\nexpected.total = 400",
        HEAD + "through = 'reference'\ngiven = { tool = 'count', typed.a = '1' }\nexpected.amount = 1",
        HEAD
        + "through = 'pool'\ngiven = { players = 4, house_rules = { 'rules.max_arts' = 2 } }\nexpected.total = 800",
        THROW + "faces = [4]\nexpected = { kinds = ['thrown', 'counted'], actors.A.points = 4, state.step = 1 }",
        THROW + "faces = [4]\nexpected.event.thrown = { points = 4, faces = [4], audience = ['all'] }",
        THROW
        + "faces = [4]\nexpected.shown = { '夏'.kinds = ['thrown'], gm.counted.left = 1, spectator.thrown.points = 4 }",
        THROW + "faces = [4]\nexpected = { view.'夏'.points.A = 4, carried.A.points = 4 }",
        THROW + "given.before = [{ actor = 'A', command = 'throw', dice = [6] }]\n"
        "expected = { refused = 'T10', message = 'もう6点です。', overridable = true, rule = '§5', params.n = 6 }",
        THROW.replace("'throw'", "'throw', by = 'gm', override = '稽古'") + "faces = [1]\n"
        "given.before = [{ actor = 'A', command = 'throw', dice = [6] }]\nexpected.actors.A.points = 7",
        THROW.replace("'throw'", "'again'") + "given.before = [{ actor = 'A', command = 'throw', dice = [2] }]\n"
        "expected.actors.A.points = 3",
        THROW.replace("'throw'", "'again', step = 7") + "expected.refused = 'T12'",
        THROW.replace("'decide'", "'chances'") + "expected.outcomes.out.chance = '1/6'",
        THROW.replace("'decide'", "'chances'").replace("'throw'", "'note'") + "expected.nothing = true",
        THROW.replace("'decide'", "'script'").replace("command = {", "commands = [{").replace("}\n", "}]\n")
        + "faces = [5]\nexpected = { kinds = ['thrown', 'counted'], codes = [], views.gm.events.counted.left = 1 }",
        "[[table]]\nid = 't'\ncast = [{name = 'A', seat = 'player', preset = 'N01', set = { level = 1 }}]\n"
        "before = [{ actor = 'A', command = 'throw', dice = [2] }]\n"
        + HEAD
        + "through = 'decide'\ngiven = { table = 't', command = { actor = 'A', command = 'throw' } }\nfaces = [3]\n"
        "expected.actors.A.points = 5",
    ],
)
def test_true_cases_pass(text: str) -> None:
    run(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (MINION + "expected = { legal = false }", "legal: expected False, found True"),
        (MINION + "expected = { legal = 1 }", "legal: expected 1, found True"),
        (MINION + "expected = { spent = 4 }", "spent: expected 4, found 3"),
        (MINION + 'expected = { spent = "3" }', "spent"),
        (MINION + 'expected = { errors = ["T01"] }', "errors"),
        (MINION + "expected.costs.skills = 1", "costs.skills: expected 1, found nothing (there: level)"),
        (MINION + 'expected = { has = ["T01"] }', "T01 is missing from []"),
        (MINION + "given.unset = ['luck']\nexpected = { lacks = ['T04'] }", "T04 must not be in"),
        (MINION + "expected.problem.T02.path = 'level'", "problem.T02"),
        (MINION + "expected.refused = 'H03'", "refused: expected 'H03', found nothing"),
        (MINION + "given.house_rules.level_cost.2 = 500\nexpected.spent = 5", "spent"),
        (MINION + "given.set.lvel = 2\nexpected.spent = 5", "lvel is no field"),
        (MINION + "given.fix = 'T02'\nexpected.legal = true", "no problem T02 with a repair"),
        (HEAD + 'through = "validate"\ngiven = { preset = "N9" }\nexpected = { legal = true }', "no preset N9"),
        (HEAD + 'through = "validate"\ngiven = { build = { nme = "a" } }\nexpected = { legal = true }', "D01"),
        (LUCK + "faces = [5]\nexpected = { changes = { luck = 4 } }", "changes.luck: expected 4, found 5"),
        (LUCK + "expected = { changes = { luck = 4 } }", "is not given"),
        (LUCK + "faces = [4, 4]\nexpected = { changes = { luck = 4 } }", "not used"),
        (LUCK + "faces = [7]\nexpected = { changes = { luck = 7 } }", "does not exist on a d6"),
        (LUCK + "faces = [4]\norders = [[0]]\nexpected = { changes = { luck = 4 } }", "not used"),
        (
            HEAD
            + "through = 'create'\nfaces = [1]\ngiven = { blank = true, step = 'x' }\nexpected.refused = 'no_step'",
            "not used",
        ),
        (ROLL + "faces = [2]\nexpected.outcome.total = 2", "is not given"),
        (ROLL + "faces = [2, 3, 4]\nexpected.outcome.total = 5", "not used"),
        (ROLL + "faces = [2, 3]\nexpected.outcome.total = 6", "outcome.total: expected 6, found 5"),
        (
            HEAD + "through = 'roll'\nfaces = [1]\ngiven = { line = 'hello' }\nexpected.refused = 'not_a_command'",
            "not used",
        ),
        (
            ODDS + "given.question = { kind = 'reach', dice = 2, target = 7 }\n"
            "expected.outcomes.success.chance = '20/36'",
            "outcomes.success.chance",
        ),
        (
            HEAD + "through = 'reference'\ngiven = { tool = 'count' }\nexpected.amount = 1",
            "amount: expected 1, found 0",
        ),
        (HEAD + "through = 'pool'\ngiven = { players = 4 }\nexpected.total = 401", "total: expected 401, found 400"),
    ],
)
def test_false_cases_fail(text: str, named: str) -> None:
    with pytest.raises(CaseFailed) as caught:
        run(text)
    assert named in str(caught.value)
    assert "toy/cases.toml::A" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no cases"),
        ("[[cases]]\nid = 'A'", "unknown key cases"),
        (MINION, "expects nothing"),
        (MINION + "expected = {}", "expects nothing"),
        (MINION + "expected = { costs = {} }", "expected.costs is empty"),
        (MINION + "expected = { problem = { T02 = {} } }", "is empty"),
        (MINION + "expected = { has = [] }", "empty has or lacks"),
        (MINION + "expected = { lacks = [] }", "empty has or lacks"),
        (MINION + "expected = { legl = true }", "cannot be expected to have legl"),
        (MINION + "expected = { refused = 'x', legal = true }", "cannot be expected to have legal"),
        (MINION + "expected = { legal = true }\nfaces = [1]", "validate uses no faces"),
        (MINION + "expected = { legal = true }\nexpcted = 1", "unknown key expcted"),
        (MINION + "given.unset = ['level', 'name', 'luck']\nexpected.errors = ['T01', 'T02']", "proves nothing"),
        (MINION + "given.unset = ['level']\nexpected.legal = false", "proves nothing"),
        (MINION + "given.unset = ['level']\nexpected.lacks = ['T03']", "proves nothing"),
        (MINION + "given.strange.luck = 3\nexpected.legal = true", "belongs into `set`"),
        (MINION + "given.set = { luck = 1 }\ngiven.unset = ['luck', 'luck']\nexpected.legal = true", "not set"),
        (HEAD + 'through = "validate"\nexpected = { legal = false }', "gives nothing"),
        (HEAD + 'through = "validate"\ngiven = {}\nexpected = { legal = false }', "gives nothing"),
        (HEAD + 'through = "validate"\ngiven = { blank = true }\nexpected = { legal = false }', "proves nothing"),
        (HEAD + 'through = "validate"\ngiven = { kind = "pc" }\nexpected = { legal = false }', "give one of"),
        (HEAD + 'through = "validate"\ngiven = { blank = true, preset = "N01" }\nexpected.legal = true', "give one of"),
        (HEAD + 'through = "validate"\ngiven = { blank = true, pary = 1 }\nexpected.legal = true', "given.pary"),
        (HEAD + 'through = "helper"\ngiven = { blank = true }\nexpected.legal = true', "through must be one of"),
        (HEAD + 'through = "decidd"\ngiven = { blank = true }\nexpected.legal = true', "through must be one of"),
        (HEAD + "given = { blank = true }\nexpected.legal = true", "through is missing"),
        ('[[case]]\nid = "A"\nthrough = "odds"\ngiven.question = {}\nexpected.mean = "7"', "source is missing"),
        ('[[case]]\nsource = "E01"\nthrough = "odds"', "id is missing"),
        (HEAD + 'through = "create"\ngiven = { blank = true }\nexpected.text = "x"', "create needs given.step"),
        (HEAD + 'through = "reference"\ngiven.typed.a = "x"\nexpected.amount = 1', "reference needs given.tool"),
        (HEAD + 'through = "roll"\ngiven = { system = "toy" }\nexpected.text = "x"', "roll needs given.line"),
        (
            HEAD + "through = 'create'\ngiven = { fields = { luck = 4 }, step = 'luck' }\nfaces = [4]\n"
            "expected.changes.luck = 4",
            "changes nothing",
        ),
        (THROW + "expected.legal = true", "cannot be expected to have legal"),
        (THROW + "faces = [4]\nexpected.state.secret = 0", "proves nothing, all of it held before"),
        (
            THROW.replace("actor = 'A', command = 'throw'", "command = 'note', number = 0") + "expected.kinds = []",
            "accepted and nothing happens",
        ),
        (THROW + "given.table = 't'\nexpected.kinds = []", "there is no table 't'"),
        (
            THROW.replace("'decide'", "'chances'") + "given.viewer = '冬'\nexpected.nothing = true",
            "nobody is called 冬",
        ),
        (
            THROW.replace("'decide'", "'script'").replace("command = {", "commands = [{").replace("}\n", "}]\n")
            + "faces = [5]\nexpected.state.secret = 0",
            "proves nothing, all of it holds for a script without commands",
        ),
        ("[[table]]\nid = 't'\nzz = 1\n" + THROW + "expected.kinds = []", "a table has an id"),
        (ODDS + "faces = [3]\ngiven.question = { kind = 'reach' }\nexpected.mean = '7'", "odds uses no faces"),
        ('[[grid]]\nid = "G"', "a grid has the keys"),
    ],
)
def test_worthless_cases_are_refused(text: str, named: str) -> None:
    with pytest.raises(CaseRefused) as caught:
        run(text)
    assert named in str(caught.value)


GRID = """
[[grid]]
id = "12.2"
source = "§12.2"
through = "odds"
given = { question = { kind = "reach" } }
down = "question.dice"
across = "question.target"
columns = [2, 7]
expect = "outcomes.success.percent"
cells = { 1 = ["83.3", "0"], 2 = ["100", "58.3"] }
"""


def test_a_grid_is_one_case_a_cell() -> None:
    found = read(GRID)
    assert [case.id for case in found] == ["12.2[1,2]", "12.2[1,7]", "12.2[2,2]", "12.2[2,7]"]
    assert found[3].given == {"question": {"kind": "reach", "dice": 2, "target": 7}}
    assert found[3].expected == {"outcomes": {"success": {"percent": "58.3"}}}
    run(GRID)
    with pytest.raises(CaseFailed, match=r"12\.2\[2,7\]"):
        run(GRID.replace("58.3", "58.4"))
    with pytest.raises(CaseRefused, match="row 2 has 1 cells for 2 columns"):
        read(GRID.replace('["100", "58.3"]', '["100"]'))
    with pytest.raises(CaseRefused, match="empty grid"):
        read(GRID.replace("columns = [2, 7]", "columns = []"))


def test_files_are_collected_by_folder_and_ids_are_unique(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "a.toml").write_text(MINION + "expected.legal = true", encoding="utf-8")
    assert [str(case) for case in cases.collect(tmp_path)] == ["toy/a.toml::A"]
    assert cases.collect(tmp_path)[0].system == "toy"
    (tmp_path / "toy" / "a.toml").write_text(2 * (MINION + "expected.spent = 3\n"), encoding="utf-8")
    with pytest.raises(CaseRefused, match=r"toy/a\.toml::A: this id is there twice"):
        cases.collect(tmp_path)
    (tmp_path / "toy" / "a.toml").unlink()
    (tmp_path / "toy" / "b.toml").write_text("[[case]", encoding="utf-8")
    with pytest.raises(CaseRefused, match=r"toy/b\.toml"):
        cases.collect(tmp_path)


def test_an_unexpected_error_of_the_rules_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("the rules are broken")

    monkeypatch.setattr(ToySystem, "check", broken)
    with pytest.raises(RuntimeError):
        run(MINION + "expected.legal = false")


def test_a_game_without_tools_refuses_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToySystem, "capabilities", frozenset({"pool"}))
    run(HEAD + "through = 'reference'\ngiven = { tool = 'count' }\nexpected.refused = 'no_reference'")
