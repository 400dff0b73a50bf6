"""Tables from TOML: typed, frozen, tagged; whatever is wrong is named with file, table, row and cell."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rulesets.engine.tables import TablesInvalid
from rulesets.engine.text import Text
from tests.rulesets.engine import toy


def faults(folder: Path, old: str, new: str) -> list[str]:
    assert old in toy.DATA
    with pytest.raises(TablesInvalid) as caught:
        _ = toy.table_set(folder, toy.DATA.replace(old, new, 1)).base
    return [str(fault) for fault in caught.value.faults]


def test_rows_are_typed(tmp_path: Path) -> None:
    tables = toy.table_set(tmp_path).base
    assert list(tables.arts) == ["cut", "throw"]
    assert tables.arts["cut"].name == Text("斬り", "Cut")
    assert tables.arts["cut"].tags == ("blade",)
    assert dict(tables.level_cost) == {1: 1, 2: 3, 3: 7}
    assert (tables.level_cost.first, tables.level_cost.last) == (1, 3)
    assert tables.rules.values.max_arts == 1
    assert len(tables.arts) == 2 and "other" not in tables.arts


def test_every_value_has_its_source(tmp_path: Path) -> None:
    tables = toy.table_set(tmp_path).base
    assert not tables.arts["cut"].inferred_in("cost")
    assert tables.arts["throw"].source_of("cost") == "C02"
    assert tables.arts["throw"].source_of("name") == "E07"
    assert tables.arts["throw"].inferred_in("cost")
    assert tables.level_cost.inferred_at(2) and not tables.level_cost.inferred_at(3)
    assert tables.rules.source_of("max_arts") == "E15" and tables.rules.inferred_in("max_arts")


def test_rows_are_frozen(tmp_path: Path) -> None:
    tables = toy.table_set(tmp_path).base
    with pytest.raises(dataclasses.FrozenInstanceError):
        tables.arts["cut"].cost = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        tables.arts["new"] = tables.arts["cut"]  # type: ignore[index]
    with pytest.raises(TypeError):
        tables.level_cost[1] = 5  # type: ignore[index]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("cost = 10", 'cost = "10"', "toy.toml: arts.cut.cost"),
        ("cost = 10", "cost = true", "toy.toml: arts.cut.cost"),
        ("cost = 10", "cost = 10.5", "toy.toml: arts.cut.cost"),
        ("cost = 10\n", "", "toy.toml: arts.cut.cost"),
        ("cost = 10", "cost = 10\nprice = 3", "toy.toml: arts.cut.price"),
        ("cost = 10", "cost = 10\nborn = 2020-01-01", "toy.toml: arts.cut"),
        ('source = "seed"', "", "toy.toml: arts.cut.source"),
        ('source = "seed"', 'source = "book"', "toy.toml: arts.cut.source"),
        ('cost = "C02"', 'cost = "x"', "toy.toml: arts.throw.sources.cost"),
        ('id = "throw"', 'id = "cut"', "toy.toml: arts.cut.id: this id is there twice"),
        ('id = "throw"', "", "toy.toml: arts.#2.id: every row needs an id"),
        ("2 = { value = 3", "4 = { value = 3", "toy.toml: level_cost.2: this step is missing"),
        ("2 = { value = 3", "two = { value = 3", "toy.toml: level_cost.two"),
        ("2 = { value = 3", 'id = "3"\n2 = { value = 3', "toy.toml: level_cost.id: a row must be"),
        ('2 = { value = 3, source = "E03" }', "2 = { value = 3 }", "toy.toml: level_cost.2.source"),
        ('2 = { value = 3, source = "E03" }', '2 = { value = -3, source = "E03" }', "toy.toml: level_cost.2.value"),
        ('max_arts = { value = 1, source = "E15" }', 'max_arts = { value = 1, source = "" }', "rules.max_arts.source"),
        ('max_arts = { value = 1, source = "E15" }', "", "toy.toml: rules.max_arts"),
        ("max_arts = { value = 1,", 'max_arts = { value = "one",', "toy.toml: rules.max_arts.value"),
        ('ties = { value = "nobody"', 'ties = { value = "somebody"', "toy.toml: rules.ties.value"),
        ("[rules]", '[rules]\nmin_arts = { value = 1, source = "seed" }', "toy.toml: rules.min_arts"),
        ("[rules]", '[unheard_of]\na = { source = "seed" }\n[rules]', "toy.toml: unheard_of: unknown table"),
        ("[level_cost]", "[other_cost]", "level_cost: this table is missing"),
        ('name = { ja = "斬り", en = "Cut" }', 'name = { ja = "斬り" }', "toy.toml: arts.cut.name: words"),
        ('name = { ja = "斬り", en = "Cut" }', 'name = { ja = "斬り", en = " " }', "toy.toml: arts.cut.name: words"),
        ('name = { ja = "斬り", en = "Cut" }', 'name = { ja = "斬り{n}", en = "Cut {m}" }', "different placeholders"),
        ('name = { ja = "斬り", en = "Cut" }', 'name = { ja = "斬り{", en = "Cut" }', "broken placeholder"),
        ("[rules]", "[rules", "toy.toml: : not readable"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert any(named in fault for fault in faults(tmp_path, old, new))


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    broken = toy.DATA.replace("cost = 10", "cost = 1.5").replace("cost = 15", "price = 1")
    with pytest.raises(TablesInvalid) as caught:
        _ = toy.table_set(tmp_path, broken).base
    told = str(caught.value)
    assert "arts.cut.cost" in told and "arts.throw.cost" in told and "arts.throw.price" in told


def test_a_table_lies_in_one_file(tmp_path: Path) -> None:
    tables = toy.table_set(tmp_path)
    (tmp_path / "more.toml").write_text('[rules]\nmax_arts = { value = 2, source = "seed" }', encoding="utf-8")
    with pytest.raises(TablesInvalid, match=r"already in more\.toml"):
        _ = tables.base


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(TablesInvalid, match=r"no \*\.toml"):
        _ = toy.TableSet(tmp_path / "empty", toy.Tables).base


def test_the_digest_follows_the_numbers_not_the_words(tmp_path: Path) -> None:
    plain = toy.table_set(tmp_path).digest
    assert toy.table_set(tmp_path, toy.DATA.replace('en = "Cut"', 'en = "Slash"')).digest == plain
    assert toy.table_set(tmp_path, toy.DATA.replace("cost = 10", "cost = 11")).digest != plain
