"""The framed panel of the campaign page: what needs this person now, and whom the others wait for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from characters.models import Character, Draft
from characters.present.pool import PoolView
from characters.present.words import open_work
from characters.selectors import campaign as reads
from characters.selectors.access import CampaignAccess, CharacterAccess

Sheet = tuple[CharacterAccess, Draft | None]


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One thing to do. `post`: the button makes something, otherwise it leads somewhere; `main`: the decisive one."""

    icon: str
    title: str
    detail: str
    url: str
    button: str
    post: bool = False
    main: bool = False


@dataclass(frozen=True, slots=True)
class TodoView:
    items: tuple[TodoItem, ...]
    waiting: str = ""


@dataclass(slots=True)
class _List:
    items: list[TodoItem] = field(default_factory=list)

    def add(self, icon: str, title: str, detail: str, url: str, button: str, post: bool = False) -> None:
        self.items.append(TodoItem(icon, title, detail, url, button, post, main=not self.items))


def todo_view(access: CampaignAccess, sheets: Sequence[Sheet], pool: PoolView | None) -> TodoView:
    """`sheets` are the characters this seat may see."""
    pcs = [(item, draft) for item, draft in sheets if item.character.kind == Character.Kind.PC]
    remarks = reads.open_remarks([item.character for item, _draft in pcs])
    todo = _List()
    if access.is_gm:
        _for_gm(todo, access, pcs, pool)
    else:
        _for_player(todo, access, pcs, pool, remarks)
    return TodoView(tuple(todo.items), _waiting(access, pcs))


def _for_player(
    todo: _List, access: CampaignAccess, pcs: Sequence[Sheet], pool: PoolView | None, remarks: dict[int, int]
) -> None:
    slug = access.campaign.slug
    if not access.is_player:
        return
    for offer in pool.offers if pool is not None else ():
        if offer.to_me:
            title = _("%(name)sさんから%(n)s点の申し出") % {"name": offer.giver, "n": offer.points}
            detail = _("「%(note)s」") % {"note": offer.note} if offer.note else ""
            todo.add("hand", title, detail, "#panel-pool", _("答える"))
    mine = [sheet for sheet in pcs if sheet[0].is_owner]
    if not mine:
        todo.add(
            "sheet",
            _("自分の役を作る"),
            _("役の規則は書きながら確かめられ、下書きはひとりでに残ります。"),
            reverse("character_new", args=[slug]),
            _("役を作る"),
            post=True,
        )
    for item, draft in mine:
        _own_sheet(todo, item.character, draft, remarks.get(item.character.pk, 0))
    if pool is not None and pool.mine is not None and not pool.mine.agreed and pool.allocated:
        todo.add("users", _("点の分け方を確かめる"), pool.agreement, "#panel-pool", _("見る"))


def _own_sheet(todo: _List, character: Character, draft: Draft | None, remarks: int) -> None:
    name = _called(character)
    edit = reverse("character_edit", args=[character.slug])
    if remarks:
        title = _("%(name)s：GMからの指摘が%(n)sつ") % {"name": name, "n": remarks}
        todo.add("bubble", title, "", edit, _("読む"))
    if character.flagged:
        title = _("%(name)s：決めごとや点が変わり、見直しが要ります") % {"name": name}
        todo.add("alert", title, _("役は書き換えられていません。"), edit, _("見直す"))
    if character.revision is None or reads.draft_differs(character, draft):
        title = (_("%(name)sを仕上げる") if character.revision is None else _("%(name)sの書き直しを仕上げる")) % {
            "name": name
        }
        todo.add("edit", title, open_work(draft), edit, _("続ける"))
    elif character.status == Character.Status.DRAFT:
        todo.add("check", _("%(name)sの確認をGMに頼む") % {"name": name}, "", f"{edit}#review", _("頼む"))


def _called(character: Character) -> str:
    """A character in a sentence."""
    return character.name or _("名のない役")


def _for_gm(todo: _List, access: CampaignAccess, pcs: Sequence[Sheet], pool: PoolView | None) -> None:
    slug = access.campaign.slug
    for item, _draft in pcs:
        character = item.character
        if character.status == Character.Status.ASKED:
            title = _("%(name)sを確かめる") % {"name": _called(character)}
            url = reverse("character_edit", args=[character.slug]) + "#review"  # where it is cleared or handed back
            detail = _("%(owner)sさんが確認を待っています。") % {"owner": character.owner.name}
            todo.add("eye", title, detail, url, _("見る"))
    players, _gms = reads.head_count(access)
    if not players:
        todo.add(
            "send", _("仲間を招く"), _("リンクを送れば、名前を決めるだけで加われます。"), "#panel-invite", _("招く")
        )
    if pool is not None and players:
        if pool.over:
            title = _("一座の点が%(n)s点足りません") % {"n": pool.over}
            todo.add("alert", title, pool.summary, "#panel-pool", _("見る"))
        wishes = [row for row in pool.seats if row.offer_wish]
        if wishes and pool.free:
            names = _("、").join(row.name for row in wishes)
            todo.add("hand", _("希望を聞いて割り当てる"), names, "#panel-pool", _("割り当てる"))
    flagged = [item.character for item, _draft in pcs if item.character.flagged]
    if flagged:
        names = _("、").join(_called(character) for character in flagged)
        title = _("決めごとや点に合わない役が%(n)s人") % {"n": len(flagged)}
        todo.add("alert", title, names, reverse("campaign_rules", args=[slug]), _("見る"))


def _waiting(access: CampaignAccess, pcs: Sequence[Sheet]) -> str:
    """Whom the table waits for: players without a cleared character."""
    done = {item.character.owner_id for item, _draft in pcs if item.character.status == Character.Status.CLEARED}
    late = [
        seat.name
        for seat in reads.seats_of(access)
        if seat.role == "player" and seat.pk not in done and seat.pk != access.seat.pk
    ]
    return _("役の確認がまだの人：%(names)s") % {"names": _("、").join(late)} if late else ""
