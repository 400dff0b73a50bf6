"""The builder's panels of アリス: the four cards, the 生業, the person; of a GM character what it is good at.

Numbers come from the report and the tables; nothing here decides whether something is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present.board import Board, FieldView
from characters.present.systems import Around, Phase


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """One ability: its card, what it reads, what that means. `dealt`: it came from the draft and stays."""

    suit: str
    name: str
    note: str
    field: FieldView
    card: str
    reading: str
    strength: str
    boost: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class OccupationRow:
    """A sample 生業. `strong`: how the cards suit it, "" while they are missing."""

    name: str
    suits: tuple[str, ...]
    expert: str
    related: str
    payload: str
    fit: str


@dataclass(frozen=True, slots=True)
class AliceBuilder:
    slip: str
    template: str
    phases: tuple[Phase, ...]
    npc: bool
    abilities: tuple[AbilityRow, ...]
    source: FieldView
    sources: tuple[Choice, ...]
    ranks: tuple[str, ...]
    pictures: tuple[Any, ...]
    dealt: bool
    occupation: FieldView
    occupations: tuple[OccupationRow, ...]
    current_job: FieldView
    job_visibility: FieldView
    job_choices: tuple[Choice, ...]
    person: tuple[FieldView, ...]
    texts: tuple[FieldView, ...]
    gm_tags: tuple[FieldView, ...]
    out_at: FieldView | None
    gm_flags: tuple[FieldView, ...]
    free: bool = True  # nothing costs points


def alice_builder(board: Board, around: Around, tables: Any, slip: str) -> AliceBuilder:
    """Everything `templates/alice/builder.html` shows."""
    abilities = tuple(_abilities(board, around, tables))
    npc = around.npc
    return AliceBuilder(
        slip=slip,
        template="alice/builder.html",
        phases=_phases(board, npc),
        npc=npc,
        abilities=abilities,
        source=board.field("ability_source"),
        sources=()
        if npc
        else tuple(_choices(board, tables, "ability_source", without=() if around.is_gm else ("draft",))),
        ranks=ranks_of(tables, npc),
        pictures=tuple(tables.pictures.values()),
        dealt=bool(abilities) and all(row.dealt for row in abilities),
        occupation=board.field("occupation"),
        occupations=() if npc else tuple(_occupations(board, tables)),
        current_job=board.field("current_job"),
        job_visibility=board.field("job_visibility"),
        job_choices=tuple(_choices(board, tables, "job_visibility")),
        person=tuple(board.field(key) for key in (("name",) if npc else ("name", "sex", "age"))),
        texts=tuple(board.field(key) for key in (("notes",) if npc else ("background", "belongings"))),
        gm_tags=tuple(board.field(key) for key in ("expert", "related")) if npc else (),
        out_at=board.field("out_at") if npc else None,
        gm_flags=tuple(board.field(key) for key in ("luck_spend", "boost")) if npc else (),
    )


def ranks_of(tables: Any, npc: bool) -> tuple[str, ...]:
    """What an ability may be: a card of the draft, for a GM character any value of the notation (§13.1)."""
    drafted = (*(str(n) for n in range(2, 11)), *tables.pictures)
    return ("0", "1", *drafted) if npc else drafted


def _choices(board: Board, tables: Any, key: str, without: tuple[str, ...] = ()) -> Iterator[Choice]:
    """The words of a choice. What only others can grant is offered when it stands there already."""
    now = board.value(key)
    for row_id, row in tables.choices.items():
        head, _dot, value = row_id.partition(".")
        if head == key and (value not in without or value == now):
            yield Choice(value, board.pick(row.text))


def _abilities(board: Board, around: Around, tables: Any) -> Iterator[AbilityRow]:
    derived = board.report.derived
    for suit in tables.suits.values():
        key = f"cards.{suit.id}"
        field = board.field(key)
        reading, boost = derived.get(f"ability_{suit.id}"), derived.get(f"boost_{suit.id}")
        record = around.rolled.get(key)
        yield AbilityRow(
            suit=suit.id,
            name=board.pick(suit.ability),
            note=board.pick(suit.note),
            field=field,
            card=f"{suit.id}{field.value}" if isinstance(field.value, str) else "",
            reading=str(reading.value) if reading is not None else "",
            strength=board.pick(reading.note) if reading is not None else "",
            boost=str(boost.value) if boost is not None else "",
            dealt=record is not None and record.step == "draft",
        )


def _occupations(board: Board, tables: Any) -> Iterator[OccupationRow]:
    for row in tables.occupations.values():
        if row.offered:
            yield OccupationRow(
                name=board.pick(row.name),
                suits=tuple(row.suits),
                expert=board.pick(row.expert),
                related=board.pick(row.related),
                payload=board.field("occupation").set_to(board.pick(row.name)),
                fit=_fit(board, row.suits),
            )
    for own in tables.own_occupations.values():
        if own.name:
            payload = board.field("occupation").set_to(own.name)
            yield OccupationRow(own.name, (), "", "", payload, "")


def _fit(board: Board, suits: tuple[str, ...]) -> str:
    """`♣7 ♥3`: what the trade leans on, as this character has it."""
    derived = board.report.derived
    found = [(suit, derived.get(f"ability_{suit}")) for suit in suits]
    return " ".join(f"{_SIGNS[suit]}{value.value}" for suit, value in found if value is not None)


_SIGNS = {"S": "♠", "C": "♣", "H": "♥", "D": "♦"}


# ---------------------------------------------------------------- where one is


def _phases(board: Board, npc: bool) -> tuple[Phase, ...]:
    steps = [
        (_("能力の札"), "b-cards", ("cards.", "ability_source")),
        *(() if npc else ((_("生業"), "b-occupation", ("occupation",)),)),
        (_("人となり"), "b-person", ("name",) if npc else ("name", "age")),
    ]
    found: list[Phase] = []
    for label, target, keys in steps:
        wrong = any(problem.path.startswith(keys) for problem in board.report.errors)
        holds = any(key.startswith(keys) for key, value in board.fields.items() if value not in (None, ""))
        done = holds and not wrong
        first = not done and not any(phase.state == "now" for phase in found)
        found.append(Phase(label, target, "done" if done else "now" if first else ""))
    return tuple(found)
