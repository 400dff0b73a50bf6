"""What follows from the cards, with everything it is made of (§5.1, §5.2, §6.1, §8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.alice.cards import ability_value, base_value, boost_value
from rulesets.alice.fields import card_label, suit_words
from rulesets.alice.sheet import Sheet
from rulesets.alice.tables import Tables
from rulesets.engine.problems import Derived, Part
from rulesets.engine.text import Text


def derived_values(sheet: Sheet) -> dict[str, Derived]:
    """`ability_S` … readings, `light_S` … at 軽傷, `boost_S` … of picture cards, `hand_size`."""
    found = [*_abilities(sheet)]
    if not sheet.npc:
        found.append(_hand(sheet.tables))
    return {derived.key: derived for derived in found}


def _abilities(sheet: Sheet) -> Iterator[Derived]:
    tables = sheet.tables
    for suit, rank in sheet.cards.items():
        words = suit_words(suit, tables)
        card = Part(tables.label("card_part").format(card=card_label(suit, rank)), base_value(rank, tables))
        value = base_value(rank, tables)
        inferred = rank in tables.pictures and tables.pictures[rank].inferred_in("value")
        yield Derived(
            f"ability_{suit}",
            tables.label("reading").format(**words),
            value,
            (card,),
            "§5.1",
            note=strength(value, tables),
            inferred=inferred,
        )
        yield Derived(
            f"light_{suit}",
            tables.label("reading_light").format(**words),
            ability_value(rank, 1, tables=tables) or 0,
            (card, Part(tables.label("half_part"), "÷2")),
            "§8.1",
            group="damage",
            inferred=inferred,
        )
        boost = boost_value(rank, tables)
        if boost is not None and (not sheet.npc or sheet.fields.get("boost") is True):
            yield Derived(
                f"boost_{suit}",
                tables.label("reading_boost").format(**words),
                boost,
                (Part(tables.label("boost_part"), boost),),
                "§5.2",
                group="boost",
                inferred=tables.pictures[rank].inferred_in("boost"),
            )


def strength(value: int, tables: Tables) -> Text:
    """What an ability means in words (§5.1)."""
    rows = [row for row in tables.strengths.values() if row.value <= value]
    return max(rows, key=lambda row: row.value).text


def _hand(tables: Tables) -> Derived:
    size = tables.rule.hand_size
    parts = (Part(tables.label("hand_part"), size),)
    return Derived("hand_size", tables.label("hand_size"), size, parts, "§6.1", unit=tables.label("cards_unit"))
