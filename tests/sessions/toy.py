"""A made-up game that can be played: dice, secrets, questions that somebody else answers, sheets that change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine import odds
from rulesets.engine.dice import DiceSource
from rulesets.engine.outcome import Reason
from rulesets.engine.play import (
    ALL,
    GM,
    Actor,
    CarriedChange,
    CarriedOver,
    Command,
    CommandField,
    CommandShape,
    Event,
    Refused,
    Role,
    Viewer,
    seat_token,
)
from rulesets.engine.text import Text, same
from tests.rulesets.toy_system import ToySystem

TABLE: frozenset[Role] = frozenset({"gm", "co_gm", "player"})
GMS: frozenset[Role] = frozenset({"gm", "co_gm"})
ACTOR = CommandField("actor", "actor", Text("だれ", "Who"))


@dataclass(frozen=True)
class Person:
    name: str
    seat: str
    npc: bool
    hidden: bool = False
    points: int = 0
    level: int = 1
    place: str = ""
    wounds: int = 0


@dataclass(frozen=True)
class State:
    people: Mapping[str, Person]
    secret: str = ""
    question: tuple[str, str, int] | None = None  # who asks, whom, step
    step: int = 0
    evening: int = 0
    lucky: int = 7  # one throw never reaches it

    def with_person(self, actor: str, **changes: Any) -> State:
        return replace(self, people={**self.people, actor: replace(self.people[actor], **changes)})


def _no(code: str, ja: str, overridable: bool = False) -> Refused:
    return Refused(code, Text(ja, code), {}, overridable)


class ToyPlay:
    """`throw` adds a die (the sixth point wins, more only by override), `sneak` does so in secret, `note` is for GMs,
    `hurt` wounds (players see NPCs in words), `ask`/`answer` is an open operation, `walk` may be taken back by players,
    `reveal` shows a hidden NPC, `whisper` changes what a seat sees without an event for it, `boom` fails."""

    def start(self, setup: Mapping[str, Any]) -> State:
        people = {entry["id"]: self._person(entry) for entry in setup["cast"]}
        return State(people, lucky=setup["house_rules"].get("lucky", 7))

    def _person(self, entry: Mapping[str, Any]) -> Person:
        level = entry["build"].get("level")
        return Person(
            entry["name"],
            entry["seat"],
            entry["kind"] == "npc",
            entry["hidden"],
            level=level if isinstance(level, int) else 1,
            wounds=entry["play"].get("wounds", 0),
        )

    def dump(self, state: State) -> Mapping[str, Any]:
        people = {key: vars(person) for key, person in state.people.items()}
        question = list(state.question) if state.question else None
        return {**vars(state), "people": people, "question": question}

    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> State:
        people = {key: Person(**row) for key, row in data["people"].items()}
        question = tuple(data["question"]) if data["question"] else None
        return State(**{**data, "people": people, "question": question})

    def close(self, state: State) -> Sequence[CarriedOver]:
        why = Reason(Text("この回の傷", "wounds of this table"), "§9")
        return [
            CarriedOver(
                actor,
                (CarriedChange("wounds", Text("傷", "wounds"), 0, person.wounds, why),),
                {"wounds": person.wounds},
            )
            for actor, person in state.people.items()
            if person.wounds
        ]

    def commands(self) -> Sequence[CommandShape]:
        text = CommandField("text", "text", Text("言葉", "Words"))
        return [
            CommandShape("throw", Text("振る", "Throw"), TABLE, (ACTOR,)),
            CommandShape("sneak", Text("忍ぶ", "Sneak"), TABLE, (ACTOR,)),
            CommandShape("note", Text("覚える", "Note"), GMS, (text,)),
            CommandShape(
                "hurt", Text("傷", "Hurt"), GMS, (ACTOR, CommandField("amount", "int", same("n"), min=1, max=99))
            ),
            CommandShape("ask", Text("尋ねる", "Ask"), TABLE, (ACTOR, CommandField("target", "actor", same("t")))),
            CommandShape("answer", Text("答える", "Answer"), TABLE, (CommandField("yes", "bool", same("y")),)),
            CommandShape("walk", Text("歩く", "Walk"), TABLE, (ACTOR, text), retractable=True),
            CommandShape("reveal", Text("出す", "Reveal"), GMS, (ACTOR,)),
            CommandShape("whisper", Text("囁く", "Whisper"), GMS, (ACTOR, text)),
            CommandShape("tell", Text("明かす", "Tell"), GMS, (ACTOR,)),
            CommandShape("boom", Text("爆発", "Boom"), TABLE),
            CommandShape("gamble", Text("賭け", "Gamble"), TABLE),
            CommandShape("cast.join", Text("加わる", "Join"), GMS),
            CommandShape("sheet.refresh", Text("改める", "Refresh"), GMS),
            CommandShape("evening.start", Text("夜", "Evening"), GMS),
        ]

    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        if command.name in ("throw", "sneak", "ask", "walk", "hurt", "reveal", "whisper"):
            person = state.people.get(str(command.data.get("actor")))
            if person is None or (person.hidden and not actor.is_gm):
                return _no("T20", "その人はいません。")
            if person.seat != actor.seat and not actor.is_gm:
                return _no("T17", "自分の人物ではありません。")
        handler: Callable[..., Sequence[Event] | Refused] = getattr(self, "_" + command.name.replace(".", "_"))
        return handler(state, command, actor, dice)

    def _throw(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        who = command.data["actor"]
        if state.people[who].points >= state.lucky and not command.override:
            return _no("T01", "もう上がりです。", overridable=True)
        face = dice.roll(6)
        audience = GM if state.people[who].hidden else ALL
        text = {"ja": f"{state.people[who].name}が{face}", "en": f"{state.people[who].name}: {face}"}
        return [Event("thrown", {"actor": who, "face": face, "text": text, "gm": "的"}, audience, shows_dice=True)]

    def _sneak(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        who = command.data["actor"]
        face = dice.roll(6)
        return [
            Event("crept", {"actor": who}),
            Event(
                "sneaked",
                {"actor": who, "face": face},
                (seat_token(actor.seat), "gm"),
                shows_dice=True,
                throw=f"t{who}",
            ),
        ]

    def _note(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        return [Event("noted", {"secret": command.data["text"]}, GM)]

    def _hurt(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        amount = command.data.get("amount")
        if not isinstance(amount, int) or isinstance(amount, bool) or not 1 <= amount <= 99:
            return _no("T21", "1〜99で。")
        person = state.people[command.data["actor"]]
        return [
            Event(
                "hurt", {"actor": command.data["actor"], "amount": amount}, GM if person.hidden or person.npc else ALL
            )
        ]

    def _ask(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        target = state.people.get(str(command.data.get("target")))
        if state.question is not None:
            return _no("T30", "ほかの問いが残っています。")
        if target is None or target.hidden:
            return _no("T20", "その人はいません。")
        return [Event("asked", {"actor": command.data["actor"], "target": command.data["target"]})]

    def _answer(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        if state.question is None or command.expected_step != state.step:
            return _no("T16", "その問いはもう終わっています。")
        if state.people[state.question[1]].seat != actor.seat and not actor.is_gm:
            return _no("T17", "尋ねられたのはあなたではありません。")
        return [Event("answered", {"yes": bool(command.data.get("yes"))})]

    def _walk(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        return [Event("walked", {"actor": command.data["actor"], "place": str(command.data.get("text", ""))})]

    def _reveal(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        return [Event("revealed", {"actor": command.data["actor"]})]

    def _whisper(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        return [Event("placed", {"actor": command.data["actor"], "place": command.data["text"]}, GM)]

    def _tell(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        return [Event("told", {"actor": command.data["actor"]}, throw=f"t{command.data['actor']}")]

    def _boom(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        dice.roll(6)
        raise ZeroDivisionError("a fault of the game")

    def _gamble(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        dice.roll(6)
        return _no("T99", "振ってから断る悪い遊び。")

    def _cast_join(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        entry = command.data
        return [Event("came", {"entry": entry}, GM if entry["hidden"] else ALL)]

    def _sheet_refresh(
        self, state: State, command: Command, actor: Actor, dice: DiceSource
    ) -> Sequence[Event] | Refused:
        return [Event("refreshed", {"actor": command.data["id"], "level": command.data["build"]["level"]})]

    def _evening_start(
        self, state: State, command: Command, actor: Actor, dice: DiceSource
    ) -> Sequence[Event] | Refused:
        return [Event("evening", {"number": command.data["number"]})]

    def evolve(self, state: State, event: Event) -> State:
        data = event.data
        match event.kind:
            case "thrown" | "sneaked":
                return state.with_person(data["actor"], points=state.people[data["actor"]].points + data["face"])
            case "noted":
                return replace(state, secret=data["secret"])
            case "hurt":
                return state.with_person(data["actor"], wounds=state.people[data["actor"]].wounds + data["amount"])
            case "asked":
                return replace(state, question=(data["actor"], data["target"], state.step + 1), step=state.step + 1)
            case "answered":
                return replace(state, question=None, step=state.step + 1)
            case "walked" | "placed":
                return state.with_person(data["actor"], place=data["place"])
            case "revealed":
                return state.with_person(data["actor"], hidden=False)
            case "came":
                return replace(state, people={**state.people, data["entry"]["id"]: self._person(data["entry"])})
            case "refreshed":
                return state.with_person(data["actor"], level=data["level"])
            case "evening":
                return replace(state, evening=data["number"])
        return state

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        shown = {
            "thrown": ("actor", "face", "text"),
            "crept": ("actor",),
            "sneaked": ("actor", "face"),
            "noted": ("secret",),
            "hurt": ("actor", "amount"),
            "asked": ("actor", "target"),
            "answered": ("yes",),
            "walked": ("actor", "place"),
            "placed": ("actor", "place"),
            "revealed": ("actor",),
            "told": ("actor",),
            "refreshed": ("actor", "level"),
            "evening": ("number",),
            "came": (),
        }
        keys = shown.get(event.kind)
        if keys is None:
            return None
        told = {key: event.data[key] for key in keys}
        return {**told, "gm": event.data["gm"]} if "gm" in event.data and viewer.sees(GM) else told

    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        gm = viewer.sees(GM)
        actors = [
            {
                "id": key,
                "name": person.name,
                "points": person.points,
                "level": person.level,
                "place": person.place,
                "wounds": person.wounds if gm or not person.npc else ("手負い" if person.wounds else "無傷"),
            }
            for key, person in state.people.items()
            if gm or not person.hidden
        ]
        shown: dict[str, Any] = {
            "actors": actors,
            "step": state.question[2] if state.question else None,
            "question": list(state.question) if state.question else None,
            "evening": state.evening,
        }
        return {**shown, "secret": state.secret} if gm else shown

    def odds(self, state: State, command: Command, viewer: Viewer) -> odds.Odds | None:
        if command.name != "throw":
            return None
        need = min(6, state.lucky - state.people[command.data["actor"]].points)
        out = odds.at_least(odds.die(6), need)
        return odds.Odds((odds.Chance("out", same("out"), out), odds.Chance("on", same("on"), 1 - out)))

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        return {}


class PlayableToy(ToySystem):
    play = ToyPlay()


PLAY = PlayableToy.play
