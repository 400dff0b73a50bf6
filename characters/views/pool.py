"""The pool panel: total, reserve, allocations, wishes, offers, agreement; and the ledger."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from characters.actions import pool as actions
from characters.forms import pool as forms
from characters.forms.hidden import whole_number
from characters.present.ledger import ledger_view
from characters.present.pool import allocate_form
from characters.selectors import campaign as reads
from characters.selectors.access import campaign_for
from characters.views.desk import act


def _named(name: str) -> Any:
    return lambda form: {name: form}


@login_required
@require_POST
def pool_set(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.PoolSetForm(request.POST, auto_id="pool-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.set_pool(access=access, total=data["total"], players=data["players"], command_id=command_id)

    return act(request, access, "pool", form, _named("pool_set"), do, _("総点を決めました。"), by="gm")


@login_required
@require_POST
def pool_reserve(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.ReserveForm(request.POST, auto_id="reserve-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.set_reserve(access=access, points=data["points"], command_id=command_id)

    return act(request, access, "pool", form, _named("reserve"), do, _("GMの預かりを決めました。"), by="gm")


@login_required
@require_POST
def pool_allocate(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    """The GM's figure for one seat; `use_wish` takes the wish that stood on the button."""
    access = campaign_for(request.user, slug)
    target = reads.seat_in(access, seat)
    data = {"points": request.POST.get("use_wish") or request.POST.get("points", "")}
    form = allocate_form(target, data)

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.allocate(access=access, seat=target.pk, points=data["points"], command_id=command_id)

    done = _("%(name)sさんの割り当てを決めました。") % {"name": target.name}
    return act(request, access, "pool", form, lambda form: {"allocate": {target.pk: form}}, do, done, by="gm")


@login_required
@require_POST
def pool_claim(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.ClaimForm(request.POST, auto_id="claim-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.claim(access=access, points=data["points"], command_id=command_id)

    return act(request, access, "pool", form, _named("claim"), do, _("残りから取りました。"), by="player")


@login_required
@require_POST
def pool_release(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.ReleaseForm(request.POST, auto_id="release-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.release(access=access, points=data["points"], command_id=command_id)

    return act(request, access, "pool", form, _named("release"), do, _("一座に戻しました。"), by="player")


@login_required
@require_POST
def pool_wish(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.WishForm(request.POST, auto_id="wish-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.set_wish(access=access, points=data["points"], note=data["note"], command_id=command_id)

    return act(request, access, "pool", form, _named("wish"), do, _("希望を伝えました。"), by="player")


@login_required
@require_POST
def pool_agree(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.AgreeForm(request.POST)
    agreed = request.POST.get("agreed") == "1"

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.set_agreed(access=access, agreed=data["agreed"], command_id=command_id)

    done = _("この分け方に同意しました。") if agreed else _("同意を取り消しました。")
    return act(request, access, "pool", form, _named("agree"), do, done, by="player")


@login_required
@require_POST
def offer_create(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    seats = [(row.pk, row.name) for row in reads.seats_of(access) if row.role == "player" and row.pk != access.seat.pk]
    form = forms.OfferForm(request.POST, auto_id="offer-%s", seats=seats)

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.make_offer(
            access=access,
            receiver=data["receiver"],
            points=data["points"],
            note=data["note"],
            command_id=command_id,
        )

    return act(request, access, "pool", form, _named("offer"), do, _("申し出ました。返事を待っています。"), by="player")


@login_required
@require_POST
def offer_answer(request: HttpRequest, slug: str, offer: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    found = reads.offer_in(access, offer)
    form = forms.AnswerForm(request.POST)

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.answer_offer(access=access, offer=found.pk, take=data["take"], command_id=command_id)

    done = _("受け取りました。") if request.POST.get("take") == "1" else _("断りました。")
    return act(request, access, "pool", form, _named("offer_answer"), do, done)


@login_required
@require_POST
def offer_withdraw(request: HttpRequest, slug: str, offer: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    found = reads.offer_in(access, offer)

    def do(_data: dict[str, Any], command_id: str) -> None:
        actions.withdraw_offer(access=access, offer=found.pk, command_id=command_id)

    form = forms.NothingForm(request.POST)
    return act(request, access, "pool", form, _named("offer_withdraw"), do, _("申し出を取り下げました。"))


@login_required
@require_safe
def campaign_ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Every shift of points, newest first, a page at a time."""
    access = campaign_for(request.user, slug)
    view = ledger_view(access, whole_number(request.GET.get("before", "")))
    context = {"campaign": access.campaign, "access": access, "is_gm": access.is_gm, "ledger": view, "tab": "ledger"}
    return render(request, "characters/ledger.html", context)
