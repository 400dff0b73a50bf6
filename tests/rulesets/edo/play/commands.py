"""Commands at random for any state: mostly such as a page would send, some that nobody should."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rulesets.edo.play.contest import options as of_contest
from rulesets.edo.play.options import options
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, Check, State
from rulesets.edo.rows import Ranged
from rulesets.engine.play import ALL, BY_THE_TABLE, CAST_JOIN, Actor, Command, CommandField, CommandShape
from tests.rulesets.edo.play.people import CANARIES, CANARY, CAST, GMS, PLAYERS, SPECTATOR, WEAKER
from tests.rulesets.edo.play.scenes import AT
from tests.rulesets.edo.play.temptations import tempted

TEMPTED = 12  # percent of what is tried against the rules, on purpose
STRANGER = Actor("99", "player")
JUNK: tuple[Any, ...] = ("", "zz", None, -1, 999_999, True, 1.5, [], {"a": 1}, "長" * 600, "a\x00b", "c9", "#1", "<b>")
SKILLS = (
    "chikaku",
    "undo",
    "kenjutsu",
    "gisho",
    "yomikaki",
    "rangaku",
    "eijutsu",
    "mind",
    "body",
    "endurance",
    "知覚",
    "zz",
)
ARMS = ("1", "2", "3", "punch", "kick", "grapple", "throw")
FACES = ("6,6,4", "1,1,1", "3", "6,5", "9", "a,b", "2,2,2,2,2,2,2,2")


class Chooser:
    """Chooses a command for a state with a given source of chance."""

    def __init__(self, shapes: Sequence[CommandShape], chance: Random) -> None:
        self.shapes = {shape.name: shape for shape in shapes}
        self.chance = chance

    def rarely(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def command(self, state: State) -> tuple[Command, Actor]:
        """Something the moment asks for, or any command."""
        if self.rarely(2):
            return Command(self.chance.choice(("", "no.such.command", "roll ")), {}, AT), GMS
        if (
            self.rarely(2 * TEMPTED if state.exchange is not None else TEMPTED)
            and (found := tempted(state, self.chance)) is not None
        ):
            return found
        shape = self.shapes[self._name(state)]
        newcomers = (dict(CAST[1], id="c7", name="新参"), dict(CAST[5], id="c8", name="密偵"), CAST[4])
        self.entry = self.chance.choice(newcomers if shape.name == CAST_JOIN else (*CAST, WEAKER))
        data: dict[str, Any] = {}
        for field in shape.fields:
            if field.required or self.rarely(70 if field.name in _WANTED else 30):
                data[field.name] = self._value(state, shape, field, data)
        if shape.name == "answer" and self.rarely(90):
            data |= self._answer(state)
        self._secrets(state, data, {field.name for field in shape.fields if field.name in _FREE})
        actor = self._actor(state, shape, data)
        if self.rarely(4):
            broken = self.chance.choice([*data, "zz"])
            data[broken] = self.chance.choice(JUNK)
        override = "裁定" if actor.is_gm and self.rarely(45) else ""
        return Command(shape.name, data, AT, self._step(state, shape), override), actor

    def _secrets(self, state: State, data: dict[str, Any], free: set[str]) -> None:
        """What nobody may read: words about somebody in hiding, and the note of a roll for the GM's eyes."""
        for who in (data.get("actor"), data.get("actors")):
            one = state.actors.get(who) if isinstance(who, str) else None
            if one is not None and who in CANARIES and (one.hidden or not one.on_stage):
                data |= dict.fromkeys(free & data.keys(), CANARIES[who])
        if data.get("secrecy") == "blind" and "what" in data and "actor" in data and "text" in data:
            data["text"] = CANARY

    def _name(self, state: State) -> str:
        """A command that fits the moment, or any."""
        waiting = state.exchange or state.contest
        if waiting is not None and self.rarely(70):
            return "answer" if self.rarely(94) else "exchange.stop"
        if self.rarely(55):
            for name, percent in _moments(state):
                if self.rarely(percent):
                    return name
        return self.chance.choice(list(self.shapes))

    def _step(self, state: State, shape: CommandShape) -> int | None:
        if shape.answers:
            return state.step if not self.rarely(5) else self.chance.choice((None, state.step - 1, 0))
        return state.step if self.rarely(5) else None

    def _actor(self, state: State, shape: CommandShape, data: Mapping[str, Any]) -> Actor:
        """Mostly whoever may; sometimes anybody."""
        if self.rarely(6):
            return self.chance.choice((SPECTATOR, STRANGER, Actor("", "timer"), *PLAYERS.values()))
        waiting = state.exchange or state.contest
        who = waiting.asked if shape.answers and waiting is not None else data.get("actor")
        one = state.actors.get(who) if isinstance(who, str) else None
        if one is not None and one.seat in PLAYERS and "player" in shape.roles and self.rarely(70):
            return PLAYERS[one.seat]
        return GMS

    # ------------------------------------------------------------ fields

    def _value(self, state: State, shape: CommandShape, field: CommandField, data: Mapping[str, Any]) -> Any:
        if shape.name in BY_THE_TABLE and field.name in _ENTRY:
            return self.entry[field.name]
        known = _FIELDS.get(field.name)
        if known is not None and field.type in ("text", "actor"):
            return known(self, state, {**data, _NAME: shape.name})
        if field.type == "actor":
            return self._fitting(state, shape.name) if field.name == "actor" else self._someone(state)
        if field.type == "bool":
            return self.rarely(50)
        if field.name == "mode" and self.rarely(85):
            return self._mode(data)
        if field.name in ("distance", "ken") and self.rarely(80):
            return self.chance.choice((0, 0, 1, 1, 2, 6, 9, 40))
        if field.type == "int":
            return self._number(field)
        if field.type == "choice":
            return self.chance.choice(field.choices)[0]
        return self.chance.choice(("言葉", "三日月の夜", "道場の前"))

    def _number(self, field: CommandField) -> int:
        low = field.min if field.min is not None else 0
        high = field.max if field.max is not None else 99
        if self.rarely(4):
            return self.chance.choice((low - 1, high + 1))
        return min(high, max(low, self.chance.choice((low, 0, 1, 2, 3, 6, 10, 15, 20, high))))

    def _answer(self, state: State) -> dict[str, Any]:
        """One of the answers that are offered, closed ones too."""
        found = list(options(state)) if state.exchange is not None else list(of_contest(state))
        if not found:
            return {}
        opened = [option for option in found if option.open]
        option = self.chance.choice(opened if opened and self.rarely(70) else found)
        return {"answer": option.answer, "arm": option.arm, "mode": option.mode, "buy": self.rarely(80)}

    def _someone(self, state: State) -> Any:
        ids = list(state.actors)
        return self.chance.choice([*ids, *ids, "c1", "c2", "c3", "c1", "c2", "c3", "c5"])

    def _fitting(self, state: State, name: str) -> Any:
        """Somebody for whom the command makes sense, or anybody."""
        if state.fight is not None and name in _ON_TURN and self.rarely(85):
            return state.fight.order[state.fight.index]
        fits = _FITTING.get(name)
        found = [who for who, one in state.actors.items() if fits is not None and fits(one)]
        return self.chance.choice(found) if found and self.rarely(75) else self._someone(state)

    def _other(self, state: State, data: Mapping[str, Any]) -> Any:
        """A target: mostly the one already held or hurt, or somebody else who is seen."""
        one = self._known(state, data)
        if one is not None and one.holds and self.rarely(70):
            return one.holds
        if data[_NAME] in ("first_aid", "care.give") and self.rarely(75):
            hurt = [who for who, other in state.actors.items() if other.wounds and not other.life.gone]
            return self.chance.choice(hurt) if hurt else "c1"
        seen = [who for who, other in state.actors.items() if who != data.get("actor") and not other.hidden]
        return self.chance.choice(seen) if self.rarely(85) else self._someone(state)

    def _arm(self, state: State, data: Mapping[str, Any]) -> Any:
        """A weapon of the one who acts or is asked."""
        asked = state.exchange.asked if state.exchange is not None and data[_NAME] == "answer" else ""
        one = state.actors.get(asked) if asked else self._known(state, data)
        if one is None or self.rarely(8):
            return self.chance.choice(ARMS)
        arms = Person(state.tables, one).arms
        if data[_NAME] in ("draw", "sheathe", "ready"):
            shots = [key for key in one.arms if isinstance(arms.get(key), Ranged)]
            return self.chance.choice(shots if shots and data[_NAME] == "ready" else list(one.arms) or ["0"])
        ready = [key for key, state in one.arms.items() if state.ready]
        bare = ["grapple"] * 6 if one.id == "c3" else []
        return self.chance.choice([*arms, *ready, *ready, *ready, *bare])

    def _mode(self, data: Mapping[str, Any]) -> Any:
        """A kind of attack that goes with the weapon."""
        by_arm = {
            "grapple": ("grapple", "grapple", "choke_faint", "choke_kill", "lock"),
            "punch": ("atemi",),
            "throw": ("throw",),
        }
        return self.chance.choice(by_arm.get(str(data.get("arm")), ("minejuchi",)))

    def _known(self, state: State, data: Mapping[str, Any]) -> ActorState | None:
        found = state.group(data["actor"]) if isinstance(data.get("actor"), str) else ()
        return found[0] if found else None

    def _several(self, state: State, data: Mapping[str, Any]) -> Any:
        return self.chance.choice(("", "c1,c2", "c1", "c3,c5", "c4", "c6", "c6", "c1,zz"))

    def _of(self, found: Mapping[str, Any]) -> str:
        return self.chance.choice(list(found)) if found and not self.rarely(8) else "x99"


