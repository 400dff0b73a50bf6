"""Verifiable randomness: proofs hold, forgeries fail, faces are fair, the bytes stay what the browser computes."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets.engine import fair

MASTER = bytes(range(32))
VECTORS = json.loads((Path(__file__).parent / "fair_vectors.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def block() -> fair.Block:
    return fair.block(MASTER)


def chi_square_p(statistic: float, freedom: int) -> float:
    """Chance of a chi-square value at least this large (regularised upper gamma function, by series)."""
    a, x = freedom / 2, statistic / 2
    term = total = 1 / a
    n = 0
    while abs(term) > 1e-15 * abs(total):
        n += 1
        term *= x / (a + n)
        total += term
    return 1 - total * math.exp(-x + a * math.log(x) - math.lgamma(a))


def statistic(counts: Counter[Any], cells: int, total: int) -> float:
    expected = total / cells
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (cells - len(counts)) * expected


def faces(sides: int, amount: int, per_draw: int = 30) -> list[int]:
    """Faces as a session makes them: many draws of some dice each."""
    found: list[int] = []
    number = 0
    while len(found) < amount:
        dice = fair.FairDice(fair.key_of(MASTER, number), "session:1", number, ["雨"])
        found += [dice.roll(sides) for _ in range(per_draw)]
        number += 1
    return found[:amount]


# ---------------------------------------------------------------- the bytes


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=lambda v: f"{v['topic']}-{v['number']}")
def test_fixed_vectors(vector: dict[str, Any]) -> None:
    master = bytes.fromhex(vector["master"])
    tree = fair.block(master, vector["first"], vector["size"])
    key = fair.key_of(master, vector["number"])
    assert key.hex() == vector["key"]
    assert fair.leaf_of(key).hex() == vector["leaf"]
    assert tree.root == vector["root"]
    assert tree.path(vector["number"]) == vector["path"]
    assert fair.seed_of(key, vector["topic"], vector["number"], vector["salts"]).hex() == vector["seed"]
    assert (
        fair.recompute(key, vector["topic"], vector["number"], vector["salts"], vector["requests"])
        == (vector["values"])
    )


def test_the_written_recipe_gives_the_same_dice() -> None:
    """A second, plain implementation of the module's text."""

    def mac(key: bytes, message: bytes) -> bytes:
        return hmac.new(key, message, hashlib.sha256).digest()

    def text(s: str) -> bytes:
        return len(s.encode()).to_bytes(4, "big") + s.encode()

    key = mac(MASTER, (5).to_bytes(8, "big"))
    head = text("takubiyori.fair.1") + text("campaign:3") + (5).to_bytes(8, "big") + (2).to_bytes(4, "big")
    seed = mac(key, head + text("雨") + text(""))
    stream = b"".join(mac(seed, c.to_bytes(8, "big")) for c in range(40))
    words = iter(int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4))

    def below(n: int) -> int:
        while (word := next(words)) >= 2**32 - 2**32 % n:
            pass
        return word % n

    first = [below(6) + 1, below(3_000_000_000) + 1, below(3_000_000_000) + 1]
    order = list(range(13))
    for i in range(12, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    dice = fair.FairDice(fair.key_of(MASTER, 5), "campaign:3", 5, ["雨", ""])
    assert [dice.roll(6), dice.roll(3_000_000_000), dice.roll(3_000_000_000)] == first
    assert list(dice.shuffle(13)) == order
    assert dice.requests == [6, 3_000_000_000, 3_000_000_000, {"shuffle": 13}]
    assert dice.values == [*first, order]


# ---------------------------------------------------------------- proofs


def draw(block: fair.Block, number: int = 7) -> dict[str, Any]:
    key = fair.key_of(MASTER, number)
    dice = fair.FairDice(key, "session:4", number, ["松", "竹"])
    dice.roll(6)
    dice.roll(10)
    dice.shuffle(5)
    record = {
        "root": block.root,
        "first": block.first,
        "size": block.size,
        "topic": "session:4",
        "number": number,
        "key": key,
        "path": block.path(number),
        "salts": ["松", "竹"],
        "requests": dice.requests,
        "values": dice.values,
    }
    return record


@pytest.mark.parametrize("number", [0, 1, 7, 2048, 4095])
def test_an_honest_draw_verifies(block: fair.Block, number: int) -> None:
    record = draw(block, number)
    assert len(record["path"]) == 12
    assert fair.verify_draw(**record).ok


def test_the_second_block_has_its_own_root(block: fair.Block) -> None:
    second = fair.block(MASTER, 4096)
    assert second.root != block.root
    assert fair.verify_key(second.root, 4096, 4096, 5000, fair.key_of(MASTER, 5000), second.path(5000))
    assert not fair.verify_key(block.root, 0, 4096, 5000, fair.key_of(MASTER, 5000), second.path(5000))
    assert fair.first_of_block(5000) == 4096


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"key": fair.key_of(MASTER, 8)}, "key_ok"),
        ({"key": b"short"}, "key_ok"),
        ({"number": 8}, "key_ok"),
        ({"number": -1}, "key_ok"),
        ({"number": 4103}, "key_ok"),
        ({"root": "00" * 32}, "key_ok"),
        ({"root": "雨"}, "key_ok"),
        ({"path": []}, "key_ok"),
        ({"path": ["zz"] * 12}, "key_ok"),
        ({"path": ["00"] * 12}, "key_ok"),
        ({"size": 4095}, "key_ok"),
        ({"first": 3}, "key_ok"),
        ({"topic": "session:5"}, "values_ok"),
        ({"salts": ["竹", "松"]}, "values_ok"),
        ({"salts": ["松竹"]}, "values_ok"),
        ({"salts": ["松", "竹", ""]}, "values_ok"),
        ({"requests": [6, 6, {"shuffle": 5}]}, "values_ok"),
        ({"requests": [6, 10]}, "values_ok"),
        ({"requests": [0, 10]}, "values_ok"),
        ({"requests": [{"shuffle": 10**9}]}, "values_ok"),
        ({"requests": [{"shuffle": True}]}, "values_ok"),
        ({"requests": [True]}, "values_ok"),
        ({"requests": ["6"]}, "values_ok"),
        ({"values": [1, 1, [0, 1, 2, 3, 4]]}, "values_ok"),
    ],
)
def test_a_forged_draw_fails(block: fair.Block, changed: dict[str, Any], part: str) -> None:
    verdict = fair.verify_draw(**(draw(block) | changed))
    assert not verdict.ok
    assert not getattr(verdict, part)


