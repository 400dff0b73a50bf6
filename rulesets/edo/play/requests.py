"""The GM asks for rolls, players answer on their own screens; players ask to be allowed one (rules §5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able
from rulesets.edo.play.asking import known_skill, tried
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.rolls import DIFFICULTY, SECRECY, Said, make, planned_roll, result_of
from rulesets.edo.play.state import ActorState, Check, Reply, Request, Wish
from rulesets.edo.play.words import listed, words
from rulesets.edo.sheet import row_parts
from rulesets.engine.play import ALL, GM, Audience, seat_token

event("request", shows=("request", "what", "difficulty", "secrecy", "who", "note"))
event("request.closed", shows=("request",))
event("request.progress", shows=("request",))
event("wish", shows=("wish", "what", "note", "selfish"))
event("wish.answered", shows=("wish", "status", "points", "request"))


def _audience(actors: list[ActorState], secrecy: str) -> Audience:
    """Everybody for open rolls; the asked and the GM for the others."""
    if secrecy == "open":
        return ALL
    seats = dict.fromkeys(seat_token(actor.seat) for actor in actors if actor.seat)
    return (*seats, *GM)


@command(
    "request",
    reading.text("actors"),
    reading.text("what", required=True),
    DIFFICULTY,
    reading.text("against"),
    reading.flag("hidden_difficulty"),
    SECRECY,
    reading.text("text"),
    roles=GM_ONLY,
    codes=("P39", "P51"),
    rule="§5.1",
)
def request(desk: Desk, asked: Asked) -> None:
    """Ask everybody on stage, or some, for a roll; against a number or against another roll's total."""
    named = asked.listed("actors")
    actors = desk.several(named) if named else _everybody(desk)
    if not actors:
        raise refused("P18")
    what = known_skill(desk, desk.person(actors[0].id), asked.text("what"))
    difficulty = _difficulty(desk, asked)
    hidden = asked.flag("hidden_difficulty") or bool(asked.text("against"))
    secrecy = asked.text("secrecy") or "open"
    made = Request(
        desk.new_id("q"),
        what,
        difficulty,
        not hidden,
        secrecy,
        asked.text("text"),
        {actor.id: Reply() for actor in actors},
        at=desk.command.at,
    )
    _issue(desk, made, actors)


def _issue(desk: Desk, made: Request, actors: list[ActorState], world: Mapping[str, Any] | None = None) -> None:
    name = desk.person(actors[0].id).means(made.what).name
    key = "log.request" if made.show_difficulty else "log.request_hidden"
    said = words(key, what=name, n=made.difficulty, who=listed(actor.name for actor in actors))
    desk.emit(
        "request",
        said,
        world={"requests": {**desk.state.requests, made.id: made}, **(world or {})},
        audience=GM if any(actor.hidden for actor in actors) else _audience(actors, made.secrecy),
        request=made.id,
        what=made.what,
        difficulty=made.difficulty if made.show_difficulty else None,
        secrecy=made.secrecy,
        who=[actor.id for actor in actors],
        note=made.text,
    )


def _everybody(desk: Desk) -> list[ActorState]:
    """The players' characters on stage."""
    return [actor for actor in desk.state.actors.values() if not actor.npc and actor.on_stage]


def _difficulty(desk: Desk, asked: Asked) -> int:
    """The number said, or the total of another roll: a hider's, a liar's, a thief's (§5.4, §5.5)."""
    if asked.text("against"):
        other = desk.state.rolls.get(asked.text("against"))
        if other is None or other.total is None:
            raise refused("P39")
        return other.total + _eloquence(desk, other)
    given = asked.number("difficulty")
    return desk.tables.number("base_difficulty") if given is None else given


def _eloquence(desk: Desk, check: Check) -> int:
    """A lie told by somebody eloquent is harder to see through (§4.4, §5.4)."""
    return desk.person(check.who).level("benzetsu") // 2 if check.what == "gisho" else 0


# ---------------------------------------------------------------- answering


def _open(desk: Desk, request_id: str) -> Request:
    found = desk.state.requests.get(request_id)
    if found is None or not found.open:
        raise refused("P52")
    return found


