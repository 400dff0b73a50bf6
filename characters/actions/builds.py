"""Revisions: the legal builds a character is played from, and their way through the GM's review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions import rows
from characters.actions.characters import show_to
from characters.actions.drafts import DraftSaved, put_in_place, saved_again, saved_result
from characters.actions.errors import ActionRefused, Conflict, pool_exceeded
from characters.actions.events import tell
from characters.actions.pool import spend
from characters.actions.recheck import POOL_CODES, broken_rules, flag, recheck
from characters.actions.text import line
from characters.actions.writing import character_write, must_be_gm, must_edit, repeated
from characters.models import Character, Pool, PoolEntry, Remark, Revision, Seat, Visibility
from characters.selectors.access import CharacterAccess
from characters.selectors.builds import check_fields, draft_differs, revision_of, same_fields
from characters.selectors.points import allocations_on
from live.topics import Write
from rulesets import services
from rulesets.engine.problems import Problem, Report, Value

Status = Character.Status


def save_build(*, access: CharacterAccess, note: str = "", override_reason: str = "", command_id: str = "") -> Revision:
    """Make a revision of the draft, with its rows and its points, in one transaction (V01–V04).

    A GM may let a broken rule pass with a reason everybody sees, but never more points than the pool holds. A draft
    equal to the newest revision gives that one. Raises PoolExceeded, ActionRefused with `problems`.
    """
    note = line(note, field="note", label=_("版の覚え書き"), limit=200)
    reason = _reason(override_reason)
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Revision, "revision")
        must_edit(here)
        if reason:
            must_be_gm(here)
        revision = write_revision(w, here.character, by=here.seat, note=note, reason=reason)
        w.result = {"revision": revision.pk}
        return revision


def restore_revision(*, access: CharacterAccess, number: int, command_id: str = "") -> DraftSaved:
    """Put an old revision's fields into the draft; what the draft held is kept as a backup. Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return saved_again(w.result)
        must_edit(here)
        revision = revision_of(here.character, number)
        if revision is None:
            raise ActionRefused(_("その版はありません。"), code="no_such_revision", status=404)
        put_in_place(w, here, revision.fields, "restore")
        result = DraftSaved(here.character.draft.version, tuple(revision.fields))
        w.result = saved_result(result)
        return result


# ---------------------------------------------------------------- review


def ask_review(*, access: CharacterAccess, command_id: str = "") -> Character:
    """Ask the GM to look at the build; the draft is saved as a revision first. Raises PoolExceeded, ActionRefused.

    A character only its owner could see becomes visible to the GMs.
    """
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_edit(here)
        if draft_differs(character):
            write_revision(w, character, by=here.seat)
        else:
            _must_still_be_legal(character)
        if character.status == Status.CLEARED:
            raise ActionRefused(_("この版はもう確認済みです。"), code="cleared")
        if character.visibility == Visibility.OWNER:
            show_to(w, character, Visibility.GM)
        _set_status(w, character, Status.ASKED, "character.asked")
        return character


def clear_character(
    *, access: CharacterAccess, override_reason: str = "", number: int | None = None, command_id: str = ""
) -> Character:
    """Clear the newest revision for play (GM). `number` is the revision the GM looked at: a newer one conflicts.

    With a reason the draft is saved as it stands, broken rules and all, and cleared. Raises PoolExceeded, Conflict,
    ActionRefused.
    """
    reason = _reason(override_reason)
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_edit(here)
        must_be_gm(here)
        newest = character.revision
        if number is not None and newest is not None and newest.number != number:
            raise Conflict(
                _("第%(seen)s版を見ているあいだに第%(now)s版が保存されました。もう一度見てから確認してください。")
                % {"seen": number, "now": newest.number},
                code="newer_revision",
            )
        if newest is None or (reason and (draft_differs(character) or broken_rules(character))):
            write_revision(w, character, by=here.seat, reason=reason)
        else:
            _must_still_be_legal(character)
        character.cleared = character.revision
        _set_status(w, character, Status.CLEARED, "character.cleared")
        return character


def return_character(*, access: CharacterAccess, text: str = "", command_id: str = "") -> Character:
    """Hand a build back to its player (GM), perhaps with a remark on the whole. Raises ActionRefused."""
    text = line(text, field="text", label=_("ひとこと"), limit=500)
    with character_write(access, command_id) as (w, here):
        character = here.character
        if w.repeated:
            return character
        must_edit(here)
        must_be_gm(here)
        if character.status == Status.DRAFT:
            raise ActionRefused(_("まだ確認に出されていません。"), code="not_asked")
        if text:
            Remark.objects.create(character=character, text=text, by=here.seat)
        _set_status(w, character, Status.DRAFT, "character.returned")
        return character


def _set_status(w: Write, character: Character, status: str, kind: str) -> None:
    character.status = status
    character.save(update_fields=["status", "cleared", "updated_at"])
    number = character.revision.number if character.revision else None
    tell(w, kind, character, {"number": number})


