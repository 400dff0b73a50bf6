"""Runs cases of live play: `decide`, `chances` and `script`; the format is told in `cases.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesets import services
from rulesets.engine import script as scripts
from rulesets.engine.commands.results import plain
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.play import Event, Refused, shown
from tests.rulesets.case_table import Case, CaseFailed, CaseRefused, compare

# What tells of the table as it stands, and so may have been true before.
STANDING = frozenset({"state", "actors", "view", "carried"})


def decide(case: Case) -> dict[str, Any]:
    session = _begun(case)
    was = _standing(case, session)
    dice = session.dice = ScriptedDice(case.faces, piles=case.given.get("piles", ()))
    decided = _done(session, case, case.given["command"])
    dice.finish()
    if isinstance(decided, Refused):
        return _refused(decided)
    if not decided:
        raise CaseRefused(f"{case}: the command is accepted and nothing happens")
    found = {**_standing(case, session), **_events(decided), "shown": _shown(session, decided)}
    if case.expected.keys() <= STANDING and not list(compare(case.expected, was)):
        raise CaseRefused(f"{case}: proves nothing, all of it held before the command")
    return found


def chances(case: Case) -> Any:
    session = _begun(case)
    command, _actor = session.command(scripts.CommandDoc.model_validate(_plain_command(case.given["command"])))
    viewer = session.seated.viewers().get(case.given.get("viewer", scripts.GM_NAME))
    if viewer is None:
        raise CaseRefused(f"{case}: nobody is called {case.given['viewer']}")
    found = session.play.odds(session.state, command, viewer)
    return {"nothing": True} if found is None else found.as_json()


def script(case: Case) -> dict[str, Any]:
    asked = [*case.given.get("before", ()), *case.given["commands"]]
    faces = [*case.faces, *(face for command in asked for face in command.get("dice", ()))]
    if case.faces and any("dice" in command for command in asked):
        raise CaseRefused(f"{case}: faces are given at the top or with each command, not both")
    piles = [*case.given.get("piles", ()), *(pile for command in asked for pile in command.get("piles", ()))]
    found = _played(case, asked, faces, piles)
    if not list(compare(case.expected, _played(case, [], [], []))):
        raise CaseRefused(f"{case}: proves nothing, all of it holds for a script without commands")
    return found


# ---------------------------------------------------------------- playing


def _name(case: Case) -> str:
    """The live play a case is about: the game's tables, or a part of the game such as its draft."""
    part = case.given.get("part", "")
    return f"{case.system}.{part}" if part else case.system


def _document(
    case: Case, commands: Sequence[Mapping[str, Any]], faces: Sequence[int], piles: Sequence[Sequence[str]] = ()
) -> dict[str, Any]:
    return {
        "system": _name(case),
        "house_rules": case.given.get("house_rules", {}),
        "cast": [_cast_entry(case, entry) for entry in case.given.get("cast", ())],
        "random": {"faces": list(faces), "cards": [list(pile) for pile in piles]},
        "commands": [_plain_command(command) for command in commands],
    }


def _cast_entry(case: Case, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of a script's cast; `fields` and `preset` are written out as a build."""
    own = {key: value for key, value in entry.items() if key not in ("fields", "preset", "set")}
    if "fields" not in entry and "preset" not in entry:
        return own
    fields = dict(entry.get("fields", {}))
    if "preset" in entry:
        presets = services.presets(case.system, case.given.get("house_rules", {}))
        fields = dict(next(preset.fields for preset in presets if preset.id == entry["preset"]))
    fields |= entry.get("set", {})
    for key in fields:
        if not services.known_field(case.system, key):
            raise CaseFailed(f"{case}: {key} is no field of {case.system}")
    return {**own, "build": services.to_build(case.system, fields)}


def _plain_command(command: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in command.items() if key not in ("dice", "piles")}


def _begun(case: Case) -> scripts.Session:
    """The table before the command that counts. Raises `CaseFailed` when a command that leads there is refused."""
    read = scripts.read(_document(case, [], []))
    session = scripts.begin(services.play(_name(case)), read, ScriptedDice([]))
    for command in case.given.get("before", ()):
        dice = session.dice = ScriptedDice(command.get("dice", ()), piles=command.get("piles", ()))
        decided = _done(session, case, command)
        if isinstance(decided, Refused):
            raise CaseFailed(f"{case}: before.{session.done - 1} is refused: {decided.code} {decided.message.ja}")
        dice.finish()
    return session


def _done(session: scripts.Session, case: Case, command: Mapping[str, Any]) -> Sequence[Event] | Refused:
    try:
        return session.do(scripts.CommandDoc.model_validate(_plain_command(command)))
    except scripts.WrongFaces as error:
        raise CaseFailed(f"{case}: {error}") from error


def _played(
    case: Case, commands: Sequence[Mapping[str, Any]], faces: Sequence[int], piles: Sequence[Sequence[str]]
) -> dict[str, Any]:
    try:
        played = services.script(_document(case, commands, faces, piles))
    except scripts.WrongFaces as error:
        raise CaseFailed(f"{case}: {error}") from error
    views = {
        who: {"state": view["state"], "events": _by_kind((event["kind"], event["data"]) for event in view["events"])}
        for who, view in played["views"].items()
    }
    return {
        "kinds": [event["kind"] for event in played["events"]],
        "codes": [refused["code"] for refused in played["refused"]],
        "state": played["state"],
        "actors": played["state"].get("actors", {}),
        "views": views,
    }


# ---------------------------------------------------------------- as plain data


def _standing(case: Case, session: scripts.Session) -> dict[str, Any]:
    """The table as it stands, as far as the case asks for it."""
    asked = case.expected.keys()
    state = plain(session.play.dump(session.state)) if asked & {"state", "actors"} else {}
    views = session.views() if "view" in asked else {}
    return {
        "state": state,
        "actors": state.get("actors", {}),
        "view": {who: view["state"] for who, view in views.items()},
        "carried": _carried(session) if "carried" in asked else {},
    }


def _carried(session: scripts.Session) -> dict[str, Any]:
    closing = session.play.close(session.state)
    return {one.actor: {change.key: change.after for change in one.changes} for one in closing}


def _events(events: Sequence[Event]) -> dict[str, Any]:
    told = [(event.kind, {**_told(event.data), "audience": list(event.audience)}) for event in events]
    return {"kinds": [event.kind for event in events], "event": _by_kind(told)}


def _shown(session: scripts.Session, events: Sequence[Event]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for who, viewer in session.seated.viewers().items():
        seen = [(event.kind, shown(session.play, event, viewer)) for event in events]
        told = [(kind, _told(data)) for kind, data in seen if data is not None]
        found[who] = {**_by_kind(told), "kinds": [kind for kind, _data in told]}
    return found


def _told(data: Mapping[str, Any]) -> dict[str, Any]:
    """An event's data, with every die of its outcome in the order of throwing."""
    found: dict[str, Any] = plain(data)
    outcome = found.get("outcome")
    return {**found, "faces": list(_faces(outcome))} if isinstance(outcome, Mapping) else found


def _faces(outcome: Mapping[str, Any]) -> Iterator[int]:
    yield from (die["face"] for die in outcome.get("dice", ()))
    for part in outcome.get("parts", ()):
        yield from _faces(part)


def _by_kind(events: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, data in events:
        found.setdefault(kind, data)
    return found


def _refused(found: Refused) -> dict[str, Any]:
    return {
        "refused": found.code,
        "message": found.message.ja,
        "message_en": found.message.en,
        "overridable": found.overridable,
        "rule": found.rule,
        "params": plain(dict(found.params)),
    }
