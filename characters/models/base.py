"""Who and what: campaigns, seats, the pool of points, characters with drafts, revisions, notes and remarks.

Rows of a game's own sheet live in `characters/models/<slug>.py` and are written from the revision.
"""

from __future__ import annotations

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


def new_slug() -> str:
    """A short public identifier; it is an address, not a secret."""
    return secrets.token_hex(5)


class Role(models.TextChoices):
    GM = "gm", _("GM")
    CO_GM = "co_gm", _("副GM")
    PLAYER = "player", _("プレイヤー")
    SPECTATOR = "spectator", _("見学")


class Visibility(models.TextChoices):
    """One vocabulary everywhere (DESIGN §8), from narrow to wide."""

    OWNER = "owner", _("本人だけ")
    GM = "gm", _("本人とGM")
    GROUP = "group", _("一座")
    LINK = "link", _("リンクを知る人")
    LISTED = "listed", _("公開")


class Campaign(models.Model):
    slug = models.CharField(max_length=16, unique=True, default=new_slug, editable=False)
    system = models.CharField(max_length=40)
    name = models.CharField(max_length=100)
    description = models.TextField(max_length=4000, blank=True)
    # Partial override of the system's tables; only keys that differ from the default.
    house_rules = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The press that made it: a repeated press finds the same campaign.
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_command = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["made_by", "made_command"], condition=~Q(made_command=""), name="campaign_made_once"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def topic(self) -> str:
        return f"campaign:{self.pk}"


class Seat(models.Model):
    """A person's place in a campaign. Removed seats stay, so that history keeps its names."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats")
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.PLAYER)
    name = models.CharField(max_length=40)
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")  # self = left
    # Negotiation: what the player would like, what the table promised, whether the player agrees to the split.
    wish = models.PositiveIntegerField(null=True, blank=True)
    wish_note = models.CharField(max_length=200, blank=True)
    allocation = models.PositiveIntegerField(default=0)
    agreed = models.BooleanField(default=False)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_seat_per_user")]

    def __str__(self) -> str:
        return self.name

    @property
    def audience(self) -> str:
        return f"seat:{self.pk}"


class Invitation(models.Model):
    """A link that makes a seat. The token is derived from the server's key and `nonce`; only its hash is stored."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.PLAYER)
    nonce = models.CharField(max_length=64)
    token_hash = models.CharField(max_length=64, unique=True)
    uses_left = models.PositiveIntegerField(default=8)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)


class Pool(models.Model):
    """The party's build points. The sums are kept so that one conditional update can guard them (edo §3.3)."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="pool", primary_key=True)
    override = models.PositiveIntegerField(null=True, blank=True)  # the GM's figure; None = by number of players
    total = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(null=True, blank=True)  # expected number; None = player seats taken
    reserve = models.PositiveIntegerField(default=0)  # held back by the GM: not free for players to take
    allocated = models.PositiveIntegerField(default=0)  # sum of seats' allocations
    spent = models.PositiveIntegerField(default=0)  # sum of `Character.spent` over PCs


class PoolEntry(models.Model):
    """The ledger: every shift of points, append only."""

    class Kind(models.TextChoices):
        POOL = "pool", _("一座の総点")
        RESERVE = "reserve", _("GMの預かり")
        ALLOCATE = "allocate", _("割り当て")
        CLAIM = "claim", _("残りから取る")
        GIVE = "give", _("譲り合い")
        RETURN = "return", _("戻す")
        SPEND = "spend", _("版の保存")
        AWAY = "away", _("人物を片付けた")
        BACK = "back", _("人物を戻した")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="pool_entries")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    seat = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    other = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    delta = models.IntegerField()
    after = models.IntegerField()  # the figure that changed, afterwards
    note = models.CharField(max_length=200, blank=True)
    # Named only to those who may see it at the time of reading: its owner may hide it later.
    character = models.ForeignKey("Character", null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]


class Offer(models.Model):
    """Points one player offers another. Taking it moves allocation in one transaction."""

    class State(models.TextChoices):
        OPEN = "open", _("返事待ち")
        TAKEN = "taken", _("受け取った")
        DECLINED = "declined", _("断った")
        WITHDRAWN = "withdrawn", _("取り下げた")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="offers")
    giver = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="offers_made")
    receiver = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="offers_received")
    points = models.PositiveIntegerField()
    note = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(points__gt=0), name="offer_has_points"),
            models.CheckConstraint(condition=~Q(giver=F("receiver")), name="offer_to_somebody_else"),
        ]


class Character(models.Model):
    class Kind(models.TextChoices):
        PC = "pc", _("PC")
        NPC = "npc", _("NPC")

    class Status(models.TextChoices):
        DRAFT = "draft", _("下書き")
        ASKED = "asked", _("確認待ち")
        CLEARED = "cleared", _("確認済み")

    slug = models.CharField(max_length=16, unique=True, default=new_slug, editable=False)
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="characters")
    owner = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="characters")
    kind = models.CharField(max_length=3, choices=Kind.choices, default=Kind.PC)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.DRAFT)
    visibility = models.CharField(max_length=6, choices=Visibility.choices, default=Visibility.GROUP)
    name = models.CharField(max_length=300, blank=True)  # shown name, taken from the draft
    count = models.PositiveIntegerField(default=1)  # how many of this NPC (「雑魚 6人」)
    revision = models.ForeignKey("Revision", null=True, on_delete=models.SET_NULL, related_name="+")  # newest
    cleared = models.ForeignKey("Revision", null=True, on_delete=models.SET_NULL, related_name="+")  # GM's last OK
    spent = models.PositiveIntegerField(default=0)  # of `revision`; PCs count into Pool.spent
    flagged = models.JSONField(default=list)  # problem codes found when rules or the pool changed afterwards
    link_nonce = models.CharField(max_length=64, blank=True)  # of the share link; empty = no link
    link_hash = models.CharField(max_length=64, null=True, unique=True)  # of its token, to find it by
    extensions = models.JSONField(default=dict)  # foreign data of an import, written back unchanged
    carried = models.JSONField(default=dict)  # parts of an imported document this site has no use for, written back
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.name or "—"


class Draft(models.Model):
    """Working copy: flat fields, perhaps illegal, never played. `authors` says who set a field last and when."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    fields = models.JSONField(default=dict)
    authors = models.JSONField(default=dict)  # field key -> {"seat": pk, "name": str, "at": iso time}
    version = models.PositiveIntegerField(default=1)
    # Of the last check, for lists: the report itself is always computed afresh.
    spent = models.PositiveIntegerField(default=0)
    errors = models.PositiveIntegerField(default=0)
    open_choices = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)


