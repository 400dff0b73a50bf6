"""The cats' shop at their monthly gathering (rules §8.4)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.outcome import Change, Outcome
from rulesets.witch.play.days import GATHERING, meets
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import Asked, actor, refused, text
from rulesets.witch.play.registry import command, event
from rulesets.witch.play.words import reason, words
from rulesets.witch.rows import Item

event("bought", shows=("item", "price"))


@command(
    "shop.buy",
    actor(),
    text("item", required=True),
    codes=("C12", "C13", "C14", "C15", "L32", "L37", "P23"),
    rule="§8.4",
)
def buy(desk: Desk, asked: Asked) -> None:
    """Pay from the bank and be stronger, prettier, tougher or more magical for good."""
    cat = desk.own_cat(asked)
    item = desk.tables.items.get(asked.text("item"))
    if item is None:
        raise refused("P23", label=words("field.item"), value=asked.text("item")[:40])
    if item.whisker:
        _whisker(desk, cat, item)
    elif item.id in cat.actor.purchases:
        raise refused("C13", item=item.name)
    if cat.actor.bank < item.price:
        raise refused("C14", n=item.price - cat.actor.bank)
    if not meets(desk.state, GATHERING):
        desk.refuse("C15", day=desk.tables.rule.gathering_day)
    _bought(desk, cat, item)


def _whisker(desk: Desk, cat: Person, item: Item) -> None:
    """Three whiskers for life, of whatever kind (C12); the same one twice where the group allows it (L32)."""
    limit = desk.tables.rule.whisker_limit
    if cat.whiskers >= limit:
        raise refused("C12", max=limit)
    if not desk.tables.rule.same_whisker_twice and item.id in cat.actor.purchases:
        desk.refuse("L32")


def _bought(desk: Desk, cat: Person, item: Item) -> None:
    one, why = cat.actor, reason("why.bought", "§8.4", item=item.name)
    values: dict[str, Any] = {"bank": one.bank - item.price, "purchases": (*one.purchases, item.id)}
    changes = [Change(cat.id, "bank", one.bank, one.bank - item.price, reason("why.price", "§8.4"))]
    for stat, more, now in (("hp", item.hp, one.hp), ("mp", item.mp, one.mp)):
        if more:
            values[stat] = now + more
            most = cat.hp_max if stat == "hp" else cat.mp_max
            changes.append(Change(cat.id, f"{stat}_max", most, most + more, why))
    for factor, more in (("strength", item.strength), ("beauty", item.beauty)):
        if more and factor in cat.factors:
            now = cat.factors[factor]
            changes.append(Change(cat.id, f"factor.{factor}", now, now + more, why))
    outcome = Outcome("purchase", reason("title.purchase", "§8.4"), changes=tuple(changes))
    said = words("log.bought", name=cat.name, item=item.name, price=item.price)
    desk.emit("bought", said, actor=cat.id, outcome=outcome, actors={cat.id: values}, item=item.id, price=item.price)
