"""Before and around the draft: who sits where, アリス, the story, absence, rest, giving up (§3.4, §4.4, §4.6, §5.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.registry import TABLE, command, event
from rulesets.alice.draft.starting import alice_faces
from rulesets.alice.draft.state import Draft, Phase
from rulesets.alice.draft.words import FORMS, listed, words
from rulesets.alice.words import refused
from rulesets.engine.play import GM
from rulesets.engine.playing.reading import Fields

BEFORE_END: tuple[Phase, ...] = ("SEATING", "PARENT_SELECT", "AWAIT_REVEAL", "OFFERING")
STORY_MAX = 4000
PLAYER = FORMS.text("player", required=True)


@command(
    "seat",
    FORMS.text("order", required=True),
    phases=("SEATING",),
    codes=("E_UNKNOWN_PLAYER", "E_TWICE_SEATED", "E_NO_PLAYERS"),
)
def seat(desk: Desk, asked: Fields) -> None:
    """Who takes part, clockwise: seats or names with commas between. Whoever is left out does not draft."""
    named = [part.strip() for part in asked.text("order").replace("、", ",").split(",") if part.strip()]
    if not named:
        raise refused("E_NO_PLAYERS")
    seats: list[str] = []
    for one in named:
        found = desk.known(one)
        if found in seats:
            raise refused("E_TWICE_SEATED", player=desk.name(found))
        seats.append(found)
    names = listed(desk.name(one) for one in seats)
    desk.emit("seats.set", words("log.seats", names=names), seats=seats)


@command(
    "join",
    FORMS.text("name"),
    FORMS.text("player"),
    phases=("SEATING",),
    roles=TABLE,
    codes=("E_DRAFT_RUNNING", "E_FIELD_REQUIRED", "E_TWICE_SEATED", "E_UNKNOWN_PLAYER"),
    rule="§3.6",
)
def join(desk: Desk, asked: Fields) -> None:
    """A seat for somebody who was not there at the start: a player's own, or one the GM names."""
    if desk.state.phase != "SEATING":
        raise refused("E_DRAFT_RUNNING")
    seated = desk.actor.seat
    if desk.actor.is_gm:
        if not asked.text("player"):
            raise refused("E_FIELD_REQUIRED", field=words("field.player"))
        seated = desk.newcomer(asked.text("player"))
    if seated in desk.state.seats:
        raise refused("E_TWICE_SEATED", player=desk.name(seated))
    name = desk.state.names.get(seated) or asked.text("name") or seated
    desk.emit("seat.joined", words("log.joined", player=name), seat=seated, name=name)


@command("alice.set", FORMS.text("faces"), phases=("SEATING",), codes=("E_BAD_ALICE",), rule="§3.4")
def alice_set(desk: Desk, asked: Fields) -> None:
    """The アリス that appear, by their ids or cards; nothing = none. Only the GMs ever hear which."""
    faces = alice_faces(asked.text("faces"), desk.state.tables)
    desk.emit("alice.chosen", words("log.alice", n=len(faces)), audience=GM, faces=faces)


@command(
    "story.set",
    FORMS.text("story_setting", required=True, longest=STORY_MAX),
    FORMS.text("party_group"),
    phases=(*BEFORE_END, "COMPLETE"),
    rule="§5.4",
)
def story_set(desk: Desk, asked: Fields) -> None:
    """The outline everybody may know and how the characters are related, before anybody picks a 生業."""
    group = asked.text("party_group")
    if not group:
        group = desk.state.party_group or next(iter(desk.state.tables.party_groups.values())).title.ja
    desk.emit("story.told", words("log.story"), story_setting=asked.text("story_setting"), party_group=group)


@command("mark_absent", PLAYER, FORMS.flag("absent"), phases=BEFORE_END, codes=("E_UNKNOWN_PLAYER",), rule="§4.6")
def mark_absent(desk: Desk, asked: Fields) -> None:
    player, away = desk.seated(asked.text("player")), asked.flag("absent")
    text = words("log.absent" if away else "log.present", player=desk.name(player))
    desk.emit("absent.marked", text, seat=player, absent=away)


@command("pause", phases=("AWAIT_REVEAL", "OFFERING"), rule="§4.4")
def pause(desk: Desk, asked: Fields) -> None:
    desk.emit("draft.paused", words("log.paused"))


@command("resume", phases=("AWAIT_REVEAL", "OFFERING"), rule="§4.4")
def resume(desk: Desk, asked: Fields) -> None:
    if not desk.state.paused:
        raise refused("E_WRONG_PHASE")
    desk.emit("draft.resumed", words("log.resumed"), at=desk.command.at)


@command("abort", phases=("PARENT_SELECT", "AWAIT_REVEAL", "OFFERING"), rule="§4.4")
def abort(desk: Desk, asked: Fields) -> None:
    desk.emit("draft.aborted", words("log.aborted"))


# ---------------------------------------------------------------- facts


def _joined(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(state, names={**state.names, data["seat"]: data["name"]}, seats=(*state.seats, data["seat"]))


def _absent(state: Draft, data: Mapping[str, Any]) -> Draft:
    others = tuple(one for one in state.absent if one != data["seat"])
    return replace(state, absent=(*others, data["seat"]) if data["absent"] else others)


def _aborted(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(
        state,
        phase="SEATING",
        decks=0,
        piles={},
        virtual={},
        contenders=(),
        hands={},
        winner="",
        queue=(),
        passed=(),
        log=(),
        paused=False,
        step=state.step + 1,
        asked_at="",
    )


def _story(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(state, story_setting=data["story_setting"], party_group=data["party_group"])


event("seats.set", shows=("seats",), evolve=lambda state, data: replace(state, seats=tuple(data["seats"])))
event("seat.joined", shows=("seat", "name"), evolve=_joined)
event("alice.chosen", shows=("faces",), evolve=lambda state, data: replace(state, alices=tuple(data["faces"])))
event("story.told", shows=("story_setting", "party_group"), evolve=_story)
event("absent.marked", shows=("seat", "absent"), evolve=_absent)
event("draft.paused", evolve=lambda state, data: replace(state, paused=True))
event("draft.resumed", evolve=lambda state, data: replace(state, paused=False, asked_at=data["at"]))
event("draft.aborted", evolve=_aborted)
