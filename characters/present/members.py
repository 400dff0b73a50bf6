"""The members, invitation and NPC panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from characters.actions.members import invitation_token
from characters.forms import members as member_forms
from characters.models import Character, Draft, Invitation, Role, Seat
from characters.present.words import initial, saved_state, state_line
from characters.selectors import campaign as reads
from characters.selectors.access import GM_ROLES, CampaignAccess, CharacterAccess

Sheet = tuple[CharacterAccess, Draft | None]


@dataclass(frozen=True, slots=True)
class SheetLine:
    name: str
    url: str
    state: str


@dataclass(frozen=True, slots=True)
class MemberRow:
    pk: int
    name: str
    initial: str
    role: str
    is_me: bool
    guest: bool
    sheets: tuple[SheetLine, ...]
    chip: str
    chip_kind: str
    may_manage: bool
    may_link: bool
    may_reset: bool
    open: bool
    rename: forms.Form
    role_form: forms.Form | None
    remove: forms.Form | None
    leave: forms.Form | None


@dataclass(frozen=True, slots=True)
class MembersView:
    rows: tuple[MemberRow, ...]


def members_view(access: CampaignAccess, drawn: Sequence[Sheet], given: Mapping[str, Any]) -> MembersView:
    """Who sits here, how far their characters are, and for those who may: what can be done with a seat.

    `given` holds refused forms by name and seat: `{"rename": {pk: form}, "role": …, "remove": …, "leave": form}`.
    """
    sheets: dict[int, list[Sheet]] = {}
    for item, draft in drawn:
        if item.character.kind == Character.Kind.PC:
            sheets.setdefault(item.character.owner_id, []).append((item, draft))
    return MembersView(tuple(_row(access, seat, sheets.get(seat.pk, []), given) for seat in reads.seats_of(access)))


def _row(access: CampaignAccess, seat: Seat, sheets: list[Sheet], given: Mapping[str, Any]) -> MemberRow:
    is_me = seat.pk == access.seat.pk
    manage = access.is_gm and not is_me and (access.is_owner_gm or seat.role not in GM_ROLES)
    chip, kind = _chip(sheets)
    at = f"seat-{seat.pk}-%s"
    found = {name: given.get(name, {}).get(seat.pk) for name in ("rename", "role", "remove")}
    return MemberRow(
        pk=seat.pk,
        name=seat.name,
        initial=initial(seat.name),
        role="" if seat.role == Role.PLAYER else str(seat.get_role_display()),
        is_me=is_me,
        guest=seat.user.is_guest,
        sheets=tuple(
            SheetLine(
                item.character.name or _("名前はまだ"),
                reverse("character", args=[item.character.slug]),
                state_line(item.character, draft),
            )
            for item, draft in sheets
        ),
        chip=chip,
        chip_kind=kind,
        may_manage=manage,
        may_link=manage and seat.user.is_guest,
        may_reset=manage and not seat.user.is_guest,
        open=any(form is not None for form in found.values()) or (is_me and given.get("leave") is not None),
        rename=found["rename"] or member_forms.RenameForm(initial={"name": seat.name}, auto_id=at),
        role_form=(found["role"] or role_form(access, seat)) if manage else None,
        remove=(found["remove"] or member_forms.RemoveForm(auto_id=at)) if manage else None,
        leave=(given.get("leave") or member_forms.LeaveForm(auto_id="leave-%s"))
        if is_me and seat.role != Role.GM
        else None,
    )


def role_form(access: CampaignAccess, seat: Seat, data: Any = None) -> member_forms.RoleForm:
    """The roles this GM may give to a seat."""
    start = {"role": seat.role}
    return member_forms.RoleForm(data, hands_over=access.is_owner_gm, initial=start, auto_id=f"seat-{seat.pk}-%s")


def _chip(sheets: list[Sheet]) -> tuple[str, str]:
    """The one word at the end of a row."""
    for item, draft in sheets:
        character = item.character
        if character.flagged:
            return _("見直しが要る"), "warn"
        if character.status == Character.Status.ASKED:
            return _("確認待ち"), "mark"
        if character.revision is not None and reads.draft_differs(character, draft):
            return _("書き直し中"), "warn"
        if character.revision is None:
            return _("下書き"), ""
    if sheets and all(item.character.status == Character.Status.CLEARED for item, _draft in sheets):
        return _("確認済み"), "ok"
    return "", ""


# ---------------------------------------------------------------- invitations


@dataclass(frozen=True, slots=True)
class InviteRow:
    pk: int
    role: str
    url: str
    hint: str


@dataclass(frozen=True, slots=True)
class InviteView:
    rows: tuple[InviteRow, ...]


def invite_view(access: CampaignAccess) -> InviteView:
    """The links that still lead in. Addresses are paths: the browser makes them whole (`data-absolute`)."""
    return InviteView(tuple(_invite(row) for row in reads.open_invitations(access)))


def _invite(row: Invitation) -> InviteRow:
    hint = _("あと%(n)s人・%(day)sまで。") % {"n": row.uses_left, "day": day(row.expires_at)}
    if row.role == Role.PLAYER:
        hint += _("名前を決めるだけで参加できます。")
    else:
        hint += _("見るだけで、役は持てません。")
    return InviteRow(row.pk, row.role, reverse("invite", args=[invitation_token(row)]), hint)


def day(at: datetime) -> str:
    """A date as the server's zone has it: 「11月30日」."""
    return formats.date_format(timezone.localtime(at), "MONTH_DAY_FORMAT")


# ---------------------------------------------------------------- NPCs


@dataclass(frozen=True, slots=True)
class NpcRow:
    name: str
    initial: str
    url: str
    count: int
    state: str
    secret: bool


@dataclass(frozen=True, slots=True)
class NpcsView:
    rows: tuple[NpcRow, ...]


def npcs_view(access: CampaignAccess, drawn: Sequence[Sheet]) -> NpcsView:
    """The NPCs this seat may see; GMs see all, with their state."""
    rows = []
    for item, draft in drawn:
        character = item.character
        if character.kind != Character.Kind.NPC:
            continue
        rows.append(
            NpcRow(
                name=character.name or _("名前はまだ"),
                initial=initial(character.name or "?"),
                url=reverse("character", args=[character.slug]),
                count=character.count,
                state=state_line(character, draft) if access.is_gm else saved_state(character),
                secret=character.visibility in ("owner", "gm"),
            )
        )
    return NpcsView(tuple(rows))
