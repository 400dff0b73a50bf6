"""A table that is played by chance: whoever is asked answers, others try what they may, some try what they may not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulesets import services
from rulesets.engine.play import Actor, Command, Event, Refused, Viewer, replay, seat_token
from tests.rulesets import unlisted

SUITS = ("S", "C", "H", "D")
CLASSES = ("expert", "related", "outsider")
SEATS = {"A": "2", "B": "3", "C": "4"}
VIEWERS = {
    "gm": Viewer(frozenset({"all", "gm", seat_token("1")}), "gm", "1"),
    **{who: Viewer(frozenset({"all", seat_token(seat)}), "player", seat) for who, seat in SEATS.items()},
    "spectator": Viewer(frozenset({"all"}), "spectator"),
    "stranger": Viewer(frozenset({"all", seat_token("77")}), "player", "77"),
}
RANKS = {"A": "J485", "B": "7Q8T", "C": "T9K2"}
WOLF = {"name": "狼", "cards": {"S": "6", "C": "2", "H": "4", "D": "1"}, "expert": ["戦闘"], "luck_spend": True}
MASTER = Actor("1", "gm")


def build(name: str, ranks: str, occupation: str) -> dict[str, Any]:
    cards = {suit: "10" if rank == "T" else rank for suit, rank in zip(SUITS, ranks, strict=True)}
    return {"name": name, "ability_source": "draft", "cards": cards, "occupation": occupation}


def entry(who: str, kind: str, seat: str, build: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": who, "kind": kind, "name": f"人{who}", "seat": seat, "count": 1, "build": build, **more}


def setup(house_rules: Mapping[str, Any]) -> dict[str, Any]:
    jobs = dict(zip(RANKS, ("商人", "木こり", "書士"), strict=True))
    cast = [entry(who, "pc", SEATS[who], build(who, RANKS[who], jobs[who])) for who in RANKS]
    cast.append(entry("W", "npc", "", WOLF))
    cast.append(entry("X", "npc", "", WOLF, hidden=True))
    return {"house_rules": dict(house_rules), "cast": cast}


class Shuffled:
    """Orders by a seeded chance, counted."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.used = chance, 0

    def roll(self, sides: int) -> int:
        raise AssertionError("Alice throws no dice")

    def shuffle(self, size: int) -> tuple[int, ...]:
        self.used += 1
        order = list(range(size))
        self.chance.shuffle(order)
        return tuple(order)


