"""The party's build points: total, reserve, allocations, offers, agreement, and the ledger of every shift.

No shift may raise the sum of allocations, nor a save the sum spent, above the pool: the conditional updates here say so
in the database (rules/edo.md §3.3), whoever holds the lock. A cut of the pool may leave it above; then it is flagged.
"""

from __future__ import annotations

from django.db.models import F, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused, PoolExceeded, pool_exceeded
from characters.actions.events import tell_all, who
from characters.actions.recheck import recheck
from characters.actions.text import line
from characters.actions.writing import (
    campaign_write,
    must,
    must_be_gm,
    player_seats,
    pool_of,
    repeated,
    seat_of,
)
from characters.models import Campaign, Character, Offer, Pool, PoolEntry, Role, Seat
from characters.selectors.access import CampaignAccess
from characters.selectors.points import spent_by_seat
from live.topics import Write
from rulesets import services

MAX_POINTS = 100_000
MAX_PLAYERS = 12
_Kind = PoolEntry.Kind


# ---------------------------------------------------------------- the total


def set_pool(
    *, access: CampaignAccess, total: int | None = None, players: int | None = None, command_id: str = ""
) -> Pool:
    """Set the GM's own figure (None: by the number of players) and the expected number of players (None: those here).

    A cut below what is allocated or spent is allowed and flags the characters. Raises ActionRefused.
    """
    if total is not None:
        total = points_within(total, field="total", least=0)
    with campaign_write(access, command_id) as (w, here):
        pool = pool_of(here.campaign)
        if w.repeated:
            return pool
        must_be_gm(here)
        pool.override, pool.players = total, player_number(players)
        pool.save(update_fields=["override", "players"])
        refresh_total(w, here.campaign, cause="gm", by=here.seat, always=True)
        recheck(w, here.campaign, pcs_only=True)
        return pool_of(here.campaign)


def pool_size(campaign: Campaign, *, override: int | None, players: int | None) -> int | None:
    """The total a pool has now; None when the game has none. No players yet: nothing."""
    count = players if players is not None else player_seats(campaign).count()
    total = services.pool_total(campaign.system, max(count, 1), campaign.house_rules)
    if total is None or override is not None:
        return None if total is None else override
    return total if count else 0


def refresh_total(w: Write, campaign: Campaign, *, cause: str, by: Seat | None = None, always: bool = False) -> None:
    """Bring the stored total level with players, rules and override; tells and enters a change in the ledger."""
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return
    before = pool.total
    total = pool_size(campaign, override=pool.override, players=pool.players)
    if total is None or (total == before and not always):
        return
    Pool.objects.filter(pk=pool.pk).update(total=total)
    if total != before:
        enter(campaign, _Kind.POOL, delta=total - before, after=total, by=by, note=cause)
        _clear_agreements(campaign)
    data = {"total": total, "before": before, "cause": cause, "override": pool.override, "players": pool.players}
    tell_all(w, "pool.set", data)


def set_reserve(*, access: CampaignAccess, points: int, command_id: str = "") -> Pool:
    """Hold points back from the players. Raises PoolExceeded when fewer are unallocated."""
    points = points_within(points, field="points", least=0)
    with campaign_write(access, command_id) as (w, here):
        pool = pool_of(here.campaign)
        if w.repeated:
            return pool
        must_be_gm(here)
        before = pool.reserve
        if points == before:
            return pool
        rows = Pool.objects.filter(pk=pool.pk)
        if points > before:
            rows = rows.filter(total__gte=F("allocated") + points)
        if not rows.update(reserve=points):
            free = max(0, pool.total - pool.allocated)
            raise PoolExceeded(
                _("預かれるのは、まだ割り当てていない%(free)s点までです。") % {"free": free}, left=free, field="points"
            )
        enter(here.campaign, _Kind.RESERVE, delta=points - before, after=points, by=here.seat)
        tell_all(w, "pool.reserve", {"reserve": points, "before": before})
        return pool_of(here.campaign)


# ---------------------------------------------------------------- allocations


def allocate(*, access: CampaignAccess, seat: Seat | int, points: int, command_id: str = "") -> Seat:
    """Set a player's allocation to an absolute figure (GM). Free points go first, then the GM's reserve.

    Raises PoolExceeded (V04) when the sum of allocations would rise above the pool.
    """
    points = points_within(points, field="points", least=0)
    with campaign_write(access, command_id) as (w, here):
        target = seat_of(here, seat)
        if w.repeated:
            return target
        must_be_gm(here)
        must(target.role == Role.PLAYER, _("点を割り当てられるのはプレイヤーだけです。"))
        before = target.allocation
        if points == before:
            return target
        pool = _shift_sum(here.campaign, points - before)
        _shift(target, points - before)
        enter(here.campaign, _Kind.ALLOCATE, seat=target, delta=points - before, after=points, by=here.seat)
        _shrink_reserve(w, pool, by=here.seat)
        data = who(target) | {"points": points, "before": before, "by": here.seat.pk}
        tell_all(w, "pool.allocated", data)
        _after_allocation(w, here.campaign, target)
        return target


