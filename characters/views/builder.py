"""The builder: a page that saves itself field by field, and the same as one plain form without JavaScript.

Every button of the page sends what is typed and not yet saved along with its own wish. So each view here first saves
the fields, then does its own thing, then answers: with the page's parts for the script (`HX-Request`), else with a
redirect, or with the whole page and everything typed when something did not work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from characters.actions import drafts, pool
from characters.actions.drafts import DraftSaved
from characters.actions.errors import ActionRefused
from characters.forms.builds import DraftPost, read_draft_post, told_faces
from characters.forms.hidden import whole_number
from characters.present.board import typed
from characters.present.builder import BuilderPage, Trouble, builder_page
from characters.selectors.access import CharacterAccess, campaign_for, character_for
from characters.selectors.builder import is_level
from characters.views.answers import refused, say, see_other
from live.presses import press_id

Then = Callable[[CharacterAccess, DraftPost], str | None]

# Texts beside the draft, each for its own button; the fields by which the actions call them.
TEXTS = {"note": "note", "reason": "override_reason", "remark_text": "text"}
TEXT_LIMIT = 2_000  # characters of a text that is kept for the next page
KEPT_TEXTS = "builder_texts"  # in the session, while a browser without script is on its way to the next page


# ---------------------------------------------------------------- pages


@login_required
@require_GET
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """The builder. `?parts=1` gives only what the script replaces, or 204 when nothing is newer than its page."""
    access = editable(request, slug)
    if "parts" in request.GET and is_level(access, request.GET.get("version", ""), request.GET.get("seq", "")):
        return HttpResponse(status=204)
    parts = "parts" in request.GET
    texts = {} if parts else request.session.pop(KEPT_TEXTS, {}).get(slug, {})
    remark_field = request.GET.get("remark", "") or texts.get("remark_field", "")
    page = builder_page(
        access, Trouble(texts=texts), show_all=request.GET.get("skills") == "all", remark_field=remark_field
    )
    return _draw(request, access, page, 200, parts=parts)


@login_required
@require_POST
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a PC for oneself, or as a GM for the player `owner`; leads to its builder."""
    access = campaign_for(request.user, slug)
    try:
        character = drafts.create_character(access=access, owner=_owner(request), command_id=press_id(request))
    except ActionRefused as refusal:
        return refused(request, refusal)
    return see_other(reverse("character_edit", args=[character.slug]))


# ---------------------------------------------------------------- presses


@login_required
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    return act(request, slug)


@login_required
@require_POST
def fix(request: HttpRequest, slug: str) -> HttpResponse:
    """A repair or a step: the values come with the button (`fix`)."""
    return act(request, slug)


