"""Notes on a sheet. A refused note comes back with its text, and with the other version when somebody else saved."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from characters.actions import notes as actions
from characters.actions.errors import ActionRefused, Conflict
from characters.forms.notes import NoteForm
from characters.present.notes import note_form, other_version
from characters.selectors.access import CharacterAccess, character_for
from characters.views.answers import refused, say, see_other
from characters.views.sheets import sheet_response
from live.presses import press_id


@login_required
@require_POST
def new(request: HttpRequest, slug: str) -> HttpResponse:
    return _write(request, slug, None)


@login_required
@require_POST
def save(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _write(request, slug, pk)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = character_for(request.user, slug)
    try:
        actions.delete_note(access=access, note=pk, command_id=press_id(request))
    except ActionRefused as refusal:
        return refused(request, refusal)
    say(request, _("手控えを消しました。"))
    return see_other(reverse("character", args=[slug]) + "#notes")


def _write(request: HttpRequest, slug: str, pk: int | None) -> HttpResponse:
    access = character_for(request.user, slug)
    form = note_form(access, pk, request.POST)
    status = 400
    if form.is_valid():
        try:
            _save(request, access, form, pk)
        except ActionRefused as refusal:
            _place(form, refusal)
            status = refusal.status
            if isinstance(refusal, Conflict) and pk is not None:
                # The page now holds the other text too: saving again is a choice made with both in view.
                form.theirs = other_version(access, pk)
                form.seen_version = refusal.data.get("version")
        else:
            say(request, _("手控えを保存しました。"))
            return see_other(reverse("character", args=[slug]) + "#notes")
    return sheet_response(request, access, status=status, note_form=form, note_pk=pk)


def _save(request: HttpRequest, access: CharacterAccess, form: NoteForm, pk: int | None) -> None:
    data = form.cleaned_data
    actions.save_note(
        access=access,
        note=pk,
        title=data["title"],
        text=data["text"],
        visibility=data["visibility"],
        base_version=data["base_version"],
        command_id=press_id(request),
    )


def _place(form: NoteForm, refusal: ActionRefused) -> None:
    field = refusal.field if refusal.field in form.fields else None
    form.add_error(field, refusal.message)
