"""Who may open and press what: one row for each address of the site. An address without a row fails.

`GET`/`POST` list the roles that may. With the row's `data`, which is right, they are served (2xx or a redirect to a
page); everybody else gets 403, 404 or the way to sign in, never a form error that would show the door to be open.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.actions import links
from characters.actions import characters as character_actions
from characters.actions import members, notes, pool, review
from characters.actions.builds import clear_character, restore_revision, save_build
from characters.models import Character, DraftBackup
from sessions.actions import commands, counters, sessions, talk
from sessions.actions import notes as session_notes
from sessions.selectors.access import SessionAccess
from tests.factories import WORKED_EXAMPLE, Table, UserFactory, make_table

pytestmark = pytest.mark.django_db

ANYBODY = frozenset({"anonymous", "stranger", "removed", "spectator", "other", "owner", "co_gm", "gm"})
SIGNED_IN = ANYBODY - {"anonymous"}
SEATS = frozenset({"spectator", "other", "owner", "co_gm", "gm"})
PLAYERS = frozenset({"other", "owner"})
GMS = frozenset({"co_gm", "gm"})
EDITORS = GMS | {"owner"}
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Row:
    GET: frozenset[str] = NOBODY
    POST: frozenset[str] = NOBODY
    kwargs: dict[str, str] = field(default_factory=dict)  # url argument -> value of the scene
    data: dict[str, str] = field(default_factory=dict)  # what is posted; `{other_seat}` is filled from the scene
    words: bool = False  # the form may be refused in words (400, 409, 422): the state or what is typed is wrong


C = {"slug": "campaign"}
P = {"slug": "pc"}
S = {**C, "number": "session"}

ROWS: dict[str, Row] = {
    # the front door
    "home": Row(ANYBODY),
    "set_theme": Row(NOBODY, ANYBODY, data={"theme": "dark", "next": "/"}),
    "set_language": Row(NOBODY, ANYBODY, data={"language": "en", "next": "/"}),
    "styleguide": Row(ANYBODY),
    "tools": Row(ANYBODY),
    "invite_open": Row(NOBODY, ANYBODY - {"removed"}, data={"code": "{invitation_token}", "name": "旅人"}),
    "invite": Row(ANYBODY, ANYBODY - {"removed"}, {"token": "invitation_token"}, data={"name": "旅人"}),
    "seat_link_open": Row(ANYBODY, ANYBODY, {"token": "seat_token"}, words=True),
    "reset_open": Row(ANYBODY, ANYBODY, {"token": "reset_token"}, words=True),
    # accounts
    "account_login": Row(ANYBODY, ANYBODY, words=True),
    "account_logout": Row(ANYBODY, ANYBODY),
    "account_signup": Row(ANYBODY, ANYBODY, words=True),
    "account_inactive": Row(ANYBODY),
    "account_change_password": Row(SIGNED_IN, SIGNED_IN, words=True),
    "account_set_password": Row(SIGNED_IN, SIGNED_IN),
    "me": Row(SIGNED_IN, SIGNED_IN),
    "claim": Row(SIGNED_IN, SIGNED_IN),
    "device_link": Row(NOBODY, SIGNED_IN),
    "sign_out_everywhere": Row(NOBODY, SIGNED_IN),
    # campaigns
    "campaign_new": Row(SIGNED_IN, SIGNED_IN, data={"system": "edo", "name": "卓", "gm_name": "雪"}),
    "campaign": Row(SEATS, NOBODY, C),
    "campaign_edit": Row(GMS, GMS, C, data={"name": "新しい名", "description": ""}),
    "campaign_rules": Row(SEATS, GMS, C, data={"do": "reset_all"}),
    "party_export": Row(SEATS, NOBODY, C),
    "campaign_ledger": Row(SEATS, NOBODY, C),
    "invite_create": Row(NOBODY, GMS, C, data={"role": "player", "uses": "3", "days": "3"}),
    "invite_revoke": Row(NOBODY, GMS, {**C, "invitation": "invitation"}),
    "campaign_leave": Row(NOBODY, SEATS, C, data={"sure": "on"}, words=True),
    "seat_role": Row(NOBODY, GMS, {**C, "seat": "other_seat"}, data={"role": "spectator"}),
    "seat_remove": Row(NOBODY, GMS, {**C, "seat": "other_seat"}, data={"sure": "on"}),
    "seat_rename": Row(NOBODY, GMS | {"other"}, {**C, "seat": "other_seat"}, data={"name": "新しい名"}),
    "seat_link": Row(NOBODY, frozenset({"gm"}), {**C, "seat": "guest_seat"}),
    "seat_reset": Row(NOBODY, frozenset({"gm"}), {**C, "seat": "other_seat"}),
    "pool_set": Row(NOBODY, GMS, C, data={"players": "5"}),
    "pool_reserve": Row(NOBODY, GMS, C, data={"points": "1"}),
    "pool_allocate": Row(NOBODY, GMS, {**C, "seat": "other_seat"}, data={"points": "301"}),
    "pool_claim": Row(NOBODY, PLAYERS, C, data={"points": "1"}),
    "pool_release": Row(NOBODY, PLAYERS, C, data={"points": "1"}),
    "pool_wish": Row(NOBODY, PLAYERS, C, data={"points": "200"}),
    "pool_agree": Row(NOBODY, PLAYERS, C, data={"agreed": "1"}),
    "offer_create": Row(NOBODY, PLAYERS, C, data={"receiver": "{receiver}", "points": "1"}),
    "offer_answer": Row(NOBODY, frozenset({"other"}), {**C, "offer": "offer"}, data={"take": "1"}),
    "offer_withdraw": Row(NOBODY, GMS | {"owner"}, {**C, "offer": "offer"}),
    # characters
    "character_new": Row(NOBODY, PLAYERS | GMS, C, words=True),
    "npc_new": Row(GMS, GMS, C, data={"preset": "N01", "name": "", "count": "3"}),
    "import_character": Row(PLAYERS | GMS, PLAYERS | GMS, C, words=True),
    "character": Row(SEATS, NOBODY, P),
    "character_export": Row(SEATS, NOBODY, P),
    "character_print": Row(SEATS, NOBODY, P),
    "character_edit": Row(EDITORS, NOBODY, P),
    "draft_save": Row(NOBODY, EDITORS, P),
    "draft_fix": Row(NOBODY, EDITORS, P),
    "draft_roll": Row(NOBODY, EDITORS, P, data={"step": "money"}, words=True),
    "draft_wish": Row(NOBODY, frozenset({"owner"}), P, data={"wish": "5"}),
    "draft_backup": Row(NOBODY, EDITORS, {**P, "pk": "backup"}),
    "character_save": Row(NOBODY, EDITORS, P),
    "character_ask": Row(NOBODY, EDITORS, P, words=True),
    "character_clear": Row(NOBODY, GMS, P),
    "character_return": Row(NOBODY, GMS, P),
    "remark_add": Row(NOBODY, GMS, P, data={"remark_field": "role", "remark_text": "なぜ"}),
    "remark_settle": Row(NOBODY, EDITORS, {**P, "pk": "remark"}),
    "confirm_field": Row(NOBODY, GMS, P, data={"confirm": "possessions.1.text"}),
    "character_delete": Row(NOBODY, EDITORS, P),
    "character_restore_deleted": Row(NOBODY, EDITORS, {"slug": "deleted"}),
    "character_visibility": Row(NOBODY, frozenset({"owner"}), P, data={"visibility": "gm"}),
    "character_link": Row(NOBODY, frozenset({"owner"}), P, data={"link": "make"}),
    "character_count": Row(NOBODY, GMS, {"slug": "npc"}, data={"count": "4"}),
    "character_duplicate": Row(NOBODY, GMS, {"slug": "npc"}),
    "character_transfer": Row(NOBODY, GMS, P, data={"seat": "{other_seat}"}),
    "note_new": Row(NOBODY, EDITORS, P, data={"title": "題", "text": "文", "visibility": "owner"}),
    "note_save": Row(
        NOBODY,
        frozenset({"owner"}),
        {**P, "pk": "note"},
        data={"title": "題", "text": "文", "visibility": "owner", "base_version": "1"},
    ),
    "note_delete": Row(NOBODY, frozenset({"owner"}), {**P, "pk": "note"}),
    "character_history": Row(SEATS, NOBODY, P),
    "character_revision": Row(SEATS, NOBODY, {**P, "number": "revision"}),
    "character_restore": Row(NOBODY, EDITORS, {**P, "number": "revision"}),
    "shared_character": Row(ANYBODY, NOBODY, {"token": "share_token"}),
    "shared_print": Row(ANYBODY, NOBODY, {"token": "share_token"}),
    "shared_export": Row(ANYBODY, NOBODY, {"token": "share_token"}),
    # tables
    "session_new": Row(NOBODY, GMS, C, data={"title": "次の回"}),
    "part_new": Row(NOBODY, GMS, {**C, "part": "part"}, words=True),
    "session": Row(SEATS, NOBODY, S),
    "session_state": Row(SEATS, NOBODY, S),
    "session_log": Row(SEATS, NOBODY, S),
    "session_export": Row(SEATS, NOBODY, {**S, "form": "log_form"}),
    "session_edit": Row(NOBODY, GMS, S, data={"title": "改題"}),
    "session_start": Row(NOBODY, GMS, {**C, "number": "planned"}, data={"cast": "{pc_pk}"}, words=True),
    "session_command": Row(NOBODY, PLAYERS | GMS, {**S, "name": "command"}, words=True),
    "session_odds": Row(NOBODY, PLAYERS | GMS, {**S, "name": "command"}, words=True),
    # Without an actor in the address it is the form of one's own; only this player has somebody at this table.
    "session_form": Row(frozenset({"owner"}), NOBODY, {**S, "name": "command"}),
    "session_say": Row(NOBODY, PLAYERS | GMS, S, data={"text": "参る"}),
    "session_undo": Row(NOBODY, GMS, S),
    "entry_open": Row(NOBODY, GMS, {**S, "seq": "hidden_entry"}),
    "session_nudge": Row(NOBODY, GMS, S, data={"seat": "{other_seat}"}),
    "session_counters": Row(NOBODY, GMS, S, data={"title": "橋番", "size": "6"}),
    "session_counter": Row(NOBODY, GMS, {**S, "counter": "counter"}, data={"do": "step"}),
    "session_scene": Row(NOBODY, GMS, S, data={"title": "両国橋"}),
    "session_evening": Row(NOBODY, GMS, S, data={"do": "start"}),
    "session_cast": Row(NOBODY, GMS, S, data={"do": "refresh", "character": "{pc_pk}"}, words=True),
    "session_notes": Row(NOBODY, PLAYERS | GMS, S, data={"text": "覚え"}),
    "session_note": Row(NOBODY, GMS, {**S, "note": "session_note"}, data={"text": "覚え", "base_version": "1"}),
    "session_closing": Row(NOBODY, GMS, S, data={"do": "ask"}),
    "session_carry": Row(NOBODY, GMS | {"owner"}, {**S, "actor": "actor"}, data={"accept": "1"}),
    # the live core
    "fair": Row(SEATS, NOBODY, {"topic": "topic"}),
    "fair_script": Row(ANYBODY),
    "fair_json": Row(SEATS, NOBODY, {"topic": "topic"}),
    "fair_salt": Row(NOBODY, SEATS, {"topic": "topic"}, data={"text": "一文字"}),
}
# An NPC is the GMs' alone, whatever page of it is asked for.
NPC_PAGES = ["character", "character_export", "character_print", "character_edit", "character_history"]


def addresses(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of every address, the admin's (staff only, tested on its own) left out."""
    for entry in patterns:
        if isinstance(entry, URLResolver):
            if entry.app_name != "admin":
                yield from addresses(entry.url_patterns)
        else:
            assert entry.name, f"an address without a name: {entry.pattern}"
            yield entry.name


