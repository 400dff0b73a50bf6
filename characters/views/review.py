"""Versions and the GM's review. Every press comes from the builder and first saves what is typed there."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from characters.actions import builds
from characters.actions import review as actions
from characters.forms.builds import DraftPost
from characters.forms.hidden import whole_number
from characters.selectors.access import CharacterAccess
from characters.views.builder import act


@login_required
@require_POST
def save_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a revision of the draft; a GM's `reason` lets broken rules pass."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        revision = builds.save_build(
            access=access,
            note=request.POST.get("note", ""),
            override_reason=_reason(request, access),
            command_id=post.step("save"),
        )
        return _("第%(n)s版を保存しました。") % {"n": revision.number}

    return act(request, slug, then, uses=("note", "reason"))


@login_required
@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the GM to look at it. A note makes the version first, so that the note stays with it."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        if note := request.POST.get("note", ""):
            builds.save_build(access=access, note=note, command_id=post.step("save"))
        builds.ask_review(access=access, command_id=post.step("ask"))
        return _("GMに見てもらうよう知らせました。")

    return act(request, slug, then, uses=("note",))


@login_required
@require_POST
def clear(request: HttpRequest, slug: str) -> HttpResponse:
    """The GM's yes. `seen` is the revision the page showed as newest."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        builds.clear_character(
            access=access,
            override_reason=_reason(request, access),
            number=whole_number(request.POST.get("seen_number", "")),
            command_id=post.step("clear"),
        )
        return _("確認済みにしました。")

    return act(request, slug, then, uses=("reason",))


@login_required
@require_POST
def send_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand it back to the player, with the remark that stands in the form."""

    def then(access: CharacterAccess, post: DraftPost) -> str:
        field, text = request.POST.get("remark_field", ""), request.POST.get("remark_text", "")
        if text.strip() and field:
            actions.add_remark(access=access, field=field, text=text, command_id=post.step("remark"))
            text = ""
        builds.return_character(access=access, text=text, command_id=post.step("return"))
        return _("差し戻しました。")

    return act(request, slug, then, uses=("remark_text",))


@login_required
@require_POST
def add_remark(request: HttpRequest, slug: str) -> HttpResponse:
    def then(access: CharacterAccess, post: DraftPost) -> str:
        actions.add_remark(
            access=access,
            field=request.POST.get("remark_field", ""),
            text=request.POST.get("remark_text", ""),
            command_id=post.step("remark"),
        )
        return _("指摘を添えました。")

    return act(request, slug, then, uses=("remark_text",))


@login_required
@require_POST
def settle_remark(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    def then(access: CharacterAccess, post: DraftPost) -> None:
        actions.settle_remark(access=access, remark=pk, command_id=post.step("settle"))

    return act(request, slug, then)


@login_required
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm a value the rules leave to the GM (`confirm`), take that back (`unconfirm`), or refuse it for the whole
    campaign (`refuse`)."""

    def then(access: CharacterAccess, post: DraftPost) -> None:
        if field := request.POST.get("unconfirm", ""):
            actions.unconfirm_field(access=access, field=field, command_id=post.step("confirm"))
        elif field := request.POST.get("refuse", ""):
            actions.turn_down(access=access, field=field, command_id=post.step("confirm"))
        else:
            field = request.POST.get("confirm", "")
            actions.confirm_field(access=access, field=field, command_id=post.step("confirm"))

    return act(request, slug, then)


def _reason(request: HttpRequest, access: CharacterAccess) -> str:
    return request.POST.get("reason", "") if access.is_gm else ""
