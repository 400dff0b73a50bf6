"""Secret words are in no byte that reaches those who may not see them (issue: bar 6; reliability F14).

Every secret holds a word found nowhere else. As each role we follow every link of every page, read every export, and
draw every event of the campaign's stream; then we look for the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import transaction
from django.test import Client

from characters.actions import builds, members, notes, pool, review
from characters.actions import characters as character_actions
from live.kinds import Viewer, kind_of
from live.models import Event
from tests.factories import WORKED_EXAMPLE, Table, UserFactory, make_table

pytestmark = pytest.mark.django_db
HREF = re.compile(r'(?:href|action|hx-get|formaction|data-parts)="([^"#]*)')

# word -> roles that may read it
SECRETS: dict[str, set[str]] = {
    "kanariya-owner-pc": {"owner"},
    "kanariya-gm-pc": {"owner", "gm", "co_gm"},
    "kanariya-group-pc": {"owner", "gm", "co_gm", "other", "spectator"},
    "kanariya-link-pc": {"owner", "gm", "co_gm", "other", "spectator", "by_link"},
    "kanariya-note-owner": {"owner"},
    "kanariya-note-gm": {"owner", "gm", "co_gm"},
    "kanariya-note-group": {"owner", "gm", "co_gm", "other", "spectator"},
    "kanariya-note-link": {"owner", "gm", "co_gm", "other", "spectator", "by_link"},
    "kanariya-npc": {"gm", "co_gm"},
    "kanariya-npc-note": {"gm", "co_gm"},
    "kanariya-remark": {"owner", "gm", "co_gm"},
    "kanariya-draft": {"owner", "gm", "co_gm"},
    "kanariya-description": {"owner", "gm", "co_gm", "other", "spectator"},
    "kanariya-offer": {"owner", "gm", "co_gm", "other", "spectator"},
}
ROLES = ("anonymous", "stranger", "removed", "spectator", "other", "owner", "co_gm", "gm")


def named(word: str) -> dict[str, object]:
    return {**WORKED_EXAMPLE, "names.given": word, "names.family": None, "occupation": f"{word}の生業"}


@pytest.fixture(scope="module")
def scene(django_db_setup, django_db_blocker) -> Iterator[tuple[Table, dict[str, Client], list[str]]]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_scene()
        transaction.set_rollback(True)


def make_scene() -> tuple[Table, dict[str, Client], list[str]]:
    table = make_table("owner", "other", "removed", pool=3000, description="kanariya-description")
    table.join("spectator", "spectator")
    table.join("co_gm", "co_gm")
    gm = table.access("gm")
    pool.allocate(access=gm, seat=table.seat("owner"), points=1500)
    pool.make_offer(access=table.access("owner"), receiver=table.seat("other"), points=1, note="kanariya-offer")
    starts = [f"/c/{table.campaign.slug}/"]
    for visibility in ("owner", "gm", "group", "link"):
        pc = table.make("owner", named(f"kanariya-{visibility}-pc"))
        builds.save_build(access=table.view("owner", pc), note=f"kanariya-{visibility}-pc")
        character_actions.set_visibility(access=table.view("owner", pc), visibility=visibility)
        if visibility == "group":
            for level in ("owner", "gm", "group"):
                notes.save_note(
                    access=table.view("owner", pc),
                    title=f"題 kanariya-note-{level}",
                    text=f"文 kanariya-note-{level}",
                    visibility=level,
                )
            review.add_remark(access=table.view("gm", pc), field="role", text="kanariya-remark")
            table.edit("owner", pc, status="kanariya-draft")
        if visibility == "link":
            notes.save_note(access=table.view("owner", pc), title="題", text="kanariya-note-link", visibility="link")
            token = character_actions.make_share_link(access=table.view("owner", pc))
            starts += [f"/s/{token}/", f"/s/{token}.json", f"/s/{token}/print/"]
        starts += [f"/p/{pc.slug}/", f"/p/{pc.slug}.json", f"/p/{pc.slug}/edit/", f"/p/{pc.slug}/history/1/"]
    npc = table.make("gm", named("kanariya-npc"), kind="npc", count=6)
    notes.save_note(access=table.view("gm", npc), title="裏", text="kanariya-npc-note", visibility="gm")
    starts += [f"/p/{npc.slug}/", f"/p/{npc.slug}.json", f"/p/{npc.slug}/edit/"]
    members.remove_seat(access=gm, seat=table.seat("removed"))
    starts += ["/", "/me/", f"/fair/{table.campaign.topic}/", f"/fair/{table.campaign.topic}/record.json"]
    users = {**table.users, "stranger": UserFactory()}
    clients = {role: Client() for role in ROLES}
    for role, client in clients.items():
        if role != "anonymous":
            client.force_login(users[role])
    return table, clients, starts


def everything(client: Client, starts: list[str]) -> dict[str, str]:
    """Address -> body (with headers) of every page that links lead to, and of what was asked for at the start."""
    found: dict[str, str] = {}
    todo = list(starts)
    while todo:
        url = todo.pop()
        path = urlsplit(url).path
        if url in found or path.startswith(("/admin/", "/accounts/logout", "/static/")) or len(found) > 400:
            continue
        with transaction.atomic():
            response = client.get(url)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        text = body.decode("utf-8", "replace")
        found[url] = f"{dict(response.headers)} {text}"
        if response.status_code in (301, 302, 303):
            todo.append(urljoin(url, response["Location"]))
        todo += [
            next_url
            for link in HREF.findall(text)
            if (next_url := urljoin(url, link.replace("&amp;", "&"))).startswith("/")
        ]
    return found


def streamed(table: Table, user: object, lang: str) -> str:
    """Every fragment the stream would send to a user from the first event on, as one text."""
    topic = table.campaign.topic
    kind = kind_of(topic)
    viewer: Viewer | None = kind.viewer(user, topic, lang)
    if viewer is None:
        return ""
    projected = []
    for event in Event.objects.filter(topic__name=topic).order_by("seq"):
        if viewer.sees(event.audience) and (data := kind.project(event, viewer)) is not None:
            projected.append((event.seq, event.kind, data))
    return "".join(f"{f.target_id} {f.html}" for f in kind.render(topic, projected, viewer))


def may(role: str, word: str, url: str) -> bool:
    """Whoever holds the share link reads what it shows, whatever the role."""
    return role in SECRETS[word] or ("by_link" in SECRETS[word] and url.startswith("/s/"))


@pytest.mark.parametrize("role", ROLES)
def test_pages_and_exports_keep_secrets(role: str, scene):
    _table, clients, starts = scene
    pages = everything(clients[role], starts)
    leaks = [
        f"{word} in {url}"
        for url, text in pages.items()
        for word in SECRETS
        if re.search(rf"{word}(?![\w-])", text) and not may(role, word, url)
    ]
    assert not leaks
    if role in ("owner", "gm"):  # the words are there for those who may read them: the search is not blind
        seen = {word for word in SECRETS if any(word in text for text in pages.values())}
        assert seen >= {word for word, roles in SECRETS.items() if role in roles}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("role", ["stranger", "removed", "spectator", "other", "owner", "co_gm", "gm"])
def test_the_stream_keeps_secrets(role: str, lang: str, scene):
    table, _clients, _starts = scene
    user = table.users.get(role) or UserFactory()
    text = streamed(table, user, lang)
    assert not [word for word, roles in SECRETS.items() if re.search(rf"{word}(?![\w-])", text) and role not in roles]
    if role in ("stranger", "removed"):
        assert text == ""
    else:
        assert "kanariya-offer" in text or role in ("gm", "co_gm", "spectator")
