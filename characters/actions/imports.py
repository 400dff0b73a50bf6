"""Taking a character or party file into a campaign: read, compare with today's rules, report, then save.

A file is never trusted for rights, owners, computed values or times; what breaks a rule becomes a draft; what has no
place here is kept (`Character.carried`, `extensions`) or named as left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from django.utils.translation import gettext as _

from characters.actions.builds import write_revision
from characters.actions.drafts import MAX_BACKUPS, FieldEdit, create_character, edit_draft
from characters.actions.errors import ActionRefused, FieldConflict, PoolExceeded
from characters.actions.import_plan import Plan, make_plan
from characters.actions.notes import MAX_NOTES
from characters.actions.writing import campaign_write, fresh, must, must_be_gm, seat_of
from characters.document_reader import Unreadable, cleaned, read_json
from characters.documents import FORMAT, PARTY_FORMAT
from characters.models import Character, DraftBackup, ImportRecord, Note, Role, Seat
from characters.selectors.access import CampaignAccess, CharacterAccess
from characters.selectors.builds import check_fields, same_value
from live.topics import Write
from rulesets.engine.problems import Problem, Value

Mode = Literal["new", "update"]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import does (`dry_run`) or did. The three lists are sentences for people.

    `problems` are today's rules on the build; `known` is the character of this campaign with the same id that the
    importer may edit (then `update` can be offered); `repeated` says that this very file was imported before.
    `parts` are the members of a party file.
    """

    name: str
    kind: str
    mode: Mode = "new"
    taken: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    known: Character | None = None
    character: Character | None = None
    repeated: bool = False
    dry_run: bool = False
    parts: tuple[ImportReport, ...] = field(default=())


def import_document(
    *,
    access: CampaignAccess,
    data: bytes | str,
    dry_run: bool = False,
    mode: Mode = "new",
    kind: str | None = None,
    owner: Seat | int | None = None,
    again: bool = False,
    command_id: str = "",
) -> ImportReport:
    """Import a file as a new character (default) or over the one with the same id (`update`).

    The same file twice gives the same character, unless `again`. `kind` and `owner` are the GM's to choose; a party
    file is the GM's, its members find their players by name. Raises ActionRefused (unreadable, wrong game, role).
    """
    document = _read(data)
    if document.get("format") == PARTY_FORMAT:
        return _import_party(access, document, dry_run=dry_run, again=again, command_id=command_id)
    job = _Job(document, mode, kind, owner, again, dry_run)
    if dry_run:
        return job.run(None, access)
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return _done_before(w, here)
        report = job.run(w, here)
        w.result = {"character": report.character.pk if report.character else None, "name": report.name}
        return report


# ---------------------------------------------------------------- one character


