"""A scenario's beginning and end, the points of pairs, bonds and accounts by the GM's hand (rules §4.6, §8.1, §8.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Change, Outcome
from rulesets.engine.play import ALL
from rulesets.witch.play import points
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked, actor, choice, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import PARTY, Pool, State
from rulesets.witch.play.words import reason, words

event("scenario.opened", shows=("points", "number"))
event("scenario.closed", shows=("number",))
event("pool", shows=("amount", "note", "remaining"))
event("bond")
event("account", shows=("what", "note"))

POINTS_MAX = 999


@command("scenario.open", number("points", 1, POINTS_MAX, required=False), roles=GM_ONLY, codes=("L25",), rule="§8.1")
def open_scenario(desk: Desk, asked: Asked) -> None:
    """Every pair gets its cat points (one pool for all, where the party shares them); rolled beliefs are forgotten."""
    state = desk.state
    if state.scenario_open:
        raise refused("L25")
    given = asked.number("points") or desk.tables.rule.points_initial
    keys = [PARTY] if desk.tables.rule.pool_scope == "party" else list(state.bonds)
    put: dict[str, dict[str, Any]] = {
        "pools": {**dict.fromkeys(state.pools), **{key: Pool(given, given) for key in keys}},
        "targets": {
            key: replace(one, belief=None, rolled=None) for key, one in state.targets.items() if one.rolled is not None
        },
        "attempts": dict.fromkeys(state.attempts),
    }
    world = {"scenario": state.scenario + 1, "scenario_open": True}
    ready = {one.id: {"nine_lives": ""} for one in state.actors.values() if one.nine_lives}
    said = words("log.scenario_opened", n=state.scenario + 1, points=given)
    desk.emit(
        "scenario.opened",
        said,
        actors=ready,
        world=world,
        put=put,
        audience=ALL,
        points=given,
        number=world["scenario"],
    )


@command("scenario.close", roles=GM_ONLY, codes=("L14", "L24"), rule="§8.2")
def close_scenario(desk: Desk, asked: Asked) -> None:
    """Points left become the witch's experience, points spent the cat's bank. A second time is refused (L14)."""
    state = desk.state
    if not state.scenario_open:
        raise refused("L14" if state.scenario else "L24")
    actors, changes = settlement(state)
    put: dict[str, dict[str, Any]] = {
        "pools": {key: replace(pool, closed=True) for key, pool in state.pools.items()},
        "attempts": dict.fromkeys(state.attempts),
    }
    outcome = Outcome("closing", reason("title.closing", "§8.2"), changes=tuple(changes)) if changes else None
    said = words("log.scenario_closed", n=state.scenario)
    desk.emit(
        "scenario.closed",
        said,
        outcome=outcome,
        actors=actors,
        world={"scenario_open": False},
        put=put,
        audience=ALL,
        number=state.scenario,
    )


def settlement(state: State) -> tuple[dict[str, dict[str, Any]], list[Change]]:
    """New experience and bank of everybody with an open pool, and the changes told."""
    actors: dict[str, dict[str, Any]] = {}
    changes: list[Change] = []
    for witch, (left, spent) in points.settled(state).items():
        cat = state.bonds[witch]
        xp, bank = state.actors[witch].xp, state.actors[cat].bank
        if left:
            actors[witch] = {"xp": xp + left}
            changes.append(Change(witch, "xp", xp, xp + left, reason("why.left", "§8.2", n=left)))
        if spent:
            actors[cat] = {"bank": bank + spent}
            changes.append(Change(cat, "bank", bank, bank + spent, reason("why.spent", "§8.2", n=spent)))
    return actors, changes


# ---------------------------------------------------------------- by the GM's hand


@command(
    "pool.correct",
    actor(),
    number("amount", -POINTS_MAX, POINTS_MAX),
    text("note", required=True),
    roles=GM_ONLY,
    codes=("L24", "L36", "P46"),
    rule="§8.1",
    retractable=True,
)
def correct_pool(desk: Desk, asked: Asked) -> None:
    """Points given or taken with a reason; what was spent stays spent, and nothing falls below 0."""
    witch = desk.own_witch(asked)
    pool = desk.state.pool(witch.id)
    if pool is None:
        raise refused("L24")
    amount = max(asked.needed("amount"), -pool.remaining)
    if not amount:
        raise refused("P46")
    after = replace(pool, remaining=pool.remaining + amount, corrected=pool.corrected + amount)
    said = words("log.pool", name=witch.name, amount=f"{amount:+d}", note=asked.text("note"))
    key = desk.state.pool_key(witch.id)
    desk.emit(
        "pool",
        said,
        actor=witch.id,
        put={"pools": {key: after}},
        amount=amount,
        note=asked.text("note"),
        remaining=after.remaining,
    )


@command("bond.set", actor(), actor("target"), roles=GM_ONLY, codes=("C10", "L36", "L37", "P46"), rule="§4.6")
def set_bond(desk: Desk, asked: Asked) -> None:
    """Bind a witch and a cat, at the table: one cat for one witch. A pair in an open scenario gets its points."""
    witch, cat = desk.own_witch(asked), desk.seen(asked.text("target"))
    if not cat.is_cat:
        raise refused("L37", name=cat.name)
    bonds = desk.state.bonds
    if bonds.get(witch.id) == cat.id:
        raise refused("P46")
    if cat.id in bonds.values():
        raise refused("C10")
    put: dict[str, dict[str, Any]] = {}
    key = desk.state.pool_key(witch.id)
    if desk.state.scenario_open and key not in desk.state.pools:
        given = desk.tables.rule.points_initial
        put = {"pools": {key: Pool(given, given)}}
    said = words("log.bond", name=witch.name, cat=cat.name)
    desk.emit("bond", said, actor=witch.id, target=cat.id, world={"bonds": {**bonds, witch.id: cat.id}}, put=put)


@command(
    "account.correct",
    actor(),
    choice("account", "xp", "bank"),
    number("amount", -9999, 9999),
    text("note", required=True),
    roles=GM_ONLY,
    codes=("L36", "L37", "P46", "W20"),
    rule="§8.2",
    retractable=True,
)
def correct_account(desk: Desk, asked: Asked) -> None:
    """Experience of a witch or the bank of a cat by hand; never below 0, nor below what growths already need (W20)."""
    what = asked.text("account")
    person = desk.own_witch(asked) if what == "xp" else desk.own_cat(asked)
    before = person.actor.xp if what == "xp" else person.actor.bank
    after = max(0, before + asked.needed("amount"))
    if after == before:
        raise refused("P46")
    if what == "xp":
        _grown_enough(person, after)
    outcome = Outcome(
        "account",
        reason("title.account", "§8.2"),
        changes=(Change(person.id, what, before, after, reason("why.gm", "§8.2")),),
    )
    said = words(f"log.account_{what}", name=person.name, n=after, note=asked.text("note"))
    desk.emit(
        "account",
        said,
        actor=person.id,
        outcome=outcome,
        actors={person.id: {what: after}},
        what=what,
        note=asked.text("note"),
    )


def _grown_enough(person: Person, xp: int) -> None:
    if len(person.actor.growths) > xp // person.tables.rule.xp_per_growth:
        raise refused("W20")
