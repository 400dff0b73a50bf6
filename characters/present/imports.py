"""The report of an import in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.imports import ImportReport
from characters.models import Role, Seat
from characters.selectors.access import CampaignAccess
from characters.selectors.history import change_of


@dataclass(frozen=True, slots=True)
class Rival:
    """A field that was changed here as well as in the file."""

    label: str
    file: str
    here: str


@dataclass(frozen=True, slots=True)
class ReportView:
    name: str
    kind: str
    taken: tuple[str, ...]
    changed: tuple[str, ...]
    left_out: tuple[str, ...]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    rivals: tuple[Rival, ...]
    known: str
    repeated: str
    may_save: bool
    parts: tuple[ReportView, ...]


def report_view(access: CampaignAccess, report: ImportReport) -> ReportView:
    """What would be taken over, changed and left out, and what of it breaks a rule."""
    lang = get_language() or "ja"
    kinds = {"pc": _("PC"), "npc": _("NPC"), "party": _("一座")}
    rivals = []
    for conflict in report.conflicts:
        if report.known is not None:
            change = change_of(report.known, conflict.key, conflict.yours, conflict.theirs)
            before = change.before_text.pick(lang) if change.before_text else _("なし")
            after = change.after_text.pick(lang) if change.after_text else _("なし")
            rivals.append(Rival(change.label.pick(lang), before, after))
    return ReportView(
        name=report.name,
        kind=kinds.get(report.kind, ""),
        taken=report.taken,
        changed=report.changed,
        left_out=report.left_out,
        errors=tuple(one.message.pick(lang) for one in report.problems if one.level == "error"),
        warnings=tuple(one.message.pick(lang) for one in report.problems if one.level == "warning"),
        rivals=tuple(rivals),
        known=report.known.name if report.known is not None else "",
        repeated=report.character.name if report.repeated and report.character is not None else "",
        may_save=True,
        parts=tuple(report_view(access, part) for part in report.parts),
    )


def import_owners(access: CampaignAccess) -> list[tuple[int, str]] | None:
    """The players a GM may choose from; None for everybody else."""
    if not access.is_gm:
        return None
    seats = Seat.objects.filter(campaign=access.campaign, role=Role.PLAYER, removed_at=None)
    return [(seat.pk, seat.name) for seat in seats]
