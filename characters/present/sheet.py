"""The sheet of any game: what it is, who may see it, notes, versions; the game adds its panels. Also the A4 page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.characters import share_token
from characters.forms.notes import NoteForm
from characters.models import Character, Visibility
from characters.present.board import Board
from characters.present.notes import NoteView, note_form, notes_of
from characters.present.played import PlayedRow, played
from characters.present.systems import Around, CostRow, presenter
from characters.present.words import points, saved_state
from characters.selectors.access import BY_LINK, CharacterAccess
from characters.selectors.builder import players_beside
from characters.selectors.builds import BuildView, creation_records, open_remarks, rolled_fields, sheet_view
from rulesets import services
from rulesets.engine.problems import Report


@dataclass(frozen=True, slots=True)
class SheetParts:
    """What a build looks like, wherever it is shown."""

    name: str
    subtitle: str
    system: Any
    costs: tuple[CostRow, ...]
    spent: int
    report: Report


@dataclass(frozen=True, slots=True)
class Chip:
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class SheetRemark:
    label: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Everything `characters/sheet.html` shows."""

    slug: str
    name: str
    meta: str
    count: int
    chips: tuple[Chip, ...]
    campaign_slug: str
    campaign_name: str
    in_campaign: bool
    is_draft: bool
    deleted: bool
    may_restore: bool
    override_reason: str
    flagged: tuple[str, ...]
    refused: str
    system: Any
    costs: tuple[CostRow, ...]
    spent: int
    budget: int | None
    remarks: tuple[SheetRemark, ...]
    played: tuple[PlayedRow, ...]
    notes: tuple[NoteView, ...]
    note_form: NoteForm | None
    note_url: str
    may_edit: bool
    may_publish: bool
    may_delete: bool
    may_count: bool
    may_duplicate: bool
    count_shown: str
    count_error: str
    transfer_to: tuple[tuple[int, str], ...]
    visibility: str
    visibilities: tuple[tuple[str, str], ...]
    visibility_hint: str
    share_url: str
    share_open: bool
    revision_line: str
    print_url: str
    export_url: str


def sheet_parts(access: CharacterAccess, view: BuildView, lang: str) -> SheetParts:
    """The game's panels for a build, with names and costs."""
    character, campaign = access.character, access.campaign
    game = presenter(campaign.system)
    tables = services.tables(campaign.system, campaign.house_rules)
    board = Board(campaign.system, campaign.house_rules, view.fields, view.report, lang, editable=False)
    around = Around(
        npc=character.kind == Character.Kind.NPC,
        is_gm=access.is_gm,
        rolled=rolled_fields(view.fields, creation_records(character)),
        rolled_steps=frozenset(),
    )
    return SheetParts(
        name=services.display_name(campaign.system, view.fields) or _("名前はまだない"),
        subtitle=game.subtitle(view.fields, tables, lang),
        system=game.sheet(board, around),
        costs=tuple(game.costs(view.report, view.fields, tables, lang)),
        spent=view.report.spent,
        report=view.report,
    )