@dataclass
class Scene:
    table: Table
    values: dict[str, object]
    clients: dict[str, Client]


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker) -> Iterator[Scene]:
    """One scene for the whole file; every request is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_scene()
        transaction.set_rollback(True)


def make_scene() -> Scene:
    table = make_table("owner", "other", "removed", "guest", pool=850)
    table.join("spectator", "spectator")
    table.join("co_gm", "co_gm")
    table.users["guest"].set_unusable_password()
    table.users["guest"].is_guest = True
    table.users["guest"].save()
    for name in ("owner", "other"):
        pool.allocate(access=table.access("gm"), seat=table.seat(name), points=300)
    pc = table.make("owner", {**WORKED_EXAMPLE, "possessions.1.text": "提灯"})
    revision = save_build(access=table.view("owner", pc))
    clear_character(access=table.view("gm", pc))
    table.edit("owner", pc, status="浪人")
    restore_revision(access=table.view("owner", pc), number=revision.number)  # keeps the draft it replaces
    npc = table.make("gm", WORKED_EXAMPLE, kind="npc")
    deleted = table.make("owner", WORKED_EXAMPLE)
    character_actions.delete_character(access=table.view("owner", deleted))
    offer = pool.make_offer(access=table.access("owner"), receiver=table.seat("other"), points=5)
    remark = review.add_remark(access=table.view("gm", pc), field="role", text="なぜこの役格?")
    note = notes.save_note(access=table.view("owner", pc), title="秘密", text="本人だけ", visibility="owner")
    linked = table.make("owner", WORKED_EXAMPLE)
    character_actions.set_visibility(access=table.view("owner", linked), visibility="link")
    share = character_actions.make_share_link(access=table.view("owner", linked))
    invitation, token = members.create_invitation(access=table.access("gm"), role="player")
    members.remove_seat(access=table.access("gm"), seat=table.seat("removed"))
    at_table = open_session(table, pc)
    users = {**table.users, "stranger": UserFactory()}
    clients = {role: Client() for role in ANYBODY}
    for role, client in clients.items():
        if role != "anonymous":
            client.force_login(users[role])
    values = {
        "campaign": table.campaign.slug,
        "topic": table.campaign.topic,
        "pc": pc.slug,
        "npc": npc.slug,
        "deleted": deleted.slug,
        "revision": revision.number,
        "offer": offer.pk,
        "remark": remark.pk,
        "note": note.pk,
        "invitation": invitation.pk,
        "invitation_token": token,
        "share_token": share,
        "seat_token": links.make_seat_link(table.users["guest"], by=None),
        "reset_token": links.make_reset_link(table.users["other"], by=None),
        "other_seat": table.seat("other").pk,
        "guest_seat": table.seat("guest").pk,
        "receiver": table.seat("guest").pk,
        "backup": DraftBackup.objects.get(character=pc).pk,
        **at_table,
    }
    return Scene(table, values, clients)


def open_session(table: Table, pc: Character) -> dict[str, object]:
    """A table that plays with one wounded hero, and another session that is planned."""
    gm = table.access("gm")
    first, planned = (sessions.plan_session(access=gm, title=title) for title in ("一の巻", "二の巻"))
    at = SessionAccess(first, gm)
    sessions.start_session(access=at, cast=[pc.pk])
    wound = {"actor": f"c{pc.pk}", "amount": 1, "reason": "転んだ"}
    commands.run_command(access=at, name="actor.hurt", data=wound)
    return {
        "session": first.number,
        "planned": planned.number,
        "pc_pk": pc.pk,
        "actor": f"c{pc.pk}",
        "command": "roll",
        "log_form": "txt",
        "part": "draft",
        "hidden_entry": talk.say(access=at, text="S3D6").seq,
        "counter": counters.start_counter(access=at, title="橋番", size=6).first,
        "session_note": session_notes.save_note(access=at, text="裏の筋").pk,
    }


def allowed(client: Client, method: str, url: str, data: dict[str, str] | None = None, words: bool = False) -> bool:
    cookies = deepcopy(client.cookies)  # signing out must not outlive the request either
    with transaction.atomic():
        response = getattr(client, method.lower())(url, data or {})
        transaction.set_rollback(True)
    client.cookies = cookies
    if response.status_code in (403, 404, 405):
        return False
    served = response.status_code < 400 or (words and response.status_code in (400, 409, 422))
    assert served, (method, url, response.status_code, response.content.decode()[-3000:])
    return not (response.status_code == 302 and "/accounts/login/" in response["Location"])


def test_every_address_has_a_row():
    assert set(addresses(get_resolver().url_patterns)) == set(ROWS)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_only_those_listed_may(name: str, scene: Scene):
    row = ROWS[name]
    url = reverse(name, kwargs={arg: scene.values[source] for arg, source in row.kwargs.items()})
    data = {key: value.format(**scene.values) for key, value in row.data.items()}
    for method, listed in (("GET", row.GET), ("POST", row.POST)):
        found = {role for role, client in scene.clients.items() if allowed(client, method, url, data, row.words)}
        assert found == listed, f"{method} {name}: too many {found - listed or '{}'}, missing {listed - found or '{}'}"


@pytest.mark.parametrize("name", NPC_PAGES)
def test_npcs_are_the_gms_alone(name: str, scene: Scene):
    url = reverse(name, kwargs={"slug": scene.values["npc"]})
    assert {role for role, client in scene.clients.items() if allowed(client, "GET", url)} == GMS


def test_a_character_put_away_is_gone_for_others(scene: Scene):
    url = reverse("character", kwargs={"slug": scene.values["deleted"]})
    found = {role for role, client in scene.clients.items() if allowed(client, "GET", url)}
    assert not found & {"anonymous", "stranger", "removed", "spectator", "other"}


def test_unknown_objects_answer_404_for_members_too(scene: Scene):
    gm = scene.clients["gm"]
    for url in ("/c/nothing/", "/p/nothing/", "/p/nothing.json", "/s/nothing/", "/fair/campaign:999999/"):
        assert gm.get(url).status_code == 404, url
    assert Character.objects.count() == 4
