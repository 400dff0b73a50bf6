"""Magic of cats: it costs MP and always works (rules §4.5, Appendix A.2)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.outcome import Change, Die, Outcome
from rulesets.witch.play.body import healed
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import FACES, Asked, actor, refused, text
from rulesets.witch.play.registry import command, event
from rulesets.witch.play.words import reason, words
from rulesets.witch.rows import CatSpell

event("cat_spell", shows=("spell", "mp"))

NINE_LIVES = "nine_lives"


@command(
    "cat.spell",
    actor(),
    text("spell", required=True),
    actor("target", required=False),
    text("text"),
    FACES,
    codes=("C16", "L23", "L26", "L33", "L37", "L45"),
    rule="§4.5",
)
def cast(desk: Desk, asked: Asked) -> None:
    """Pay the MP; the spell works. A healing one rolls its dice for the target."""
    cat = desk.own_cat(asked)
    desk.awake(cat.actor)
    spell = desk.tables.cat_spells.get(asked.text("spell"))
    if spell is None or spell.id not in cat.spells:
        raise refused("L23", name=cat.name)
    if cat.actor.mp < spell.mp:
        raise refused("C16", cost=spell.mp, mp=cat.actor.mp)
    target = desk.person(desk.seen(asked.text("target")).id) if asked.text("target") else None
    if spell.id == NINE_LIVES and cat.actor.nine_lives:
        desk.refuse("L33")
    if spell.heals:
        target = target or cat
        if target.actor.hp >= target.hp_max:
            raise refused("L45", name=target.name)
    left = cat.actor.mp - spell.mp
    actors: dict[str, dict[str, Any]] = {cat.id: {"mp": left}}
    changes = [Change(cat.id, "mp", cat.actor.mp, left, reason("why.spell", "§4.5", spell=spell.label))]
    dice: tuple[Die, ...] = ()
    if spell.heals and target is not None:
        dice = desk.throw(spell.heals, reason("dice.heal", "§A.2"))
        after = healed(target, sum(die.face for die in dice))
        actors.setdefault(target.id, {})["hp"] = after
        changes.append(Change(target.id, "hp", target.actor.hp, after, reason("dice.heal", "§A.2")))
    if spell.id == NINE_LIVES:
        actors[cat.id]["nine_lives"] = "ready"
    title = reason("title.cat_spell", "§4.5", spell=spell.label)
    outcome = Outcome("cat_spell", title, degree="success", dice=dice, changes=tuple(changes))
    said = _said(cat.name, spell, target.name if target is not None else asked.text("text"))
    desk.emit(
        "cat_spell",
        said,
        actor=cat.id,
        target=target.id if target is not None else "",
        outcome=outcome,
        actors=actors,
        spell=spell.id,
        mp=left,
    )


def _said(name: str, spell: CatSpell, on: str) -> Any:
    if on:
        return words("log.cat_spell_on", name=name, spell=spell.label, on=on)
    return words("log.cat_spell", name=name, spell=spell.label)