def claim(*, access: CampaignAccess, points: int, command_id: str = "") -> Seat:
    """Take free points for one's own seat. Raises PoolExceeded when fewer are free."""
    points = points_within(points, field="points", least=1)
    with campaign_write(access, command_id) as (w, here):
        seat = here.seat
        if w.repeated:
            return seat
        _must_play(here)
        pool = pool_of(here.campaign)
        free = Pool.objects.filter(pk=pool.pk, total__gte=F("allocated") + F("reserve") + points)
        if not free.update(allocated=F("allocated") + points):
            left = max(0, pool.total - pool.allocated - pool.reserve)
            raise PoolExceeded(
                _("残りは%(left)s点です。%(points)s点は取れません。") % {"left": left, "points": points},
                left=left,
                field="points",
            )
        _shift(seat, points)
        enter(here.campaign, _Kind.CLAIM, seat=seat, delta=points, after=seat.allocation, by=seat)
        tell_all(w, "pool.claimed", who(seat) | {"points": points, "allocation": seat.allocation})
        _after_allocation(w, here.campaign, seat)
        return seat


def release(*, access: CampaignAccess, points: int, command_id: str = "") -> Seat:
    """Give unspent points of one's own seat back to the party. Raises ActionRefused."""
    points = points_within(points, field="points", least=1)
    with campaign_write(access, command_id) as (w, here):
        seat = here.seat
        if w.repeated:
            return seat
        _must_play(here)
        pool = pool_of(here.campaign)
        _must_have_unspent(seat, points)
        Pool.objects.filter(pk=pool.pk).update(allocated=F("allocated") - points)
        _shift(seat, -points)
        enter(here.campaign, _Kind.RETURN, seat=seat, delta=-points, after=seat.allocation, by=seat)
        tell_all(w, "pool.released", who(seat) | {"points": points, "allocation": seat.allocation})
        _after_allocation(w, here.campaign, seat)
        return seat


def set_wish(*, access: CampaignAccess, points: int | None, note: str = "", command_id: str = "") -> Seat:
    """Say how many points one would like, and why. None takes the wish back. Raises ActionRefused."""
    if points is not None:
        points = points_within(points, field="points", least=0)
    note = line(note, field="note", label=_("ひとこと"), limit=200)
    with campaign_write(access, command_id) as (w, here):
        seat = here.seat
        if w.repeated:
            return seat
        _must_play(here)
        pool_of(here.campaign)
        if (seat.wish, seat.wish_note) != (points, note):
            seat.wish, seat.wish_note = points, note
            seat.save(update_fields=["wish", "wish_note"])
            tell_all(w, "pool.wished", who(seat) | {"wish": points, "note": note})
        return seat


def set_agreed(*, access: CampaignAccess, agreed: bool, command_id: str = "") -> Seat:
    """Agree to the split as it stands, or no longer. Any later shift takes every agreement back."""
    with campaign_write(access, command_id) as (w, here):
        seat = here.seat
        if w.repeated:
            return seat
        _must_play(here)
        pool_of(here.campaign)
        if seat.agreed != agreed:
            seat.agreed = agreed
            seat.save(update_fields=["agreed"])
            everybody = not player_seats(here.campaign).filter(agreed=False).exists()
            tell_all(w, "pool.agreed", who(seat) | {"agreed": agreed, "all": everybody})
        return seat


# ---------------------------------------------------------------- offers


def make_offer(
    *, access: CampaignAccess, receiver: Seat | int, points: int, note: str = "", command_id: str = ""
) -> Offer:
    """Offer unspent points of one's own to another player. Nothing moves before it is taken. Raises ActionRefused."""
    points = points_within(points, field="points", least=1)
    note = line(note, field="note", label=_("ひとこと"), limit=200)
    with campaign_write(access, command_id) as (w, here):
        if w.repeated:
            return repeated(w, Offer, "offer")
        _must_play(here)
        pool_of(here.campaign)
        target = seat_of(here, receiver)
        must(target.role == Role.PLAYER, _("点を譲れる相手はプレイヤーだけです。"))
        if target.pk == here.seat.pk:
            raise ActionRefused(_("自分には譲れません。"), code="same_seat", field="receiver", status=422)
        open_points = here.campaign.offers.filter(giver=here.seat, state=Offer.State.OPEN).aggregate(n=Sum("points"))
        _must_have_unspent(here.seat, points + (open_points["n"] or 0))
        offer = Offer.objects.create(campaign=here.campaign, giver=here.seat, receiver=target, points=points, note=note)
        tell_all(w, "pool.offered", _offer_data(offer) | {"note": note})
        w.result = {"offer": offer.pk}
        return offer