@dataclass(frozen=True, slots=True)
class _Job:
    document: Mapping[str, Any]
    mode: Mode
    kind: str | None
    owner: Seat | int | None
    again: bool
    dry_run: bool

    def run(self, w: Write | None, here: CampaignAccess) -> ImportReport:
        """Plan, and with a write also do."""
        plan = make_plan(self.document, here.campaign)
        npc = self._is_npc(plan, here)
        seat = self._owner(npc, here)
        known = _known(plan, here)
        report = ImportReport(
            name=plan.name,
            kind="npc" if npc else "pc",
            mode=self.mode,
            taken=plan.taken,
            changed=plan.changed,
            left_out=plan.left_out,
            known=known.character if known else None,
            dry_run=self.dry_run,
        )
        digest = digest_of(self.document)
        before = None if self.again else _imported_before(here.seat, digest, report.kind, seat)
        if before is not None:
            return replace(report, character=before, repeated=True, problems=_problems_of(before))
        if self.mode == "update":
            if known is None:
                raise ActionRefused(
                    _("このファイルと同じ人物は、この卓で直せる人物の中にいません。"), code="unknown_id", status=404
                )
            return self._update(w, known, plan, report, digest)
        if w is None:
            return replace(report, problems=_would_break(plan, here, npc, seat))
        return self._create(w, here, plan, report, seat, digest)

    def _create(
        self, w: Write, here: CampaignAccess, plan: Plan, report: ImportReport, seat: Seat, digest: str
    ) -> ImportReport:
        character = create_character(
            access=here, kind=report.kind, fields=plan.fields, count=plan.npc_count, owner=seat
        )
        _add_notes(character, here.seat, plan)
        changed = list(report.changed)
        problems = _problems_of(character)
        if plan.saved and character.revision is None:
            changed += _first_revision(w, character, here.seat)
        if plan.draft_fields is not None:
            edits = _edits(character.draft.fields, plan.draft_fields)
            edit_draft(access=CharacterAccess(character, here.seat), edits=edits)
        character.refresh_from_db()
        # As long as this version of the draft stands, the content is as old as the file says.
        character.carried = {**plan.carried, "at_version": character.draft.version}
        character.extensions = plan.extensions
        character.save(update_fields=["carried", "extensions"])
        done = replace(report, character=character, changed=tuple(changed), problems=problems)
        _remember(here.seat, character, digest, done)
        return done

    def _update(
        self, w: Write | None, known: CharacterAccess, plan: Plan, report: ImportReport, digest: str
    ) -> ImportReport:
        character = known.character
        current: Mapping[str, Value] = character.draft.fields
        target = plan.over(current)
        base = character.revisions.filter(number=plan.revision).first()
        start = base.fields if base is not None else current
        edits = {
            key: FieldEdit(start.get(key), target.get(key))
            for key in {*start, *target}
            if not same_value(start.get(key), target.get(key)) and plan.states(key)
        }
        problems = tuple(check_fields(character, target).problems)
        if w is None:
            conflicts = _foreseen(character, edits)
            return replace(report, conflicts=conflicts, problems=problems)
        if edits:
            backup = {"fields": dict(current), "reason": "import", "by": known.seat}
            DraftBackup.objects.create(character=character, **backup)
            stale = character.draft_backups.values_list("pk", flat=True)[MAX_BACKUPS:]
            DraftBackup.objects.filter(pk__in=list(stale)).delete()
        saved = edit_draft(access=known, edits=edits)
        character.refresh_from_db()
        character.extensions = {**character.extensions, **plan.extensions}
        character.carried = {**character.carried, **plan.carried}
        character.carried.pop("updated_at", None)
        character.save(update_fields=["extensions", "carried"])
        if known.seat is not None:
            _add_notes(character, known.seat, plan)
            done = replace(report, character=character, conflicts=saved.conflicts, problems=problems)
            _remember(known.seat, character, digest, done)
            return done
        return replace(report, character=character, conflicts=saved.conflicts, problems=problems)

    def _is_npc(self, plan: Plan, here: CampaignAccess) -> bool:
        kind = self.kind or ("npc" if plan.is_npc or (here.is_gm and self.owner is None) else "pc")
        npc = kind == Character.Kind.NPC
        if npc and not here.is_gm and self.kind is None:
            return False  # a player's copy of an NPC file is an ordinary character
        if npc:
            must_be_gm(here)
        return npc

    def _owner(self, npc: bool, here: CampaignAccess) -> Seat:
        must(here.is_gm or here.is_player, _("見学の人は人物を作れません。"))
        if npc or self.owner is None:
            if not npc and not here.is_player:
                raise ActionRefused(_("だれの人物にするか選んでください。"), code="owner", field="owner", status=422)
            return here.seat
        seat = seat_of(here, self.owner)
        must(here.is_gm or seat.pk == here.seat.pk, _("ほかの人の人物は作れません。"))
        return seat


def _first_revision(w: Write, character: Character, by: Seat) -> list[str]:
    """Save a legal build as revision 1. Returns why not, as a sentence for the report."""
    report = check_fields(character, character.draft.fields)
    if not report.legal:
        return [_("いまの規則に合わないところがあるので、下書きとして取り込みました。")]
    try:
        write_revision(w, character, by=by)
    except PoolExceeded as refused:
        return [refused.message, _("下書きとして取り込みました。")]
    return []


