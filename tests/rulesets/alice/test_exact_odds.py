"""The tables of rules §12, every cell to the digits they are printed with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rulesets import services
from rulesets.engine.text import Text
from tests.rulesets import unlisted


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


def chance(question: dict[str, Any], key: str = "success") -> Fraction:
    return services.odds("alice", question, {}).chance(key)


def printed(value: Fraction, cell: str) -> str:
    """A chance with as many decimals as the cell, halves up."""
    places = len(cell.partition(".")[2])
    scaled = (value * 10**places * 2 + 1) // 2
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}d}"


def rows(table: str) -> list[tuple[str, list[str]]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return [(line[0], line[1:]) for line in lines]


AT_MOST = """
1 0.076923 0.000000 0.000000
2 0.153846 0.004525 0.000000
3 0.230769 0.016591 0.000181
4 0.307692 0.033183 0.001267
5 0.384615 0.057315 0.003439
6 0.461538 0.085973 0.007602
7 0.538462 0.122172 0.013756
8 0.615385 0.162896 0.022805
9 0.692308 0.211161 0.034932
10 1.000000 0.263952 0.050860
11 1.000000 0.360483 0.070769
12 1.000000 0.449472 0.098824
13 1.000000 0.533937 0.136109
14 1.000000 0.610860 0.179548
15 1.000000 0.683258 0.230407
16 1.000000 0.748115 0.285430
17 1.000000 0.808446 0.345882
18 1.000000 0.861237 0.408688
19 1.000000 0.909502 0.474932
20 1.000000 1.000000 0.541538
21 1.000000 1.000000 0.621719
22 1.000000 1.000000 0.691584
23 1.000000 1.000000 0.754208
24 1.000000 1.000000 0.807602
"""

# n: sd, min, max, P(T<=21) … P(T<=24)
TARGETS = """
1 3.1529 1 10 1.000000 1.000000 1.000000 1.000000
2 4.4150 2 20 1.000000 1.000000 1.000000 1.000000
3 5.3528 3 30 0.621719 0.691584 0.754208 0.807602
4 6.1175 4 40 0.226315 0.275663 0.330686 0.389066
5 6.7680 6 50 0.053857 0.071396 0.092833 0.118843
6 7.3347 8 60 0.008546 0.012439 0.017687 0.024584
"""

# class.n: v = 0 … 10
FLIPS = """
expert.1 0.4434 0.5279 0.6063 0.6787 0.7451 0.8054 0.8597 0.9246 0.9774 1.0000 1.0000
expert.2 0.1552 0.1842 0.2209 0.2644 0.3137 0.3678 0.4258 0.4867 0.5522 0.6203 0.6837
expert.3 0.0571 0.0629 0.0711 0.0822 0.0969 0.1156 0.1388 0.1667 0.1994 0.2372 0.2803
related.1 0.2217 0.2640 0.3032 0.3394 0.3725 0.4027 0.4299 0.4623 0.4887 0.5000 0.5000
related.2 0.0776 0.0921 0.1105 0.1322 0.1569 0.1839 0.2129 0.2433 0.2761 0.3101 0.3418
related.3 0.0285 0.0315 0.0355 0.0411 0.0484 0.0578 0.0694 0.0833 0.0997 0.1186 0.1401
outsider.1 0.1109 0.1320 0.1516 0.1697 0.1863 0.2014 0.2149 0.2311 0.2443 0.2500 0.2500
outsider.2 0.0388 0.0460 0.0552 0.0661 0.0784 0.0920 0.1065 0.1217 0.1380 0.1551 0.1709
outsider.3 0.0143 0.0157 0.0178 0.0205 0.0242 0.0289 0.0347 0.0417 0.0499 0.0593 0.0701
"""

VALUES = (1, 2, 3, 5, 7, 10)
HANDS = """
expert.1 0.7929 0.8582 0.9073 0.9679 0.9971 1.0000
expert.2 0.3883 0.4378 0.4927 0.6088 0.7212 0.8672
expert.3 0.1617 0.1749 0.1925 0.2419 0.3104 0.4416
related.1 0.5630 0.6287 0.6855 0.7755 0.8480 0.8824
related.2 0.2326 0.2701 0.3133 0.4111 0.5159 0.6724
related.3 0.0880 0.0972 0.1095 0.1453 0.1976 0.3062
outsider.1 0.3378 0.3828 0.4234 0.4916 0.5521 0.5865
outsider.2 0.1279 0.1510 0.1780 0.2406 0.3105 0.4211
outsider.3 0.0460 0.0514 0.0586 0.0801 0.1122 0.1814
"""
HANDS_OR_FLIPS = """
expert.1 0.8555 0.9112 0.9487 0.9869 0.9995 1.0000
expert.2 0.4592 0.5094 0.5638 0.6742 0.7758 0.9048
expert.3 0.2028 0.2167 0.2350 0.2859 0.3543 0.4808
related.1 0.6516 0.7190 0.7751 0.8586 0.9200 0.9448
related.2 0.2884 0.3307 0.3788 0.4852 0.5955 0.7532
related.3 0.1138 0.1245 0.1388 0.1799 0.2387 0.3577
outsider.1 0.4181 0.4709 0.5177 0.5947 0.6607 0.6962
outsider.2 0.1646 0.1928 0.2257 0.3011 0.3839 0.5120
outsider.3 0.0606 0.0673 0.0763 0.1029 0.1423 0.2258
"""


@pytest.mark.parametrize(("x", "cells"), rows(AT_MOST))
def test_targets_at_most(x: str, cells: list[str]) -> None:
    for n, cell in enumerate(cells, 1):
        assert printed(chance({"kind": "target", "cards": n, "at_most": int(x)}), cell) == cell


@pytest.mark.parametrize(("n", "cells"), rows(TARGETS))
def test_targets(n: str, cells: list[str]) -> None:
    odds = services.odds("alice", {"kind": "target", "cards": int(n), "at_most": 21}, {})
    assert odds.dist is not None
    ways = odds.dist.ways
    mean = Fraction(sum(total * count for total, count in ways.items()), odds.dist.total)
    variance = sum(((total - mean) ** 2 * count for total, count in ways.items()), Fraction(0)) / odds.dist.total
    assert f"{float(variance) ** 0.5:.4f}" == cells[0]
    assert [str(min(ways)), str(max(ways))] == cells[1:3]
    for limit, cell in zip((21, 22, 23, 24), cells[3:], strict=True):
        assert printed(chance({"kind": "target", "cards": int(n), "at_most": limit}), cell) == cell


@pytest.mark.parametrize(("limit", "cards", "cell"), [(10, 2, "0.265123"), (21, 3, "0.619646")])
def test_two_decks(limit: int, cards: int, cell: str) -> None:
    assert printed(chance({"kind": "target", "cards": cards, "at_most": limit, "decks": 2}), cell) == cell


@pytest.mark.parametrize(("row", "cells"), rows(FLIPS))
def test_flips(row: str, cells: list[str]) -> None:
    cls, n = row.split(".")
    for suit in "SH":
        for value, cell in enumerate(cells):
            question = {"kind": "flip", "value": value, "suit": suit, "cls": cls, "cards": int(n)}
            assert printed(chance(question), cell) == cell


@pytest.mark.parametrize(("table", "then_flip"), [(HANDS, False), (HANDS_OR_FLIPS, True)], ids=["hand", "or flip"])
@pytest.mark.parametrize("cls", ["expert", "related", "outsider"])
def test_unknown_hands(table: str, then_flip: bool, cls: str) -> None:
    for row, cells in rows(table):
        if row.startswith(cls):
            for value, cell in zip(VALUES, cells, strict=True):
                question = {"kind": "unknown_hand", "value": value, "cls": cls, "cards": int(row[-1])}
                assert printed(chance({**question, "then_flip": then_flip}), cell) == cell


# active, passive, class of both unless said: chance of the active side
CONTESTS = [
    (5, 5, "expert", "expert", "0.458522"),
    (7, 7, "expert", "expert", "0.458522"),
    (7, 5, "expert", "expert", "0.621418"),
    (5, 7, "expert", "expert", "0.307692"),
    (6, 10, "expert", "expert", "0.205128"),
    (10, 6, "expert", "expert", "0.742081"),
    (5, 5, "expert", "outsider", "0.864630"),
    (5, 5, "related", "related", "0.369532"),
]


@pytest.mark.parametrize(("active", "passive", "cls", "other", "cell"), CONTESTS)
def test_contests(active: int, passive: int, cls: str, other: str, cell: str) -> None:
    question = {"kind": "contest", "value": active, "other": passive, "cls": cls, "other_cls": other}
    assert printed(chance(question, "active"), cell) == cell


def test_known_cards_change_the_halves() -> None:
    """関連 is half of 専門 with a fresh deck, and no longer with known cards (§12.2)."""
    fresh = {"kind": "flip", "value": 5, "suit": "S", "cards": 1}
    assert chance({**fresh, "cls": "related"}) * 2 == chance({**fresh, "cls": "expert"})
    known = {**fresh, "seen": ["S10", "S9", "C10", "C9"]}
    assert chance({**known, "cls": "related"}) * 2 != chance({**known, "cls": "expert"})


def test_what_is_not_asked_of_a_game_is_refused_in_words() -> None:
    with pytest.raises(services.Refusal) as caught:
        chance({"kind": "flip", "value": 5, "cards": 1, "deck_order": ["S1"]})
    assert isinstance(caught.value.message, Text) and caught.value.message.en
