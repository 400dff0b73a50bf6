"""A whole session played from a file, without a server and without chance (DESIGN §7). Knows no game.

    {"system": "edo", "house_rules": {},
     "cast": [{"name": "GM", "seat": "gm"}, {"name": "夏", "seat": "player"}, {"name": "見物", "seat": "spectator"},
              {"name": "お七", "seat": "player", "owner": "夏", "build": {…}},
              {"name": "ごろつき", "seat": "npc", "build": {…}, "count": 3, "hidden": true, "id": "thug", "play": {}}],
     "random": {"faces": [6, 5, 2], "cards": [["H4", "S10", …], …]},
     "commands": [{"actor": "お七", "command": "roll", "what": "chikaku"},
                  {"by": "GM", "actor": "thug#1", "command": "attack", "target": "お七", "override": "…"}]}

`system` is a game, or what it plays live before its tables open (`alice.draft`).

An entry with a build is somebody in the game, one without a person at the table. `owner` is a player (the character's
own name when left out; an owner nobody lists becomes a player); an NPC is the GM's. `id` (the name when left out) is
what commands call a character.

Who issues a command is `by`, a person. Without `by`, `actor` says it: a person, or a character whose owner issues and
who becomes the field `actor` of the command. Further keys are fields of the command; `fields` holds those whose names
would be taken (`command`, `at` …). `step` is the step of the open operation that the command answers; left out, it is
the one under way. `override` is the GM's reason, `at` the time.

The faces are used in the order in which dice are thrown, over all commands; none may be missing or left over. `cards`
lists each pile that is shuffled, top first, in the order of shuffling; a list may end with "..." for its other cards as
they lay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from rulesets.engine.commands.results import plain
from rulesets.engine.dice import DiceSource, FacesMissing, ScriptedDice, WrongFace, lay_out
from rulesets.engine.play import GM, Actor, Command, CommandShape, Event, Play, Refused, Role, Viewer, seat_token, shown
from rulesets.engine.play import replay as fold
from rulesets.engine.text import Text

START_AT = "2000-01-01T00:00:00Z"
MAX_COMMANDS = 5_000
GM_NAME, SPECTATOR = "gm", "spectator"

UNREADABLE = Text("{where}：{why}", "{where}: {why}")
FACES_LEFT = Text("出目や山の並びが{n}個余っています。", "{n} faces or piles are left over.")
FACES = {
    FacesMissing: Text("{where}：出目や山の並びが足りません。", "{where}: there are not enough faces or piles."),
    WrongFace: Text(
        "{where}：そのダイスにない出目か、その山にない札です。",
        "{where}: a face does not exist on its die, or a card in its pile.",
    ),
}
_NOBODY = Text("「{name}」という人はいません。", "there is nobody called “{name}”.")
_TWICE = Text("「{name}」が二人います。", "“{name}” is there twice.")
_NO_OWNER = Text("持ち主「{name}」はプレイヤーではありません。", "the owner “{name}” is no player.")
_NO_BUILD = Text("NPCには build が要ります。", "an NPC needs a build.")
_NO_CHARACTER = Text("build を持てるのは player と npc です。", "only player and npc have a build.")
_SHAPE = Text("形が違います（{what}）。", "wrong shape ({what}).")


class ScriptRefused(Exception):
    """A script that cannot be read. `where` names the place: `commands.3.actor`."""

    def __init__(self, where: str, why: Text) -> None:
        super().__init__(f"{where}: {why.en}")
        self.where = where
        self.message = UNREADABLE.format(where=where or "—", why=why)


class WrongFaces(Exception):
    """Faces that were left over, missing, or on no such die."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


class DiceInARefusal(AssertionError):
    """A fault of the game: a command threw dice and was refused afterwards."""


