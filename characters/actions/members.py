"""Invitations and seats: joining, names, roles, leaving."""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from characters.actions.characters import put_away_all
from characters.actions.errors import ActionRefused
from characters.actions.events import tell_all, who
from characters.actions.pool import free_seat, refresh_total
from characters.actions.recheck import recheck
from characters.actions.text import line
from characters.actions.writing import GMS, campaign_write, must, must_be_gm, repeated, seat_of
from characters.models import Invitation, Role, Seat
from characters.selectors.access import GM_ROLES, CampaignAccess, derived_token, token_hash
from live import topics
from live.topics import Write

MAX_SEATS = 60


# ---------------------------------------------------------------- invitations


def create_invitation(
    *, access: CampaignAccess, role: str = Role.PLAYER, uses: int = 8, days: int = 14, command_id: str = ""
) -> tuple[Invitation, str]:
    """Make an invitation link for players or spectators. Returns it with its token (128 bits). Raises ActionRefused."""
    if role not in (Role.PLAYER, Role.SPECTATOR):
        raise ActionRefused(_("招待できるのはプレイヤーか見学です。"), code="role", field="role", status=422)
    uses = _between(uses, 1, MAX_SEATS, field="uses", label=_("人数"))
    days = _between(days, 1, 365, field="days", label=_("日数"))
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            invitation = repeated(w, Invitation, "invitation")
            return invitation, invitation_token(invitation)
        must_be_gm(here)
        nonce = secrets.token_hex(16)
        invitation = Invitation.objects.create(
            campaign=here.campaign,
            role=role,
            nonce=nonce,
            token_hash=token_hash(derived_token("invite", nonce)),
            uses_left=uses,
            expires_at=timezone.now() + timedelta(days=days),
            created_by=here.seat,
        )
        expires = invitation.expires_at.isoformat()
        data = {"invitation": invitation.pk, "role": role, "uses": uses, "expires": expires}
        w.append("invite.made", data, GMS)
        w.result = {"invitation": invitation.pk}
        return invitation, invitation_token(invitation)


def invitation_token(invitation: Invitation) -> str:
    """The token of an invitation, to show its link again (to GMs only)."""
    return derived_token("invite", invitation.nonce)


def find_invitation(token: str) -> Invitation | None:
    """The invitation a token opens, while it can be used; None otherwise, whatever the reason."""
    found = Invitation.objects.select_related("campaign").filter(token_hash=token_hash(token)).first()
    if found is None or not hmac.compare_digest(token.encode("utf-8", "replace"), invitation_token(found).encode()):
        return None
    usable = found.revoked_at is None and found.uses_left > 0 and found.expires_at > timezone.now()
    return found if usable else None


def revoke_invitation(*, access: CampaignAccess, invitation: Invitation | int, command_id: str = "") -> Invitation:
    """Stop a link. Raises ActionRefused."""
    with campaign_write(access, command_id) as (w, here):
        pk = invitation if isinstance(invitation, int) else invitation.pk
        found = Invitation.objects.filter(pk=pk, campaign=here.campaign).first()
        if found is None:
            raise ActionRefused(_("その招待はありません。"), code="no_such_invitation", status=404)
        if w.repeated:
            return found
        must_be_gm(here)
        if found.revoked_at is None:
            found.revoked_at = timezone.now()
            found.save(update_fields=["revoked_at"])
            w.append("invite.revoked", {"invitation": found.pk, "role": found.role}, GMS)
        return found


def join_campaign(*, user: Any, token: str, name: str, command_id: str = "") -> Seat:
    """Take a seat by invitation. Somebody who already has one keeps it and uses nothing up. Raises ActionRefused.

    Whoever left may come back by any link; whoever was removed needs a link made after that.
    """
    name = line(name, field="name", label=_("呼び名"), limit=40, required=True)
    invitation = find_invitation(token)
    if invitation is None:
        seat = _seat_behind(user, token)
        if seat is not None:
            return seat
        raise _link_over()
    campaign = invitation.campaign
    with topics.write(campaign.topic, user=user, command_id=command_id) as w:
        if w.repeated:
            return repeated(w, Seat, "seat")
        seat = Seat.objects.select_related("user").filter(campaign=campaign, user=user).first()
        if seat is not None and seat.removed_at is None:
            w.result = {"seat": seat.pk}
            return seat
        if seat is not None and not _may_come_back(seat, invitation):
            raise ActionRefused(
                _("この卓から外されています。GMに新しい招待リンクをもらってください。"), code="removed", status=403
            )
        if Seat.objects.filter(campaign=campaign, removed_at=None).count() >= MAX_SEATS:
            raise ActionRefused(_("この卓は満席です（%(n)s人まで）。") % {"n": MAX_SEATS}, code="full")
        usable = Invitation.objects.filter(
            pk=invitation.pk, revoked_at=None, uses_left__gt=0, expires_at__gt=timezone.now()
        )
        if not usable.update(uses_left=F("uses_left") - 1):
            raise _link_over()
        if seat is None:
            seat = Seat.objects.create(campaign=campaign, user=user, role=invitation.role, name=name)
        else:
            seat.role, seat.name, seat.removed_at, seat.removed_by = invitation.role, name, None, None
            seat.save(update_fields=["role", "name", "removed_at", "removed_by"])
        w.append("member.joined", who(seat) | {"role": seat.role}, actor=seat.audience)
        audit.after_commit("joined", user=user.pk, campaign=campaign.pk, role=seat.role)
        refresh_total(w, campaign, cause="players", by=seat)
        recheck(w, campaign, pcs_only=True)
        w.result = {"seat": seat.pk}
        return seat


