"""Free text on a sheet, each piece with its own visibility (`selectors.access.may_see_note`)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused, Conflict, FieldConflict
from characters.actions.text import line, paragraph
from characters.actions.writing import audience_of, character_write, must, must_edit, repeated, seat_behind
from characters.models import Note, Visibility
from characters.selectors.access import CharacterAccess, may_edit_note, may_see_note
from live.topics import Write

MAX_NOTES = 200


def save_note(
    *,
    access: CharacterAccess,
    note: Note | int | None = None,
    title: str = "",
    text: str,
    visibility: str = Visibility.OWNER,
    base_version: int | None = None,
    command_id: str = "",
) -> Note:
    """Write a new note or change one. `base_version` is the version the change was made from.

    Raises Conflict (both texts) when somebody else saved meanwhile, ActionRefused otherwise.
    """
    title = line(title, field="title", label=_("題"), limit=100)
    text = paragraph(text, field="text", label=_("手控え"), limit=20000, required=True)
    if visibility not in Visibility.values:
        raise ActionRefused(_("その公開範囲はありません。"), code="visibility", field="visibility", status=422)
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Note, "note")
        must_edit(here)
        saved = _new(here, title, text, visibility) if note is None else None
        if saved is None:
            saved = _change(here, _find(here, note), title, text, visibility, base_version)
        _tell(w, here, saved)
        w.result = {"note": saved.pk}
        return saved


def delete_note(*, access: CharacterAccess, note: Note | int, command_id: str = "") -> None:
    """Delete a note. Raises ActionRefused."""
    with character_write(access, command_id) as (w, here):
        if w.repeated:
            return
        must_edit(here)
        found = _find(here, note)
        must(may_edit_note(found, here), _("この手控えを消せるのは書いた人だけです。"))
        _tell(w, here, found)
        found.delete()


def _new(here: CharacterAccess, title: str, text: str, visibility: str) -> Note:
    author = seat_behind(here)
    count = Note.objects.filter(character=here.character).count()
    if count >= MAX_NOTES:
        raise ActionRefused(_("手控えは%(n)s枚までです。") % {"n": MAX_NOTES}, code="too_many_notes")
    return Note.objects.create(
        character=here.character,
        title=title,
        text=text,
        visibility=visibility,
        author=author,
        position=count,
    )


def _change(
    here: CharacterAccess, note: Note, title: str, text: str, visibility: str, base_version: int | None
) -> Note:
    must(may_edit_note(note, here), _("この手控えを直せるのは書いた人だけです。"))
    if visibility != note.visibility:
        must(here.seat is not None and note.author_id == here.seat.pk, _("公開範囲を変えられるのは書いた人だけです。"))
    same = (note.title, note.text, note.visibility) == (title, text, visibility)
    if same:
        return note
    if base_version is not None and base_version != note.version:
        both = [
            FieldConflict(key, None, yours, theirs)
            for key, yours, theirs in (("title", title, note.title), ("text", text, note.text))
            if yours != theirs
        ]
        raise Conflict(
            _("この手控えは別の画面で書き換えられています。両方を見て、残すほうを選んでください。"),
            both,
            code="note_conflict",
            field="text",
            version=note.version,
        )
    note.title, note.text, note.visibility = title, text, visibility
    note.version += 1
    note.save()
    return note


def _find(here: CharacterAccess, note: Note | int | None) -> Note:
    pk = note if isinstance(note, int) else note.pk if note is not None else 0
    found = Note.objects.select_related("author").filter(pk=pk, character=here.character).first()
    if found is None or not may_see_note(found, here):
        raise ActionRefused(_("その手控えはありません。"), code="no_such_note", status=404)
    return found


def _tell(w: Write, here: CharacterAccess, note: Note) -> None:
    """Tell that notes changed, never what they say, to the writer alone or to whoever may read the note."""
    author = f"seat:{note.author_id}"
    everybody = note.visibility in (Visibility.GROUP, Visibility.LINK, Visibility.LISTED)
    heard = set(audience_of(here.character))
    if not everybody:
        heard = {author, "gm"} if note.visibility == Visibility.GM else {author}
    w.append("character.note", {"character": here.character.pk, "note": note.pk}, sorted(heard))
