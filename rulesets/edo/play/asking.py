"""What is rolled on: skills, abilities, endurance; who may try what untrained (rules §5.2)."""

from __future__ import annotations

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import refused
from rulesets.edo.rows import ABILITIES
from rulesets.edo.sheet import row_parts


def known_skill(desk: Desk, person: Person, typed: str) -> str:
    """The skill row, ability or `endurance` a word means, Japanese names included. Refuses P51."""
    if person.knows(typed):
        return typed
    tables = desk.tables
    for entry in person.sheet.skills:
        if typed in (entry.label.ja, entry.label.en):
            return entry.row
    for skill in tables.skills.values():
        if typed in (skill.name.ja, skill.name.en, *skill.aliases):
            return skill.id
    for ability in ABILITIES:
        if typed in (tables.abilities[ability].name.ja, tables.abilities[ability].name.en):
            return ability
    raise refused("P51", value=typed[:40])


def tried(desk: Desk, person: Person, what: str) -> None:
    """Refuse what cannot be tried untrained (P33), and what only the GM may allow (P34)."""
    skill = desk.tables.skills.get(row_parts(what)[0])
    if skill is None or person.means(what).learned:
        return
    if skill.untrained == "no":
        desk.refuse("P33", skill=skill.name)
    elif skill.untrained == "gm" and not desk.actor.is_gm:
        desk.refuse("P34", skill=skill.name)
