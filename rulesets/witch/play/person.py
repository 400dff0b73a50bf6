"""A character with everything that follows from the build, what was grown and what was bought (rules §8.3, §8.4)."""

from __future__ import annotations

from functools import cached_property

from rulesets.engine.text import Text, same
from rulesets.witch.play.state import ActorState
from rulesets.witch.rows import COLUMNS, TRICKSTER, Item
from rulesets.witch.sheet import Sheet, whole
from rulesets.witch.tables import Witch

FACTOR, SKILL = "factor", "skill"


class Person:
    """A witch or a cat at the table, under the group's rules."""

    def __init__(self, tables: Witch, actor: ActorState) -> None:
        self.tables = tables
        self.actor = actor

    @cached_property
    def sheet(self) -> Sheet:
        return Sheet(self.actor.cast.fields, self.tables)

    @property
    def id(self) -> str:
        return self.actor.id

    @property
    def name(self) -> str:
        return self.actor.name

    # ------------------------------------------------------------ numbers

    @cached_property
    def factors(self) -> dict[str, int]:
        """Factors with what was grown or bought, in the order of their table."""
        found = dict(self.sheet.factors)
        for growth in self.actor.growths:
            if growth.choice == "factor" and growth.target in found:
                found[growth.target] += growth.after - growth.before
        for item in self._bought:
            for factor, more in (("strength", item.strength), ("beauty", item.beauty)):
                if more and factor in found:
                    found[factor] += more
        return found

    @cached_property
    def skills(self) -> dict[str, int]:
        """Skills by name; new ones come after those of the sheet."""
        found = {row.name: whole(row.value) or 0 for row in self.sheet.skills if row.name}
        for growth in self.actor.growths:
            if growth.choice == "skill":
                found[growth.target] = found.get(growth.target, 0) + growth.after - growth.before
        return found

    @cached_property
    def power(self) -> tuple[int, ...]:
        """The 29 columns, ＊ first."""
        found = [self.sheet.power.get(column, 0) for column in COLUMNS]
        for growth in self.actor.growths:
            if growth.choice == "power":
                found[int(growth.target)] += growth.after - growth.before
        return tuple(found)

    @property
    def sign(self) -> int:
        return self._card("sign_card", [growth.sign for growth in self.actor.growths])

    @property
    def shadow(self) -> int:
        return self._card("shadow_card", [growth.shadow for growth in self.actor.growths])

    def _card(self, key: str, grown: list[int]) -> int:
        return grown[-1] if grown else self.sheet.number(key) or 0

    @property
    def draws(self) -> bool:
        """Whether she draws a card before every casting (§6.6)."""
        return not self.actor.is_cat and TRICKSTER in (self.sign, self.shadow)

    @property
    def hp_max(self) -> int:
        grown = sum(growth.after - growth.before for growth in self.actor.growths if growth.choice == "hp")
        return (self.sheet.number("hp") or 0) + grown + sum(item.hp for item in self._bought)

    @property
    def mp_max(self) -> int:
        return (self.sheet.number("mp") or 0) + sum(item.mp for item in self._bought)

    @property
    def _bought(self) -> list[Item]:
        return [self.tables.items[item] for item in self.actor.purchases if item in self.tables.items]

    @property
    def spells(self) -> tuple[str, ...]:
        return self.sheet.spells

    # ------------------------------------------------------------ growth and shop

    @property
    def available(self) -> int:
        """Growths that wait for a sabbath (§8.3)."""
        return self.actor.xp // self.tables.rule.xp_per_growth - len(self.actor.growths)

    @property
    def to_next(self) -> int:
        """Experience that the next growth lacks; 0 when one waits."""
        wanted = (len(self.actor.growths) + 1) * self.tables.rule.xp_per_growth
        return max(0, wanted - self.actor.xp)

    @property
    def whiskers(self) -> int:
        return sum(item.whisker for item in self._bought)

    # ------------------------------------------------------------ words

    @property
    def true_name(self) -> str:
        return self.actor.true_name or self.sheet.text("true_name")

    def value(self, what: str) -> int | None:
        """The value of `factor:<id>` or `skill:<name>`; None for one that is not there."""
        kind, _, name = what.partition(":")
        if kind == FACTOR:
            return self.factors.get(name)
        return self.skills.get(name) if kind == SKILL and not self.actor.is_cat else None

    def means(self, what: str) -> Text:
        """What a factor or skill is called."""
        kind, _, name = what.partition(":")
        row = self.sheet.factor_rows.get(name) if kind == FACTOR else None
        return row.label if row is not None else same(name)

    def find(self, typed: str) -> str | None:
        """`factor:<id>` or `skill:<name>` of what was typed: a key, an id or a name. A skill stands before a factor."""
        if self.value(typed) is not None:
            return typed
        if typed in self.skills and not self.actor.is_cat:
            return f"{SKILL}:{typed}"
        for row, factor in self.sheet.factor_rows.items():
            if typed in (row, factor.label.ja, factor.label.en) and row in self.factors:
                return f"{FACTOR}:{row}"
        return None
