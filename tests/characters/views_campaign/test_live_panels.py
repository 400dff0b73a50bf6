"""The page drawn live equals the page reloaded, for every role after every command; and nobody hears too much."""

from __future__ import annotations

import pytest

from characters.actions import builds, campaigns, characters, drafts, house_rules, members, pool, review
from characters.live import PANELS_OF, CampaignTopics
from characters.models import Character
from characters.present.campaign import PANELS, Desk, draw, draw_rules
from live.models import Event
from tests.factories import WORKED_EXAMPLE

pytestmark = pytest.mark.django_db

PEOPLE = ("gm", "co", "nagisa", "chiaki", "watcher")
TOPIC = CampaignTopics()


def saved(table, name: str, **kwargs) -> Character:
    character = table.make(name, WORKED_EXAMPLE, **kwargs)
    builds.save_build(access=table.view(name, character))
    return character


def ready(table) -> dict:
    """A table in the middle of its work."""
    gm = table.access("gm")
    for name in ("nagisa", "chiaki"):
        pool.allocate(access=gm, seat=table.seat(name), points=300)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=5, note="余り")
    invitation, token = members.create_invitation(access=gm)
    return {
        "hero": saved(table, "nagisa"),
        "other": table.make("chiaki", {"role": "support"}),
        "mook": table.make("gm", WORKED_EXAMPLE, kind="npc", count=6),
        "offer": offer,
        "invitation": invitation,
        "token": token,
    }


def _clear(table, at):
    builds.ask_review(access=table.view("nagisa", at["hero"]))
    builds.clear_character(access=table.view("gm", at["hero"]))


def _revise(table, at):
    table.edit("nagisa", at["hero"], endurance_bought=3)
    builds.save_build(access=table.view("nagisa", at["hero"]))


COMMANDS = {
    "edit": lambda t, at: campaigns.edit_campaign(access=t.access("gm"), name="両国橋", description="夕"),
    "rules": lambda t, at: house_rules.change_house_rules(
        access=t.access("gm"), change=lambda now: {**now, "skill_cost": "n_n_plus_1"}
    ),
    "pool": lambda t, at: pool.set_pool(access=t.access("gm"), total=500, players=None),
    "reserve": lambda t, at: pool.set_reserve(access=t.access("gm"), points=40),
    "allocate": lambda t, at: pool.allocate(access=t.access("gm"), seat=t.seat("akari"), points=100),
    "claim": lambda t, at: pool.claim(access=t.access("akari"), points=10),
    "release": lambda t, at: pool.release(access=t.access("chiaki"), points=10),
    "wish": lambda t, at: pool.set_wish(access=t.access("akari"), points=200, note="楽師を"),
    "offer": lambda t, at: pool.make_offer(access=t.access("chiaki"), receiver=t.seat("akari"), points=7),
    "take": lambda t, at: pool.answer_offer(access=t.access("chiaki"), offer=at["offer"], take=True),
    "decline": lambda t, at: pool.answer_offer(access=t.access("chiaki"), offer=at["offer"], take=False),
    "withdraw": lambda t, at: pool.withdraw_offer(access=t.access("nagisa"), offer=at["offer"]),
    "agree": lambda t, at: pool.set_agreed(access=t.access("nagisa"), agreed=True),
    "invite": lambda t, at: members.create_invitation(access=t.access("gm"), role="spectator"),
    "revoke": lambda t, at: members.revoke_invitation(access=t.access("gm"), invitation=at["invitation"]),
    "join": lambda t, at: t.join("kaito"),
    "rename": lambda t, at: members.rename_seat(access=t.access("nagisa"), seat=t.seat("nagisa"), name="なぎさ"),
    "role": lambda t, at: members.set_role(access=t.access("gm"), seat=t.seat("akari"), role="spectator"),
    "remove": lambda t, at: members.remove_seat(access=t.access("gm"), seat=t.seat("akari")),
    "leave": lambda t, at: members.leave(access=t.access("akari")),
    "make": lambda t, at: t.make("akari"),
    "make npc": lambda t, at: t.make("gm", WORKED_EXAMPLE, kind="npc"),
    "draft": lambda t, at: t.edit("nagisa", at["hero"], endurance_bought=1),
    "name": lambda t, at: t.edit("nagisa", at["hero"], names__given="文吾"),
    "save": _revise,
    "ask": lambda t, at: builds.ask_review(access=t.view("nagisa", at["hero"])),
    "clear": _clear,
    "remark": lambda t, at: review.add_remark(access=t.view("gm", at["hero"]), field="role", text="主役では？"),
    "count": lambda t, at: characters.set_count(access=t.view("gm", at["mook"]), count=4),
    "show npc": lambda t, at: characters.set_visibility(access=t.view("gm", at["mook"]), visibility="group"),
    "hide hero": lambda t, at: characters.set_visibility(access=t.view("nagisa", at["hero"]), visibility="gm"),
    "hide hero from all": lambda t, at: characters.set_visibility(
        access=t.view("nagisa", at["hero"]), visibility="owner"
    ),
    "put away": lambda t, at: characters.delete_character(access=t.view("nagisa", at["hero"])),
    "transfer": lambda t, at: characters.transfer_character(access=t.view("gm", at["other"]), seat=t.seat("akari")),
}


RULES = ("skill_cost", "skill_level_max", "perk_cost")


