"""Taking a character file into a campaign: read it on trial, see what would move, then save."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from characters.actions.errors import ActionRefused
from characters.actions.imports import ImportReport, import_document
from characters.forms.imports import ImportForm
from characters.present.imports import import_owners, report_view
from characters.present.systems import presenter
from characters.selectors.access import CampaignAccess, campaign_for
from characters.views.answers import say, see_other
from live.presses import press_id


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    if not (access.is_gm or access.is_player):
        raise PermissionDenied
    owners = import_owners(access)
    if request.method != "POST":
        return _page(request, access, ImportForm(owners=owners), None, 200)
    form = ImportForm(request.POST, request.FILES, owners=owners)
    if not form.is_valid():
        return _page(request, access, form, None, 400)
    data = form.cleaned_data
    saving = request.POST.get("do") == "save"
    try:
        report = import_document(
            access=access,
            data=data["data"],
            dry_run=not saving,
            mode=data["mode"] or "new",
            owner=data.get("owner"),
            again=data["again"],
            command_id=press_id(request) if saving else "",
        )
    except ActionRefused as refusal:
        return _refused(request, access, form, refusal)
    if saving:
        return _saved(request, access, report)
    return _page(request, access, _with_text(form, owners, data["data"]), report, 200)


def _saved(request: HttpRequest, access: CampaignAccess, report: ImportReport) -> HttpResponse:
    if report.character is None:
        say(request, _("「%(name)s」を取り込みました。") % {"name": report.name})
        for sentence in report.left_out:
            say(request, sentence)
        return see_other(reverse("campaign", args=[access.campaign.slug]))
    words = _("前に取り込んだ「%(name)s」を開きます。") if report.repeated else _("「%(name)s」を取り込みました。")
    say(request, words % {"name": report.name})
    for sentence in (*report.changed, *report.left_out):
        say(request, sentence)
    return see_other(reverse("character_edit", args=[report.character.slug]))


def _with_text(form: ImportForm, owners: list[tuple[int, str]] | None, data: bytes | str) -> ImportForm:
    """The same form with the file's text in the field, so that the next press needs no second choosing."""
    text = data if isinstance(data, str) else data.decode("utf-8-sig", "replace")
    initial: dict[str, Any] = {"text": text}
    for name in ("owner", "mode", "again"):
        initial[name] = form.cleaned_data.get(name)
    return ImportForm(initial=initial, owners=owners)


def _refused(request: HttpRequest, access: CampaignAccess, form: ImportForm, refusal: ActionRefused) -> HttpResponse:
    field = "file" if refusal.field == "file" and "file" in request.FILES else "text"
    field = refusal.field if refusal.field in form.fields and refusal.field != "file" else field
    form.add_error(field if refusal.field else None, refusal.message)
    return _page(request, access, form, None, refusal.status)


def _page(
    request: HttpRequest, access: CampaignAccess, form: ImportForm, report: ImportReport | None, status: int
) -> HttpResponse:
    context = {
        "campaign": access.campaign,
        "form": form,
        "report": report_view(access, report) if report is not None else None,
        "slip": _(presenter(access.campaign.system).SLIP),
    }
    return render(request, "characters/import.html", context, status=status)