# ---------------------------------------------------------------- seats


def rename_seat(*, access: CampaignAccess, seat: Seat | int, name: str, command_id: str = "") -> Seat:
    """Change one's own name at this table, or as GM anybody's. Raises ActionRefused."""
    name = line(name, field="name", label=_("呼び名"), limit=40, required=True)
    with campaign_write(access, command_id) as (w, here):
        target = seat_of(here, seat)
        if w.repeated:
            return target
        must(here.is_gm or target.pk == here.seat.pk, _("ほかの人の呼び名を変えられるのはGMだけです。"))
        before = target.name
        if before != name:
            target.name = name
            target.save(update_fields=["name"])
            tell_all(w, "member.renamed", who(target) | {"before": before})
        return target


def set_role(*, access: CampaignAccess, seat: Seat | int, role: str, command_id: str = "") -> Seat:
    """Change a role. Handing over `gm` makes the old GM a co-GM; only the GM changes GM roles.

    Whoever stops being a player gives the allocation back, and their PCs are put away. Raises ActionRefused.
    """
    if role not in Role.values:
        raise ActionRefused(_("その役割はありません。"), code="role", field="role", status=422)
    with campaign_write(access, command_id) as (w, here):
        target = seat_of(here, seat)
        if w.repeated:
            return target
        must_be_gm(here)
        if target.role == role:
            return target
        if not here.is_owner_gm and (role in GM_ROLES or target.role in GM_ROLES):
            must(False, _("GMと副GMを決められるのはGMだけです。"))
        if target.role == Role.GM:
            raise ActionRefused(
                _("GMがいなくなってしまいます。先にほかの人をGMにしてください。"), code="last_gm", field="role"
            )
        if role == Role.GM:
            _change_role(w, here.seat, Role.CO_GM)
        if target.role == Role.PLAYER:
            put_away_all(w, here.campaign, target, by=here.seat)
            free_seat(w, here.campaign, target, by=here.seat)
        _change_role(w, target, role)
        refresh_total(w, here.campaign, cause="players", by=here.seat)
        recheck(w, here.campaign, pcs_only=True)
        return target


def remove_seat(*, access: CampaignAccess, seat: Seat | int, command_id: str = "") -> Seat:
    """Remove somebody from the table (GM). Their PCs are put away and their points are free again."""
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Seat, "seat")
        must_be_gm(here)
        target = seat_of(here, seat)
        if target.role == Role.GM or (target.role == Role.CO_GM and not here.is_owner_gm):
            must(False, _("GMを外すことはできません。"))
        _remove(w, here, target)
        w.result = {"seat": target.pk}
        return target


def leave(*, access: CampaignAccess, command_id: str = "") -> Seat:
    """Leave the table oneself. The GM hands over first. Raises ActionRefused."""
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return here.seat
        if here.is_owner_gm:
            raise ActionRefused(_("GMは抜けられません。先にほかの人をGMにしてください。"), code="last_gm")
        _remove(w, here, here.seat)
        return here.seat


def _remove(w: Write, here: CampaignAccess, seat: Seat) -> None:
    campaign = here.campaign
    put_away_all(w, campaign, seat, by=here.seat)
    free_seat(w, campaign, seat, by=here.seat)
    seat.removed_at = timezone.now()
    seat.removed_by = here.seat
    seat.save(update_fields=["removed_at", "removed_by"])
    left = seat.pk == here.seat.pk
    audit.after_commit("removed", user=seat.user_id, campaign=campaign.pk, by=here.seat.user_id)
    tell_all(w, "member.removed", who(seat) | {"by": here.seat.pk, "left": left})
    refresh_total(w, campaign, cause="players", by=here.seat)
    recheck(w, campaign, pcs_only=True)


def _change_role(w: Write, seat: Seat, role: str) -> None:
    before, seat.role = seat.role, role
    seat.save(update_fields=["role"])
    tell_all(w, "member.role", who(seat) | {"role": role, "before": before})
    audit.after_commit("role_changed", user=seat.user_id, campaign=seat.campaign_id, role=role, before=before)


def _may_come_back(seat: Seat, invitation: Invitation) -> bool:
    if seat.removed_at is None or seat.removed_by_id == seat.pk:
        return True
    return invitation.created_at > seat.removed_at


def _seat_behind(user: Any, token: str) -> Seat | None:
    """The seat of somebody who comes again by a link that is used up meanwhile (a double press)."""
    row = Invitation.objects.filter(token_hash=token_hash(token)).first()
    if row is None:
        return None
    return Seat.objects.filter(campaign_id=row.campaign_id, user=user, removed_at=None).first()


def _link_over() -> ActionRefused:
    return ActionRefused(
        _("この招待リンクは使えません（期限切れ、満員、または止められました）。GMに新しいリンクをもらってください。"),
        code="invitation",
        status=404,
    )


def _between(value: int, least: int, most: int, *, field: str, label: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ActionRefused(
            _("%(label)sは%(least)s〜%(most)sの整数で入れてください。")
            % {"label": label, "least": least, "most": most},
            code="number",
            field=field,
            status=422,
        )
    return value