def sheet_page(
    access: CharacterAccess,
    root: str,
    *,
    token: str = "",
    note_form: NoteForm | None = None,
    note_pk: int | None = None,
    count_error: str = "",
    count_shown: str = "",
    refused: str = "",
) -> SheetPage:
    """The sheet for this viewer. `root` is the site's address, `token` the share link it was opened by."""
    lang = get_language() or "ja"
    access = _again(access)
    character = access.character
    view = sheet_view(access)
    parts = sheet_parts(access, view, lang)
    npc = character.kind == Character.Kind.NPC
    inside = access.seat is not None
    publish = access.may_edit and (access.is_owner or npc)
    share = share_token(character) if publish else ""
    given_new = note_form if note_pk is None else None
    return SheetPage(
        slug=character.slug,
        name=parts.name,
        meta=_meta(access, parts, npc),
        count=character.count,
        chips=_chips(access, view, inside),
        campaign_slug=access.campaign.slug if inside else "",
        campaign_name=access.campaign.name,
        in_campaign=inside,
        is_draft=view.source == "draft",
        deleted=character.deleted_at is not None,
        may_restore=character.deleted_at is not None and (access.is_owner or access.is_gm),
        override_reason=_override(character, view) if inside else "",
        flagged=_flagged(character, view, lang) if inside else (),
        refused=refused,
        system=parts.system,
        costs=parts.costs,
        spent=parts.spent,
        budget=view.budget if inside and access.audience in ("owner", "gm") else None,
        remarks=_remarks(access, lang),
        played=played(access, lang),
        notes=tuple(notes_of(access, note_form, note_pk)),
        note_form=(given_new or _blank_note(access)) if access.may_edit else None,
        note_url=reverse("note_new", args=[character.slug]),
        may_edit=access.may_edit,
        may_publish=publish,
        may_delete=access.may_edit,
        may_count=npc and access.is_gm and access.may_edit,
        may_duplicate=npc and access.is_gm and access.may_edit,
        count_shown=count_shown or str(character.count),
        count_error=count_error,
        transfer_to=tuple((seat.pk, seat.name) for seat in players_beside(access)),
        visibility=character.visibility,
        visibilities=_visibilities(npc),
        visibility_hint=_visibility_hint(character, npc),
        share_url=root.rstrip("/") + reverse("shared_character", args=[share]) if share else "",
        share_open=character.visibility in BY_LINK,
        revision_line=_revision_line(character, view) if inside else "",
        print_url=_url("print", character, token),
        export_url=_url("export", character, token),
    )


def _again(access: CharacterAccess) -> CharacterAccess:
    """The character as it is after whatever the view just did."""
    row = (
        Character.objects.select_related("campaign", "owner__user", "revision", "cleared", "draft")
        .filter(pk=access.character.pk)
        .get()
    )
    return CharacterAccess(row, access.seat, access.by_link)


def _meta(access: CharacterAccess, parts: SheetParts, npc: bool) -> str:
    owner = "" if npc or access.seat is None else _("%(name)sさん") % {"name": access.character.owner.name}
    state = saved_state(access.character) if access.seat is not None else ""
    return _("・").join(part for part in (parts.subtitle, owner, state) if part)


def _chips(access: CharacterAccess, view: BuildView, inside: bool) -> tuple[Chip, ...]:
    character = access.character
    if not inside:
        return (Chip(_("読むだけ")),)
    chips = [Chip(_("NPC"))] if character.kind == Character.Kind.NPC else []
    status = {"draft": "", "asked": "mark", "cleared": "ok"}[character.status]
    unchecked = character.status == Character.Status.DRAFT and view.source == "revision"
    chips.append(Chip(_("未確認") if unchecked else str(Character.Status(character.status).label), status))
    shown_to = dict(_visibilities(character.kind == Character.Kind.NPC)).get(character.visibility) or _("GMだけ")
    chips.append(Chip(shown_to, "secret" if character.visibility in ("owner", "gm") else ""))
    if _override(character, view):
        chips.append(Chip(_("特に認めた版"), "warn"))
    if character.flagged:
        chips.append(Chip(_("見直しが要る"), "danger"))
    return tuple(chips)


def _override(character: Character, view: BuildView) -> str:
    revision = character.revision
    return revision.override_reason if revision is not None and view.source == "revision" else ""


def _flagged(character: Character, view: BuildView, lang: str) -> tuple[str, ...]:
    """Today's words for what was found when rules or pool changed."""
    codes = set(character.flagged)
    return tuple(problem.message.pick(lang) for problem in view.report.problems if problem.code in codes)


def _remarks(access: CharacterAccess, lang: str) -> tuple[SheetRemark, ...]:
    campaign = access.campaign
    rows = []
    for row in open_remarks(access):
        label = services.field_label(campaign.system, row.field, campaign.house_rules).pick(lang) if row.field else ""
        rows.append(SheetRemark(label, row.text, row.by.name if row.by else _("GM")))
    return tuple(rows)


