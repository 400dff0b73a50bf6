"""Notes beside the log: private text with a version, never part of the log itself."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused, Conflict, FieldConflict
from characters.actions.text import line, paragraph
from characters.actions.writing import repeated
from sessions.actions.errors import not_allowed
from sessions.actions.writing import NOT_CLOSED, Desk, must_take_part, session_write, still
from sessions.kinds import GMS
from sessions.models import GameSession, SessionNote
from sessions.selectors.access import SessionAccess
from sessions.selectors.notes import may_see_note

MAX_NOTES = 100
Visibility = SessionNote.Visibility


def save_note(
    *,
    access: SessionAccess,
    text: str,
    title: str = "",
    note: int | None = None,
    visibility: str | None = None,
    base_version: int | None = None,
    command_id: str = "",
) -> SessionNote:
    """Write a new note or change one. `gm` notes belong to the GMs together, `own` ones to their writer.

    `base_version` is the version the text began from. Raises Conflict when somebody wrote meanwhile, ActionRefused.
    """
    title = line(title, field="title", label=_("題"), limit=100)
    text = paragraph(text, field="text", label=_("手控え"), limit=20000, required=True)
    if visibility not in (None, *Visibility.values):
        raise ActionRefused(_("その公開範囲はありません。"), code="visibility", field="visibility", status=422)
    with session_write(access, command_id, states=NOT_CLOSED) as desk:
        if desk.w.repeated:
            return repeated(desk.w, SessionNote, "note")
        must_take_part(desk.access)
        if visibility == Visibility.GM and not desk.access.is_gm:
            raise not_allowed(_("GM用の手控えを書けるのはGMだけです。"))
        if note is None:
            kept = _new(desk, title, text, visibility or (Visibility.GM if desk.access.is_gm else Visibility.OWN))
        else:
            kept = _change(desk, _find(desk, note), title, text, visibility, base_version)
        desk.w.result = {"note": kept.pk}
        return kept


def delete_note(*, access: SessionAccess, note: int, command_id: str = "") -> None:
    """Delete a note one may change. Raises ActionRefused."""
    with session_write(access, command_id, states=NOT_CLOSED) as desk:
        if desk.w.repeated:
            return
        found = _find(desk, note)
        _tell(desk, found, {found.visibility})
        found.delete()


def _new(desk: Desk, title: str, text: str, visibility: str) -> SessionNote:
    if SessionNote.objects.filter(session=desk.session).count() >= MAX_NOTES:
        raise ActionRefused(_("手控えは%(n)s枚までです。") % {"n": MAX_NOTES}, code="too_many_notes")
    note = SessionNote.objects.create(
        session=desk.session, author=desk.access.seat, title=title, text=text, visibility=visibility
    )
    _tell(desk, note, {visibility})
    return note


def _change(
    desk: Desk, note: SessionNote, title: str, text: str, visibility: str | None, base_version: int | None
) -> SessionNote:
    before = note.visibility
    wanted = visibility or before
    if wanted != before and note.author_id != desk.access.seat.pk:
        raise not_allowed(_("公開範囲を変えられるのは書いた人だけです。"))
    if (note.title, note.text, before) == (title, text, wanted):
        return note
    if base_version is not None and base_version != note.version:
        both = (("title", title, note.title), ("text", text, note.text))
        raise Conflict(
            _("この手控えは別の画面で書き換えられています。両方を見て、残すほうを選んでください。"),
            [FieldConflict(key, None, yours, theirs) for key, yours, theirs in both if yours != theirs],
            code="note_conflict",
            field="text",
            version=note.version,
        )
    note.title, note.text, note.visibility = title, text, wanted
    note.version += 1
    note.save()
    _tell(desk, note, {before, wanted})
    return note


def _find(desk: Desk, pk: int) -> SessionNote:
    found = SessionNote.objects.select_related("author").filter(pk=pk, session=desk.session).first()
    if found is None or not may_see_note(found, desk.access):
        raise ActionRefused(_("その手控えはありません。"), code="no_such_note", status=404)
    return found


def _tell(desk: Desk, note: SessionNote, seen_as: set[str]) -> None:
    """Let the pages of those who may read it (or could before) draw the notes again; never what they say."""
    head = desk.w.topic.head
    heard = {note.author.audience, *(GMS if Visibility.GM in seen_as else ())}
    desk.w.append("note.changed", {"note": note.pk, "version": note.version}, sorted(heard))
    if desk.session.state == GameSession.State.OPEN:
        still(desk, head)
