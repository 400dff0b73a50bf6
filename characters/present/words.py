"""Sentences about states, the same wherever they appear."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters.models import Character, Draft
from characters.selectors.campaign import draft_differs
from rulesets import services


def initial(name: str) -> str:
    """The one sign a face tile shows."""
    return next((sign for sign in name if sign.isalnum()), "・")


def points(system: str, n: int) -> str:
    """What something cost; "" in a game where nothing costs points."""
    return _("%(n)s点") % {"n": n} if services.has_pool(system) else ""


def bracketed(name: str, detail: str) -> str:
    """`職人技能（大工）`."""
    return _("%(name)s（%(kind)s）") % {"name": name, "kind": detail}


def open_work(draft: Draft | None) -> str:
    """What is left to do in a draft: 「直すところ3つ・決めていないこと2つ」, or nothing."""
    if draft is None:
        return ""
    parts = []
    if draft.errors:
        parts.append(ngettext("直すところ%(n)sつ", "直すところ%(n)sつ", draft.errors) % {"n": draft.errors})
    if draft.open_choices:
        count = draft.open_choices
        parts.append(ngettext("決めていないこと%(n)sつ", "決めていないこと%(n)sつ", count) % {"n": count})
    return _("・").join(parts)


def saved_state(character: Character) -> str:
    """How far the saved sheet is: 「確認済み（第4版）」, 「確認待ち（第2版）」, 「下書き」."""
    revision, cleared = character.revision, character.cleared
    if revision is None:
        return _("下書き（まだ保存していません）")
    if character.status == Character.Status.ASKED:
        return _("確認待ち（第%(n)s版）") % {"n": revision.number}
    if cleared is not None and cleared.pk == revision.pk:
        return _("確認済み（第%(n)s版）") % {"n": revision.number}
    if cleared is not None:
        return _("第%(n)s版・確認済みは第%(c)s版") % {"n": revision.number, "c": cleared.number}
    return _("第%(n)s版・まだ確認されていません") % {"n": revision.number}


def state_line(character: Character, draft: Draft | None) -> str:
    """The saved state and, when the working copy differs, what is left to do in it."""
    parts = [saved_state(character)]
    work = open_work(draft)
    if character.revision is not None and draft_differs(character, draft):
        parts.append(_("書き直しに%(work)s") % {"work": work} if work else _("書き直し中"))
    elif work:
        parts.append(work)
    return _("・").join(parts)
