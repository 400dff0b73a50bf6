"""HP, MP, conditions, being out cold (rules §3.5, §4.4, §5.7, §10)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.outcome import Change, Outcome, Reason
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked, actor, choice, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import ActorState, State
from rulesets.witch.play.words import reason, words

event("body", shows=("what",))
event("condition", shows=("condition",))

AMOUNT_MAX = 99
CONDITIONS_MAX = 20


def healed(person: Person, amount: int) -> int:
    """HP after so much healing, up to the maximum."""
    return min(person.hp_max, person.actor.hp + amount)


def wounded(state: State, person: Person, amount: int) -> tuple[dict[str, dict[str, Any]], list[Change]]:
    """New values after so much damage: never below 0; at 0 out cold where the group plays so, unless nine lives help.

    The cat's 九つのいのち keeps itself or its witch at 1 HP, once (Appendix A.2).
    """
    why = reason("why.wound", "§5.7")
    before = person.actor.hp
    after = max(0, before - amount)
    values: dict[str, dict[str, Any]] = {person.id: {"hp": after}}
    changes = [Change(person.id, "hp", before, after, why)]
    if after == 0 and before > 0:
        saver = _nine_lives(state, person.actor)
        if saver:
            values[person.id]["hp"] = 1
            values.setdefault(saver, {})["nine_lives"] = "used"
            changes[0] = Change(person.id, "hp", before, 1, reason("why.nine_lives", "§A.2"))
        elif state.tables.rule.zero_hp == "out_till_morning":
            values[person.id]["out"] = True
            changes.append(Change(person.id, "out", person.actor.out, True, reason("why.out", "§5.7", True)))
    return values, changes


def _nine_lives(state: State, one: ActorState) -> str:
    """The cat whose spell keeps somebody alive; "" for none."""
    for cat in (one.id, state.bonds.get(one.id, "")):
        if cat and state.actors[cat].nine_lives == "ready":
            return cat
    return ""


@command(
    "body.change",
    actor(),
    choice("stat", "hp", "mp"),
    number("amount", -AMOUNT_MAX, AMOUNT_MAX),
    text("note"),
    roles=GM_ONLY,
    codes=("L37", "P46"),
    rule="§10",
)
def change(desk: Desk, asked: Asked) -> None:
    """Hurt, heal, drain or restore somebody by the GM's hand."""
    stat, amount = asked.text("stat"), asked.needed("amount")
    person = desk.person(desk.seen(asked.text("actor")).id)
    if stat == "mp":
        _mp(desk, person, amount)
        return
    if amount < 0:
        values, changes = wounded(desk.state, person, -amount)
    else:
        after = healed(person, amount)
        values, changes = {person.id: {"hp": after}}, [Change(person.id, "hp", person.actor.hp, after, _by_gm())]
        if after > 0 and person.actor.out:
            values[person.id]["out"] = False
    _told(desk, person, stat, values, changes)


def _by_gm() -> Reason:
    return reason("why.gm", "§10")


def _mp(desk: Desk, person: Person, amount: int) -> None:
    if not person.actor.is_cat:
        raise refused("L37", name=person.name)
    after = max(0, min(person.mp_max, person.actor.mp + amount))
    _told(desk, person, "mp", {person.id: {"mp": after}}, [Change(person.id, "mp", person.actor.mp, after, _by_gm())])


def _told(desk: Desk, person: Person, stat: str, values: dict[str, dict[str, Any]], changes: list[Change]) -> None:
    if all(one.before == one.after for one in changes):
        raise refused("P46")
    outcome = Outcome("body", reason("title.body", "§10"), changes=tuple(changes))
    shown = changes[0].after
    said = words(f"log.body_{stat}", name=person.name, n=shown)
    secret = person.actor.npc and not person.actor.numbers_shown
    public = Outcome("body", reason("title.body", "§10")) if secret else None
    text_ = words("log.body", name=person.name) if secret else said
    desk.emit("body", text_, actor=person.id, outcome=outcome, public=public, actors=values, what=stat)


@command(
    "condition.add",
    actor(),
    text("condition", required=True),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§10",
    retractable=True,
)
def add(desk: Desk, asked: Asked) -> None:
    """Note a condition in words."""
    one = desk.seen(asked.text("actor"))
    named = asked.text("condition")[:80]
    if named in one.conditions or len(one.conditions) >= CONDITIONS_MAX:
        raise refused("P46")
    _conditions(desk, one, (*one.conditions, named), "log.condition", named)


@command(
    "condition.remove",
    actor(),
    text("condition", required=True),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§10",
    retractable=True,
)
def remove(desk: Desk, asked: Asked) -> None:
    one = desk.seen(asked.text("actor"))
    named = asked.text("condition")[:80]
    if named not in one.conditions:
        raise refused("P46")
    _conditions(desk, one, tuple(c for c in one.conditions if c != named), "log.condition_over", named)


def _conditions(desk: Desk, one: ActorState, after: tuple[str, ...], key: str, named: str) -> None:
    said = words(key, name=one.name, condition=named)
    desk.emit("condition", said, actor=one.id, actors={one.id: {"conditions": after}}, condition=named)
