#!/usr/bin/env python3
"""Check the dice of a table without trusting its server.

    python3 verify_fair.py fair-campaign-12.json [--root HEX]

The file is the record from the table's page of verifiable dice. Nothing is sent anywhere; only Python's standard
library is used. `--root` is a root you wrote down earlier: then the keys must also lie under that one.

What is computed is described in rulesets/engine/fair.py. Exit code: 0 everything fits, 1 something does not,
2 the file cannot be read.
"""

import argparse
import hashlib
import hmac
import io
import json
import sys
from collections.abc import Callable
from typing import Any

WORD = 2**32


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def text(words: str) -> bytes:
    data = words.encode("utf-8")
    return len(data).to_bytes(4, "big") + data


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def key_fits(root: dict[str, Any], key: bytes, number: int, path: list[str]) -> bool:
    """Whether a key is the one that was fixed for this draw when the root was published."""
    index, size = number - root["first"], root["size"]
    if not 0 <= index < size or size & (size - 1) or len(path) != size.bit_length() - 1:
        return False
    found = sha(b"\x00" + key)
    for height, sibling in enumerate(path):
        other = bytes.fromhex(sibling)
        found = sha(b"\x01" + (other + found if index >> height & 1 else found + other))
    return bool(found.hex() == root["root"])


def numbers(seed: bytes) -> Callable[[int], int]:
    """A function that gives equally likely numbers 0 … n-1, one after the other."""
    stream, counter = bytearray(), 0

    def below(n: int) -> int:
        nonlocal counter
        while True:
            if not stream:
                stream.extend(mac(seed, u64(counter)))
                counter += 1
            word = int.from_bytes(stream[:4], "big")
            del stream[:4]
            if word < WORD - WORD % n:
                return word % n

    return below


def values_of(record: dict[str, Any], draw: dict[str, Any], key: bytes) -> list[Any]:
    """The faces and orders that must have come out."""
    salts = [salt["text"] for salt in record["salts"] if salt["since"] <= draw["number"]]
    parts = [text("takubiyori.fair.1"), text(record["topic"]), u64(draw["number"]), len(salts).to_bytes(4, "big")]
    below = numbers(mac(key, b"".join(parts + [text(salt) for salt in salts])))
    values: list[Any] = []
    for request in draw["requests"]:
        if isinstance(request, int):
            values.append(below(request) + 1)
            continue
        order = list(range(request["shuffle"]))
        for i in range(len(order) - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        values.append(order)
    return values


def check(record: dict[str, Any], draw: dict[str, Any]) -> tuple[bool, bool]:
    """(key fits, values fit) of one draw."""
    key = bytes.fromhex(draw["key"])
    root = next(r for r in record["roots"] if r["first"] <= draw["number"] < r["first"] + r["size"])
    return key_fits(root, key, draw["number"], draw["path"]), values_of(record, draw, key) == draw["values"]


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the dice of a table. / 卓のサイコロを確かめます。")
    parser.add_argument("record", help="the record you downloaded / 保存した記録 (JSON)")
    parser.add_argument("--root", help="a root you wrote down earlier / 控えておいた根")
    args = parser.parse_args()
    try:
        with open(args.record, encoding="utf-8") as file:
            record = json.load(file)
        draws = record["draws"]
        roots = [root["root"] for root in record["roots"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"cannot read / 読めません: {error}", file=sys.stderr)
        return 2
    wrong = 0
    for draw in draws:
        try:
            key_ok, values_ok = check(record, draw)
        except (ValueError, KeyError, TypeError, StopIteration, OverflowError):
            key_ok = values_ok = False
        wrong += not (key_ok and values_ok)
        said = "ok / 一致" if key_ok and values_ok else "WRONG / 不一致"
        key_said, values_said = ("ok" if key_ok else "WRONG"), ("ok" if values_ok else "WRONG")
        number, shown = draw.get("number"), json.dumps(draw.get("values"))
        print(f"#{number}: {said}  (key {key_said}, values {values_said})  {shown}")
    if args.root and args.root.replace(" ", "").lower() not in roots:
        print("WRONG / 不一致: this record has another root than the one you wrote down / 控えた根と違います")
        wrong += 1
    print(f"{len(draws)} draws, {wrong} wrong / {len(draws)}回のうち不一致 {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main())