@given(number=st.integers(0, 15), at=st.integers(0, 3), bit=st.integers(0, 255))
def test_one_changed_bit_of_a_path_fails(number: int, at: int, bit: int) -> None:
    tree = fair.block(MASTER, 0, 16)
    path = tree.path(number)
    key = fair.key_of(MASTER, number)
    assert fair.verify_key(tree.root, 0, 16, number, key, path)
    path[at] = (int(path[at], 16) ^ (1 << bit)).to_bytes(32, "big").hex()
    assert not fair.verify_key(tree.root, 0, 16, number, key, path)


def test_a_node_cannot_pass_for_a_key(block: fair.Block) -> None:
    """The inner hashes are public in paths; none of them may be taken for a key of a shorter tree."""
    inner = bytes.fromhex(block.path(0)[0])
    for size in (2048, 2):
        assert not fair.verify_key(block.root, 0, size, 0, inner, block.path(0)[1 : size.bit_length()])


def test_impossible_arguments_are_named() -> None:
    for wrong in (
        lambda: fair.key_of(b"short", 0),
        lambda: fair.key_of(MASTER, -1),
        lambda: fair.block(MASTER, 0, 3),
        lambda: fair.block(MASTER, 5, 16),
        lambda: fair.block(MASTER, 0, 16).path(16),
        lambda: fair.FairDice(MASTER, "t", 0).roll(0),
        lambda: fair.FairDice(MASTER, "t", 0).shuffle(-1),
        lambda: fair.FairDice(MASTER, "t", 0).shuffle(10_001),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_masters_differ() -> None:
    assert len(fair.new_master()) == 32
    assert fair.new_master() != fair.new_master()


def test_a_block_is_built_in_milliseconds() -> None:
    best = min(_seconds() for _ in range(3))
    assert best < 0.1  # about 0.013 s of processor time; the margin is for slow machines


def _seconds() -> float:
    start = time.process_time()
    fair.block(MASTER)
    return time.process_time() - start


# ---------------------------------------------------------------- fairness


def test_600000_faces_are_even_alone_and_in_pairs() -> None:
    rolled = faces(6, 600_000)
    assert set(rolled) == {1, 2, 3, 4, 5, 6}
    assert chi_square_p(statistic(Counter(rolled), 6, len(rolled)), 5) > 0.001
    pairs = list(zip(rolled[::2], rolled[1::2], strict=True))
    assert chi_square_p(statistic(Counter(pairs), 36, len(pairs)), 35) > 0.001
    apart = list(zip(rolled[:-30:60], rolled[30::60], strict=True))  # the same die of neighbouring draws
    assert chi_square_p(statistic(Counter(apart), 36, len(apart)), 35) > 0.001


def test_the_chi_square_test_notices_a_loaded_die() -> None:
    rolled = [6 if face == 1 and i % 50 == 0 else face for i, face in enumerate(faces(6, 600_000))]
    assert chi_square_p(statistic(Counter(rolled), 6, len(rolled)), 5) < 0.001


def test_chi_square_table() -> None:
    """Values of any printed table: 11.07 is the 5 % limit at 5 degrees of freedom, 57.34 the 1 % limit at 35."""
    assert chi_square_p(11.0705, 5) == pytest.approx(0.05, abs=1e-4)
    assert chi_square_p(57.342, 35) == pytest.approx(0.01, abs=1e-4)


def test_the_tail_is_rejected() -> None:
    """A die of 3·2^30 sides: taking words modulo would make the lowest third of the faces twice as likely."""
    sides = 3 * 2**30
    low = sum(face <= 2**30 for face in faces(sides, 30_000))
    assert abs(low - 10_000) < 400  # five standard deviations; modulo would give 15,000


def test_orders_are_even() -> None:
    dice = fair.FairDice(fair.key_of(MASTER, 0), "t", 0)
    orders = Counter(dice.shuffle(4) for _ in range(24_000))
    assert chi_square_p(statistic(orders, 24, 24_000), 23) > 0.001


@settings(max_examples=50)
@given(size=st.integers(0, 120), number=st.integers(0, 10**6), topic=st.text(max_size=20))
def test_an_order_holds_every_card_once(size: int, number: int, topic: str) -> None:
    try:
        topic.encode()
    except UnicodeEncodeError:
        return
    order = fair.FairDice(fair.key_of(MASTER, number), topic, number).shuffle(size)
    assert sorted(order) == list(range(size))


def test_draws_depend_on_every_part() -> None:
    base = [fair.FairDice(fair.key_of(MASTER, 1), "t", 1, ["a"]).roll(2**32) for _ in range(1)]
    others = [
        fair.FairDice(fair.key_of(MASTER, 2), "t", 1, ["a"]).roll(2**32),
        fair.FairDice(fair.key_of(MASTER, 1), "u", 1, ["a"]).roll(2**32),
        fair.FairDice(fair.key_of(MASTER, 1), "t", 2, ["a"]).roll(2**32),
        fair.FairDice(fair.key_of(MASTER, 1), "t", 1, ["b"]).roll(2**32),
        fair.FairDice(fair.key_of(MASTER, 1), "t", 1, []).roll(2**32),
    ]
    assert len({*base, *others}) == 6
