"""What the live play of every game must keep: games with the capability `play`. Each yields what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

from rulesets.engine.command_list import shapes
from rulesets.engine.commands.results import plain
from rulesets.engine.play import (
    BY_THE_TABLE,
    GM,
    Actor,
    Command,
    CommandField,
    CommandShape,
    Event,
    FieldType,
    Play,
    Refused,
    Role,
    Viewer,
    replay,
    seat_token,
    shown,
)
from rulesets.protocol import System
from tests.rulesets.conformance import wrong_words

AT = "2026-05-09T12:03:44Z"
SEATS = {"1": "gm", "2": "player", "3": "player", "4": "spectator"}
ROLES: tuple[Role, ...] = get_args(Role)
PEOPLE = [Actor(seat, role) for seat, role in (("1", "gm"), ("1", "co_gm"), ("2", "player"), ("4", "spectator"))]
STRANGER = Actor("77", "player")
JUNK: tuple[Any, ...] = (None, "", "zz", -1, 10**9, 1.5, True, [], ["x"], {}, {"a": 1}, "長" * 10_000, "\x00", "<b>")


class Threes:
    """Every die shows its middle; every pile stays as it lies."""

    def __init__(self) -> None:
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return (sides + 1) // 2

    def shuffle(self, size: int) -> tuple[int, ...]:
        self.thrown += 1
        return tuple(range(size))


def play_of(system: System) -> Play[Any] | None:
    return getattr(system, "play", None)


def setup(system: System) -> dict[str, Any]:
    """A table of three characters made from presets: two with players, one hidden with the GM."""
    tables = system.tables({})
    presets = [system.to_build(preset.fields) for preset in system.presets(tables)] or [system.to_build({})]
    builds = [presets[at % len(presets)] for at in range(3)]
    seats = [{"seat": seat, "role": role, "name": f"人{seat}"} for seat, role in SEATS.items()]
    cast = [
        {"id": "c1", "kind": "pc", "name": "甲", "seat": "2", "hidden": False},
        {"id": "c2", "kind": "pc", "name": "乙", "seat": "3", "hidden": False},
        {"id": "c3", "kind": "npc", "name": "CANARY丙", "seat": "", "hidden": True},
    ]
    entries = [{**entry, "count": 1, "play": {}, "build": build} for entry, build in zip(cast, builds, strict=True)]
    return {"house_rules": {}, "seats": seats, "cast": entries}


def viewers() -> dict[str, Viewer]:
    found = {}
    for seat, role in SEATS.items():
        tokens = {"all", seat_token(seat)} if role != "spectator" else {"all"}
        found[seat] = Viewer(frozenset(tokens | set(GM) if role == "gm" else tokens), role, seat)  # type: ignore[arg-type]
    return found


# ---------------------------------------------------------------- one promise each


def plays_if_it_says_so(system: System) -> Iterator[str]:
    if ("play" in system.capabilities) != (play_of(system) is not None):
        yield f"capability play: {sorted(system.capabilities)}, play is {play_of(system)!r}"


def commands_describe_themselves(system: System) -> Iterator[str]:
    play = play_of(system)
    if play is None:
        return
    commands = list(play.commands())
    names = [shape.name for shape in commands]
    if not commands:
        yield "there are no commands"
    yield from (f"{name} is there twice" for name in set(names) if names.count(name) > 1)
    messages = system.tables({}).messages
    for shape in commands:
        yield from _wrong_shape(shape)
        yield from (f"{shape.name}: {code} has no words" for code in shape.codes if code not in messages)
    told = shapes(play, lambda code: messages[code].text if code in messages else messages[next(iter(messages))].text)
    if json.loads(json.dumps(told)) != told:
        yield "the list of commands does not survive JSON"


def _wrong_shape(shape: CommandShape) -> Iterator[str]:
    where = f"command {shape.name}"
    if not shape.name.isascii() or not shape.name or " " in shape.name:
        yield f"{where}: no plain name"
    for words in (shape.label, *(field.label for field in shape.fields)):
        if not words.ja.strip() or not words.en.strip():
            yield f"{where}: a label is missing: {words!r}"
    yield from wrong_words(shape, where, finished=True)
    if not shape.roles or not shape.roles <= set(ROLES):
        yield f"{where}: roles {sorted(shape.roles)}"
    if not shape.codes:
        yield f"{where}: is never refused"
    fields = [field.name for field in shape.fields]
    yield from (f"{where}: field {name} is there twice" for name in set(fields) if fields.count(name) > 1)
    for field in shape.fields:
        if field.type not in get_args(FieldType):
            yield f"{where}.{field.name}: type {field.type}"
        if (field.type == "choice") != bool(field.choices):
            yield f"{where}.{field.name}: a choice needs choices and nothing else has them"
        if field.min is not None and field.max is not None and field.min > field.max:
            yield f"{where}.{field.name}: from {field.min} to {field.max}"


def a_table_begins(system: System) -> Iterator[str]:
    play = play_of(system)
    if play is None:
        return
    begun = setup(system)
    state = play.start(begun)
    if play.start(json.loads(json.dumps(begun))) != state:
        yield "two tables with the same setup differ"
    dumped = play.dump(state)
    stored = json.loads(json.dumps(dumped))
    if stored != plain(dumped):
        yield "the dump is no plain JSON"
    if play.dump(play.load(stored, begun)) != dumped:
        yield "a dump that was read back is another"
    if list(play.close(state)):
        yield "a table where nothing happened changes sheets"
    for role in ROLES:
        json.dumps(plain(play.project_state(state, Viewer(frozenset({"all"}), role))))
    if plain(play.project_state(state, Viewer(frozenset({"all", *GM}), "owner"))):  # type: ignore[arg-type]
        yield "an unknown role sees the state"


def unknown_commands_are_refused(system: System) -> Iterator[str]:
    play = play_of(system)
    if play is None:
        return
    state = play.start(setup(system))
    for name in ("", "no.such.command", "__class__", "長" * 10_000):
        for actor in (*PEOPLE, Actor("", "timer")):
            for data in ({}, {"actor": "c1"}, {"zz": object()}):
                yield from _walked(play, state, Command(name, data, AT), actor, refused=True)


def every_command_is_walked(system: System) -> Iterator[str]:
    """Each command with sensible fields, with each field broken, and by each role: events or a refusal with words."""
    play = play_of(system)
    if play is None:
        return
    state = play.start(setup(system))
    for shape in play.commands():
        good = {field.name: _value(field) for field in shape.fields if field.required}
        whole = {field.name: _value(field) for field in shape.fields}
        for actor in (*PEOPLE, STRANGER):
            barred = actor.role not in shape.roles
            for data in (good, whole, {}, {**good, "zz": 1}):
                yield from _walked(play, state, Command(shape.name, data, AT), actor, refused=barred, shape=shape)
        for field in shape.fields:
            for junk in JUNK if shape.name not in BY_THE_TABLE else ():
                data = {**good, field.name: junk}
                for actor in PEOPLE[:3]:
                    yield from _walked(play, state, Command(shape.name, data, AT, 7, "理由"), actor, shape=shape)


def _value(field: CommandField) -> Any:
    if field.choices:
        return field.choices[0][0]
    low = field.min if field.min is not None else 1
    return {"int": low, "bool": True, "actor": "c1", "cards": []}.get(field.type, "x")


def _walked(
    play: Play[Any],
    state: Any,
    command: Command,
    actor: Actor,
    *,
    refused: bool = False,
    shape: CommandShape | None = None,
) -> Iterator[str]:
    where = f"{command.name[:40]} {dict(command.data)!r:.200} by {actor.role}"
    dice = Threes()
    before = play.dump(state)
    try:
        decided = play.decide(state, command, actor, dice)
        for viewer in viewers().values():
            chances = play.odds(state, command, viewer)
            json.dumps(chances.as_json() if chances is not None else None)
    except Exception as error:
        yield f"{where}: {type(error).__name__}: {error}"
        return
    if play.dump(state) != before:
        yield f"{where}: deciding changed the state"
    if isinstance(decided, Refused):
        yield from (f"{where}: {wrong}" for wrong in _wrong_refusal(decided, dice, shape))
        return
    if refused:
        yield f"{where}: not refused"
    yield from (f"{where}: {wrong}" for wrong in _wrong_events(play, state, decided))


def _wrong_refusal(found: Refused, dice: Threes, shape: CommandShape | None) -> Iterator[str]:
    if dice.thrown:
        yield f"refused {found.code} after {dice.thrown} dice"
    if not found.code or not found.message.ja.strip() or not found.message.en.strip():
        yield f"refused without words: {found}"
    yield from wrong_words(found.message, found.code, finished=False)
    if shape is not None and found.code not in shape.codes:
        yield f"refused {found.code}, which it does not name"


def _wrong_events(play: Play[Any], state: Any, events: Sequence[Event]) -> Iterator[str]:
    try:
        stored = [json.loads(json.dumps(event.data)) for event in events]
    except TypeError as error:
        yield f"an event is no JSON at all: {error}"
        return
    if stored != [event.data for event in events]:
        yield "an event is no plain JSON"
    after = replay(play, state, events)
    again = replay(play, state, [_again(event, data) for event, data in zip(events, stored, strict=True)])
    if play.dump(after) != play.dump(again):
        yield "stored events lead to another state"
    for event in events:
        if not event.audience:
            yield f"{event.kind} is for nobody"
        for viewer in viewers().values():
            json.dumps(plain(shown(play, event, viewer)))
        if shown(play, event, Viewer(frozenset(event.audience), "owner")) is not None:  # type: ignore[arg-type]
            yield f"{event.kind}: an unknown role sees it"
    unknown = Event("no.such.kind", {"text": "x"})
    if shown(play, unknown, viewers()["1"]) is not None:
        yield "an unknown kind shows something"


def _again(event: Event, data: Mapping[str, Any]) -> Event:
    return Event(event.kind, data, event.audience, event.schema, event.shows_dice)


PLAY_PROMISES: tuple[Callable[[System], Iterator[str]], ...] = (
    plays_if_it_says_so,
    commands_describe_themselves,
    a_table_begins,
    unknown_commands_are_refused,
    every_command_is_walked,
)
