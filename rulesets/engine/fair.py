"""Randomness that the table can verify: keys fixed beforehand, shown afterwards, dice computed from them.

What is computed, byte by byte (`static/js/fair.js` and the offline script do the same). `u32(n)` and `u64(n)` are
big-endian unsigned integers of 4 and 8 bytes, `‖` joins bytes, `text(s)` is `u32(number of bytes) ‖ UTF-8 of s` with
s exactly as logged (no normalisation). HMAC and SHA are HMAC-SHA256 and SHA-256; hashes are shown as lower-case hex.

    master     32 random bytes of the topic, never shown
    key(d)     HMAC(key = master, message = u64(d))                      draws are numbered d = 0, 1, 2 …
    leaf(d)    SHA(0x00 ‖ key(d))
    node       SHA(0x01 ‖ left ‖ right)
    root       of the full binary tree over leaf(first) … leaf(first + size - 1), size a power of two (4,096),
               first a multiple of size. Published before any draw of the block is used.
    path(d)    the sibling hashes from the leaf up to below the root (12 of them). With i = d - first, the sibling at
               height h stands on the right if bit h of i is 0, on the left if it is 1.
    seed(d)    HMAC(key = key(d), message = text("takubiyori.fair.1") ‖ text(topic) ‖ u64(d)
                                            ‖ u32(number of salts) ‖ text(salt) for each, in the order logged)
    block(c)   HMAC(key = seed(d), message = u64(c)), c = 0, 1, 2 …; the stream is block(0) ‖ block(1) ‖ …
    below(n)   take the next 4 bytes of the stream as u; while u ≥ 2^32 - (2^32 mod n) take the next 4 bytes instead;
               the number is u mod n. (Rejecting the tail leaves every number equally likely.)
    die(n)     below(n) + 1                                              1 ≤ n ≤ 2^32
    shuffle(n) order = [0, 1 … n-1]; for i = n-1 down to 1: j = below(i + 1), swap order[i] and order[j];
               order[0] is the top card                                  0 ≤ n ≤ 10,000

A draw answers its requests in order from one stream. Requests and values are logged in this form:
`[6, 6, {"shuffle": 3}]` and `[4, 1, [2, 0, 1]]`. Fixed examples: `tests/rulesets/engine/fair_vectors.json`.

The proof shows that nothing was changed after the root was published. It does not show that whoever holds the master
did not look ahead.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

BLOCK = 4096
LABEL = "takubiyori.fair.1"
MAX_SIDES = 2**32
MAX_CARDS = 10_000
_WORD = 2**32
_LAST = 2**53 - 1  # the largest number every reader holds exactly, JavaScript's included

# One request of a draw (sides of a die, or a shuffle) and its value (a face, or an order), as they are logged.
Request = int | dict[str, int]
Drawn = int | list[int]


def new_master() -> bytes:
    """A fresh master for a topic."""
    return secrets.token_bytes(32)


def key_of(master: bytes, number: int) -> bytes:
    """The key of draw `number`. Raises `ValueError` for a master or number that cannot be."""
    if len(master) != 32:
        raise ValueError("a master has 32 bytes")
    return hmac.digest(master, _u64(number), "sha256")


def _u64(number: int) -> bytes:
    if not 0 <= number <= _LAST:
        raise ValueError(f"no draw or block number: {number}")
    return number.to_bytes(8, "big")


def _text(text: str) -> bytes:
    encoded = text.encode("utf-8")
    return len(encoded).to_bytes(4, "big") + encoded


# ---------------------------------------------------------------- the tree over a block of keys


def leaf_of(key: bytes) -> bytes:
    return sha256(b"\x00" + key).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Block:
    """The tree over the keys `first` … `first + size - 1`: about 13 ms to build, 256 KiB to keep.

    It follows from the master alone, so a caller may cache it or build it again.
    """

    first: int
    size: int
    levels: tuple[tuple[bytes, ...], ...]  # leaves first, the root alone last

    @property
    def root(self) -> str:
        """The published hash, hex."""
        return self.levels[-1][0].hex()

    def path(self, number: int) -> list[str]:
        """Sibling hashes (hex) that lead from the key of draw `number` to the root."""
        index = number - self.first
        if not 0 <= index < self.size:
            raise ValueError(f"draw {number} is not in the block from {self.first}")
        return [level[(index >> height) ^ 1].hex() for height, level in enumerate(self.levels[:-1])]


def first_of_block(number: int, size: int = BLOCK) -> int:
    """The first draw of the block that holds draw `number`."""
    return number - number % size


def block(master: bytes, first: int = 0, size: int = BLOCK) -> Block:
    """The tree over one block. Raises `ValueError` unless size is a power of two and first a multiple of it."""
    if size < 1 or size & (size - 1) or first % size:
        raise ValueError("a block has a power of two of keys and starts at a multiple of its size")
    level = tuple(leaf_of(key_of(master, number)) for number in range(first, first + size))
    levels = [level]
    while len(level) > 1:
        level = tuple(_node(level[i], level[i + 1]) for i in range(0, len(level), 2))
        levels.append(level)
    return Block(first, size, tuple(levels))


def verify_key(root: str, first: int, size: int, number: int, key: bytes, path: Sequence[str]) -> bool:
    """Whether `key` is the key of draw `number` under a published root. Never raises over what it is given."""
    index = number - first
    if size < 1 or size & (size - 1) or first % size or not 0 <= index < size or len(key) != 32:
        return False
    if len(path) != size.bit_length() - 1:
        return False
    found = leaf_of(key)
    for height, sibling in enumerate(path):
        try:
            other = bytes.fromhex(sibling)
        except ValueError:
            return False
        if len(other) != 32:
            return False
        found = _node(other, found) if index >> height & 1 else _node(found, other)
    return hmac.compare_digest(found.hex().encode(), root.encode("utf-8", "replace"))


# ---------------------------------------------------------------- the dice of a draw


class _Stream:
    """Equally likely whole numbers from a seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0
        self._bytes = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A number from 0 to n-1."""
        limit = _WORD - _WORD % n
        while True:
            if self._at == len(self._bytes):
                self._bytes = hmac.digest(self._seed, _u64(self._counter), "sha256")
                self._counter += 1
                self._at = 0
            word = int.from_bytes(self._bytes[self._at : self._at + 4], "big")
            self._at += 4
            if word < limit:
                return word % n


def seed_of(key: bytes, topic: str, number: int, salts: Sequence[str]) -> bytes:
    """What the stream of a draw grows from: its key, where and which it is, and the players' salts."""
    parts = [_text(LABEL), _text(topic), _u64(number), len(salts).to_bytes(4, "big"), *map(_text, salts)]
    return hmac.digest(key, b"".join(parts), "sha256")


