"""Which notes of a session somebody may read. Whoever may read one may change it."""

from __future__ import annotations

from sessions.models import SessionNote
from sessions.selectors.access import SessionAccess


def may_see_note(note: SessionNote, access: SessionAccess) -> bool:
    """`own` is the writer alone; `gm` every GM, its writer only while still one."""
    if note.visibility == SessionNote.Visibility.GM:
        return access.is_gm
    return note.visibility == SessionNote.Visibility.OWN and note.author_id == access.seat.pk


def visible_notes(access: SessionAccess) -> list[SessionNote]:
    """The notes this person may read, in the order they were made."""
    rows = SessionNote.objects.select_related("author").filter(session=access.session)
    return [note for note in rows if may_see_note(note, access)]