def _must_still_be_legal(character: Character) -> None:
    broken = broken_rules(character)
    if broken:
        raise _illegal(broken)


# ---------------------------------------------------------------- making a revision


def write_revision(w: Write, character: Character, *, by: Seat | None, note: str = "", reason: str = "") -> Revision:
    """Make a revision of the draft behind the lock. Raises PoolExceeded, ActionRefused."""
    fields = dict(character.draft.fields)
    report = check_fields(character, fields)
    last = character.revision
    delta = report.spent - character.spent
    _guard(character, report, delta, reason)
    if last is not None and same_fields(fields, last.fields) and not reason:
        return last
    build = _document(character, fields)
    revision = Revision.objects.create(
        character=character,
        number=last.number + 1 if last is not None else 1,
        fields=fields,
        build=build,
        spent=max(0, report.spent),
        house_rules=character.campaign.house_rules,
        override_reason=reason,
        problems=sorted({problem.code for problem in report.errors}) if reason else [],
        note=note,
        made_by=by,
        made_at=timezone.now(),
    )
    if character.kind == Character.Kind.PC:
        spend(w, character, delta, after=revision.spent, by=by)
    character.revision, character.spent = revision, revision.spent
    _settle_status(character, revision)
    character.save(update_fields=["revision", "spent", "status", "cleared", "updated_at"])
    rows.write(character, build, report)
    tell(
        w,
        "character.revised",
        character,
        {"number": revision.number, "spent": revision.spent, "override_reason": reason},
    )
    if delta and character.kind == Character.Kind.PC:
        recheck(w, character.campaign, pcs_only=True)
        character.refresh_from_db(fields=["flagged"])
    else:
        flag(w, character)
    return revision


def save_npc(w: Write, character: Character, by: Seat | None) -> None:
    """Give a new NPC its first revision, cleared, if its fields are legal; else it stays a draft."""
    if check_fields(character, character.draft.fields).legal:
        write_revision(w, character, by=by)


def _guard(character: Character, report: Report, delta: int, reason: str) -> None:
    """Refuse what may not become a revision. Points that fall or stay are never a reason (rules/edo.md §3.3)."""
    errors = report.errors
    if delta <= 0 and character.revision is not None:
        errors = tuple(problem for problem in errors if problem.code not in POOL_CODES)
    if character.kind == Character.Kind.PC and delta > 0:
        _guard_pool(character, report, delta)
    if errors and not reason:
        raise _illegal(errors, report.problems)


def _guard_pool(character: Character, report: Report, delta: int) -> None:
    pool = Pool.objects.filter(campaign_id=character.campaign_id).first()
    if pool is None:
        return
    left = max(0, pool.total - pool.spent)
    campaign, found = character.campaign, report.problems
    if delta > left and _saved_since(character):
        raise pool_exceeded(campaign.system, "V03a", left=left, problems=found)
    if delta > left:
        total = pool.spent + delta
        over = total - pool.total
        raise pool_exceeded(campaign.system, "V01", left=left, problems=found, over=over, sum=total, pool=pool.total)
    if pool.allocated > pool.total and allocations_on(campaign):
        over = pool.allocated - pool.total
        raise pool_exceeded(campaign.system, "V04", left=left, problems=found, pool=pool.total, over=over)


def _saved_since(character: Character) -> bool:
    """Whether somebody else's save took points after this draft was last touched."""
    others = PoolEntry.objects.filter(campaign_id=character.campaign_id, kind=PoolEntry.Kind.SPEND, delta__gt=0)
    return others.exclude(seat_id=character.owner_id).filter(at__gte=character.draft.updated_at).exists()


def _document(character: Character, fields: Mapping[str, Value]) -> dict[str, Any]:
    """The build document. Raises ActionRefused when the fields are no build at all, which no override covers."""
    system = character.campaign.system
    build = services.to_build(system, fields)
    problems = services.check_document(system, build)
    if problems:
        raise ActionRefused(
            _("この形では版にできません。数が入るところなどを直してください。"),
            code=problems[0].code,
            field=problems[0].path,
            status=422,
            problems=problems,
        )
    return build


def _settle_status(character: Character, revision: Revision) -> None:
    again = character.cleared is not None and same_fields(character.cleared.fields, revision.fields)
    if again or character.kind == Character.Kind.NPC:
        character.cleared, character.status = revision, Status.CLEARED
    elif character.status == Status.CLEARED:
        character.status = Status.DRAFT


def _illegal(errors: Sequence[Problem], problems: Sequence[Problem] = ()) -> ActionRefused:
    first = errors[0]
    return ActionRefused(
        _("直すところが%(n)sつあるため、まだ版にできません。下書きは保存されています。") % {"n": len(errors)},
        code=first.code,
        field=next((problem.path for problem in errors if problem.path), ""),
        status=422,
        problems=problems or errors,
    )


def _reason(text: str) -> str:
    return line(text, field="override_reason", label=_("理由"), limit=300)