_FREE = frozenset({"text", "reason", "place", "title"})
Value = Callable[[Chooser, State, Mapping[str, Any]], Any]
_FIELDS: dict[str, Value] = {
    "target": Chooser._other,
    "what": lambda c, s, d: c.chance.choice(SKILLS),
    "target_what": lambda c, s, d: c.chance.choice(SKILLS),
    "arm": Chooser._arm,
    "actors": Chooser._several,
    "group": lambda c, s, d: c.chance.choice(("c5", "c5", "c3")),
    "word": lambda c, s, d: c.chance.choice(("alive", "dead", "prone", "ok", "unconscious", "zz")),
    "roll": lambda c, s, d: c._of({k: v for k, v in s.rolls.items() if _asks(d, v)} or s.rolls),
    "against": lambda c, s, d: c._of(s.rolls),
    "request": lambda c, s, d: c._of({k: v for k, v in s.requests.items() if v.open} or s.requests),
    "wish": lambda c, s, d: c._of({k: v for k, v in s.wishes.items() if v.status in ("open", "priced")} or s.wishes),
    "faces": lambda c, s, d: c.chance.choice(FACES) if c.rarely(15) else "",
    "armour": lambda c, s, d: c.chance.choice(("", "kusari", "gusoku", "zz")),
    "place": lambda c, s, d: c.chance.choice(("0,0", "0,1", "3,4", "橋の上", "")),
}
_ON_TURN = frozenset({"attack", "draw", "sheathe", "ready", "move", "posture", "act", "kp.extra"})
_WANTED = frozenset({"drank", "on", "word", "number", "armour", "medicine", "distance"})
_NAME = "command"  # under it a value finds which command it is for
_FITTING: dict[str, Callable[[ActorState], bool]] = {
    "grapple.escape": lambda one: bool(one.held_by),
    "grapple.release": lambda one: bool(one.holds),
    "recovery.roll": lambda one: one.care.due,
    "awake.roll": lambda one: one.needs.hours_awake > 20,
    "wake": lambda one: one.needs.asleep or one.life.state in ("unconscious", "seeming_dead"),
    "survive": lambda one: one.life.open,
    "request.answer": lambda one: one.on_stage and not one.npc,
    "actor.heal": lambda one: one.wounds > 0,
    "sheathe": lambda one: any(arm.ready for arm in one.arms.values()),
    "ready": lambda one: one.id == "c2",
    "kp.force": lambda one: one.id == "c1",
    "kp.permit": lambda one: one.id == "c1",
    "money.give": lambda one: one.money_mon > 0,
}
_ENTRY = frozenset({"id", "kind", "name", "seat", "count", "build", "hidden", "play"})