def answer_offer(*, access: CampaignAccess, offer: Offer | int, take: bool, command_id: str = "") -> Offer:
    """Take an offer (the allocation moves at once) or decline it. Raises ActionRefused."""
    with campaign_write(access, command_id) as (w, here):
        found = _open_offer(here, offer, repeated_ok=w.repeated)
        if w.repeated:
            return found
        must(found.receiver_id == here.seat.pk, _("答えられるのは申し出を受けた人だけです。"))
        if take:
            _move(w, here, found)
        found.state = Offer.State.TAKEN if take else Offer.State.DECLINED
        found.answered_at = timezone.now()
        found.save(update_fields=["state", "answered_at"])
        tell_all(w, "pool.offer_answered", _offer_data(found) | {"taken": take})
        w.result = {"offer": found.pk}
        return found


def withdraw_offer(*, access: CampaignAccess, offer: Offer | int, command_id: str = "") -> Offer:
    """Take back an offer that was not answered yet (its giver, or a GM). Raises ActionRefused."""
    with campaign_write(access, command_id) as (w, here):
        found = _open_offer(here, offer, repeated_ok=w.repeated)
        if w.repeated:
            return found
        must(here.is_gm or found.giver_id == here.seat.pk, _("取り下げられるのは申し出た人だけです。"))
        close_offer(w, found)
        w.result = {"offer": found.pk}
        return found


def close_offer(w: Write, offer: Offer) -> None:
    """Withdraw an open offer, whoever asked for it."""
    offer.state = Offer.State.WITHDRAWN
    offer.answered_at = timezone.now()
    offer.save(update_fields=["state", "answered_at"])
    tell_all(w, "pool.offer_withdrawn", _offer_data(offer))


def _move(w: Write, here: CampaignAccess, offer: Offer) -> None:
    giver = Seat.objects.get(pk=offer.giver_id)
    if giver.removed_at is not None or giver.role != Role.PLAYER:
        raise ActionRefused(
            _("%(name)sさんはもうこの卓のプレイヤーではありません。") % {"name": giver.name}, code="gone"
        )
    _must_have_unspent(giver, offer.points)
    receiver = here.seat
    _shift(giver, -offer.points)
    _shift(receiver, offer.points)
    for seat, other, delta in ((giver, receiver, -offer.points), (receiver, giver, offer.points)):
        enter(
            here.campaign,
            _Kind.GIVE,
            seat=seat,
            other=other,
            delta=delta,
            after=seat.allocation,
            by=receiver,
            note=offer.note,
        )
    _after_allocation(w, here.campaign, giver, receiver)


# ---------------------------------------------------------------- spending and freeing, for the other actions


def spend(w: Write, character: Character, delta: int, *, after: int, by: Seat | None, kind: str = _Kind.SPEND) -> None:
    """Count a change of a PC's `spent` into the pool and the ledger. Raises PoolExceeded (V03a), changing nothing.

    The ledger is for all, so it holds no name: `selectors.pool.ledger` names what its reader may see.
    """
    campaign, seat = character.campaign, character.owner
    rows = Pool.objects.filter(campaign=campaign)
    if delta == 0 or not rows.exists():
        return
    guarded = rows.filter(total__gte=F("spent") + delta) if delta > 0 else rows
    if not guarded.update(spent=F("spent") + delta):
        pool = rows.get()
        raise pool_exceeded(campaign.system, "V03a", left=max(0, pool.total - pool.spent))
    enter(campaign, kind, seat=seat, delta=delta, after=after, by=by, character=character)
    data = who(seat) | {"spent": spent_by_seat(campaign).get(seat.pk, 0), "pool_spent": rows.get().spent}
    tell_all(w, "pool.spent", data)


def free_seat(w: Write, campaign: Campaign, seat: Seat, *, by: Seat) -> None:
    """Give a whole allocation back and close the seat's offers: the seat stops playing."""
    open_offers = campaign.offers.filter(state=Offer.State.OPEN)
    for offer in [*open_offers.filter(giver=seat), *open_offers.filter(receiver=seat)]:
        close_offer(w, offer)
    points = seat.allocation
    if points:
        Pool.objects.filter(campaign=campaign).update(allocated=F("allocated") - points)
        _shift(seat, -points)
        enter(campaign, _Kind.RETURN, seat=seat, delta=-points, after=0, by=by)
        tell_all(w, "pool.released", who(seat) | {"points": points, "allocation": 0})
        _clear_agreements(campaign)
    if seat.agreed or seat.wish is not None:
        seat.agreed, seat.wish, seat.wish_note = False, None, ""
        seat.save(update_fields=["agreed", "wish", "wish_note"])


