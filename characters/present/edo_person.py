"""Names, status, occupation, possessions and cash in the Edo builder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present import edo_parts as parts
from characters.present.board import Board, FieldView, as_json
from characters.present.edo_step import WordList
from characters.present.systems import Around
from characters.present.words import bracketed


@dataclass(frozen=True, slots=True)
class NameRow:
    field: FieldView
    label: str
    hint: str
    placeholder: str
    list: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    label: str
    payload: str


@dataclass(frozen=True, slots=True)
class OccupationRow:
    name: str
    note: str
    payload: str


@dataclass(frozen=True, slots=True)
class OccupationGroup:
    name: str
    rows: tuple[OccupationRow, ...]


@dataclass(frozen=True, slots=True)
class NamesPanel:
    rows: tuple[NameRow, ...]
    lists: tuple[WordList, ...]
    hint: str
    occupation: str
    suggested: tuple[Suggestion, ...]
    occupations: tuple[OccupationGroup, ...]


@dataclass(frozen=True, slots=True)
class PossessionRow:
    number: int
    item: FieldView
    text: FieldView
    fresh: bool
    unknown: bool
    note: str
    remove: str
    remove_label: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    name: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PossessionPanel:
    rows: tuple[PossessionRow, ...]
    choices: tuple[ChoiceGroup, ...]
    money: parts.MoneyView | None


def names_panel(board: Board, tables: Any) -> NamesPanel:
    rows = [
        NameRow(
            field=board.field(f"names.{part.id}"),
            label=board.pick(part.text),
            hint=board.pick(tables.name_hints[part.id].text) if part.id in tables.name_hints else "",
            placeholder="",
            list="",
        )
        for part in tables.name_parts.values()
    ]
    rows.append(NameRow(board.field("status", words=True), _("身分"), _("苗字の有無と所持金が決まる"), "", "statuses"))
    rows.append(
        NameRow(board.field("occupation", words=True), _("生業"), _("人別帳から選ぶか、自由に書く"), "", "occupations")
    )
    job = parts.occupation(board.fields, tables)
    return NamesPanel(
        rows=tuple(rows),
        lists=(
            WordList("statuses", tuple(board.pick(one.name) for one in tables.statuses.values())),
            WordList("occupations", tuple(board.pick(one.name) for one in tables.occupations.values())),
        ),
        hint=board.pick(job.note) if job else "",
        occupation=board.pick(job.name) if job else "",
        suggested=tuple(_suggestions(board, tables, job)) if job else (),
        occupations=tuple(_occupations(board, tables)),
    )


def _suggestions(board: Board, tables: Any, job: Any) -> Iterator[Suggestion]:
    for hint in job.skills:
        skill = tables.skills[hint.skill]
        kind = tables.specialities[hint.speciality] if hint.speciality else None
        name = bracketed(board.pick(skill.name), board.pick(kind.name)) if kind else board.pick(skill.name)
        level = max(hint.level, 1)
        row = parts.row_with(board.fields, skill, board.pick(kind.name) if kind else "")
        if row is not None and (board.number(f"skills.{row}.level") or 0) >= level:
            yield Suggestion(name, "")
            continue
        row = row or parts.free_row(board.fields, skill)
        changes: dict[str, Any] = {f"skills.{row}.level": level}
        if kind is not None:
            changes[f"skills.{row}.speciality"] = board.pick(kind.name)
        yield Suggestion(f"{name} {level}", as_json(changes))


def _occupations(board: Board, tables: Any) -> Iterator[OccupationGroup]:
    for group in tables.occupation_groups.values():
        rows = []
        for job in tables.occupations.values():
            if job.group != group.id:
                continue
            changes: dict[str, Any] = {"occupation": job.id}
            if not board.value("status"):
                changes["status"] = job.status
            note = _("・").join((board.pick(tables.statuses[job.status].name), board.pick(job.note)))
            rows.append(OccupationRow(board.pick(job.name), note, as_json(changes)))
        yield OccupationGroup(board.pick(group.text), tuple(rows))


# ---------------------------------------------------------------- possessions


def possession_panel(board: Board, around: Around, tables: Any) -> PossessionPanel:
    numbers = parts.numbers_of(board.fields, "possessions")
    rows = [_possession(board, tables, number, fresh=False) for number in numbers]
    rows.append(_possession(board, tables, (numbers[-1] + 1) if numbers else 1, fresh=True))
    return PossessionPanel(tuple(rows), tuple(_choices(board, tables)), parts.money(board, around, tables))


def _possession(board: Board, tables: Any, number: int, *, fresh: bool) -> PossessionRow:
    key = f"possessions.{number}"
    item = board.field(f"{key}.id", also=(key,))
    text = board.field(f"{key}.text")
    arm = parts.arm(tables, item.shown)
    name = board.pick(arm.name) if arm else text.shown
    return PossessionRow(
        number=number,
        item=item,
        text=text,
        fresh=fresh,
        unknown=bool(item.shown) and arm is None,
        note=parts.arm_note(board, tables, arm) if arm else "",
        remove="" if fresh else as_json({f"{key}.id": None, f"{key}.text": None}),
        remove_label=_("%(item)sを持ち物から消す") % {"item": name or number},
    )


def _choices(board: Board, tables: Any) -> Iterator[ChoiceGroup]:
    def rows(found: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        carried = (one for one in found.values() if not getattr(one, "unarmed", False))
        return tuple((one.id, board.pick(one.name)) for one in carried if one.id not in parts.UNARMED)

    yield ChoiceGroup(_("武器"), rows(tables.weapons))
    yield ChoiceGroup(_("飛び道具"), rows(tables.ranged))
    yield ChoiceGroup(_("防具"), rows(tables.armour))