# ---------------------------------------------------------------- reading

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Face = Annotated[int, Field(ge=1, le=1_000_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CastDoc(_Strict):
    name: Name
    seat: Literal["gm", "co_gm", "player", "spectator", "npc"]
    owner: Name | None = None
    id: Name | None = None
    build: dict[str, Any] | None = None
    count: Annotated[int, Field(ge=1, le=99)] = 1
    hidden: bool = False
    play: dict[str, Any] = {}


class RandomDoc(_Strict):
    faces: list[Face] = []
    cards: Annotated[list[list[str]], Field(max_length=MAX_COMMANDS)] = []


class CommandDoc(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    command: Annotated[str, StringConstraints(max_length=200)]
    actor: str | None = None
    by: str | None = None
    fields: dict[str, Any] = {}
    step: int | None = None
    override: str = ""
    at: str = START_AT


class ScriptDoc(_Strict):
    system: str
    house_rules: dict[str, Any] = {}
    cast: Annotated[list[CastDoc], Field(max_length=200)]
    random: RandomDoc = RandomDoc()
    commands: Annotated[list[CommandDoc], Field(max_length=MAX_COMMANDS)] = []


def read(data: object) -> ScriptDoc:
    """A script from JSON data. Raises `ScriptRefused` with the first place that does not fit."""
    try:
        return ScriptDoc.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ScriptRefused(where, _SHAPE.format(what=first["msg"])) from None


# ---------------------------------------------------------------- the people


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    seat: str
    role: Role

    @property
    def actor(self) -> Actor:
        return Actor(self.seat, self.role)

    @property
    def viewer(self) -> Viewer:
        if self.role == "spectator":
            return Viewer(frozenset({"all"}), self.role)
        own = {"all", seat_token(self.seat)}
        return Viewer(frozenset(own | set(GM) if self.actor.is_gm else own), self.role, self.seat)


@dataclass(frozen=True)
class Table:
    """Who sits there and who plays: what a script's cast says. `owners` are people by the id of a character."""

    people: Mapping[str, Person]
    owners: Mapping[str, str]
    cast: Sequence[Mapping[str, Any]]
    names: Mapping[str, str]

    def setup(self, house_rules: Mapping[str, Any]) -> dict[str, Any]:
        """What `Play.start` takes."""
        seats = [{"seat": p.seat, "role": p.role, "name": p.name} for p in self.people.values()]
        return {"house_rules": dict(house_rules), "seats": seats, "cast": [dict(entry) for entry in self.cast]}

    def issuer(self, asked: CommandDoc, where: str) -> tuple[Person, str]:
        """Who issues a command, and the id of the character it acts with ("" for none). Raises `ScriptRefused`."""
        if asked.by is not None:
            return self._person(asked.by, f"{where}.by"), self.names.get(asked.actor or "", asked.actor or "")
        name = asked.actor or GM_NAME
        character = self.names.get(name, "")
        if character:
            return self.people[self.owners[character]], character
        return self._person(name, f"{where}.actor"), ""

    def _person(self, name: str, where: str) -> Person:
        found = self.people.get(name) or next((p for p in self.people.values() if p.role == name), None)
        if found is None:
            raise ScriptRefused(where, _NOBODY.format(name=name[:40]))
        return found

    def viewers(self) -> dict[str, Viewer]:
        """Whose views are shown: `gm`, each player by name, `spectator`."""
        players = {p.name: p.viewer for p in self.people.values() if p.role == "player"}
        return {GM_NAME: self._person(GM_NAME, "").viewer, **players, SPECTATOR: self._person(SPECTATOR, "").viewer}


def table(cast: Sequence[CastDoc]) -> Table:
    """The people and characters of a cast; a GM and a spectator sit there in any case. Raises `ScriptRefused`."""
    seating = _Seating()
    for at, entry in enumerate(cast):
        if entry.seat != "npc" and entry.build is None:
            seating.sit(entry.name, entry.seat, f"cast.{at}")
    for role in ("gm", "spectator"):
        if not any(person.role == role for person in seating.people.values()):
            seating.sit(role, role, "cast")
    for at, entry in enumerate(cast):
        if entry.seat == "npc" or entry.build is not None:
            seating.play(entry, f"cast.{at}")
    return Table(seating.people, seating.owners, seating.entries, seating.names)


@dataclass
class _Seating:
    people: dict[str, Person] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    entries: list[dict[str, Any]] = field(default_factory=list)

    def sit(self, name: str, role: Role, where: str) -> None:
        if name in self.people:
            raise ScriptRefused(where, _TWICE.format(name=name[:40]))
        self.people[name] = Person(name, str(len(self.people) + 1), role)

    def play(self, entry: CastDoc, where: str) -> None:
        if entry.build is None:
            raise ScriptRefused(where, _NO_BUILD)
        if entry.seat not in ("player", "npc"):
            raise ScriptRefused(where, _NO_CHARACTER)
        actor = entry.id or entry.name
        for name in {actor, entry.name}:
            if name in self.names:
                raise ScriptRefused(where, _TWICE.format(name=name[:40]))
            self.names[name] = actor
        owner = self.owners[actor] = self._owner(entry, where)
        self.entries.append(_entry(entry, actor, self.people[owner].seat))

    def _owner(self, entry: CastDoc, where: str) -> str:
        if entry.seat == "npc":
            return next(person.name for person in self.people.values() if person.role == "gm")
        owner = entry.owner or entry.name
        if owner not in self.people:
            self.sit(owner, "player", where)
        if self.people[owner].role != "player":
            raise ScriptRefused(f"{where}.owner", _NO_OWNER.format(name=owner[:40]))
        return owner


def _entry(entry: CastDoc, actor: str, seat: str) -> dict[str, Any]:
    npc = entry.seat == "npc"
    return {
        "id": actor,
        "kind": "npc" if npc else "pc",
        "name": entry.name,
        "seat": "" if npc else seat,
        "count": entry.count,
        "build": entry.build,
        "hidden": entry.hidden,
        "play": entry.play,
    }


# ---------------------------------------------------------------- playing


@dataclass
class Counted:
    """A source that knows how many dice it gave."""

    source: DiceSource
    thrown: int = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return self.source.roll(sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        self.thrown += 1
        return self.source.shuffle(size)

    def lay(self, cards: Sequence[str]) -> tuple[int, ...]:
        self.thrown += 1
        return lay_out(self.source, cards)


@dataclass
class Session:
    """A table that is played command by command; the log keeps every event with the number of its command."""

    play: Play[Any]
    seated: Table
    state: Any
    dice: DiceSource
    log: list[tuple[int, Event]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    done: int = 0

    @property
    def _shapes(self) -> dict[str, CommandShape]:
        return {shape.name: shape for shape in self.play.commands()}

    def command(self, asked: CommandDoc) -> tuple[Command, Actor]:
        """A command of the script as the game takes it. Raises `ScriptRefused`."""
        person, character = self.seated.issuer(asked, f"commands.{self.done}")
        data = {**(asked.model_extra or {}), **asked.fields}
        shape = self._shapes.get(asked.command)
        if character and (shape is None or any(wanted.name == "actor" for wanted in shape.fields)):
            data.setdefault("actor", character)
        step = asked.step
        if step is None and shape is not None and shape.answers:
            step = self.play.project_state(self.state, self.seated.viewers()[GM_NAME]).get("step")
        return Command(asked.command, data, asked.at, step, asked.override), person.actor

    def do(self, asked: CommandDoc) -> Sequence[Event] | Refused:
        """Carry a command out. Raises `ScriptRefused`, `WrongFaces`, `DiceInARefusal`."""
        command, actor = self.command(asked)
        dice = Counted(self.dice)
        try:
            decided = self.play.decide(self.state, command, actor, dice)
        except (FacesMissing, WrongFace) as error:
            where = f"commands.{self.done} ({asked.command})"
            raise WrongFaces(FACES[type(error)].format(where=where)) from error
        if isinstance(decided, Refused):
            if dice.thrown:
                raise DiceInARefusal(f"commands.{self.done}: {asked.command} threw dice and was refused {decided.code}")
            self.refused.append(_refusal(self.done, asked, decided))
        else:
            self.state = fold(self.play, self.state, decided)
            self.log += [(self.done, event) for event in decided]
        self.done += 1
        return decided

    def views(self) -> dict[str, Any]:
        """What each viewer sees now, and what of the log reached them."""
        return {name: self.view(viewer) for name, viewer in self.seated.viewers().items()}

    def view(self, viewer: Viewer) -> dict[str, Any]:
        seen = ((n, event, shown(self.play, event, viewer)) for n, event in self.log)
        events = [{"n": n, "kind": event.kind, "data": plain(told)} for n, event, told in seen if told is not None]
        return {"state": plain(self.play.project_state(self.state, viewer)), "events": events}


def begin(play: Play[Any], script: ScriptDoc, dice: DiceSource) -> Session:
    """A table as it begins. Raises `ScriptRefused`."""
    seated = table(script.cast)
    try:
        state = play.start(seated.setup(script.house_rules))
    except (ValueError, KeyError) as error:
        raise ScriptRefused("cast", _SHAPE.format(what=error)) from error
    return Session(play, seated, state, dice)


def run(play: Play[Any], script: ScriptDoc) -> dict[str, Any]:
    """Play a script to its end: `{"events", "state", "views", "refused"}` as plain JSON data.

    Raises `ScriptRefused` (nobody of that name, a cast the game cannot begin with), `WrongFaces`, `DiceInARefusal`.
    """
    dice = ScriptedDice(script.random.faces, piles=script.random.cards)
    session = begin(play, script, dice)
    for asked in script.commands:
        session.do(asked)
    if dice.left:
        raise WrongFaces(FACES_LEFT.format(n=dice.left))
    return {
        "events": [_event(n, event) for n, event in session.log],
        "state": plain(play.dump(session.state)),
        "views": session.views(),
        "refused": session.refused,
    }


def _event(n: int, event: Event) -> dict[str, Any]:
    data = plain(event.data)
    return {"n": n, "kind": event.kind, "data": data, "audience": list(event.audience), "schema": event.schema}


def _refusal(n: int, asked: CommandDoc, found: Refused) -> dict[str, Any]:
    return {
        "n": n,
        "actor": asked.actor,
        "command": asked.command,
        "code": found.code,
        "message": plain(found.message),
        "overridable": found.overridable,
        "rule": found.rule,
    }