class FairDice:
    """A `DiceSource` that computes one draw and remembers what was asked and what came out."""

    def __init__(self, key: bytes, topic: str, number: int, salts: Sequence[str] = ()) -> None:
        self.number = number
        self.requests: list[Request] = []
        self.values: list[Drawn] = []
        self._stream = _Stream(seed_of(key, topic, number, salts))

    def roll(self, sides: int) -> int:
        """A face from 1 to `sides`. Raises `ValueError` for a die that cannot be."""
        if not 1 <= sides <= MAX_SIDES:
            raise ValueError(f"no die with {sides} sides")
        face = self._stream.below(sides) + 1
        self.requests.append(sides)
        self.values.append(face)
        return face

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A random order of 0 … size-1, first = top. Raises `ValueError` for a pile that cannot be."""
        if not 0 <= size <= MAX_CARDS:
            raise ValueError(f"no pile of {size} cards")
        order = list(range(size))
        for i in range(size - 1, 0, -1):
            j = self._stream.below(i + 1)
            order[i], order[j] = order[j], order[i]
        self.requests.append({"shuffle": size})
        self.values.append(list(order))
        return tuple(order)


def recompute(key: bytes, topic: str, number: int, salts: Sequence[str], requests: Sequence[Request]) -> list[Drawn]:
    """The values a draw must have. Raises `ValueError` for a request that is neither a die nor a shuffle."""
    dice = FairDice(key, topic, number, salts)
    for request in requests:
        if isinstance(request, bool):
            raise ValueError("no request")
        if isinstance(request, int):
            dice.roll(request)
        elif isinstance(request, dict) and request.keys() == {"shuffle"} and type(request["shuffle"]) is int:
            dice.shuffle(request["shuffle"])
        else:
            raise ValueError("no request")
    return dice.values


@dataclass(frozen=True, slots=True)
class Verdict:
    """`key_ok`: the key lies under the published root. `values_ok`: the dice follow from the key."""

    key_ok: bool
    values_ok: bool
    expected: tuple[Drawn, ...] = ()

    @property
    def ok(self) -> bool:
        return self.key_ok and self.values_ok


def verify_draw(
    *,
    root: str,
    first: int,
    size: int,
    topic: str,
    number: int,
    key: bytes,
    path: Sequence[str],
    salts: Sequence[str],
    requests: Sequence[Request],
    values: Sequence[Drawn],
) -> Verdict:
    """Check one logged draw from what is public about it. Never raises over a forged or broken record."""
    key_ok = verify_key(root, first, size, number, key, path)
    try:
        expected = recompute(key, topic, number, salts, requests)
    except (ValueError, OverflowError):
        return Verdict(key_ok, False)
    return Verdict(key_ok, expected == list(values), tuple(expected))