class DraftBackup(models.Model):
    """A draft as it was before something replaced it whole (a restore, an import): nothing typed is lost."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="draft_backups")
    fields = models.JSONField(default=dict)
    reason = models.CharField(max_length=40)  # `restore`, `replace`, `import`
    by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]


class Revision(models.Model):
    """An immutable build. Legal when made, or allowed by the GM with a reason everybody sees."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    fields = models.JSONField()
    build = models.JSONField()
    spent = models.PositiveIntegerField(default=0)
    house_rules = models.JSONField(default=dict)
    override_reason = models.CharField(max_length=300, blank=True)
    problems = models.JSONField(default=list)  # codes that were overridden
    note = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["character", "number"], name="revision_number_once")]


class Note(models.Model):
    """Free text on a sheet, each with its own visibility."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="notes")
    title = models.CharField(max_length=100, blank=True)
    text = models.TextField(max_length=20000)
    visibility = models.CharField(max_length=6, choices=Visibility.choices, default=Visibility.OWNER)
    # Notes the GM writes about a character belong to the GM: "owner" then means the writing seat.
    author = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position", "pk"]


class Remark(models.Model):
    """What the GM says about one field (or the whole, field ""), until it is settled."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="remarks")
    field = models.CharField(max_length=120, blank=True)
    text = models.CharField(max_length=500)
    by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)


class Confirmation(models.Model):
    """A field value the GM confirmed (V10 base ability, V30 possession). It lapses when the value changes."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="confirmations")
    field = models.CharField(max_length=120)
    value = models.JSONField(null=True)
    by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["character", "field"], name="one_confirmation_per_field")]


class TurnedDown(models.Model):
    """A value the GM does not want in this campaign, whoever writes it (alice: a 生業)."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="turned_down")
    field = models.CharField(max_length=120)
    value = models.CharField(max_length=200)
    by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "field", "value"], name="turned_down_once")]


class CreationRecord(models.Model):
    """Dice a creation step rolled on the server, kept as evidence (`draw` is the topic's draw number)."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="creation_records")
    step = models.CharField(max_length=40)
    faces = models.JSONField(default=list)
    told = models.BooleanField(default=False)  # typed in from real dice
    draw = models.PositiveIntegerField(null=True)
    event_seq = models.PositiveIntegerField(null=True)
    record = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)


class PlayResult(models.Model):
    """What a scenario left on a sheet: history, append only. `play` is all of it; the next scenario begins with it.

    `changes` are rows {key, label: {ja, en}, before, after, reason: {ja, en}, rule}. The scenario itself lives in
    another app: its title and number are copied here.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="play_results")
    source = models.CharField(max_length=80)  # the topic it was played in
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=100)
    changes = models.JSONField(default=list)
    play = models.JSONField(default=dict)
    accepted_by = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["character", "source"], name="play_result_once")]


class ImportRecord(models.Model):
    """A document somebody imported: the same one again changes nothing. `report` is what was shown."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="imports")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="imports")
    digest = models.CharField(max_length=64)  # of the document without its times and its writer
    report = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["seat", "digest"], name="import_digest")]