@dataclass
class Table:
    """A table under way; `log` holds every event with the number of its command."""

    house_rules: Mapping[str, Any]
    chance: random.Random
    state: Any = None
    log: list[tuple[int, Event]] = field(default_factory=list)
    done: int = 0

    def __post_init__(self) -> None:
        with unlisted.listed():
            self.play = services.play("alice")
        self.state = self.play.start(setup(self.house_rules))

    def do(
        self, name: str, data: Mapping[str, Any], by: Actor = MASTER, *, step: int | None = None, override: str = ""
    ) -> Any:
        """Carry a command out; a refusal comes back as it is and must not have shuffled."""
        dice = Shuffled(self.chance)
        at = step if step is not None else self.state.step
        decided = self.play.decide(self.state, Command(name, data, "2026-05-09T12:00:00Z", at, override), by, dice)
        if isinstance(decided, Refused):
            assert not dice.used, f"{name} shuffled and was refused {decided.code}"
            return decided
        self.state = replay(self.play, self.state, decided)
        self.log += [(self.done, event) for event in decided]
        self.done += 1
        return decided

    # ------------------------------------------------------------ what chance tries

    def some_actor(self) -> Actor:
        if self.chance.random() < 0.5:
            return MASTER
        return Actor(self.chance.choice([*SEATS.values(), "77"]), "player")

    def issuer(self, data: Mapping[str, Any]) -> Actor:
        """The GM, or the player whose character acts."""
        seat = SEATS.get(str(data.get("actor")))
        return Actor(seat, "player") if seat and self.chance.random() < 0.6 else MASTER

    def likely(self) -> tuple[str, dict[str, Any]]:
        """A command that makes sense now."""
        pick, state = self.chance.choice, self.state
        if state.phase == "setup":
            alice = ("alice.add", {"card": pick(SUITS) + "3", "alice": "書のアリス"})
            return pick([("deal", {}), alice, ("alice.remove", {"alice": next(iter(state.alices), "a1")})])
        debtors = [one.id for one in state.pcs if len(state.hand(one.id)) > state.hand_size(one.id)]
        if debtors and self.chance.random() < 0.7:
            return "hand.discard", {"actor": debtors[0], "card": pick(state.hand(debtors[0]))}
        if state.op is not None and self.chance.random() < 0.9:
            return self._answer()
        if state.transfers and self.chance.random() < 0.5:
            return pick(["transfer.confirm", "transfer.refuse"]), {"transfer": pick(list(state.transfers))}
        return self._new()

    def _answer(self) -> tuple[str, dict[str, Any]]:
        pick, op = self.chance.choice, self.state.op
        if op.phase == "declared":
            if op.kind == "contest":
                return "contest.rule", {"suit": pick(SUITS), "cards": pick([0, 1, 2])}
            return pick([("test.suit", {"suit": pick(SUITS)})] * 5 + [("test.impossible", {}), ("test.trivial", {})])
        if op.phase == "suit" and op.kind == "empathy" and self.chance.random() < 0.3:
            return "empathy.conditions", {"touching": True, "in_sight": True}
        if op.phase == "suit":
            return "test.difficulty", {"cards": pick([1, 2, 2, 3]), "favourable": pick([False, False, True])}
        if op.phase == "class":
            tokens = [one.id for one in self.state.tokens.values() if one.holder == op.now.who] or ["k1"]
            who = pick([one.who for one in op.tries]) if op.kind == "race" else op.now.who
            return pick(
                [("test.class", {"cls": pick(CLASSES), "actor": who})] * 9
                + [("test.reason", {"token": pick(tokens), "actor": who})] * 2
                + [("test.propose", {"cls": pick(CLASSES), "why": "得意"})]
                + [("test.favourable" if self.chance.random() < 0.7 else "test.cancel", {})]
            )
        if op.phase == "ace":
            return "play.ace", {"ace": pick(["eleven", "twentyone"])}
        if op.phase == "verdict":
            return "test.verdict", {"winner": pick(["active", "passive"])}
        if op.phase == "damage":
            hand = self.state.hand(op.active.who)
            cards = [("damage.hand", {"card": card, "confirm": True}) for card in hand]
            return pick([*cards, ("damage.flip", {}), ("damage.luck", {"suit": pick(SUITS)}), ("damage.decline", {})])
        open_ = [one.who for one in op.tries if not one.committed] if op.kind == "race" else [op.now.who]
        who = pick(open_)
        ways = [
            ("play.hand", {"card": card, "actor": who, "boost": pick([False, True])}) for card in self.state.hand(who)
        ]
        others = [("play.flip", {"actor": who}), ("play.luck", {"actor": who}), ("play.concede", {"actor": who})]
        return pick([*ways, *others, ("play.flip", {"actor": who})])

    def _new(self) -> tuple[str, dict[str, Any]]:
        pick, state = self.chance.choice, self.state
        who = state.combat.now if state.combat and state.combat.now else pick(["A", "B", "C", "W"])
        other = pick([one for one in state.actors if one != who])
        action = pick(["狼と戦う", "崖を登る", "本を探す"])
        hand = state.hand(who) or ("S2",)
        wounded = [one.id for one in state.pcs if any(one.stages.get(suit) for suit in "SCH") and not one.dead]
        choices: list[tuple[str, dict[str, Any]]] = [
            ("test.declare", {"actor": who, "text": action, "suit": pick(SUITS)}),
            ("test.declare", {"actor": who, "text": action}),
            ("recovery.declare", {"actor": who, "patient": pick(wounded or ["A"]), "suit": pick(SUITS)}),
            ("test.declare", {"actor": who, "text": action, "luck": True, "story": "蔦が垂れていた"}),
            ("reason.declare", {"actor": who, "text": action, "known": pick([True, False])}),
            ("empathy.declare", {"actor": who, "whom": other, "touching": pick([True, False])}),
            ("acquire.declare", {"actor": who, "text": pick(["縄", "薬"])}),
            ("recovery.declare", {"actor": who, "patient": other, "suit": pick(SUITS)}),
            ("contest.declare", {"actor": who, "targets": other, "text": action}),
            ("race.declare", {"actors": "A,B,C,W", "text": "走る", "suit": pick(SUITS), "cards": pick([1, 2])}),
            ("attack.declare", {"actor": who, "target": other, "text": action}),
            ("attack.declare", {"actor": who, "target": other}),
            ("flee.declare", {"actor": who, "target": other}),
            ("flee.hold", {"actor": who, "by": other}),
            ("flee.escape", {"actor": who}),
            ("fight.start", {"actors": "A,B,C,W"}),
            ("round.next", {}),
            ("round.next", {}),
            ("fight.end", {}),
            ("turn.pass", {"actor": who}),
            ("turn.act", {"actor": who, "text": "叫ぶ"}),
            ("transfer.ask", {"actor": who, "target": other, "card": pick(hand), "text": "支える"}),
            ("reason.teach", {"actor": who, "token": pick(list(state.tokens) or ["k1"]), "target": other}),
            ("reason.void", {"text": action}),
            ("morning.begin", {"sleepless": pick(["", "A"])}),
            ("refresh", {"actor": who, "discards": list(hand[: pick([0, 1, 2, 3])])}),
            ("morning.end", {}),
            ("care", {"actors": "A,B,C", "state": pick(["rest", "no_rest", "shelter", "exposed"])}),
            ("pact.start", {"actor": who, "kind": pick(["coexistence_pact", "healing_vow"]), "alice": "書のアリス"}),
            ("pact.end", {"actor": who, "pact": next(iter(state.actors[who].pacts), "p1")}),
            ("actor.hurt", {"actor": who, "suit": pick(SUITS), "reason": "落ちた"}),
            ("actor.kill", {"target": who if self.chance.random() < 0.2 else "zz"}),
            ("actor.show", {"actors": "X"}),
            ("actor.hide", {"actors": "X"}),
            ("numbers.show", {"actor": "W"}),
            ("actor.set", {"actor": who, "key": "stage_S", "number": pick([0, 1]), "reason": "直す"}),
            ("actor.set", {"actor": who, "key": "hand_delta", "number": pick([0, 1]), "reason": "直す"}),
            ("fight.join", {"actor": other}),
            ("fight.order", {"actors": "W,A"}),
            ("evening.start", {"number": 2}),
            ("pile.shuffle", {"reason": "見えてしまった"}),
            ("survival.heal", {"actor": who, "suit": pick(SUITS)}),
            ("attack.declare", {"actor": "X", "target": who}),
            ("empathy.declare", {"actor": who, "whom": "X"}),
        ]
        return pick(choices)

    def unlikely(self) -> tuple[str, dict[str, Any]]:
        """Any command with fields of any kind."""
        pick = self.chance.choice
        early = {"game.end"} if self.done < 100 else set()
        shape = pick([shape for shape in self.play.commands() if shape.name not in early])
        junk = [None, "", "A", "W", "zz", -1, 2, True, [], ["S2"], {"a": 1}, "S2", "expert", "S"]
        return shape.name, {one.name: pick(junk) for one in shape.fields if self.chance.random() < 0.8}

    def play_on(self, steps: int) -> Iterator[tuple[str, Mapping[str, Any], Actor, Any]]:
        """Commands and what came of them, `steps` times."""
        for _ in range(steps):
            sensible = self.chance.random() < 0.85
            name, data = self.likely() if sensible else self.unlikely()
            actor = self.issuer(data) if sensible and self.chance.random() < 0.9 else self.some_actor()
            override = "卓の裁定" if self.chance.random() < 0.3 else ""
            yield name, data, actor, self.do(name, data, actor, override=override)
