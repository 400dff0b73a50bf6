"""A table of two pairs and some people of the GM's, and any commands they may think of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.play import GM, Actor, Command, Viewer, seat_token

AT = "2026-05-09T12:03:44Z"
TRUE_NAME, TAIL_NAME, HIDDEN = "CANARYTRUE", "CANARYTAIL", "CANARYHIDDEN"
SEATS = {"1": "gm", "2": "player", "3": "player", "4": "player", "5": "spectator"}
GM_SEAT = Actor("1", "gm")


class Dice:
    """Equally likely faces from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return self._random.randint(1, sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError("this game draws card by card")


def _build(preset: str, **fields: Any) -> dict[str, Any]:
    found = next(one for one in services.presets("witch", {}) if one.id == preset)
    return services.to_build("witch", {**found.fields, **fields})


def setup(house_rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Two pairs (w1 and k1 of seats 2 and 3, w2 and k2 of seat 4), a stray cat and a hidden witch of the GM's."""
    cast = [
        ("w1", "pc", "ミナ", "2", False, _build("N01", partner="k1", true_name=TRUE_NAME)),
        ("k1", "pc", "ススケ", "3", False, _build("N02", partner="w1", **{"spells.lick_wounds": True, "mp": 15})),
        ("w2", "pc", "リラ", "4", False, _build("N01", partner="k2", sign_card=0, **{"power.0": 12})),
        ("k2", "pc", "クロ", "4", False, _build("N04", partner="w2", whisker_name="クロ")),
        ("n1", "npc", "野良", "", False, _build("N05")),
        ("n2", "npc", HIDDEN, "", True, _build("N03")),
    ]
    entries = [
        {"id": i, "kind": kind, "name": name, "seat": seat, "hidden": hidden, "build": build, "count": 1, "play": {}}
        for i, kind, name, seat, hidden, build in cast
    ]
    seats = [{"seat": seat, "role": role, "name": seat} for seat, role in SEATS.items()]
    return {"house_rules": dict(house_rules or {}), "seats": seats, "cast": entries}


def viewer(seat: str) -> Viewer:
    role = SEATS[seat]
    tokens = {"all", *(() if role == "spectator" else (seat_token(seat),)), *(GM if role == "gm" else ())}
    return Viewer(frozenset(tokens), role, seat)  # type: ignore[arg-type]


VIEWERS = {seat: viewer(seat) for seat in SEATS}


# ---------------------------------------------------------------- any commands

_WHO = ("w1", "k1", "w2", "k2", "n1", "n2")
PLAYERS = [Actor("2", "player"), Actor("3", "player"), Actor("4", "player")]
GM_COMMANDS = frozenset(
    {"account.correct", "pool.correct", "body.change", "true_name.forget", "tail_name.set", "tail_name.reveal"}
)
_ITEMS = ("fine_whisker", "mystic_whisker", "stubborn_whisker", "sharp_claws")
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "points.pool_scope": st.sampled_from(["pair", "party"]),
        "points.shortfall": st.sampled_from(["clip", "refuse_if_pool_lt_max"]),
        "points.help_at_zero": st.booleans(),
        "help.timing": st.sampled_from(["before", "after_failure_too"]),
        "magic.belief_memory": st.sampled_from(["scenario", "scene", "never"]),
        "magic.retry": st.sampled_from(["free", "gm", "once_per_scene"]),
        "magic.difficulty_visible": st.booleans(),
        "growth.die_meaning": st.sampled_from(["roll_1d6", "plus_1"]),
        "growth.compare_columns": st.sampled_from(["all29", "days28"]),
        "hp_recovery": st.sampled_from(["none", "1d6", "full"]),
        "secret.gm_sees_true_name": st.booleans(),
        "combat.enabled": st.just(True),
    },
)


def any_command(state: Any, r: Random) -> tuple[str, dict[str, Any], Actor]:
    """A command with fields that may fit, by somebody who may be allowed to; what is under way goes on most often."""
    under_way = [one for one in state.attempts.values() if not one.done or r.random() < 0.2]
    if under_way and r.random() < 0.6:
        attempt = r.choice(under_way)
        name, fields = _going_on(attempt, state, r)
    else:
        name, fields = r.choice(_SHAPES)(r)
    return name, fields, _issuer(name, fields, state, r)


def _issuer(name: str, fields: Mapping[str, Any], state: Any, r: Random) -> Actor:
    """Mostly whoever may issue it."""
    if r.random() < 0.15:
        return r.choice([GM_SEAT, *PLAYERS])
    who = fields.get("actor")
    if name == "help.answer":
        attempt = state.attempts.get(fields["attempt"])
        who = state.bonds.get(attempt.actor) if attempt is not None else None
    elif "attempt" in fields and name not in ("spell.rate", "attempt.close"):
        attempt = state.attempts.get(fields["attempt"])
        who = attempt.actor if attempt is not None else None
    actor = state.actors.get(who)
    by_gm = name in GM_COMMANDS or actor is None or not actor.seat
    return GM_SEAT if by_gm else Actor(actor.seat, "player")