def enter(
    campaign: Campaign,
    kind: str,
    *,
    delta: int,
    after: int,
    seat: Seat | None = None,
    other: Seat | None = None,
    by: Seat | None = None,
    note: str = "",
    character: Character | None = None,
) -> None:
    """One line of the ledger."""
    PoolEntry.objects.create(
        campaign=campaign,
        kind=kind,
        seat=seat,
        other=other,
        by=by,
        delta=delta,
        after=after,
        note=note[:200],
        character=character,
    )


# ---------------------------------------------------------------- small parts


def points_within(points: int, *, field: str, least: int) -> int:
    """A number of points that may be typed. Raises ActionRefused (422)."""
    if isinstance(points, bool) or not isinstance(points, int) or not least <= points <= MAX_POINTS:
        raise ActionRefused(
            _("点数は%(least)s〜%(most)sの整数で入れてください。") % {"least": least, "most": MAX_POINTS},
            code="points",
            field=field,
            status=422,
        )
    return points


def player_number(players: int | None) -> int | None:
    """A number of players or None. Raises ActionRefused (422)."""
    if players is not None and not 1 <= players <= MAX_PLAYERS:
        raise ActionRefused(
            _("プレイヤーの人数は1〜%(max)s人で決めてください。") % {"max": MAX_PLAYERS},
            code="players",
            field="players",
            status=422,
        )
    return players


def _must_play(here: CampaignAccess) -> None:
    must(here.is_player, _("役作り点を持てるのはプレイヤーだけです。"))


def _must_have_unspent(seat: Seat, points: int) -> None:
    spent = Character.objects.filter(owner=seat, kind=Character.Kind.PC, deleted_at=None).aggregate(n=Sum("spent"))
    unspent = max(0, seat.allocation - (spent["n"] or 0))
    if points > unspent:
        raise PoolExceeded(
            _("%(name)sさんの割り当てで、まだ使っていないのは%(left)s点です。") % {"name": seat.name, "left": unspent},
            left=unspent,
            code="unspent",
            field="points",
        )


def _shift_sum(campaign: Campaign, delta: int) -> Pool:
    """Change the sum of allocations, guarded. Raises PoolExceeded (V04). Returns the pool afterwards."""
    pool = pool_of(campaign)
    rows = Pool.objects.filter(pk=pool.pk)
    if delta > 0:
        rows = rows.filter(total__gte=F("allocated") + delta)
    if not rows.update(allocated=F("allocated") + delta):
        over = pool.allocated + delta - pool.total
        left = max(0, pool.total - pool.allocated)
        raise pool_exceeded(campaign.system, "V04", left=left, field="points", pool=pool.total, over=over)
    return pool_of(campaign)


def _shrink_reserve(w: Write, pool: Pool, *, by: Seat) -> None:
    left = max(0, pool.total - pool.allocated)
    if pool.reserve > left:
        Pool.objects.filter(pk=pool.pk).update(reserve=left)
        enter(pool.campaign, _Kind.RESERVE, delta=left - pool.reserve, after=left, by=by)
        tell_all(w, "pool.reserve", {"reserve": left, "before": pool.reserve})


def _shift(seat: Seat, delta: int) -> None:
    """Change a seat's allocation in the database, never below nothing."""
    if not Seat.objects.filter(pk=seat.pk, allocation__gte=-delta).update(allocation=F("allocation") + delta):
        raise PoolExceeded(_("割り当てがもう変わっています。"), left=seat.allocation, code="unspent", field="points")
    seat.refresh_from_db(fields=["allocation"])


def _clear_agreements(campaign: Campaign) -> None:
    Seat.objects.filter(campaign=campaign, agreed=True).update(agreed=False)


def _after_allocation(w: Write, campaign: Campaign, *seats: Seat) -> None:
    _clear_agreements(campaign)
    for seat in seats:
        seat.agreed = False
    recheck(w, campaign, pcs_only=True, owners=[seat.pk for seat in seats])


def _open_offer(here: CampaignAccess, offer: Offer | int, *, repeated_ok: bool) -> Offer:
    pk = offer if isinstance(offer, int) else offer.pk
    found = Offer.objects.select_related("giver", "receiver").filter(pk=pk, campaign=here.campaign).first()
    if found is None:
        raise ActionRefused(_("その申し出はありません。"), code="no_such_offer", status=404)
    if found.state != Offer.State.OPEN and not repeated_ok:
        raise ActionRefused(
            _("この申し出はもう終わっています（%(state)s）。") % {"state": found.get_state_display()},
            code="offer_closed",
        )
    return found


def _offer_data(offer: Offer) -> dict[str, object]:
    return {
        "offer": offer.pk,
        "giver": who(offer.giver),
        "receiver": who(offer.receiver),
        "points": offer.points,
    }
