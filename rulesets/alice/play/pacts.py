"""Pacts with an アリス (rules §6.7): only that of coexistence changes the hand, and it does so at once."""

from __future__ import annotations

from rulesets.alice.play import reading
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.hands import pc, quiet
from rulesets.alice.play.piles import refill
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.state import Pact
from rulesets.alice.play.words import words
from rulesets.alice.words import refused

event("pact", shows=("pact", "kind", "alice", "ended"))


@command(
    "pact.start",
    ACTOR,
    reading.choice("kind", "coexistence_pact", "healing_vow"),
    reading.text("alice", required=True),
    reading.text("note"),
    roles=GM_ONLY,
    codes=("E_NO_HAND", "E_TEST_OPEN"),
    rule="§6.7",
)
def start_pact(desk: Desk, asked: Asked) -> None:
    """A pact with an アリス; only that of coexistence changes the hand, at once."""
    quiet(desk)
    actor = pc(desk, desk.seen(asked.text("actor")))
    delta = desk.rule.pact_hand_delta if asked.text("kind") == "coexistence_pact" else 0
    pact = Pact(asked.text("kind"), asked.text("alice"), delta, asked.text("note"))  # type: ignore[arg-type]
    key = desk.new_id("p")
    said = words("log.pact", name=actor.name, alice=pact.alice, kind=words(f"choice.kind.{pact.kind}"))
    values = {"pacts": {**actor.pacts, key: pact}}
    desk.emit(
        "pact", said, actor=actor.id, actors={actor.id: values}, pact=key, kind=pact.kind, alice=pact.alice, ended=False
    )
    refill(desk, actor.id)


@command(
    "pact.end",
    ACTOR,
    reading.text("pact", required=True),
    roles=GM_ONLY,
    codes=("E_NOT_FOUND", "E_TEST_OPEN"),
    rule="§6.7",
)
def end_pact(desk: Desk, asked: Asked) -> None:
    """A pact is over; a hand that is too large is discarded down."""
    quiet(desk)
    actor = desk.seen(asked.text("actor"))
    found = actor.pacts.get(asked.text("pact"))
    if found is None:
        raise refused("E_NOT_FOUND")
    pacts = {key: one for key, one in actor.pacts.items() if key != asked.text("pact")}
    said = words("log.pact_end", name=actor.name, alice=found.alice)
    desk.emit(
        "pact",
        said,
        actor=actor.id,
        actors={actor.id: {"pacts": pacts}},
        pact=asked.text("pact"),
        kind=found.kind,
        alice=found.alice,
        ended=True,
    )
    refill(desk, actor.id)