def page(table, name: str) -> dict[str, str]:
    """Everything the campaign page and the page of the house rules show to somebody, by element id."""
    desk = Desk(table.access(name), "ja")
    return {**{f"panel-{key}": html for key, html in draw(desk, PANELS).items()}, **draw_rules(desk, RULES)}


def live(table, name: str, after: int, before: dict[str, str]) -> dict[str, str]:
    """What the page shows after the stream brought everything since `after`."""
    viewer = TOPIC.viewer(table.users[name], table.campaign.topic, "ja")
    assert viewer is not None
    events = Event.objects.filter(topic__name=table.campaign.topic, seq__gt=after).order_by("seq")
    heard = [event for event in events if viewer.sees(event.audience)]
    projected = [(event.seq, event.kind, data) for event in heard if (data := TOPIC.project(event, viewer))]
    shown = dict(before)
    for fragment in TOPIC.render(table.campaign.topic, projected, viewer):
        shown[fragment.target_id] = fragment.html
    return shown


@pytest.mark.parametrize("command", COMMANDS)
def test_live_equals_reload(table, command):
    at = ready(table)
    before = {name: page(table, name) for name in PEOPLE}
    after = Event.objects.filter(topic__name=table.campaign.topic).latest("seq").seq
    COMMANDS[command](table, at)
    for name in PEOPLE:
        shown, reloaded = live(table, name, after, before[name]), page(table, name)
        assert shown.keys() == reloaded.keys()
        for panel in reloaded:
            assert shown[panel] == reloaded[panel], f"{name} sees a stale {panel} after {command}"


def test_fragments_hold_no_secrets_of_the_browser(table):
    ready(table)
    viewer = TOPIC.viewer(table.users["gm"], table.campaign.topic, "ja")
    events = Event.objects.filter(topic__name=table.campaign.topic)
    projected = [(event.seq, event.kind, data) for event in events if (data := TOPIC.project(event, viewer))]
    html = "".join(fragment.html for fragment in TOPIC.render(table.campaign.topic, projected, viewer))
    assert 'name="csrfmiddlewaretoken" value=""' in html and 'name="command_id" value=""' in html
    assert html.count('name="csrfmiddlewaretoken" value=""') == html.count('name="csrfmiddlewaretoken"')


def test_unknown_events_change_nothing(table):
    viewer = TOPIC.viewer(table.users["gm"], table.campaign.topic, "ja")
    assert TOPIC.project(Event(kind="campaign.exploded", audience=["all"], data={}), viewer) is None
    assert TOPIC.project(Event(kind="pool.set", audience=["seat:0"], data={}), viewer) is None


def test_every_kind_of_event_was_thought_of():
    from characters.actions import events

    told = {word for line in events.__doc__.splitlines() for word in line.split("`")[1::2] if "." in word}
    topics = {"campaign", "member", "invite", "rules", "pool", "character"}
    kinds = {word for word in told if word.split(".")[0] in topics}
    # Dice and notes are shown on the character's own page only.
    assert kinds - {"character.rolled", "character.note"} == set(PANELS_OF)


def test_strangers_and_removed_people_hear_nothing(table):
    from django.contrib.auth.models import AnonymousUser

    from tests.factories import UserFactory

    topic = table.campaign.topic
    assert TOPIC.viewer(AnonymousUser(), topic, "ja") is None
    assert TOPIC.viewer(UserFactory(), topic, "ja") is None
    viewer = TOPIC.viewer(table.users["akari"], topic, "ja")
    members.remove_seat(access=table.access("gm"), seat=table.seat("akari"))
    assert TOPIC.viewer(table.users["akari"], topic, "ja") is None
    assert TOPIC.render(topic, [(1, "pool.set", {"panels": ["pool"], "rules": []})], viewer) == []
    for odd in ("campaign:0", "campaign:x", "campaign:²", "campaign:" + "9" * 40):
        assert TOPIC.viewer(table.users["gm"], odd, "ja") is None


@pytest.mark.parametrize(
    ("visibility", "kind", "sees"),
    [
        ("owner", "pc", {"nagisa"}),
        ("gm", "pc", {"nagisa", "gm", "co"}),
        ("group", "pc", {"nagisa", "gm", "co", "chiaki", "watcher"}),
        ("gm", "npc", {"gm", "co"}),
        ("group", "npc", {"nagisa", "gm", "co", "chiaki", "watcher"}),
    ],
)
def test_hidden_names_are_in_no_panel_of_others(table, visibility, kind, sees):
    owner = "gm" if kind == "npc" else "nagisa"
    hidden = saved(table, owner, kind=kind) if kind == "npc" else None
    if hidden is None:
        pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=300)
        hidden = saved(table, owner)
    table.edit(owner, hidden, names__given="カナリア")
    characters.set_visibility(access=table.view(owner, hidden), visibility=visibility)
    for name in PEOPLE:
        html = "".join(page(table, name).values())
        assert ("カナリア" in html) is (name in sees), name


def test_drafts_of_hidden_characters_do_not_move_the_pool_of_others(table):
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=300)
    hero = saved(table, "nagisa")
    characters.set_visibility(access=table.view("nagisa", hero), visibility="owner")
    drafts.edit_draft(access=table.view("nagisa", hero), edits={"endurance_bought": drafts.FieldEdit(base=2, value=4)})
    assert "290" in page(table, "nagisa")["panel-pool"]
    assert "290" not in page(table, "chiaki")["panel-pool"] and "280" in page(table, "chiaki")["panel-pool"]