def _would_break(plan: Plan, here: CampaignAccess, npc: bool, seat: Seat) -> tuple[Problem, ...]:
    """Problems a new character with these fields would have."""
    from characters.models import Draft

    kind = Character.Kind.NPC if npc else Character.Kind.PC
    character = Character(campaign=here.campaign, owner=seat, kind=kind)
    character.draft = Draft(fields=plan.fields)
    return tuple(check_fields(character, plan.fields).problems)


def _problems_of(character: Character) -> tuple[Problem, ...]:
    return tuple(check_fields(character, character.draft.fields).problems)


def _edits(now: Mapping[str, Value], then: Mapping[str, Value]) -> dict[str, FieldEdit]:
    return {
        key: FieldEdit(now.get(key), then.get(key))
        for key in {*now, *then}
        if not same_value(now.get(key), then.get(key))
    }


def _foreseen(character: Character, edits: Mapping[str, FieldEdit]) -> tuple[FieldConflict, ...]:
    now = character.draft.fields
    return tuple(
        FieldConflict(key, edit.base, edit.value, now.get(key))
        for key, edit in edits.items()
        if not same_value(now.get(key), edit.base) and not same_value(now.get(key), edit.value)
    )


def _add_notes(character: Character, seat: Seat, plan: Plan) -> None:
    """New notes of the importer; those already there word for word are not doubled, none is removed."""
    there = {(note.title, note.text, note.visibility) for note in character.notes.all()}
    position = len(there)
    for title, text, visibility in plan.notes:
        if (title, text, visibility) in there or position >= MAX_NOTES:
            continue
        Note.objects.create(
            character=character, title=title, text=text, visibility=visibility, author=seat, position=position
        )
        there.add((title, text, visibility))
        position += 1


def _known(plan: Plan, here: CampaignAccess) -> CharacterAccess | None:
    """The character of this campaign with the file's id, if the importer may edit it."""
    if plan.id is None:
        return None
    pk = Character.objects.filter(campaign=here.campaign, uuid=plan.id).values_list("pk", flat=True).first()
    if pk is None:
        return None
    try:
        access = fresh(pk, here.seat)
    except ActionRefused:
        return None
    return access if access.may_edit else None


# ---------------------------------------------------------------- once


def digest_of(document: Mapping[str, Any]) -> str:
    """A hash of what a file says, without when and by which program it was written."""
    said = {key: value for key, value in document.items() if key not in ("exported_at", "generator")}
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _imported_before(seat: Seat, digest: str, kind: str, owner: Seat) -> Character | None:
    """What this seat made of the very same file before, for the same owner."""
    row = (
        ImportRecord.objects.select_related("character__campaign", "character__owner", "character__draft")
        .filter(seat=seat, digest=digest)
        .filter(character__deleted_at=None, character__kind=kind, character__owner=owner)
        .first()
    )
    return row.character if row is not None else None


def _remember(seat: Seat, character: Character, digest: str, report: ImportReport) -> None:
    told = {"taken": list(report.taken), "changed": list(report.changed), "left_out": list(report.left_out)}
    ImportRecord.objects.create(seat=seat, character=character, digest=digest, report=told)


def _done_before(w: Write, here: CampaignAccess) -> ImportReport:
    """The report of a repeated press."""
    pk = w.result.get("character")
    if pk is None:
        return ImportReport(name=str(w.result.get("name", "")), kind="pc", repeated=True)
    character = fresh(pk, here.seat).character
    row = ImportRecord.objects.filter(character=character, seat=here.seat).first()
    told = row.report if row is not None else {}
    return ImportReport(
        name=character.name,
        kind=character.kind,
        taken=tuple(told.get("taken", ())),
        changed=tuple(told.get("changed", ())),
        left_out=tuple(told.get("left_out", ())),
        character=character,
        problems=_problems_of(character),
        repeated=True,
    )


# ---------------------------------------------------------------- a whole party