def _asks(data: Mapping[str, Any], check: Check) -> bool:
    """Whether a command is about such a roll: one that is open, or one not everybody saw."""
    return check.audience != ALL if data[_NAME] == "roll.open" else not check.settled


def _moments(state: State) -> Iterator[tuple[str, int]]:
    """What lies near now, and how likely each is, in percent."""
    actors = state.actors.values()
    if any(one.holds for one in actors):
        yield from (("grapple.escape", 15), ("grapple.release", 3), ("attack", 20))
    if any(one.hidden for one in actors):
        yield "actor.show", 2
    if state.fight is not None:
        yield from (("attack", 30), ("turn.end", 8), ("turn.to", 8), ("draw", 6), ("ready", 5), ("sheathe", 2))
        yield from (("move", 4), ("kp.extra", 3))
    else:
        yield "fight.start", 6
    if any(not check.settled for check in state.rolls.values()):
        yield "roll.rescue", 40
    if any(one.open for one in state.requests.values()):
        yield from (("request.answer", 30), ("request.excuse", 8))
    if any(one.status in ("open", "priced") for one in state.wishes.values()):
        yield from (("coincidence.price", 12), ("coincidence.confirm", 12), ("ask.allow", 12))
    if any(one.life.open for one in actors):
        yield "survive", 30
    if any(one.care.due for one in actors):
        yield "recovery.roll", 30
    if state.fight is None and any(one.wounds for one in actors):
        yield from (("first_aid", 10), ("care.give", 10), ("day.tick", 5))
    if any(one.needs.asleep or one.life.state == "unconscious" for one in actors):
        yield "wake", 20
    if any(check.audience != ALL for check in state.rolls.values()):
        yield "roll.open", 4
    if state.tables.rule.track_money:
        yield from (("money.change", 4), ("money.give", 4))
    if any(one.needs.hours_awake > 20 for one in actors):
        yield "awake.roll", 20
