"""What differs between two builds, in words and in the order of the game's builder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from characters.models import Character
from characters.present.board import dom_id, signed
from characters.present.systems import presenter
from characters.present.words import bracketed
from characters.selectors.history import difference
from rulesets import services
from rulesets.engine.problems import Report, Value


@dataclass(frozen=True, slots=True)
class Change:
    """One field. An empty side means nothing was there."""

    label: str
    before: str
    after: str
    target: str = ""


def changes(
    character: Character, before: Mapping[str, Value], after: Mapping[str, Value], lang: str
) -> tuple[Change, ...]:
    """Every field that differs."""
    campaign = character.campaign
    tables = services.tables(campaign.system, campaign.house_rules)
    order = presenter(campaign.system).order
    found = sorted(difference(character, before, after), key=lambda one: order(one.key, tables))
    return tuple(
        Change(
            label=one.label.pick(lang),
            before=one.before_text.pick(lang) if one.before_text else "",
            after=one.after_text.pick(lang) if one.after_text else "",
            target=dom_id(one.key),
        )
        for one in found
    )


def numbers(before: Report, after: Report, lang: str, spent_label: str) -> tuple[Change, ...]:
    """Derived values and the sum of points that differ."""
    found = []
    if before.spent != after.spent:
        found.append(
            Change(spent_label, str(before.spent), bracketed(str(after.spent), signed(after.spent - before.spent)))
        )
    for key, derived in after.derived.items():
        old = before.derived.get(key)
        if old is None or old.value != derived.value:
            found.append(Change(derived.label.pick(lang), str(old.value) if old else "", str(derived.value)))
    for key, derived in before.derived.items():
        if key not in after.derived:
            found.append(Change(derived.label.pick(lang), str(derived.value), ""))
    return tuple(found)
