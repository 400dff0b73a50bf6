"""The events of a topic `session:<pk>`.

Events of the game are stored as `<slug>:<kind>`, so that a log says by itself which game wrote it; their data is the
game's own and only the game's `project_event` shows it. Everything else is listed here with the keys a viewer in the
audience may see; a kind or key that is not listed shows nothing.

| kind | audience | what it says |
|---|---|---|
| `session.setup` | gm | what the game began with: builds, revisions, house rules (`setup`, `revisions`) |
| `session.started`, `session.edited`, `session.closed` | all | number, title, the cast everybody may know / title / – |
| `cast.joined`, `sheet.refreshed` | all, or gm while hidden | actor, name, revision (number) |
| `evening.started`, `evening.ended`, `scene.set` | all | number / number / title, text |
| `member.changed` | all | seat, name, role, removed, renamed: rights are read anew after it |
| `talk.said` | all | text, speaker (the actor's name, "" for the person) |
| `talk.rolled` | all; secret: the roller and gm | the roll (`rulesets` result), speaker |
| `talk.rolled_secretly` | all | speaker: that it happened, nothing of what came out |
| `entry.opened` | all | a hidden entry, told to everybody: of (its number), kind, schema, data |
| `event.undone` | whoever saw one of the events | first, last (numbers), reason |
| `counter.set` | all, or gm while hidden | a clock as it is now: counter, did, title, size, filled, shown |
| `nudge.sent` | those who are waited for, and gm | seats, names |
| `note.changed` | the writer, or gm | note, version |
| `closing.asked` | all | asked: whether everybody is asked what they take home |
| `carry.decided` | the owner and gm | actor, name, accepted |
| `table.changed` | whose view of the state is another than after the last event of the command they saw | nothing |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Keys = tuple[str, ...]
ALL = ("all",)
GMS = ("gm",)

# The session's own mark in the data of a game's event: `draw` (number) and `override` (the GM's reason).
MARK = "@"

SHOWN: Mapping[str, Keys] = {
    "session.setup": (),
    "session.started": ("number", "title", "cast"),
    "session.edited": ("title",),
    "session.closed": (),
    "cast.joined": ("actor", "name", "revision"),
    "sheet.refreshed": ("actor", "name", "revision"),
    "evening.started": ("number",),
    "evening.ended": ("number",),
    "scene.set": ("title", "text"),
    "member.changed": ("seat", "name", "role", "removed", "renamed"),
    "talk.said": ("text", "speaker"),
    "talk.rolled": ("roll", "speaker"),
    "talk.rolled_secretly": ("speaker",),
    "event.undone": ("first", "last", "reason"),
    "counter.set": ("counter", "did", "title", "size", "filled", "shown"),
    "nudge.sent": ("seats", "names"),
    "note.changed": ("note", "version"),
    "closing.asked": ("asked",),
    "carry.decided": ("actor", "name", "accepted"),
    "table.changed": (),
}
OPENED = "entry.opened"
UNDONE = "event.undone"
COUNTER = "counter.set"
NUDGE = "nudge.sent"
MEMBERSHIP = frozenset({"member.changed"})
# What is a row of the log for people; the rest only moves panels.
TOLD = frozenset(
    {
        "session.started",
        "session.closed",
        "cast.joined",
        "sheet.refreshed",
        "evening.started",
        "evening.ended",
        "scene.set",
        "talk.said",
        "talk.rolled",
        "talk.rolled_secretly",
        OPENED,
        UNDONE,
        COUNTER,
        NUDGE,
    }
)


def stored_kind(game: str, kind: str) -> str:
    """The kind of a game's event in the log; `game` is the name of its live play (`services.play`)."""
    return f"{game}:{kind}"


def game_of(kind: str) -> tuple[str, str] | None:
    """The name of the live play and its own kind; None for an event of the session."""
    game, colon, own = kind.partition(":")
    return (game, own) if colon else None


def is_told(kind: str) -> bool:
    """Whether an event is a row of the log."""
    return kind in TOLD or game_of(kind) is not None


def audience_sum(audiences: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Everybody who is in one of these audiences."""
    tokens = {token for audience in audiences for token in audience}
    return ("all",) if "all" in tokens else tuple(sorted(tokens))


def audience_common(audiences: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The tokens that are in all of these audiences; () when nobody is sure to be."""
    narrow = [frozenset(audience) for audience in audiences if "all" not in audience]
    if not narrow:
        return ("all",) if audiences else ()
    return tuple(sorted(frozenset.intersection(*narrow)))
