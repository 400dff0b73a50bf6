"""What the GM sets by hand, with a reason; who is on stage (rules §10.2, §13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulesets.alice.play import reading
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.piles import lay_pile, refill
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.rounds import pass_on
from rulesets.alice.play.state import DRAW, ActorState
from rulesets.alice.play.words import listed, words
from rulesets.alice.rows import SUIT_IDS
from rulesets.alice.words import refused
from rulesets.engine.outcome import Change, Outcome, Reason
from rulesets.engine.play import ALL, GM, Audience
from rulesets.engine.text import same

event("set", shows=("key", "reason"))
event("stage", shows=("who",))
event("numbers", shows=("shown",))

Read = Callable[[ActorState], Any]
Write = Callable[[ActorState, Any], dict[str, Any]]


def _stage(suit: str) -> tuple[Read, Write]:
    return lambda one: one.stage(suit), lambda one, value: {"stages": {**one.stages, suit: value}}


def _boost(suit: str) -> tuple[Read, Write]:
    def write(one: ActorState, value: bool) -> dict[str, Any]:
        left = tuple(used for used in one.boosts if used != suit)
        return {"boosts": (*left, suit) if value else left}

    return lambda one: suit in one.boosts, write


def _plain(name: str) -> tuple[Read, Write]:
    return lambda one: getattr(one, name), lambda one, value: {name: value}


_NUMBERS: dict[str, tuple[int, int, tuple[Read, Write]]] = {
    **{f"stage_{suit}": (0, 3, _stage(suit)) for suit in SUIT_IDS},
    "hand_delta": (-3, 4, _plain("hand_delta")),
}
_SWITCHES: dict[str, tuple[Read, Write]] = {
    **{f"boost_{suit}": _boost(suit) for suit in SUIT_IDS},
    **{name: _plain(name) for name in ("acted", "busy", "escaped", "sleepless", "refreshed")},
}
_TEXTS: dict[str, tuple[Read, Write]] = {"belongings": _plain("belongings")}
KEYS = (*_NUMBERS, *_SWITCHES, *_TEXTS)


@command(
    "actor.set",
    ACTOR,
    reading.choice("key", *KEYS),
    reading.number("number", -3, 4, required=False),
    reading.flag("on"),
    reading.text("word"),
    reading.text("reason", required=True),
    roles=GM_ONLY,
    codes=("E_NO_CHANGE", "E_TEST_OPEN"),
    rule="§10.2",
)
def set_by_hand(desk: Desk, asked: Asked) -> None:
    """Set one value of a character; the reason is in the log. A hand of another size is filled up at once."""
    actor, key = desk.seen(asked.text("actor")), asked.text("key")
    if key == "hand_delta" and desk.state.op is not None:
        raise refused("E_TEST_OPEN")
    read, write, value = _wanted(asked, key)
    if read(actor) == value:
        raise refused("E_NO_CHANGE")
    change = Change(actor.id, key, read(actor), value, Reason(same(asked.text("reason")), "§10"))
    label = words(f"choice.key.{key}")
    outcome = Outcome("set", Reason(label, "§10"), changes=(change,))
    said = words("log.set", name=actor.name, key=label, reason=asked.text("reason"))
    desk.emit(
        "set",
        said,
        actor=actor.id,
        outcome=outcome,
        actors={actor.id: write(actor, value)},
        key=key,
        reason=asked.text("reason"),
    )
    if key == "hand_delta" and desk.state.phase == "play" and not actor.npc:
        refill(desk, actor.id)
    pass_on(desk)


def _wanted(asked: Asked, key: str) -> tuple[Read, Write, Any]:
    if key in _NUMBERS:
        low, high, (read, write) = _NUMBERS[key]
        number = asked.needed("number")
        if not low <= number <= high:
            raise refused("E_BAD_NUMBER", label=words("field.number"), min=low, max=high)
        return read, write, number
    if key in _SWITCHES:
        return *_SWITCHES[key], asked.flag("on")
    return *_TEXTS[key], asked.text("word")


@command(
    "registry.set",
    reading.text("ruling", required=True),
    reading.CLASS,
    reading.text("reason", required=True),
    roles=GM_ONLY,
    codes=("E_NOT_FOUND",),
    rule="§7.2",
)
def correct_ruling(desk: Desk, asked: Asked) -> None:
    """Correct a class of the registry."""
    found = desk.state.registry.get(asked.text("ruling"))
    if found is None:
        raise refused("E_NOT_FOUND")
    after = {**desk.state.registry, asked.text("ruling"): replace(found, cls=asked.text("cls"))}
    said = words("log.set", name=found.occupation, key=found.action, reason=asked.text("reason"))
    desk.emit("set", said, world={"registry": after}, key="registry", reason=asked.text("reason"))


@command("pile.shuffle", reading.text("reason", required=True), roles=GM_ONLY, codes=("E_NO_CHANGE",), rule="§10.5")
def shuffle(desk: Desk, asked: Asked) -> None:
    """Shuffle the draw pile, and only it: for when cards of it were seen that had to go back."""
    desk.in_play()
    cards = desk.state.zone(DRAW)
    if len(cards) < 2:
        raise refused("E_NO_CHANGE")
    said = words("log.shuffled", n=len(cards), reason=asked.text("reason"))
    desk.emit("set", said, key="pile", reason=asked.text("reason"))
    lay_pile(desk, cards)


# ---------------------------------------------------------------- on stage


def _npcs(desk: Desk, asked: Asked) -> list[ActorState]:
    return [one for one in desk.several(asked.listed("actors")) if one.npc]


_WHO = reading.text("actors", required=True)
_STAGE = ("E_NO_CHANGE", "E_TEST_OPEN", "E_UNKNOWN_ACTOR")


def _staged(desk: Desk, actors: list[ActorState], key: str, values: dict[str, Any], audience: Audience) -> None:
    changed = [one for one in actors if any(getattr(one, name) != value for name, value in values.items())]
    if desk.state.op is not None:
        raise refused("E_TEST_OPEN")
    if not changed:
        raise refused("E_NO_CHANGE")
    said = words(f"log.{key}", name=listed(one.name for one in changed))
    desk.emit(
        "stage", said, actors={one.id: values for one in changed}, audience=audience, who=[one.id for one in changed]
    )


@command("actor.show", _WHO, roles=GM_ONLY, codes=_STAGE, rule="§13")
def show(desk: Desk, asked: Asked) -> None:
    """GM characters come on stage, seen by all."""
    _staged(desk, _npcs(desk, asked), "entered", {"on_stage": True, "hidden": False}, ALL)


@command("actor.hide", _WHO, roles=GM_ONLY, codes=_STAGE, rule="§13")
def hide(desk: Desk, asked: Asked) -> None:
    """GM characters are known to the GM alone; not in the middle of a fight."""
    actors = _npcs(desk, asked)
    if desk.state.combat is not None and any(one.id in desk.state.combat.members for one in actors):
        raise refused("E_TEST_OPEN")
    _staged(desk, actors, "hidden", {"hidden": True, "on_stage": False}, GM)


@command("numbers.show", ACTOR, reading.flag("off"), roles=GM_ONLY, codes=("E_NO_CHANGE",), rule="§13.1")
def numbers(desk: Desk, asked: Asked) -> None:
    """Everybody may read a GM character's abilities, or no longer."""
    actors = [one for one in desk.several([asked.text("actor")]) if one.npc]
    shown = not asked.flag("off")
    changed = [one for one in actors if one.numbers_shown != shown]
    if not changed:
        raise refused("E_NO_CHANGE")
    said = words("log.numbers_shown" if shown else "log.numbers_hidden", name=changed[0].cast.name)
    values = {one.id: {"numbers_shown": shown} for one in changed}
    desk.emit("numbers", said, actor=changed[0].id, actors=values, shown=shown)
