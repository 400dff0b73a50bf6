"""What is not decided yet and is no error: points left, status, the tie of a style, what waits for the GM."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.edo.check_party import left_over
from rulesets.edo.check_skills import unknown_languages
from rulesets.edo.costs import cost_lines
from rulesets.edo.fields import field_label
from rulesets.edo.findings import Subject
from rulesets.edo.style import candidates
from rulesets.engine.problems import OpenChoice

# Problems whose answer is the GM's: the field waits, the player can do nothing more.
_FOR_GM = {"V10": "open_base_hint", "V19": "open_item_hint", "V30": "open_item_hint"}


def open_choices(subject: Subject, waiting: list[tuple[str, str]]) -> tuple[OpenChoice, ...]:
    """Choices of the owner in the order of the builder, then fields waiting for the GM (`waiting`: code and path)."""
    return (*_style(subject), *_names(subject), *_points(subject), *_gm(subject, waiting))


def _style(subject: Subject) -> Iterator[OpenChoice]:
    sheet, label = subject.sheet, subject.tables.label
    one_skill = subject.tables.rule.style_scope == "one_martial_skill"
    if sheet.has_style and one_skill and not sheet.text("style_skill") and len(candidates(sheet)) > 1:
        yield OpenChoice("style_skill", label("style_skill"), label("open_bound_hint"))


def _names(subject: Subject) -> Iterator[OpenChoice]:
    if subject.npc:
        return
    sheet, tables = subject.sheet, subject.tables
    label = tables.label
    status = tables.statuses.get(sheet.text("status"))
    job = tables.occupations.get(sheet.text("occupation"))
    named = sheet.text("names.family") or sheet.text("names.given")
    if not sheet.text("status"):
        yield OpenChoice("status", label("status"), label("open_status_hint"))
    if not sheet.text("occupation"):
        yield OpenChoice("occupation", label("occupation"), label("open_occupation_hint"))
    if job is not None and job.stage_name and not sheet.text("names.stage"):
        yield OpenChoice("names.stage", tables.name_parts["stage"].text, label("open_stage_hint"))
    if status is not None and status.warrior and named and not sheet.text("names.office"):
        yield OpenChoice("names.office", label("open_office"), label("open_office_hint"))
    if tables.rule.track_money and status is not None and status.money_dice and not sheet.money_dice:
        yield OpenChoice("money_dice.1", label("money"), label("open_money_hint"))


def _points(subject: Subject) -> Iterator[OpenChoice]:
    party = subject.context.party
    if party is None or subject.npc or subject.context.saved:
        return
    left = left_over(party, subject.tables, sum(line.points for line in cost_lines(subject.sheet)))
    if left > 0:
        label = subject.tables.label
        yield OpenChoice("", label("open_points"), label("open_points_hint").format(n=left))


def _gm(subject: Subject, waiting: list[tuple[str, str]]) -> Iterator[OpenChoice]:
    for code, path in waiting:
        if code in _FOR_GM:
            yield _for_gm(subject, path, _FOR_GM[code])
        elif code == "V11":  # a language we do not know may well be a western one
            for entry in unknown_languages(subject):
                yield _for_gm(subject, f"skills.{entry.row}.speciality", "open_language_hint")


def _for_gm(subject: Subject, path: str, hint: str) -> OpenChoice:
    return OpenChoice(path, field_label(path, subject.tables), subject.tables.label(hint), "gm")