@login_required
@require_POST
def roll(request: HttpRequest, slug: str) -> HttpResponse:
    """Roll a creation step on the server (`step=money`), or enter the faces of the table (`step=money:told`)."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        step, colon, _how = request.POST.get("step", "").partition(":")
        faces = told_faces(request.POST.get("told", "")) if colon else None
        record = drafts.roll_creation(access=access, step=step, told_faces=faces, command_id=post.step("roll"))
        return _("目は%(faces)sでした。") % {"faces": "・".join(map(str, record.faces))}

    return act(request, slug, then, uses=("told",) if ":" in request.POST.get("step", "") else ())


@login_required
@require_POST
def wish(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the table for so many points more than are allocated (`wish`)."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        campaign = access.campaign_access
        if campaign is None or not access.is_owner:
            raise ActionRefused(_("割り当てを願い出られるのは持ち主だけです。"), code="not_allowed", status=403)
        more = whole_number(request.POST.get("wish", ""))
        if more is None:
            raise ActionRefused(_("願い出る点が読み取れません。ページを読み込み直してください。"), status=422)
        points = campaign.seat.allocation + more
        pool.set_wish(access=campaign, points=points, note="", command_id=post.step("wish"))
        return _("%(n)s点を願い出ました。") % {"n": points}

    return act(request, slug, then)


def _owner(request: HttpRequest) -> int | None:
    """The seat a character is made for; None for oneself."""
    sent = request.POST.get("owner", "")
    seat = whole_number(sent)
    if sent and seat is None:
        raise ActionRefused(_("その人はこの卓にいません。"), code="no_such_seat", field="owner", status=404)
    return seat


# ---------------------------------------------------------------- the common way of every press


def editable(request: HttpRequest, slug: str) -> CharacterAccess:
    """The character with the right to change it; 404 for those who may not see it, 403 for those who only look."""
    access = character_for(request.user, slug)
    if not access.may_edit:
        raise PermissionDenied(_("この人物を直せるのは持ち主とGMだけです。"))
    return access


def act(request: HttpRequest, slug: str, then: Then | None = None, *, uses: tuple[str, ...] = ()) -> HttpResponse:
    """Save what was typed, then do `then`, then answer. `uses` are the texts beside the draft that `then` takes."""
    access = editable(request, slug)
    try:
        post = read_draft_post(access.campaign.system, request.POST, press_id(request))
    except ActionRefused as refusal:
        return _answer(request, access, refusal.status, Trouble(alerts=(refusal.message,)))
    try:
        saved = _save(access, post)
    except ActionRefused as refusal:
        return _answer(request, access, refusal.status, Trouble((refusal.message,), kept=_unsaved(post)))
    if not saved.clean:
        return _answer(request, access, 409 if saved.conflicts else 422, _not_taken(post, saved))
    said: str | None = None
    if then is not None:
        try:
            said = then(access, post)
        except ActionRefused as refusal:
            return _answer(request, access, refusal.status, _refused(request, refusal))
    elif saved.merged:
        said = _("ほかの人の変更%(n)s件を取り込みました。") % {"n": len(saved.merged)}
    if not _is_script(request):
        if said:
            say(request, said)
        if kept := _texts(request, uses):
            request.session[KEPT_TEXTS] = {slug: kept}
        return see_other(reverse("character_edit", args=[access.character.slug]))
    response = _answer(request, access, 200, Trouble(), said or "")
    response.headers["X-Builder-Used"] = " ".join(uses)
    return response


def _texts(request: HttpRequest, used: tuple[str, ...] = ()) -> dict[str, str]:
    """What is typed beside the draft and was not used by this press; the script keeps it by itself."""
    if _is_script(request):
        return {}
    sent = {name: request.POST.get(name, "")[:TEXT_LIMIT] for name in TEXTS if name not in used}
    texts = {name: text for name, text in sent.items() if text}
    return texts | {"remark_field": request.POST.get("remark_field", "")[:80]} if "remark_text" in texts else texts


def _save(access: CharacterAccess, post: DraftPost) -> DraftSaved:
    if not post.edits:
        return DraftSaved(0)
    return drafts.edit_draft(access=access, edits=post.edits, seen_version=post.seen, command_id=post.command_id)


def _unsaved(post: DraftPost) -> dict[str, str]:
    return {key: post.typed.get(key, typed(edit.value)) for key, edit in post.edits.items()}


def _not_taken(post: DraftPost, saved: DraftSaved) -> Trouble:
    """Conflicts and refusals with what was typed at their fields; everything else is stored."""
    unsaved = _unsaved(post)
    kept = {key: unsaved.get(key, "") for key in _keys_left(saved)}
    return Trouble(
        kept=kept,
        refused={one.key: one.message for one in saved.refused},
        conflicts=saved.conflicts,
    )


def _keys_left(saved: DraftSaved) -> list[str]:
    return [one.key for one in saved.conflicts] + [one.key for one in saved.refused]


def _refused(request: HttpRequest, refusal: ActionRefused) -> Trouble:
    """A refusal at its field where the page has one, else at the top."""
    if refusal.code == "faces" or refusal.field == "told":
        return Trouble(told=request.POST.get("told", "")[:40], told_error=refusal.message)
    for name, field in TEXTS.items():
        if refusal.field == field and name in request.POST:
            return Trouble(text_errors={name: refusal.message})
    return Trouble(alerts=(refusal.message,))


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _answer(
    request: HttpRequest, access: CharacterAccess, status: int, trouble: Trouble, said: str = ""
) -> HttpResponse:
    texts = _texts(request)
    page = builder_page(
        access,
        replace(trouble, texts=texts),
        show_all=request.POST.get("view") == "all",
        remark_field=texts.get("remark_field", ""),
    )
    response = _draw(request, access, page, status, parts=_is_script(request))
    if said:
        response.headers["X-Builder-Said"] = quote(said)
    return response


def _draw(
    request: HttpRequest, access: CharacterAccess, page: BuilderPage, status: int, *, parts: bool
) -> HttpResponse:
    template = "characters/builder_parts.html" if parts else "characters/builder.html"
    response = render(request, template, {"page": page, "campaign": access.campaign}, status=status)
    response.headers["X-Builder"] = "1"
    response.headers["X-Builder-Seq"] = str(page.seq)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "HX-Request, Cookie"
    return response