def _going_on(attempt: Any, state: Any, r: Random) -> tuple[str, dict[str, Any]]:
    here = {"attempt": attempt.id}
    request = {**here, "request": attempt.help.id or "h0"}
    roll = "challenge.roll" if attempt.kind == "challenge" else "spell.cast"
    target = r.choice([*state.targets, *_WHO])
    ways: list[tuple[str, dict[str, Any]]] = [
        (roll, here),
        (roll, here),
        *[("help.ask", {**here, "k": r.randint(1, 2)})] * 3,
        ("help.answer", {**request, "answer": r.choice(["accept", "accept", "decline"])}),
        ("help.answer", {**request, "answer": "accept", "k": 1}),
        ("help.withdraw", request),
        ("attempt.close", here),
    ]
    if attempt.kind == "spell":
        ways += [("spell.rate", {**here, "target": target, "difficulty": r.randint(-9, 21)})] * 2
        ways += [("spell.rate", {**here, "target": target, "roll": True}), ("spell.again", here)]
    if attempt.help.state == "asked":
        ways = [*ways[5:8], ways[0]]
    return r.choice(ways)


def _shape(name: str, /, **fields: Any) -> Callable[[Random], tuple[str, dict[str, Any]]]:
    """A command whose fields are chosen from tuples, from ranges, or are as they stand."""
    return lambda r: (name, {key: _chosen(value, r) for key, value in fields.items()})


def _chosen(value: Any, r: Random) -> Any:
    if isinstance(value, tuple):
        return r.choice(value)
    return r.choice(value) if isinstance(value, range) else value


_SHAPES = (
    _shape("scenario.open", points=range(1, 9)),
    _shape("scenario.open"),
    _shape("scenario.close"),
    _shape("scene.set", title="場面"),
    *[_shape("challenge.open", actor=_WHO, what=("wits", "strength", "占い", "factor:beauty"))] * 4,
    *[_shape("spell.wish", actor=_WHO, what="願い", target=("", *_WHO))] * 4,
    _shape("target.set", name="街灯", category=("machine", "doll", "witch"), secret=(True, False)),
    *[_shape("cat.spell", actor=("k1", "k1", "k2", "w1"), spell=("soft_paws", "lick_wounds", "nine_lives", "vanish"))]
    * 2,
    _shape("day.advance", nights=range(1, 9)),
    _shape("day.until", meeting=("sabbath", "gathering")),
    _shape("moon.draw", with_trickster=True),
    *[_shape("growth.take", actor=_WHO, choice="factor", what=("wits", "courage"))] * 2,
    *[_shape("growth.take", actor=_WHO, choice="skill", what=("占い", "歌"))] * 2,
    *[_shape("growth.take", actor=_WHO, choice=("power", "power", "hp"))] * 4,
    *[_shape("shop.buy", actor=_WHO, item=_ITEMS)] * 4,
    *[_shape("account.correct", actor=_WHO, account=("xp", "bank"), amount=range(-120, 400), note="x")] * 2,
    _shape("pool.correct", actor=_WHO, amount=range(-30, 30), note="x"),
    *[_shape("body.change", actor=_WHO, stat=("hp", "mp"), amount=range(-20, 20))] * 2,
    _shape("true_name.give", actor="w1", name=TRUE_NAME),
    _shape("true_name.tell", actor=_WHO, target=_WHO),
    _shape("true_name.forget", actor=_WHO, target=_WHO),
    _shape("tail_name.set", actor=_WHO, name=TAIL_NAME),
    _shape("tail_name.reveal", actor=_WHO),
    _shape("cards.draw", deck=("reading", "structure"), secret=(True, False)),
    _shape("cards.shuffle", deck=("reading", "structure")),
    _shape("fight.start", name="ねずみ", hp=9),
    *[_shape("fight.throw", actor=_WHO)] * 2,
    _shape("fight.resolve"),
    _shape("fight.end"),
    _shape("encounter", place=range(1, 49)),
)


def _account(who: str, account: str) -> tuple[str, dict[str, Any]]:
    return "account.correct", {"actor": who, "account": account, "amount": 160, "note": "x"}


# What an evening begins with: a scenario, something to grow from and to spend, both meetings open.
WARM_UP: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scenario.open", {"points": 4}),
    _account("w1", "xp"),
    _account("w2", "xp"),
    _account("k1", "bank"),
    _account("k2", "bank"),
    ("meeting.open", {"meeting": "sabbath", "open": True}),
    ("meeting.open", {"meeting": "gathering", "open": True}),
)


def command(name: str, data: Mapping[str, Any], override: str = "") -> Command:
    return Command(name, dict(data), AT, None, override)
