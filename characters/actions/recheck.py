"""After a change of rules or points every character is checked again and flagged, never rewritten (V28)."""

from __future__ import annotations

from collections.abc import Collection

from characters.actions.events import tell
from characters.models import Campaign, Character, Draft, Revision
from characters.selectors.builds import Surroundings, check_fields, check_revision, surroundings
from live.topics import Write
from rulesets.engine.problems import Problem, Report

# Problems of the party's points: points that fall or stay are never refused for them.
POOL_CODES: frozenset[str] = frozenset({"V01", "V02"})


def recheck(w: Write, campaign: Campaign, *, pcs_only: bool = False, owners: Collection[int] | None = None) -> None:
    """Check drafts and revisions again and tell what changed. `owners` narrows to the characters of some seats."""
    rows = Character.objects.select_related("campaign", "owner", "revision", "draft")
    rows = rows.filter(campaign=campaign, deleted_at=None)
    if pcs_only:
        rows = rows.filter(kind=Character.Kind.PC)
    if owners is not None:
        rows = rows.filter(owner_id__in=owners)
    characters = list(rows)
    around = surroundings(campaign, characters)
    for character in characters:
        character.campaign = campaign
        flag(w, character, around)
        summarise(w, character, check_fields(character, character.draft.fields, around))


def flag(w: Write, character: Character, around: Surroundings | None = None) -> None:
    """Bring `flagged` level with what today's rules say about the newest revision."""
    codes = flag_codes(character, around)
    if codes != character.flagged:
        character.flagged = codes
        character.save(update_fields=["flagged"])
        tell(w, "character.flagged", character, {"codes": codes})


def flag_codes(character: Character, around: Surroundings | None = None) -> list[str]:
    """Codes of what is wrong with the newest revision: broken rules, and what no longer fits around it (V28)."""
    revision = character.revision
    if revision is None:
        return []
    report = check_revision(character, revision, around)
    lapsed = [problem for problem in report.problems if problem.lapsed]
    return sorted({problem.code for problem in (*_not_allowed(report, revision), *lapsed)})


def broken_rules(character: Character) -> list[Problem]:
    """Errors of the newest revision under today's rules, without those the GM allowed when it was made."""
    revision = character.revision
    return _not_allowed(check_revision(character, revision), revision) if revision is not None else []


def _not_allowed(report: Report, revision: Revision) -> list[Problem]:
    return [problem for problem in report.errors if problem.code not in revision.problems]


def summarise(w: Write, character: Character, report: Report, *, tell_anyway: bool = False) -> None:
    """Store the draft's figures for lists; tells when one of them changed (or something else the lists show)."""
    draft = character.draft
    figures = (report.spent, len(report.errors), len(report.open_choices))
    if figures == (draft.spent, draft.errors, draft.open_choices) and not tell_anyway:
        return
    draft.spent, draft.errors, draft.open_choices = figures
    Draft.objects.filter(pk=draft.pk).update(spent=max(0, figures[0]), errors=figures[1], open_choices=figures[2])
    tell(w, "character.draft", character, {"spent": figures[0], "errors": figures[1], "open": figures[2]})
