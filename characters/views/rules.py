"""The page of the house rules: everybody reads, GMs change a row, take an alternative, or go back to the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from accounts.errors import refuse
from characters.actions.errors import ActionRefused
from characters.actions.house_rules import change_house_rules
from characters.forms import rules as forms
from characters.forms.hidden import whole_number
from characters.present.campaign import Desk, draw
from characters.present.rules import Refused, filled, rule_row, rules_page
from characters.selectors.access import CampaignAccess, campaign_for
from characters.views.desk import lang, see_other
from live import topics
from live.presses import press_id
from rulesets import services
from rulesets.protocol import HouseRule

Overrides = Mapping[str, Any]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_rules(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    if request.method == "POST":
        return _change(request, access)
    return _page(request, access)


def _page(
    request: HttpRequest, access: CampaignAccess, *, refused: Refused | None = None, error: str = "", status: int = 200
) -> HttpResponse:
    seq = topics.current_seq(access.campaign.topic)
    query, show = request.GET.get("q", "")[:100], request.GET.get("show", "")
    page = rules_page(
        access.campaign.system, access.campaign.house_rules, lang(), query=query, show=show, refused=refused
    )
    context = {
        "campaign": access.campaign,
        "access": access,
        "is_gm": access.is_gm,
        "seq": seq,
        "tab": "rules",
        "page": page,
        "query": query,
        "show": show,
        "error": error,
        "panels": draw(Desk(access, lang()), ["flags"], request),
    }
    return render(request, "characters/rules.html", context, status=status)


def _change(request: HttpRequest, access: CampaignAccess) -> HttpResponse:
    """`do`: `set` (the row's controls), `alt:<n>`, `reset`, or `reset_all` for every row."""
    do, key = request.POST.get("do", "set"), request.POST.get("key", "")
    rules = {rule.key: rule for rule in services.house_rules(access.campaign.system, access.campaign.house_rules)}
    rule = rules.get(key)
    command_id = press_id(request)
    try:
        if do == "reset_all":
            change_house_rules(access=access, change=lambda _now: {}, command_id=command_id)
        elif rule is None:
            raise ActionRefused(_("その決めごとはありません。ページを読み込み直してください。"), status=404)
        else:
            change = _changer(access, rule, do, request.POST)
            change_house_rules(access=access, change=change, command_id=command_id)
    except ActionRefused as refused:
        return _refuse(request, access, rule, refused)
    except topics.TopicClosed:
        return _refuse(request, access, rule, ActionRefused(_("この卓は閉じています。")))
    return _done(request, access, key)


def _changer(
    access: CampaignAccess, rule: HouseRule, do: str, data: Mapping[str, str]
) -> Callable[[Overrides], Overrides]:
    """What to make of today's override. Works on the row as it is behind the lock."""
    system = access.campaign.system

    def change(now: Overrides) -> Overrides:
        current = next(row for row in services.house_rules(system, now) if row.key == rule.key)
        if do == "reset":
            return {key: value for key, value in now.items() if key != rule.key}
        if do.startswith("alt:"):
            value = filled(current.value, _alternative(current, do.removeprefix("alt:")))
        else:
            typed = forms.parse(system, current, data)
            value = forms.merged(current, forms.read_base(current, data.get("base", "")), typed, current.value)
        return {**now, rule.key: value}

    return change


def _alternative(rule: HouseRule, index: str) -> Any:
    chosen = whole_number(index)
    if chosen is None or chosen >= len(rule.alternatives):
        raise ActionRefused(_("その候補はありません。ページを読み込み直してください。"), status=404, field=rule.key)
    return rule.alternatives[chosen][1]


def _refuse(
    request: HttpRequest, access: CampaignAccess, rule: HouseRule | None, refused: ActionRefused
) -> HttpResponse:
    if rule is None and request.headers.get("HX-Request"):
        return refuse(request, refused.status, message=refused.message)
    if rule is None:
        return _page(request, access, error=refused.message, status=refused.status)
    here = [problem for problem in refused.problems if problem.path == rule.key]
    found = tuple(problem.message.pick(lang()) for problem in here) or (refused.message,)
    at = frozenset(_cell_name(rule, problem.params) for problem in here)
    shown = Refused(rule.key, forms.typed_controls(rule, request.POST), found, at)
    access = campaign_for(request.user, access.campaign.slug)
    if request.headers.get("HX-Request"):
        return HttpResponse(_row_html(request, access, rule.key, shown), status=refused.status)
    return _page(request, access, refused=shown, status=refused.status)


def _cell_name(rule: HouseRule, params: Mapping[str, object]) -> str:
    row, column = str(params.get("row", "")), str(params.get("column", ""))
    single = rule.schema["type"] != "table" or len(rule.schema["columns"]) == 1
    return row if single else f"{row}.{column}"


def _done(request: HttpRequest, access: CampaignAccess, key: str) -> HttpResponse:
    again = campaign_for(request.user, access.campaign.slug)
    desk = Desk(again, lang())
    done = _affected(desk)
    if key and request.headers.get("HX-Request"):
        response = HttpResponse(_row_html(request, again, key, None))
        return trigger_client_event(response, "takubiyori:toast", {"text": done})
    messages.success(request, done)
    rules = services.house_rules(again.campaign.system, again.campaign.house_rules)
    anchor = next((rule_row(rule, lang()).dom for rule in rules if rule.key == key), "now")
    return see_other(reverse("campaign_rules", args=[again.campaign.slug]) + f"#{anchor}")


def _affected(desk: Desk) -> str:
    saved = [item.character for item, _draft in desk.sheets if item.character.revision is not None]
    flagged = sum(1 for character in saved if character.flagged)
    if not saved:
        return _("決めごとを変えました。")
    return _("決めごとを変え、%(all)s人の役を確かめ直しました。見直しが要るのは%(n)s人です。") % {
        "all": len(saved),
        "n": flagged,
    }


def _row_html(request: HttpRequest, access: CampaignAccess, key: str, refused: Refused | None) -> str:
    rules = services.house_rules(access.campaign.system, access.campaign.house_rules)
    rule = next(rule for rule in rules if rule.key == key)
    context = {
        "campaign": access.campaign,
        "is_gm": access.is_gm,
        "row": rule_row(rule, lang(), refused),
        "open": True,
        "fresh": True,
    }
    return render_to_string("characters/_rule.html", context, request=request)