def _blank_note(access: CharacterAccess) -> NoteForm:
    return note_form(access, None)


def _visibilities(npc: bool) -> tuple[tuple[str, str], ...]:
    if not npc:
        return tuple((str(value), str(label)) for value, label in Visibility.choices)
    words = {str(Visibility.GM): _("GMだけ")}
    rows = [(str(value), str(label)) for value, label in Visibility.choices if value != Visibility.OWNER]
    return tuple((value, words.get(value, label)) for value, label in rows)


def _visibility_hint(character: Character, npc: bool) -> str:
    pooled = services.has_pool(character.campaign.system)
    hints = {
        Visibility.OWNER: _("使った点だけが一座に見えます。") if pooled else _("ほかの人には見えません。"),
        Visibility.GM: _("GMのほかには見えません。") if npc else _("GMと持ち主だけが見られます。"),
        Visibility.GROUP: _("この卓の人が見られます。"),
        Visibility.LINK: _("リンクを知る人はだれでも見られます。"),
        Visibility.LISTED: _("だれでも見られます。"),
    }
    return hints[Visibility(character.visibility)]


def _revision_line(character: Character, view: BuildView) -> str:
    revision = character.revision
    if revision is None or view.number is None:
        return _("版はまだありません。")
    at = timezone.localtime(revision.made_at)
    by = revision.made_by.name if revision.made_by else "—"
    day = formats.date_format(at, "MONTH_DAY_FORMAT")
    saved = _("第%(n)s版・%(by)sが%(day)sに保存") % {"n": revision.number, "by": by, "day": day}
    return _("・").join(part for part in (saved, points(character.campaign.system, revision.spent)) if part)


def _url(what: str, character: Character, token: str) -> str:
    if token:
        return reverse(f"shared_{what}", args=[token])
    return reverse(f"character_{what}", args=[character.slug])


# ---------------------------------------------------------------- on paper


@dataclass(frozen=True, slots=True)
class PrintPage:
    """Everything `characters/print.html` shows."""

    system_slug: str
    name: str
    player: str
    game: str
    campaign_name: str
    stamp: str
    points_line: str
    cost_pairs: tuple[tuple[CostRow, ...], ...]
    notes: tuple[NoteView, ...]
    url_line: str
    back_url: str
    system: Any


def print_page(access: CharacterAccess, back_url: str) -> PrintPage:
    """The A4 page. It holds only what the whole group (or, by a link, everybody) may see: paper is passed round."""
    lang = get_language() or "ja"
    access = _again(access)
    character, campaign = access.character, access.campaign
    view = sheet_view(access)
    parts = sheet_parts(access, view, lang)
    npc = character.kind == Character.Kind.NPC
    inside = access.seat is not None
    version = _("第%(n)s版") % {"n": view.number} if view.number else _("下書き")
    today: datetime = timezone.localtime()
    budget = ""
    if inside and not npc and character.owner.allocation:
        budget = _("割り当て%(n)s・") % {"n": character.owner.allocation}
    return PrintPage(
        system_slug=campaign.system,
        name=parts.name,
        player=_("%(name)sさん") % {"name": character.owner.name} if inside and not npc else "",
        game=services.get(campaign.system).names.pick(lang),
        campaign_name=campaign.name if inside else "",
        stamp=_("%(day)s・%(version)s") % {"day": formats.date_format(today, "MONTH_DAY_FORMAT"), "version": version},
        points_line=budget + _("使った%(n)s") % {"n": parts.spent},
        cost_pairs=_pairs(parts.costs),
        notes=tuple(note for note in notes_of(access) if not note.private),
        url_line="1/1",
        back_url=back_url,
        system=parts.system,
    )


def _pairs(costs: Sequence[CostRow]) -> tuple[tuple[CostRow, ...], ...]:
    rows = [cost for cost in costs if cost.points]
    return tuple(tuple(rows[at : at + 2]) for at in range(0, len(rows), 2))