@command(
    "request.answer",
    reading.text("request", required=True),
    reading.actor(),
    reading.text("what"),
    reading.flag("auto"),
    reading.flag("selfish"),
    reading.FACES,
    codes=("P01", "P02", "P03", "P14", "P24", "P27", "P33", "P34", "P39", "P42", "P43", "P51", "P52", "P54"),
    rule="§5.1",
)
def answer(desk: Desk, asked: Asked) -> None:
    """Roll what was asked for, or another entry of that skill (`what`); the GM sees every answer collected."""
    actor = desk.own(asked)
    found = _open(desk, asked.text("request"))
    reply = found.replies.get(actor.id)
    if reply is None:
        raise refused("P52")
    if reply.result:
        raise refused("P39")
    able(desk, actor)
    if asked.flag("auto") and not (found.show_difficulty or desk.actor.is_gm):
        raise refused("P54")
    person = desk.person(actor.id)
    what = known_skill(desk, person, asked.text("what") or found.what)
    if row_parts(what)[0] != row_parts(found.what)[0]:
        raise refused("P51", value=asked.text("what")[:40])
    tried(desk, person, what)
    planned = planned_roll(person, what, found.difficulty)
    auto, selfish = asked.flag("auto"), asked.flag("selfish")
    said = Said(what, found.secrecy, found.text, found.id, auto, selfish, hides=not found.show_difficulty)
    check = make(desk, person, planned, said)
    _replied(desk, found, actor.id, Reply(result_of(check), check.id, check.total))


def _replied(desk: Desk, found: Request, actor_id: str, reply: Reply) -> None:
    """Store an answer; the last one closes the request."""
    replies = {**found.replies, actor_id: reply}
    left = [key for key, one in replies.items() if not one.result]
    after = replace(found, replies=replies, open=bool(left))
    key = "log.request_done" if not left else "log.request_left"
    said = words(key, n=len(left))
    actors = [desk.state.actors[key] for key in found.replies]
    desk.emit(
        "request.closed" if not left else "request.progress",
        said,
        world={"requests": {**desk.state.requests, found.id: after}},
        audience=GM if any(actor.hidden for actor in actors) else _audience(actors, found.secrecy),
        request=found.id,
    )


@command("request.excuse", reading.text("request", required=True), reading.actor(), roles=GM_ONLY, codes=("P39", "P52"))
def excuse(desk: Desk, asked: Asked) -> None:
    """Let somebody off a request."""
    found = _open(desk, asked.text("request"))
    reply = found.replies.get(asked.text("actor"))
    if reply is None:
        raise refused("P18")
    if reply.result:
        raise refused("P39")
    _replied(desk, found, asked.text("actor"), Reply("excused"))


@command("request.close", reading.text("request", required=True), roles=GM_ONLY, codes=("P52",))
def close(desk: Desk, asked: Asked) -> None:
    """End a request; whoever has not answered is excused."""
    found = _open(desk, asked.text("request"))
    replies = {key: reply if reply.result else Reply("excused") for key, reply in found.replies.items()}
    after = replace(found, replies=replies, open=False)
    actors = [desk.state.actors[key] for key in found.replies]
    desk.emit(
        "request.closed",
        words("log.request_closed"),
        world={"requests": {**desk.state.requests, found.id: after}},
        audience=GM if any(actor.hidden for actor in actors) else _audience(actors, found.secrecy),
        request=found.id,
    )


# ---------------------------------------------------------------- a player's wish to roll


@command(
    "ask",
    reading.actor(),
    reading.text("what", required=True),
    reading.text("text", required=True),
    codes=("P27", "P51"),
    rule="§5.1",
    retractable=True,
)
def ask(desk: Desk, asked: Asked) -> None:
    """A player would like to try something: the GM sets the difficulty or says no."""
    actor = desk.own(asked)
    able(desk, actor)
    person = desk.person(actor.id)
    what = known_skill(desk, person, asked.text("what"))
    wish = Wish(desk.new_id("w"), "roll", actor.id, asked.text("text"), what, at=desk.command.at)
    said = words("log.ask", name=actor.name, what=person.means(what).name, text=wish.text)
    world = {"wishes": {**desk.state.wishes, wish.id: wish}}
    desk.emit("wish", said, actor=actor.id, world=world, wish=wish.id, what=what, note=wish.text)


@command(
    "ask.allow",
    reading.text("wish", required=True),
    reading.flag("refuse"),
    DIFFICULTY,
    SECRECY,
    roles=GM_ONLY,
    codes=("P52",),
    rule="§5.1",
)
def allow(desk: Desk, asked: Asked) -> None:
    """Answer such a wish: it becomes a request for that one roll, or is declined."""
    wish = desk.state.wishes.get(asked.text("wish"))
    if wish is None or wish.kind != "roll" or wish.status != "open":
        raise refused("P52")
    actor = desk.state.actors[wish.who]
    if asked.flag("refuse"):
        after = replace(wish, status="refused")
        said = words("log.ask_refused", name=actor.name)
        world = {"wishes": {**desk.state.wishes, wish.id: after}}
        desk.emit("wish.answered", said, actor=actor.id, world=world, wish=wish.id, status="refused")
        return
    made = Request(
        desk.new_id("q"),
        wish.what,
        _difficulty(desk, asked),
        True,
        asked.text("secrecy") or "open",
        wish.text,
        {actor.id: Reply()},
        at=desk.command.at,
    )
    after = replace(wish, status="done", request=made.id)
    _issue(desk, made, [actor], {"wishes": {**desk.state.wishes, wish.id: after}})
