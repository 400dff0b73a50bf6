"""Notes of a sheet as their reader sees them, with the forms of those who may change them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from characters.forms.notes import NoteForm, OtherVersion
from characters.models import Note, Visibility
from characters.selectors.access import CharacterAccess, may_edit_note, visible_notes


@dataclass(frozen=True, slots=True)
class NoteView:
    pk: int
    title: str
    text: str
    visibility_text: str
    private: bool
    author: str
    updated_at: datetime
    version: int
    form: NoteForm | None
    save_url: str
    delete_url: str


def notes_of(access: CharacterAccess, given: NoteForm | None = None, given_pk: int | None = None) -> list[NoteView]:
    """The notes this viewer may read; `given` is a refused form to show again at note `given_pk`."""
    slug = access.character.slug
    found = []
    for note in visible_notes(access):
        form = None
        if may_edit_note(note, access):
            form = given if given is not None and given_pk == note.pk else _form_for(access, note)
        found.append(
            NoteView(
                pk=note.pk,
                title=note.title,
                text=note.text,
                visibility_text=str(Visibility(note.visibility).label),
                private=note.visibility in (Visibility.OWNER, Visibility.GM),
                author=note.author.name if access.seat is not None else "",
                updated_at=note.updated_at,
                version=note.version,
                form=form,
                save_url=reverse("note_save", args=[slug, note.pk]),
                delete_url=reverse("note_delete", args=[slug, note.pk]),
            )
        )
    return found


def note_form(access: CharacterAccess, pk: int | None, data: Any = None) -> NoteForm:
    """The form of a note (None: a new one), bound to what was sent."""
    note = _find(access, pk)
    initial = {"visibility": note.visibility} if note is not None else None
    return NoteForm(data, initial=initial, may_choose=_may_choose(access, note), auto_id=f"note-{pk or 'new'}-%s")


def other_version(access: CharacterAccess, pk: int) -> OtherVersion | None:
    """What note `pk` says now."""
    note = _find(access, pk)
    return OtherVersion(note.title, note.text, note.author.name) if note is not None else None


def _find(access: CharacterAccess, pk: int | None) -> Note | None:
    return next((note for note in visible_notes(access) if note.pk == pk), None)


def _form_for(access: CharacterAccess, note: Note) -> NoteForm:
    initial = {"title": note.title, "text": note.text, "visibility": note.visibility}
    return NoteForm(initial=initial, may_choose=_may_choose(access, note), auto_id=f"note-{note.pk}-%s")


def _may_choose(access: CharacterAccess, note: Note | None) -> bool:
    return note is None or (access.seat is not None and note.author_id == access.seat.pk)