def _import_party(
    access: CampaignAccess, document: Mapping[str, Any], *, dry_run: bool, again: bool, command_id: str
) -> ImportReport:
    must_be_gm(access)
    members = document.get("characters")
    if not isinstance(members, list) or not all(isinstance(item, dict) for item in members):
        raise ActionRefused(_("一座のファイルに人物の一覧がありません。"), code="format", status=422)
    if len(members) > 50:
        raise ActionRefused(_("一度に取り込めるのは50人までです。"), code="too_many_characters", status=422)
    name = str(document.get("name") or _("一座"))[:100]

    def run(w: Write | None, here: CampaignAccess) -> ImportReport:
        parts, lost = [], []
        for member in members:
            try:
                parts.append(_import_member(w, here, member, again=again, dry_run=dry_run))
            except ActionRefused as refused:
                lost.append(_("「%(name)s」：%(why)s") % {"name": _shown(member), "why": refused.message})
        if not parts:
            raise ActionRefused(
                _("取り込める人物がいません。") + "".join(lost[:5]), code="nobody", field="file", status=422
            )
        return ImportReport(name=name, kind="party", left_out=tuple(lost), parts=tuple(parts), dry_run=dry_run)

    if dry_run:
        return run(None, access)
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return ImportReport(name=name, kind="party", repeated=True)
        must_be_gm(here)
        report = run(w, here)
        w.result = {"character": None, "name": name}
        return report


def _import_member(
    w: Write | None, here: CampaignAccess, member: Mapping[str, Any], *, again: bool, dry_run: bool
) -> ImportReport:
    """One character of a party file. Raises ActionRefused, then nothing of it was written."""
    _must_be_ours(member, FORMAT)
    part = member.get("character")
    npc = isinstance(part, dict) and "npc" in part
    owner = None if npc else _player_named(here, part)
    if owner is None and not npc:
        raise ActionRefused(_("同じ名前のプレイヤーがこの卓にいません。"), code="owner", status=422)
    job = _Job(member, "new", "npc" if npc else "pc", owner, again, dry_run)
    if w is None:
        return job.run(None, here)
    with campaign_write(here) as (_inner, now):
        return job.run(w, now)


def _player_named(here: CampaignAccess, part: Any) -> Seat | None:
    wanted = part.get("player_name") if isinstance(part, dict) else None
    if not isinstance(wanted, str):
        return None
    seats = Seat.objects.filter(campaign=here.campaign, role=Role.PLAYER, removed_at=None, name=wanted)
    return seats.first() if seats.count() == 1 else None


def _shown(member: Mapping[str, Any]) -> str:
    part = member.get("character")
    name = part.get("name") if isinstance(part, dict) else None
    return str(name)[:60] if isinstance(name, str) and name else "？"


# ---------------------------------------------------------------- reading


def _read(data: bytes | str) -> dict[str, Any]:
    try:
        document = read_json(data)
    except Unreadable as error:
        raise ActionRefused(str(error), code=error.code, field="file", status=422, line=error.line) from None
    document, _changed = cleaned(document)
    _must_be_ours(document, FORMAT, PARTY_FORMAT)
    return document  # type: ignore[no-any-return]


def _must_be_ours(document: Any, *formats: str) -> None:
    """Refuse what is no file of these formats, or of a version nobody here knows."""
    if not isinstance(document, dict) or document.get("format") not in formats:
        raise ActionRefused(
            _("卓日和の人物ファイルではありません（format がありません）。"), code="format", field="file", status=422
        )
    wanted = document.get("format_version")
    major = wanted.partition(".")[0] if isinstance(wanted, str) else ""
    if major != "1":
        raise ActionRefused(
            _("このファイルの形式は%(theirs)sです。ここで読めるのは1.xです（書いたもの：%(by)s）。")
            % {"theirs": str(wanted)[:20], "by": _writer(document)},
            code="format_version",
            field="file",
            status=422,
        )


def _writer(document: Mapping[str, Any]) -> str:
    by = document.get("generator")
    if isinstance(by, dict):
        return f"{str(by.get('name', '？'))[:40]} {str(by.get('version', ''))[:20]}".strip()
    return _("不明")
